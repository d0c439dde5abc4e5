// RUN: %opt %s --np-nests | FileCheck %s

!A = !np.array<s0 x f64, C>
!v = tensor<?xf64, #np.dims<s0>>
!M = !np.array<s0 x s1 x f64, C>
!m = tensor<?x?xf64, #np.dims<s0, s1>>

// x * x + 2 * x: one nest, one read, no temporary.
// CHECK-LABEL: np.func @polynomial
// CHECK: %[[R:.*]] = np.alloc : <s0 x f64, C>
// CHECK-NEXT: np.nest [#np.dim<s0>] reduced 0 reads(%arg0) {{\[}}[#np.dim<d0>]] writes(%[[R]]) {{\[}}[#np.dim<d0>]] combine [""]
// CHECK-NEXT: ^bb0(%[[X:.*]]: f64):
// CHECK-NEXT: %[[P:.*]] = np.ufunc "multiply"(%[[X]], %[[X]]) loop "dd->d" : (f64, f64) -> f64
// CHECK-NEXT: %[[Q:.*]] = np.ufunc "multiply"(%{{.*}}, %[[X]]) loop "dd->d" : (!np.pyfloat, f64) -> f64
// CHECK-NEXT: %[[S:.*]] = np.ufunc "add"(%[[P]], %[[Q]])
// CHECK-NEXT: np.nest_yield %[[S]] : f64
// CHECK: np.return %[[R]]
np.func @polynomial(%a: !A) -> !A attributes {alias = "noalias"} {
  %two = np.const 2.0 : !np.pyfloat
  %x = np.read %a : !A to !v
  %0 = np.ufunc "multiply"(%x, %x) loop "dd->d" : (!v, !v) -> !v
  %1 = np.ufunc "multiply"(%two, %x) loop "dd->d" : (!np.pyfloat, !v) -> !v
  %2 = np.ufunc "add"(%0, %1) loop "dd->d" : (!v, !v) -> !v
  %r = np.materialize %2 : !v to !A
  np.return %r : !A
}

// Broadcasts are maps: a size that is 1 reads element 0, one that may be 1 multiplies its index by bcast(size).
// CHECK-LABEL: np.func @broadcast
// CHECK: np.nest [#np.dim<s0>, #np.dim<s1>] reduced 0 reads(%arg0, %arg1)
// CHECK-SAME: {{\[}}[#np.dim<d0>, #np.dim<0>], [#np.dim<d1 * bcast(s2)>]]
np.func @broadcast(%c: !np.array<s0 x 1 x f64, C>, %r: !np.array<s2 x f64, C>, %o: !M) attributes {alias = "noalias"} {
  %0 = np.read %c : !np.array<s0 x 1 x f64, C> to tensor<?x1xf64, #np.dims<s0, 1>>
  %1 = np.read %r : !np.array<s2 x f64, C> to tensor<?xf64, #np.dims<s2>>
  %2 = np.broadcast %0 : tensor<?x1xf64, #np.dims<s0, 1>> to !m
  %3 = np.broadcast %1 : tensor<?xf64, #np.dims<s2>> to !m
  %4 = np.ufunc "add"(%2, %3) loop "dd->d" : (!m, !m) -> !m
  np.assign %4 to %o : !m, !M
  np.return
}

