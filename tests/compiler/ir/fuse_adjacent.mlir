// np-fuse: adjacent nests over equal spaces are fused.
// RUN: %opt %s --np-fuse | FileCheck %s

!A = !np.array<s0 x f64, C>
!B = !np.array<s0 - 1 x f64, C>

// b = exp(a); c = b * a: what the first stores reaches the second in a register.
// CHECK-LABEL: np.func @same_elements
// CHECK: %[[B:.*]] = np.alloc
// CHECK: %[[C:.*]] = np.alloc
// CHECK: np.nest {{.*}} reads(%arg0) {{.*}} writes(%[[B]], %[[C]])
// CHECK: %[[E:.*]] = np.ufunc "exp"
// CHECK: %[[P:.*]] = np.ufunc "multiply"(%[[E]],
// CHECK: np.nest_yield %[[E]], %[[P]]
// CHECK-NOT: np.nest [
// CHECK: np.return
np.func @same_elements(%a: !A) -> (!A, !A) attributes {alias = "noalias"} {
  %0 = np.alloc : !A
  np.nest [#np.dim<s0>] reduced 0 reads(%a) [[#np.dim<d0>]] writes(%0) [[#np.dim<d0>]] combine [""] : (!A, !A) -> () {
  ^bb0(%x: f64):
    %2 = np.ufunc "exp"(%x) loop "d->d" : (f64) -> f64
    np.nest_yield %2 : f64
  }
  %1 = np.alloc : !A
  np.nest [#np.dim<s0>] reduced 0 reads(%0, %a) [[#np.dim<d0>], [#np.dim<d0>]] writes(%1) [[#np.dim<d0>]] combine [""] : (!A, !A, !A) -> () {
  ^bb0(%x: f64, %y: f64):
    %2 = np.ufunc "multiply"(%x, %y) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %2 : f64
  }
  np.return %0, %1 : !A, !A
}

// b[1:] = a[1:]; c[1:] = b[:-1]: in a fused loop the dependence would be carried.
// CHECK-LABEL: np.func @shifted
// CHECK: np.nest [
// CHECK: np.nest [
// CHECK: np.return
np.func @shifted(%a: !A, %b: !A, %c: !A) attributes {alias = "noalias", guards = [#np.guard<s0 - 1 "==" s1 - 1, 1>, #np.guard<s2 ">=" 1, 1>, #np.guard<s0 - 1 "==" s2 - 1, 1>]} {
  %0 = np.view %a [#np.dim<1>] [#np.dim<1>] [0] : !A to !B
  %1 = np.view %b [#np.dim<1>] [#np.dim<1>] [0] : !A to !B
  np.nest [#np.dim<s0 - 1>] reduced 0 reads(%0) [[#np.dim<d0>]] writes(%1) [[#np.dim<d0>]] combine [""] : (!B, !B) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  %2 = np.view %b [#np.dim<0>] [#np.dim<1>] [0] : !A to !B
  %3 = np.view %c [#np.dim<1>] [#np.dim<1>] [0] : !A to !B
  np.nest [#np.dim<s0 - 1>] reduced 0 reads(%2) [[#np.dim<d0>]] writes(%3) [[#np.dim<d0>]] combine [""] : (!B, !B) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.return
}
