// A value of unknown type prints as it was written, twice.
// RUN: %opt %s | %opt | FileCheck %s

// CHECK-LABEL: func.func @unknown(
// CHECK-SAME: tensor<*x!np.any>
func.func @unknown(%x: tensor<*x!np.any>) -> tensor<*x!np.any> {
  return %x : tensor<*x!np.any>
}
