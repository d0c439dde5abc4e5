// The attribute #np.dim, apart from the others: ir/dim.h needs nothing else of the dialect.
#ifndef NP_DIM_TD
#define NP_DIM_TD

include "NpDialect.td"

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

#endif