// A broadcast that repeats a costly value: the value is stored first. A cheap one is recomputed.
// CHECK-LABEL: np.func @repeated
// CHECK: %[[T:.*]] = np.alloc : <s1 x f64, C>
// CHECK: np.nest [#np.dim<s1>] reduced 0 reads(%arg1) {{.*}} writes(%[[T]])
// CHECK: np.ufunc "exp"
// CHECK: np.nest [#np.dim<s0>, #np.dim<s1>] reduced 0 reads(%arg0, %[[T]], %arg1) {{.*}}[#np.dim<d1>], [#np.dim<d1>]]
// CHECK: np.ufunc "negative"
np.func @repeated(%a: !M, %r: !np.array<s1 x f64, C>) attributes {alias = "noalias"} {
  %0 = np.read %a : !M to !m
  %1 = np.read %r : !np.array<s1 x f64, C> to tensor<?xf64, #np.dims<s1>>
  %2 = np.ufunc "exp"(%1) loop "d->d" : (tensor<?xf64, #np.dims<s1>>) -> tensor<?xf64, #np.dims<s1>>
  %3 = np.ufunc "negative"(%1) loop "d->d" : (tensor<?xf64, #np.dims<s1>>) -> tensor<?xf64, #np.dims<s1>>
  %4 = np.broadcast %2 : tensor<?xf64, #np.dims<s1>> to !m
  %5 = np.broadcast %3 : tensor<?xf64, #np.dims<s1>> to !m
  %6 = np.ufunc "multiply"(%0, %4) loop "dd->d" : (!m, !m) -> !m
  %7 = np.ufunc "add"(%6, %5) loop "dd->d" : (!m, !m) -> !m
  np.assign %7 to %a : !m, !M
  np.return
}

// Scalars and positions: a splat is the scalar itself, iota the iterator.
// CHECK-LABEL: np.func @positions
// CHECK: %[[S:.*]] = np.load
// CHECK: np.nest [#np.dim<s0>] reduced 0 reads() [] writes
// CHECK-NEXT: %[[I:.*]] = np.index 0
// CHECK-NEXT: %[[D:.*]] = np.cast %[[I]] : !np.pyint to f64
// CHECK-NEXT: np.ufunc "add"(%[[D]], %[[S]])
np.func @positions(%a: !A) -> !A attributes {alias = "noalias"} {
  %s = np.load %a [#np.dim<0>] : !A to f64
  %0 = np.iota 0 : !v
  %1 = np.splat %s : f64 to !v
  %2 = np.ufunc "add"(%0, %1) loop "dd->d" : (!v, !v) -> !v
  %3 = np.materialize %2 : !v to !A
  np.return %3 : !A
}

// A store to an operand precedes the use of the expression: the expression is computed before the store.
// CHECK-LABEL: np.func @overwritten
// CHECK: %[[T:.*]] = np.alloc
// CHECK: np.nest {{.*}} reads(%arg0) {{.*}} writes(%[[T]])
// CHECK: np.ufunc "negative"
// CHECK: np.store {{.*}} to %arg0
// CHECK: np.nest {{.*}} reads(%[[T]]) {{.*}} writes(%arg1)
// CHECK: np.ufunc "square"
np.func @overwritten(%a: !A, %b: !A) attributes {alias = "noalias"} {
  %z = np.const 0.0 : f64
  %x = np.read %a : !A to !v
  %0 = np.ufunc "negative"(%x) loop "d->d" : (!v) -> !v
  np.store %z to %a [#np.dim<0>] : f64, !A
  %1 = np.ufunc "square"(%0) loop "d->d" : (!v) -> !v
  np.assign %1 to %b : !v, !A
  np.return
}

// The same store to another array does not matter.
// CHECK-LABEL: np.func @elsewhere
// CHECK-NOT: np.alloc
// CHECK: np.store {{.*}} to %arg1
// CHECK-NEXT: np.nest {{.*}} reads(%arg0) {{.*}} writes(%arg1)
np.func @elsewhere(%a: !A, %b: !A) attributes {alias = "noalias"} {
  %z = np.const 0.0 : f64
  %x = np.read %a : !A to !v
  %0 = np.ufunc "negative"(%x) loop "d->d" : (!v) -> !v
  np.store %z to %b [#np.dim<0>] : f64, !A
  np.assign %0 to %b : !v, !A
  np.return
}

// A value that is computed outside a loop and used inside is stored once, outside.
// CHECK-LABEL: np.func @loop
// CHECK: %[[T:.*]] = np.alloc
// CHECK: np.nest {{.*}} writes(%[[T]])
// CHECK: np.for
// CHECK: np.nest {{.*}} reads(%arg1, %[[T]]) {{.*}} writes(%arg1)
// CHECK-NOT: np.ufunc "negative"
np.func @loop(%a: !A, %b: !A) attributes {alias = "noalias"} {
  %x = np.read %a : !A to !v
  %0 = np.ufunc "negative"(%x) loop "d->d" : (!v) -> !v
  np.for "i0" = #np.dim<0> to #np.dim<9> step #np.dim<1> iter() : () -> () {
  ^bb0(%i: !np.pyint):
    %y = np.read %b : !A to !v
    %1 = np.ufunc "add"(%y, %0) loop "dd->d" : (!v, !v) -> !v
    np.assign %1 to %b : !v, !A
    np.next ()
  }
  np.return
}

// Operations on scalars stay outside of nests.
// CHECK-LABEL: np.func @numbers
// CHECK-NEXT: np.ufunc "sqrt"
// CHECK-NEXT: np.return
np.func @numbers(%x: f64) -> f64 attributes {alias = "noalias"} {
  %0 = np.ufunc "sqrt"(%x) loop "d->d" : (f64) -> f64
  np.return %0 : f64
}
