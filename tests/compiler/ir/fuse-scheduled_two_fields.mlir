// np-fuse-scheduled: nests without conflicts are fused across others that they do not depend on.
// RUN: %opt %s --np-fuse-scheduled | FileCheck %s

!A = !np.array<s0 x f64, C>
!W = !np.array<s0 - 2 x f64, C>

// a[1:-1] = a[:-2] * kept; b[1:-1] = b[:-2] * kept, through the temporaries that np-schedule has made.
// The copy back of the first is between them in the program; the second does not depend on it.
// CHECK-LABEL: np.func @two_fields
// CHECK-DAG: %[[T:.*]] = np.alloc
// CHECK-DAG: %[[U:.*]] = np.alloc
// CHECK: np.nest {{.*}} writes(%[[T]], %[[U]]) {{.*}} order ["any"] groups
// CHECK: np.nest {{.*}} reads(%[[T]])
// CHECK: np.nest {{.*}} reads(%[[U]])
// CHECK-NOT: np.nest [
// CHECK: np.return
np.func @two_fields(%a: !A, %b: !A, %kept: !W) attributes {alias = "noalias"} {
  %a0 = np.view %a [#np.dim<0>] [#np.dim<1>] [0] : !A to !W
  %a1 = np.view %a [#np.dim<1>] [#np.dim<1>] [0] : !A to !W
  %b0 = np.view %b [#np.dim<0>] [#np.dim<1>] [0] : !A to !W
  %b1 = np.view %b [#np.dim<1>] [#np.dim<1>] [0] : !A to !W
  %t = np.alloc : !W
  np.nest [#np.dim<s0 - 2>] reduced 0 reads(%a0, %kept) [[#np.dim<d0>], [#np.dim<d0>]] writes(%t) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 1, 2] : (!W, !W, !W) -> () {
  ^bb0(%x: f64, %k: f64):
    %0 = np.ufunc "multiply"(%x, %k) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %0 : f64
  }
  np.nest [#np.dim<s0 - 2>] reduced 0 reads(%t) [[#np.dim<d0>]] writes(%a1) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 1] : (!W, !W) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  %u = np.alloc : !W
  np.nest [#np.dim<s0 - 2>] reduced 0 reads(%b0, %kept) [[#np.dim<d0>], [#np.dim<d0>]] writes(%u) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 1, 2] : (!W, !W, !W) -> () {
  ^bb0(%x: f64, %k: f64):
    %0 = np.ufunc "multiply"(%x, %k) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %0 : f64
  }
  np.nest [#np.dim<s0 - 2>] reduced 0 reads(%u) [[#np.dim<d0>]] writes(%b1) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 1] : (!W, !W) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.return
}

// c = a[:-2] * kept reads what the copy back has stored: it stays after it.
// CHECK-LABEL: np.func @dependent
// CHECK: %[[T:.*]] = np.alloc
// CHECK: np.nest {{.*}} writes(%[[T]])
// CHECK: np.nest {{.*}} reads(%[[T]])
// CHECK: np.nest {{.*}} writes(%arg1)
np.func @dependent(%a: !A, %c: !W, %kept: !W) attributes {alias = "noalias"} {
  %a0 = np.view %a [#np.dim<0>] [#np.dim<1>] [0] : !A to !W
  %a1 = np.view %a [#np.dim<1>] [#np.dim<1>] [0] : !A to !W
  %t = np.alloc : !W
  np.nest [#np.dim<s0 - 2>] reduced 0 reads(%a0, %kept) [[#np.dim<d0>], [#np.dim<d0>]] writes(%t) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 1, 2] : (!W, !W, !W) -> () {
  ^bb0(%x: f64, %k: f64):
    %0 = np.ufunc "multiply"(%x, %k) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %0 : f64
  }
  np.nest [#np.dim<s0 - 2>] reduced 0 reads(%t) [[#np.dim<d0>]] writes(%a1) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 1] : (!W, !W) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.nest [#np.dim<s0 - 2>] reduced 0 reads(%a0, %kept) [[#np.dim<d0>], [#np.dim<d0>]] writes(%c) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 1, 2] : (!W, !W, !W) -> () {
  ^bb0(%x: f64, %k: f64):
    %0 = np.ufunc "multiply"(%x, %k) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %0 : f64
  }
  np.return
}
