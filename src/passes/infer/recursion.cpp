// np-infer: recursive functions. Each combination of argument types is a typed np.func of its own,
// called by np.call; none is inlined, so that code grows only with their number.
//
// The result type is a Slot (slot.h), as of loop-carried variables, and a fixed point. At first a
// recursive call is assumed not to return (Never), so that the other paths give the slot; then the
// body is inferred again with that slot, and the slot widened, until both agree. Sizes in it are
// constants; others are results themselves, and fresh symbols at each call.
//
// A result array may be any argument, a view of one, or a new one: it has an owner of its own
// (lifetime.h), and points_to.h assumes that it aliases every argument.
#include "passes/infer/recursion.h"

#include "ops/builder/dict_views.h"
#include "ops/builder/heap_constants.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/infer_error.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/slot.h"
#include "ops/builder/tuple_objects.h"
#include "passes/frontend/inline.h"
#include "passes/frontend/methods.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

constexpr long maxVariants = 64;   // of one callee
constexpr long fewVariants = 6;    // where its arguments that are tuples are no objects in memory
constexpr unsigned maxNested = 16; // tuples in a result
constexpr unsigned mostNested = 6; // where they are not objects in memory, if they can be
constexpr int textGlobal = -1;     // FuncOp's `globals`: a string in memory

unsigned depthOf(const Slot &slot) {
    unsigned depth = 0;
    for (const Slot &item : slot.items)
        depth = std::max(depth, 1 + depthOf(item));
    return depth;
}

// The type of the parameter for this argument: arrays get fresh symbols as sizes.
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
    if (v.isTyped() && !v.weakFlag) {
        text << parameterType(v, symbols) << ", ";
    } else if (v.isTyped()) {
        text << v.type() << " or " << pyType(e.ctx, v.weakKind) << ", ";
    } else if (v.kind == Val::Kind::Static) {
        text << v.attr << ", ";
    } else if (isHeapText(v)) {
        text << "text, ";
    } else if (isHeap(v)) { // its entries are its site's
        text << v.attr << " of " << e.heapSites->root(v.serial) << ", ";
    } else if (v.kind == Val::Kind::Optional && v.attr) {
        addToKey(e, text << "optional ", symbols, v.items[0]);
    } else if (v.isUnion()) {
        text << "one of (";
        for (const Val &member : v.items)
            addToKey(e, text, symbols, member);
        text << "), ";
    } else if (v.kind == Val::Kind::Unbound) {
        text << "unbound, ";
    } else if (v.isTuple() || v.isDict() || v.isRecord() || v.kind == Val::Kind::Function ||
               v.kind == Val::Kind::Slice || v.kind == Val::Kind::Range || isDictView(v)) {
        text << (v.isDict()                      ? "{"
                 : v.list                        ? "["
                 : v.kind == Val::Kind::Range    ? "range("
                 : v.kind == Val::Kind::Iterator ? "view("
                                                 : "(");
        if (v.attr)
            text << v.attr;
        for (const Val &item : v.items)
            addToKey(e, text, symbols, item);
        text << ")";
    } else {
        wishHeap(e, v);
        if (v.isDynamicList() && !v.list)
            requestTuplesInMemory(e);
        e.unsupported("a " + v.describe() +
                      " that the body of a 'try' uses, or that is an argument of a "
                      "function that calls itself, is not supported; use arrays, "
                      "numbers, lists and tuples of them");
    }
}

std::string signatureOf(TypedBuilder &e, FuncOp callee, ArrayRef<Val> arguments) {
    std::string key = callee.getSymName().str();
    llvm::raw_string_ostream text(key);
    unsigned symbols = 0;
    for (const Val &v : arguments)
        addToKey(e, text << " ", symbols, v);
    return key;
}

