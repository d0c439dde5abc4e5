// Long loops poll: sc_poll lets other threads and signal handlers run.
//
// As compiled code calls it, it preserves all registers except r11 and what is beyond the 256 bits
// of ymm0 to ymm15 (LLVM's preserve_all). So a loop that polls now and then keeps its values in
// registers; with the C ABI its vectors would be spilled in each iteration.
#include "runtime/callbacks.h"
#include "runtime/processor.h"
#include "runtime/symbols.h"
#include "runtime/threads.h"

#include <ctime>

namespace shapecast::runtime {
namespace {

#if SC_IS_X86
// Saves and restores the caller-saved registers of the C ABI; the context stays in rdi.
#define SC_PUSH                                                                                    \
    "push %rbp\n mov %rsp, %rbp\n"                                                                 \
    "push %rax\n push %rcx\n push %rdx\n push %rsi\n push %rdi\n push %r8\n push %r9\n"            \
    "push %r10\n and $-32, %rsp\n sub $512, %rsp\n"
#define SC_POP                                                                                     \
    "lea -64(%rbp), %rsp\n pop %r10\n pop %r9\n pop %r8\n pop %rdi\n pop %rsi\n pop %rdx\n"        \
    "pop %rcx\n pop %rax\n pop %rbp\n ret\n"
#define SC_OF_4(MOVE, a, b, c, d) MOVE(a) MOVE(b) MOVE(c) MOVE(d)
#define SC_OF_16(MOVE)                                                                             \
    SC_OF_4(MOVE, 0, 1, 2, 3)                                                                      \
    SC_OF_4(MOVE, 4, 5, 6, 7)                                                                      \
    SC_OF_4(MOVE, 8, 9, 10, 11)                                                                    \
    SC_OF_4(MOVE, 12, 13, 14, 15)
#define SC_SAVE_YMM(k) "vmovups %ymm" #k ", 32*" #k "(%rsp)\n"
#define SC_LOAD_YMM(k) "vmovups 32*" #k "(%rsp), %ymm" #k "\n"
#define SC_SAVE_XMM(k) "movups %xmm" #k ", 32*" #k "(%rsp)\n"
#define SC_LOAD_XMM(k) "movups 32*" #k "(%rsp), %xmm" #k "\n"

#define SC_OR_YMM(k) "vorps %ymm" #k ", %ymm0, %ymm0\n"
#define SC_LOAD_LOW(k) "vmovups 32*" #k "(%rsp), %xmm" #k "\n"

// A load of a ymm register makes the upper halves dirty: each call of the C library's SSE code from
// the loop would then take a hundred cycles more. So upper halves that are zero stay untouched.
[[gnu::naked]] void pollWithYmm() {
    asm(SC_PUSH SC_OF_16(SC_SAVE_YMM) SC_OF_16(SC_OR_YMM) "vextractf128 $1, %ymm0, %xmm0\n"
                                                          "vptest %xmm0, %xmm0\n"
                                                          "vzeroupper\n jz 1f\n"
                                                          "call sc_poll@PLT\n" SC_OF_16(SC_LOAD_YMM)
                                                              SC_POP
        "1: call sc_poll@PLT\n" SC_OF_16(SC_LOAD_LOW) SC_POP);
}

[[gnu::naked]] void pollWithXmm() {
    asm(SC_PUSH SC_OF_16(SC_SAVE_XMM) "call sc_poll@PLT\n" SC_OF_16(SC_LOAD_XMM) SC_POP);
}

// The version for this processor.
void (*pollKeepingRegisters())() { return SC_PROCESSOR_HAS("avx") ? pollWithYmm : pollWithXmm; }
#else
[[clang::preserve_all]] void pollInAllRegisters(Context *ctx) { sc_poll(ctx); }

auto *pollKeepingRegisters() { return pollInAllRegisters; }
#endif

Poller poller = nullptr;

} // namespace

void setPoller(Poller newPoller) { poller = newPoller; }

extern "C" void sc_poll(Context *ctx) {
    ctx->fuel = pollGrain;
    if (ctx->team) { // only the team's leader calls the poller
        if (isStopped(*ctx->team))
            _longjmp(ctx->stop, 1);
        return;
    }
    if (!poller)
        return;
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    const int64_t now = time.tv_sec * 1'000'000'000 + time.tv_nsec;
    if (now >= ctx->nextPoll && poller(ctx, now))
        _longjmp(ctx->stop, 1); // over frames of compiled code, which have no destructors
}

SymbolTable pollSymbols() {
    static const RuntimeSymbol table[] = {{symbolOf<&sc_poll>().name,
                                           reinterpret_cast<void *>(pollKeepingRegisters()),
                                           symbolOf<&sc_poll>().type}};
    return table;
}

} // namespace shapecast::runtime
