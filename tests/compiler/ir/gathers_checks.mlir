// np-gathers: the bounds checks of a gather are fused into the nest that gathers.
// RUN: %opt %s --np-gathers | FileCheck %s

!X = !np.array<s0 x f64, C>
!I = !np.array<s1 x si64, C>
!Y = !np.array<s1 x f64, C>

// return x[i] * 2: the nest gathers x[0] for an index out of bounds, and reports it; then the check raises.
// CHECK-LABEL: np.func @fresh
// CHECK: np.if
// CHECK: np.native "check_indices"
// CHECK: %[[BAD:.*]] = np.nest {{.*}} combine ["", "logical_or"] {{.*}} attributes {checks}
// CHECK: %[[OUT:.*]] = np.ufunc "logical_or"
// CHECK: %[[K:.*]] = np.ufunc "where"(%[[OUT]],
// CHECK: np.take %{{.*}}[%[[K]]]
// CHECK: %[[C:.*]] = np.cast %[[BAD]]
// CHECK: np.if %[[C]]
// CHECK: np.native "check_indices"
np.func @fresh(%x: !X, %i: !I) -> !Y attributes {alias = "noalias"} {
  %0 = np.const 1 : !np.pyint
  %1 = np.const 0 : !np.pyint
  %2 = np.native "check_indices" writes 0(%x, %0, %1, %i) raises "IndexError" "index {0} is out of bounds for axis {1} with size {2}" {notes = ["{0}: float64[s0]", "{1}: int64[s1]"]} : (!X, !np.pyint, !np.pyint, !I) -> !np.pyint
  %3 = np.const 2 : !np.pyint
  %4 = np.alloc : !Y
  np.nest [#np.dim<s1>] reduced 0 reads(%x, %i) [[#np.dim<gather.index>], [#np.dim<d0>]] writes(%4) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 1, 2] : (!X, !I, !Y) -> () {
  ^bb0(%e: f64, %k: si64):
    %5 = np.take %e[%k] : (f64, si64) -> f64
    %6 = np.ufunc "multiply"(%5, %3) loop "dd->d" : (f64, !np.pyint) -> f64
    np.nest_yield %6 : f64
  }
  np.return %4 : !Y
}

// out[:] = x[i]: what is stored before an error is observable, so that all indices are checked first.
// CHECK-LABEL: np.func @argument
// CHECK: np.native "check_indices"
// CHECK-NOT: attributes {checks}
// CHECK: np.return
np.func @argument(%x: !X, %i: !I, %out: !Y) attributes {alias = "noalias", guards = [#np.guard<s1 "==" s2, 1>]} {
  %0 = np.const 1 : !np.pyint
  %1 = np.const 0 : !np.pyint
  %2 = np.native "check_indices" writes 0(%x, %0, %1, %i) raises "IndexError" "index {0} is out of bounds for axis {1} with size {2}" {notes = ["{0}: float64[s0]", "{1}: int64[s1]"]} : (!X, !np.pyint, !np.pyint, !I) -> !np.pyint
  np.nest [#np.dim<s1>] reduced 0 reads(%x, %i) [[#np.dim<gather.index>], [#np.dim<d0>]] writes(%out) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 1, 2] : (!X, !I, !Y) -> () {
  ^bb0(%e: f64, %k: si64):
    %3 = np.take %e[%k] : (f64, si64) -> f64
    np.nest_yield %3 : f64
  }
  np.return
}
