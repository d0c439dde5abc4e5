// np-inline: callees are inlined.
// RUN: %opt %s --np-inline | FileCheck %s

!any = tensor<*x!np.any>

// def g(y, z=2): return y * z. The call g(x) takes the default, g(x, z=3) the keyword.
// CHECK-LABEL: np.func @twice
// CHECK-NOT: np.apply
// CHECK-NOT: np.closure
// CHECK: %[[DEFAULT:.*]] = np.cast %{{.*}} : !np.pyint to
// CHECK: %[[A:.*]] = np.pyop "mul"(%{{.*}}, %[[DEFAULT]])
// CHECK: %[[THREE:.*]] = np.const 3
// CHECK: %[[GIVEN:.*]] = np.cast %[[THREE]] : !np.pyint to
// CHECK: %[[B:.*]] = np.pyop "mul"(%{{.*}}, %[[GIVEN]])
// CHECK: np.pyop "add"(%[[A]], %[[B]])
// CHECK-NOT: @g(
np.func @twice(%x: !np.array<s0 x f64, C>) -> !any attributes {alias = "noalias", arg_names = ["x"]} {
  %0 = np.cast %x : !np.array<s0 x f64, C> to !any
  %two = np.const 2 : !np.pyint
  %g = np.closure @g defaults(%two : !np.pyint) : !any
  %1 = np.apply %g(%0) : (!any, !any) -> !any
  %three = np.const 3 : !np.pyint
  %2 = np.apply %g(%0, %three) kw ["z"] : (!any, !any, !np.pyint) -> !any
  %3 = np.pyop "add"(%1, %2) : (!any, !any) -> !any
  np.return %3 : !any
}
np.func private @g(%y: !any, %z: !any) -> !any attributes {arg_names = ["y", "z"], qualname = "g"} {
  %0 = np.pyop "mul"(%y, %z) : (!any, !any) -> !any
  np.return %0 : !any
}

// A recursive function stays a function.
// CHECK-LABEL: np.func @factorial
// CHECK: np.call @recursive
// CHECK-LABEL: np.func private @recursive
// CHECK: np.call @recursive
np.func @factorial(%n: !np.pyint) -> !any attributes {alias = "noalias", arg_names = ["n"]} {
  %0 = np.cast %n : !np.pyint to !any
  %1 = np.call @recursive(%0) : (!any) -> !any
  np.return %1 : !any
}
np.func private @recursive(%n: !any) -> !any attributes {arg_names = ["n"], qualname = "factorial"} {
  %one = np.const 1 : !np.pyint
  %0 = np.pyop "lt"(%n, %one) : (!any, !np.pyint) -> !any
  %1 = np.truth %0 : (!any) -> !any
  %2 = np.if %1 : (!any) -> !any {
    np.yield %one : !np.pyint
  } else {
    %3 = np.pyop "sub"(%n, %one) : (!any, !np.pyint) -> !any
    %4 = np.call @recursive(%3) : (!any) -> !any
    %5 = np.pyop "mul"(%n, %4) : (!any, !any) -> !any
    np.yield %5 : !any
  }
  np.return %2 : !any
}
