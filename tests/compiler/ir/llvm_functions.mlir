// np-llvm: nests are internal noinline functions with noalias parameters; only the LLVM dialect is left.
// RUN: %opt %s --np-loops --np-llvm | FileCheck %s

// CHECK-NOT: func.func
// CHECK: llvm.func @scale(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr) -> i32
// CHECK: llvm.call @scale.nest0
// CHECK: llvm.func internal @scale.nest0(%arg0: !llvm.ptr {llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr {llvm.noalias}, %arg2: i64, %arg3: !llvm.ptr {llvm.noalias}, %arg4: i64, %arg5: i64)
// CHECK-SAME: no_inline
// CHECK: llvm.getelementptr inbounds %arg3[24]
// CHECK: llvm.icmp "sge"
// CHECK: llvm.fmul
// CHECK: %[[NEST:.*]] = llvm.mlir.addressof @scale.nest0
// CHECK: llvm.call @sc_parallel_nest_3(%arg3, %[[NEST]], %arg2,
// CHECK-NOT: {{(arith|cf|scf|math)\.}}
np.func @scale(%a: !np.array<s0 x f64, C>, %b: !np.array<s0 x f64, C>) {
  np.nest [#np.dim<s0>] reduced 0 reads(%a) [[#np.dim<d0>]] writes(%b) [[#np.dim<d0>]] combine [""] groups [0, 1] : (!np.array<s0 x f64, C>, !np.array<s0 x f64, C>) -> () {
  ^bb0(%x: f64):
    %k = np.const 2 : !np.pyint
    %y = np.ufunc "multiply"(%x, %k) loop "dd->d" : (f64, !np.pyint) -> f64
    np.nest_yield %y : f64
  }
  np.return
}
