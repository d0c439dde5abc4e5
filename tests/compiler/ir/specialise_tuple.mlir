// np-specialise: the call's types are cast onto the untyped parameters.
// RUN: %opt %s --np-specialise | FileCheck %s

!any = tensor<*x!np.any>

// f(p, flag) called with ((an array, an int), True): the items are parameters, the flag is static.
// CHECK-LABEL: np.func @items
// CHECK-SAME: (%[[A:.*]]: !np.array<s0 x f64, C>, %[[N:.*]]: !np.pyint, %{{.*}}: !np.static)
// CHECK-NEXT: %[[X:.*]] = np.cast %[[A]] : !np.array<s0 x f64, C> to tensor<*x!np.any>
// CHECK-NEXT: %[[Y:.*]] = np.cast %[[N]] : !np.pyint to tensor<*x!np.any>
// CHECK-NEXT: %[[C:.*]] = np.const true : !np.static
// CHECK-NEXT: %[[FLAG:.*]] = np.cast %[[C]]
// CHECK-NEXT: %[[P:.*]] = np.tuple(%[[X]], %[[Y]])
// CHECK-NEXT: np.getitem %[[P]][%[[FLAG]]]
np.func @items(%p: !any, %flag: !any) -> !any attributes {alias = "noalias", arg_names = ["p", "flag"], hints = [array<i64: 8>, 2, unit], signature = [!np.array<s0 x f64, C>, !np.pyint, true], structure = #np.call_structure<"(..).">} {
  %0 = np.getitem %p[%flag] : (!any, !any) -> !any
  np.return %0 : !any
}

// A function without parameters stays as it is.
// CHECK-LABEL: np.func @none() -> tensor<*x!np.any>
// CHECK-NEXT: np.const 1 : !np.pyint
// CHECK-NEXT: np.cast
// CHECK-NEXT: np.return
np.func @none() -> !any attributes {alias = "noalias", arg_names = [], hints = [], signature = []} {
  %0 = np.const 1 : !np.pyint
  %1 = np.cast %0 : !np.pyint to !any
  np.return %1 : !any
}
