// np-strip-mine: adjacent nests are strip-mined and interleaved, so that rows are read from the cache.
// RUN: %opt %s --np-strip-mine | FileCheck %s

!M = !np.array<s0 x s1 x f64, C>
!N = !np.array<s0 - 1 x s1 x f64, C>
!R = !np.array<s0 x s1 x f64, inner>

// b = exp(a); c = b[1:] + b[:-1]: strip by strip, and of b only the rows of a strip are stored.
// CHECK-LABEL: np.func @neighbours
// CHECK: %[[C:.*]] = np.alloc : <s0 - 1 x s1 x f64, C>
// CHECK: np.symbol "[[ROWS:rows.*]]" =
// CHECK: %[[WINDOW:.*]] = np.alloc : <[[ROWS]] + 1 x s1 x f64, C>
// CHECK-NOT: np.nest [
// CHECK: np.for "strip0" = {{.*}} attributes {strip_mined}
// CHECK: np.nest {{.*}} writes(%[[WINDOW]])
// CHECK: np.nest {{.*}} reads(%[[WINDOW]], %[[WINDOW]]) {{.*}} writes(%[[C]])
// CHECK: np.nest {{.*}} reads(%[[WINDOW]]) {{.*}} writes(%[[WINDOW]])
np.func @neighbours(%a: !M) -> !N attributes {alias = "noalias", guards = [#np.guard<s0 ">=" 1, 1>]} {
  %0 = np.alloc : !M
  np.nest [#np.dim<s0>, #np.dim<s1>] reduced 0 reads(%a) [[#np.dim<d0>, #np.dim<d1>]] writes(%0) [[#np.dim<d0>, #np.dim<d1>]] combine [""] order ["any", "any"] groups [0, 1] : (!M, !M) -> () {
  ^bb0(%x: f64):
    %4 = np.ufunc "exp"(%x) loop "d->d" : (f64) -> f64
    np.nest_yield %4 : f64
  }
  %1 = np.view %0 [#np.dim<1>, #np.dim<0>] [#np.dim<1>, #np.dim<1>] [0, 1] : !M to !N
  %2 = np.view %0 [#np.dim<0>, #np.dim<0>] [#np.dim<1>, #np.dim<1>] [0, 1] : !M to !N
  %3 = np.alloc : !N
  np.nest [#np.dim<s0 - 1>, #np.dim<s1>] reduced 0 reads(%1, %2) [[#np.dim<d0>, #np.dim<d1>], [#np.dim<d0>, #np.dim<d1>]] writes(%3) [[#np.dim<d0>, #np.dim<d1>]] combine [""] order ["any", "any"] groups [0, 0, 1] : (!N, !N, !N) -> () {
  ^bb0(%x: f64, %y: f64):
    %4 = np.ufunc "add"(%x, %y) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %4 : f64
  }
  np.return %3 : !N
}

// c = b[::-1] + 1: its first row needs the last one of b.
// CHECK-LABEL: np.func @reversed
// CHECK-NOT: strip_mined
// CHECK: np.return
np.func @reversed(%a: !M) -> (!M, !M) attributes {alias = "noalias"} {
  %0 = np.const 2 : !np.pyint
  %1 = np.alloc : !M
  np.nest [#np.dim<s0>, #np.dim<s1>] reduced 0 reads(%a) [[#np.dim<d0>, #np.dim<d1>]] writes(%1) [[#np.dim<d0>, #np.dim<d1>]] combine [""] order ["any", "any"] groups [0, 1] : (!M, !M) -> () {
  ^bb0(%x: f64):
    %5 = np.ufunc "multiply"(%x, %0) loop "dd->d" : (f64, !np.pyint) -> f64
    np.nest_yield %5 : f64
  }
  %2 = np.view %1 [#np.dim<s0 - 1>, #np.dim<0>] [#np.dim<-1>, #np.dim<1>] [0, 1] : !M to !R
  %3 = np.const 1 : !np.pyint
  %4 = np.alloc : !M
  np.nest [#np.dim<s0>, #np.dim<s1>] reduced 0 reads(%2) [[#np.dim<d0>, #np.dim<d1>]] writes(%4) [[#np.dim<d0>, #np.dim<d1>]] combine [""] order ["any", "any"] groups [0, 1] : (!R, !M) -> () {
  ^bb0(%x: f64):
    %5 = np.ufunc "add"(%x, %3) loop "dd->d" : (f64, !np.pyint) -> f64
    np.nest_yield %5 : f64
  }
  np.return %1, %4 : !M, !M
}
