// np.reshape_any: text, what settles it, owners, lowering; np.check_writeable.
// RUN: %opt %s | %opt | FileCheck %s --check-prefix=TEXT
// RUN: %opt %s --np-simplify | FileCheck %s --check-prefix=SETTLED
// RUN: %opt %s --np-lifetime | FileCheck %s --check-prefix=OWNERS
// RUN: %opt %s --np-schedule --np-lifetime --np-loops | FileCheck %s --check-prefix=LOOPS
// RUN: %opt %s --np-schedule --np-lifetime --np-verify=stage=lifetime

!F = !np.array<s0 x s1 x f64, F>
!S = !np.array<s1 x s0 x f64, strided>

// Returned, so that anybody can tell: it stays, owns what it gives, and its base goes before it.
// TEXT-LABEL: np.func @returned
// TEXT: np.reshape_any %{{.*}} : <s0 x s1 x f64, F> to <s1 x s0 x f64, strided>
// SETTLED-LABEL: np.func @returned
// SETTLED: np.reshape_any
// OWNERS-LABEL: np.func @returned
// OWNERS: %[[A:.*]] = np.alloc
// OWNERS-NEXT: %[[R:.*]] = np.reshape_any %[[A]]
// OWNERS-NEXT: np.release %[[A]]
// OWNERS-NOT: np.retain
// OWNERS: np.return %[[R]]
// LOOPS-LABEL: func.func @returned
// LOOPS: %[[SLOTS:.*]] = llvm.alloca %{{.*}} x i64
// LOOPS: call @sc_alloc
// LOOPS: %[[STATUS:.*]] = call @sc_reshape(%arg0, %[[SLOTS]]) : (!llvm.ptr, !llvm.ptr) -> i32
// LOOPS: arith.cmpi ne, %[[STATUS]]
np.func @returned(%n: !np.pyint) -> !np.array<3 x 2 x f64, strided> {
  %a = np.alloc : !np.array<2 x 3 x f64, F>
  %r = np.reshape_any %a : !np.array<2 x 3 x f64, F> to !np.array<3 x 2 x f64, strided>
  np.return %r : !np.array<3 x 2 x f64, strided>
}

// Only read: a copy that a nest makes.
// SETTLED-LABEL: np.func @only_read
// SETTLED-NOT: np.reshape_any
// SETTLED: %[[V:.*]] = np.read %arg0
// SETTLED: %[[C:.*]] = np.materialize %[[V]] : {{.*}} to <s0 x s1 x f64, C>
// SETTLED: np.reshape %[[C]] : <s0 x s1 x f64, C> to <s1 x s0 x f64, C>
// OWNERS-LABEL: np.func @only_read
// OWNERS: %[[R:.*]] = np.reshape_any
// OWNERS: np.load
// OWNERS-NEXT: np.release %[[R]]
np.func @only_read(%a: !F) -> f64 attributes {alias = "noalias"} {
  %r = np.reshape_any %a : !F to !S
  %x = np.load %r [#np.dim<0>, #np.dim<0>] : !S to f64
  np.return %x : f64
}

// Read after a store to the base, which a view would show.
// SETTLED-LABEL: np.func @base_written
// SETTLED: np.reshape_any
np.func @base_written(%a: !F, %x: f64) -> f64 attributes {alias = "noalias"} {
  %r = np.reshape_any %a : !F to !S
  np.store %x to %a [#np.dim<0>, #np.dim<0>] : f64, !F
  %y = np.load %r [#np.dim<0>, #np.dim<0>] : !S to f64
  np.return %y : f64
}

// A store to another array does not show.
// SETTLED-LABEL: np.func @other_written
// SETTLED-NOT: np.reshape_any
// SETTLED: np.return
np.func @other_written(%a: !F, %b: !F, %x: f64) -> f64 attributes {alias = "noalias"} {
  %r = np.reshape_any %a : !F to !S
  np.store %x to %b [#np.dim<0>, #np.dim<0>] : f64, !F
  %y = np.load %r [#np.dim<0>, #np.dim<0>] : !S to f64
  np.return %y : f64
}

// Written: it may be a view, whatever window of it. A ravel gives the flat layout.
// SETTLED-LABEL: np.func @written
// SETTLED: np.reshape_any %arg0 : <s0 x s1 x f64, F> to <s0 * s1 x f64, C>
np.func @written(%a: !F, %x: f64) attributes {alias = "noalias"} {
  %r = np.reshape_any %a : !F to !np.array<s0 * s1 x f64, C>
  %v = np.view %r [#np.dim<1>] [#np.dim<1>] [0] : !np.array<s0 * s1 x f64, C> to !np.array<s0 * s1 - 1 x f64, C>
  np.store %x to %v [#np.dim<0>] : f64, !np.array<s0 * s1 - 1 x f64, C>
  np.return
}

// The store through what may be a view stands in one group with the read of the base.
// RUN: %opt %s --np-schedule | FileCheck %s --check-prefix=GROUPS
// GROUPS-LABEL: np.func @same_memory
// GROUPS: np.nest {{.*}} order ["any", "any"] groups [0, 1]
// GROUPS: np.nest {{.*}} groups [0, 1]
np.func @same_memory(%a: !np.array<s0 x s1 x f64, strided>) attributes {alias = "noalias"} {
  %r = np.reshape_any %a : !np.array<s0 x s1 x f64, strided> to !np.array<s0 x s1 x f64, strided>
  np.nest [#np.dim<s0>, #np.dim<s1>] reduced 0 reads(%a) [[#np.dim<d0>, #np.dim<d1>]] writes(%r) [[#np.dim<d0>, #np.dim<d1>]] combine [""] : (!np.array<s0 x s1 x f64, strided>, !np.array<s0 x s1 x f64, strided>) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.return
}

// A view of a read-only argument may not be written, a buffer under that type may.
// TEXT-LABEL: np.func @read_only
// TEXT: np.check_writeable %{{.*}} "no" : <s1 x s0 x f64, strided, readonly> to <s1 x s0 x f64, strided>
// SETTLED-LABEL: np.func @read_only
// SETTLED: np.reshape_any
// LOOPS-LABEL: func.func @read_only
// LOOPS: call @sc_reshape
// LOOPS: %[[OWNER:.*]] = llvm.load %{{.*}} -> i64
// LOOPS: %[[BIT:.*]] = arith.andi %[[OWNER]], %{{.*}} : i64
// LOOPS: arith.cmpi ne, %[[BIT]]
np.func @read_only(%a: !np.array<s0 x s1 x f64, F, readonly>, %x: f64) attributes {alias = "noalias"} {
  %r = np.reshape_any %a : !np.array<s0 x s1 x f64, F, readonly> to !np.array<s1 x s0 x f64, strided, readonly>
  %w = np.check_writeable %r "no" : !np.array<s1 x s0 x f64, strided, readonly> to !S
  np.store %x to %w [#np.dim<0>, #np.dim<0>] : f64, !S
  np.return
}
