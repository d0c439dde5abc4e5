// np-loops: nests are outlined with noalias parameters; order, collapsed loops, kinds of reductions.
// RUN: %opt %s --np-loops | FileCheck %s

// Axes that are contiguous in all accesses are collapsed into one loop.
// CHECK-LABEL: func.func private @collapse.nest0
// CHECK-SAME: (%{{.*}}: !llvm.ptr {llvm.noalias, llvm.readonly}, %{{.*}}: !llvm.ptr {llvm.noalias}, %[[M:.*]]: i64, %[[N:.*]]: i64, %[[CTX:.*]]: !llvm.ptr {llvm.noalias}, %[[FIRST:.*]]: i64, %[[END:.*]]: i64) attributes {no_inline}
// Strip-mined, with a poll between strips.
// CHECK: scf.for %[[FROM:.*]] = %[[FIRST]] to %[[END]] step %c32768_i64
// CHECK: %[[MORE:.*]] = arith.cmpi sgt
// CHECK: scf.for %{{.*}} = %[[FROM]] to
// CHECK: scf.if %[[MORE]]
// CHECK-NEXT: call @sc_poll(%[[CTX]])
// CHECK-NOT: scf.for
np.func @collapse(%a: !np.array<s0 x s1 x f64, C>, %b: !np.array<s0 x s1 x f64, C>) {
  np.nest [#np.dim<s0>, #np.dim<s1>] reduced 0 reads(%a) [[#np.dim<d0>, #np.dim<d1>]] writes(%b) [[#np.dim<d0>, #np.dim<d1>]] combine [""] groups [0, 1] : (!np.array<s0 x s1 x f64, C>, !np.array<s0 x s1 x f64, C>) -> () {
  ^bb0(%x: f64):
    %y = np.ufunc "negative"(%x) loop "d->d" : (f64) -> f64
    np.nest_yield %y : f64
  }
  np.return
}

// Fortran order: the first axis is innermost; collapsed if both arrays have this order.
// CHECK-LABEL: func.func private @fortran.nest0
// CHECK: scf.for %[[J:.*]] =
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[I]]
// CHECK: llvm.store
// A loop around others polls every so many iterations.
// CHECK: arith.andi %[[J]], %[[MASK:.*]] :
// CHECK: scf.if
// CHECK-NEXT: call @sc_poll
np.func @fortran(%a: !np.array<s0 x s1 x f64, C>, %b: !np.array<s0 x s1 x f64, F>) {
  np.nest [#np.dim<s0>, #np.dim<s1>] reduced 0 reads(%a) [[#np.dim<d0>, #np.dim<d1>]] writes(%b) [[#np.dim<d0>, #np.dim<d1>]] combine [""] groups [0, 1] : (!np.array<s0 x s1 x f64, C>, !np.array<s0 x s1 x f64, F>) -> () {
  ^bb0(%x: f64):
    %y = np.ufunc "negative"(%x) loop "d->d" : (f64) -> f64
    np.nest_yield %y : f64
  }
  np.return
}

// Copies and fills of contiguous elements are calls of run-time functions.
// CHECK-LABEL: func.func @copy(
// CHECK: %[[BYTES:.*]] = arith.muli
// CHECK: call @sc_copy(%arg0, %{{.*}}, %{{.*}}, %[[BYTES]])
// CHECK: arith.constant 4294967297
// CHECK: call @sc_fill(
// CHECK-NOT: @copy.nest0
np.func @copy(%a: !np.array<s0 x f64, C>, %b: !np.array<s0 x f64, C>, %c: !np.array<s0 x f32, C>, %v: f32) {
  np.nest [#np.dim<s0>] reduced 0 reads(%a) [[#np.dim<d0>]] writes(%b) [[#np.dim<d0>]] combine [""] groups [0, 1] : (!np.array<s0 x f64, C>, !np.array<s0 x f64, C>) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.nest [#np.dim<s0>] reduced 0 reads() [] writes(%c) [[#np.dim<d0>]] combine [""] groups [0] : (!np.array<s0 x f32, C>) -> () {
    np.nest_yield %v : f32
  }
  np.return
}

