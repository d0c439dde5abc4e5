// np-profile: a mark before each nest, product, call and loop of a profiled call, and before what is
// between them; loops around these are looked into, and what is cheap has no mark of its own.
// RUN: %opt %s --np-profile --split-input-file | FileCheck %s

!A = !np.array<s0 x f64, C>

// CHECK: module attributes {np.profile = [
// CHECK-SAME: #np.profile_row<"start", "", {{[^>]*}}>,
// CHECK-SAME: #np.profile_row<"line", "", {{[^>]*}}>,
// CHECK-SAME: #np.profile_row<"nest", "s0", {{[^>]*}}>,
// CHECK-SAME: #np.profile_row<"line", "", {{[^>]*}}>,
// CHECK-SAME: #np.profile_row<"product", "", {{[^>]*}}>,
// CHECK-SAME: #np.profile_row<"loop", "", {{[^>]*}}>
module attributes {np.profile = []} {
// CHECK-LABEL: np.func @f
// CHECK: np.mark 1
// CHECK-NEXT: np.alloc
// CHECK-NEXT: np.mark 2 bytes <16 * s0>
// CHECK-NEXT: np.nest
// CHECK: np.mark 3
// CHECK-NEXT: np.for "i0"
// CHECK-NOT: np.mark
// CHECK: np.view
// CHECK: np.mark 4 bytes <16 * s0>
// CHECK-NEXT: np.gemm
// CHECK-NOT: np.mark
// CHECK: np.next
// CHECK: np.mark 5
// CHECK-NEXT: np.for "i1"
// CHECK-NOT: np.mark
// CHECK: np.return
np.func @f(%a: !A, %n: !np.pyint) -> f64 attributes {alias = "noalias"} {
  %0 = np.alloc : !A
  np.nest [#np.dim<s0>] reduced 0 reads(%a) [[#np.dim<d0>]] writes(%0) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 1] : (!A, !A) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.for "i0" = <0> to <s0> step <1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    %v = np.view %0 [#np.dim<0>] [#np.dim<1>] [0] : !A to !A
    %p = np.gemm %v, %a : (!A, !A) -> f64
    np.next()
  }
  %zero = np.const 0.0 : f64
  %sum = np.for "i1" = <0> to <s0> step <1> iter(%zero) : (f64) -> f64 {
  ^bb0(%i: !np.pyint, %s: f64):
    %x = np.load %a [#np.dim<i1>] : !A to f64
    %t = np.ufunc "add"(%s, %x) loop "dd->d" : (f64, f64) -> f64
    np.next(%t) : f64
  }
  np.return %sum : f64
}
}

// -----

// Nothing is marked where nothing is profiled.
// CHECK-LABEL: np.func @plain
// CHECK-NOT: np.mark
!A = !np.array<s0 x f64, C>
np.func @plain(%a: !A, %b: !A) -> f64 attributes {alias = "noalias"} {
  %p = np.gemm %a, %b : (!A, !A) -> f64
  np.return %p : f64
}
