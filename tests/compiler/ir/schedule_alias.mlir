// RUN: %opt %s --np-nests --np-fuse --np-schedule --np-fuse-scheduled | FileCheck %s

!A = !np.array<s0 x f64, C>
!v = tensor<?xf64, #np.dims<s0>>
!A1 = !np.array<s0 - 1 x f64, C>
!v1 = tensor<?xf64, #np.dims<s0 - 1>>
!W = !np.array<s0 - 2 x f64, C>
!w = tensor<?xf64, #np.dims<s0 - 2>>

// Jacobi with swapped arrays: disjoint at entry, so disjoint in every iteration.
// CHECK-LABEL: np.func @jacobi
// CHECK-NOT: np.alloc
// CHECK: np.nest {{.*}} order ["any"] groups [0, 0, 1]
// CHECK-NOT: np.nest [
np.func @jacobi(%A: !A, %B: !A, %T: !np.pyint) -> !A attributes {alias = "noalias", guards = [#np.guard<s0 ">=" 2, 3>]} {
  np.symbol "k0" = %T
  %L:2 = np.for "i0" = #np.dim<0> to #np.dim<k0> step #np.dim<1> iter(%A, %B) : (!A, !A) -> (!A, !A) {
  ^bb0(%t: !np.pyint, %a: !A, %b: !A):
    %w1 = np.view %a [#np.dim<0>] [#np.dim<1>] [0] : !A to !W
    %w2 = np.view %a [#np.dim<2>] [#np.dim<1>] [0] : !A to !W
    %x1 = np.read %w1 : !W to !w
    %x2 = np.read %w2 : !W to !w
    %y = np.ufunc "add"(%x1, %x2) loop "dd->d" : (!w, !w) -> !w
    %w3 = np.view %b [#np.dim<1>] [#np.dim<1>] [0] : !A to !W
    np.assign %y to %w3 : !w, !W
    np.next (%b, %a) : !A, !A
  }
  np.return %L#0 : !A
}

// Without the swap of the other array (a, b = b, b) they are one array from the second iteration on.
// CHECK-LABEL: np.func @jacobi_wrong_swap
// CHECK: %[[T:.*]] = np.alloc
// CHECK: np.nest {{.*}} writes(%[[T]])
// CHECK: np.nest {{.*}} reads(%[[T]])
np.func @jacobi_wrong_swap(%A: !A, %B: !A, %T: !np.pyint) -> !A attributes {alias = "noalias", guards = [#np.guard<s0 ">=" 2, 3>]} {
  np.symbol "k0" = %T
  %L:2 = np.for "i0" = #np.dim<0> to #np.dim<k0> step #np.dim<1> iter(%A, %B) : (!A, !A) -> (!A, !A) {
  ^bb0(%t: !np.pyint, %a: !A, %b: !A):
    %w1 = np.view %a [#np.dim<0>] [#np.dim<1>] [0] : !A to !W
    %w2 = np.view %a [#np.dim<2>] [#np.dim<1>] [0] : !A to !W
    %x1 = np.read %w1 : !W to !w
    %x2 = np.read %w2 : !W to !w
    %y = np.ufunc "add"(%x1, %x2) loop "dd->d" : (!w, !w) -> !w
    %w3 = np.view %b [#np.dim<1>] [#np.dim<1>] [0] : !A to !W
    np.assign %y to %w3 : !w, !W
    np.next (%b, %b) : !A, !A
  }
  np.return %L#0 : !A
}

// The same array passed twice: one read precedes the store, the other follows it and is copied.
// CHECK-LABEL: np.func @same
// CHECK: %[[B:.*]] = np.view %arg0 [#np.dim<0>]
// CHECK: %[[F:.*]] = np.view %arg0 [#np.dim<2>]
// CHECK: %[[T:.*]] = np.alloc
// CHECK: np.nest {{.*}} reads(%[[B]]) {{.*}} writes(%[[T]])
// CHECK: np.nest {{.*}} reads(%[[T]], %[[F]]) {{.*}} order ["up"] groups [0, 1, 1]
np.func @same(%a: !A, %b: !np.array<s1 x f64, C>) attributes {alias = [["same", 0, 1]], guards = [#np.guard<s0 ">=" 2, 3>]} {
  %w1 = np.view %a [#np.dim<0>] [#np.dim<1>] [0] : !A to !W
  %w2 = np.view %a [#np.dim<2>] [#np.dim<1>] [0] : !A to !W
  %x1 = np.read %w1 : !W to !w
  %x2 = np.read %w2 : !W to !w
  %y = np.ufunc "add"(%x1, %x2) loop "dd->d" : (!w, !w) -> !w
  %w3 = np.view %b [#np.dim<1>] [#np.dim<1>] [0] : !np.array<s1 x f64, C> to !np.array<s1 - 2 x f64, C>
  %z = np.broadcast %y : !w to tensor<?xf64, #np.dims<s1 - 2>>
  np.assign %z to %w3 : tensor<?xf64, #np.dims<s1 - 2>>, !np.array<s1 - 2 x f64, C>
  np.return
}

// f(a, a[1:]) and the like: arguments that overlap in any way. Two operands would be copied, so the result is.
// CHECK-LABEL: np.func @overlap
// CHECK: %[[T:.*]] = np.alloc
// CHECK: np.nest {{.*}} reads(%arg0, %arg1) {{.*}} writes(%[[T]]) {{.*}} groups [0, 0, 1]
// CHECK: np.nest {{.*}} reads(%[[T]]) {{.*}} writes(%arg2) {{.*}} order ["any"] groups [0, 1]
np.func @overlap(%a: !A, %b: !A, %c: !A) attributes {alias = [["overlap", 0, 1], ["overlap", 0, 2], ["overlap", 1, 2]]} {
  %0 = np.read %a : !A to !v
  %1 = np.read %b : !A to !v
  %2 = np.ufunc "add"(%0, %1) loop "dd->d" : (!v, !v) -> !v
  np.assign %2 to %c : !v, !A
  np.return
}

// Pairs that are not named do not overlap.
// CHECK-LABEL: np.func @other_pair
// CHECK-NOT: np.alloc
// CHECK: np.nest {{.*}} groups [0, 0, 1]
np.func @other_pair(%a: !A, %b: !A, %c: !A) attributes {alias = [["overlap", 0, 1]]} {
  %0 = np.read %a : !A to !v
  %1 = np.read %b : !A to !v
  %2 = np.ufunc "add"(%0, %1) loop "dd->d" : (!v, !v) -> !v
  np.assign %2 to %c : !v, !A
  np.return
}

// An argument that overlaps itself is stored in C order, from a complete result.
// CHECK-LABEL: np.func @itself
// CHECK: %[[T:.*]] = np.alloc : <s0 x s1 x f64, C>
// CHECK: np.nest {{.*}} reads(%arg0) {{.*}} writes(%[[T]])
// CHECK: np.nest {{.*}} reads(%[[T]]) {{.*}} writes(%arg0) {{.*}} order ["up", "up"]
np.func @itself(%a: !np.array<s0 x s1 x f64, strided>) attributes {alias = [["overlap", 0, 0]]} {
  %0 = np.read %a : !np.array<s0 x s1 x f64, strided> to tensor<?x?xf64, #np.dims<s0, s1>>
  %1 = np.ufunc "negative"(%0) loop "d->d" : (tensor<?x?xf64, #np.dims<s0, s1>>) -> tensor<?x?xf64, #np.dims<s0, s1>>
  np.assign %1 to %a : tensor<?x?xf64, #np.dims<s0, s1>>, !np.array<s0 x s1 x f64, strided>
  np.return
}

// The result of a branch is either array.
// CHECK-LABEL: np.func @branch
// CHECK: %[[X:.*]] = np.if
// CHECK: %[[T:.*]] = np.alloc
// CHECK: np.nest {{.*}} reads(%[[X]]) {{.*}} writes(%{{.*}}, %[[T]]) {{.*}} combine ["", ""] order ["any"] groups [0, 1, 2]
// CHECK: np.nest {{.*}} reads(%[[T]])
np.func @branch(%a: !A, %b: !A, %c: !np.array<s0 x f64, C>, %p: !np.pybool) attributes {alias = "noalias"} {
  %f = np.view %c [#np.dim<s0 - 1>] [#np.dim<-1>] [0] : !A to !np.array<s0 x f64, strided>
  %t = np.truth %p : (!np.pybool) -> i1
  %x = np.if %t : (i1) -> (!A) {
    np.yield %a : !A
  } else {
    np.yield %b : !A
  }
  %0 = np.read %x : !A to !v
  np.assign %0 to %f : !v, !np.array<s0 x f64, strided>
  %g = np.view %a [#np.dim<s0 - 1>] [#np.dim<-1>] [0] : !A to !np.array<s0 x f64, strided>
  %1 = np.read %x : !A to !v
  np.assign %1 to %g : !v, !np.array<s0 x f64, strided>
  np.return
}

// A call gives one of its operands, views of them, or something new: it is disjoint from all else.
// Two results of one call may share memory.
// CHECK-LABEL: np.func @call
// CHECK: %[[R:.*]]:2 = np.call
// CHECK: np.nest {{.*}} reads(%[[R]]#0) {{.*}} writes(%[[T:[0-9]+]])
// CHECK: np.nest {{.*}} reads(%[[T]]) {{.*}} writes(%arg0)
// CHECK: np.nest {{.*}} reads(%[[R]]#0) {{.*}} writes(%arg1, %[[U:[0-9]+]]) {{.*}} groups [0, 1, 2]
// CHECK: np.nest {{.*}} reads(%[[U]]) {{.*}} writes(%[[R]]#1)
np.func @call(%A: !A, %B: !A) attributes {alias = "noalias"} {
  %r:2 = np.call @given(%A) : (!A) -> (!A, !A)
  %x = np.read %r#0 : !A to !v
  np.assign %x to %A : !v, !A
  %y = np.read %r#0 : !A to !v
  np.assign %y to %B : !v, !A
  %z = np.read %r#0 : !A to !v
  np.assign %z to %r#1 : !v, !A
  np.return
}
