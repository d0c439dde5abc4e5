// RUN: %opt %s --np-nests --np-fuse --np-reuse | FileCheck %s

!A = !np.array<s0 x f64, C>
!v = tensor<?xf64, #np.dims<s0>>
!M = !np.array<s0 x s1 x f64, C>
!m = tensor<?x?xf64, #np.dims<s0, s1>>

// (a * a).sum(): the product is computed in the reduction's nest, the result is a scalar.
// CHECK-LABEL: np.func @sum_squares
// CHECK-NEXT: %[[S:.*]] = np.nest [#np.dim<s0>, #np.dim<s1>] reduced 2 reads(%arg0) {{\[}}[#np.dim<d0>, #np.dim<d1>]] writes() [] combine ["add"] : {{.*}} -> f64
// CHECK-NEXT: ^bb0(%[[X:.*]]: f64):
// CHECK-NEXT: %[[P:.*]] = np.ufunc "multiply"(%[[X]], %[[X]])
// CHECK-NEXT: np.nest_yield %[[P]]
// CHECK: np.return %[[S]]
np.func @sum_squares(%a: !M) -> f64 attributes {alias = "noalias"} {
  %x = np.read %a : !M to !m
  %0 = np.ufunc "multiply"(%x, %x) loop "dd->d" : (!m, !m) -> !m
  %1 = np.reduce "add"(%0) [0, 1] : (!m) -> f64
  np.return %1 : f64
}

// a.sum(axis=0): the kept axis comes first in the space.
// CHECK-LABEL: np.func @columns
// CHECK: np.nest [#np.dim<s1>, #np.dim<s0>] reduced 1 reads(%arg0) {{\[}}[#np.dim<d1>, #np.dim<d0>]] writes(%{{.*}}) {{\[}}[#np.dim<d0>]] combine ["add"]
np.func @columns(%a: !M) -> !np.array<s1 x f64, C> attributes {alias = "noalias"} {
  %x = np.read %a : !M to !m
  %1 = np.reduce "add"(%x) [0] : (!m) -> tensor<?xf64, #np.dims<s1>>
  %2 = np.materialize %1 : tensor<?xf64, #np.dims<s1>> to !np.array<s1 x f64, C>
  np.return %2 : !np.array<s1 x f64, C>
}

// The mean's division is a scalar operation outside.
// CHECK-LABEL: np.func @centre
// CHECK: %[[S:.*]] = np.nest {{.*}} reduced 1
// CHECK: %[[M:.*]] = np.ufunc "divide"(%[[S]], %{{.*}}) {{.*}} -> f64
// CHECK: np.nest {{.*}} reduced 0 reads(%arg0)
// CHECK: np.ufunc "subtract"(%{{.*}}, %[[M]])
np.func @centre(%a: !A) -> !A attributes {alias = "noalias"} {
  %x = np.read %a : !A to !v
  %s = np.reduce "add"(%x) [0] : (!v) -> f64
  %n = np.size #np.dim<s0>
  %m = np.ufunc "divide"(%s, %n) loop "dd->d" : (f64, !np.pyint) -> f64
  %d = np.ufunc "subtract"(%x, %m) loop "dd->d" : (!v, f64) -> !v
  %r = np.materialize %d : !v to !A
  np.return %r : !A
}

// Softmax: the row maxima and sums are stored, the exponentials are computed once, and summed as they are stored;
// the quotient is stored over them.
// CHECK-LABEL: np.func @softmax
// CHECK: %[[MAX:.*]] = np.alloc : <s0 x 1 x f64, C>
// CHECK: np.nest [#np.dim<s0>, #np.dim<s1>] reduced 1 reads(%arg0) {{.*}} writes(%[[MAX]]) {{\[}}[#np.dim<d0>, #np.dim<0>]] combine ["maximum"]
// CHECK: %[[E:.*]] = np.alloc : <s0 x s1 x f64, C>
// CHECK: %[[SUM:.*]] = np.alloc : <s0 x 1 x f64, C>
// CHECK: np.nest [#np.dim<s0>, #np.dim<s1>] reduced 1 reads(%arg0, %[[MAX]]) {{.*}} writes(%[[E]], %[[SUM]])
// CHECK-SAME: combine ["", "add"]
// CHECK: %[[EXP:.*]] = np.ufunc "exp"
// CHECK: np.nest_yield %[[EXP]], %[[EXP]]
// CHECK-NOT: np.alloc
// CHECK: np.nest [#np.dim<s0>, #np.dim<s1>] reduced 0 reads(%[[E]], %[[SUM]]) {{.*}} writes(%[[E]])
// CHECK: np.ufunc "divide"
// CHECK: np.return %[[E]]
np.func @softmax(%a: !M) -> !M attributes {alias = "noalias", guards = [#np.guard<s1 ">=" 1, 2>]} {
  %x = np.read %a : !M to !m
  %0 = np.reduce "maximum"(%x) [1] keepdims : (!m) -> tensor<?x1xf64, #np.dims<s0, 1>>
  %1 = np.broadcast %0 : tensor<?x1xf64, #np.dims<s0, 1>> to !m
  %2 = np.ufunc "subtract"(%x, %1) loop "dd->d" : (!m, !m) -> !m
  %e = np.ufunc "exp"(%2) loop "d->d" : (!m) -> !m
  %3 = np.reduce "add"(%e) [1] keepdims : (!m) -> tensor<?x1xf64, #np.dims<s0, 1>>
  %4 = np.broadcast %3 : tensor<?x1xf64, #np.dims<s0, 1>> to !m
  %5 = np.ufunc "divide"(%e, %4) loop "dd->d" : (!m, !m) -> !m
  %r = np.materialize %5 : !m to !M
  np.return %r : !M
}

// Products are calls of BLAS; their result is an operand as any other, or returned.
// CHECK-LABEL: np.func @products
// CHECK: %[[P:.*]] = np.alloc : <s0 x f64, C>
// CHECK: np.gemm %arg0, %arg1 to %[[P]]
// CHECK: np.nest {{.*}} reads(%[[P]])
// CHECK: %[[D:.*]] = np.gemm %arg1, %arg1 : {{.*}} -> f64
// CHECK: np.return %{{.*}}, %[[D]]
np.func @products(%a: !M, %b: !np.array<s1 x f64, C>) -> (!A, f64) attributes {alias = "noalias"} {
  %p = np.matmul %a, %b : (!M, !np.array<s1 x f64, C>) -> !v
  %q = np.ufunc "tanh"(%p) loop "d->d" : (!v) -> !v
  %r = np.materialize %q : !v to !A
  %d = np.matmul %b, %b : (!np.array<s1 x f64, C>, !np.array<s1 x f64, C>) -> f64
  np.return %r, %d : !A, f64
}
