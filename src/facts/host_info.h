// Messages and behaviour of the host's Python and NumPy, where versions differ. The bindings fill
// it in at import (python/shapecast/_host_info.py); without Python the defaults below hold.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shapecast {

struct HostInfo {
    // From messages of Python 3.11 and NumPy 2.4 to the host's. In those of message(), {0} and
    // {0:f} are an int and a float known only at run time; in those of messageOf(), {0}, {1} are
    // `names`. The key of a math function, as "math.log", has the message for a float outside of
    // its domain.
    std::map<std::string, std::string, std::less<>> messages;

    // All of it, for the keys of the disk cache: releases of one Python may differ, too.
    std::string fingerprint() const;

    // A view of `messages`, or `reference` itself.
    std::string_view message(std::string_view reference) const;
    std::string messageOf(std::string_view reference,
                          std::initializer_list<std::string_view> names) const;

    // Whether instances of a class of Python's or NumPy's ("float", "numpy.float64") have an
    // attribute; nullopt for other classes, and where there is no Python.
    std::optional<bool> (*hasAttribute)(std::string_view className, std::string_view attribute) =
        [](std::string_view, std::string_view) { return std::optional<bool>(); };

    // The TypeError's message of Python's function of that name ("math.sqrt") for a call with so
    // many positional arguments and these keywords; nullopt where its signature accepts them
    // (python/shapecast/_argument_errors.py).
    std::optional<std::string> (*argumentError)(const std::string &function, size_t count,
                                                const std::vector<std::string> &names) =
        [](const std::string &, size_t, const std::vector<std::string> &) {
            return std::optional<std::string>();
        };

    std::string unexpectedField = "ValueError"; // what Pair(1)._replace(x=1) raises
    bool whereChecksIntegers = false;           // np.where(c, 300, int8) raises, as int8 + 300 does
    // Python's float beside a complex has no imaginary part, and infinities that came out as NaN
    // are recovered, as C11's annex G has both. Up to Python 3.13 its imaginary part is 0.
    bool complexByAnnexG = false;
    bool sumIsCompensated = false;       // sum() of floats is compensated (Neumaier), as in 3.12
    bool unpackErrorHasCount = false;    // the error of a, b = (1, 2, 3) has the number of values
    bool meshgridViewsAreTuples = false; // np.meshgrid(..., sparse=True, copy=False), not a list
    // astype() of a float out of the integer's range is the nearest that there is, and of NaN 0, as
    // ARM's instructions have it; x86's give the smallest integer.
    bool castsSaturate = false;
};

// Set once, before the first compilation.
HostInfo &hostInfo();

} // namespace shapecast
