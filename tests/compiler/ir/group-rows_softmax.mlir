// RUN: %opt --np-group-rows --np-verify=level=owned %s | FileCheck %s
// RUN: %opt --np-group-rows --np-loops --np-verify=level=loops %s | FileCheck %s --check-prefix=LOOPS

// The row's maximum, what is left of the row, and its sum: one kernel. The array between comes before it.
// CHECK-LABEL: np.func @shifted
// CHECK: np.alloc : <s0 x f64
// CHECK: np.alloc : <s0 x s1 x f64
// CHECK: np.nest {{.*}}row_group = 0
// CHECK: np.nest {{.*}}row_group = 0
// CHECK: np.nest {{.*}}row_group = 0
// CHECK: np.release

// LOOPS-LABEL: func.func @shifted_kernel0_rows(
// LOOPS: scf.for
// LOOPS: arith.maximumf
// LOOPS: nvvm.barrier0
// LOOPS: arith.subf
// LOOPS: nvvm.barrier0
// LOOPS: arith.addf
// LOOPS: return
// Few rows of many elements are done nest by nest.
// LOOPS: func.func @shifted_kernel1(
np.func @shifted(%x: !np.array<s0 x s1 x f64, C, "cuda:0">, %o: !np.array<s0 x f64, C, "cuda:0">)
    attributes {arg_names = ["x", "o"], alias = "noalias"} {
  %m = np.alloc : <s0 x f64, C, "cuda:0">
  np.nest [#np.dim<s0>, #np.dim<s1>] reduced 1 reads(%x) [[#np.dim<d0>, #np.dim<d1>]] writes(%m) [[#np.dim<d0>]]
      combine ["maximum"] order ["any"] groups [0, 1]
      : (!np.array<s0 x s1 x f64, C, "cuda:0">, !np.array<s0 x f64, C, "cuda:0">) -> () {
  ^bb0(%p: f64):
    np.nest_yield %p : f64
  }
  %t = np.alloc : <s0 x s1 x f64, C, "cuda:0">
  np.nest [#np.dim<s0>, #np.dim<s1>] reduced 0 reads(%x, %m) [[#np.dim<d0>, #np.dim<d1>], [#np.dim<d0>]]
      writes(%t) [[#np.dim<d0>, #np.dim<d1>]] combine [""] order ["any", "any"] groups [0, 1, 2]
      : (!np.array<s0 x s1 x f64, C, "cuda:0">, !np.array<s0 x f64, C, "cuda:0">, !np.array<s0 x s1 x f64, C, "cuda:0">) -> () {
  ^bb0(%p: f64, %q: f64):
    %d = np.ufunc "subtract"(%p, %q) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %d : f64
  }
  np.release %m : !np.array<s0 x f64, C, "cuda:0">
  np.nest [#np.dim<s0>, #np.dim<s1>] reduced 1 reads(%t) [[#np.dim<d0>, #np.dim<d1>]] writes(%o) [[#np.dim<d0>]]
      combine ["add"] order ["any"] groups [0, 1]
      : (!np.array<s0 x s1 x f64, C, "cuda:0">, !np.array<s0 x f64, C, "cuda:0">) -> () {
  ^bb0(%p: f64):
    np.nest_yield %p : f64
  }
  np.release %t : !np.array<s0 x s1 x f64, C, "cuda:0">
  np.return
}

// The second nest reads the row before: rows are not independent.
// CHECK-LABEL: np.func @neighbours
// CHECK-NOT: row_group
// CHECK: np.return
np.func @neighbours(%x: !np.array<s0 x s1 x f64, C, "cuda:0">, %m: !np.array<s0 x f64, C, "cuda:0">, %o: !np.array<s0 - 1 x f64, C, "cuda:0">)
    attributes {arg_names = ["x", "m", "o"], alias = "noalias"} {
  np.nest [#np.dim<s0>, #np.dim<s1>] reduced 1 reads(%x) [[#np.dim<d0>, #np.dim<d1>]] writes(%m) [[#np.dim<d0>]]
      combine ["maximum"] order ["any"] groups [0, 1]
      : (!np.array<s0 x s1 x f64, C, "cuda:0">, !np.array<s0 x f64, C, "cuda:0">) -> () {
  ^bb0(%p: f64):
    np.nest_yield %p : f64
  }
  np.nest [#np.dim<s0 - 1>] reduced 0 reads(%m, %m) [[#np.dim<d0>], [#np.dim<d0 + 1>]] writes(%o) [[#np.dim<d0>]]
      combine [""] order ["any"] groups [0, 0, 1]
      : (!np.array<s0 x f64, C, "cuda:0">, !np.array<s0 x f64, C, "cuda:0">, !np.array<s0 - 1 x f64, C, "cuda:0">) -> () {
  ^bb0(%p: f64, %q: f64):
    %d = np.ufunc "subtract"(%p, %q) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %d : f64
  }
  np.return
}
