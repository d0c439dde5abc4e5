// Attributes of the np dialect: symbolic dimension expressions, layouts, Python constants.
#ifndef NP_ATTRS_TD
#define NP_ATTRS_TD

include "NpDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"

class Np_Attr<string name, string mnem> : AttrDef<Np_Dialect, name> {
    let mnemonic = mnem;
}

def Np_DimAttr : Np_Attr<"Dim", "dim"> {
    let summary = "canonical integer expression over symbols";
    let description = [{
        `#np.dim<s0 * s1 - 2>`. Built only through `ir/dim.h`, which keeps the normal form, so that
        equal expressions are the same attribute. Kinds: see DimKind there.
    }];
    let parameters = (ins "DimKind":$kind, "int64_t":$value, StringRefParameter<>:$name,
                          ArrayRefParameter<"DimAttr">:$operands);
    let hasCustomAssemblyFormat = 1;
    let extraClassDeclaration = [{
        bool isConst() const { return getKind() == DimKind::Const; }
        bool isConst(int64_t c) const { return isConst() && getValue() == c; }
        bool isSymbol() const { return getKind() == DimKind::Symbol; }
    }];
}

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
    let extraClassDeclaration = [{
        CallStructure::Reader reader() const { return CallStructure::Reader(getText()); }
    }];
}

#endif
