// np-schedule: each nest gets an order, and copies where no order is right.
// RUN: %opt %s --np-schedule | FileCheck %s

!A = !np.array<s0 x f64, C>
!B = !np.array<s0 - 1 x f64, C>
!R = !np.array<s0 x f64, strided>

// a[1:] = a[:-1]: from the end.
// CHECK-LABEL: np.func @right
// CHECK-NOT: np.alloc
// CHECK: np.nest {{.*}} order ["down"] groups [0, 0]
np.func @right(%a: !A) attributes {alias = "noalias", guards = [#np.guard<s0 - 1 ">=" 0, 1>]} {
  %0 = np.view %a [#np.dim<0>] [#np.dim<1>] [0] : !A to !B
  %1 = np.view %a [#np.dim<1>] [#np.dim<1>] [0] : !A to !B
  np.nest [#np.dim<s0 - 1>] reduced 0 reads(%0) [[#np.dim<d0>]] writes(%1) [[#np.dim<d0>]] combine [""] : (!B, !B) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.return
}

// a += a[::-1]: no order is right, the flipped operand is copied.
// CHECK-LABEL: np.func @flip
// CHECK: %[[F:.*]] = np.view %arg0
// CHECK: %[[T:.*]] = np.alloc
// CHECK: np.nest {{.*}} reads(%[[F]]) {{.*}} writes(%[[T]]) {{.*}} order ["any"] groups [0, 1]
// CHECK: np.nest {{.*}} reads(%arg0, %[[T]]) {{.*}} writes(%arg0) {{.*}} order ["any"] groups [0, 1, 0]
np.func @flip(%a: !A) attributes {alias = "noalias"} {
  %0 = np.view %a [#np.dim<s0 - 1>] [#np.dim<-1>] [0] : !A to !R
  np.nest [#np.dim<s0>] reduced 0 reads(%a, %0) [[#np.dim<d0>], [#np.dim<d0>]] writes(%a) [[#np.dim<d0>]] combine [""] : (!A, !R, !A) -> () {
  ^bb0(%x: f64, %y: f64):
    %1 = np.ufunc "add"(%x, %y) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %1 : f64
  }
  np.return
}

// b[:] = a: other memory, any order and no copy.
// CHECK-LABEL: np.func @disjoint
// CHECK-NOT: np.alloc
// CHECK: np.nest {{.*}} reads(%arg0) {{.*}} writes(%arg1) {{.*}} order ["any"] groups [0, 1]
np.func @disjoint(%a: !A, %b: !A) attributes {alias = "noalias"} {
  np.nest [#np.dim<s0>] reduced 0 reads(%a) [[#np.dim<d0>]] writes(%b) [[#np.dim<d0>]] combine [""] : (!A, !A) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.return
}
