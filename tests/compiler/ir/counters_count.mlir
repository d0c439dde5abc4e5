// np-counters: integers that only count lose their overflow checks.
// RUN: %opt %s --np-counters | FileCheck %s

!A = !np.array<s0 x f64, C>

// n += 1 where a[i] > 0
// CHECK-LABEL: np.func @count
// CHECK: np.pyop "add"(%{{.*}}, %{{.*}}) nowrap
np.func @count(%a: !A) -> !np.pyint attributes {alias = "noalias"} {
  %0 = np.const 0 : !np.pyint
  %1 = np.for "i0" = <0> to <s0> step <1> iter(%0) : (!np.pyint) -> !np.pyint {
  ^bb0(%i: !np.pyint, %n: !np.pyint):
    %2 = np.load %a [#np.dim<i0>] : !A to f64
    %3 = np.ufunc "greater"(%2, %0) loop "dd->?" : (f64, !np.pyint) -> i1
    %4 = np.if %3 : (i1) -> !np.pyint {
      %5 = np.const 1 : !np.pyint
      %6 = np.pyop "add"(%n, %5) : (!np.pyint, !np.pyint) -> !np.pyint
      np.yield %6 : !np.pyint
    } else {
      np.yield %n : !np.pyint
    }
    np.next(%4) : !np.pyint
  }
  np.return %1 : !np.pyint
}

// n += n overflows after 63 iterations.
// CHECK-LABEL: np.func @double
// CHECK: np.pyop "add"
// CHECK-NOT: nowrap
// CHECK: np.return
np.func @double(%a: !A) -> !np.pyint attributes {alias = "noalias"} {
  %0 = np.const 1 : !np.pyint
  %1 = np.for "i0" = <0> to <s0> step <1> iter(%0) : (!np.pyint) -> !np.pyint {
  ^bb0(%i: !np.pyint, %n: !np.pyint):
    %2 = np.pyop "add"(%n, %n) : (!np.pyint, !np.pyint) -> !np.pyint
    np.next(%2) : !np.pyint
  }
  np.return %1 : !np.pyint
}
