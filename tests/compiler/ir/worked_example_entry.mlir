// foo(x) = np.sqrt(x), called from Python with 20.0: the cast is at the entry.
// RUN: %opt %s -o %t.capture && %opt %t.capture | diff %t.capture -
// RUN: %opt %t.capture --np-specialise -o %t.specialise
// RUN: FileCheck %s --check-prefix=SPECIALISE --input-file=%t.specialise
// RUN: %opt %t.specialise --np-inline -o %t.inline
// RUN: FileCheck %s --check-prefix=INLINE --input-file=%t.inline
// RUN: %opt %t.inline --np-infer -o %t.infer
// RUN: FileCheck %s --check-prefix=INFER --input-file=%t.infer
// RUN: %opt %t.infer --np-simplify -o %t.simplify
// RUN: FileCheck %s --check-prefix=SIMPLIFY --input-file=%t.simplify

// SPECIALISE-LABEL: np.func @foo(%arg0: !np.pyfloat) -> tensor<*x!np.any>
// SPECIALISE-NEXT: %[[X:.*]] = np.cast %arg0 : !np.pyfloat to tensor<*x!np.any>
// SPECIALISE-NEXT: %[[R:.*]] = np.call @numpy.sqrt(%[[X]]) : (tensor<*x!np.any>) -> tensor<*x!np.any>
// SPECIALISE-NEXT: np.return %[[R]] : tensor<*x!np.any>

// INLINE-LABEL: np.func @foo(%arg0: !np.pyfloat) -> tensor<*x!np.any>
// INLINE-NEXT: %[[X:.*]] = np.cast %arg0 : !np.pyfloat to tensor<*x!np.any>
// INLINE-NEXT: %[[R:.*]] = np.ufunc "sqrt"(%[[X]]) : (tensor<*x!np.any>) -> tensor<*x!np.any>
// INLINE-NEXT: np.return %[[R]] : tensor<*x!np.any>

// INFER-LABEL: np.func @foo(%arg0: !np.pyfloat) -> f64
// INFER-NEXT: %[[X:.*]] = np.cast %arg0 : !np.pyfloat to !np.pyfloat
// INFER-NEXT: %[[R:.*]] = np.ufunc "sqrt"(%[[X]]) loop "d->d" : (!np.pyfloat) -> f64
// INFER-NEXT: np.return %[[R]] : f64

// SIMPLIFY-LABEL: np.func @foo(%arg0: !np.pyfloat) -> f64
// SIMPLIFY-NEXT: %[[R:.*]] = np.ufunc "sqrt"(%arg0) loop "d->d" : (!np.pyfloat) -> f64
// SIMPLIFY-NEXT: np.return %[[R]] : f64
np.func @foo(%arg0: tensor<*x!np.any>) -> tensor<*x!np.any> attributes {alias = "noalias", arg_names = ["x"], hints = [unit], signature = [!np.pyfloat]} {
  %0 = np.call @numpy.sqrt(%arg0) : (tensor<*x!np.any>) -> tensor<*x!np.any>
  np.return %0 : tensor<*x!np.any>
}
