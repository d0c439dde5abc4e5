// np-outer-vectorise: loops around loops of differing trip counts.
// RUN: %opt %s --np-outer-vectorise | FileCheck %s

!A = !np.array<s0 x f64, C>

// z = 0; while k < limit and z < 4: z = z * z + c[j]; k += 1. out[j] = k
// CHECK-LABEL: np.func @escape_times
// CHECK: np.for "i0" {{.*}} attributes {outer_vector}
np.func @escape_times(%c: !A, %limit: !np.pyint) -> !A attributes {alias = "noalias"} {
  %zero = np.const 0.0 : f64
  %four = np.const 4.0 : f64
  %none = np.const 0 : !np.pyint
  %one = np.const 1 : !np.pyint
  %out = np.alloc : !A
  np.for "i0" = <0> to <s0> step <1> iter() : () -> () {
  ^bb0(%j: !np.pyint):
    %z:2 = np.while iter(%zero, %none) : (f64, !np.pyint) -> (f64, !np.pyint) {
    ^bb0(%a: f64, %k: !np.pyint):
      %0 = np.pyop "lt"(%k, %limit) : (!np.pyint, !np.pyint) -> !np.pybool
      %1 = np.if %0 : (!np.pybool) -> !np.pybool {
        %2 = np.ufunc "less"(%a, %four) loop "dd->?" : (f64, f64) -> i1
        %3 = np.cast %2 : i1 to !np.pybool
        np.yield %3 : !np.pybool
      } else {
        np.yield %0 : !np.pybool
      }
      np.test %1 : !np.pybool
    } do {
    ^bb0(%a: f64, %k: !np.pyint):
      %0 = np.ufunc "multiply"(%a, %a) loop "dd->d" : (f64, f64) -> f64
      %1 = np.load %c [#np.dim<i0>] : !A to f64
      %2 = np.ufunc "add"(%0, %1) loop "dd->d" : (f64, f64) -> f64
      %3 = np.pyop "add"(%k, %one) nowrap : (!np.pyint, !np.pyint) -> !np.pyint
      np.next(%2, %3) : f64, !np.pyint
    }
    %count = np.cast %z#1 : !np.pyint to f64
    np.store %count to %out [#np.dim<i0>] : f64, !A
    np.next()
  }
  np.return %out : !A
}

// z starts with the value that the iteration before has left: the inner loop is part of the recurrence.
// CHECK-LABEL: np.func @carried
// CHECK-NOT: outer_vector
// CHECK: np.return
np.func @carried(%c: !A, %limit: !np.pyint) -> !A attributes {alias = "noalias"} {
  %zero = np.const 0.0 : f64
  %four = np.const 4.0 : f64
  %none = np.const 0 : !np.pyint
  %one = np.const 1 : !np.pyint
  %out = np.alloc : !A
  %last = np.for "i0" = <0> to <s0> step <1> iter(%zero) : (f64) -> f64 {
  ^bb0(%j: !np.pyint, %start: f64):
    %z:2 = np.while iter(%start, %none) : (f64, !np.pyint) -> (f64, !np.pyint) {
    ^bb0(%a: f64, %k: !np.pyint):
      %0 = np.pyop "lt"(%k, %limit) : (!np.pyint, !np.pyint) -> !np.pybool
      %1 = np.if %0 : (!np.pybool) -> !np.pybool {
        %2 = np.ufunc "less"(%a, %four) loop "dd->?" : (f64, f64) -> i1
        %3 = np.cast %2 : i1 to !np.pybool
        np.yield %3 : !np.pybool
      } else {
        np.yield %0 : !np.pybool
      }
      np.test %1 : !np.pybool
    } do {
    ^bb0(%a: f64, %k: !np.pyint):
      %0 = np.ufunc "multiply"(%a, %a) loop "dd->d" : (f64, f64) -> f64
      %1 = np.load %c [#np.dim<i0>] : !A to f64
      %2 = np.ufunc "add"(%0, %1) loop "dd->d" : (f64, f64) -> f64
      %3 = np.pyop "add"(%k, %one) nowrap : (!np.pyint, !np.pyint) -> !np.pyint
      np.next(%2, %3) : f64, !np.pyint
    }
    %count = np.cast %z#1 : !np.pyint to f64
    np.store %count to %out [#np.dim<i0>] : f64, !A
    np.next(%z#0) : f64
  }
  np.return %out : !A
}
