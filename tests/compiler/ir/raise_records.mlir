// raise becomes one call of a run-time function with records on the stack, then the function's error exit.
// RUN: %opt %s --np-loops | FileCheck %s

// CHECK-DAG: llvm.mlir.global internal constant @raising.text0("builtins.ValueError")
// CHECK-DAG: llvm.mlir.global internal constant @raising.text1("negative")
// CHECK-DAG: func.func private @sc_raise(!llvm.ptr, !llvm.ptr, i64) attributes {passthrough = ["cold"]}
// CHECK-LABEL: func.func @raising
// Call, its two arguments: three records of four slots.
// CHECK: arith.constant 12 : i64
// CHECK: llvm.alloca
// CHECK: %[[N:.*]] = arith.constant 3 : i64
// CHECK: call @sc_raise({{.*}}, {{.*}}, %[[N]])
// CHECK: cond_br %true
np.func @raising(%x: f64) attributes {alias = "noalias"} {
  np.raise %x : f64 {tree = [#np.result_call<"builtins.ValueError", [#np.py<"str", "negative">, 0], "">]}
  np.return
}
