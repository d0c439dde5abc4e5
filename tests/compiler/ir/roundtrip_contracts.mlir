// RUN: %opt %s | %opt | FileCheck %s

// The attributes that are contracts between passes, lowering and bindings.
// CHECK-LABEL: np.func @f
// CHECK-SAME: annotations = [#np.annotation<name = "x", text = "F64[n]", dtypes = ["float64"], dims = [#np.dim<n>], optional = false>]
// CHECK-SAME: raises = #np.error_site<"ValueError", "negative", #loc, ["x is negative"]>
// CHECK-SAME: result = #np.result_list<[0, #np.result_choice<value = 1 : i64, flag = 2, otherwise = #np.py<"none", "">>] cell 3>
// CHECK-SAME: states = [#np.object_state<object = 2, form = "names", keys = [#np.py<"str", "u">], items = [0]>]
// CHECK-SAME: writes = [#np.object_write<target = #np.callers_container<0>, tree = #np.result_call<"builtins.dict", {{\[}}[#np.py<"str", "u">, 1]], "">>]
np.func @f() attributes {
    annotations = [#np.annotation<name = "x", text = "F64[n]", dtypes = ["float64"], dims = [#np.dim<n>], optional = false>],
    raises = #np.error_site<"ValueError", "negative", loc("a.py":1:2), ["x is negative"]>,
    result = #np.result_list<[0, #np.result_choice<value = 1 : i64, flag = 2, otherwise = #np.py<"none", "">>] cell 3>,
    states = [#np.object_state<object = 2, form = "names", keys = [#np.py<"str", "u">], items = [0]>],
    writes = [#np.object_write<target = #np.callers_container<0>, tree = #np.result_call<"builtins.dict", [[#np.py<"str", "u">, 1]], "">>]} {
  np.return
}
