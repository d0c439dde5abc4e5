// RUN: %opt %s --split-input-file --verify-diagnostics --np-verify=stage=loops

func.func @good(%a: i64) -> i64 {
  %b = arith.addi %a, %a : i64
  return %b : i64
}

// -----

func.func @left_over() {
  // expected-error@+1 {{does not belong into the IR after np-loops}}
  %n = np.size #np.dim<4>
  return
}
