// np-infer: functions that call themselves. Each combination of argument types is a typed np.func
// of its own, called by np.call; none is expanded, so that code grows with their number only.
//
// Its result is carried as the variables of a loop are: by a Slot (join.h), which is found by
// doing. At first a call in its own body counts as one that does not return, so the paths without
// one say what the slot is; then the body is inferred again with that slot, and the slot widened,
// until the two agree. Sizes are the caller's only where they are constants: others are results
// themselves, and symbols of their own at each call.
//
// An array that comes out may be any that went in, a view of one, or a new one: it has an owner of
// its own (lifetime.h), and points_to.h takes it to share memory with every array that went in.
#include "passes/infer.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

constexpr long mostFunctions = 64;  // of one callee
constexpr unsigned mostNested = 16; // tuples in a result

unsigned depthOf(const Slot &slot) {
    unsigned depth = 0;
    for (const Slot &item : slot.items)
        depth = std::max(depth, 1 + depthOf(item));
    return depth;
}

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
    } else if (v.kind == Val::Kind::Unbound) {
        text << "unbound, ";
    } else if (v.isTuple() || v.isDict() || v.isRecord() || v.kind == Val::Kind::Function ||
               v.kind == Val::Kind::Slice) {
        text << (v.isDict() ? "{" : v.list ? "[" : "(");
        if (v.attr)
            text << v.attr;
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
    Type any = anyTensor(builder.getContext());
    if (v.kind == Val::Kind::Static)
        return ConstOp::create(builder, place, StaticType::get(builder.getContext()), v.attr);
    if (v.kind == Val::Kind::Unbound)
        return UnboundOp::create(builder, place, any, "a variable");
    if (v.isTyped())
        return body.addArgument(parameterType(v, symbols), place);
    auto parameters = [&](ArrayRef<Val> values) {
        return llvm::map_to_vector(values, [&](const Val &item) {
            return parameterFor(body, builder, place, symbols, item);
        });
    };
    if (v.kind == Val::Kind::Function) {
        const SmallVector<Value> captured = parameters(v.items[0].items);
        return ClosureOp::create(builder, place, any, cast<FlatSymbolRefAttr>(v.attr).getValue(),
                                 captured, parameters(v.items[1].items));
    }
    SmallVector<Value> items = parameters(v.items);
    if (v.kind == Val::Kind::Slice)
        return SliceOp::create(builder, place, any, items[0], items[1], items[2]);
    if (v.isDict())
        for (auto [i, key] : llvm::enumerate(cast<ArrayAttr>(v.attr)))
            items.insert(items.begin() + 2 * i, constantValue(builder, place, key));
    auto made =
        TupleOp::create(builder, place, any, items, v.list ? builder.getUnitAttr() : UnitAttr());
    if (v.isDict())
        made->setAttr("dict", builder.getUnitAttr());
    else if (v.attr)
        made->setAttr("record", v.attr);
    if (v.isDict() || v.isRecord() || v.list)
        made->setAttr("argument",
                      builder.getStringAttr("that is from around a 'try', or an argument "
                                            "of a function that calls itself,"));
    return made;
}

StringRef nameOf(FuncOp callee) {
    auto qualified = callee->getAttrOfType<StringAttr>("qualname");
    return qualified ? qualified.getValue() : callee.getSymName();
}

// Can a slot carry it?
bool isCarried(const Val &v) {
    using Kind = Val::Kind;
    return !llvm::is_contained({Kind::Slice, Kind::Range, Kind::Iterator, Kind::Unbound}, v.kind) &&
           llvm::all_of(v.items, isCarried);
}

// A size that is no constant has a meaning in the function only: it is carried beside the array.
Slot ofAnyCall(Slot slot) {
    for (Slot &item : slot.items)
        item = ofAnyCall(std::move(item));
    if (slot.list)
        slot.serial = 0;
    auto array = dyn_cast_if_present<ArrayType>(slot.type);
    if (!array)
        return slot;
    Dims dims;
    for (auto [d, dim] : llvm::enumerate(array.getDims())) {
        slot.changing[d] = slot.changing[d] || !dim.isConst();
        dims.push_back(slot.changing[d] ? dimSymbol(array.getContext(), "size") : dim);
    }
    slot.type = ArrayType::get(array.getContext(), dims, array.getDtype(), array.getLayout(),
                               array.getReadonly(), array.getDevice());
    return slot;
}

// The lists and dicts among the arguments, in the order in which the callee numbers them: their
// np.tuple operations (parameterFor) are its first.
void addCells(ArrayRef<Val> arguments, SmallVectorImpl<unsigned> &cells) {
    for (const Val &v : arguments) {
        addCells(v.items, cells);
        if (v.cell || v.list || v.isDict())
            cells.push_back(v.cell);
    }
}

// A list or dict in the result is one that the callee was given, or one of its own.
void renumber(Val &v, ArrayRef<unsigned> given) {
    for (Val &item : v.items)
        renumber(item, given);
    if (v.cell && v.cell != unknownCell)
        v.cell = v.cell <= given.size() ? given[v.cell - 1] : 0;
}

