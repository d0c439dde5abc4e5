// Containers in memory: a container that an entry holds is borrowed where it is used at once, and else owned by
// the result that loads it; words are loaded and stored in line.
// RUN: %opt %s | %opt | FileCheck %s --check-prefix=TEXT
// RUN: %opt %s --np-lifetime | FileCheck %s --check-prefix=OWNED
// RUN: %opt %s --np-nests --np-schedule --np-checks --np-lifetime --np-loops | FileCheck %s

// TEXT-LABEL: np.func @first_of_first
// TEXT: np.entry %{{.*}}[%{{.*}}] 0 of 1 : (!np.array<16 x si64, C>, !np.pyint) -> !np.array<16 x si64, C>
// TEXT: np.container_length %{{.*}} : (!np.array<16 x si64, C>) -> !np.pyint

// OWNED-LABEL: np.func @first_of_first
// OWNED-NOT: np.release
// OWNED: np.return

// CHECK-LABEL: func.func @first_of_first
// CHECK-NOT: call @sc_share
// CHECK: llvm.getelementptr
// CHECK: llvm.store
// CHECK: return
np.func @first_of_first(%rows: !np.array<16 x si64, C>, %i: !np.pyint) -> (!np.pyint, !np.pyfloat) {
  %row = np.entry %rows[%i] 0 of 1 : (!np.array<16 x si64, C>, !np.pyint) -> !np.array<16 x si64, C>
  %n = np.container_length %row : (!np.array<16 x si64, C>) -> !np.pyint
  %x = np.const 0.5 : !np.pyfloat
  np.set_entry %row[%i] 0 of 1 = %x : !np.array<16 x si64, C>, !np.pyint, !np.pyfloat
  %y = np.entry %row[%i] 0 of 1 : (!np.array<16 x si64, C>, !np.pyint) -> !np.pyfloat
  np.return %n, %y : !np.pyint, !np.pyfloat
}

// The store may drop the only reference to the row.
// OWNED-LABEL: np.func @after_a_store
// OWNED: %[[ROW:.*]] = np.entry
// OWNED: np.set_entry
// OWNED: np.entry %[[ROW]]
// OWNED-NEXT: np.release %[[ROW]]

// CHECK-LABEL: func.func @after_a_store
// CHECK: call @sc_share
// CHECK: call @sc_replace
// CHECK: call @sc_release
np.func @after_a_store(%rows: !np.array<16 x si64, C>, %other: !np.array<16 x si64, C>, %i: !np.pyint) -> !np.pyfloat {
  %row = np.entry %rows[%i] 0 of 1 : (!np.array<16 x si64, C>, !np.pyint) -> !np.array<16 x si64, C>
  np.set_entry %rows[%i] 0 of 1 = %other : !np.array<16 x si64, C>, !np.pyint, !np.array<16 x si64, C>
  %y = np.entry %row[%i] 0 of 1 : (!np.array<16 x si64, C>, !np.pyint) -> !np.pyfloat
  np.return %y : !np.pyfloat
}

// The inner row is borrowed from one that is: the list lives as long as either.
// OWNED-LABEL: np.func @of_a_new_list
// OWNED: %[[LIST:.*]] = np.alloc
// OWNED: np.entry %[[LIST]]
// OWNED: np.entry
// OWNED: np.entry
// OWNED-NEXT: np.release %[[LIST]]
// OWNED-NEXT: np.return
np.func @of_a_new_list(%i: !np.pyint) -> !np.pyfloat {
  %list = np.alloc : !np.array<16 x si64, C>
  %row = np.entry %list[%i] 0 of 1 : (!np.array<16 x si64, C>, !np.pyint) -> !np.array<16 x si64, C>
  %inner = np.entry %row[%i] 0 of 1 : (!np.array<16 x si64, C>, !np.pyint) -> !np.array<16 x si64, C>
  %y = np.entry %inner[%i] 0 of 1 : (!np.array<16 x si64, C>, !np.pyint) -> !np.pyfloat
  np.return %y : !np.pyfloat
}
