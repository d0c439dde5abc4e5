// The methods of jitted functions.
#pragma once

#include "capture/python.h"

namespace shapecast::bindings {

// Those that run nothing (infer, stages, remarks, signatures, explain ...), and compile.
extern PyMethodDef jitMethods[];

} // namespace shapecast::bindings