// Copies of long contiguous rows are calls of the C library.
// CHECK-LABEL: func.func private @rows.nest0
// CHECK: scf.if
// CHECK: "llvm.intr.memcpy"
// CHECK: else
// CHECK: scf.for
np.func @rows(%a: !np.array<s0 x s1 x f64, inner>, %b: !np.array<s0 x s1 x f64, C>) {
  np.nest [#np.dim<s0>, #np.dim<s1>] reduced 0 reads(%a) [[#np.dim<d0>, #np.dim<d1>]] writes(%b) [[#np.dim<d0>, #np.dim<d1>]] combine [""] groups [0, 1] : (!np.array<s0 x s1 x f64, inner>, !np.array<s0 x s1 x f64, C>) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.return
}

// A copy into the other order is a blocked transposition, with 512 rows between two polls.
// CHECK-LABEL: func.func private @turn.nest0
// CHECK: scf.for %{{.*}} step %c512_i64
// CHECK: call @sc_transpose
// CHECK: scf.if
// CHECK-NEXT: call @sc_poll
np.func @turn(%a: !np.array<s0 x s1 x f64, C>, %b: !np.array<s0 x s1 x f64, F>) {
  np.nest [#np.dim<s0>, #np.dim<s1>] reduced 0 reads(%a) [[#np.dim<d0>, #np.dim<d1>]] writes(%b) [[#np.dim<d0>, #np.dim<d1>]] combine [""] groups [0, 1] : (!np.array<s0 x s1 x f64, C>, !np.array<s0 x s1 x f64, F>) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.return
}

// Windows of one array are one pointer, so that LLVM sees the dependence distances of in-place updates; `down` reverses the loop.
// CHECK-LABEL: func.func private @inplace.nest0
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr {llvm.noalias}, %[[N:.*]]: i64, 
// CHECK: %[[BACK:.*]] = arith.constant -1 : i64
// CHECK: scf.for
// CHECK: scf.for %[[I:.*]] =
// CHECK: arith.muli %[[I]], %[[BACK]]
// CHECK: llvm.getelementptr inbounds %[[P]]
// CHECK: llvm.getelementptr inbounds %[[P]]
np.func @inplace(%a: !np.array<s0 x f64, C>) {
  %w = np.view %a [#np.dim<1>] [#np.dim<1>] [0] : !np.array<s0 x f64, C> to !np.array<s0 - 1 x f64, C>
  np.nest [#np.dim<s0 - 1>] reduced 0 reads(%a) [[#np.dim<d0>]] writes(%w) [[#np.dim<d0>]] combine [""] order ["down"] groups [0, 0] : (!np.array<s0 x f64, C>, !np.array<s0 - 1 x f64, C>) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.return
}

// Two pointers that may overlap are not noalias.
// CHECK-LABEL: func.func private @maybe.nest0
// CHECK-SAME: (%{{.*}}: !llvm.ptr {llvm.readonly}, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i64, %{{.*}}: i64)
// CHECK: return
np.func @maybe(%a: !np.array<s0 x f64, C>, %b: !np.array<s0 x f64, C>) {
  np.nest [#np.dim<s0>] reduced 0 reads(%a) [[#np.dim<d0>]] writes(%b) [[#np.dim<d0>]] combine [""] groups [0, 0] : (!np.array<s0 x f64, C>, !np.array<s0 x f64, C>) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.return
}

// A loop of small constant trip count is not outlined.
// CHECK-LABEL: func.func @few
// CHECK: scf.for
// CHECK-NOT: @few.nest0
// CHECK: return
np.func @few(%a: !np.array<3 x f64, C>, %b: !np.array<3 x f64, C>) {
  np.nest [#np.dim<3>] reduced 0 reads(%a) [[#np.dim<d0>]] writes(%b) [[#np.dim<d0>]] combine [""] groups [0, 1] : (!np.array<3 x f64, C>, !np.array<3 x f64, C>) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.return
}

// NumPy's pairwise sum: eight partial sums as one vector.
// CHECK-LABEL: func.func private @sum.nest0
// CHECK: scf.while
// CHECK: iter_args(%{{.*}} = %{{.*}}) -> (vector<8xf32>)
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
np.func @sum(%a: !np.array<s0 x s1 x f32, C>) -> f32 {
  %r = np.nest [#np.dim<s0>, #np.dim<s1>] reduced 2 reads(%a) [[#np.dim<d0>, #np.dim<d1>]] writes() [] combine ["add"] groups [0] : (!np.array<s0 x s1 x f32, C>) -> f32 {
  ^bb0(%x: f32):
    np.nest_yield %x : f32
  }
  np.return %r : f32
}

// Sums over the first axis: rows are added to the result, block by block.
// CHECK-LABEL: func.func private @columns.nest0
// CHECK: scf.for %{{.*}} step %c2048_i64
// CHECK: scf.for
// CHECK: llvm.store
// CHECK: scf.for
// CHECK: scf.for
// CHECK: llvm.load
// CHECK: llvm.load
// CHECK: arith.addf
// CHECK: llvm.store
np.func @columns(%a: !np.array<s0 x s1 x f64, C>, %o: !np.array<s1 x f64, C>) {
  np.nest [#np.dim<s1>, #np.dim<s0>] reduced 1 reads(%a) [[#np.dim<d1>, #np.dim<d0>]] writes(%o) [[#np.dim<d0>]] combine ["add"] groups [0, 1] : (!np.array<s0 x s1 x f64, C>, !np.array<s1 x f64, C>) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.return
}

// Integers: a plain loop, which LLVM vectorises; a scalar from outside is a parameter, a constant is not.
// CHECK-LABEL: func.func private @scaled.nest0
// CHECK-SAME: %{{[^ ]*}}: i64, %[[K:[^ ]*]]: i64, %{{[^ ]*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i64, %{{.*}}: i64) -> i64
// CHECK: scf.for {{.*}} iter_args
// CHECK: arith.muli %{{.*}}, %[[K]]
np.func @scaled(%a: !np.array<s0 x si64, C>, %k: !np.pyint) -> si64 {
  %two = np.const 2 : !np.pyint
  %r = np.nest [#np.dim<s0>] reduced 1 reads(%a) [[#np.dim<d0>]] writes() [] combine ["add"] groups [0] : (!np.array<s0 x si64, C>) -> si64 {
  ^bb0(%x: si64):
    %y = np.ufunc "multiply"(%x, %k) loop "ll->l" : (si64, !np.pyint) -> si64
    %z = np.ufunc "add"(%y, %two) loop "ll->l" : (si64, !np.pyint) -> si64
    np.nest_yield %z : si64
  }
  np.return %r : si64
}

// Both versions of a loop contain the same nest: one function.
// CHECK-LABEL: func.func @twice
// CHECK: call @twice.nest0
// CHECK: call @twice.nest0
// CHECK-NOT: @twice.nest1
np.func @twice(%a: !np.array<s0 x f64, C>, %b: !np.array<s0 x f64, C>, %c: !np.pybool) {
  np.if %c : (!np.pybool) -> () {
    np.nest [#np.dim<s0>] reduced 0 reads(%a) [[#np.dim<d0>]] writes(%b) [[#np.dim<d0>]] combine [""] groups [0, 1] : (!np.array<s0 x f64, C>, !np.array<s0 x f64, C>) -> () {
    ^bb0(%x: f64):
      %y = np.ufunc "negative"(%x) loop "d->d" : (f64) -> f64
      np.nest_yield %y : f64
    }
    np.yield
  } else {
    np.nest [#np.dim<s0>] reduced 0 reads(%b) [[#np.dim<d0>]] writes(%a) [[#np.dim<d0>]] combine [""] groups [0, 1] : (!np.array<s0 x f64, C>, !np.array<s0 x f64, C>) -> () {
    ^bb0(%x: f64):
      %y = np.ufunc "negative"(%x) loop "d->d" : (f64) -> f64
      np.nest_yield %y : f64
    }
    np.yield
  }
  np.return
}
