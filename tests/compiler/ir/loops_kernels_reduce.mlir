// RUN: %opt --np-verify=level=scheduled --np-loops --np-verify=level=loops %s | FileCheck %s
// RUN: %opt --np-loops --np-llvm --np-verify=level=llvm --emit-ptx %s -o %t | FileCheck %s --check-prefix=PTX

// The comments at the head are the launch dimensions.
// PTX: // rows_kernel0(x, o, s0, s1, {{.*}}, partials): threads by sizes x by sizes, blocks by sizes x
// PTX: // all_kernel0(x, s0, s1, {{.*}}, partials, results): threads
// PTX-NEXT: // all_kernel0_total(x, s0, s1, {{.*}}, partials, results): threads

// Neighbouring threads sum a row: they stride along it, then shuffle, and a block's warps exchange what
// they have where all of it has one row. Several blocks have a row each where rows are few and long;
// they leave what they have for the second kernel, unless there is one.
// CHECK: llvm.mlir.global internal @rows_kernel0_shared() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<8 x i64>
// CHECK-LABEL: func.func @rows_kernel0(
// CHECK-SAME: #np.dim<max(1, min(floordiv(1024, max(s0, 1)), floordiv(s1 + 1023, 1024)))>
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args({{.*}}) -> (f32)
// CHECK: scf.if
// CHECK: nvvm.shfl.sync down {{.*}} : i32 -> i32
// CHECK: nvvm.barrier0
// CHECK: nvvm.barrier0
// CHECK: scf.if
// CHECK-LABEL: func.func @rows_kernel0_total(

// PTX-LABEL: .visible .entry rows_kernel0(
// PTX: .shared .align 8 .b8 rows_kernel0_shared[64];
// PTX: shfl.sync.down.b32
// PTX: bar.sync
np.func @rows(%x: !np.array<s0 x s1 x f32, C, "cuda:0">, %o: !np.array<s0 x f32, C, "cuda:0">)
    attributes {arg_names = ["x", "o"]} {
  np.nest [#np.dim<s0>, #np.dim<s1>] reduced 1 reads(%x) [[#np.dim<d0>, #np.dim<d1>]] writes(%o) [[#np.dim<d0>]]
      combine ["add"] order ["any"] groups [0, 1]
      : (!np.array<s0 x s1 x f32, C, "cuda:0">, !np.array<s0 x f32, C, "cuda:0">) -> () {
  ^bb0(%p: f32):
    np.nest_yield %p : f32
  }
  np.return
}

// Column sums are contiguous: neighbouring threads have neighbouring columns, those along y share one.
// CHECK: llvm.mlir.global internal @columns_kernel0_shared() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<256 x i64>
// CHECK-LABEL: func.func @columns_kernel0(
// CHECK-SAME: threads = [#np.dim<max(1, min(s1, 32))>, #np.dim<floordiv(256, max(1, min(s1, 32)))>]
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.while
// CHECK: nvvm.barrier0
np.func @columns(%x: !np.array<s0 x s1 x f64, C, "cuda:0">, %o: !np.array<s1 x f64, C, "cuda:0">)
    attributes {arg_names = ["x", "o"]} {
  np.nest [#np.dim<s1>, #np.dim<s0>] reduced 1 reads(%x) [[#np.dim<d1>, #np.dim<d0>]] writes(%o) [[#np.dim<d0>]]
      combine ["add"] order ["any"] groups [0, 1]
      : (!np.array<s0 x s1 x f64, C, "cuda:0">, !np.array<s1 x f64, C, "cuda:0">) -> () {
  ^bb0(%p: f64):
    np.nest_yield %p : f64
  }
  np.return
}

// Rows of three elements: a thread each.
// CHECK-LABEL: func.func @triples_kernel0(
// CHECK-NOT: nvvm.barrier0
// CHECK: return
np.func @triples(%x: !np.array<s0 x 3 x f64, C, "cuda:0">, %o: !np.array<s0 x f64, C, "cuda:0">)
    attributes {arg_names = ["x", "o"]} {
  np.nest [#np.dim<s0>, #np.dim<3>] reduced 1 reads(%x) [[#np.dim<d0>, #np.dim<d1>]] writes(%o) [[#np.dim<d0>]]
      combine ["maximum"] order ["any"] groups [0, 1]
      : (!np.array<s0 x 3 x f64, C, "cuda:0">, !np.array<s0 x f64, C, "cuda:0">) -> () {
  ^bb0(%p: f64):
    np.nest_yield %p : f64
  }
  np.return
}

// Over all axes: partial results in slots, and a kernel that combines them. Sum and maximum share a loop.
// CHECK-LABEL: func.func @all_kernel0(
// CHECK-SAME: np.parameters = ["x", #np.dim<s0>, #np.dim<s1>, #np.dim<max(1, min(1024, floordiv(s0 * s1 + 1023, 1024)))>, #np.dim<{{.*}}>, "partials", "results"]
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f64, f64)
// CHECK-LABEL: func.func @all_kernel0_total(

// PTX-LABEL: .visible .entry all_kernel0(
// PTX-LABEL: .visible .entry all_kernel0_total(
np.func @all(%x: !np.array<s0 x s1 x f64, C, "cuda:0">) -> (f64, f64) attributes {arg_names = ["x"]} {
  %r:2 = np.nest [#np.dim<s0>, #np.dim<s1>] reduced 2 reads(%x) [[#np.dim<d0>, #np.dim<d1>]] writes() []
      combine ["add", "maximum"] order [] groups [0] : (!np.array<s0 x s1 x f64, C, "cuda:0">) -> (f64, f64) {
  ^bb0(%p: f64):
    np.nest_yield %p, %p : f64, f64
  }
  np.return %r#0, %r#1 : f64, f64
}

// A nest over an empty space is a kernel too: its loops have trip count 0.
// CHECK-LABEL: func.func @nothing_kernel0(
// CHECK-SAME: blocks = [#np.dim<0>, #np.dim<1>]
np.func @nothing(%x: !np.array<0 x f64, C, "cuda:0">) attributes {arg_names = ["x"]} {
  np.nest [#np.dim<0>] reduced 0 reads(%x) [[#np.dim<d0>]] writes(%x) [[#np.dim<d0>]]
      combine [""] order ["any"] groups [0, 0] : (!np.array<0 x f64, C, "cuda:0">, !np.array<0 x f64, C, "cuda:0">) -> () {
  ^bb0(%p: f64):
    np.nest_yield %p : f64
  }
  np.return
}

// argmax: a value is combined with its index; of equal values the smaller index wins.
// CHECK-LABEL: func.func @place_kernel0(
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f64, i64)
// CHECK: arith.cmpf oeq
// CHECK: arith.cmpf une
// CHECK: arith.minsi
np.func @place(%x: !np.array<s0 x f64, C, "cuda:0">) -> si64 attributes {arg_names = ["x"]} {
  %0 = np.nest [#np.dim<s0>] reduced 1 reads(%x) [[#np.dim<d0>]] writes() []
      combine ["argmax"] order [] groups [0] : (!np.array<s0 x f64, C, "cuda:0">) -> si64 {
  ^bb0(%p: f64):
    np.nest_yield %p : f64
  }
  np.return %0 : si64
}
