// Attributes of the np dialect.
#ifndef NP_ATTRS
#define NP_ATTRS
include "ir/NpTypes.td"
include "mlir/IR/EnumAttr.td"
def NpMark : AttrDef<NpDialect, "Mark"> {
    let mnemonic = "mark";
    let parameters = (ins "int64_t":$value);
    let assemblyFormat = "`<` $value `>`";
}
def NpKind : I32EnumAttr<"Kind", "a stand-in", [I32EnumAttrCase<"a", 0>]> {
    let cppNamespace = "::shapecast::np";
}
#endif
