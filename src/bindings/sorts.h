#pragma once

namespace shapecast::bindings {

bool initSorts(); // once, at import; false with an exception set

} // namespace shapecast::bindings
