// Attributes of the np dialect but #np.dim (NpDim.td): layouts, Python constants, results.
#ifndef NP_ATTRS_TD
#define NP_ATTRS_TD

include "NpDialect.td"
include "mlir/IR/TensorEncoding.td"

def Np_DimsAttr : AttrDef<Np_Dialect, "Dims", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
    let mnemonic = "dims";
    let summary = "encoding of an array value's tensor type: its symbolic sizes, and its device";
    let description = [{ `#np.dims<s0, 3>`, on a device `#np.dims<s0, 3, "cuda:0">`. }];
    let parameters = (ins ArrayRefParameter<"DimAttr">:$dims, "::mlir::StringAttr":$device);
    let hasCustomAssemblyFormat = 1;
}

def Np_PyAttr : Np_Attr<"Py", "py"> {
    let summary = "a Python value known at compile time that is not a number: kind and text";
    let description = [{
        kinds: "none", "ellipsis", "str", "dtype" (text: NumPy name, e.g. float64; numpy.float64 is the class),
        "module" (text: numpy, math),
        "func" (text: symbol name of a captured np.func or dotted external name, e.g. numpy.sqrt),
        "type" (int, float, bool, complex).
    }];
    let parameters = (ins StringRefParameter<>:$kind, StringRefParameter<>:$text);
    let assemblyFormat = "`<` $kind `,` $text `>`";
}

def Np_GuardAttr : Np_Attr<"Guard", "guard"> {
    let summary = "entry guard: a relation between expressions over the arguments' symbols";
    let description = [{ pred is one of "==", ">=", "!=": `#np.guard<s0 ">=" 2, 3>` (3: the source line that needs it) }];
    let parameters = (ins StringRefParameter<>:$pred, "DimAttr":$lhs, "DimAttr":$rhs, "int64_t":$line);
    let hasCustomAssemblyFormat = 1;
}

def Np_CallStructureAttr : Np_Attr<"CallStructure", "call_structure"> {
    let summary = "how the arguments of a call are nested: see ir/call_structure.h";
    let parameters = (ins StringRefParameter<>:$text);
    let assemblyFormat = "`<` $text `>`";
}

def Np_ErrorSiteAttr : Np_Attr<"ErrorSite", "error_site"> {
    let summary = "an exception that compiled code may raise: its class, message and location";
    let description = [{
        `#np.error_site<"IndexError", "index {0} is out of bounds", loc(...), ["a note"]>`. The message
        and the notes have {0} {1} ... for values that are known at run time; notes may be absent.
        In a function that calls share, `caller` is the first of these, which `at` is inside.
    }];
    let parameters = (ins "::mlir::StringAttr":$error, "::mlir::StringAttr":$message,
                          "::mlir::LocationAttr":$at, OptionalParameter<"::mlir::ArrayAttr">:$notes,
                          OptionalParameter<"::mlir::LocationAttr">:$caller);
    let hasCustomAssemblyFormat = 1;
}

def Np_ProfileRowAttr : Np_Attr<"ProfileRow", "profile_row"> {
    let summary = "what the time of a profiled call is measured for: its kind, what it is, and its location";
    let description = [{
        `#np.profile_row<"nest", "s0 x s1", loc(...)>`: see passes/loops/profile.h.
    }];
    let parameters = (ins "::mlir::StringAttr":$kind, "::mlir::StringAttr":$text, "::mlir::LocationAttr":$at);
    let hasCustomAssemblyFormat = 1;
}

def Np_AnnotationAttr : Np_Attr<"Annotation", "annotation"> {
    let summary = "a parameter's annotation with a class of shapecast.typing";
    let parameters = (ins
        "::mlir::StringAttr":$name,  // of the parameter
        "::mlir::StringAttr":$text,  // as the program spells it
        "::mlir::ArrayAttr":$dtypes, // the names of those that fit
        "::mlir::ArrayAttr":$dims,   // sizes, see passes/infer/annotations.cpp
        "bool":$optional             // None fits
    );
    let assemblyFormat = "`<` struct(params) `>`";
}

