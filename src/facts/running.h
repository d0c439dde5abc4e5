// What Python and NumPy say and do where their versions differ. The bindings ask those beside us,
// at import (python/shapecast/_running.py); without Python it is what stands here.
#pragma once

#include <string>

namespace shapecast {

struct Running {
    std::string floatModulo = "float modulo";                            // 1.0 % 0.0
    std::string notInexact = "data type <class 'numpy.{}'> not inexact"; // np.finfo(int)
    std::string noImaginaryPart = "array does not have imaginary part to set";
    std::string emptyIterable = "() arg is an empty sequence"; // min(()), without its name
    std::string unexpectedField = "ValueError";                // what Pair(1)._replace(x=1) raises
    bool whereChecksIntegers = false; // np.where(c, 300, int8) raises, as int8 + 300 does
    bool viewGridsAreTuples = false;  // np.meshgrid(..., sparse=True, copy=False), not a list
};

// Set once, before anything is compiled.
Running &running();

} // namespace shapecast