// The leaves of the arguments that are SSA values, in order.
void addOperands(TypedBuilder &e, ArrayRef<Val> arguments, SmallVectorImpl<Value> &operands) {
    for (const Val &v : arguments) {
        if (v.isTyped())
            operands.push_back(v.value);
        if (v.weakFlag)
            operands.append({weakSide(e, v).value, e.sizeVal(v.weakFlag).value});
        else if (!v.isTyped())
            addOperands(e, v.items, operands);
        if (v.kind == Val::Kind::Optional || v.isUnion())
            operands.push_back(e.sizeVal(v.dim).value);
    }
}

// `present` where the flag is 1, else the constant.
Value optionalParameter(OpBuilder &builder, Location location, Value present, Value flag,
                        Attribute absent) {
    const Type any = anyTensor(builder.getContext());
    const Value one = constantValue(builder, location, builder.getI64IntegerAttr(1));
    const Value is = PyOp::create(builder, location, any, "eq", ValueRange{flag, one});
    auto branch = IfOp::create(builder, location, TypeRange(any), is);
    const auto yields = [&](Region &region, llvm::function_ref<Value()> value) {
        OpBuilder::InsertionGuard guard(builder);
        builder.createBlock(&region);
        YieldOp::create(builder, location, value());
    };
    yields(branch.getThenRegion(), [&] { return present; });
    yields(branch.getElseRegion(), [&] { return constantValue(builder, location, absent); });
    return branch.getResult(0);
}

// The member whose number `tag` is, of those from `first` on.
Value memberParameter(OpBuilder &builder, Location location, ArrayRef<Value> members, Value tag,
                      int64_t first = 0) {
    if (members.size() == 1)
        return members[0];
    const Type any = anyTensor(builder.getContext());
    const Value number = constantValue(builder, location, builder.getI64IntegerAttr(first));
    const Value is = PyOp::create(builder, location, any, "eq", ValueRange{tag, number});
    auto branch = IfOp::create(builder, location, TypeRange(any), is);
    const auto yields = [&](Region &region, ArrayRef<Value> from) {
        OpBuilder::InsertionGuard guard(builder);
        builder.createBlock(&region);
        YieldOp::create(builder, location,
                        memberParameter(builder, location, from, tag, first + 1));
    };
    yields(branch.getThenRegion(), members.take_front());
    yields(branch.getElseRegion(), members.drop_front());
    return branch.getResult(0);
}

