// The `np` dialect: captured Python, typed NumPy, loop nests, in one IR.
#ifndef NP_DIALECT_TD
#define NP_DIALECT_TD

include "mlir/IR/OpBase.td"

def Np_Dialect : Dialect {
    let name = "np";
    let cppNamespace = "::shapecast::np";
    let summary = "NumPy programs, from captured Python source to loop nests";
    let useDefaultTypePrinterParser = 1;
    let useDefaultAttributePrinterParser = 1;
}

#endif
