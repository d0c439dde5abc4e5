// A private arc4random. LLVMSupport calls it, and glibc has it only from 2.36 on: with ours the
// module loads from 2.34 on.
#include <cstdint>
#include <sys/random.h>

extern "C" __attribute__((visibility("hidden"))) std::uint32_t arc4random() {
    std::uint32_t value = 0;
    // Four bytes are never delivered in part. A failure (no such call in the kernel) leaves a
    // constant, which will do: LLVM only makes names of temporary files with it.
    (void)!getrandom(&value, sizeof value, 0);
    return value;
}
