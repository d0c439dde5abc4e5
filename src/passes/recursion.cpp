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

void addToKey(TypedBuilder &e, llvm::raw_ostream &text, unsigned &symbols, const Val &v) {
    if (v.isTyped() && !v.pyFlag) {
        text << parameterType(v, symbols) << ", ";
    } else if (v.kind == Val::Kind::Static) {
        text << v.attr << ", ";
    } else if (v.isTuple()) {
        text << (v.list ? "[" : "(");
        for (const Val &item : v.items)
            addToKey(e, text, symbols, item);
        text << ")";
    } else {
        e.unsupported("a recursive call with " + e.describe(v) +
                      " as argument is not supported; pass arrays, numbers and tuples of them");
    }
}

std::string keyOf(TypedBuilder &e, FuncOp callee, ArrayRef<Val> arguments) {
    std::string key = callee.getSymName().str();
    llvm::raw_string_ostream text(key);
    unsigned symbols = 0;
    for (const Val &v : arguments)
        addToKey(e, text << " ", symbols, v);
    return key;
}

// The typed parts of arguments, in order.
void addOperands(ArrayRef<Val> arguments, SmallVectorImpl<Value> &operands) {
    for (const Val &v : arguments)
        if (v.isTyped())
            operands.push_back(v.value);
        else
            addOperands(v.items, operands);
}

// The value in the typed copy for an argument: typed parameters, put together.
Value parameterFor(Block &body, OpBuilder &builder, Location place, unsigned &symbols,
                   const Val &v) {
    if (v.kind == Val::Kind::Static)
        return ConstOp::create(builder, place, StaticType::get(builder.getContext()), v.attr);
    if (v.isTyped())
        return body.addArgument(parameterType(v, symbols), place);
    SmallVector<Value> items;
    for (const Val &item : v.items)
        items.push_back(parameterFor(body, builder, place, symbols, item));
    return TupleOp::create(builder, place, anyTensor(builder.getContext()), items,
                           v.list ? builder.getUnitAttr() : UnitAttr());
}

bool areNumbers(Attribute tree) {
    if (auto items = dyn_cast<ArrayAttr>(tree))
        return llvm::all_of(items, areNumbers);
    auto constant = dyn_cast<PyAttr>(tree);
    return isa<IntegerAttr>(tree) || (constant && constant.getKind() == "none");
}

// What a call returns whose leaves are these values.
Val resultOf(TypedBuilder &e, Attribute tree, ValueRange leaves) {
    if (auto leaf = dyn_cast<IntegerAttr>(tree))
        return e.typed(leaves[leaf.getInt()]);
    if (isa<PyAttr>(tree))
        return e.noneVal();
    std::vector<Val> items;
    for (Attribute item : cast<ArrayAttr>(tree))
        items.push_back(resultOf(e, item, leaves));
    return e.tupleVal(std::move(items));
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
    const unsigned count = arguments.size();
    unsigned symbols = 0;
    for (auto [k, v] : llvm::enumerate(arguments)) {
        Value value = parameterFor(body, builder, place, symbols, v);
        auto cast = CastOp::create(builder, place, anyTensor(e.ctx), value);
        body.getArgument(k).replaceAllUsesWith(cast);
    }
    body.eraseArguments(0, count);
    SmallVector<Type> types(body.getArgumentTypes());
    SmallVector<Attribute> overlaps;
    for (auto [k, type] : llvm::enumerate(types))
        for (size_t j = 0; j <= k && isa<ArrayType>(type); ++j)
            if (isa<ArrayType>(types[j]))
                overlaps.push_back(builder.getArrayAttr({builder.getStringAttr("overlap"),
                                                         builder.getI64IntegerAttr(j),
                                                         builder.getI64IntegerAttr(k)}));
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
        if (!areNumbers(tree) || !llvm::all_of(types, [](Type type) { return isScalar(type); }))
            e.unsupported("a recursive function that returns anything but numbers, None, and "
                          "tuples of them is not supported; let it fill an array that is an "
                          "argument");
        const bool settled =
            !function.asked || (function.tree == tree && ArrayRef(function.leaves) == types);
        function.tree = tree;
        function.leaves.assign(types.begin(), types.end());
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
    ended = !function.tree; // as if it did not return
    if (ended && !function.never)
        return e.neverVal();
    SmallVector<Value> operands;
    addOperands(arguments, operands);
    auto call = CallOp::create(e.b, place, function.leaves, function.symbol, operands, ArrayAttr(),
                               ArrayAttr(), ArrayAttr());
    return ended ? e.neverVal() : resultOf(e, function.tree, call.getOutputs());
}