// Rebuilds an argument in the specialised copy from parameters for its leaves.
Value parameterFor(Recursions &recursions, Block &body, OpBuilder &builder, Location location,
                   unsigned &symbols, const Val &v) {
    Type any = anyTensor(builder.getContext());
    if (isHeap(v)) {
        const Value handle = body.addArgument(v.items[0].type(), location);
        const std::string name =
            "shapecast.container:" + std::to_string(recursions.heapParameters.size());
        recursions.heapParameters.push_back({v.attr, v.serial});
        const Value known = CastOp::create(builder, location, any, handle);
        return CallOp::create(builder, location, any, name, known, ArrayAttr(), ArrayAttr(),
                              ArrayAttr())
            .getResult();
    }
    if (isHeapText(v)) {
        const Value known =
            CastOp::create(builder, location, any, body.addArgument(v.items[0].type(), location));
        return CallOp::create(builder, location, any, "shapecast.text", known, ArrayAttr(),
                              ArrayAttr(), ArrayAttr())
            .getResult();
    }
    if (v.kind == Val::Kind::Optional) {
        Value present = parameterFor(recursions, body, builder, location, symbols, v.items[0]);
        const Value flag = body.addArgument(PyIntType::get(builder.getContext()), location);
        return optionalParameter(builder, location, present, flag, v.attr);
    }
    if (v.isUnion()) {
        SmallVector<Value> members;
        for (const Val &member : v.items)
            members.push_back(parameterFor(recursions, body, builder, location, symbols, member));
        const Value tag = body.addArgument(PyIntType::get(builder.getContext()), location);
        return memberParameter(builder, location, members, tag);
    }
    if (v.kind == Val::Kind::Static)
        return constantValue(builder, location, v.attr);
    if (v.kind == Val::Kind::Unbound)
        return UnboundOp::create(builder, location, any, "a variable");
    if (v.weakFlag) {
        MLIRContext *ctx = builder.getContext();
        const Value strong = body.addArgument(v.type(), location),
                    python = body.addArgument(pyType(ctx, v.weakKind), location),
                    flag = body.addArgument(PyIntType::get(ctx), location);
        return memberParameter(builder, location, {strong, python}, flag);
    }
    if (v.isTyped())
        return body.addArgument(parameterType(v, symbols), location);
    auto parameters = [&](ArrayRef<Val> values) {
        return llvm::map_to_vector(values, [&](const Val &item) {
            return parameterFor(recursions, body, builder, location, symbols, item);
        });
    };
    if (v.kind == Val::Kind::Function) {
        const SmallVector<Value> captured = parameters(v.items[0].items);
        return ClosureOp::create(builder, location, any, cast<FlatSymbolRefAttr>(v.attr).getValue(),
                                 captured, parameters(v.items[1].items));
    }
    SmallVector<Value> items = parameters(v.items);
    if (v.kind == Val::Kind::Slice)
        return SliceOp::create(builder, location, any, items[0], items[1], items[2]);
    if (v.kind == Val::Kind::Range)
        return CallOp::create(builder, location, any, "builtins.range", items, ArrayAttr(),
                              ArrayAttr(), ArrayAttr())
            .getResult();
    if (isDictView(v))
        return MethodOp::create(builder, location, any, items[0],
                                cast<StringAttr>(v.attr).getValue(), ValueRange(), ArrayAttr());
    if (v.isDict())
        for (auto [i, key] : llvm::enumerate(cast<ArrayAttr>(v.attr)))
            items.insert(items.begin() + 2 * i, constantValue(builder, location, key));
    auto made =
        TupleOp::create(builder, location, any, items, v.list ? builder.getUnitAttr() : UnitAttr());
    if (v.isDict())
        made.setDictAttr(builder.getUnitAttr());
    else if (v.attr)
        made.setRecordAttr(cast<PyAttr>(v.attr));
    if (v.isDict() || v.isRecord() || v.list)
        made.setArgumentAttr(builder.getStringAttr("that is from around a 'try', or an argument "
                                                   "of a function that calls itself,"));
    return made;
}

