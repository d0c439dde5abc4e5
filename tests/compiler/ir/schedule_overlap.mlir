// RUN: %opt %s --np-nests --np-schedule | FileCheck %s

!A = !np.array<s0 x f64, C>
!v = tensor<?xf64, #np.dims<s0>>
!A1 = !np.array<s0 - 1 x f64, C>
!v1 = tensor<?xf64, #np.dims<s0 - 1>>
!M = !np.array<s0 x s0 x f64, C>
!m = tensor<?x?xf64, #np.dims<s0, s0>>

// a[1:] = a[:-1]: from the end.
// CHECK-LABEL: np.func @right
// CHECK-NOT: np.alloc
// CHECK: np.nest {{.*}} order ["down"] groups [0, 0]
np.func @right(%a: !A) attributes {alias = "noalias", guards = [#np.guard<s0 ">=" 1, 1>]} {
  %to = np.view %a [#np.dim<1>] [#np.dim<1>] [0] : !A to !A1
  %from = np.view %a [#np.dim<0>] [#np.dim<1>] [0] : !A to !A1
  %0 = np.read %from : !A1 to !v1
  np.assign %0 to %to : !v1, !A1
  np.return
}

// a[:-1] = a[1:]: from the start.
// CHECK-LABEL: np.func @left
// CHECK-NOT: np.alloc
// CHECK: np.nest {{.*}} order ["up"] groups [0, 0]
np.func @left(%a: !A) attributes {alias = "noalias", guards = [#np.guard<s0 ">=" 1, 1>]} {
  %from = np.view %a [#np.dim<1>] [#np.dim<1>] [0] : !A to !A1
  %to = np.view %a [#np.dim<0>] [#np.dim<1>] [0] : !A to !A1
  %0 = np.read %from : !A1 to !v1
  np.assign %0 to %to : !v1, !A1
  np.return
}

// The distance need not be known, its sign is enough: a[k:] = a[:n - k] with k >= 0.
// CHECK-LABEL: np.func @distance
// CHECK-NOT: np.alloc
// CHECK: np.nest {{.*}} order ["down"] groups [0, 0]
np.func @distance(%a: !A, %k: !np.pyint) attributes {alias = "noalias"} {
  np.symbol "k0" = %k
  np.require "ge" [#np.dim<k0>, #np.dim<0>] "ValueError" "negative" []
  np.require "ge" [#np.dim<s0>, #np.dim<k0>] "ValueError" "short" []
  %to = np.view %a [#np.dim<k0>] [#np.dim<1>] [0] : !A to !np.array<s0 - k0 x f64, C>
  %from = np.view %a [#np.dim<0>] [#np.dim<1>] [0] : !A to !np.array<s0 - k0 x f64, C>
  %0 = np.read %from : !np.array<s0 - k0 x f64, C> to tensor<?xf64, #np.dims<s0 - k0>>
  np.assign %0 to %to : tensor<?xf64, #np.dims<s0 - k0>>, !np.array<s0 - k0 x f64, C>
  np.return
}

// a[::2] = a[1::2] (of an even length): different elements.
// CHECK-LABEL: np.func @interleaved
// CHECK-NOT: np.alloc
// CHECK: np.nest {{.*}} order ["any"] groups [0, 1]
!H = !np.array<s1 x f64, strided>
np.func @interleaved(%a: !A, %b: !H) attributes {alias = "noalias", guards = [#np.guard<s0 "==" 2 * s1, 1>]} {
  %to = np.view %a [#np.dim<0>] [#np.dim<2>] [0] : !A to !H
  %from = np.view %a [#np.dim<1>] [#np.dim<2>] [0] : !A to !H
  %0 = np.read %from : !H to tensor<?xf64, #np.dims<s1>>
  np.assign %0 to %to : tensor<?xf64, #np.dims<s1>>, !H
  np.return
}

// a[:] = a[::-1]: the flipped operand is copied, and only it: a + a[::-1] reads a itself in place.
// CHECK-LABEL: np.func @flip
// CHECK: %[[F:.*]] = np.view %arg0
// CHECK: %[[T:.*]] = np.alloc : <s0 x f64, C>
// CHECK-NEXT: np.nest {{.*}} reads(%[[F]]) {{.*}} writes(%[[T]]) {{.*}} order ["any"] groups [0, 1]
// CHECK: np.nest {{.*}} reads(%arg0, %[[T]]) {{.*}} writes(%arg0) {{.*}} order ["any"] groups [0, 1, 0]
// CHECK-NOT: np.nest [
np.func @flip(%a: !A) attributes {alias = "noalias"} {
  %f = np.view %a [#np.dim<s0 - 1>] [#np.dim<-1>] [0] : !A to !np.array<s0 x f64, strided>
  %0 = np.read %a : !A to !v
  %1 = np.read %f : !np.array<s0 x f64, strided> to !v
  %2 = np.ufunc "add"(%0, %1) loop "dd->d" : (!v, !v) -> !v
  np.assign %2 to %a : !v, !A
  np.return
}

// a += a.T
// CHECK-LABEL: np.func @transpose
// CHECK: %[[F:.*]] = np.view %arg0
// CHECK: %[[T:.*]] = np.alloc
// CHECK-NEXT: np.nest {{.*}} reads(%[[F]]) {{.*}} writes(%[[T]])
// CHECK: np.nest {{.*}} reads(%arg0, %[[T]]) {{.*}} writes(%arg0) {{.*}} order ["any", "any"] groups [0, 1, 0]
np.func @transpose(%a: !M) attributes {alias = "noalias"} {
  %t = np.view %a [#np.dim<0>, #np.dim<0>] [#np.dim<1>, #np.dim<1>] [1, 0] : !M to !np.array<s0 x s0 x f64, F>
  %0 = np.read %a : !M to !m
  %1 = np.read %t : !np.array<s0 x s0 x f64, F> to !m
  %2 = np.ufunc "add"(%0, %1) loop "dd->d" : (!m, !m) -> !m
  np.assign %2 to %a : !m, !M
  np.return
}

// a -= a[0]: the row is copied, not the matrix.
// CHECK-LABEL: np.func @own_row
// CHECK: %[[F:.*]] = np.view %arg0
// CHECK: %[[T:.*]] = np.alloc : <s0 x f64, C>
// CHECK-NEXT: np.nest [#np.dim<s0>] {{.*}} reads(%[[F]]) {{.*}} writes(%[[T]])
// CHECK: np.nest [#np.dim<s0>, #np.dim<s0>] {{.*}} reads(%arg0, %[[T]]) {{.*}}[#np.dim<d1>]] writes(%arg0) {{.*}} order ["any", "any"] groups [0, 1, 0]
np.func @own_row(%a: !M) attributes {alias = "noalias"} {
  %r = np.view %a [#np.dim<0>, #np.dim<0>] [#np.dim<1>, #np.dim<1>] [1] : !M to !A
  %0 = np.read %a : !M to !m
  %1 = np.read %r : !A to !v
  %2 = np.broadcast %1 : !v to !m
  %3 = np.ufunc "subtract"(%0, %2) loop "dd->d" : (!m, !m) -> !m
  np.assign %3 to %a : !m, !M
  np.return
}

// a /= a[:, :1]
// CHECK-LABEL: np.func @own_column
// CHECK: %[[T:.*]] = np.alloc : <s0 x 1 x f64, C>
// CHECK-NEXT: np.nest [#np.dim<s0>, #np.dim<1>]
// CHECK: np.nest [#np.dim<s0>, #np.dim<s0>] {{.*}} reads(%arg0, %[[T]]) {{.*}}[#np.dim<d0>, #np.dim<0>]]
np.func @own_column(%a: !M) attributes {alias = "noalias"} {
  %r = np.view %a [#np.dim<0>, #np.dim<0>] [#np.dim<1>, #np.dim<1>] [0, 1] : !M to !np.array<s0 x 1 x f64, inner>
  %0 = np.read %a : !M to !m
  %1 = np.read %r : !np.array<s0 x 1 x f64, inner> to tensor<?x1xf64, #np.dims<s0, 1>>
  %2 = np.broadcast %1 : tensor<?x1xf64, #np.dims<s0, 1>> to !m
  %3 = np.ufunc "divide"(%0, %2) loop "dd->d" : (!m, !m) -> !m
  np.assign %3 to %a : !m, !M
  np.return
}

// Row i of a Gauss-Seidel sweep: the adjacent rows are other memory; of the row itself, elements to come are read.
// CHECK-LABEL: np.func @seidel
// CHECK-NOT: np.alloc
// CHECK: np.nest {{.*}} order ["up"] groups [0, 1, 2, 0]
np.func @seidel(%a: !M) attributes {alias = "noalias", guards = [#np.guard<s0 ">=" 2, 1>]} {
  np.for "i0" = #np.dim<1> to #np.dim<s0 - 1> step #np.dim<1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    %n = np.view %a [#np.dim<i0 - 1>, #np.dim<1>] [#np.dim<1>, #np.dim<1>] [1] : !M to !np.array<s0 - 2 x f64, C>
    %s = np.view %a [#np.dim<i0 + 1>, #np.dim<1>] [#np.dim<1>, #np.dim<1>] [1] : !M to !np.array<s0 - 2 x f64, C>
    %e = np.view %a [#np.dim<i0>, #np.dim<2>] [#np.dim<1>, #np.dim<1>] [1] : !M to !np.array<s0 - 2 x f64, C>
    %c = np.view %a [#np.dim<i0>, #np.dim<1>] [#np.dim<1>, #np.dim<1>] [1] : !M to !np.array<s0 - 2 x f64, C>
    %0 = np.read %e : !np.array<s0 - 2 x f64, C> to tensor<?xf64, #np.dims<s0 - 2>>
    %1 = np.read %n : !np.array<s0 - 2 x f64, C> to tensor<?xf64, #np.dims<s0 - 2>>
    %2 = np.read %s : !np.array<s0 - 2 x f64, C> to tensor<?xf64, #np.dims<s0 - 2>>
    %3 = np.ufunc "add"(%0, %1) loop "dd->d" : (tensor<?xf64, #np.dims<s0 - 2>>, tensor<?xf64, #np.dims<s0 - 2>>) -> tensor<?xf64, #np.dims<s0 - 2>>
    %4 = np.ufunc "add"(%3, %2) loop "dd->d" : (tensor<?xf64, #np.dims<s0 - 2>>, tensor<?xf64, #np.dims<s0 - 2>>) -> tensor<?xf64, #np.dims<s0 - 2>>
    np.assign %4 to %c : tensor<?xf64, #np.dims<s0 - 2>>, !np.array<s0 - 2 x f64, C>
    np.next ()
  }
  np.return
}
