// np-masked-sums: a gather by a boolean mask is fused into the sum of its result.
// RUN: %opt %s --np-masked-sums | FileCheck %s

!A = !np.array<s0 x f64, C>
!v = tensor<?xf64, #np.dims<s0>>
!K = !np.array<k0 x f64, C>
!k = tensor<?xf64, #np.dims<k0>>
!Mask = !np.array<s0 x i1, C>
!mask = tensor<?xi1, #np.dims<s0>>

// x[x > 0].sum(): no array holds x[x > 0].
// CHECK-LABEL: np.func @sum
// CHECK: %[[MASK:.*]] = np.materialize
// CHECK-NOT: np.alloc
// CHECK: %[[SUM:.*]] = np.native "masked_sum_float64" writes 0(%arg0, %[[MASK]],
// CHECK-NOT: np.reduce
// CHECK: np.return %[[SUM]]
np.func @sum(%x: !A) -> f64 attributes {alias = "noalias"} {
  %0 = np.const 0 : !np.pyint
  %1 = np.read %x : !A to !v
  %2 = np.ufunc "greater"(%1, %0) loop "dd->?" : (!v, !np.pyint) -> !mask
  %3 = np.materialize %2 : !mask to !Mask
  %4 = np.native "count" writes 0(%3) {notes = ["{0}: float64[s0]", "{1}: bool[s0]"]} : (!Mask) -> !np.pyint
  np.symbol "k0" = %4
  np.require "ge" [#np.dim<k0>, #np.dim<0>] "ValueError" "negative dimensions are not allowed" [] {notes = ["{0}: float64[s0]", "{1}: bool[s0]"]}
  %5 = np.alloc : !K
  %6 = np.native "gather_mask" writes 1(%5, %x, %3) {notes = ["{0}: float64[s0]", "{1}: bool[s0]"]} : (!K, !A, !Mask) -> !np.pyint
  %7 = np.read %5 : !K to !k
  %8 = np.reduce "add"(%7) [0] : (!k) -> f64
  np.return %8 : f64
}

// x[x > 0] is returned too: it is stored, and its sum reads it.
// CHECK-LABEL: np.func @returned
// CHECK: np.native "gather_mask"
// CHECK-NOT: np.native "masked_sum_float64"
// CHECK: np.reduce "add"
np.func @returned(%x: !A) -> (f64, !K) attributes {alias = "noalias"} {
  %0 = np.const 0 : !np.pyint
  %1 = np.read %x : !A to !v
  %2 = np.ufunc "greater"(%1, %0) loop "dd->?" : (!v, !np.pyint) -> !mask
  %3 = np.materialize %2 : !mask to !Mask
  %4 = np.native "count" writes 0(%3) {notes = ["{0}: float64[s0]", "{1}: bool[s0]"]} : (!Mask) -> !np.pyint
  np.symbol "k0" = %4
  np.require "ge" [#np.dim<k0>, #np.dim<0>] "ValueError" "negative dimensions are not allowed" [] {notes = ["{0}: float64[s0]", "{1}: bool[s0]"]}
  %5 = np.alloc : !K
  %6 = np.native "gather_mask" writes 1(%5, %x, %3) {notes = ["{0}: float64[s0]", "{1}: bool[s0]"]} : (!K, !A, !Mask) -> !np.pyint
  %7 = np.read %5 : !K to !k
  %8 = np.reduce "add"(%7) [0] : (!k) -> f64
  np.return %8, %5 : f64, !K
}
