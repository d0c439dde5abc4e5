// Machine code from a hand-written LLVM-dialect module: calling convention of the entry, vectorised
// loops, math functions, code lifetime.
#include "lower/llvm/jit.h"
#include "runtime/memory.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"

#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdio>

using namespace shapecast;

// o[i] = exp(a[i]) * b[i] + 1 with one outlined nest per base, as the loops stage emits it.
static const char *kernelText = R"(
llvm.func @exp(f64) -> f64
llvm.func @sc_alloc(!llvm.ptr, i64) -> !llvm.ptr
llvm.func internal @nest(%o: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias, llvm.readonly},
                         %b: !llvm.ptr {llvm.noalias, llvm.readonly}, %n: i64) attributes {no_inline} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %f = llvm.mlir.constant(1.0 : f64) : f64
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %go = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %go, ^body, ^end
^body:
  %pa = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  %pb = llvm.getelementptr inbounds %b[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  %po = llvm.getelementptr inbounds %o[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  %x = llvm.load %pa : !llvm.ptr -> f64
  %y = llvm.load %pb : !llvm.ptr -> f64
  %e = llvm.call @exp(%x) : (f64) -> f64
  %p = llvm.fmul %e, %y : f64
  %s = llvm.fadd %p, %f : f64
  llvm.store %s, %po : f64, !llvm.ptr
  %j = llvm.add %i, %one : i64
  llvm.br ^head(%j : i64)
^end:
  llvm.return
}
llvm.func @main(%ctx: !llvm.ptr, %args: !llvm.ptr, %results: !llvm.ptr) -> i32 {
  %ok = llvm.mlir.constant(0 : i32) : i32
  %eight = llvm.mlir.constant(8 : i64) : i64
  %a = llvm.load %args : !llvm.ptr -> !llvm.ptr
  %q1 = llvm.getelementptr %args[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %n = llvm.load %q1 : !llvm.ptr -> i64
  %q3 = llvm.getelementptr %args[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %b = llvm.load %q3 : !llvm.ptr -> !llvm.ptr
  %bytes = llvm.mul %n, %eight : i64
  %o = llvm.call @sc_alloc(%ctx, %bytes) : (!llvm.ptr, i64) -> !llvm.ptr
  llvm.call @nest(%o, %a, %b, %n) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.store %o, %results : !llvm.ptr, !llvm.ptr
  llvm.return %ok : i32
}
)";

static std::shared_ptr<CompiledCode> compileText(const char *text, const JitOptions &options) {
    mlir::DialectRegistry registry;
    registry.insert<mlir::LLVM::LLVMDialect>();
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    assert(module);
    std::string error;
    auto code = jitCompile(*module, "main", options, error);
    if (!code)
        std::fprintf(stderr, "%s\n", error.c_str());
    return code;
}

static void testKernelRunsVectorised() {
    JitOptions options;
    options.keepRemarks = options.keepText = true;
    auto code = compileText(kernelText, options);
    assert(code);
    bool vectorised = false;
    for (const auto &remark : code->remarks)
        vectorised |= remark.vectorWidth > 1;
    assert(vectorised);
    assert(code->text.find("_ZGV") != std::string::npos);
    assert(code->text.find("noalias") != std::string::npos);
    assert(code->text.find("vector.memcheck") ==
           std::string::npos); // noalias makes run-time alias checks unnecessary
    constexpr int n = 101;
    double a[n], b[n];
    for (int i = 0; i < n; ++i)
        a[i] = 0.01 * i, b[i] = i;
    runtime::Context ctx;
    const int64_t args[] = {reinterpret_cast<int64_t>(a), n, 1, reinterpret_cast<int64_t>(b), n, 1};
    int64_t results[4];
    const int64_t before = runtime::liveAllocations();
    assert(code->entry(&ctx, args, results) == 0);
    const auto *o = reinterpret_cast<const double *>(results[0]);
    assert(reinterpret_cast<uintptr_t>(o) % 64 == 0);
    for (int i = 0; i < n; ++i)
        assert(std::abs(o[i] - (std::exp(a[i]) * b[i] + 1)) <= 1e-15 * 4 * o[i]);
    assert(runtime::liveAllocations() == before + 1);
    runtime::releaseAll(&ctx);
    assert(runtime::liveAllocations() == before);
}

static void testManyCompilationsAreFreed() {
    for (int i = 0; i < 30; ++i)
        assert(compileText(kernelText, {}));
}

static void testUnknownFunctionIsAnError() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::LLVM::LLVMDialect>();
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
llvm.func @no_such_function()
llvm.func @main(%c: !llvm.ptr, %a: !llvm.ptr, %r: !llvm.ptr) -> i32 {
  llvm.call @no_such_function() : () -> ()
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
})",
                                                          &context);
    std::string error;
    assert(!jitCompile(*module, "main", {}, error));
    assert(error.find("no_such_function") != std::string::npos);
}

int main(int argc, char **) {
    testKernelRunsVectorised();
    testManyCompilationsAreFreed();
    testUnknownFunctionIsAnError();
    if (argc > 1) { // any argument: print times
        for (int i = 0; i < 5; ++i) {
            auto start = std::chrono::steady_clock::now();
            auto code = compileText(kernelText, {});
            double all =
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                    .count();
            std::printf("all %.2f ms: optimise %.2f, generate %.2f, link %.2f; %zu bytes\n", all,
                        code->optimizeMilliseconds, code->codegenMilliseconds,
                        code->linkMilliseconds, code->objectBytes);
        }
        JitOptions options;
        options.keepText = options.keepAssembly = true;
        std::printf("%s\n", compileText(kernelText, options)->text.c_str());
    }
    return 0;
}
