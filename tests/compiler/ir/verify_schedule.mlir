// RUN: %opt %s --split-input-file --verify-diagnostics --np-verify=level=scheduled

np.func @good(%a: !np.array<s0 x s1 x f64, C>, %b: !np.array<s0 x f64, C>) {
  np.nest [#np.dim<s0>, #np.dim<s1>] reduced 1 reads(%a) [[#np.dim<d0>, #np.dim<d1>]] writes(%b) [[#np.dim<d0>]]
      combine ["add"] order ["any"] groups [0, 1] : (!np.array<s0 x s1 x f64, C>, !np.array<s0 x f64, C>) -> () {
  ^bb0(%x: f64):
    np.nest_yield %x : f64
  }
  np.return
}

// -----

np.func @no_order(%a: !np.array<s0 x f64, C>) {
  // expected-error@+1 {{needs an order of 1 parallel iterators}}
  np.nest [#np.dim<s0>] reduced 0 reads() [] writes(%a) [[#np.dim<d0>]] combine [""] : (!np.array<s0 x f64, C>) -> () {
    %x = np.const 1.0 : f64
    np.nest_yield %x : f64
  }
  np.return
}

// -----

np.func @no_groups(%a: !np.array<s0 x f64, C>) {
  // expected-error@+1 {{needs groups of 1 accesses}}
  np.nest [#np.dim<s0>] reduced 0 reads() [] writes(%a) [[#np.dim<d0>]] combine [""] order ["up"] groups [0, 1] : (!np.array<s0 x f64, C>) -> () {
    %x = np.const 1.0 : f64
    np.nest_yield %x : f64
  }
  np.return
}

// -----

np.func @map_rank(%a: !np.array<s0 x f64, C>) {
  // expected-error@+1 {{has a map of 2 indices into an array of rank 1}}
  np.nest [#np.dim<s0>] reduced 0 reads() [] writes(%a) [[#np.dim<d0>, #np.dim<0>]] combine [""] order ["any"] groups [0] : (!np.array<s0 x f64, C>) -> () {
    %x = np.const 1.0 : f64
    np.nest_yield %x : f64
  }
  np.return
}

// -----

np.func @iterator(%a: !np.array<s0 x f64, C>) {
  // expected-error@+1 {{uses symbol d1, which is not bound here}}
  np.nest [#np.dim<s0>] reduced 0 reads() [] writes(%a) [[#np.dim<d1>]] combine [""] order ["any"] groups [0] : (!np.array<s0 x f64, C>) -> () {
    %x = np.const 1.0 : f64
    np.nest_yield %x : f64
  }
  np.return
}

// -----

np.func @reduced_write(%a: !np.array<s0 x f64, C>) {
  // expected-error@+1 {{reduces into an element whose index depends on the reduction iterators}}
  np.nest [#np.dim<s0>] reduced 1 reads() [] writes(%a) [[#np.dim<d0>]] combine ["add"] order [] groups [0] : (!np.array<s0 x f64, C>) -> () {
    %x = np.const 1.0 : f64
    np.nest_yield %x : f64
  }
  np.return
}

// -----

np.func @check_inside(%a: !np.array<s0 x f64, C>) {
  np.nest [#np.dim<s0>] reduced 0 reads() [] writes(%a) [[#np.dim<d0>]] combine [""] order ["any"] groups [0] : (!np.array<s0 x f64, C>) -> () {
    // expected-error@+1 {{is not allowed inside a nest, whose body is scalar}}
    np.require "eq" [#np.dim<s0>, #np.dim<3>] "ValueError" "no" []
    %x = np.const 1.0 : f64
    np.nest_yield %x : f64
  }
  np.return
}

// -----

np.func @value_left(%a: !np.pyfloat) {
  // expected-error@+1 {{is not allowed at the level scheduled of the IR}}
  %x = np.splat %a : !np.pyfloat to tensor<3xf64, #np.dims<3>>
  np.return
}