def Np_ObjectStateAttr : Np_Attr<"ObjectState", "object_state"> {
    let summary = "the mutable state of an object from outside: how np-infer builds it at the entry";
    let description = [{
        An item is the number of a hidden argument, unit for an attribute that is not set yet, or [k] for
        the state of object k. `form`: "names" (of attributes, in `keys`), "keys" (a dict), "list", "tuple",
        or "ints" and "floats" (a list of numbers, whose only item is one array).
    }];
    let parameters = (ins "int64_t":$object, StringRefParameter<>:$form, "::mlir::ArrayAttr":$keys,
                          "::mlir::ArrayAttr":$items);
    let assemblyFormat = "`<` struct(params) `>`";
}

//===-- Trees of results: of np.func's `result` and `writes`, np.call's, np.print's and np.raise's `tree` ---===//
//
// An integer is the number of an operand, an array a tuple of trees, #np.py<...> a constant. Others:

def Np_ResultListAttr : Np_Attr<"ResultList", "result_list"> {
    let summary = "a list of trees";
    let parameters = (ins "::mlir::ArrayAttr":$items,
        DefaultValuedParameter<"int64_t", "0">:$cell // lists of one cell, but 0, are one object
    );
    let assemblyFormat = "`<` $items (`cell` $cell^)? `>`";
}

def Np_ResultCallAttr : Np_Attr<"ResultCall", "result_call"> {
    let summary = "what a call of Python returns, with trees as its arguments; a dict's are pairs";
    let parameters = (ins StringRefParameter<>:$callee, "::mlir::ArrayAttr":$items,
        // Of a dynamic list, which `shapecast._objects.listed` makes: "numbers" (all are Python's),
        // "arrays" (some are in it), or ""; see ops/builder/dynamic_list.h.
        StringRefParameter<>:$elements,
        DefaultValuedParameter<"int64_t", "0">:$cell // as a list's
    );
    let assemblyFormat = "`<` $callee `,` $items `,` $elements (`cell` $cell^)? `>`";
}

def Np_ResultChoiceAttr : Np_Attr<"ResultChoice", "result_choice"> {
    let summary = "one of two trees: `value` where the operand `flag` is 1, else `otherwise`";
    let parameters = (ins "::mlir::Attribute":$value, "int64_t":$flag, "::mlir::Attribute":$otherwise);
    let assemblyFormat = "`<` struct(params) `>`";
}

def Np_CallersContainerAttr : Np_Attr<"CallersContainer", "callers_container"> {
    let summary = "a list or dict among the call's arguments, counted as in its #np.call_structure";
    let parameters = (ins "int64_t":$number);
    let assemblyFormat = "`<` $number `>`";
}

def Np_CallersObjectAttr : Np_Attr<"CallersObject", "callers_object"> {
    let summary = "an object from outside, by the number that capture gave it";
    let parameters = (ins "int64_t":$number);
    let assemblyFormat = "`<` $number `>`";
}

def Np_ObjectWriteAttr : Np_Attr<"ObjectWrite", "object_write"> {
    let summary = "new contents (a tree) for an object of the caller's: #np.callers_container or #np.object_state";
    let parameters = (ins "::mlir::Attribute":$target, "::mlir::Attribute":$tree);
    let assemblyFormat = "`<` struct(params) `>`";
}

def Np_MethodAttr : Np_Attr<"Method", "method"> {
    let summary = "what a class has under a name: the np.func, and how it is called";
    let description = [{
        forms: "method" (of the instance), "static", "class" (its first argument is not used), "property", "cached" (a property whose
        value becomes an attribute), "setter" (of a property), "value" (without arguments: a class attribute), "refused" (raises).
    }];
    let parameters = (ins StringRefParameter<>:$form, "::mlir::FlatSymbolRefAttr":$symbol);
    let assemblyFormat = "`<` $form `,` $symbol `>`";
}

def Np_LaunchAttr : Np_Attr<"Launch", "launch"> {
    let summary = "how a kernel is launched: threads per block and blocks, two axes each, as sizes";
    let parameters = (ins "::mlir::ArrayAttr":$threads, "::mlir::ArrayAttr":$blocks,
        "::mlir::StringAttr":$form); // which threads do what, in words for users
    let assemblyFormat = "`<` struct(params) `>`";
}

#endif
