// A cast of a handle (a loop carries it under a wider layout) is the same object under another
// type: no reference of its own, no code.
// RUN: %opt %s --np-schedule --np-lifetime | FileCheck %s --check-prefix=OWNERS
// RUN: %opt %s --np-schedule --np-lifetime --np-loops | FileCheck %s --check-prefix=LOOPS

!C = !np.array<s0 x f64, C>
!S = !np.array<s0 x f64, strided>

// An argument is borrowed, through its cast too; the fresh array is moved into the loop.
// OWNERS-LABEL: np.func @swapped
// OWNERS: %[[A:.*]] = np.cast %arg0
// OWNERS-NEXT: %[[F:.*]] = np.alloc
// OWNERS-NEXT: %[[B:.*]] = np.cast %[[F]]
// OWNERS-NEXT: %[[R:.*]]:2 = np.for
// OWNERS-NOT: np.retain
// OWNERS: np.next(%{{.*}}, %{{.*}})
// OWNERS: np.release %[[R]]#1
// OWNERS-NEXT: np.return %[[R]]#0

// The wider type's stride is the constant 1.
// LOOPS-LABEL: func.func @swapped
// LOOPS: %[[ONE:.*]] = arith.constant 1 : i64
// LOOPS: cf.br ^bb{{[0-9]+}}(%{{.*}}, %{{.*}}, %{{.*}}, %[[ONE]], %{{.*}}, %{{.*}}, %[[ONE]]
np.func @swapped(%a: !C) -> !S attributes {alias = "noalias"} {
  %0 = np.cast %a : !C to !S
  %1 = np.alloc : !C
  %2 = np.cast %1 : !C to !S
  %3:2 = np.for "i0" = <0> to <5> step <1> iter(%0, %2) : (!S, !S) -> (!S, !S) {
  ^bb0(%i: !np.pyint, %x: !S, %y: !S):
    np.next(%y, %x) : !S, !S
  }
  np.return %3#0 : !S
}

// A store through the cast is a store to the array: one alias group.
// OWNERS-LABEL: np.func @same_memory
// OWNERS: np.nest {{.*}} order ["up"] groups [0, 0]
np.func @same_memory(%a: !C) attributes {alias = "noalias"} {
  %0 = np.cast %a : !C to !S
  %1 = np.view %a [#np.dim<1>] [#np.dim<1>] [0] : !C to !np.array<s0 - 1 x f64, C>
  %2 = np.view %0 [#np.dim<0>] [#np.dim<1>] [0] : !S to !np.array<s0 - 1 x f64, strided>
  np.nest [#np.dim<s0 - 1>] reduced 0 reads(%1) [[#np.dim<d0>]] writes(%2) [[#np.dim<d0>]] combine [""] : (!np.array<s0 - 1 x f64, C>, !np.array<s0 - 1 x f64, strided>) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.return
}
