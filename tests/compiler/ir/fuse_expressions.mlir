// RUN: %opt %s --np-nests --np-fuse | FileCheck %s

!A = !np.array<s0 x f64, C>
!v = tensor<?xf64, #np.dims<s0>>

// Two results of one costly value over one space: one nest, the value is an SSA value.
// CHECK-LABEL: np.func @two_results
// CHECK: %[[B:.*]] = np.alloc
// CHECK-NEXT: %[[C:.*]] = np.alloc
// CHECK-NEXT: np.nest {{.*}} reads(%arg0) {{.*}} writes(%[[B]], %[[C]])
// CHECK-NOT: np.nest [
// CHECK: np.return %[[B]], %[[C]]
np.func @two_results(%a: !A) -> (!A, !A) attributes {alias = "noalias"} {
  %x = np.read %a : !A to !v
  %e = np.ufunc "exp"(%x) loop "d->d" : (!v) -> !v
  %0 = np.ufunc "add"(%e, %x) loop "dd->d" : (!v, !v) -> !v
  %b = np.materialize %0 : !v to !A
  %1 = np.ufunc "multiply"(%e, %x) loop "dd->d" : (!v, !v) -> !v
  %c = np.materialize %1 : !v to !A
  np.return %b, %c : !A, !A
}

// An array that is returned has another use, by a reduction: both are results of one nest.
// CHECK-LABEL: np.func @named
// CHECK: %[[E:.*]] = np.alloc
// CHECK-NOT: np.alloc
// CHECK: %[[S:.*]] = np.nest {{.*}} reads(%arg0) {{.*}} writes(%[[E]]) {{.*}} combine ["", "add"]
// CHECK: np.return %[[E]], %[[S]]
np.func @named(%a: !A) -> (!A, f64) attributes {alias = "noalias"} {
  %x = np.read %a : !A to !v
  %e = np.ufunc "exp"(%x) loop "d->d" : (!v) -> !v
  %b = np.materialize %e : !v to !A
  %s = np.reduce "add"(%e) [0] : (!v) -> f64
  np.return %b, %s : !A, f64
}

// Shifted nests are not fused: b[1:] = a[1:]; c[1:] = b[:-1].
// CHECK-LABEL: np.func @shifted
// CHECK: np.nest [
// CHECK: np.nest [
np.func @shifted(%a: !A, %b: !A, %c: !A) attributes {alias = "noalias"} {
  %w0 = np.view %a [#np.dim<1>] [#np.dim<1>] [0] : !A to !np.array<s0 - 1 x f64, C>
  %w1 = np.view %b [#np.dim<1>] [#np.dim<1>] [0] : !A to !np.array<s0 - 1 x f64, C>
  %w2 = np.view %b [#np.dim<0>] [#np.dim<1>] [0] : !A to !np.array<s0 - 1 x f64, C>
  %w3 = np.view %c [#np.dim<1>] [#np.dim<1>] [0] : !A to !np.array<s0 - 1 x f64, C>
  %0 = np.read %w0 : !np.array<s0 - 1 x f64, C> to tensor<?xf64, #np.dims<s0 - 1>>
  np.assign %0 to %w1 : tensor<?xf64, #np.dims<s0 - 1>>, !np.array<s0 - 1 x f64, C>
  %1 = np.read %w2 : !np.array<s0 - 1 x f64, C> to tensor<?xf64, #np.dims<s0 - 1>>
  np.assign %1 to %w3 : tensor<?xf64, #np.dims<s0 - 1>>, !np.array<s0 - 1 x f64, C>
  np.return
}

// Two in-place statements on the same windows are one nest; a require between prevents fusion.
// CHECK-LABEL: np.func @statements
// CHECK: np.nest {{.*}} reads(%arg0, %arg1)
// CHECK: np.require
// CHECK: np.nest {{.*}} reads(%arg0)
// CHECK-NOT: np.nest [
np.func @statements(%a: !A, %b: !A) attributes {alias = "noalias"} {
  %0 = np.read %a : !A to !v
  %1 = np.read %b : !A to !v
  %2 = np.ufunc "subtract"(%0, %1) loop "dd->d" : (!v, !v) -> !v
  np.assign %2 to %a : !v, !A
  %3 = np.read %a : !A to !v
  %4 = np.ufunc "divide"(%3, %1) loop "dd->d" : (!v, !v) -> !v
  np.assign %4 to %a : !v, !A
  np.require "ge" [#np.dim<s0>, #np.dim<3>] "ValueError" "short" []
  %5 = np.read %a : !A to !v
  %6 = np.ufunc "negative"(%5) loop "d->d" : (!v) -> !v
  np.assign %6 to %a : !v, !A
  np.return
}
