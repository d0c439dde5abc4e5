// np-reuse: a result is stored into an array that dies there, instead of a new one.
// RUN: %opt %s --np-reuse | FileCheck %s

!A = !np.array<s0 x f64, C>
!v = tensor<?xf64, #np.dims<s0>>

// t = exp(a); return t / t.sum(): the quotient is stored into t.
// CHECK-LABEL: np.func @quotient
// CHECK: %[[T:.*]] = np.alloc
// CHECK-NOT: np.alloc
// CHECK: np.nest {{.*}} reads(%[[T]]) {{.*}} writes(%[[T]])
// CHECK: np.return %[[T]]
np.func @quotient(%a: !A) -> !A attributes {alias = "noalias"} {
  %0 = np.alloc : !A
  %1 = np.nest [#np.dim<s0>] reduced 1 reads(%a) [[#np.dim<d0>]] writes(%0) [[#np.dim<d0>]] combine ["", "add"] : (!A, !A) -> f64 {
  ^bb0(%arg1: f64):
    %3 = np.ufunc "exp"(%arg1) loop "d->d" : (f64) -> f64
    np.nest_yield %3, %3 : f64, f64
  }
  %2 = np.alloc : !A
  np.nest [#np.dim<s0>] reduced 0 reads(%0) [[#np.dim<d0>]] writes(%2) [[#np.dim<d0>]] combine [""] : (!A, !A) -> () {
  ^bb0(%arg1: f64):
    %3 = np.ufunc "divide"(%arg1, %1) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %3 : f64
  }
  np.return %2 : !A
}

// t is returned as well, so that it is alive after the division.
// CHECK-LABEL: np.func @alive
// CHECK: %[[T:.*]] = np.alloc
// CHECK: %[[Q:.*]] = np.alloc
// CHECK: np.nest {{.*}} reads(%[[T]]) {{.*}} writes(%[[Q]])
np.func @alive(%a: !A) -> (!A, !A) attributes {alias = "noalias"} {
  %0 = np.alloc : !A
  %1 = np.nest [#np.dim<s0>] reduced 1 reads(%a) [[#np.dim<d0>]] writes(%0) [[#np.dim<d0>]] combine ["", "add"] : (!A, !A) -> f64 {
  ^bb0(%arg1: f64):
    %3 = np.ufunc "exp"(%arg1) loop "d->d" : (f64) -> f64
    np.nest_yield %3, %3 : f64, f64
  }
  %2 = np.alloc : !A
  np.nest [#np.dim<s0>] reduced 0 reads(%0) [[#np.dim<d0>]] writes(%2) [[#np.dim<d0>]] combine [""] : (!A, !A) -> () {
  ^bb0(%arg1: f64):
    %3 = np.ufunc "divide"(%arg1, %1) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %3 : f64
  }
  np.return %2, %0 : !A, !A
}
