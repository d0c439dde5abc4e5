// np-blocks: a loop around element-wise expressions is tiled, and the loop over tiles is outermost.
// RUN: %opt %s --np-blocks | FileCheck %s

!A = !np.array<s0 x f64, C>
!v = tensor<?xf64, #np.dims<s0>>
!R = !np.array<s0 x f64, strided>

// x = a * 2, then n times x = x * x + a: block by block, each through all n iterations.
// CHECK-LABEL: np.func @power_steps
// CHECK: %[[OUT:.*]] = np.alloc : <s0 x f64, C>
// CHECK: np.for "[[B:b.*]]" = <0> to <floordiv(s0 + 1023, 1024)>
// CHECK: np.symbol "[[M:m.*]]" =
// CHECK: %[[R:.*]] = np.for "i0" = <0> to <n1> step <1> iter(%{{.*}}) : (!np.array<[[M]] x f64, C>)
// CHECK: np.ufunc "multiply"
// CHECK: np.ufunc "add"
// CHECK: %[[V:.*]] = np.read %[[R]]
// CHECK: %[[W:.*]] = np.view %[[OUT]] [#np.dim<1024 * [[B]]>]
// CHECK: np.assign %[[V]] to %[[W]]
// CHECK: np.return %[[OUT]]
np.func @power_steps(%a: !A, %n: !np.pyint) -> !A attributes {alias = "noalias"} {
  np.symbol "n1" = %n
  %0 = np.const 2 : !np.pyint
  %1 = np.read %a : !A to !v
  %2 = np.ufunc "multiply"(%1, %0) loop "dd->d" : (!v, !np.pyint) -> !v
  %3 = np.materialize %2 : !v to !A
  %4 = np.for "i0" = <0> to <n1> step <1> iter(%3) : (!A) -> !A {
  ^bb0(%arg2: !np.pyint, %arg3: !A):
    %5 = np.read %arg3 : !A to !v
    %6 = np.ufunc "multiply"(%5, %5) loop "dd->d" : (!v, !v) -> !v
    %7 = np.ufunc "add"(%6, %1) loop "dd->d" : (!v, !v) -> !v
    %8 = np.materialize %7 : !v to !A
    np.next(%8) : !A
  }
  np.return %4 : !A
}

// x = x[::-1] + x: an element needs others of the iteration before, so blocks are not independent.
// CHECK-LABEL: np.func @reversed
// CHECK-NOT: floordiv
// CHECK: np.for "i0" = <0> to <n1> step <1> iter(%{{.*}}) : (!np.array<s0 x f64, C>)
// CHECK-NOT: np.for
// CHECK: np.return
np.func @reversed(%a: !A, %n: !np.pyint) -> !A attributes {alias = "noalias"} {
  np.symbol "n1" = %n
  %0 = np.read %a : !A to !v
  %1 = np.materialize %0 : !v to !A
  %2 = np.for "i0" = <0> to <n1> step <1> iter(%1) : (!A) -> !A {
  ^bb0(%i: !np.pyint, %x: !A):
    %3 = np.view %x [#np.dim<s0 - 1>] [#np.dim<-1>] [0] : !A to !R
    %4 = np.read %3 : !R to !v
    %5 = np.read %x : !A to !v
    %6 = np.ufunc "add"(%4, %5) loop "dd->d" : (!v, !v) -> !v
    %7 = np.materialize %6 : !v to !A
    np.next(%7) : !A
  }
  np.return %2 : !A
}
