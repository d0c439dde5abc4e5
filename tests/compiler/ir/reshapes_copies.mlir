// np-reshapes: reshapes that are a view or a copy become copies where the difference is not observable.
// RUN: %opt %s --np-reshapes | FileCheck %s

!F = !np.array<s0 x s1 x f64, F>
!S = !np.array<s1 x s0 x f64, strided>

// Only read: a copy, which a nest makes.
// CHECK-LABEL: np.func @only_read
// CHECK-NOT: np.reshape_any
// CHECK: %[[V:.*]] = np.read %arg0
// CHECK: %[[C:.*]] = np.materialize %[[V]] : {{.*}} to <s0 x s1 x f64, C>
// CHECK: np.reshape %[[C]] : <s0 x s1 x f64, C> to <s1 x s0 x f64, C>
np.func @only_read(%a: !F) -> f64 attributes {alias = "noalias"} {
  %r = np.reshape_any %a : !F to !S
  %x = np.load %r [#np.dim<0>, #np.dim<0>] : !S to f64
  np.return %x : f64
}

// A view shows the store to its base, and a copy does not: it stays a reshape of either kind.
// CHECK-LABEL: np.func @base_written
// CHECK: np.reshape_any
np.func @base_written(%a: !F, %x: f64) -> f64 attributes {alias = "noalias"} {
  %r = np.reshape_any %a : !F to !S
  np.store %x to %a [#np.dim<0>, #np.dim<0>] : f64, !F
  %y = np.load %r [#np.dim<0>, #np.dim<0>] : !S to f64
  np.return %y : f64
}

// A store to other memory does not show.
// CHECK-LABEL: np.func @other_written
// CHECK-NOT: np.reshape_any
// CHECK: np.return
np.func @other_written(%a: !F, %b: !F, %x: f64) -> f64 attributes {alias = "noalias"} {
  %r = np.reshape_any %a : !F to !S
  np.store %x to %b [#np.dim<0>, #np.dim<0>] : f64, !F
  %y = np.load %r [#np.dim<0>, #np.dim<0>] : !S to f64
  np.return %y : f64
}

// The caller can tell whether the result shares its argument's memory.
// CHECK-LABEL: np.func @returned
// CHECK: np.reshape_any
np.func @returned(%a: !F) -> !S attributes {alias = "noalias"} {
  %r = np.reshape_any %a : !F to !S
  np.return %r : !S
}

// Written through a window of it, which shows in the argument if it is a view.
// CHECK-LABEL: np.func @written
// CHECK: np.reshape_any %arg0 : <s0 x s1 x f64, F> to <s0 * s1 x f64, C>
np.func @written(%a: !F, %x: f64) attributes {alias = "noalias"} {
  %r = np.reshape_any %a : !F to !np.array<s0 * s1 x f64, C>
  %v = np.view %r [#np.dim<1>] [#np.dim<1>] [0] : !np.array<s0 * s1 x f64, C> to !np.array<s0 * s1 - 1 x f64, C>
  np.store %x to %v [#np.dim<0>] : f64, !np.array<s0 * s1 - 1 x f64, C>
  np.return
}
