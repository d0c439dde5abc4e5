// RUN: %opt --np-kernels --split-input-file --verify-diagnostics %s

!A = !np.array<s0 x f64, C, "cuda:0">
np.func @element(%x: !A) -> f64 attributes {arg_names = ["x"]} {
  // expected-error @+1 {{shapecast.UnsupportedError: access to a single element is not supported on devices yet; work on slices: x[i:i + 1] instead of x[i]}}
  %0 = np.load %x [#np.dim<0>] : !A to f64
  np.return %0 : f64
}

// -----

!M = !np.array<s0 x s0 x f64, C, "cuda:0">
np.func @product(%x: !M, %o: !M) attributes {arg_names = ["x", "o"]} {
  // expected-error @+1 {{shapecast.UnsupportedError: a matrix product is not supported on devices yet}}
  np.gemm %x, %x to %o : (!M, !M, !M) -> ()
  np.return
}

// -----

// Devices have no code for it, and an approximation would not have NumPy's accuracy.
!A = !np.array<s0 x f64, C, "cuda:0">
np.func @exponential(%x: !A) attributes {arg_names = ["x"]} {
  np.nest [#np.dim<s0>] reduced 0 reads(%x) [[#np.dim<d0>]] writes(%x) [[#np.dim<d0>]]
      combine [""] order ["any"] groups [0, 0] : (!A, !A) -> () {
  ^bb0(%p: f64):
    // expected-error @+1 {{shapecast.UnsupportedError: the math function 'tanh' is not supported on devices yet}}
    %e = np.ufunc "tanh"(%p) loop "d->d" : (f64) -> f64
    np.nest_yield %e : f64
  }
  np.return
}

// -----

!A = !np.array<s0 x f64, C, "cuda:0">
np.func @in_order(%x: !A) attributes {arg_names = ["x"]} {
  // expected-error @+1 {{shapecast.UnsupportedError: a store into an array that overlaps itself is not supported on devices yet; store into a copy}}
  np.nest [#np.dim<s0>] reduced 0 reads(%x) [[#np.dim<d0>]] writes(%x) [[#np.dim<d0>]]
      combine [""] order ["up"] groups [0, 0] : (!A, !A) -> () {
  ^bb0(%p: f64):
    np.nest_yield %p : f64
  }
  np.return
}
