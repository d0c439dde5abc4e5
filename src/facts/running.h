// What Python and NumPy say and do where their versions differ. The bindings ask those beside us,
// at import (python/shapecast/_running.py); without Python it is what stands here.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shapecast {

struct Running {
    // Messages of Python 3.11 and NumPy 2.4, and what ours say instead. Of `says`, {0} and {0:f}
    // stand for an int and a float of the run; of `saysOf`, {0}, {1} for the names given. The words
    // of "math.log", say, are those for a float that it does not take.
    std::map<std::string, std::string, std::less<>> words;

    // All of it, as what code on disk depends on: releases of one Python may differ, too.
    std::string text() const;

    // A view of `words` or of what is given.
    std::string_view says(std::string_view usual) const;
    std::string saysOf(std::string_view usual, std::initializer_list<std::string_view> names) const;

    // Whether what is of a class of Python's or NumPy's ("float", "numpy.float64") has an
    // attribute; nothing of other classes, and where there is no Python.
    std::optional<bool> (*hasAttribute)(std::string_view className, std::string_view attribute) =
        [](std::string_view, std::string_view) { return std::optional<bool>(); };

    // What Python's function of that name ("math.sqrt") says of a call with so many arguments by
    // place, and these by name; nothing where it takes them (python/shapecast/_refusals.py).
    std::optional<std::string> (*refusalOf)(const std::string &function, size_t count,
                                            const std::vector<std::string> &names) =
        [](const std::string &, size_t, const std::vector<std::string> &) {
            return std::optional<std::string>();
        };

    std::string unexpectedField = "ValueError"; // what Pair(1)._replace(x=1) raises
    bool whereChecksIntegers = false;           // np.where(c, 300, int8) raises, as int8 + 300 does
    // Python's float beside a complex has no imaginary part, and infinities that came out as NaN
    // are recovered, as C11's annex G has both. Up to Python 3.13 its imaginary part is 0.
    bool complexByAnnexG = false;
    bool sumCompensates = false;     // sum() carries along what additions of floats lose
    bool countsTooMany = false;      // a, b = (1, 2, 3) says how many there were
    bool viewGridsAreTuples = false; // np.meshgrid(..., sparse=True, copy=False), not a list
};

// Set once, before anything is compiled.
Running &running();

} // namespace shapecast
