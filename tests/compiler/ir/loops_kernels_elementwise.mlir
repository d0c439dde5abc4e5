// RUN: %opt --np-verify=level=scheduled --np-loops --np-verify=level=loops %s | FileCheck %s
// RUN: %opt --np-loops --np-llvm --np-verify=level=llvm --emit-ptx %s -o %t | FileCheck %s --check-prefix=PTX
// RUN: %opt --np-loops --np-llvm --emit-ptx=target=sm_90 %s -o %t | FileCheck %s --check-prefix=SM90
// RUN: not %opt --np-loops --np-llvm --emit-ptx=target=sm_1 %s -o %t 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: no architecture is named sm_1

// SM90: .version 7.8
// SM90-NEXT: .target sm_90

// One loop: a block has adjacent elements, several a thread where there are many. Arrays that are not written and do not overlap are noalias and readonly.
// CHECK-LABEL: func.func @axpy_kernel0(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr {llvm.noalias, llvm.readonly}, %[[Y:.*]]: !llvm.ptr {llvm.noalias}, %[[N:.*]]: i64, %[[EACH:.*]]: i64, %[[A:.*]]: f32)
// CHECK-SAME: np.launch = #np.launch<threads = [#np.dim<256>, #np.dim<1>], blocks = [#np.dim<-floordiv(-s0, 256 * min(8, max(1, floordiv(s0, 262144))))>, #np.dim<1>], form = "blocks of 256 threads, 1 to 8 elements a thread">
// CHECK-SAME: np.parameters = ["x", "y", #np.dim<s0>, #np.dim<256 * min(8, max(1, floordiv(s0, 262144)))>, "a"]
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[N]] step
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[AT:.*]] = llvm.getelementptr inbounds %[[X]][%[[I]]]
// CHECK: llvm.load %[[AT]] : !llvm.ptr -> f32
// CHECK: arith.mulf %[[A]]
// CHECK: llvm.store

// PTX: // axpy_kernel0(x, y, s0, {{.*}}, a): threads 256 x 1, blocks by sizes x 1
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

// Two loops that do not collapse: threads along the inner one, as many as it has iterations up to 64,
// the others of the block and several elements a thread along the outer one. A column is broadcast,
// strides are parameters.
// CHECK-LABEL: func.func @broadcast_kernel0(
// CHECK-SAME: threads = [#np.dim<max(1, min(s1, 64))>, #np.dim<floordiv(256, max(1, min(s1, 64)))>], blocks = [#np.dim<-floordiv(-s1, max(1, min(s1, 64)))>,
// CHECK-SAME: np.parameters = ["x", "c", "array0", #np.dim<s0>, #np.dim<s1>, #np.dim<{{.*}}>, #np.dim<{{.*}}>, #np.dim<{{.*}}>]
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK: scf.for %[[COLUMN:.*]] =
// CHECK: nvvm.read.ptx.sreg.ctaid.y
// CHECK: scf.for
// CHECK: scf.for %[[ROW:.*]] =
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
// PTX-NOT: strided_kernel1
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

// x.T: tiles of 32 x 32 elements go through shared memory; the plain kernel does it where one of the
// sides is short.
// CHECK-LABEL: func.func @transposed_kernel0(
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.mlir.global internal @transposed_kernel0_tiles_tile0() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1056 x f64>
// CHECK-LABEL: func.func @transposed_kernel0_tiles(
// CHECK-SAME: threads = [#np.dim<32>, #np.dim<8>]
// CHECK: nvvm.barrier0
// CHECK: nvvm.barrier0
np.func @transposed(%x: !np.array<s0 x s1 x f64, C, "cuda:0">, %o: !np.array<s1 x s0 x f64, C, "cuda:0">)
    attributes {arg_names = ["x", "o"]} {
  np.nest [#np.dim<s1>, #np.dim<s0>] reduced 0 reads(%x) [[#np.dim<d1>, #np.dim<d0>]] writes(%o) [[#np.dim<d0>, #np.dim<d1>]]
      combine [""] order ["any", "any"] groups [0, 1]
      : (!np.array<s0 x s1 x f64, C, "cuda:0">, !np.array<s1 x s0 x f64, C, "cuda:0">) -> () {
  ^bb0(%p: f64):
    np.nest_yield %p : f64
  }
  np.return
}