// It, or a function that it calls, reads an np.global.
bool usesGlobals(FuncOp func) {
    llvm::SetVector<FuncOp> functions = reachedFrom(func);
    functions.insert(func);
    return llvm::any_of(functions, [](FuncOp reached) {
        return reached->walk([](GlobalOp) { return WalkResult::interrupt(); }).wasInterrupted();
    });
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

// The entry's hidden arguments; a recursive function has them as its last parameters.
SmallVector<Val> Infer::globals() {
    if (auto hidden = source->getAttrOfType<IntegerAttr>("hidden"))
        return vals(ValueRange(source.getArguments()).take_back(hidden.getInt()));
    auto given = source->getAttrOfType<ArrayAttr>("globals");
    size_t next = source.getNumArguments() - llvm::count_if(given, llvm::IsaPred<UnitAttr>);
    return llvm::map_to_vector(given, [&](Attribute global) {
        return isa<UnitAttr>(global) ? val(source.getArgument(next++)) : e.literal(global);
    });
}

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
    const unsigned count = callee.getNumArguments();
    unsigned symbols = 0;
    for (auto [k, v] : llvm::enumerate(arguments.take_front(count))) {
        Value value = parameterFor(body, builder, place, symbols, v);
        auto cast = CastOp::create(builder, place, anyTensor(e.ctx), value);
        body.getArgument(k).replaceAllUsesWith(cast);
    }
    SmallVector<Attribute> globals; // unit: the next of the last parameters
    for (const Val &v : arguments.drop_front(count)) {
        globals.push_back(v.isTyped() ? builder.getUnitAttr() : v.attr);
        if (v.isTyped())
            parameterFor(body, builder, place, symbols, v);
    }
    copy->setAttr("globals", builder.getArrayAttr(globals));
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

// What they return is kept: it is a part of what they will return.
void Recursions::forgetSince(const Function &function) {
    for (auto &[key, other] : functions)
        if (other.typed && other.began > function.began) {
            std::exchange(other.typed, FuncOp()).erase();
            other.never = false;
        }
}

void Recursions::clear() {
    for (auto &[key, function] : functions)
        if (function.typed)
            function.typed.erase();
    functions.clear();
}

// What the function that is being inferred returns, as its calls take it.
void Infer::packResult(const Val &given, SmallVectorImpl<Value> &leaves) {
    const Val v = boundValue(given);
    if (!isCarried(v))
        e.unsupported("a recursive function that returns " + e.describe(v) + " is not supported");
    Slot &result = recursion->result;
    result = ofAnyCall(join(e, result, v, "return value"));
    pack(e, result, v, leaves);
}

void Infer::inferRecursive(Recursions::Function &function, FuncOp callee, ArrayRef<Val> arguments,
                           Location place) {
    function.open = true;
    function.began = ++recursions.time;
    while (
        !function.typed) { // each turn widens the slot, which ends: sizes, layouts, numbers, None
        FuncOp copy = specialisedCopy(callee, function.symbol, arguments, place);
        llvm::scope_exit erase([&] { copy.erase(); });
        function.asked = false;
        const Slot before = function.result;
        Infer inner(copy, OpBuilder(e.ctx), recursions, callee, &function);
        FuncOp typed = inner.run();
        // One that raises, or calls itself for ever, is inferred once more, with the calls.
        if (depthOf(function.result) > mostNested) {
            typed.erase();
            e.unsupported("the recursive function " + nameOf(callee) +
                          " returns what it returned inside something else, deeper from call to "
                          "call, which is not supported; return arrays or numbers, or store them "
                          "to an array");
        }
        const bool done = inner.ended ? std::exchange(function.never, true)
                                      : !function.asked || function.result == before;
        if (done) {
            function.typed = typed;
            continue;
        }
        typed.erase();
        recursions.forgetSince(function); // they may have asked for it
    }
    function.open = false;
}

Val Infer::recursiveCall(FuncOp callee, ArrayRef<Val> given, Location place,
                         std::optional<std::string> attempt, SmallVector<Val, 3> *caught) {
    SmallVector<Val> arguments(given);
    if (usesGlobals(callee))
        llvm::append_range(arguments, globals());
    auto [known, isNew] = recursions.functions.try_emplace(keyOf(e, callee, arguments));
    Recursions::Function &function = known->second;
    if (isNew) {
        auto isOfCallee = [&, start = (callee.getSymName() + " ").str()](const auto &other) {
            return StringRef(other.first).starts_with(start);
        };
        if (!attempt && llvm::count_if(recursions.functions, isOfCallee) > mostFunctions)
            e.unsupported("the recursive function " + nameOf(callee) +
                          " is called with arguments of ever new types");
        function.result.kind = Slot::Kind::Never;
        function.symbol = (callee.getSymName() + "." + Twine(recursions.functions.size())).str();
    }
    if (!function.typed && !function.open)
        inferRecursive(function, callee, arguments, place);
    e.loc = place;
    function.asked |= !function.typed;
    ended = function.result.kind == Slot::Kind::Never && !attempt; // as if it did not return
    if (ended && !function.never)
        return e.neverVal();
    SmallVector<Value> operands;
    addOperands(arguments, operands);
    SmallVector<Type> types;
    packedTypes(e, function.result, types);
    if (attempt)
        types.append(3, PyIntType::get(e.ctx));
    auto call = CallOp::create(e.b, place, types, function.symbol, operands, ArrayAttr(),
                               ArrayAttr(), ArrayAttr());
    ValueRange outputs = call.getOutputs();
    if (attempt) {
        call->setAttr("attempt", e.b.getStringAttr(*attempt));
        for (Value value : outputs.take_back(3))
            caught->push_back(e.typed(value));
    }
    Val result = unpack(e, function.result, outputs);
    SmallVector<unsigned> cells;
    addCells(arguments, cells);
    renumber(result, cells);
    return result;
}
