// RUN: %opt %s --split-input-file --verify-diagnostics --np-verify=level=typed

np.func @view_rank(%a: !np.array<s0 x s1 x f64, C>) {
  // expected-error@+1 {{needs 2 offsets and steps, one per dimension of the base}}
  %v = np.view %a [#np.dim<1>] [#np.dim<1>] [0] : !np.array<s0 x s1 x f64, C> to !np.array<s0 x f64, strided>
  np.return
}

// -----

np.func @view_axes(%a: !np.array<s0 x s1 x f64, C>) {
  // expected-error@+1 {{has axis 1, which is not an axis of the base or is used twice}}
  %v = np.view %a [#np.dim<0>, #np.dim<0>] [#np.dim<1>, #np.dim<1>] [1, 1] : !np.array<s0 x s1 x f64, C> to !np.array<s1 x s1 x f64, strided>
  np.return
}

// -----

np.func @load_rank(%a: !np.array<s0 x s1 x f64, C>) {
  // expected-error@+1 {{has 1 indices of an array of rank 2}}
  %v = np.load %a [#np.dim<1>] : !np.array<s0 x s1 x f64, C> to f64
  np.return
}

// -----

np.func @store_dtype(%a: !np.array<s0 x f64, C>, %x: f32) {
  // expected-error@+1 {{has an element of type 'f32' of an array of 'f64'}}
  np.store %x to %a [#np.dim<0>] : f32, !np.array<s0 x f64, C>
  np.return
}

// -----

np.func @read_dims(%a: !np.array<s0 x s1 x f64, C>) {
  // expected-error@+1 {{has a value of type 'tensor<?xf64, #np.dims<s0>>' and an array of type}}
  %v = np.read %a : !np.array<s0 x s1 x f64, C> to tensor<?xf64, #np.dims<s0>>
  np.return
}

// -----

np.func @readonly(%a: !np.array<s0 x f64, C, readonly>) {
  %v = np.read %a : !np.array<s0 x f64, C, readonly> to tensor<?xf64, #np.dims<s0>>
  // expected-error@+1 {{writes to a read-only array}}
  np.assign %v to %a : tensor<?xf64, #np.dims<s0>>, !np.array<s0 x f64, C, readonly>
  np.return
}

// -----

np.func @carried_dtype(%a: !np.array<s0 x f64, C>, %b: !np.array<s0 x f32, C>, %c: i1) {
  // expected-error@+1 {{passes '!np.array<s0 x f32, C>' as '!np.array<s0 x f64, C>' (yielded values)}}
  %r = np.if %c : (i1) -> !np.array<s0 x f64, C> {
    np.yield %a : !np.array<s0 x f64, C>
  } else {
    np.yield %b : !np.array<s0 x f32, C>
  }
  np.return
}

// -----

np.func @reduce_rank(%a: !np.array<s0 x s1 x f64, C>) {
  %v = np.read %a : !np.array<s0 x s1 x f64, C> to tensor<?x?xf64, #np.dims<s0, s1>>
  // expected-error@+1 {{has no result of rank 1}}
  %r = np.reduce "add"(%v) [0] : (tensor<?x?xf64, #np.dims<s0, s1>>) -> f64
  np.return
}

// -----

np.func @require_kind(%a: !np.array<s0 x f64, C>) {
  // expected-error@+1 {{has no kind named lt}}
  np.require "lt" [#np.dim<s0>, #np.dim<2>] "ValueError" "no" []
  np.return
}

// -----

np.func @reshape_any_layout(%a: !np.array<s0 x s1 x f64, F>) {
  // expected-error@+1 {{needs a result of layout strided, or a 1-D one of layout C}}
  %r = np.reshape_any %a : !np.array<s0 x s1 x f64, F> to !np.array<s1 x s0 x f64, C>
  np.return
}

// -----

np.func @reshape_any_readonly(%a: !np.array<s0 x s1 x f64, F, readonly>) {
  // expected-error@+1 {{changes the dtype or whether it is read-only}}
  %r = np.reshape_any %a : !np.array<s0 x s1 x f64, F, readonly> to !np.array<s1 x s0 x f64, strided>
  np.return
}

// -----

np.func @check_writeable_type(%a: !np.array<s0 x f64, C, readonly>) {
  // expected-error@+1 {{changes more than whether it is read-only}}
  %r = np.check_writeable %a "no" : !np.array<s0 x f64, C, readonly> to !np.array<s0 x f64, strided>
  np.return
}

// -----

np.func @native_result(%n: !np.pyint) {
  // expected-error@+1 {{has a result of type 'f16'}}
  %0 = np.native "draw_normal" writes 0 (%n) : (!np.pyint) -> f16
  np.return
}

// -----

np.func @native_written(%a: !np.array<s0 x f64, C>, %n: !np.pyint) {
  // expected-error@+1 {{has operand 0 of type '!np.pyint'}}
  %0 = np.native "sort" writes 1 (%n, %a) : (!np.pyint, !np.array<s0 x f64, C>) -> !np.pyint
  np.return
}

// -----

np.func @native_count(%a: !np.array<s0 x f64, C>) {
  // expected-error@+1 {{writes more operands than it has}}
  %0 = np.native "sort" writes 2 (%a) : (!np.array<s0 x f64, C>) -> !np.pyint
  np.return
}

// -----

// expected-error@+1 {{attribute 'alias' failed to satisfy constraint: "noalias", or the relations of arguments}}
np.func @alias_kind(%a: f64) attributes {alias = 1} {
  np.return
}

// -----

// expected-error@+1 {{attribute 'result' failed to satisfy constraint: a result tree}}
np.func @result_kind(%a: f64) attributes {result = "0"} {
  np.return
}
