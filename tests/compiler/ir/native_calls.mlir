// np.native writes its first operands: reads of them are not moved across it.
// RUN: %opt %s | %opt | FileCheck %s --check-prefix=TEXT
// RUN: %opt %s --np-simplify --np-promote | FileCheck %s
// RUN: %opt %s --np-nests --np-schedule --np-checks --np-lifetime --np-loops | FileCheck %s --check-prefix=LOOPS

// TEXT: np.native "gather" writes 1(%{{.*}}, %{{.*}}, %{{.*}}) raises "IndexError" "out of bounds"
// TEXT-SAME: !np.pyint

// CHECK-LABEL: np.func @written
// CHECK: %[[BEFORE:.*]] = np.load %arg0
// CHECK: np.native "sort" writes 1(%arg0)
// CHECK: %[[AFTER:.*]] = np.load %arg0
// CHECK: np.return %[[BEFORE]], %[[AFTER]]
np.func @written(%a: !np.array<s0 x f64, C>, %b: !np.array<s0 x f64, C>) -> (f64, f64) attributes {alias = "noalias"} {
  np.require "ge" [#np.dim<s0>, #np.dim<1>] "ValueError" "empty" []
  %0 = np.load %a [#np.dim<0>] : !np.array<s0 x f64, C> to f64
  %1 = np.native "sort" writes 1(%a) : (!np.array<s0 x f64, C>) -> !np.pyint
  %2 = np.load %a [#np.dim<0>] : !np.array<s0 x f64, C> to f64
  np.return %0, %2 : f64, f64
}

// Reads of an operand that it only reads are the same before and after; of one that it writes not.
// CHECK-LABEL: np.func @values
// CHECK: np.native "gather"
// CHECK-NEXT: np.native "sort"
// CHECK-NEXT: %[[READ:.*]] = np.read
// CHECK-NEXT: np.ufunc "add"(%[[VALUE:.*]], %[[READ]])
np.func @values(%x: f64, %i: !np.array<s0 x si64, C>) -> !np.array<s0 x f64, C> attributes {alias = "noalias"} {
  %v = np.splat %x : f64 to tensor<?xf64, #np.dims<s0>>
  %a = np.materialize %v : tensor<?xf64, #np.dims<s0>> to !np.array<s0 x f64, C>
  %b = np.materialize %v : tensor<?xf64, #np.dims<s0>> to !np.array<s0 x f64, C>
  %0 = np.native "gather" writes 1(%b, %a, %i) : (!np.array<s0 x f64, C>, !np.array<s0 x f64, C>, !np.array<s0 x si64, C>) -> !np.pyint
  %1 = np.native "sort" writes 1(%b) : (!np.array<s0 x f64, C>) -> !np.pyint
  %2 = np.read %a : !np.array<s0 x f64, C> to tensor<?xf64, #np.dims<s0>>
  %3 = np.read %b : !np.array<s0 x f64, C> to tensor<?xf64, #np.dims<s0>>
  %4 = np.ufunc "add"(%2, %3) loop "dd->d" : (tensor<?xf64, #np.dims<s0>>, tensor<?xf64, #np.dims<s0>>) -> tensor<?xf64, #np.dims<s0>>
  %5 = np.materialize %4 : tensor<?xf64, #np.dims<s0>> to !np.array<s0 x f64, C>
  np.return %5 : !np.array<s0 x f64, C>
}

// The loop of the last function:
// LOOPS: llvm.mlir.global external constant @"ufunc special.jv dd->d"() {addr_space = 0 : i32} : i8

// LOOPS-LABEL: func.func @read
// LOOPS: %[[STATUS:.*]] = call @sc_gather(%{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> i64
// LOOPS: arith.cmpi eq, %[[STATUS]], %{{.*}} : i64
// LOOPS: arith.cmpi slt, %[[STATUS]], %{{.*}} : i64
np.func @read(%a: !np.array<s0 x f64, C>, %b: !np.array<s0 x f64, C>, %i: !np.array<s0 x si64, C>) attributes {alias = "noalias"} {
  %0 = np.native "gather" writes 1(%b, %a, %i) raises "IndexError" "out of bounds" : (!np.array<s0 x f64, C>, !np.array<s0 x f64, C>, !np.array<s0 x si64, C>) -> !np.pyint
  np.return
}

// Numbers and objects are read; floats and integers of NumPy come back.
// CHECK-LABEL: np.func @drawn
// CHECK: np.native "draw_normal" writes 0(%{{.*}}, %{{.*}}, %{{.*}}) : (!np.object<"rng", 0>, !np.pyfloat, !np.pyfloat) -> !np.pyfloat
// CHECK: np.native "draw_integers_int64" writes 0(%{{.*}}, %{{.*}}) : (!np.object<"rng", 0>, !np.pyint) -> si64
// LOOPS-LABEL: func.func @drawn
// LOOPS: call @sc_draw_normal(%{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> f64
np.func @drawn(%rng: !np.object<"rng", 0>, %x: !np.pyfloat, %n: !np.pyint) -> (!np.pyfloat, si64) {
  %0 = np.native "draw_normal" writes 0(%rng, %x, %x) : (!np.object<"rng", 0>, !np.pyfloat, !np.pyfloat) -> !np.pyfloat
  %1 = np.native "draw_integers_int64" writes 0(%rng, %n) : (!np.object<"rng", 0>, !np.pyint) -> si64
  np.return %0, %1 : !np.pyfloat, si64
}

// A loop of a ufunc is an external symbol; scalars are in stack slots, as in memory.
// LOOPS-LABEL: func.func @looped
// LOOPS: %[[LOOP:.*]] = llvm.mlir.addressof @"ufunc special.jv dd->d"
// LOOPS: call @sc_ufunc_number(%{{.*}}, %[[LOOP]], %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> i32
// LOOPS: call @sc_ufunc_rows(%{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> i64
np.func @looped(%a: !np.array<s0 x f64, C>, %b: !np.array<s0 x f64, C>, %x: f64) -> f64 {
  %0 = np.native "ufunc_number" writes 0(%x, %x) {loop = "ufunc special.jv dd->d"} : (f64, f64) -> f64
  %1 = np.native "ufunc_rows" writes 1(%b, %a, %x) {loop = "ufunc special.jv dd->d"} : (!np.array<s0 x f64, C>, !np.array<s0 x f64, C>, f64) -> !np.pyint
  np.return %0 : f64
}
