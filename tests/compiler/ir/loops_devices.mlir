// RUN: %opt --np-loops %s | FileCheck %s

// The host launches the kernel, and reads what it needs: here a number, which is waited for.
// CHECK-LABEL: func.func @total(
// CHECK: %[[SCRATCH:.*]] = call @sc_device_alloc(%[[CTX:[a-z0-9]*]], %{{.*}})
// CHECK: call @sc_device_launch(%[[CTX]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK: call @sc_device_launch(
// CHECK: call @sc_device_read(%[[CTX]],
// CHECK: call @sc_release(
!A = !np.array<s0 x f64, C, "cuda:0">
np.func @total(%x: !A) -> f64 attributes {arg_names = ["x"]} {
  %0 = np.nest [#np.dim<s0>] reduced 1 reads(%x) [[#np.dim<d0>]] writes() []
      combine ["add"] order [] groups [0] : (!A) -> (f64) {
  ^bb0(%p: f64):
    np.nest_yield %p : f64
  }
  np.return %0 : f64
}

// Single elements are copied one by one.
// CHECK-LABEL: func.func @element(
// CHECK: call @sc_device_read(
// CHECK: call @sc_device_write(
// CHECK-NOT: sc_device_launch
np.func @element(%x: !A) attributes {arg_names = ["x"]} {
  %0 = np.load %x [#np.dim<0>] : !A to f64
  np.store %0 to %x [#np.dim<1>] : f64, !A
  np.return
}

// The run time's functions get copies in the host; what they write is copied back.
// CHECK-LABEL: func.func @partitioned(
// CHECK: %[[COPIES:.*]] = call @sc_device_borrow(
// CHECK: call @sc_partition(
// CHECK: call @sc_device_unborrow(%{{.*}}, %[[COPIES]])
np.func @partitioned(%x: !A, %ranks: !np.array<s1 x si64, C>) attributes {arg_names = ["x", "ranks"]} {
  %0 = np.native "partition" writes 1(%x, %ranks) : (!A, !np.array<s1 x si64, C>) -> !np.pyint
  np.return
}

// Those that launch kernels in C++ get the arrays themselves.
// CHECK-LABEL: func.func @sorted(
// CHECK-NOT: sc_device_borrow
// CHECK: call @sc_device_sort(
// CHECK-NOT: sc_device_borrow
np.func @sorted(%x: !A) attributes {arg_names = ["x"]} {
  %0 = np.native "sort" writes 1(%x) : (!A) -> !np.pyint
  np.return
}

// So do nests with math functions that devices do not have.
// CHECK-LABEL: func.func @py.gamma(
// CHECK: call @sc_device_borrow(
// CHECK: call @{{.*}}nest0(
// CHECK: call @sc_device_unborrow(
// CHECK-NOT: sc_device_launch
np.func @py.gamma(%x: !A) attributes {arg_names = ["x"]} {
  np.nest [#np.dim<s0>] reduced 0 reads(%x) [[#np.dim<d0>]] writes(%x) [[#np.dim<d0>]]
      combine [""] order ["any"] groups [0, 0] : (!A, !A) -> () {
  ^bb0(%p: f64):
    %e = np.ufunc "gammaln"(%p) loop "d->d" : (f64) -> f64
    np.nest_yield %e : f64
  }
  np.return
}

// A loop that np-place-loops has marked is a kernel: a thread an iteration.
// CHECK-LABEL: func.func @loop(
// CHECK: call @sc_device_launch(
// CHECK: module @kernels
// CHECK: func.func @loop_kernel0(
// CHECK-SAME: np.launch = #np.launch<threads = [#np.dim<128>, #np.dim<1>]
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: llvm.store
np.func @loop(%x: !A) attributes {arg_names = ["x"]} {
  np.for "i" = #np.dim<0> to #np.dim<s0> step #np.dim<1> iter() attributes {placement = "kernel"} : () -> () {
  ^bb0(%i: !np.pyint):
    %0 = np.load %x [#np.dim<i>] : !A to f64
    %1 = np.ufunc "multiply"(%0, %0) loop "dd->d" : (f64, f64) -> f64
    np.store %1 to %x [#np.dim<i>] : f64, !A
    np.next ()
  }
  np.return
}