StringRef nameOf(FuncOp callee) {
    auto qualified = callee.getQualnameAttr();
    return qualified ? qualified.getValue() : callee.getSymName();
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

// Maps the callee's cells to the caller's: a list or dict in the result is an argument, or new.
void renumber(Val &v, ArrayRef<unsigned> given) {
    for (Val &item : v.items)
        renumber(item, given);
    if (v.cell && v.cell != unknownCell)
        v.cell = v.cell <= given.size() ? given[v.cell - 1] : 0;
}

// Whether it, or a function that it calls, reads an np.global.
bool readsGlobals(Inference &in, FuncOp func) {
    auto reads = [](FuncOp one) {
        return one->walk([](GlobalOp) { return WalkResult::interrupt(); }).wasInterrupted();
    };
    auto any = [&] { return reads(func) || llvm::any_of(reachableFrom(func), reads); };
    if (in.recursions.captured.lookup(func.getSymNameAttr()) != func)
        return any(); // the body of a `try`, say: another one may be at its address later
    const auto [known, isNew] = in.recursions.readsGlobals.try_emplace(func);
    if (isNew)
        known->second = any();
    return known->second;
}

// It may call any method.
bool usesGlobals(Inference &in, FuncOp func) {
    return readsGlobals(in, func) ||
           llvm::any_of(methodsOf(func->getParentOfType<ModuleOp>()), [&](const auto &member) {
               FuncOp method = functionNamed(in, member.second.getSymbol());
               return method && readsGlobals(in, method);
           });
}

bool usesGlobals(Inference &in, Attribute function) {
    auto symbol = dyn_cast_or_null<SymbolRefAttr>(function);
    FuncOp func = symbol ? functionNamed(in, symbol) : FuncOp();
    return func && usesGlobals(in, func);
}

bool holdsFunctionOfGlobals(Inference &in, const Slot &slot) {
    auto holds = [&](const Slot &item) { return holdsFunctionOfGlobals(in, item); };
    return (slot.valKind == Val::Kind::Function && usesGlobals(in, slot.attr)) ||
           llvm::any_of(slot.items, holds) || llvm::any_of(slot.element, holds);
}

// Whether an argument is, or holds, a function that reads one.
bool holdsFunctionOfGlobals(Inference &in, const Val &v) {
    if (isHeap(v))
        return llvm::any_of(in.recursions.heapSites.sites, [&](const HeapSites::Site &site) {
            return holdsFunctionOfGlobals(in, site.key) || holdsFunctionOfGlobals(in, site.value);
        });
    return (v.kind == Val::Kind::Function && usesGlobals(in, v.attr)) ||
           (v.isDynamicList() && holdsFunctionOfGlobals(in, *v.element)) ||
           llvm::any_of(v.items.read(),
                        [&](const Val &item) { return holdsFunctionOfGlobals(in, item); });
}

// Whether an argument of the entry may have one element at two indices.
bool mayOverlapItself(FuncOp func) {
    auto relations = dyn_cast_or_null<ArrayAttr>(func.getAliasAttr());
    return relations && llvm::any_of(relations, [](Attribute relation) {
               auto parts = cast<ArrayAttr>(relation);
               return parts[1] == parts[2];
           });
}

// With the containers and instances among these arguments in memory the function may be supported.
void wishForArguments(TypedBuilder &e, ArrayRef<Val> arguments) {
    for (const Val &v : arguments) {
        wishHeap(e, v);
        wishForArguments(e, v.items);
    }
}

void addSites(TypedBuilder &e, ArrayRef<Val> arguments, InferError &error) {
    e.heapWishes.clear();
    wishForArguments(e, arguments);
    llvm::append_range(error.heapSites, e.heapWishes);
    e.heapWishes.clear();
}

} // namespace

// What a recursive function has as its last parameters: the entry's hidden arguments, if it uses
// them, and the dicts of constants.
static SmallVector<Val> lastParameters(Inference &in) {
    TypedBuilder &e = in.e;
    auto given = in.source.getGlobalsAttr();
    if (!given)
        return {};
    const auto inMemory = [](Attribute global) {
        auto number = dyn_cast<IntegerAttr>(global);
        return number && number.getType().isInteger(32);
    };
    size_t next = in.source.getNumArguments() - llvm::count_if(given, [&](Attribute global) {
                      return isa<UnitAttr>(global) || inMemory(global);
                  });
    return llvm::map_to_vector(given, [&](Attribute global) -> Val {
        if (!isa<UnitAttr>(global) && !inMemory(global))
            return e.literal(global);
        const Val v = in.val(in.source.getArgument(next++));
        if (isa<UnitAttr>(global))
            return v;
        const int64_t number = cast<IntegerAttr>(global).getInt();
        if (number != textGlobal)
            return containerParameter(in, size_t(number), v);
        return textOfHandle(v);
    });
}

// The entry's hidden arguments.
SmallVector<Val> shapecast::globals(Inference &in) {
    if (auto hidden = in.source.getHiddenAttr())
        return in.vals(ValueRange(in.source.getArguments()).take_back(hidden.getInt()));
    SmallVector<Val> all = lastParameters(in);
    all.truncate(all.size() - std::min(all.size(), in.recursions.sharedContainers));
    return all;
}

