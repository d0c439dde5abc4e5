// np-windows: cheap expressions of which only windows are read are computed in each window.
// RUN: %opt %s --np-windows | FileCheck %s

!A = !np.array<s0 x f64, C>
!v = tensor<?xf64, #np.dims<s0>>
!B = !np.array<s0 - 1 x f64, C>
!C = !np.array<s0 - 2 x f64, C>
!b = tensor<?xf64, #np.dims<s0 - 1>>
!c = tensor<?xf64, #np.dims<s0 - 2>>

// d = a[1:] - a[:-1]; return d[1:] + d[:-1]: two differences, and no array d.
// CHECK-LABEL: np.func @difference
// CHECK-NOT: np.materialize
// CHECK: %[[HIGH:.*]] = np.ufunc "subtract"
// CHECK: %[[LOW:.*]] = np.ufunc "subtract"
// CHECK: %[[SUM:.*]] = np.ufunc "add"(%[[HIGH]], %[[LOW]])
// CHECK: np.materialize %[[SUM]]
// CHECK-NOT: np.materialize
// CHECK: np.return
np.func @difference(%a: !A) -> !C attributes {alias = "noalias", guards = [#np.guard<s0 - 1 ">=" 1, 1>]} {
  %0 = np.view %a [#np.dim<1>] [#np.dim<1>] [0] : !A to !B
  %1 = np.view %a [#np.dim<0>] [#np.dim<1>] [0] : !A to !B
  %2 = np.read %0 : !B to !b
  %3 = np.read %1 : !B to !b
  %4 = np.ufunc "subtract"(%2, %3) loop "dd->d" : (!b, !b) -> !b
  %5 = np.materialize %4 : !b to !B
  %6 = np.view %5 [#np.dim<1>] [#np.dim<1>] [0] : !B to !C
  %7 = np.view %5 [#np.dim<0>] [#np.dim<1>] [0] : !B to !C
  %8 = np.read %6 : !C to !c
  %9 = np.read %7 : !C to !c
  %10 = np.ufunc "add"(%8, %9) loop "dd->d" : (!c, !c) -> !c
  %11 = np.materialize %10 : !c to !C
  np.return %11 : !C
}

// exp is not cheap: what the windows share is computed once and stored.
// CHECK-LABEL: np.func @exponential
// CHECK: %[[E:.*]] = np.ufunc "exp"
// CHECK: %[[D:.*]] = np.materialize %[[E]]
// CHECK: np.view %[[D]]
// CHECK: np.view %[[D]]
// CHECK-NOT: np.ufunc "exp"
// CHECK: np.return
np.func @exponential(%a: !A) -> !B attributes {alias = "noalias", guards = [#np.guard<s0 ">=" 1, 1>]} {
  %0 = np.read %a : !A to !v
  %1 = np.ufunc "exp"(%0) loop "d->d" : (!v) -> !v
  %2 = np.materialize %1 : !v to !A
  %3 = np.view %2 [#np.dim<1>] [#np.dim<1>] [0] : !A to !B
  %4 = np.view %2 [#np.dim<0>] [#np.dim<1>] [0] : !A to !B
  %5 = np.read %3 : !B to !b
  %6 = np.read %4 : !B to !b
  %7 = np.ufunc "add"(%5, %6) loop "dd->d" : (!b, !b) -> !b
  %8 = np.materialize %7 : !b to !B
  np.return %8 : !B
}
