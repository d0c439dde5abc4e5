// RUN: %opt %s | %opt | FileCheck %s

!any = tensor<*x!np.any>

// Functions as values, with and without captured variables; external names.
// CHECK-LABEL: np.func @f
// CHECK: %[[W:.*]] = np.global 0 : tensor<*x!np.any>
// CHECK: %[[G:.*]] = np.closure @g captured(%[[W]] : tensor<*x!np.any>) defaults(%arg0 : tensor<*x!np.any>) : tensor<*x!np.any>
// CHECK: %[[H:.*]] = np.closure @h : tensor<*x!np.any>
// CHECK: np.apply %[[G]](%[[H]], %arg0) kw ["k"] : (tensor<*x!np.any>, tensor<*x!np.any>, tensor<*x!np.any>) -> tensor<*x!np.any>
// CHECK: np.apply %[[H]](%{{.*}}) {starred = array<i64: 0>}
np.func @f(%x: !any) -> !any attributes {hidden = 1 : i64} {
  %w = np.global 0 : !any
  %g = np.closure @g captured(%w : !any) defaults(%x : !any) : !any
  %h = np.closure @h : !any
  %a = np.apply %g(%h, %x) kw ["k"] : (!any, !any, !any) -> !any
  %b = np.apply %h(%a) {starred = array<i64: 0>} : (!any, !any) -> !any
  np.return %b : !any
}
