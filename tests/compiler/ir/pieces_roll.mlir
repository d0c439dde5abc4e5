// np-pieces: store-to-load forwarding for arrays that are assembled from windows.
// RUN: %opt %s --np-pieces | FileCheck %s

!A = !np.array<s0 x f64, C>
!v = tensor<?xf64, #np.dims<s0>>
!B = !np.array<s0 - 1 x f64, C>
!b = tensor<?xf64, #np.dims<s0 - 1>>

// r[1:] = q[:-1]; r[:1] = q[-1:]; return q - r: one loop over the two boxes, and r is not stored.
// CHECK-LABEL: np.func @roll
// CHECK: %[[S:.*]] = np.alloc : <s0 x f64, C>
// CHECK-NOT: np.alloc
// CHECK: np.for "[[BOX:box.*]]" = <0> to <2>
// CHECK: np.symbol "[[CUT:cut.*]]" =
// CHECK: %[[D:.*]] = np.ufunc "subtract"
// CHECK: %[[W:.*]] = np.view %[[S]] [#np.dim<[[CUT]]>]
// CHECK: np.assign %[[D]] to %[[W]]
// CHECK-NOT: np.materialize
// CHECK: np.return %[[S]]
np.func @roll(%q: !A) -> !A attributes {alias = "noalias", guards = [#np.guard<s0 - 1 ">=" 0, 1>]} {
  %0 = np.alloc : !A
  %1 = np.view %q [#np.dim<0>] [#np.dim<1>] [0] : !A to !B
  %2 = np.view %0 [#np.dim<1>] [#np.dim<1>] [0] : !A to !B
  %3 = np.read %1 : !B to !b
  np.assign %3 to %2 : !b, !B
  %4 = np.view %q [#np.dim<s0 - 1>] [#np.dim<1>] [0] : !A to <1 x f64, C>
  %5 = np.view %0 [#np.dim<0>] [#np.dim<1>] [0] : !A to <1 x f64, C>
  %6 = np.read %4 : <1 x f64, C> to tensor<1xf64, #np.dims<1>>
  np.assign %6 to %5 : tensor<1xf64, #np.dims<1>>, !np.array<1 x f64, C>
  %7 = np.read %q : !A to !v
  %8 = np.read %0 : !A to !v
  %9 = np.ufunc "subtract"(%7, %8) loop "dd->d" : (!v, !v) -> !v
  %10 = np.materialize %9 : !v to !A
  np.return %10 : !A
}

// The caller gets r as well: it is stored, and read as a whole.
// CHECK-LABEL: np.func @returned
// CHECK-NOT: np.for
// CHECK: np.materialize
// CHECK: np.return
np.func @returned(%q: !A) -> (!A, !A) attributes {alias = "noalias", guards = [#np.guard<s0 - 1 ">=" 0, 1>]} {
  %0 = np.alloc : !A
  %1 = np.view %q [#np.dim<0>] [#np.dim<1>] [0] : !A to !B
  %2 = np.view %0 [#np.dim<1>] [#np.dim<1>] [0] : !A to !B
  %3 = np.read %1 : !B to !b
  np.assign %3 to %2 : !b, !B
  %4 = np.view %q [#np.dim<s0 - 1>] [#np.dim<1>] [0] : !A to <1 x f64, C>
  %5 = np.view %0 [#np.dim<0>] [#np.dim<1>] [0] : !A to <1 x f64, C>
  %6 = np.read %4 : <1 x f64, C> to tensor<1xf64, #np.dims<1>>
  np.assign %6 to %5 : tensor<1xf64, #np.dims<1>>, !np.array<1 x f64, C>
  %7 = np.read %q : !A to !v
  %8 = np.read %0 : !A to !v
  %9 = np.ufunc "subtract"(%7, %8) loop "dd->d" : (!v, !v) -> !v
  %10 = np.materialize %9 : !v to !A
  np.return %10, %0 : !A, !A
}
