// np-wide-integers: products of Python integers of which a part is kept are computed in 128 bits.
// RUN: %opt %s --np-wide-integers | FileCheck %s

// (a * x + c) % m; no constant tells how large a sum of two products is, so that it is checked
// CHECK-LABEL: np.func @remainders
// CHECK: %[[P:.*]] = np.pyop "wide.mul"(%{{.*}}, %{{.*}}) nowrap
// CHECK: %[[S:.*]] = np.pyop "wide.add"(%[[P]], %{{.*}}) nowrap
// CHECK: np.pyop "wide.mod"(%[[S]], %{{.*}})
// CHECK: np.pyop "wide.add"(%{{.*}}, %{{.*}}) :
// CHECK: np.pyop "wide.floordiv"
// CHECK-NOT: "mul"
np.func @remainders(%a: !np.pyint, %x: !np.pyint, %c: !np.pyint, %m: !np.pyint) -> (!np.pyint, !np.pyint) attributes {alias = "noalias"} {
  %0 = np.pyop "mul"(%a, %x) intermediate : (!np.pyint, !np.pyint) -> !np.pyint
  %1 = np.pyop "add"(%0, %c) intermediate : (!np.pyint, !np.pyint) -> !np.pyint
  %2 = np.pyop "mod"(%1, %m) : (!np.pyint, !np.pyint) -> !np.pyint
  %3 = np.pyop "mul"(%a, %c) intermediate : (!np.pyint, !np.pyint) -> !np.pyint
  %4 = np.pyop "mul"(%x, %c) intermediate : (!np.pyint, !np.pyint) -> !np.pyint
  %5 = np.pyop "add"(%3, %4) intermediate : (!np.pyint, !np.pyint) -> !np.pyint
  %6 = np.pyop "floordiv"(%5, %m) : (!np.pyint, !np.pyint) -> !np.pyint
  np.return %2, %6 : !np.pyint, !np.pyint
}

// Below a mask only the low bits count, of any product; a product of three that is divided may not
// fit in 128 bits.
// CHECK-LABEL: np.func @products_of_three
// CHECK: np.pyop "mul"(%{{.*}}, %{{.*}}) intermediate
// CHECK: np.pyop "mod"
// CHECK: np.pyop "wide.mul"(%{{.*}}, %{{.*}}) nowrap
// CHECK: np.pyop "wide.mul"(%{{.*}}, %{{.*}}) nowrap
// CHECK: np.pyop "wide.and"
np.func @products_of_three(%a: !np.pyint, %x: !np.pyint) -> (!np.pyint, !np.pyint) attributes {alias = "noalias"} {
  %0 = np.pyop "mul"(%a, %x) intermediate : (!np.pyint, !np.pyint) -> !np.pyint
  %1 = np.pyop "mul"(%0, %a) intermediate : (!np.pyint, !np.pyint) -> !np.pyint
  %2 = np.pyop "mod"(%1, %x) : (!np.pyint, !np.pyint) -> !np.pyint
  %3 = np.const 255 : !np.pyint
  %4 = np.pyop "mul"(%x, %x) intermediate : (!np.pyint, !np.pyint) -> !np.pyint
  %5 = np.pyop "mul"(%4, %a) intermediate : (!np.pyint, !np.pyint) -> !np.pyint
  %6 = np.pyop "and"(%5, %3) : (!np.pyint, !np.pyint) -> !np.pyint
  np.return %2, %6 : !np.pyint, !np.pyint
}

// A product on which sizes depend keeps its check.
// CHECK-LABEL: np.func @of_sizes
// CHECK: np.pyop "mul"
// CHECK: np.pyop "mod"
np.func @of_sizes(%a: !np.pyint, %m: !np.pyint) -> !np.pyint attributes {alias = "noalias"} {
  %0 = np.pyop "mul"(%a, %a) : (!np.pyint, !np.pyint) -> !np.pyint
  %1 = np.pyop "mod"(%0, %m) : (!np.pyint, !np.pyint) -> !np.pyint
  np.return %1 : !np.pyint
}
