// RUN: %opt --np-verify=level=typed --split-input-file --verify-diagnostics %s

// One operation works on one device.
!h = tensor<?xf64, #np.dims<s0>>
!d = tensor<?xf64, #np.dims<s0, "cuda:0">>
np.func @mixed(%x: !np.array<s0 x f64, C>, %y: !np.array<s0 x f64, C, "cuda:0">) {
  %0 = np.read %x : !np.array<s0 x f64, C> to !h
  %1 = np.read %y : !np.array<s0 x f64, C, "cuda:0"> to !d
  // expected-error @+1 {{has operands on cpu and cuda:0}}
  %2 = np.ufunc "add"(%0, %1) loop "dd->d" : (!h, !d) -> !d
  np.return
}

// -----

np.func @moved(%x: !np.array<s0 x f64, C, "cuda:1">) {
  // expected-error @+1 {{has operands on cuda:1 and cuda:0}}
  %0 = np.view %x [#np.dim<0>] [#np.dim<1>] [0] : !np.array<s0 x f64, C, "cuda:1"> to !np.array<s0 x f64, C, "cuda:0">
  np.return
}

// -----

np.func @carried(%x: !np.array<s0 x f64, C>, %y: !np.array<s0 x f64, C, "cuda:0">, %c: i1) {
  // expected-error @+1 {{passes '!np.array<s0 x f64, C, "cuda:0">' as '!np.array<s0 x f64, C>' (yielded values)}}
  %0 = np.if %c : (i1) -> !np.array<s0 x f64, C> {
    np.yield %x : !np.array<s0 x f64, C>
  } else {
    np.yield %y : !np.array<s0 x f64, C, "cuda:0">
  }
  np.return
}
