// RUN: %opt %s --np-simplify | FileCheck %s

// The worked example: an identity cast, and a ufunc of a constant.
// CHECK-LABEL: np.func @foo
// CHECK-NEXT: %[[C:.*]] = np.const 2.000000e+01 : !np.pyfloat
// CHECK-NEXT: %[[R:.*]] = np.ufunc "sqrt"(%[[C]]) loop "d->d" : (!np.pyfloat) -> f64
// CHECK-NEXT: np.return %[[R]] : f64
np.func @foo() -> f64 {
  %c = np.const 20.0 : !np.pyfloat
  %2 = np.cast %c : !np.pyfloat to !np.pyfloat
  %3 = np.ufunc "sqrt"(%2) loop "d->d" : (!np.pyfloat) -> f64
  %4 = np.cast %3 : f64 to f64
  np.return %4 : f64
}

!A = !np.array<s0 x f64, C>
!v = tensor<?xf64, #np.dims<s0>>

// Unnamed temporaries are values; x ** 2 is a square; the view of all of `a` is `a`; equal reads are one.
// CHECK-LABEL: np.func @chain
// CHECK-NEXT: %[[X:.*]] = np.read %arg0
// CHECK-NEXT: %[[S:.*]] = np.ufunc "square"(%[[X]]) loop "d->d"
// CHECK-NEXT: %[[R:.*]] = np.ufunc "add"(%[[S]], %[[X]]) loop "dd->d"
// CHECK-NEXT: np.assign %[[R]] to %arg0
// CHECK-NEXT: np.return
np.func @chain(%a: !A) attributes {alias = "noalias"} {
  %two = np.const 2 : !np.pyint
  %x = np.read %a : !A to !v
  %p = np.ufunc "power"(%x, %two) loop "dd->d" : (!v, !np.pyint) -> !v
  %m = np.materialize %p : !v to !A
  %r = np.read %m : !A to !v
  %w = np.view %a [#np.dim<0>] [#np.dim<1>] [0] : !A to !A
  %x2 = np.read %w : !A to !v
  %b = np.broadcast %x2 : !v to !v
  %q = np.ufunc "add"(%r, %b) loop "dd->d" : (!v, !v) -> !v
  np.assign %q to %w : !v, !A
  np.return
}

// A read after a store is not a common subexpression. An array of exponents goes through pow.
// CHECK-LABEL: np.func @reads
// CHECK: %[[X:.*]] = np.read %arg0
// CHECK: %[[P:.*]] = np.ufunc "power"(%[[X]],
// CHECK: np.assign %[[P]] to %arg0
// CHECK: %[[Y:.*]] = np.read %arg0
// CHECK: %[[R:.*]] = np.ufunc "sqrt"(%[[Y]]) loop "d->d"
// CHECK: np.assign %[[R]] to %arg0
np.func @reads(%a: !A) attributes {alias = "noalias"} {
  %half = np.const 0.5 : !np.pyfloat
  %x = np.read %a : !A to !v
  %h = np.splat %half : !np.pyfloat to !v
  %p = np.ufunc "power"(%x, %h) loop "dd->d" : (!v, !v) -> !v
  np.assign %p to %a : !v, !A
  %y = np.read %a : !A to !v
  %q = np.ufunc "power"(%y, %half) loop "dd->d" : (!v, !np.pyfloat) -> !v
  np.assign %q to %a : !v, !A
  np.return
}

// Requires that hold for constants are erased, others stay; an array that is only written is erased with its stores.
// CHECK-LABEL: np.func @checks
// CHECK-NOT: np.require "ge" {{.*}}<3>
// CHECK: np.require "ge" [#np.dim<s0>, #np.dim<3>]
// CHECK-NOT: np.alloc
// CHECK: np.return
np.func @checks(%a: !A) attributes {alias = "noalias"} {
  np.require "ge" [#np.dim<s0 + 1>, #np.dim<s0>] "ValueError" "never" []
  np.require "index" [#np.dim<-3>, #np.dim<3>] "IndexError" "never" []
  np.require "ge" [#np.dim<s0>, #np.dim<3>] "ValueError" "short" []
  %d = np.alloc : !np.array<s0 x f64, C>
  %w = np.view %d [#np.dim<1>] [#np.dim<1>] [0] : !A to !np.array<s0 - 1 x f64, C>
  %z = np.const 0.0 : f64
  np.store %z to %w [#np.dim<0>] : f64, !np.array<s0 - 1 x f64, C>
  np.return
}

// Loads of a view of the whole array use the array; a returned view is another object.
// CHECK-LABEL: np.func @whole_views
// CHECK-NEXT: %[[V:.*]] = np.view %arg0
// CHECK-NEXT: %[[X:.*]] = np.load %arg0
// CHECK-NEXT: np.return %[[V]], %[[X]]
np.func @whole_views(%a: !np.array<s0 x f64, C>) -> (!np.array<s0 x f64, C>, f64) attributes {alias = "noalias"} {
  %0 = np.view %a [#np.dim<0>] [#np.dim<1>] [0] : !np.array<s0 x f64, C> to !np.array<s0 x f64, C>
  %1 = np.view %a [#np.dim<0>] [#np.dim<1>] [0] : !np.array<s0 x f64, C> to !np.array<s0 x f64, C>
  %2 = np.load %1 [#np.dim<0>] : !np.array<s0 x f64, C> to f64
  np.return %0, %2 : !np.array<s0 x f64, C>, f64
}
