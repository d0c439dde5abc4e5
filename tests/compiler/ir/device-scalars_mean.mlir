// RUN: %opt --np-device-scalars --np-verify=level=nests %s | FileCheck %s

// x - x.mean(), with the mean: neither is waited for. The division is done in both nests.
// CHECK-LABEL: np.func @centred
// CHECK: %[[SUM:.*]] = np.alloc : <f64, C, "cuda:0">
// CHECK: np.nest [#np.dim<s0>] reduced 1 {{.*}} writes(%[[SUM]]) {{\[}}[]] combine ["add"] {{.*}} -> ()
// CHECK: np.nest [#np.dim<s0>] reduced 0 reads(%arg0, %[[SUM]]) {{\[}}[#np.dim<d0>], []]
// CHECK-NEXT: ^bb0(%{{.*}}: f64, %[[S:.*]]: f64):
// CHECK-NEXT: np.ufunc "divide"(%[[S]],
// CHECK: np.nest [] reduced 0 reads(%[[SUM]]) {{\[}}[]] writes(%[[MEAN:.*]]) {{\[}}[]]
// CHECK-NOT: np.store
// CHECK: np.return %{{.*}}, %[[MEAN]]
np.func @centred(%x: !np.array<s0 x f64, C, "cuda:0">) -> (!np.array<s0 x f64, C, "cuda:0">, !np.array<f64, C, "cuda:0">)
    attributes {arg_names = ["x"], alias = "noalias"} {
  %sum = np.nest [#np.dim<s0>] reduced 1 reads(%x) [[#np.dim<d0>]] writes() [] combine ["add"]
      : (!np.array<s0 x f64, C, "cuda:0">) -> f64 {
  ^bb0(%p: f64):
    np.nest_yield %p : f64
  }
  %n = np.size <s0>
  %mean = np.ufunc "divide"(%sum, %n) loop "dd->d" : (f64, !np.pyint) -> f64
  %y = np.alloc : <s0 x f64, C, "cuda:0">
  np.nest [#np.dim<s0>] reduced 0 reads(%x) [[#np.dim<d0>]] writes(%y) [[#np.dim<d0>]] combine [""]
      : (!np.array<s0 x f64, C, "cuda:0">, !np.array<s0 x f64, C, "cuda:0">) -> () {
  ^bb0(%p: f64):
    %d = np.ufunc "subtract"(%p, %mean) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %d : f64
  }
  %m = np.alloc : <f64, C, "cuda:0">
  np.store %mean to %m [] : f64, !np.array<f64, C, "cuda:0">
  np.return %y, %m : !np.array<s0 x f64, C, "cuda:0">, !np.array<f64, C, "cuda:0">
}

// The host needs the sum for its branch: it is read once, for all.
// CHECK-LABEL: np.func @branch
// CHECK: %[[S:.*]] = np.nest {{.*}} -> f64
// CHECK: np.if
// CHECK: np.store %[[S]]
np.func @branch(%x: !np.array<s0 x f64, C, "cuda:0">) -> (!np.array<f64, C, "cuda:0">, !np.pyint)
    attributes {arg_names = ["x"], alias = "noalias"} {
  %sum = np.nest [#np.dim<s0>] reduced 1 reads(%x) [[#np.dim<d0>]] writes() [] combine ["add"]
      : (!np.array<s0 x f64, C, "cuda:0">) -> f64 {
  ^bb0(%p: f64):
    np.nest_yield %p : f64
  }
  %zero = np.const 0.0 : f64
  %is = np.ufunc "greater"(%sum, %zero) loop "dd->?" : (f64, f64) -> i1
  %which = np.if %is : (i1) -> !np.pyint {
    %one = np.const 1 : !np.pyint
    np.yield %one : !np.pyint
  } else {
    %two = np.const 2 : !np.pyint
    np.yield %two : !np.pyint
  }
  %m = np.alloc : <f64, C, "cuda:0">
  np.store %sum to %m [] : f64, !np.array<f64, C, "cuda:0">
  np.return %m, %which : !np.array<f64, C, "cuda:0">, !np.pyint
}

// A loop carries the sum of its array, which stays on the device.
// CHECK-LABEL: np.func @carried
// CHECK: %[[FIRST:.*]] = np.alloc : <f64
// CHECK: np.for {{.*}} iter(%[[FIRST]]) : (!np.array<f64, C, "cuda:0">) -> !np.array<f64, C, "cuda:0">
// CHECK: ^bb0(%{{.*}}: !np.pyint, %[[LAST:.*]]: !np.array<f64, C, "cuda:0">):
// CHECK: np.nest [#np.dim<s0>] reduced 0 reads(%arg0, %[[LAST]])
// CHECK: %[[NEXT:.*]] = np.alloc : <f64
// CHECK: np.nest [#np.dim<s0>] reduced 1 {{.*}} writes(%[[NEXT]])
// CHECK: np.next(%[[NEXT]])
np.func @carried(%x: !np.array<s0 x f64, C, "cuda:0">, %one: f64) attributes {arg_names = ["x", "one"], alias = "noalias"} {
  %0 = np.for "i0" = <0> to <8> step <1> iter(%one) : (f64) -> f64 {
  ^bb0(%i: !np.pyint, %s: f64):
    np.nest [#np.dim<s0>] reduced 0 reads(%x) [[#np.dim<d0>]] writes(%x) [[#np.dim<d0>]] combine [""]
        : (!np.array<s0 x f64, C, "cuda:0">, !np.array<s0 x f64, C, "cuda:0">) -> () {
    ^bb0(%p: f64):
      %d = np.ufunc "divide"(%p, %s) loop "dd->d" : (f64, f64) -> f64
      np.nest_yield %d : f64
    }
    %sum = np.nest [#np.dim<s0>] reduced 1 reads(%x) [[#np.dim<d0>]] writes() [] combine ["add"]
        : (!np.array<s0 x f64, C, "cuda:0">) -> f64 {
    ^bb0(%p: f64):
      np.nest_yield %p : f64
    }
    np.next(%sum) : f64
  }
  np.return
}

// A loop of single elements becomes a kernel: its loads and stores stay.
// CHECK-LABEL: np.func @elements
// CHECK: np.for
// CHECK: np.load
// CHECK: np.store
np.func @elements(%x: !np.array<s0 x f64, C, "cuda:0">) attributes {arg_names = ["x"], alias = "noalias"} {
  np.for "i0" = <0> to <s0> step <1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    %e = np.load %x [#np.dim<i0>] : <s0 x f64, C, "cuda:0"> to f64
    %t = np.ufunc "add"(%e, %e) loop "dd->d" : (f64, f64) -> f64
    np.store %t to %x [#np.dim<i0>] : f64, !np.array<s0 x f64, C, "cuda:0">
    np.next()
  }
  np.return
}
