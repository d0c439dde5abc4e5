// RUN: %opt --np-schedule %s | FileCheck %s

// Where a host loop would only need an order, a device needs a copy.
// CHECK-LABEL: np.func @host
// CHECK: order ["down"]
// CHECK-LABEL: np.func @device
// CHECK: %[[COPY:.*]] = np.alloc : <s0 - 1 x f64, C, "cuda:0">
// CHECK: np.nest {{.*}} writes(%[[COPY]]) {{.*}} order ["any"]
// CHECK: np.nest {{.*}} reads(%[[COPY]]) {{.*}} order ["any"]
!H = !np.array<s0 x f64, C>
!h = !np.array<s0 - 1 x f64, C>
np.func @host(%x: !H) attributes {alias = "noalias", arg_names = ["x"]} {
  %from = np.view %x [#np.dim<0>] [#np.dim<1>] [0] : !H to !h
  %to = np.view %x [#np.dim<1>] [#np.dim<1>] [0] : !H to !h
  np.nest [#np.dim<s0 - 1>] reduced 0 reads(%from) [[#np.dim<d0>]] writes(%to) [[#np.dim<d0>]]
      combine [""] : (!h, !h) -> () {
  ^bb0(%p: f64):
    np.nest_yield %p : f64
  }
  np.return
}
!D = !np.array<s0 x f64, C, "cuda:0">
!d = !np.array<s0 - 1 x f64, C, "cuda:0">
np.func @device(%x: !D) attributes {alias = "noalias", arg_names = ["x"]} {
  %from = np.view %x [#np.dim<0>] [#np.dim<1>] [0] : !D to !d
  %to = np.view %x [#np.dim<1>] [#np.dim<1>] [0] : !D to !d
  np.nest [#np.dim<s0 - 1>] reduced 0 reads(%from) [[#np.dim<d0>]] writes(%to) [[#np.dim<d0>]]
      combine [""] : (!d, !d) -> () {
  ^bb0(%p: f64):
    np.nest_yield %p : f64
  }
  np.return
}
