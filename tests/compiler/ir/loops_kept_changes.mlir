// np.keep_changes stores to slots of the frame, which LLVM promotes; only the error exit, which comes last, stores what
// is in them where the caller finds it (Context::changes, slot 25).
// RUN: %opt %s --np-loops --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @kept
// The number of the last one, and its values; 0: nothing was kept so far.
// CHECK: %[[SIZE:.*]] = arith.constant 2 : i64
// CHECK: %[[FRAME:.*]] = llvm.alloca %[[SIZE]] x i64
// CHECK: %[[NONE:.*]] = arith.constant 0 : i64
// CHECK: llvm.store %[[NONE]], %[[FRAME]] : i64, !llvm.ptr
// CHECK: %[[X:.*]] = llvm.load %arg1 : !llvm.ptr -> i64
// CHECK: %[[FIRST:.*]] = arith.constant 1 : i64
// CHECK: llvm.store %[[FIRST]], %[[FRAME]] : i64, !llvm.ptr
// CHECK: %[[AT:.*]] = llvm.getelementptr inbounds %[[FRAME]][1]
// CHECK: llvm.store %[[X]], %[[AT]] : i64, !llvm.ptr
// CHECK: call @sc_raise
// CHECK-NOT: llvm.store
// CHECK: %[[CHANGES:.*]] = llvm.getelementptr inbounds %arg0[34]
// CHECK: %[[SLOTS:.*]] = llvm.load %[[CHANGES]] : !llvm.ptr -> !llvm.ptr
// CHECK: %[[LAST:.*]] = llvm.load %[[FRAME]] : !llvm.ptr -> i64
// CHECK: llvm.store %[[LAST]], %[[SLOTS]] : i64, !llvm.ptr
// CHECK: %[[FROM:.*]] = llvm.getelementptr inbounds %[[FRAME]][1]
// CHECK: %[[VALUE:.*]] = llvm.load %[[FROM]] : !llvm.ptr -> i64
// CHECK: %[[TO:.*]] = llvm.getelementptr inbounds %[[SLOTS]][1]
// CHECK: llvm.store %[[VALUE]], %[[TO]] : i64, !llvm.ptr
np.func @kept(%x: !np.pyint) attributes {alias = "noalias"} {
  np.keep_changes 0 [#np.object_write<target = #np.callers_container<0>, tree = [0]>] %x : !np.pyint
  np.raise {tree = [#np.result_call<"builtins.ValueError", [#np.py<"str", "no">], "">]}
  np.return
}
