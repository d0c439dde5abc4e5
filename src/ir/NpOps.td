// Operations of the np dialect.
#ifndef NP_OPS
#define NP_OPS
include "ir/NpTypes.td"
include "ir/NpAttrs.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
def CastOp : Op<NpDialect, "cast", [Pure]> {
    let arguments = (ins AnyType:$source);
    let results = (outs AnyType:$result);
    let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
}
#endif
