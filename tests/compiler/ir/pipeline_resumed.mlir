// A dump of one stage is resumed: the rest of the pipeline gives what the whole pipeline gives.
// RUN: not %opt %s -shapecast='after=nest' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %opt %s -shapecast='up-to=place-loops' 2>&1 | FileCheck %s --check-prefix=SIDE
// UNKNOWN: no stage of this side is named 'nest': see src/pipeline.def
// SIDE: no stage of this side is named 'place-loops'
// RUN: %opt %s --shapecast='up-to=nests' -o %t.nests
// RUN: FileCheck %s --check-prefix=NESTS --input-file=%t.nests
// RUN: %opt %t.nests --shapecast='after=nests up-to=lifetime' -o %t.resumed
// RUN: FileCheck %s --check-prefix=RESUMED --input-file=%t.resumed
// RUN: %opt %s --shapecast='up-to=lifetime' | diff %t.resumed -

// def f(x): y = np.exp(x); return y / y.sum()
// NESTS: np.nest
// NESTS: np.nest
// NESTS-NOT: order
// NESTS-NOT: np.release
// RESUMED-COUNT-2: np.nest {{.*}} groups
// RESUMED: np.return
np.func @softmax(%x: tensor<*x!np.any>) -> tensor<*x!np.any> attributes {alias = "noalias", arg_names = ["x"], hints = [array<i64: 8>], signature = [!np.array<s0 x f64, C>]} {
  %0 = np.call @numpy.exp(%x) : (tensor<*x!np.any>) -> tensor<*x!np.any>
  %1 = np.method %0 "sum"() : (tensor<*x!np.any>) -> tensor<*x!np.any>
  %2 = np.pyop "truediv"(%0, %1) : (tensor<*x!np.any>, tensor<*x!np.any>) -> tensor<*x!np.any>
  np.return %2 : tensor<*x!np.any>
}