void shapecast::bindHeapConstants(Inference &in) {
    TypedBuilder &e = in.e;
    if (e.isEntry) {
        makeHeapConstants(e);
        in.recursions.sharedContainers = e.heapConstants.size() + in.attributesInMemory.size();
        return;
    }
    const SmallVector<Val> all = lastParameters(in);
    ArrayRef<Val> shared = all;
    shared = shared.take_back(in.recursions.sharedContainers);
    for (ObjectStateAttr state : llvm::reverse(in.recursions.statesInMemory)) {
        const size_t count = std::min(shared.size(), state.getKeys().size());
        const ArrayRef<Val> lists = shared.take_back(count);
        in.attributesInMemory.insert(in.attributesInMemory.begin(), lists.begin(), lists.end());
        shared = shared.drop_back(count);
    }
    e.heapConstants = shared.vec();
}

Val shapecast::containerParameter(Inference &in, size_t k, const Val &handle) {
    const Recursions::HeapParameter &known = in.recursions.heapParameters[k];
    Val container;
    container.kind = Val::Kind::Heap;
    container.attr = known.form;
    container.serial = in.e.heapSites->root(known.site);
    container.element = in.e.heapSites->sites[container.serial].entry.get();
    container.items = {handle};
    return container;
}

// The callee with typed parameters, as np-specialise makes the entry. Without the attribute `alias`
// any two arrays may overlap.
static FuncOp specialisedCopy(Inference &in, FuncOp callee, StringRef symbol,
                              ArrayRef<Val> arguments, Location location, bool isTry) {
    TypedBuilder &e = in.e;
    FuncOp copy = callee.clone();
    callee->getParentOfType<ModuleOp>().getBody()->push_back(copy);
    copy.setSymName(symbol);
    copy.setSymVisibility("private");
    copy.setRecursiveAttr(e.b.getUnitAttr());
    if (!isTry) {
        copy.walk([&](Operation *op) { op->setLoc(CallSiteLoc::get(op->getLoc(), location)); });
        copy.setCallerAttr(location);
    } else if (LocationAttr caller = in.source.getCallerAttr()) { // its locations are complete
        copy.setCallerAttr(caller);
    }
    Block &body = copy.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    const unsigned count = callee.getNumArguments();
    unsigned symbols = 0;
    for (auto [k, v] : llvm::enumerate(arguments.take_front(count))) {
        Value value = parameterFor(in.recursions, body, builder, location, symbols, v);
        auto cast = CastOp::create(builder, location, anyTensor(e.ctx), value);
        body.getArgument(k).replaceAllUsesWith(cast);
    }
    SmallVector<Attribute> globals; // unit, or the number of a container: of the last parameters
    for (const Val &v : arguments.drop_front(count)) {
        if (isHeap(v)) {
            globals.push_back(
                builder.getI32IntegerAttr(int32_t(in.recursions.heapParameters.size())));
            in.recursions.heapParameters.push_back({v.attr, v.serial});
            body.addArgument(v.items[0].type(), location);
            continue;
        }
        if (isHeapText(v)) {
            globals.push_back(builder.getI32IntegerAttr(textGlobal));
            body.addArgument(v.items[0].type(), location);
            continue;
        }
        globals.push_back(v.isTyped() ? builder.getUnitAttr() : v.attr);
        if (v.isTyped())
            parameterFor(in.recursions, body, builder, location, symbols, v);
    }
    copy.setGlobalsAttr(builder.getArrayAttr(globals));
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
    if (mayOverlapItself(in.source))
        copy.setAliasAttr(builder.getArrayAttr(overlaps));
    return copy;
}

// Their `result` is kept: it is a lower bound of the new one.
void Recursions::invalidateSince(const Function &function) {
    for (auto &[key, other] : functions)
        if (other.typed && other.startedAt > function.startedAt) {
            std::exchange(other.typed, FuncOp()).erase();
            other.neverReturns = false;
        }
}

