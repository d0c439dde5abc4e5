// RUN: %opt %s | %opt | FileCheck %s

// CHECK-LABEL: np.func @empty
np.func @empty(%n: !np.pyint, %c: i1) {
  np.symbol "k0" = %n
  np.for "i0" = #np.dim<0> to #np.dim<k0> step #np.dim<1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    np.print
    // CHECK: np.next(){{ *$}}
    np.next()
  }
  np.for "i0" = #np.dim<0> to #np.dim<k0> step #np.dim<1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    // CHECK: np.next() while %{{.*}} : i1
    np.next() while %c : i1
  }
  %r = np.for "i0" = #np.dim<0> to #np.dim<k0> step #np.dim<1> iter(%n) : (!np.pyint) -> !np.pyint {
  ^bb0(%i: !np.pyint, %m: !np.pyint):
    // CHECK: np.next(%{{.*}}) while %{{.*}} : i1 : !np.pyint
    np.next(%m) while %c : i1 : !np.pyint
  }
  np.return
}
