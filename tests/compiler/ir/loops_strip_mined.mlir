// np-loops: strip-mined loops are outlined, and equal ones are one function.
// RUN: %opt %s --np-loops | FileCheck %s

// CHECK-LABEL: func.func @twice(
// CHECK: call @twice.loop0
// CHECK: call @twice.loop0
// With two calls it is not inlined.
// CHECK-LABEL: func.func private @twice.loop0(
// CHECK-SAME: attributes {no_inline
// CHECK: call @twice.nest0
// CHECK-NOT: @twice.loop1
np.func @twice(%a: !np.array<s0 x s1 x f64, C>, %b: !np.array<s0 x s1 x f64, C>, %c: !np.array<s0 x s1 x f64, C>) {
  np.for "strip0" = <0> to <s0> step <1> iter() attributes {strip_mined} : () -> () {
  ^bb0(%i: !np.pyint):
    np.nest [#np.dim<s1>] reduced 0 reads(%a) [[#np.dim<strip0>, #np.dim<d0>]] writes(%b) [[#np.dim<strip0>, #np.dim<d0>]] combine [""] groups [0, 1] : (!np.array<s0 x s1 x f64, C>, !np.array<s0 x s1 x f64, C>) -> () {
    ^bb0(%x: f64):
      %y = np.ufunc "negative"(%x) loop "d->d" : (f64) -> f64
      np.nest_yield %y : f64
    }
    np.next()
  }
  np.for "strip1" = <0> to <s0> step <1> iter() attributes {strip_mined} : () -> () {
  ^bb0(%i: !np.pyint):
    np.nest [#np.dim<s1>] reduced 0 reads(%b) [[#np.dim<strip1>, #np.dim<d0>]] writes(%c) [[#np.dim<strip1>, #np.dim<d0>]] combine [""] groups [0, 1] : (!np.array<s0 x s1 x f64, C>, !np.array<s0 x s1 x f64, C>) -> () {
    ^bb0(%x: f64):
      %y = np.ufunc "negative"(%x) loop "d->d" : (f64) -> f64
      np.nest_yield %y : f64
    }
    np.next()
  }
  np.return
}

// Other work is another function, which LLVM inlines into its only caller.
// CHECK-LABEL: func.func @once(
// CHECK: call @once.loop0
// CHECK: call @once.loop1
// CHECK-LABEL: func.func private @once.loop0(
// CHECK-NOT: no_inline
// CHECK: call @once.nest0
// CHECK-LABEL: func.func private @once.loop1(
// CHECK-NOT: no_inline
// CHECK: call @once.nest1
np.func @once(%a: !np.array<s0 x s1 x f64, C>, %b: !np.array<s0 x s1 x f64, C>, %c: !np.array<s0 x s1 x f64, C>) {
  np.for "strip0" = <0> to <s0> step <1> iter() attributes {strip_mined} : () -> () {
  ^bb0(%i: !np.pyint):
    np.nest [#np.dim<s1>] reduced 0 reads(%a) [[#np.dim<strip0>, #np.dim<d0>]] writes(%b) [[#np.dim<strip0>, #np.dim<d0>]] combine [""] groups [0, 1] : (!np.array<s0 x s1 x f64, C>, !np.array<s0 x s1 x f64, C>) -> () {
    ^bb0(%x: f64):
      %y = np.ufunc "negative"(%x) loop "d->d" : (f64) -> f64
      np.nest_yield %y : f64
    }
    np.next()
  }
  np.for "strip1" = <0> to <s0> step <1> iter() attributes {strip_mined} : () -> () {
  ^bb0(%i: !np.pyint):
    np.nest [#np.dim<s1>] reduced 0 reads(%b) [[#np.dim<strip1>, #np.dim<d0>]] writes(%c) [[#np.dim<strip1>, #np.dim<d0>]] combine [""] groups [0, 1] : (!np.array<s0 x s1 x f64, C>, !np.array<s0 x s1 x f64, C>) -> () {
    ^bb0(%x: f64):
      %y = np.ufunc "square"(%x) loop "d->d" : (f64) -> f64
      np.nest_yield %y : f64
    }
    np.next()
  }
  np.return
}
