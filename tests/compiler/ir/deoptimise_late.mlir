// np-deoptimise: a call whose assumption fails begins again, unless a side effect is visible.
// RUN: %opt %s --np-deoptimise | FileCheck %s

!A = !np.array<s0 x f64, C>

// What is stored into an array of the function is lost with it: the call begins again.
// CHECK-LABEL: np.func @before_effects
// CHECK: np.require "ge" {{.*}} "shapecast.FailedAssumption"
// CHECK: np.store
np.func @before_effects(%a: !A, %x: f64) attributes {alias = "noalias"} {
  %own = np.alloc : !A
  np.store %x to %own [#np.dim<0>] : f64, !A
  np.require "ge" [#np.dim<s0>, #np.dim<3>] "shapecast.FailedAssumption" "positive" []
  np.store %x to %a [#np.dim<0>] : f64, !A
  np.return
}

// The argument has changed before the check: only later calls are respecialised.
// CHECK-LABEL: np.func @after_store
// CHECK: np.store
// CHECK: np.require "ge" {{.*}} "shapecast.LateFailedAssumption"
np.func @after_store(%a: !A, %x: f64) attributes {alias = "noalias"} {
  np.store %x to %a [#np.dim<0>] : f64, !A
  np.require "ge" [#np.dim<s0>, #np.dim<3>] "shapecast.FailedAssumption" "positive" []
  np.return
}

// The store of one iteration precedes the check of the next; other errors stay what they are.
// CHECK-LABEL: np.func @in_loop
// CHECK: np.require "ge" {{.*}} "ValueError"
// CHECK: np.require "ge" {{.*}} "shapecast.LateFailedAssumption"
np.func @in_loop(%a: !A, %x: f64) attributes {alias = "noalias"} {
  np.for "i0" = <0> to <s0> step <1> iter() : () -> () {
  ^bb0(%k: !np.pyint):
    np.require "ge" [#np.dim<s0>, #np.dim<i0>] "ValueError" "short" []
    np.require "ge" [#np.dim<s0>, #np.dim<3>] "shapecast.FailedAssumption" "positive" []
    np.store %x to %a [#np.dim<i0>] : f64, !A
    np.next()
  }
  np.return
}
