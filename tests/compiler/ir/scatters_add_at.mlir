// np-scatters: the bounds checks of np.add.at(a, indices, values) are sunk into its loop.
// RUN: %opt %s --np-scatters | FileCheck %s

!X = !np.array<s0 x f64, C>
!I = !np.array<s1 x si64, C>
!Y = !np.array<s1 x f64, C>

// The array is the function's own: what was stored before an error is lost with it.
// CHECK-LABEL: np.func @fresh
// CHECK-NOT: check_indices
// CHECK: np.for "i1"
// CHECK: np.symbol "[[K:index.*]]" =
// CHECK: np.require "index" [#np.dim<[[K]]>, #np.dim<s0>] "IndexError"
// CHECK-NOT: np.if
// CHECK: np.size <wrap([[K]], s0)>
// CHECK: np.store
np.func @fresh(%n: !np.pyint, %indices: !I, %values: !Y) -> !X attributes {alias = "noalias"} {
  np.symbol "s0" = %n
  %a = np.alloc : !X
  %axis = np.const 1 : !np.pyint
  %zero = np.const 0 : !np.pyint
  %0 = np.native "check_indices" writes 0(%a, %axis, %zero, %indices) raises "IndexError" "index {0} is out of bounds for axis {1} with size {2}" : (!X, !np.pyint, !np.pyint, !I) -> !np.pyint
  np.for "i1" = <0> to <s1> step <1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    %k = np.load %indices [#np.dim<i1>] : !I to si64
    %size = np.size <s0>
    %given = np.cast %k : si64 to !np.pyint
    %negative = np.pyop "lt"(%given, %zero) : (!np.pyint, !np.pyint) -> !np.pybool
    %wrapped = np.if %negative : (!np.pybool) -> !np.pyint {
      %sum = np.pyop "add"(%given, %size) : (!np.pyint, !np.pyint) -> !np.pyint
      np.yield %sum : !np.pyint
    } else {
      np.yield %given : !np.pyint
    }
    np.symbol "w1" = %wrapped
    %old = np.load %a [#np.dim<w1>] : !X to f64
    %x = np.load %values [#np.dim<i1>] : !Y to f64
    %new = np.ufunc "add"(%old, %x) loop "dd->d" : (f64, f64) -> f64
    np.store %new to %a [#np.dim<w1>] : f64, !X
    np.next()
  }
  np.return %a : !X
}

// The caller's array must stay as it is where an index is out of bounds: all are checked before.
// CHECK-LABEL: np.func @argument
// CHECK: check_indices
// CHECK: np.for "i1"
// CHECK-NOT: np.require
// CHECK: np.return
np.func @argument(%a: !X, %indices: !I, %values: !Y) attributes {alias = "noalias"} {
  %axis = np.const 1 : !np.pyint
  %zero = np.const 0 : !np.pyint
  %0 = np.native "check_indices" writes 0(%a, %axis, %zero, %indices) raises "IndexError" "index {0} is out of bounds for axis {1} with size {2}" : (!X, !np.pyint, !np.pyint, !I) -> !np.pyint
  np.for "i1" = <0> to <s1> step <1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    %k = np.load %indices [#np.dim<i1>] : !I to si64
    %size = np.size <s0>
    %given = np.cast %k : si64 to !np.pyint
    %negative = np.pyop "lt"(%given, %zero) : (!np.pyint, !np.pyint) -> !np.pybool
    %wrapped = np.if %negative : (!np.pybool) -> !np.pyint {
      %sum = np.pyop "add"(%given, %size) : (!np.pyint, !np.pyint) -> !np.pyint
      np.yield %sum : !np.pyint
    } else {
      np.yield %given : !np.pyint
    }
    np.symbol "w1" = %wrapped
    %old = np.load %a [#np.dim<w1>] : !X to f64
    %x = np.load %values [#np.dim<i1>] : !Y to f64
    %new = np.ufunc "add"(%old, %x) loop "dd->d" : (f64, f64) -> f64
    np.store %new to %a [#np.dim<w1>] : f64, !X
    np.next()
  }
  np.return
}
