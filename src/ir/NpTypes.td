// Types of the np dialect.
#ifndef NP_TYPES
#define NP_TYPES
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def NpDialect : Dialect {
    let name = "np";
    let cppNamespace = "::shapecast::np";
    let useDefaultTypePrinterParser = 1;
    let useDefaultAttributePrinterParser = 1;
}
def AnyType_ : TypeDef<NpDialect, "Any"> {
    let mnemonic = "any";
    let summary = "an element type that inference has not found yet";
}
#endif
