// np-parallel: loops without loop-carried dependences are marked for threads.
// RUN: %opt %s --np-parallel | FileCheck %s

!M = !np.array<s0 x s1 x f64, C>

// out[i, j] = a[i, j] * 2: of nested loops the outermost.
// CHECK-LABEL: np.func @independent
// CHECK: np.for "i0" = {{.*}} attributes {multithreaded}
// CHECK: np.for "i1" = <0> to <s1> step <1> iter() : () -> ()
np.func @independent(%a: !M) -> !M attributes {alias = "noalias"} {
  %0 = np.alloc : !M
  np.for "i0" = <0> to <s0> step <1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    np.for "i1" = <0> to <s1> step <1> iter() : () -> () {
    ^bb0(%j: !np.pyint):
      %1 = np.load %a [#np.dim<i0>, #np.dim<i1>] : !M to f64
      %2 = np.const 2 : !np.pyint
      %3 = np.ufunc "multiply"(%1, %2) loop "dd->d" : (f64, !np.pyint) -> f64
      np.store %3 to %0 [#np.dim<i0>, #np.dim<i1>] : f64, !M
      np.next()
    }
    np.next()
  }
  np.return %0 : !M
}

// a[i, j] += a[i - 1, j]: a row depends on the one before.
// CHECK-LABEL: np.func @rows_above
// CHECK-NOT: multithreaded
// CHECK: np.return
np.func @rows_above(%a: !M) attributes {alias = "noalias"} {
  np.for "i0" = <1> to <s0> step <1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    np.for "i1" = <0> to <s1> step <1> iter() : () -> () {
    ^bb0(%j: !np.pyint):
      %0 = np.load %a [#np.dim<i0>, #np.dim<i1>] : !M to f64
      %1 = np.load %a [#np.dim<i0 - 1>, #np.dim<i1>] : !M to f64
      %2 = np.ufunc "add"(%0, %1) loop "dd->d" : (f64, f64) -> f64
      np.store %2 to %a [#np.dim<i0>, #np.dim<i1>] : f64, !M
      np.next()
    }
    np.next()
  }
  np.return
}
