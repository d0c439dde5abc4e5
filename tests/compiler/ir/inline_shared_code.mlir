// np-inline: in a long program a function that is called twice keeps its calls.
// RUN: %opt %s --np-inline | FileCheck %s

!any = tensor<*x!np.any>

// CHECK-LABEL: np.func @entry
// CHECK: np.call @long
// CHECK: np.call @long
// CHECK-NOT: np.call @short
// CHECK: np.func private @long
// CHECK-SAME: noinline = "calls"

np.func @entry(%n: !np.pyint) -> !any attributes {alias = "noalias", arg_names = ["n"]} {
  %0 = np.cast %n : !np.pyint to !any
  %1 = np.call @long(%0) : (!any) -> !any
  %2 = np.call @long(%1) : (!any) -> !any
  %3 = np.call @short(%2) : (!any) -> !any
  np.return %3 : !any
}
np.func private @short(%n: !any) -> !any attributes {arg_names = ["n"]} {
  %0 = np.pyop "add"(%n, %n) : (!any, !any) -> !any
  np.return %0 : !any
}
np.func private @long(%n: !any) -> !any attributes {arg_names = ["n"]} {
  %0 = np.pyop "add"(%n, %n) : (!any, !any) -> !any
  %1 = np.pyop "sub"(%0, %n) : (!any, !any) -> !any
  %2 = np.pyop "mul"(%1, %n) : (!any, !any) -> !any
  %3 = np.pyop "add"(%2, %n) : (!any, !any) -> !any
  %4 = np.pyop "sub"(%3, %n) : (!any, !any) -> !any
  %5 = np.pyop "mul"(%4, %n) : (!any, !any) -> !any
  %6 = np.pyop "add"(%5, %n) : (!any, !any) -> !any
  %7 = np.pyop "sub"(%6, %n) : (!any, !any) -> !any
  %8 = np.pyop "mul"(%7, %n) : (!any, !any) -> !any
  %9 = np.pyop "add"(%8, %n) : (!any, !any) -> !any
  %10 = np.pyop "sub"(%9, %n) : (!any, !any) -> !any
  %11 = np.pyop "mul"(%10, %n) : (!any, !any) -> !any
  %12 = np.pyop "add"(%11, %n) : (!any, !any) -> !any
  %13 = np.pyop "sub"(%12, %n) : (!any, !any) -> !any
  %14 = np.pyop "mul"(%13, %n) : (!any, !any) -> !any
  %15 = np.pyop "add"(%14, %n) : (!any, !any) -> !any
  %16 = np.pyop "sub"(%15, %n) : (!any, !any) -> !any
  %17 = np.pyop "mul"(%16, %n) : (!any, !any) -> !any
  %18 = np.pyop "add"(%17, %n) : (!any, !any) -> !any
  %19 = np.pyop "sub"(%18, %n) : (!any, !any) -> !any
  %20 = np.pyop "mul"(%19, %n) : (!any, !any) -> !any
  %21 = np.pyop "add"(%20, %n) : (!any, !any) -> !any
  %22 = np.pyop "sub"(%21, %n) : (!any, !any) -> !any
  %23 = np.pyop "mul"(%22, %n) : (!any, !any) -> !any
  %24 = np.pyop "add"(%23, %n) : (!any, !any) -> !any
  %25 = np.pyop "sub"(%24, %n) : (!any, !any) -> !any
  %26 = np.pyop "mul"(%25, %n) : (!any, !any) -> !any
  %27 = np.pyop "add"(%26, %n) : (!any, !any) -> !any
  %28 = np.pyop "sub"(%27, %n) : (!any, !any) -> !any
  %29 = np.pyop "mul"(%28, %n) : (!any, !any) -> !any
  %30 = np.pyop "add"(%29, %n) : (!any, !any) -> !any
  %31 = np.pyop "sub"(%30, %n) : (!any, !any) -> !any
  %32 = np.pyop "mul"(%31, %n) : (!any, !any) -> !any
  %33 = np.pyop "add"(%32, %n) : (!any, !any) -> !any
  %34 = np.pyop "sub"(%33, %n) : (!any, !any) -> !any
  %35 = np.pyop "mul"(%34, %n) : (!any, !any) -> !any
  %36 = np.pyop "add"(%35, %n) : (!any, !any) -> !any
  %37 = np.pyop "sub"(%36, %n) : (!any, !any) -> !any
  %38 = np.pyop "mul"(%37, %n) : (!any, !any) -> !any
  %39 = np.pyop "add"(%38, %n) : (!any, !any) -> !any
  %40 = np.pyop "sub"(%39, %n) : (!any, !any) -> !any
  %41 = np.pyop "mul"(%40, %n) : (!any, !any) -> !any
  %42 = np.pyop "add"(%41, %n) : (!any, !any) -> !any
  %43 = np.pyop "sub"(%42, %n) : (!any, !any) -> !any
  %44 = np.pyop "mul"(%43, %n) : (!any, !any) -> !any
  %45 = np.pyop "add"(%44, %n) : (!any, !any) -> !any
  %46 = np.pyop "sub"(%45, %n) : (!any, !any) -> !any
  %47 = np.pyop "mul"(%46, %n) : (!any, !any) -> !any
  %48 = np.pyop "add"(%47, %n) : (!any, !any) -> !any
  %49 = np.pyop "sub"(%48, %n) : (!any, !any) -> !any
  %50 = np.pyop "mul"(%49, %n) : (!any, !any) -> !any
  %51 = np.pyop "add"(%50, %n) : (!any, !any) -> !any
  %52 = np.pyop "sub"(%51, %n) : (!any, !any) -> !any
  %53 = np.pyop "mul"(%52, %n) : (!any, !any) -> !any
  %54 = np.pyop "add"(%53, %n) : (!any, !any) -> !any
  %55 = np.pyop "sub"(%54, %n) : (!any, !any) -> !any
  %56 = np.pyop "mul"(%55, %n) : (!any, !any) -> !any
  %57 = np.pyop "add"(%56, %n) : (!any, !any) -> !any
  %58 = np.pyop "sub"(%57, %n) : (!any, !any) -> !any
  %59 = np.pyop "mul"(%58, %n) : (!any, !any) -> !any
  np.return %59 : !any
}
