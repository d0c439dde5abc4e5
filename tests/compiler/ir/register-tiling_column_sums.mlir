// np-register-tiling: loops around nests that update the same elements in every iteration.
// RUN: %opt %s --np-register-tiling | FileCheck %s

!A = !np.array<s1 x f64, C>
!M = !np.array<s0 x s1 x f64, C>

// for k in range(n): out += x[k]; result = out: the nests before and after the loop are fused into it.
// CHECK-LABEL: np.func @column_sums
// CHECK: np.nest {{.*}} attributes {register_tiled = "before"}
// CHECK: np.for "i0" {{.*}} attributes {register_tiled}
// CHECK: np.nest {{.*}} attributes {register_tiled = "after"}
np.func @column_sums(%x: !M, %result: !A) attributes {alias = "noalias"} {
  %zero = np.const 0.0 : f64
  %out = np.alloc : !A
  np.nest [#np.dim<s1>] reduced 0 reads() [] writes(%out) [[#np.dim<d0>]] combine [""] order ["any"] groups [0] : (!A) -> () {
    np.nest_yield %zero : f64
  }
  %sum = np.for "i0" = <0> to <s0> step <1> iter(%out) : (!A) -> !A {
  ^bb0(%k: !np.pyint, %o: !A):
    %row = np.view %x [#np.dim<i0>, #np.dim<0>] [#np.dim<1>, #np.dim<1>] [1] : !M to !A
    np.nest [#np.dim<s1>] reduced 0 reads(%o, %row) [[#np.dim<d0>], [#np.dim<d0>]] writes(%o) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 1, 0] : (!A, !A, !A) -> () {
    ^bb0(%a: f64, %b: f64):
      %0 = np.ufunc "add"(%a, %b) loop "dd->d" : (f64, f64) -> f64
      np.nest_yield %0 : f64
    }
    np.next(%o) : !A
  }
  np.nest [#np.dim<s1>] reduced 0 reads(%sum) [[#np.dim<d0>]] writes(%result) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 1] : (!A, !A) -> () {
  ^bb0(%a: f64):
    np.nest_yield %a : f64
  }
  np.release %sum : !A
  np.return
}

// x[k] += x[k - 1]: each iteration updates other elements.
// CHECK-LABEL: np.func @other_rows
// CHECK-NOT: register_tiled
// CHECK: np.return
np.func @other_rows(%x: !M) attributes {alias = "noalias"} {
  np.for "i0" = <1> to <s0> step <1> iter() : () -> () {
  ^bb0(%k: !np.pyint):
    %0 = np.view %x [#np.dim<i0>, #np.dim<0>] [#np.dim<1>, #np.dim<1>] [1] : !M to !A
    %1 = np.view %x [#np.dim<i0 - 1>, #np.dim<0>] [#np.dim<1>, #np.dim<1>] [1] : !M to !A
    np.nest [#np.dim<s1>] reduced 0 reads(%0, %1) [[#np.dim<d0>], [#np.dim<d0>]] writes(%0) [[#np.dim<d0>]] combine [""] order ["any"] groups [0, 1, 0] : (!A, !A, !A) -> () {
    ^bb0(%a: f64, %b: f64):
      %2 = np.ufunc "add"(%a, %b) loop "dd->d" : (f64, f64) -> f64
      np.nest_yield %2 : f64
    }
    np.next()
  }
  np.return
}
