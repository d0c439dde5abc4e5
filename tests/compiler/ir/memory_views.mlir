// RUN: %opt %s --np-promote --np-nests --np-schedule | FileCheck %s

!A = !np.array<s0 x f32, C>
!I = !np.array<s0 x si32, C>
!S = !np.array<s0 - 2 x 3 x f32, strided>
!v = tensor<?xf32, #np.dims<s0>>
!i = tensor<?xsi32, #np.dims<s0>>
!s = tensor<?x3xf32, #np.dims<s0 - 2, 3>>

// A view of the bits of a temporary is computed with it: one nest, no array.
// CHECK-LABEL: np.func @bits
// CHECK: np.nest {{.*}} reads(%arg0)
// CHECK: np.ufunc "bits"({{.*}}) loop "f->i"
// CHECK-NOT: np.nest [
np.func @bits(%a: !A) -> !I attributes {alias = "noalias"} {
  %0 = np.read %a : !A to !v
  %1 = np.ufunc "negative"(%0) loop "f->f" : (!v) -> !v
  %2 = np.materialize %1 : !v to !A
  %3 = np.reinterpret %2 : !A to !I
  %4 = np.read %3 : !I to !i
  %5 = np.ufunc "invert"(%4) loop "i->i" : (!i) -> !i
  %6 = np.materialize %5 : !i to !I
  np.return %6 : !I
}

// A store through one dtype may be a store to the other: they are in one alias group, and since
// accesses of different sizes are not compared, the result is computed into an array of its own.
// CHECK-LABEL: np.func @two_dtypes
// CHECK: %[[V:.*]] = np.reinterpret %arg0
// CHECK: %[[T:.*]] = np.alloc
// CHECK: np.nest {{.*}} groups
// CHECK: np.nest {{.*}} groups
np.func @two_dtypes(%a: !A) attributes {alias = "noalias"} {
  %0 = np.reinterpret %a : !A to !I
  %1 = np.read %a : !A to !v
  %2 = np.cast %1 : !v to !i
  np.assign %2 to %0 : !i, !I
  np.return
}

// Elements of as_strided may share memory: stored in C order, from a complete result.
// CHECK-LABEL: np.func @windows
// CHECK: %[[S:.*]] = np.as_strided %arg0
// CHECK: %[[T:.*]] = np.alloc : <s0 - 2 x 3 x f32, C>
// CHECK: np.nest {{.*}} reads(%[[S]]) {{.*}} writes(%[[T]])
// CHECK: np.nest {{.*}} reads(%[[T]]) {{.*}} writes(%[[S]]) {{.*}} order ["up", "up"]
np.func @windows(%a: !A) attributes {alias = "noalias", guards = [#np.guard<s0 ">=" 2, 3>]} {
  %0 = np.as_strided %a [#np.dim<1>, #np.dim<1>] : !A to !S
  %1 = np.read %0 : !S to !s
  %2 = np.ufunc "negative"(%1) loop "f->f" : (!s) -> !s
  np.assign %2 to %0 : !s, !S
  np.return
}
