// np.reshape_any: text, owners, lowering; np.check_writeable.
// RUN: %opt %s | %opt | FileCheck %s --check-prefix=TEXT
// RUN: %opt %s --np-lifetime | FileCheck %s --check-prefix=OWNERS
// RUN: %opt %s --np-schedule --np-lifetime --np-loops | FileCheck %s --check-prefix=LOOPS
// RUN: %opt %s --np-schedule --np-lifetime --np-verify=level=owned

!F = !np.array<s0 x s1 x f64, F>
!S = !np.array<s1 x s0 x f64, strided>

// Its result is an owner; its base is released before the result.
// TEXT-LABEL: np.func @returned
// TEXT: np.reshape_any %{{.*}} : <s0 x s1 x f64, F> to <s1 x s0 x f64, strided>
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

// Released after its last read.
// OWNERS-LABEL: np.func @only_read
// OWNERS: %[[R:.*]] = np.reshape_any
// OWNERS: np.load
// OWNERS-NEXT: np.release %[[R]]
np.func @only_read(%a: !F) -> f64 attributes {alias = "noalias"} {
  %r = np.reshape_any %a : !F to !S
  %x = np.load %r [#np.dim<0>, #np.dim<0>] : !S to f64
  np.return %x : f64
}

// What may be a view of the base shares its memory: the result is computed into an array of its own first.
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
