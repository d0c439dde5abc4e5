// Containers in memory: the container that an entry holds is owned by the result that loads it;
// words are loaded and stored in line.
// RUN: %opt %s | %opt | FileCheck %s --check-prefix=TEXT
// RUN: %opt %s --np-lifetime | FileCheck %s --check-prefix=OWNED
// RUN: %opt %s --np-nests --np-schedule --np-checks --np-lifetime --np-loops | FileCheck %s

// TEXT-LABEL: np.func @first_of_first
// TEXT: np.entry %{{.*}}[%{{.*}}] 0 of 1 : (!np.array<16 x si64, C>, !np.pyint) -> !np.array<16 x si64, C>
// TEXT: np.container_length %{{.*}} : (!np.array<16 x si64, C>) -> !np.pyint

// OWNED-LABEL: np.func @first_of_first
// OWNED: %[[ROW:.*]] = np.entry
// OWNED: np.container_length %[[ROW]]
// OWNED: np.set_entry %[[ROW]]
// OWNED: np.entry %[[ROW]]
// OWNED-NEXT: np.release %[[ROW]]

// CHECK-LABEL: func.func @first_of_first
// CHECK: call @sc_share
// CHECK: llvm.getelementptr
// CHECK: llvm.store
// CHECK: call @sc_release
np.func @first_of_first(%rows: !np.array<16 x si64, C>, %i: !np.pyint) -> (!np.pyint, !np.pyfloat) {
  %row = np.entry %rows[%i] 0 of 1 : (!np.array<16 x si64, C>, !np.pyint) -> !np.array<16 x si64, C>
  %n = np.container_length %row : (!np.array<16 x si64, C>) -> !np.pyint
  %x = np.const 0.5 : !np.pyfloat
  np.set_entry %row[%i] 0 of 1 = %x : !np.array<16 x si64, C>, !np.pyint, !np.pyfloat
  %y = np.entry %row[%i] 0 of 1 : (!np.array<16 x si64, C>, !np.pyint) -> !np.pyfloat
  np.return %n, %y : !np.pyint, !np.pyfloat
}
