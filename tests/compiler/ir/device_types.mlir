// RUN: %opt %s | %opt --np-verify=level=typed | FileCheck %s

// Types of arrays and values name their device; none is the host.
// CHECK: np.func @f(%arg0: !np.array<s0 x f64, C, "cuda:0">, %arg1: !np.array<s1 x s2 x f32, inner, readonly, "cuda:1">, %arg2: !np.array<f64, C>)
np.func @f(%x: !np.array<s0 x f64, C, "cuda:0">, %y: !np.array<s1 x s2 x f32, inner, readonly, "cuda:1">, %z: !np.array<f64, C>)
    -> !np.array<s0 x f64, C, "cuda:0"> {
  // CHECK: np.read %arg0 : <s0 x f64, C, "cuda:0"> to tensor<?xf64, #np.dims<s0, "cuda:0">>
  %0 = np.read %x : !np.array<s0 x f64, C, "cuda:0"> to tensor<?xf64, #np.dims<s0, "cuda:0">>
  // CHECK: np.materialize %{{.*}} to <s0 x f64, C, "cuda:0">
  %1 = np.materialize %0 : tensor<?xf64, #np.dims<s0, "cuda:0">> to !np.array<s0 x f64, C, "cuda:0">
  np.return %1 : !np.array<s0 x f64, C, "cuda:0">
}
