// np-infer: functions that call themselves. Each combination of argument types is a typed np.func
// of its own, called by np.call.
//
// Its result's type is found by doing: at first a call in its own body counts as one that does not
// return, so the paths without one say what the type is; then the body is inferred again with that
// type, until the two agree.
#include "passes/infer.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// The type of the parameter for this argument: arrays with sizes of their own.
Type parameterType(const Val &v, unsigned &symbols) {
    auto array = v.array();
    if (!array)
        return v.type();
    Dims dims;
    for (int64_t d = 0; d < array.getRank(); ++d)
        dims.push_back(dimSymbol(array.getContext(), "s" + std::to_string(symbols++)));
    return ArrayType::get(array.getContext(), dims, array.getDtype(), array.getLayout(),
                          array.getReadonly(), array.getDevice());
}

std::string keyOf(TypedBuilder &e, FuncOp callee, ArrayRef<Val> arguments) {
    std::string key = callee.getSymName().str();
    llvm::raw_string_ostream text(key);
    unsigned symbols = 0;
    for (const Val &v : arguments) {
        if (v.isTyped() && !v.pyFlag)
            text << ", " << parameterType(v, symbols);
        else if (v.kind == Val::Kind::Static)
            text << ", " << v.attr;
        else
            e.unsupported("a recursive call with " + e.describe(v) +
                          " as argument is not supported; pass arrays and numbers");
    }
    return key;
}

// Whether an argument of the entry may name the same element under two indices.
bool mayOverlapItself(FuncOp func) {
    auto relations = func->getAttrOfType<ArrayAttr>("alias");
    return relations && llvm::any_of(relations, [](Attribute relation) {
               auto parts = cast<ArrayAttr>(relation);
               return parts[1] == parts[2];
           });
}

} // namespace

// The callee with typed parameters, as np-specialise makes the entry. Without the attribute `alias`
// any two arrays may overlap.
FuncOp Infer::specialisedCopy(FuncOp callee, StringRef symbol, ArrayRef<Val> arguments,
                              Location place) {
    FuncOp copy = callee.clone();
    callee->getParentOfType<ModuleOp>().getBody()->push_back(copy);
    copy.setSymName(symbol);
    copy.setSymVisibility("private");
    copy->setAttr("recursive", e.b.getUnitAttr());
    copy.walk([&](Operation *op) { op->setLoc(CallSiteLoc::get(op->getLoc(), place)); });
    Block &body = copy.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    SmallVector<Type> types;
    SmallVector<Attribute> overlaps;
    unsigned symbols = 0;
    llvm::BitVector fixed(arguments.size());
    for (auto [k, parameter, v] : llvm::enumerate(body.getArguments(), arguments)) {
        Value value = parameter;
        if (v.kind == Val::Kind::Static) {
            value = ConstOp::create(builder, place, StaticType::get(e.ctx), v.attr);
            fixed.set(k);
        } else {
            parameter.setType(parameterType(v, symbols));
            types.push_back(parameter.getType());
            for (size_t j = 0; v.isArray() && j < types.size(); ++j)
                if (isa<ArrayType>(types[j]))
                    overlaps.push_back(builder.getArrayAttr(
                        {builder.getStringAttr("overlap"), builder.getI64IntegerAttr(j),
                         builder.getI64IntegerAttr(types.size() - 1)}));
        }
        auto cast = CastOp::create(builder, place, anyTensor(e.ctx), value);
        parameter.replaceUsesWithIf(cast.getResult(),
                                    [&](OpOperand &use) { return use.getOwner() != cast; });
    }
    body.eraseArguments(fixed);
    copy.setFunctionType(builder.getFunctionType(types, copy.getResultTypes()));
    if (mayOverlapItself(source))
        copy->setAttr("alias", builder.getArrayAttr(overlaps));
    return copy;
}

void Infer::inferRecursive(Recursions::Function &function, FuncOp callee, ArrayRef<Val> arguments,
                           Location place) {
    for (int attempt = 0;; ++attempt) {
        if (attempt == 4)
            e.unsupported("the type of what the recursive function " + callee.getSymName() +
                          " returns does not settle");
        FuncOp copy = specialisedCopy(callee, function.symbol, arguments, place);
        FuncOp typed;
        function.asked = false;
        Infer inner(copy, OpBuilder(e.ctx), recursions, callee);
        try {
            typed = inner.run();
        } catch (const InferError &) {
            copy.erase();
            throw;
        }
        copy.erase();
        if (inner.ended) { // raises, or calls itself for ever: once more, with the calls
            if (std::exchange(function.never, true))
                break;
            typed.erase();
            continue;
        }
        Attribute tree = typed->getAttr("result");
        ArrayRef<Type> types = typed.getResultTypes();
        bool nothing = isa<PyAttr>(tree) && cast<PyAttr>(tree).getKind() == "none";
        if (!nothing && !(isa<IntegerAttr>(tree) && isScalar(types[0])))
            e.unsupported("a recursive function that returns anything but one number, or None, is "
                          "not supported; let it fill an array that is an argument");
        Type result = nothing ? Type() : types[0];
        bool settled = !function.asked || function.result == result;
        function.result = result;
        if (settled)
            break;
        typed.erase();
    }
    function.typed = true;
}

Val Infer::recursiveCall(FuncOp callee, ArrayRef<Val> arguments, Location place) {
    if (callee.walk([](GlobalOp) { return WalkResult::interrupt(); }).wasInterrupted())
        e.unsupported("a recursive function that uses an array from outside is not supported; "
                      "pass it as an argument");
    auto [known, isNew] = recursions.functions.try_emplace(keyOf(e, callee, arguments));
    Recursions::Function &function = known->second;
    if (isNew) {
        function.symbol = (callee.getSymName() + "." + Twine(recursions.functions.size())).str();
        inferRecursive(function, callee, arguments, place);
    }
    e.loc = place;
    function.asked |= !function.typed;
    ended = !function.result; // as if it did not return
    if (ended && !function.never)
        return e.neverVal();
    SmallVector<Value> operands;
    for (const Val &v : arguments)
        if (v.isTyped())
            operands.push_back(v.value);
    Type result = function.result.value_or(Type());
    Value value = CallOp::create(e.b, place, result ? result : PyIntType::get(e.ctx),
                                 function.symbol, operands, ArrayAttr(), ArrayAttr(), ArrayAttr());
    return ended ? e.neverVal() : result ? e.typed(value) : e.noneVal();
}
