#include "passes/infer/captured_calls.h"

#include "ops/builder/cells.h"
#include "ops/builder/containers.h"
#include "ops/builder/heap_constants.h"
#include "ops/builder/infer_error.h"
#include "ops/builder/text_slots.h"
#include "ops/builder/tuple_objects.h"
#include "passes/frontend/inline.h"
#include "passes/infer/branches.h"
#include "passes/infer/iterator_sites.h"
#include "passes/infer/recursion.h"
#include "passes/infer/returns.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static std::optional<std::string> bind(Inference &in, FuncOp callee, const CallArguments<Val> &call,
                                       SmallVectorImpl<Val> &bound);
static Val outlineCall(Inference &in, FuncOp callee, ArrayRef<Val> arguments, Location location);

CallArguments<Val> shapecast::callArguments(ArrayRef<Val> positional,
                                            ArrayRef<std::pair<StringRef, Val>> named) {
    CallArguments<Val> call;
    call.positional.assign(positional.begin(), positional.end());
    for (const auto &[name, value] : named) {
        call.names.push_back(name);
        call.named.push_back(value);
    }
    return call;
}

// Inlines a library function of Python's own: reduce() may call itself by way of its argument.
Val shapecast::inlineLibraryCall(Inference &in, FuncOp libraryFunc,
                                 const CallArguments<Val> &call) {
    TypedBuilder &e = in.e;
    constexpr long maxNested = 8;
    if (llvm::count(in.callStack, libraryFunc) > maxNested)
        e.unsupported("functions of Python's library that call one another this deep are not "
                      "supported; write the loop");
    SmallVector<Val> bound;
    if (auto error = bind(in, libraryFunc, call, bound))
        e.fail("TypeError", *error);
    return inlineBody(in, libraryFunc, bound, e.loc);
}

//===-- Calls

static constexpr llvm::StringLiteral restKind = "rest of a call";

Val shapecast::restOfCall(TypedBuilder &e, const Val &list, size_t start) {
    Val rest;
    rest.kind = Val::Kind::Iterator;
    rest.attr = e.b.getStringAttr(restKind);
    rest.items = {list, e.intVal(int64_t(start))};
    return rest;
}

static bool isRestOfCall(const Val &v) {
    return v.kind == Val::Kind::Iterator && cast<StringAttr>(v.attr) == restKind;
}

Val shapecast::tupleOfRest(Inference &in, ArrayRef<Val> first, const Val &list, int64_t start) {
    TypedBuilder &e = in.e;
    return in.callNamed("shapecast.rest of a call",
                        {e.tupleVal(first.vec()), list, e.intVal(start)}, {});
}

// One value per parameter, or the message of Python's TypeError.
static std::optional<std::string> bind(Inference &in, FuncOp callee, const CallArguments<Val> &call,
                                       SmallVectorImpl<Val> &bound) {
    TypedBuilder &e = in.e;
    auto constant = [&](Attribute attr) { return e.literal(attr); };
    auto tuple = [&](ArrayRef<Val> items) {
        if (items.empty() || !isRestOfCall(items.back()))
            return e.tupleVal(items.vec());
        const Val rest = items.back();
        return tupleOfRest(in, items.drop_back(), rest.items[0], *rest.items[1].constInt());
    };
    auto dict = [&](ArrayRef<StringRef> names, ArrayRef<Val> items) {
        SmallVector<Attribute> keys;
        for (StringRef name : names)
            keys.push_back(PyAttr::get(e.ctx, "str", name));
        Val v = dictVal(e, keys, items.vec());
        allocateCells(e, v);
        return v;
    };
    return bindCall<Val>(callee, call, {constant, tuple, dict}, bound);
}

std::optional<std::string> shapecast::refusalOf(Inference &in, FuncOp callee,
                                                const CallArguments<Val> &call) {
    SmallVector<Val> bound;
    return bind(in, callee, call, bound);
}

// What a call of a generator function gives: its arguments, bound, wait for a loop (generators.h).
static Val generatorVal(Inference &in, FuncOp callee, ArrayRef<Val> bound) {
    Val function;
    function.kind = Val::Kind::Function;
    function.attr = FlatSymbolRefAttr::get(callee.getSymNameAttr());
    function.items.assign({in.e.tupleVal({}), in.e.tupleVal({})});
    Val generator;
    generator.kind = Val::Kind::Iterator;
    generator.attr = in.e.b.getStringAttr("generator");
    generator.items.assign({std::move(function), in.e.tupleVal(bound.vec())});
    generator.serial = ++in.e.lastSerial;
    if (callee.getIterator())
        generator.made = callee.getLoc();
    return generator;
}

