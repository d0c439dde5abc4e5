// Products with few terms and few columns in the compiling call become sums, element by element,
// under guards; others stay products, without guards on their sizes.
// RUN: %opt %s --np-infer | FileCheck %s
// RUN: %opt %s --np-infer --np-simplify --np-promote --np-nests | FileCheck %s --check-prefix=NESTS

!any = tensor<*x!np.any>

// CHECK-LABEL: np.func @few
// CHECK-SAME: guards = [#np.guard<s1 "==" s2{{.*}}>, #np.guard<s1 "==" 2{{.*}}>, #np.guard<s0 "==" 3{{.*}}>]
// CHECK-NOT: np.matmul
// CHECK: %[[A:.*]] = np.view %{{.*}} [#np.dim<0>, #np.dim<0>] [#np.dim<1>, #np.dim<1>] [0]
// CHECK: np.ufunc "multiply_add"
// CHECK: %[[B:.*]] = np.view %{{.*}} [#np.dim<0>, #np.dim<1>] [#np.dim<1>, #np.dim<1>] [0]
// CHECK: np.ufunc "multiply_add"
// CHECK-NOT: np.ufunc
// NESTS-LABEL: np.func @few
// NESTS: np.nest [#np.dim<3>]
// NESTS: %[[S:.*]] = np.ufunc "multiply_add"
// NESTS: np.ufunc "multiply_add"(%{{.*}}, %{{.*}}, %[[S]])
// NESTS-NOT: np.nest [
np.func @few(%x: !np.array<s0 x s1 x f64, C>, %y: !np.array<s2 x f64, C>) -> !any attributes {alias = "noalias", arg_names = ["x", "y"], hints = [array<i64: 3, 2>, array<i64: 2>], signature = [!np.array<s0 x s1 x f64, C>, !np.array<s2 x f64, C>]} {
  %0 = np.cast %x : !np.array<s0 x s1 x f64, C> to !any
  %1 = np.cast %y : !np.array<s2 x f64, C> to !any
  %2 = np.pyop "matmul"(%0, %1) : (!any, !any) -> !any
  np.return %2 : !any
}

// Many rows stay symbolic.
// CHECK-LABEL: np.func @rows
// CHECK-SAME: guards = [#np.guard<s1 "==" s2{{.*}}>, #np.guard<s1 "==" 2{{.*}}>, #np.guard<s3 "==" 4{{.*}}>]
// CHECK-NOT: np.matmul
// NESTS-LABEL: np.func @rows
// NESTS: np.nest [#np.dim<s0>, #np.dim<4>]
np.func @rows(%x: !np.array<s0 x s1 x f64, C>, %y: !np.array<s2 x s3 x f64, C>) -> !any attributes {alias = "noalias", arg_names = ["x", "y"], hints = [array<i64: 500, 2>, array<i64: 2, 4>], signature = [!np.array<s0 x s1 x f64, C>, !np.array<s2 x s3 x f64, C>]} {
  %0 = np.cast %x : !np.array<s0 x s1 x f64, C> to !any
  %1 = np.cast %y : !np.array<s2 x s3 x f64, C> to !any
  %2 = np.pyop "matmul"(%0, %1) : (!any, !any) -> !any
  np.return %2 : !any
}

// CHECK-LABEL: np.func @many_columns
// CHECK-SAME: guards = [#np.guard<s1 "==" s2{{[^>]*}}>]
// CHECK: np.matmul
np.func @many_columns(%x: !np.array<s0 x s1 x f64, C>, %y: !np.array<s2 x s3 x f64, C>) -> !any attributes {alias = "noalias", arg_names = ["x", "y"], hints = [array<i64: 2, 2>, array<i64: 2, 9>], signature = [!np.array<s0 x s1 x f64, C>, !np.array<s2 x s3 x f64, C>]} {
  %0 = np.cast %x : !np.array<s0 x s1 x f64, C> to !any
  %1 = np.cast %y : !np.array<s2 x s3 x f64, C> to !any
  %2 = np.pyop "matmul"(%0, %1) : (!any, !any) -> !any
  np.return %2 : !any
}

// A stack whose right matrices are strided: only up to 5 columns.
// CHECK-LABEL: np.func @gathered
// CHECK-SAME: guards = [#np.guard<s2 "==" s4{{[^>]*}}>, #np.guard<s0 "==" s3{{[^>]*}}>]
// CHECK: np.matmul
np.func @gathered(%x: !np.array<s0 x s1 x s2 x f64, C>, %y: !np.array<s3 x s4 x s5 x f64, strided>) -> !any attributes {alias = "noalias", arg_names = ["x", "y"], hints = [array<i64: 2, 6, 6>, array<i64: 2, 6, 6>], signature = [!np.array<s0 x s1 x s2 x f64, C>, !np.array<s3 x s4 x s5 x f64, strided>]} {
  %0 = np.cast %x : !np.array<s0 x s1 x s2 x f64, C> to !any
  %1 = np.cast %y : !np.array<s3 x s4 x s5 x f64, strided> to !any
  %2 = np.pyop "matmul"(%0, %1) : (!any, !any) -> !any
  np.return %2 : !any
}
