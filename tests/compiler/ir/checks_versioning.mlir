// np-checks: proved bounds checks are eliminated, affine ones are hoisted by loop versioning, others stay.
// RUN: %opt %s --np-checks | FileCheck %s

// CHECK-LABEL: np.func @proved
// CHECK-NOT: np.require
// CHECK: np.load %{{.*}} [#np.dim<i>]
// CHECK-NOT: np.if
np.func @proved(%a: !np.array<s0 x f64, C>) -> f64 {
  %z = np.const 0.0 : f64
  %r = np.for "i" = <0> to <s0> step <1> iter(%z) : (f64) -> (f64) {
  ^bb0(%i: !np.pyint, %s: f64):
    np.require "index" [#np.dim<i>, #np.dim<s0>] "IndexError" "index {0} is out of bounds" [#np.dim<i>]
    %x = np.load %a [#np.dim<wrap(i, s0)>] : !np.array<s0 x f64, C> to f64
    %t = np.ufunc "add"(%s, %x) loop "dd->d" : (f64, f64) -> f64
    np.next (%t) : f64
  }
  np.return %r : f64
}

// The trip count is an argument: the clone without checks runs where all indices are in bounds.
// CHECK-LABEL: np.func @versioned
// CHECK: %[[C:.*]] = np.all_hold [{{.*}}#np.guard<s0 - k0 ">=" 0, 0>]
// CHECK: np.if %[[C]]
// CHECK: np.for
// CHECK-NOT: np.require
// CHECK: np.load %{{.*}} [#np.dim<i>]
// CHECK: else
// CHECK: np.for
// CHECK: np.require
// CHECK: np.load %{{.*}} [#np.dim<wrap(i, s0)>]
np.func @versioned(%a: !np.array<s0 x f64, C>, %n: !np.pyint) -> f64 {
  np.symbol "k0" = %n
  %z = np.const 0.0 : f64
  %r = np.for "i" = <0> to <k0> step <1> iter(%z) : (f64) -> (f64) {
  ^bb0(%i: !np.pyint, %s: f64):
    np.require "index" [#np.dim<i>, #np.dim<s0>] "IndexError" "index {0} is out of bounds" [#np.dim<i>]
    %x = np.load %a [#np.dim<wrap(i, s0)>] : !np.array<s0 x f64, C> to f64
    %t = np.ufunc "add"(%s, %x) loop "dd->d" : (f64, f64) -> f64
    np.next (%t) : f64
  }
  np.return %r : f64
}

// Nested loops are versioned once, at the outer loop, with the extremes of the inner bounds; `break` too.
// CHECK-LABEL: np.func @nested
// CHECK: np.all_hold
// CHECK: np.for "i"
// CHECK-NOT: np.all_hold
// CHECK-NOT: np.require
// CHECK: else
// CHECK: np.require
// CHECK: np.require
// CHECK-NOT: np.all_hold
np.func @nested(%a: !np.array<s0 x s1 x f64, C>, %n: !np.pyint, %m: !np.pyint) {
  np.symbol "n" = %n
  np.symbol "m" = %m
  %one = np.const 1.0 : f64
  np.for "i" = <1> to <n - 1> step <1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    np.for "j" = <i> to <m> step <1> iter() : () -> () {
    ^bb1(%j: !np.pyint):
      np.require "index" [#np.dim<i + 1>, #np.dim<s0>] "IndexError" "axis 0" []
      np.require "index" [#np.dim<j - 1>, #np.dim<s1>] "IndexError" "axis 1" []
      np.store %one to %a [#np.dim<wrap(i + 1, s0)>, #np.dim<wrap(j - 1, s1)>] : f64, !np.array<s0 x s1 x f64, C>
      %old = np.load %a [#np.dim<0>, #np.dim<0>] : !np.array<s0 x s1 x f64, C> to f64
      %go = np.ufunc "less"(%old, %one) loop "dd->?" : (f64, f64) -> i1
      np.next () while %go : i1
    }
    np.next ()
  }
  np.return
}

// An index that depends on data is checked in each iteration.
// CHECK-LABEL: np.func @data
// CHECK-NOT: np.all_hold
// CHECK: np.require
np.func @data(%a: !np.array<s0 x f64, C>, %n: !np.pyint) {
  np.symbol "n" = %n
  %one = np.const 1 : !np.pyint
  %x = np.const 1.0 : f64
  %r = np.for "i" = <0> to <n> step <1> iter(%one) : (!np.pyint) -> (!np.pyint) {
  ^bb0(%i: !np.pyint, %p: !np.pyint):
    np.symbol "p" = %p
    np.require "index" [#np.dim<p>, #np.dim<s0>] "IndexError" "index {0} is out of bounds" [#np.dim<p>]
    np.store %x to %a [#np.dim<wrap(p, s0)>] : f64, !np.array<s0 x f64, C>
    %q = np.pyop "mul"(%p, %p) : (!np.pyint, !np.pyint) -> !np.pyint
    np.next (%q) : !np.pyint
  }
  np.return
}
