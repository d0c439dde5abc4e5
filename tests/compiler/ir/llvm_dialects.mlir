// np-llvm: functions, branches, loops and arithmetic become the LLVM dialect.
// RUN: %opt %s --np-llvm | FileCheck %s

// CHECK-NOT: {{(arith|cf|scf|func)\.}}
// CHECK-LABEL: llvm.func @sum(%arg0: !llvm.ptr, %arg1: i64) -> f64
// CHECK: llvm.icmp "slt"
// CHECK: llvm.cond_br
// CHECK: llvm.fadd
// CHECK: llvm.return
func.func @sum(%data: !llvm.ptr, %n: i64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %first = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %sum = scf.for %i = %first to %n step %one iter_args(%s = %zero) -> (f64) : i64 {
    %p = llvm.getelementptr %data[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    %x = llvm.load %p : !llvm.ptr -> f64
    %t = arith.addf %s, %x : f64
    scf.yield %t : f64
  }
  return %sum : f64
}

// What is in the LLVM dialect stays as it is.
// CHECK-LABEL: llvm.func @twice(%arg0: f64) -> f64 {
// CHECK-NEXT: %[[X:.*]] = llvm.fadd %arg0, %arg0 : f64
// CHECK-NEXT: llvm.return %[[X]] : f64
llvm.func @twice(%x: f64) -> f64 {
  %0 = llvm.fadd %x, %x : f64
  llvm.return %0 : f64
}