size_t shapecast::placeOfConsumer(FuncOp generator) {
    const ArrayAttr names = generator.getArgNamesAttr();
    return size_t(llvm::find_if(names,
                                [](Attribute name) {
                                    return llvm::is_contained({consumerParameter, endlessConsumer},
                                                              cast<StringAttr>(name).getValue());
                                }) -
                  names.begin());
}

// With a place for the consumer. What a method is bound to stands behind it.
static CallArguments<Val> withConsumer(Inference &in, FuncOp callee, CallArguments<Val> call) {
    call.captured.insert(call.captured.begin() + placeOfConsumer(callee), in.e.noneVal());
    return call;
}

static bool isOfSeveral(const Slot &slot) {
    return slot.kind == Slot::Kind::Union ||
           (slot.kind == Slot::Kind::Optional && isOfSeveral(slot.items[0]));
}

// A method that may call itself for the items: of tuple objects, of which each may be one, and of
// containers with items of several kinds.
static bool isOfItems(TypedBuilder &e, FuncOp callee, ArrayRef<Val> arguments) {
    static constexpr StringLiteral names[] = {"__eq__", "__ne__", "__hash__", "__repr__",
                                              "__lt__", "__le__", "__gt__",   "__ge__"};
    if (arguments.empty() || !isHeap(arguments[0]))
        return false;
    const Val &self = arguments[0];
    const bool isObject = isTupleObject(e, self);
    if (!isObject && (isHeapObject(self) || !isOfSeveral(heapValueSlot(self))))
        return false;
    const StringRef name = isObject ? callee.getQualname().value_or("") : callee.getSymName();
    return name.starts_with(isObject ? "tuple." : "library.builtins.") &&
           llvm::is_contained(names, name.rsplit('.').second);
}

// An instance of the generator function's class, with the same arguments.
static Val makeIterator(Inference &in, FuncOp generator, CallArguments<Val> call,
                        Location location) {
    auto constructor = functionNamed(in, generator.getIteratorAttr());
    call.positional.insert(call.positional.begin(), call.captured.begin(), call.captured.end());
    call.captured.assign({in.e.noneVal()}); // the class
    return callCaptured(in, constructor, call, placeOfIterators(in, generator, location));
}

Val shapecast::callCaptured(Inference &in, FuncOp callee, const CallArguments<Val> &call,
                            Location location) {
    TypedBuilder &e = in.e;
    if (callee.getGenerator() && makesIterators(in, callee))
        return makeIterator(in, callee, call, location);
    SmallVector<Val> bound;
    if (auto error =
            bind(in, callee, callee.getGenerator() ? withConsumer(in, callee, call) : call, bound))
        e.fail("TypeError", *error);
    const bool isCalling = llvm::is_contained(in.callStack, callee);
    if (callee.getGenerator())
        return generatorVal(in, callee, bound);
    if (isRecursive(callee) || isCalling || isOfItems(e, callee, bound)) // isCalling: as a value
        return recursiveCall(in, callee, bound, location);
    return sharesCode(in, callee) ? outlineCall(in, callee, bound, location)
                                  : inlineBody(in, callee, bound, location);
}

bool shapecast::sharesCode(const Inference &in, FuncOp callee) {
    constexpr int64_t shortCode = 60; // operations that are visited
    const bool isWanted = in.recursions.sharing == Recursions::Sharing::Wanted;
    const StringRef among = isWanted ? callee.getNoinline().value_or("") : "";
    const bool isLong = in.recursions.inlinedOps.lookup(callee) > shortCode;
    return among == "calls" || among == "arrays" || (among == "long" && isLong) ||
           (among == "unrolled" && isLong && in.unrolledLoop);
}

// Of members of enums, and of constants, what their class does folds.
static bool areMembers(TypedBuilder &e, ArrayRef<Val> arguments) {
    auto isConstant = [&](const Val &v) {
        return v.kind == Val::Kind::Static || constantNumber(e, v);
    };
    auto isMember = [&](const Val &v) {
        return v.isStatic("enum") || isIterator(v, "flags") ||
               (v.isRecord() && !v.items.empty() && llvm::all_of(v.items.read(), isConstant));
    };
    return llvm::any_of(arguments, isMember) &&
           llvm::all_of(arguments, [&](const Val &v) { return isMember(v) || isConstant(v); });
}

static bool holdsArrays(const Val &v) {
    const bool isInMemory = isHeap(v) || isHeapText(v) || v.isDynamicList();
    return v.isArray() || (!isInMemory && llvm::any_of(v.items.read(), holdsArrays));
}

