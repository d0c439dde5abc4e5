// np-lifetime: the last use moves or releases the reference, in blocks, branches and loops.
// RUN: %opt %s --np-lifetime | FileCheck %s

// CHECK-LABEL: np.func @temporary
// CHECK: %[[T:.*]] = np.alloc
// CHECK: %[[W:.*]] = np.view %[[T]]
// CHECK: np.load %[[W]]
// CHECK-NEXT: np.release %[[T]]
np.func @temporary(%a: !np.array<s0 x f64, C>) -> f64 {
  %t = np.alloc : !np.array<s0 x f64, C>
  %w = np.view %t [#np.dim<1>] [#np.dim<1>] [0] : !np.array<s0 x f64, C> to !np.array<s0 - 1 x f64, C>
  %x = np.load %w [#np.dim<0>] : !np.array<s0 - 1 x f64, C> to f64
  %y = np.ufunc "add"(%x, %x) loop "dd->d" : (f64, f64) -> f64
  np.return %y : f64
}

// A swap moves references; no count changes.
// CHECK-LABEL: np.func @swap
// CHECK-NOT: np.retain
// CHECK-NOT: np.release
// CHECK: np.next
// CHECK: np.release %{{.*}}#1
// CHECK-NOT: np.release
// CHECK: np.return
np.func @swap(%n: !np.pyint) -> !np.array<8 x f64, C> {
  np.symbol "n" = %n
  %p = np.alloc : !np.array<8 x f64, C>
  %q = np.alloc : !np.array<8 x f64, C>
  %r:2 = np.for "t" = <0> to <n> step <1> iter(%p, %q) : (!np.array<8 x f64, C>, !np.array<8 x f64, C>) -> (!np.array<8 x f64, C>, !np.array<8 x f64, C>) {
  ^bb0(%t: !np.pyint, %a: !np.array<8 x f64, C>, %b: !np.array<8 x f64, C>):
    np.next (%b, %a) : !np.array<8 x f64, C>, !np.array<8 x f64, C>
  }
  np.return %r#0 : !np.array<8 x f64, C>
}

// A new buffer in each iteration: the old one is released within the iteration.
// CHECK-LABEL: np.func @replace
// CHECK: np.retain %[[P:.*]] :
// CHECK: np.for
// CHECK: ^bb0(%{{.*}}, %[[OLD:.*]]: !np.array
// CHECK: %[[NEW:.*]] = np.alloc
// CHECK: np.nest
// CHECK: np.release %[[OLD]]
// CHECK-NOT: np.retain
// CHECK: np.next(%[[NEW]])
// CHECK: np.load %[[P]]
// CHECK: np.release %[[P]]
np.func @replace(%n: !np.pyint) -> (!np.array<8 x f64, C>, f64) {
  np.symbol "n" = %n
  %p = np.alloc : !np.array<8 x f64, C>
  %r = np.for "t" = <0> to <n> step <1> iter(%p) : (!np.array<8 x f64, C>) -> (!np.array<8 x f64, C>) {
  ^bb0(%t: !np.pyint, %a: !np.array<8 x f64, C>):
    %b = np.alloc : !np.array<8 x f64, C>
    np.nest [#np.dim<8>] reduced 0 reads(%a) [[#np.dim<d0>]] writes(%b) [[#np.dim<d0>]] combine [""] : (!np.array<8 x f64, C>, !np.array<8 x f64, C>) -> () {
    ^bb1(%x: f64):
      np.nest_yield %x : f64
    }
    np.next (%b) : !np.array<8 x f64, C>
  }
  %x = np.load %p [#np.dim<0>] : !np.array<8 x f64, C> to f64
  np.return %r, %x : !np.array<8 x f64, C>, f64
}

// Branches: a reference from outside is retained in the branch that yields it; arguments are borrowed.
// A reference whose last use is an if that may yield it is moved into both branches.
// CHECK-LABEL: np.func @arms
// CHECK: %[[T:.*]] = np.alloc
// CHECK: np.if
// CHECK-NEXT: np.yield %[[T]]
// CHECK: else
// CHECK-NEXT: np.release %[[T]]
// CHECK-NEXT: np.yield %arg0
// CHECK-NOT: np.re{{tain|lease}}
// CHECK: np.return
np.func @arms(%a: !np.array<s0 x f64, C>, %c: !np.pybool) -> !np.array<s0 x f64, C> {
  %t = np.alloc : !np.array<s0 x f64, C>
  %r = np.if %c : (!np.pybool) -> !np.array<s0 x f64, C> {
    np.yield %t : !np.array<s0 x f64, C>
  } else {
    np.yield %a : !np.array<s0 x f64, C>
  }
  np.return %r : !np.array<s0 x f64, C>
}

// A returned view moves its base's reference; a second return of it is one more reference.
// CHECK-LABEL: np.func @views
// CHECK: %[[V:.*]] = np.view
// CHECK-NEXT: np.retain %[[V]]
// CHECK-NEXT: np.return
np.func @views() -> (!np.array<7 x f64, C>, !np.array<7 x f64, C>) {
  %t = np.alloc : !np.array<8 x f64, C>
  %w = np.view %t [#np.dim<1>] [#np.dim<1>] [0] : !np.array<8 x f64, C> to !np.array<7 x f64, C>
  np.return %w, %w : !np.array<7 x f64, C>, !np.array<7 x f64, C>
}

// A call's result is a reference of its own, even if it is a view.
// CHECK-LABEL: np.func @caller
// CHECK: %[[T:.*]] = np.alloc
// CHECK: %[[R:.*]]:2 = np.call @callee(%[[T]])
// CHECK-DAG: np.release %[[T]]
// CHECK-DAG: np.release %[[R]]#1
// CHECK-NOT: np.re{{tain|lease}}
// CHECK: np.return %[[R]]#0
np.func @caller() -> !np.array<8 x f64, C> {
  %t = np.alloc : !np.array<8 x f64, C>
  %r:2 = np.call @callee(%t) : (!np.array<8 x f64, C>) -> (!np.array<8 x f64, C>, !np.array<8 x f64, C>)
  np.return %r#0 : !np.array<8 x f64, C>
}

// A recursive function that returns its argument retains it.
// CHECK-LABEL: np.func private @callee
// CHECK: np.retain %arg0
// CHECK-NEXT: np.retain %arg0
// CHECK-NEXT: np.return
np.func private @callee(%a: !np.array<8 x f64, C>) -> (!np.array<8 x f64, C>, !np.array<8 x f64, C>) attributes {recursive} {
  np.return %a, %a : !np.array<8 x f64, C>, !np.array<8 x f64, C>
}
