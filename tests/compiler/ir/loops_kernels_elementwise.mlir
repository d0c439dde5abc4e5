// RUN: %opt --np-verify=level=scheduled --np-loops --np-verify=level=loops %s | FileCheck %s
// RUN: %opt --np-loops --np-llvm --np-verify=level=llvm --emit-ptx %s -o %t | FileCheck %s --check-prefix=PTX
// RUN: %opt --np-loops --np-llvm --emit-ptx=target=sm_90 %s -o %t | FileCheck %s --check-prefix=SM90
// RUN: not %opt --np-loops --np-llvm --emit-ptx=target=sm_1 %s -o %t 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: no architecture is named sm_1

// SM90: .version 7.8
// SM90-NEXT: .target sm_90

// One loop: threads stride along x. Arrays that are not written and do not overlap are noalias and readonly.
// CHECK-LABEL: func.func @axpy_kernel0(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr {llvm.noalias, llvm.readonly}, %[[Y:.*]]: !llvm.ptr {llvm.noalias}, %[[N:.*]]: i64, %[[A:.*]]: f32)
// CHECK-SAME: np.launch = #np.launch<threads = [256, 1], blocks = [#np.dim<floordiv(s0 + 255, 256)>, #np.dim<1>]>
// CHECK-SAME: np.parameters = ["x", "y", #np.dim<s0>, "a"]
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step
// CHECK: %[[AT:.*]] = llvm.getelementptr inbounds %[[X]][%[[I]]]
// CHECK: llvm.load %[[AT]] : !llvm.ptr -> f32
// CHECK: arith.mulf %[[A]]
// CHECK: llvm.store

// PTX: // axpy_kernel0(x, y, s0, a): threads 256 x 1, blocks floordiv(s0 + 255, 256) x 1
// PTX: .version 7.0
// PTX-NEXT: .target sm_80
// PTX-LABEL: .visible .entry axpy_kernel0(
// PTX: .reqntid 256
// PTX: ld.global.nc.b32
// PTX: ld.global.b32
// PTX: mul.rn.f32
// PTX: add.rn.f32
// PTX: st.global.b32
np.func @axpy(%x: !np.array<s0 x f32, C, "cuda:0">, %y: !np.array<s0 x f32, C, "cuda:0">, %a: f32)
    attributes {arg_names = ["x", "y", "a"]} {
  np.nest [#np.dim<s0>] reduced 0 reads(%x, %y) [[#np.dim<d0>], [#np.dim<d0>]] writes(%y) [[#np.dim<d0>]]
      combine [""] order ["any"] groups [0, 1, 1]
      : (!np.array<s0 x f32, C, "cuda:0">, !np.array<s0 x f32, C, "cuda:0">, !np.array<s0 x f32, C, "cuda:0">) -> () {
  ^bb0(%p: f32, %q: f32):
    %m = np.ufunc "multiply"(%a, %p) loop "ff->f" : (f32, f32) -> f32
    %s = np.ufunc "add"(%m, %q) loop "ff->f" : (f32, f32) -> f32
    np.nest_yield %s : f32
  }
  np.return
}

// Two loops that do not collapse: warps along the inner one, the outer one along y. A column is
// broadcast, strides are parameters.
// CHECK-LABEL: func.func @broadcast_kernel0(
// CHECK-SAME: threads = [32, 8], blocks = [#np.dim<floordiv(s1 + 31, 32)>, #np.dim<floordiv(s0 + 7, 8)>]
// CHECK-SAME: np.parameters = ["x", "c", "array0", #np.dim<s0>, #np.dim<s1>, #np.dim<{{.*}}>, #np.dim<{{.*}}>]
// CHECK: nvvm.read.ptx.sreg.ctaid.y
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK: scf.for %[[COLUMN:.*]] =
// CHECK: llvm.getelementptr inbounds %{{.*}}[%[[ROW]]] : (!llvm.ptr, i64) -> !llvm.ptr, f64

// PTX-LABEL: .visible .entry broadcast_kernel0(
// PTX: div.rn.f64
np.func @broadcast(%x: !np.array<s0 x s1 x f64, strided, "cuda:0">, %c: !np.array<s0 x 1 x f64, C, "cuda:0">)
    attributes {arg_names = ["x", "c"]} {
  %out = np.alloc : <s0 x s1 x f64, C, "cuda:0">
  np.nest [#np.dim<s0>, #np.dim<s1>] reduced 0
      reads(%x, %c) [[#np.dim<d0>, #np.dim<d1>], [#np.dim<d0>, #np.dim<0>]]
      writes(%out) [[#np.dim<d0>, #np.dim<d1>]] combine [""] order ["any", "any"] groups [0, 1, 2]
      : (!np.array<s0 x s1 x f64, strided, "cuda:0">, !np.array<s0 x 1 x f64, C, "cuda:0">, !np.array<s0 x s1 x f64, C, "cuda:0">) -> () {
  ^bb0(%p: f64, %q: f64):
    %d = np.ufunc "divide"(%p, %q) loop "dd->d" : (f64, f64) -> f64
    np.nest_yield %d : f64
  }
  np.return
}

// A view with step -2; integers; the nest over the host's array is no kernel.
// CHECK-LABEL: func.func @strided_kernel0(
// CHECK-NOT: @strided_kernel1
// CHECK: return

// PTX-LABEL: .visible .entry strided_kernel0(
// PTX: mul.lo.s32
// PTX-NOT: .entry
np.func @strided(%x: !np.array<s0 x si32, C, "cuda:0">, %h: !np.array<s0 x si32, C>) attributes {arg_names = ["x", "h"]} {
  %v = np.view %x [#np.dim<s0 - 1>] [#np.dim<-2>] [0]
      : !np.array<s0 x si32, C, "cuda:0"> to !np.array<floordiv(s0 + 1, 2) x si32, strided, "cuda:0">
  np.nest [#np.dim<floordiv(s0 + 1, 2)>] reduced 0 reads(%v) [[#np.dim<d0>]] writes(%v) [[#np.dim<d0>]]
      combine [""] order ["any"] groups [0, 0]
      : (!np.array<floordiv(s0 + 1, 2) x si32, strided, "cuda:0">, !np.array<floordiv(s0 + 1, 2) x si32, strided, "cuda:0">) -> () {
  ^bb0(%p: si32):
    %m = np.ufunc "multiply"(%p, %p) loop "ii->i" : (si32, si32) -> si32
    np.nest_yield %m : si32
  }
  np.nest [#np.dim<s0>] reduced 0 reads(%h) [[#np.dim<d0>]] writes(%h) [[#np.dim<d0>]]
      combine [""] order ["any"] groups [0, 0] : (!np.array<s0 x si32, C>, !np.array<s0 x si32, C>) -> () {
  ^bb0(%p: si32):
    np.nest_yield %p : si32
  }
  np.return
}
