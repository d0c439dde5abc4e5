// np-loops: what np.native names is a function of the run time, and returns what that does.
// RUN: %opt %s --split-input-file --verify-diagnostics --np-loops

np.func @unknown(%a: !np.array<s0 x f64, C>) {
  // expected-error@+1 {{internal error: the run time has no function sc_no_such_function}}
  %0 = np.native "no_such_function" writes 1(%a) : (!np.array<s0 x f64, C>) -> !np.pyint
  np.return
}

// -----

np.func @other_result(%a: !np.array<s0 x f64, C>) -> !np.pyfloat {
  // expected-error@+1 {{internal error: sc_sort returns 'i64'}}
  %0 = np.native "sort" writes 1(%a) : (!np.array<s0 x f64, C>) -> !np.pyfloat
  np.return %0 : !np.pyfloat
}
