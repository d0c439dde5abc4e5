// The first example, stage by stage: x = 20.0; b = foo(x); print(b), with foo(x) = np.sqrt(x).
// Each stage reads the text that the one before has printed.
//
// The captured text round-trips.
// RUN: %opt %s -o %t.capture && %opt %t.capture | diff %t.capture -
// RUN: FileCheck %s --check-prefix=CAPTURE --input-file=%t.capture
//
// The caller has no arguments: np-specialise leaves it as it is.
// RUN: %opt %t.capture --np-specialise -o %t.specialise
// RUN: diff %t.capture %t.specialise
//
// The cast at the call shows once the callee is inlined.
// RUN: %opt %t.specialise --np-inline -o %t.inline
// RUN: FileCheck %s --check-prefix=INLINE --input-file=%t.inline
//
// The cast has become an identity.
// RUN: %opt %t.inline --np-infer -o %t.infer
// RUN: FileCheck %s --check-prefix=INFER --input-file=%t.infer
//
// And is erased.
// RUN: %opt %t.infer --np-simplify -o %t.simplify
// RUN: FileCheck %s --check-prefix=SIMPLIFY --input-file=%t.simplify
//
// All stages in one run print the same.
// RUN: %opt %s --np-specialise --np-inline --np-infer --np-simplify | diff %t.simplify -

// CAPTURE-LABEL: np.func @main()
// CAPTURE-NEXT: %[[C:.*]] = np.const 2.000000e+01 : !np.pyfloat
// CAPTURE-NEXT: %[[B:.*]] = np.call @foo(%[[C]]) : (!np.pyfloat) -> tensor<*x!np.any>
// CAPTURE-NEXT: np.print %[[B]] : tensor<*x!np.any>
// CAPTURE-LABEL: np.func private @foo(%arg0: tensor<*x!np.any>) -> tensor<*x!np.any>
// CAPTURE-NEXT: %[[R:.*]] = np.call @numpy.sqrt(%arg0)
// CAPTURE-NEXT: np.return %[[R]]

// INLINE-LABEL: np.func @main()
// INLINE-NEXT: %[[C:.*]] = np.const 2.000000e+01 : !np.pyfloat
// INLINE-NEXT: %[[X:.*]] = np.cast %[[C]] : !np.pyfloat to tensor<*x!np.any>
// INLINE-NEXT: %[[R:.*]] = np.ufunc "sqrt"(%[[X]]) : (tensor<*x!np.any>) -> tensor<*x!np.any>
// INLINE-NEXT: np.print %[[R]] : tensor<*x!np.any>
// INLINE-NOT: @foo

// INFER-LABEL: np.func @main()
// INFER-NEXT: %[[C:.*]] = np.const 2.000000e+01 : !np.pyfloat
// INFER-NEXT: %[[X:.*]] = np.cast %[[C]] : !np.pyfloat to !np.pyfloat
// INFER-NEXT: %[[R:.*]] = np.ufunc "sqrt"(%[[X]]) loop "d->d" : (!np.pyfloat) -> f64
// INFER-NEXT: np.print %[[R]] : f64
// INFER-NEXT: np.return
// INFER-NOT: !np.any

// SIMPLIFY-LABEL: np.func @main()
// SIMPLIFY-NEXT: %[[C:.*]] = np.const 2.000000e+01 : !np.pyfloat
// SIMPLIFY-NEXT: %[[R:.*]] = np.ufunc "sqrt"(%[[C]]) loop "d->d" : (!np.pyfloat) -> f64
// SIMPLIFY-NEXT: np.print %[[R]] : f64
// SIMPLIFY-NEXT: np.return
// SIMPLIFY-NOT: np.cast
np.func @main() -> tensor<*x!np.any> attributes {alias = "noalias", arg_names = [], hints = [], signature = []} {
  %0 = np.const 20.0 : !np.pyfloat
  %1 = np.call @foo(%0) : (!np.pyfloat) -> tensor<*x!np.any>
  np.print %1 : tensor<*x!np.any>
  %2 = np.const #np.py<"none", ""> : !np.static
  %3 = np.cast %2 : !np.static to tensor<*x!np.any>
  np.return %3 : tensor<*x!np.any>
}
np.func private @foo(%arg0: tensor<*x!np.any>) -> tensor<*x!np.any> attributes {arg_names = ["x"]} {
  %0 = np.call @numpy.sqrt(%arg0) : (tensor<*x!np.any>) -> tensor<*x!np.any>
  np.return %0 : tensor<*x!np.any>
}
