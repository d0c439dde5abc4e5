#pragma once

namespace shapecast::bindings {

// Registers NumPy's sorts with the run time (runtime/sort.h).
bool initSorts(); // once, at import; false with an exception set

} // namespace shapecast::bindings
