// np-snapshots: arrays that a dynamic list holds as copies are not written to afterwards.
// RUN: %opt %s --np-snapshots --split-input-file --verify-diagnostics | FileCheck %s

// a[0] = n; items.append(a): nothing is written to `a` after the append.
// CHECK-LABEL: np.func @unchanged
// CHECK: np.store
// CHECK-NOT: np.snapshot
// CHECK: np.return
np.func @unchanged(%x: f64) attributes {alias = "noalias"} {
  %a = np.alloc : !np.array<3 x f64, C>
  np.store %x to %a [#np.dim<0>] : f64, !np.array<3 x f64, C>
  np.snapshot %a "changed" : !np.array<3 x f64, C>
  np.return
}

// -----

// items.append(a); b[0] = n: the store is to another array.
// CHECK-LABEL: np.func @other
// CHECK-NOT: np.snapshot
// CHECK: np.store
np.func @other(%x: f64) attributes {alias = "noalias"} {
  %a = np.alloc : !np.array<3 x f64, C>
  %b = np.alloc : !np.array<3 x f64, C>
  np.snapshot %a "changed" : !np.array<3 x f64, C>
  np.store %x to %b [#np.dim<0>] : f64, !np.array<3 x f64, C>
  np.return
}

// -----

// items.append(a); a[0] = n: the item of Python's list would change too.
np.func @changed(%x: f64) attributes {alias = "noalias"} {
  %a = np.alloc : !np.array<3 x f64, C>
  np.snapshot %a "changed" : !np.array<3 x f64, C>
  // expected-error @+1 {{changed}}
  np.store %x to %a [#np.dim<0>] : f64, !np.array<3 x f64, C>
  np.return
}

// -----

// for k in range(n): a[0] = x; items.append(a): a later iteration stores.
np.func @changed_in_loop(%n: !np.pyint, %x: f64) attributes {alias = "noalias"} {
  np.symbol "n0" = %n
  %a = np.alloc : !np.array<3 x f64, C>
  np.for "i0" = <0> to <n0> step <1> iter() : () -> () {
  ^bb0(%k: !np.pyint):
    // expected-error @+1 {{changed}}
    np.store %x to %a [#np.dim<0>] : f64, !np.array<3 x f64, C>
    np.snapshot %a "changed" : !np.array<3 x f64, C>
    np.next()
  }
  np.return
}
