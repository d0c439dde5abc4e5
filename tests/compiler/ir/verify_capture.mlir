// RUN: %opt %s --split-input-file --verify-diagnostics --np-verify=level=captured

np.func @good(%a: tensor<*x!np.any>) -> tensor<*x!np.any> {
  %k = np.const 2 : !np.pyint
  %r = np.pyop "add"(%a, %k) : (tensor<*x!np.any>, !np.pyint) -> tensor<*x!np.any>
  np.return %r : tensor<*x!np.any>
}

// -----

np.func @typed(%a: tensor<*x!np.any>) -> tensor<*x!np.any> {
  // expected-error@+1 {{has a value of type 'tensor<*xf64>' before types are inferred}}
  %b = np.cast %a : tensor<*x!np.any> to tensor<*xf64>
  np.return %a : tensor<*x!np.any>
}

// -----

np.func @too_early(%a: tensor<*x!np.any>) -> tensor<*x!np.any> {
  // expected-error@+1 {{is not allowed at the level captured of the IR}}
  %n = np.size #np.dim<4>
  np.return %a : tensor<*x!np.any>
}

// -----

// expected-error@unknown {{has no source location}}
np.func @nowhere(%a: tensor<*x!np.any>) -> tensor<*x!np.any> {
  np.return %a : tensor<*x!np.any>
} loc(unknown)

// -----

np.func @returns(%a: tensor<*x!np.any>) -> tensor<*x!np.any> {
  // expected-error@+1 {{returns other types than its function declares}}
  np.return
}
