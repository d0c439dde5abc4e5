#include "ops/builder/operands.h"

#include "facts/host_info.h"
#include "ir/symbols.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

void shapecast::needConstant(const TypedBuilder &e, const Val &v, const Twine &message) {
    e.requestStaticArgument(sourceParameters(v));
    e.unsupported(message);
}

SmallVector<unsigned> shapecast::sourceParameters(const Val &v) {
    SmallVector<unsigned> parameters;
    auto add = [&](unsigned k) {
        if (!llvm::is_contained(parameters, k))
            parameters.push_back(k);
    };
    auto addDim = [&](DimAttr dim) {
        dimSymbols(dim, [&](StringRef name) { // the entry's k-th int is the symbol n<k>
            unsigned k = 0;
            if (name.consume_front("n") && !name.getAsInteger(10, k))
                add(k);
        });
    };
    Value value = v.value;
    while (auto cast = value ? value.getDefiningOp<CastOp>() : CastOp())
        value = cast.getValue();
    if (auto argument = dyn_cast_or_null<BlockArgument>(value);
        argument && isPyScalar(argument.getType()) &&
        isa_and_nonnull<FuncOp>(argument.getOwner()->getParentOp()))
        add(argument.getArgNumber());
    if (v.isPyInt() && v.dim)
        addDim(v.dim);
    if (v.lhs) { // a comparison
        addDim(v.lhs);
        addDim(v.rhs);
    }
    return parameters;
}

Val shapecast::narrowed(TypedBuilder &e, const Val &v) {
    if (v.isUnion()) {
        Val rest = v;
        for (; rest.isUnion(); rest = withoutLastMember(rest)) {
            DimAttr last = e.dimConst(rest.items.size() - 1);
            if (e.facts.greaterEqual(v.dim, last) == Answer::Yes)
                return rest.items.back();
            if (e.facts.less(v.dim, last) != Answer::Yes)
                break;
        }
        return rest;
    }
    if (v.kind != Val::Kind::Optional || !v.attr)
        return v;
    if (e.facts.greaterEqual(v.dim, e.dimConst(1)) == Answer::Yes)
        return narrowed(e, v.items[0]);
    return e.facts.less(v.dim, e.dimConst(1)) == Answer::Yes ? e.noneVal() : v;
}
