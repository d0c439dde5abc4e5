// RUN: %opt %s --split-input-file --verify-diagnostics --np-verify=level=loops

func.func @good(%a: i64) -> i64 {
  %b = arith.addi %a, %a : i64
  return %b : i64
}

// -----

func.func @left_over() {
  // expected-error@+1 {{is not allowed at the level loops of the IR}}
  %n = np.size #np.dim<4>
  return
}
