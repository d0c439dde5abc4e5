// RUN: %opt --np-place-loops %s | FileCheck %s

!V = !np.array<s0 x f64, C, "cuda:0">
!M = !np.array<s0 x s1 x f64, C, "cuda:0">

// Independent iterations, of both loops: a thread an element.
// CHECK-LABEL: np.func @both(
// CHECK: np.for "i"{{.*}}placement = "kernel"
// CHECK: np.for "j"{{.*}}placement = "columns"
np.func @both(%x: !M) attributes {arg_names = ["x"]} {
  np.for "i" = #np.dim<0> to #np.dim<s0> step #np.dim<1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    np.for "j" = #np.dim<0> to #np.dim<s1> step #np.dim<1> iter() : () -> () {
    ^bb1(%j: !np.pyint):
      %0 = np.load %x [#np.dim<i>, #np.dim<j>] : !M to f64
      %1 = np.ufunc "multiply"(%0, %0) loop "dd->d" : (f64, f64) -> f64
      np.store %1 to %x [#np.dim<i>, #np.dim<j>] : f64, !M
      np.next ()
    }
    np.next ()
  }
  np.return
}

// Each element depends on the one before: by the host, on a copy.
// CHECK-LABEL: np.func @recurrence(
// CHECK: np.for "i"{{.*}}placement = "host"
np.func @recurrence(%x: !V) attributes {arg_names = ["x"]} {
  np.for "i" = #np.dim<1> to #np.dim<s0> step #np.dim<1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    %0 = np.load %x [#np.dim<i - 1>] : !V to f64
    np.store %0 to %x [#np.dim<i>] : f64, !V
    np.next ()
  }
  np.return
}

// The host runs loops of kernels.
// CHECK-LABEL: np.func @steps(
// CHECK: np.for "t"
// CHECK-NOT: placement
// CHECK: np.for "i"{{.*}}placement = "kernel"
np.func @steps(%x: !V, %n: !np.pyint) attributes {arg_names = ["x", "n"]} {
  np.for "t" = #np.dim<0> to #np.dim<n1> step #np.dim<1> iter() : () -> () {
  ^bb0(%t: !np.pyint):
    np.for "i" = #np.dim<0> to #np.dim<s0> step #np.dim<1> iter() : () -> () {
    ^bb1(%i: !np.pyint):
      %0 = np.load %x [#np.dim<i>] : !V to f64
      %1 = np.ufunc "multiply"(%0, %0) loop "dd->d" : (f64, f64) -> f64
      np.store %1 to %x [#np.dim<i>] : f64, !V
      np.next ()
    }
    np.next ()
  }
  np.return
}

// Nothing to place in a loop over the host's arrays.
// CHECK-LABEL: np.func @of_the_host(
// CHECK-NOT: placement
np.func @of_the_host(%x: !np.array<s0 x f64, C>) attributes {arg_names = ["x"]} {
  np.for "i" = #np.dim<0> to #np.dim<s0> step #np.dim<1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    %0 = np.load %x [#np.dim<i>] : !np.array<s0 x f64, C> to f64
    np.store %0 to %x [#np.dim<i>] : f64, !np.array<s0 x f64, C>
    np.next ()
  }
  np.return
}
