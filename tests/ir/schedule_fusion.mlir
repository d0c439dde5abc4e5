// RUN: %opt %s --np-nests --np-schedule | FileCheck %s

!A = !np.array<s0 x f64, C>
!v = tensor<?xf64, #np.dims<s0>>
!W = !np.array<s0 - 4 x f64, C>
!w = tensor<?xf64, #np.dims<s0 - 4>>

// Two fields updated in place from two neighbours on either side: what is stored goes through temporaries, which one nest
// computes. The copy back of the first stands between them in the program; the second needs nothing of it. What is kept of
// the first field is handed over in a register.
// CHECK-LABEL: np.func @two_fields
// CHECK-DAG: %[[T:.*]] = np.alloc
// CHECK-DAG: %[[U:.*]] = np.alloc
// CHECK-NOT: np.alloc
// CHECK: np.nest {{.*}} writes(%[[T]], %[[U]]) {{.*}} order ["any"]
// CHECK: np.nest {{.*}} reads(%[[T]])
// CHECK: np.nest {{.*}} reads(%[[U]])
// CHECK-NOT: np.nest {{\[}}
np.func @two_fields(%a: !A, %b: !A) attributes {alias = "noalias"} {
  %a0 = np.view %a [#np.dim<0>] [#np.dim<1>] [0] : !A to !W
  %a1 = np.view %a [#np.dim<1>] [#np.dim<1>] [0] : !A to !W
  %a2 = np.view %a [#np.dim<2>] [#np.dim<1>] [0] : !A to !W
  %a3 = np.view %a [#np.dim<3>] [#np.dim<1>] [0] : !A to !W
  %a4 = np.view %a [#np.dim<4>] [#np.dim<1>] [0] : !A to !W
  %b0 = np.view %b [#np.dim<0>] [#np.dim<1>] [0] : !A to !W
  %b1 = np.view %b [#np.dim<1>] [#np.dim<1>] [0] : !A to !W
  %b2 = np.view %b [#np.dim<2>] [#np.dim<1>] [0] : !A to !W
  %b3 = np.view %b [#np.dim<3>] [#np.dim<1>] [0] : !A to !W
  %b4 = np.view %b [#np.dim<4>] [#np.dim<1>] [0] : !A to !W
  %kept = np.alloc : !W
  %c = np.read %a2 : !W to !w
  np.assign %c to %kept : !w, !W
  %r0 = np.read %a0 : !W to !w
  %r1 = np.read %a1 : !W to !w
  %s1 = np.ufunc "add"(%r0, %r1) loop "dd->d" : (!w, !w) -> !w
  %r2 = np.read %a3 : !W to !w
  %s2 = np.ufunc "add"(%s1, %r2) loop "dd->d" : (!w, !w) -> !w
  %r3 = np.read %a4 : !W to !w
  %s3 = np.ufunc "add"(%s2, %r3) loop "dd->d" : (!w, !w) -> !w
  np.assign %s3 to %a2 : !w, !W
  %r10 = np.read %b0 : !W to !w
  %r11 = np.read %b1 : !W to !w
  %s11 = np.ufunc "add"(%r10, %r11) loop "dd->d" : (!w, !w) -> !w
  %r12 = np.read %b3 : !W to !w
  %s12 = np.ufunc "add"(%s11, %r12) loop "dd->d" : (!w, !w) -> !w
  %r13 = np.read %b4 : !W to !w
  %s13 = np.ufunc "add"(%s12, %r13) loop "dd->d" : (!w, !w) -> !w
  %k = np.read %kept : !W to !w
  %m = np.ufunc "multiply"(%s13, %k) loop "dd->d" : (!w, !w) -> !w
  np.assign %m to %b2 : !w, !W
  np.return
}

// The second reads what the first has stored: it stays behind the copy back.
// CHECK-LABEL: np.func @in_order
// CHECK: %[[T:.*]] = np.alloc
// CHECK: np.nest {{.*}} writes(%[[T]])
// CHECK: np.nest {{.*}} reads(%[[T]])
// CHECK: np.nest {{.*}} writes(%arg1)
np.func @in_order(%a: !A, %b: !W) attributes {alias = "noalias"} {
  %a0 = np.view %a [#np.dim<0>] [#np.dim<1>] [0] : !A to !W
  %a1 = np.view %a [#np.dim<1>] [#np.dim<1>] [0] : !A to !W
  %a2 = np.view %a [#np.dim<2>] [#np.dim<1>] [0] : !A to !W
  %a3 = np.view %a [#np.dim<3>] [#np.dim<1>] [0] : !A to !W
  %a4 = np.view %a [#np.dim<4>] [#np.dim<1>] [0] : !A to !W
  %r0 = np.read %a0 : !W to !w
  %r1 = np.read %a1 : !W to !w
  %s1 = np.ufunc "add"(%r0, %r1) loop "dd->d" : (!w, !w) -> !w
  %r2 = np.read %a3 : !W to !w
  %s2 = np.ufunc "add"(%s1, %r2) loop "dd->d" : (!w, !w) -> !w
  %r3 = np.read %a4 : !W to !w
  %s3 = np.ufunc "add"(%s2, %r3) loop "dd->d" : (!w, !w) -> !w
  np.assign %s3 to %a2 : !w, !W
  %r10 = np.read %a0 : !W to !w
  %r11 = np.read %a1 : !W to !w
  %s11 = np.ufunc "add"(%r10, %r11) loop "dd->d" : (!w, !w) -> !w
  %r12 = np.read %a3 : !W to !w
  %s12 = np.ufunc "add"(%s11, %r12) loop "dd->d" : (!w, !w) -> !w
  %r13 = np.read %a4 : !W to !w
  %s13 = np.ufunc "add"(%s12, %r13) loop "dd->d" : (!w, !w) -> !w
  np.assign %s13 to %b : !w, !W
  np.return
}
