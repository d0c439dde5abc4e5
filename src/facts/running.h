// What Python and NumPy say and do where their versions differ. The bindings ask those beside us,
// at import (python/shapecast/_running.py); without Python it is what stands here.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace shapecast {

struct Running {
    // Messages of Python 3.11, and what ours says instead. {0} and {0:f} stand for an int and a
    // float; for "math.log", say, the words are those for a float that it does not take.
    std::map<std::string, std::string, std::less<>> words;

    // A view of what lives as long as the process.
    std::string_view says(std::string_view usual) const {
        const auto found = words.find(usual);
        return found == words.end() ? usual : std::string_view(found->second);
    }
    // The same with the name of a class for {}.
    std::string saysOf(std::string_view usual, std::string_view name) const;

    std::string notInexact = "data type <class 'numpy.{}'> not inexact"; // np.finfo(int)
    std::string noImaginaryPart = "array does not have imaginary part to set";
    std::string emptyIterable = "() arg is an empty sequence"; // min(()), without its name
    std::string unexpectedField = "ValueError";                // what Pair(1)._replace(x=1) raises
    bool whereChecksIntegers = false; // np.where(c, 300, int8) raises, as int8 + 300 does
    bool countsTooMany = false;       // a, b = (1, 2, 3) says how many there were
    bool viewGridsAreTuples = false;  // np.meshgrid(..., sparse=True, copy=False), not a list
};

// Set once, before anything is compiled.
Running &running();

} // namespace shapecast
