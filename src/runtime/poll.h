// sc_poll as compiled code calls it: it preserves all registers except r11 and what is beyond the
// 256 bits of ymm0 to ymm15 (LLVM's preserve_all). So a loop that polls now and then keeps its
// values in registers; with the C ABI its vectors would be spilled in each iteration.
#pragma once

namespace shapecast::runtime {

// The version for this processor.
void (*pollKeepingRegisters())();

} // namespace shapecast::runtime
