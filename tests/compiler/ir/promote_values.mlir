// RUN: %opt %s --np-promote | FileCheck %s

!A = !np.array<s0 x f64, C>
!v = tensor<?xf64, #np.dims<s0>>

// x = a * a; x += a; x = sqrt(x) in place: one expression and one array.
// CHECK-LABEL: np.func @inplace_chain
// CHECK-NEXT: %[[A:.*]] = np.read %arg0
// CHECK-NEXT: %[[M:.*]] = np.ufunc "multiply"(%[[A]], %[[A]])
// CHECK-NEXT: %[[B:.*]] = np.read %arg0
// CHECK-NEXT: %[[S:.*]] = np.ufunc "add"(%[[M]], %[[B]])
// CHECK-NEXT: %[[Q:.*]] = np.ufunc "sqrt"(%[[S]])
// CHECK-NEXT: %[[R:.*]] = np.materialize %[[Q]]
// CHECK-NEXT: np.return %[[R]]
np.func @inplace_chain(%a: !A) -> !A attributes {alias = "noalias"} {
  %0 = np.read %a : !A to !v
  %1 = np.ufunc "multiply"(%0, %0) loop "dd->d" : (!v, !v) -> !v
  %x = np.materialize %1 : !v to !A
  %2 = np.read %x : !A to !v
  %3 = np.read %a : !A to !v
  %4 = np.ufunc "add"(%2, %3) loop "dd->d" : (!v, !v) -> !v
  np.assign %4 to %x : !v, !A
  %5 = np.read %x : !A to !v
  %6 = np.ufunc "sqrt"(%5) loop "d->d" : (!v) -> !v
  np.assign %6 to %x : !v, !A
  np.return %x : !A
}

// A view before the store observes it: the array is not promoted.
// CHECK-LABEL: np.func @viewed
// CHECK: %[[M:.*]] = np.materialize
// CHECK: np.view %[[M]]
// CHECK: np.assign %{{.*}} to %[[M]]
np.func @viewed(%a: !A) -> !np.array<s0 - 1 x f64, C> attributes {alias = "noalias"} {
  %0 = np.read %a : !A to !v
  %x = np.materialize %0 : !v to !A
  %w = np.view %x [#np.dim<1>] [#np.dim<1>] [0] : !A to !np.array<s0 - 1 x f64, C>
  %5 = np.read %x : !A to !v
  %6 = np.ufunc "sqrt"(%5) loop "d->d" : (!v) -> !v
  np.assign %6 to %x : !v, !A
  np.return %w : !np.array<s0 - 1 x f64, C>
}

// A store between: the read is not forwarded. The store into the copy's element is no store into `a`.
// CHECK-LABEL: np.func @stored
// CHECK: %[[V:.*]] = np.read %arg0
// CHECK: %[[M:.*]] = np.materialize %[[V]]
// CHECK: np.assign %[[V]] to %arg1
// CHECK: np.store
// CHECK: %[[W:.*]] = np.read %[[M]]
// CHECK: np.assign %[[W]] to %arg0
np.func @stored(%a: !A, %b: !A) attributes {alias = "noalias"} {
  %0 = np.read %a : !A to !v
  %x = np.materialize %0 : !v to !A
  %1 = np.read %x : !A to !v
  np.assign %1 to %b : !v, !A
  %z = np.const 0.0 : f64
  np.store %z to %x [#np.dim<0>] : f64, !A
  %2 = np.read %x : !A to !v
  np.assign %2 to %a : !v, !A
  np.return
}

// In a loop a later iteration's store may precede the read; an array without stores is promoted.
// CHECK-LABEL: np.func @loop
// CHECK: %[[S:.*]] = np.ufunc "sqrt"
// CHECK: %[[X:.*]] = np.materialize
// CHECK: np.for
// CHECK: %[[R:.*]] = np.read %[[X]]
// CHECK: np.ufunc "add"(%[[R]], %[[S]])
np.func @loop(%a: !A, %n: !np.pyint) -> !A attributes {alias = "noalias"} {
  np.symbol "k0" = %n
  %0 = np.read %a : !A to !v
  %1 = np.ufunc "sqrt"(%0) loop "d->d" : (!v) -> !v
  %x = np.materialize %0 : !v to !A
  %y = np.materialize %1 : !v to !A
  np.for "i0" = #np.dim<0> to #np.dim<k0> step #np.dim<1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    %2 = np.read %x : !A to !v
    %3 = np.read %y : !A to !v
    %4 = np.ufunc "add"(%2, %3) loop "dd->d" : (!v, !v) -> !v
    np.assign %4 to %x : !v, !A
    np.next ()
  }
  np.return %x : !A
}
