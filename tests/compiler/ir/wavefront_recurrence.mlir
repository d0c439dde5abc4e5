// np-wavefront: recurrences over two axes are skewed, and four rows run at once.
// RUN: %opt %s --np-wavefront | FileCheck %s

!M = !np.array<s0 x s1 x f64, C>

// a[i, j] = a[i - 1, j] + a[i, j - 1]: each row one column after the row above.
// CHECK-LABEL: np.func @both_axes
// CHECK: np.for "i0" = <1> to <s0 - 3> step <4>
// CHECK: np.for "i1" = <4> to <s1>
// CHECK: np.store %{{.*}} to %arg0 [#np.dim<i0>, #np.dim<i1>]
// CHECK: np.store %{{.*}} to %arg0 [#np.dim<i0 + 1>, #np.dim<i1 - 1>]
// CHECK: np.store %{{.*}} to %arg0 [#np.dim<i0 + 2>, #np.dim<i1 - 2>]
// CHECK: np.store %{{.*}} to %arg0 [#np.dim<i0 + 3>, #np.dim<i1 - 3>]
// The remaining rows.
// CHECK: np.for "i0" = <4 * floordiv(max(0, s0 - 1), 4) + 1> to <s0> step <1>
np.func @both_axes(%a: !M) attributes {alias = "noalias"} {
  np.for "i0" = <1> to <s0> step <1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    np.for "i1" = <1> to <s1> step <1> iter() : () -> () {
    ^bb0(%j: !np.pyint):
      %0 = np.load %a [#np.dim<i0 - 1>, #np.dim<i1>] : !M to f64
      %1 = np.load %a [#np.dim<i0>, #np.dim<i1 - 1>] : !M to f64
      %2 = np.ufunc "add"(%0, %1) loop "dd->d" : (f64, f64) -> f64
      np.store %2 to %a [#np.dim<i0>, #np.dim<i1>] : f64, !M
      np.next()
    }
    np.next()
  }
  np.return
}

// a[i, j] = a[i - 1, j] + a[i - 1, j + 1]: the elements of a row are independent of each other.
// CHECK-LABEL: np.func @rows_above
// CHECK: np.for "i0" = <1> to <s0> step <1>
// CHECK-NOT: step <4>
// CHECK: np.return
np.func @rows_above(%a: !M) attributes {alias = "noalias"} {
  np.for "i0" = <1> to <s0> step <1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    np.for "i1" = <1> to <s1 - 1> step <1> iter() : () -> () {
    ^bb0(%j: !np.pyint):
      %0 = np.load %a [#np.dim<i0 - 1>, #np.dim<i1>] : !M to f64
      %1 = np.load %a [#np.dim<i0 - 1>, #np.dim<i1 + 1>] : !M to f64
      %2 = np.ufunc "add"(%0, %1) loop "dd->d" : (f64, f64) -> f64
      np.store %2 to %a [#np.dim<i0>, #np.dim<i1>] : f64, !M
      np.next()
    }
    np.next()
  }
  np.return
}