void Recursions::clear() {
    for (auto &[key, function] : functions)
        if (function.typed)
            function.typed.erase();
    functions.clear();
    constantsOf.clear();
    exceptionsMade.clear();
    heapParameters.clear();
    heapSites.isWider = false;
    heapSites.outdated.clear();
    constexpr unsigned fewAttempts = 12;
    if (++attempts < fewAttempts)
        return;
    heapSites.notePlaces();
    heapSites.generalises = true;
}

static void inferRecursive(Inference &in, Recursions::Function &function, FuncOp callee,
                           ArrayRef<Val> arguments, Location call, bool isTry) {
    TypedBuilder &e = in.e;
    function.inProgress = true;
    function.startedAt = ++in.recursions.clock;
    const auto [entered, isOutermost] = in.recursions.calledFrom.try_emplace(callee, call);
    const Location location = entered->second;
    llvm::scope_exit leave([&, isOutermost = isOutermost] { // also where an alternative is refused
        function.inProgress = false;
        if (isOutermost)
            in.recursions.calledFrom.erase(callee);
    });
    // It terminates: each iteration widens the slot (sizes, layouts, numbers, None).
    while (!function.typed) {
        FuncOp copy = specialisedCopy(in, callee, function.symbol, arguments, location, isTry);
        llvm::scope_exit erase([&] { copy.erase(); });
        function.resultUsedEarly = false;
        const Slot before = function.result;
        Inference inner(copy, OpBuilder(e.ctx), in.recursions, callee, &function);
        if (isTry) // the body of a `try` is a part of what calls it
            inner.callStack.insert(inner.callStack.begin(), in.callStack.begin(),
                                   in.callStack.end());
        FuncOp typed = inner.run();
        // One that calls itself, and raises or recurses endlessly, is inferred once more, with its
        // calls emitted.
        if (depthOf(function.result) > mostNested && useTupleObjects(e, function.result)) {
            typed.erase();
            in.recursions.invalidateSince(function);
            continue;
        }
        if (depthOf(function.result) > maxNested) {
            typed.erase();
            e.unsupported("the recursive function " + nameOf(callee) +
                          " returns its own result inside a tuple or list, nested deeper with each "
                          "call, which is not supported; return arrays or numbers, or store them "
                          "to an array");
        }
        const bool done =
            inner.unreachable
                ? std::exchange(function.neverReturns, true) || !function.resultUsedEarly
                : !function.resultUsedEarly || function.result == before;
        if (done) {
            function.typed = typed;
            continue;
        }
        typed.erase();
        in.recursions.invalidateSince(function); // they may have used its result
    }
}

static bool holdsThunk(const Val &v) {
    const bool isPlain =
        v.isTuple() || v.isRecord() || v.isDict() || v.isUnion() || v.kind == Val::Kind::Optional;
    return v.isObject("str") || (isPlain && llvm::any_of(v.items.read(), holdsThunk));
}

// What is made at run time, in tuples and lists too.
static void storeTexts(TypedBuilder &e, Val &v) {
    if (!holdsThunk(v))
        return;
    if (v.isObject("str"))
        v = heapText(e, v);
    else
        for (Val &item : v.items)
            storeTexts(e, item);
}

// Strings that change from call to call are in memory: for each constant there would be a variant.
static void textsInMemory(Inference &in, FuncOp callee, SmallVectorImpl<Val> &arguments) {
    const std::string start = (callee.getSymName() + " ").str();
    for (Val &argument : arguments)
        storeTexts(in.e, argument);
    for (const auto &[key, other] : in.recursions.functions)
        if (other.inProgress && StringRef(key).starts_with(start))
            for (auto [mine, theirs] : llvm::zip(arguments, other.arguments))
                if (mine.isStatic("str") && theirs.isText() && mine.attr != theirs.attr)
                    mine = heapText(in.e, mine);
}

// Tuples are objects in memory, if they can be: for each kind of them there would be a variant.
// False: there are none that are not.
static bool tuplesAsObjects(TypedBuilder &e, SmallVectorImpl<Val> &arguments) {
    bool isChanged = false;
    for (Val &argument : arguments) {
        Slot slot = slotOf(argument);
        if (!useTupleObjects(e, slot))
            continue;
        isChanged = true;
        SmallVector<Value> packed;
        pack(e, slot, argument, packed);
        ValueRange rest(packed);
        argument = unpack(e, slot, rest);
    }
    return isChanged;
}