// Makes the numbers known of all calls, those in tuples and flags too, and adds them.
static void keepConstants(TypedBuilder &e, Val &v, SmallVectorImpl<Attribute> &constants) {
    if (const Attribute number = constantNumber(e, v)) {
        constants.push_back(number);
        v = Val();
        v.kind = Val::Kind::Static;
        v.attr = number;
        return;
    }
    constants.push_back(e.b.getUnitAttr());
    if ((v.isTuple() && !v.list) || isIterator(v, "flags"))
        for (Val &item : v.items)
            keepConstants(e, item, constants);
}

// The arguments of a call that shares code: calls with a few different constants have their own.
static SmallVector<Val> argumentsForAll(Inference &in, FuncOp callee, ArrayRef<Val> given) {
    constexpr size_t mostConstants = 3;
    TypedBuilder &e = in.e;
    SmallVector<Val> arguments(given);
    SmallVector<Attribute> constants;
    for (Val &v : arguments)
        keepConstants(e, v, constants);
    llvm::SetVector<ArrayAttr> &known = in.recursions.constantsOf[callee];
    const ArrayAttr these = e.b.getArrayAttr(constants);
    if (!known.contains(these) && known.size() == mostConstants)
        return SmallVector<Val>(given);
    known.insert(these);
    return arguments;
}

// The function is emitted once for all calls with these types, where it can be a function of its
// own; else inlined.
static Val outlineCall(Inference &in, FuncOp callee, ArrayRef<Val> arguments, Location location) {
    const bool sharesArrays = callee.getNoinline() == "arrays" || callee.getLibrary();
    if (in.recursions.alwaysInlined.contains(callee) || areMembers(in.e, arguments) ||
        (!sharesArrays && llvm::any_of(arguments, holdsArrays)))
        return inlineBody(in, callee, arguments, location);
    bool isRefused = true;
    auto outlined = [&] {
        try {
            Val result =
                recursiveCall(in, callee, argumentsForAll(in, callee, arguments), location);
            if (!sharesArrays && holdsArrays(result))
                in.e.unsupported("a function that shares its code returns an array");
            in.recursions.sharesCode = true;
            return result;
        } catch (const InferError &error) {
            HeapSites &heap = in.recursions.heapSites;
            heap.isWider |= useWished(heap, error);
            isRefused = error.heapSites.empty() || !heap.isWider; // else the next attempt may do
            throw;
        }
    };
    auto inlined = [&] {
        if (isRefused)
            in.recursions.alwaysInlined.insert(callee);
        return inlineBody(in, callee, arguments, location);
    };
    return orElse(in, outlined, inlined);
}

Val shapecast::inlineBody(Inference &in, FuncOp callee, ArrayRef<Val> arguments,
                          Location location) {
    TypedBuilder &e = in.e;
    Region &body = *in.expansions.emplace_back(std::make_unique<Region>());
    IRMapping mapping;
    callee.getBody().cloneInto(&body, mapping);
    const bool hidden = callee.getLibrary(); // tracebacks do not show its lines
    unsigned number = 0;
    const llvm::hash_code call =
        llvm::hash_combine(in.recursions.heapSites.place, callee.getSymName());
    body.walk([&](Operation *op) {
        op->setLoc(hidden ? location : CallSiteLoc::get(op->getLoc(), location));
        if (hidden)
            in.places[op] = unsigned(size_t(llvm::hash_combine(call, ++number))) | 1;
    });
    for (auto [parameter, v] : llvm::zip_equal(body.getArguments(), arguments))
        in.env[parameter] = v;
    in.callStack.push_back(callee);
    llvm::scope_exit leave([&, before = in.recursions.visitedOps] { // also on errors
        in.callStack.pop_back();
        int64_t &most = in.recursions.inlinedOps[callee];
        most = std::max(most, in.recursions.visitedOps - before);
    });
    in.walk(body.front());
    e.loc = location;
    return returned(in, cast<ReturnOp>(body.front().back()));
}

SmallVector<std::pair<StringRef, Val>>
shapecast::keywords(Location loc, std::optional<ArrayAttr> names, SmallVectorImpl<Val> &operands) {
    SmallVector<std::pair<StringRef, Val>> result;
    if (!names)
        return result;
    size_t first = operands.size() - names->size();
    for (auto [i, name] : llvm::enumerate(*names)) {
        StringRef text = cast<StringAttr>(name).getValue();
        const Val &v = operands[first + i];
        if (text != "**") {
            result.emplace_back(text, v);
            continue;
        }
        if (!v.isDict())
            throw InferError{loc, "TypeError", "argument after ** must be a mapping", {}};
        for (auto [key, value] : llvm::zip_equal(cast<ArrayAttr>(v.attr), v.items)) {
            auto keyword = dyn_cast<PyAttr>(key);
            if (!keyword || keyword.getKind() != "str")
                throw InferError{loc, "TypeError", "keywords must be strings", {}};
            result.emplace_back(keyword.getText(), value);
        }
    }
    operands.truncate(first);
    return result;
}
