// np-loops: the entry's ABI: arguments and results in slots, error sites of checks, symbols.
// RUN: %opt %s --np-loops --mlir-print-local-scope | FileCheck %s

// CHECK: module attributes {np.sites = [#np.error_site<"IndexError", "index {0} is out of bounds for axis 0 with size {1}", loc({{.*}})>]}
// CHECK-LABEL: func.func @item(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr) -> i32
// CHECK-DAG: %[[SIZEP:.*]] = llvm.getelementptr inbounds %arg1[1]
// CHECK-DAG: %[[SIZE:.*]] = llvm.load %[[SIZEP]] : !llvm.ptr -> i64
// CHECK-DAG: %[[STRIDEP:.*]] = llvm.getelementptr inbounds %arg1[2]
// CHECK-DAG: %[[STRIDE:.*]] = llvm.load %[[STRIDEP]] : !llvm.ptr -> i64
// A negative index wraps, and is checked afterwards.
// CHECK: arith.cmpi ult, %[[K:.*]], %[[SIZE]]
// CHECK: cf.cond_br %{{.*}} weights([2000, 1]), ^[[IN:bb[0-9]+]](%[[K]] : i64), ^[[BEHIND:bb[0-9]+]]
// CHECK: ^[[IN]](%[[WRAPPED:.*]]: i64):
// CHECK: %[[INDEX:.*]] = arith.muli %{{.*}}, %[[WRAPPED]] : i64
// CHECK: llvm.getelementptr inbounds %{{.*}}[%[[INDEX]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: arith.cmpi ne, %{{.*}}, %c0_i8
// CHECK: ^[[BEHIND]]:
// CHECK: %[[SHIFTED:.*]] = arith.addi %[[K]], %[[SIZE]] : i64
// CHECK: arith.cmpi uge, %[[SHIFTED]], %[[SIZE]]
// CHECK: cf.cond_br %{{.*}} weights([1, 2000]), ^[[RAISE:bb[0-9]+]]
// CHECK: cf.br ^[[IN]](%[[SHIFTED]] : i64)
// CHECK: ^[[RAISE]]:
// CHECK: llvm.store %{{.*}}, %arg0 : i64, !llvm.ptr
// CHECK: llvm.getelementptr inbounds %arg0[2]
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: return %[[ONE]]
np.func @item(%a: !np.array<s0 x i1, strided>, %k: !np.pyint) -> i1 {
  np.symbol "k" = %k
  np.require "index" [#np.dim<k>, #np.dim<s0>] "IndexError" "index {0} is out of bounds for axis 0 with size {1}" [#np.dim<k>, #np.dim<s0>]
  %x = np.load %a [#np.dim<wrap(k, s0)>] : !np.array<s0 x i1, strided> to i1
  np.return %x : i1
}

// A view is an address computation and a tagged owner; its strides are products.
// CHECK-LABEL: func.func @view
// CHECK: %[[OWNER:.*]] = arith.constant 1 : i64
// CHECK: arith.ori %[[OWNER]], %{{.*}} : i64
// CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f64
np.func @view(%a: !np.array<s0 x s1 x f64, C>) -> !np.array<s1 x f64, strided> {
  %w = np.view %a [#np.dim<s0 - 1>, #np.dim<s1 - 1>] [#np.dim<1>, #np.dim<-1>] [1] : !np.array<s0 x s1 x f64, C> to !np.array<s1 x f64, strided>
  np.return %w : !np.array<s1 x f64, strided>
}

// Loop-carried handles are a pointer and an owner each; the swap swaps both.
// CHECK-LABEL: func.func @swap
// CHECK: cf.br ^[[START:bb[0-9]+]](%{{.*}}, %[[P:.*]], %[[OP:.*]], %[[Q:.*]], %[[OQ:.*]] : i64, !llvm.ptr, i64, !llvm.ptr, i64)
// An innermost loop is strip-mined, with a poll between strips.
// CHECK: ^[[START]](
// CHECK: arith.cmpi ugt
// CHECK: cf.br ^[[HEAD:bb[0-9]+]](
// CHECK: ^[[HEAD]](%[[I:[^:]*]]: i64, %[[A:[^:]*]]: !llvm.ptr, %[[OA:[^:]*]]: i64, %[[B:[^:]*]]: !llvm.ptr, %[[OB:[^:]*]]: i64):
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %{{.*}} overflow<nsw>
// CHECK: cf.br ^[[HEAD]](%[[NEXT]], %[[B]], %[[OB]], %[[A]], %[[OA]]
// CHECK: call @sc_poll(%arg0)
// CHECK: cf.br ^[[START]](%[[I]], %[[A]]
np.func @swap(%a: !np.array<s0 x f64, C>, %b: !np.array<s1 x f64, C>, %n: !np.pyint) -> !np.array<s0 x f64, C> {
  np.symbol "n" = %n
  %r:2 = np.for "t" = <0> to <n> step <1> iter(%a, %b) : (!np.array<s0 x f64, C>, !np.array<s1 x f64, C>) -> (!np.array<s0 x f64, C>, !np.array<s1 x f64, C>) {
  ^bb0(%t: !np.pyint, %p: !np.array<s0 x f64, C>, %q: !np.array<s1 x f64, C>):
    np.next (%q, %p) : !np.array<s1 x f64, C>, !np.array<s0 x f64, C>
  }
  np.return %r#0 : !np.array<s0 x f64, C>
}

// sc_alloc may fail; the error exit returns 1 without an error site.
// CHECK-LABEL: func.func @memory
// CHECK: %[[P:.*]] = call @sc_alloc(%arg0, %{{.*}})
// CHECK: llvm.icmp "eq" %[[P]]
// CHECK: call @sc_release(%arg0, %{{.*}})
np.func @memory(%a: !np.array<s0 x f64, C>) {
  %t = np.alloc : !np.array<s0 x f64, C>
  np.release %t : !np.array<s0 x f64, C>
  np.return
}

// CHECK-LABEL: func.func @product
// CHECK: call @sc_gemm_d(%arg0, %{{.*}}) : (!llvm.ptr, i64, i64, i64, !llvm.ptr, i64, i64, !llvm.ptr, i64, i64, !llvm.ptr, i64, i64) -> i32
np.func @product(%a: !np.array<s0 x s1 x f64, C>, %b: !np.array<s1 x s2 x f64, F>, %c: !np.array<s0 x s2 x f64, C>) {
  np.gemm %a, %b to %c : (!np.array<s0 x s1 x f64, C>, !np.array<s1 x s2 x f64, F>, !np.array<s0 x s2 x f64, C>) -> ()
  np.return
}

// Strides of loop-carried handles are loop-carried too.
// CHECK-LABEL: func.func @strided
// CHECK: cf.br ^bb{{[0-9]+}}(%{{.*}} : i64, !llvm.ptr, i64, i64)
// CHECK: ^bb{{[0-9]+}}(%[[P1:[^:]*]]: !llvm.ptr, %[[O1:[^:]*]]: i64, %[[S1:[^:]*]]: i64):
// CHECK: llvm.store %[[S1]]
np.func @strided(%a: !np.array<s0 x f64, strided>, %n: !np.pyint) -> !np.array<s0 x f64, strided> {
  np.symbol "n" = %n
  %r = np.for "t" = <0> to <n> step <3> iter(%a) : (!np.array<s0 x f64, strided>) -> (!np.array<s0 x f64, strided>) {
  ^bb0(%t: !np.pyint, %p: !np.array<s0 x f64, strided>):
    %w = np.view %p [#np.dim<s0 - 1>] [#np.dim<-1>] [0] : !np.array<s0 x f64, strided> to !np.array<s0 x f64, strided>
    np.next (%w) : !np.array<s0 x f64, strided>
  }
  np.return %r : !np.array<s0 x f64, strided>
}