Val shapecast::recursiveCall(Inference &in, FuncOp callee, ArrayRef<Val> given, Location location,
                             std::optional<std::string> attempt, SmallVector<Val, 3> *caught) {
    TypedBuilder &e = in.e;
    SmallVector<Val> arguments(given);
    if (usesGlobals(in, callee) ||
        llvm::any_of(given, [&](const Val &v) { return holdsFunctionOfGlobals(in, v); }))
        llvm::append_range(arguments, globals(in));
    for (Val &v : MutableArrayRef(arguments).drop_front(given.size()))
        if (!v.isTyped() && !isHeapText(v) && !v.attr) // see visitGlobal
            v = e.literal(PyAttr::get(e.ctx, "unavailable", v.describe()));
    llvm::append_range(arguments, e.heapConstants);
    llvm::append_range(arguments, in.attributesInMemory);
    e.loc = location;
    textsInMemory(in, callee, arguments);
    auto [known, isNew] = in.recursions.functions.try_emplace(signatureOf(e, callee, arguments));
    Recursions::Function &function = known->second;
    if (isNew) {
        auto isOfCallee = [&, start = (callee.getSymName() + " ").str()](const auto &other) {
            return StringRef(other.first).starts_with(start);
        };
        const auto variants = llvm::count_if(in.recursions.functions, isOfCallee);
        SmallVector<Val> asObjects(given);
        if (!attempt && variants > fewVariants && tuplesAsObjects(e, asObjects)) {
            in.recursions.functions.erase(known);
            return recursiveCall(in, callee, asObjects, location, attempt, caught);
        }
        if (!attempt && variants > maxVariants) {
            wishForArguments(e, arguments); // of one type, however deep a tree of objects is
            e.wishesHeapArgument = !e.heapWishes.empty();
            const std::string message =
                ("the recursive function " + nameOf(callee) + " is called with more than " +
                 Twine(maxVariants) +
                 " combinations of argument types; call it with the same types")
                    .str();
            if (!e.wishesHeapArgument) // with any call of it left out there would be as many
                throw InferAborted{InferError{e.loc, "shapecast.UnsupportedError", message, {}}};
            e.unsupported(message);
        }
        function.arguments = arguments;
        function.result.kind = Slot::Kind::Never;
        function.symbol = (callee.getSymName() + "." + Twine(in.recursions.functions.size())).str();
    }
    if (!function.typed && !function.inProgress)
        try {
            inferRecursive(in, function, callee, arguments, location, attempt.has_value());
        } catch (InferError &error) {
            if (error.needsHeapArgument)
                addSites(e, arguments, error);
            throw;
        }
    e.loc = location;
    function.resultUsedEarly |= !function.typed;
    in.unreachable = function.result.kind == Slot::Kind::Never && !attempt; // assumed not to return
    if (in.unreachable && !function.neverReturns)
        return e.neverVal();
    SmallVector<Value> operands;
    addOperands(e, arguments, operands);
    SmallVector<Type> types;
    packedTypes(e, function.result, types);
    if (attempt)
        types.append(3, PyIntType::get(e.ctx));
    auto call = CallOp::create(e.b, location, types, function.symbol, operands, ArrayAttr(),
                               ArrayAttr(), ArrayAttr());
    ValueRange outputs = call.getOutputs();
    if (attempt) {
        call.setCatchesAttr(e.b.getStringAttr(*attempt));
        for (Value value : outputs.take_back(3))
            caught->push_back(e.typed(value));
    }
    Val result = unpack(e, function.result, outputs);
    SmallVector<unsigned> cells;
    addCells(arguments, cells);
    renumber(result, cells);
    return result;
}
