// sc_poll as compiled code calls it: all registers stay as they are, but for r11 and what is beyond
// the 256 bits of ymm0 to ymm15 (LLVM's preserve_all). A loop that polls now and then keeps in
// registers what it has there; as C has it, its vectors would go through memory in each turn.
#pragma once

namespace shapecast::runtime {

// For this processor.
void (*pollKeepingRegisters())();

} // namespace shapecast::runtime
