// print becomes one call of a run-time function with records on the stack: sep, end, file, flush, then
// the values.
// RUN: %opt %s --np-loops | FileCheck %s

// CHECK-DAG: llvm.mlir.global internal constant @printing.text0("-")
// CHECK-DAG: llvm.mlir.global internal constant @printing.text1("\0A")
// CHECK-DAG: llvm.mlir.global internal constant @printing.text2("stderr")
// CHECK-DAG: func.func private @sc_print(!llvm.ptr, !llvm.ptr, i64) -> i32
// CHECK-LABEL: func.func @printing
// sep, end, file, flush, tuple, x, None: seven records of four slots.
// CHECK: arith.constant 28 : i64
// CHECK: llvm.alloca
// CHECK: %[[N:.*]] = arith.constant 7 : i64
// CHECK: %[[STATUS:.*]] = {{.*}}call @sc_print({{.*}}, {{.*}}, %[[N]])
// CHECK: cmpi ne, %[[STATUS]]
// CHECK: cond_br
np.func @printing(%x: f64) attributes {alias = "noalias"} {
  np.print %x : f64 {sep = "-", file = "stderr", flush = true, tree = [[0, #np.py<"none", "">]]}
  np.return
}
