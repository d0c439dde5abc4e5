// np-scans: element-wise nests are fused into the scans beside them.
// RUN: %opt %s --np-scans | FileCheck %s

!A = !np.array<s0 x f64, C>

// y = x * w; c[i] = total += y[i]; return c / 2: one loop, and y is not stored.
// CHECK-LABEL: np.func @weighted
// CHECK-NOT: np.nest
// CHECK: %[[C:.*]] = np.alloc
// CHECK-NOT: np.alloc
// CHECK: np.for "i0" = <0> to <s0>
// CHECK: np.ufunc "multiply"
// CHECK: %[[TOTAL:.*]] = np.ufunc "add"
// CHECK: %[[HALF:.*]] = np.ufunc "divide"(%[[TOTAL]],
// CHECK: np.store %[[HALF]] to %[[C]] [#np.dim<i0>]
// CHECK-NOT: np.nest
// CHECK: np.return %[[C]]
np.func @weighted(%x: !A, %w: !A) -> !A attributes {alias = "noalias"} {
  %zero = np.const 0.0 : f64
  %two = np.const 2.0 : f64
  %y = np.alloc : !A
  np.nest [#np.dim<s0>] reduced 0 reads(%x, %w) [[#np.dim<d0>], [#np.dim<d0>]] writes(%y) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 1, 2] : (!A, !A, !A) -> () {
  ^bb0(%a: f64, %b: f64):
    %0 = np.ufunc "multiply"(%a, %b) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %0 : f64
  }
  %c = np.alloc : !A
  %total = np.for "i0" = <0> to <s0> step <1> iter(%zero) : (f64) -> f64 {
  ^bb0(%i: !np.pyint, %sum: f64):
    %0 = np.load %y [#np.dim<i0>] : !A to f64
    %1 = np.ufunc "add"(%sum, %0) loop "dd->d" : (f64, f64) -> f64
    np.store %1 to %c [#np.dim<i0>] : f64, !A
    np.next(%1) : f64
  }
  np.nest [#np.dim<s0>] reduced 0 reads(%c) [[#np.dim<d0>]] writes(%c) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 0] : (!A, !A) -> () {
  ^bb0(%a: f64):
    %0 = np.ufunc "divide"(%a, %two) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %0 : f64
  }
  np.return %c : !A
}

// y is read from its end: its last element is needed first.
// CHECK-LABEL: np.func @backwards
// CHECK: np.nest
// CHECK: np.for
// CHECK-NOT: np.ufunc "multiply"
// CHECK: np.ufunc "add"
np.func @backwards(%x: !A, %w: !A) -> !A attributes {alias = "noalias"} {
  %zero = np.const 0.0 : f64
  %y = np.alloc : !A
  np.nest [#np.dim<s0>] reduced 0 reads(%x, %w) [[#np.dim<d0>], [#np.dim<d0>]] writes(%y) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 1, 2] : (!A, !A, !A) -> () {
  ^bb0(%a: f64, %b: f64):
    %0 = np.ufunc "multiply"(%a, %b) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %0 : f64
  }
  %c = np.alloc : !A
  %total = np.for "i0" = <0> to <s0> step <1> iter(%zero) : (f64) -> f64 {
  ^bb0(%i: !np.pyint, %sum: f64):
    %0 = np.load %y [#np.dim<s0 - i0 - 1>] : !A to f64
    %1 = np.ufunc "add"(%sum, %0) loop "dd->d" : (f64, f64) -> f64
    np.store %1 to %c [#np.dim<i0>] : f64, !A
    np.next(%1) : f64
  }
  np.return %c : !A
}
