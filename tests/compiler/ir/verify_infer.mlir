// RUN: %opt %s --split-input-file --verify-diagnostics --np-verify=level=typed

// Arguments bind their symbols, np.symbol and np.for more; a loop's result has a size bound from the loop.
np.func @good(%a: !np.array<s0 x f64, C>, %b: !np.array<s0 - 2 x f64, C>, %n: !np.pyint) -> !np.array<k6 x f64, C> {
  np.symbol "k3" = %n
  %v = np.view %a [#np.dim<1>] [#np.dim<1>] [0] : !np.array<s0 x f64, C> to !np.array<s0 - 2 x f64, C>
  %x = np.read %v : !np.array<s0 - 2 x f64, C> to tensor<?xf64, #np.dims<s0 - 2>>
  %y = np.read %b : !np.array<s0 - 2 x f64, C> to tensor<?xf64, #np.dims<s0 - 2>>
  %z = np.ufunc "add"(%x, %y) loop "dd->d" : (tensor<?xf64, #np.dims<s0 - 2>>, tensor<?xf64, #np.dims<s0 - 2>>) -> tensor<?xf64, #np.dims<s0 - 2>>
  np.assign %z to %v : tensor<?xf64, #np.dims<s0 - 2>>, !np.array<s0 - 2 x f64, C>
  %size = np.size #np.dim<s0>
  %r:2 = np.for "i4" = #np.dim<0> to #np.dim<k3> step #np.dim<1> iter(%a, %size) : (!np.array<s0 x f64, C>, !np.pyint) -> (!np.array<k6 x f64, C>, !np.pyint) {
  ^bb0(%i: !np.pyint, %c: !np.array<k5 x f64, C>, %cn: !np.pyint):
    np.symbol "k5" = %cn
    np.require "index" [#np.dim<i4>, #np.dim<k5>] "IndexError" "index {0}" [#np.dim<i4>]
    %e = np.load %c [#np.dim<wrap(i4, k5)>] : !np.array<k5 x f64, C> to f64
    np.next(%c, %cn) : !np.array<k5 x f64, C>, !np.pyint
  }
  np.symbol "k6" = %r#1
  np.return %r#0 : !np.array<k6 x f64, C>
}

// -----

np.func @left_over(%a: !np.array<s0 x f64, C>) {
  // expected-error@+1 {{is not allowed at the level typed of the IR}}
  %r = np.attr %a "T" : (!np.array<s0 x f64, C>) -> tensor<*x!np.any>
  np.return
}

// -----

np.func @untyped(%k: !np.pyint) {
  // expected-error@+1 {{has a value whose type was not inferred}}
  %r = np.pyop "add"(%k, %k) : (!np.pyint, !np.pyint) -> tensor<*x!np.any>
  np.return
}

// -----

np.func @unbound(%a: !np.array<s0 x f64, C>) {
  // expected-error@+1 {{uses symbol s1, which is not bound here}}
  %e = np.load %a [#np.dim<s0 - s1>] : !np.array<s0 x f64, C> to f64
  np.return
}

// -----

np.func @out_of_scope(%a: !np.array<s0 x f64, C>) {
  np.for "i1" = #np.dim<0> to #np.dim<s0> step #np.dim<1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    %e = np.load %a [#np.dim<i1>] : !np.array<s0 x f64, C> to f64
    np.next()
  }
  // expected-error@+1 {{uses symbol i1, which is not bound here}}
  %e = np.load %a [#np.dim<i1>] : !np.array<s0 x f64, C> to f64
  np.return
}

// -----

np.func @iterator_outside(%a: !np.array<s0 x f64, C>) {
  // expected-error@+1 {{uses symbol d0, which is not bound here}}
  %e = np.load %a [#np.dim<d0>] : !np.array<s0 x f64, C> to f64
  np.return
}

// -----

np.func @unbound_type(%a: !np.array<s0 x f64, C>) {
  // expected-error@+1 {{uses symbol k1, which is not bound here}}
  %b = np.alloc : !np.array<k1 x f64, C>
  np.return
}

// -----

np.func @twice(%n: !np.pyint) {
  np.symbol "k1" = %n
  // expected-error@+1 {{binds symbol k1, which is bound already}}
  np.symbol "k1" = %n
  np.return
}

// -----

np.func @not_broadcast(%a: !np.array<s0 x f64, C>, %b: !np.array<1 x f64, C>) {
  %x = np.read %a : !np.array<s0 x f64, C> to tensor<?xf64, #np.dims<s0>>
  %y = np.read %b : !np.array<1 x f64, C> to tensor<1xf64, #np.dims<1>>
  // expected-error@+1 {{has an operand of type 'tensor<1xf64, #np.dims<1>>' for a result of type}}
  %z = np.ufunc "add"(%x, %y) loop "dd->d" : (tensor<?xf64, #np.dims<s0>>, tensor<1xf64, #np.dims<1>>) -> tensor<?xf64, #np.dims<s0>>
  np.return
}

// -----

np.func @shape_and_dims(%a: !np.pyfloat) {
  // expected-error@+1 {{whose sizes and #np.dims disagree}}
  %x = np.splat %a : !np.pyfloat to tensor<?xf64, #np.dims<3>>
  np.return
}

// -----

np.func @rank_zero(%a: !np.pyfloat) {
  // expected-error@+1 {{only rank 1 and above are values}}
  %x = np.splat %a : !np.pyfloat to tensor<f64>
  np.return
}

// -----

np.func @carried_value(%a: !np.array<s0 x f64, C>) {
  %x = np.read %a : !np.array<s0 x f64, C> to tensor<?xf64, #np.dims<s0>>
  // expected-error@+1 {{passes on an array value: materialise it}}
  %r = np.for "i1" = #np.dim<0> to #np.dim<3> step #np.dim<1> iter(%x) : (tensor<?xf64, #np.dims<s0>>) -> tensor<?xf64, #np.dims<s0>> {
  ^bb0(%i: !np.pyint, %c: tensor<?xf64, #np.dims<s0>>):
    // expected-error@+1 {{passes on an array value: materialise it}}
    np.next(%c) : tensor<?xf64, #np.dims<s0>>
  }
  np.return
}
