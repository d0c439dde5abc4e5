#include "passes/infer/generators.h"

#include "ops/builder/cells.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/heap.h"
#include "ops/builder/operators.h"
#include "passes/frontend/library.h"
#include "passes/infer/captured_calls.h"
#include "passes/infer/iterables.h"
#include "passes/infer/reads_only.h"
#include "passes/infer/recursion.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static FuncOp functionOf(Inference &in, const Val &generator) {
    return functionNamed(in, cast<SymbolRefAttr>(generator.items[0].attr));
}

static bool isEndless(FuncOp callee) {
    const auto name = cast<StringAttr>(callee.getArgNamesAttr()[placeOfConsumer(callee)]);
    return name.getValue() == endlessConsumer;
}

// Whether it yields in a `try`, the body of which is compiled apart from the loop's.
static bool yieldsInTry(FuncOp function) {
    const Value consumer = function.getBody().getArgument(placeOfConsumer(function));
    return llvm::any_of(consumer.getUsers(),
                        [](Operation *user) { return bool(user->getParentOfType<TryOp>()); });
}

static void run(Inference &in, const Val &generator, const Val &consumer) {
    TypedBuilder &e = in.e;
    FuncOp callee = functionOf(in, generator);
    if (yieldsInTry(callee))
        requestIterator(in, generator);
    SmallVector<Val> bound(generator.items[1].items.begin(), generator.items[1].items.end());
    for (Val &argument : bound)
        reloadCells(e, argument);
    bound[placeOfConsumer(callee)] = consumer;
    inlineBody(in, callee, bound, e.loc);
}

// A list of all items of an endless generator: Python runs out of memory.
static void refuseEndless(Inference &in, ForEachOp op, const Val &generator) {
    FuncOp callee = functionOf(in, generator);
    if (isEndless(callee) && op.getUnroll() &&
        !cast<NextOp>(op.getBody().front().back()).getCondition())
        in.e.unsupported(
            "all items of a generator that does not end are needed here at once; write a "
            "loop with break");
}

// The loop takes all items, and nobody sees from it when they are made. Where instances are refused
// a loop may be left early, and put items into lists.
bool shapecast::takesAllAtOnce(Inference &in, ForEachOp op) {
    const bool isLastResort = in.recursions.heapSites.listsRecursive;
    const bool takesAll = !cast<NextOp>(op.getBody().front().back()).getCondition();
    return (takesAll || isLastResort) &&
           readsOnly(in, op, isLastResort ? Also::Collects : Also::Counts);
}

std::optional<Val> shapecast::listOfRecursive(Inference &in, const Val &generator,
                                              llvm::function_ref<bool()> takesAll) {
    FuncOp callee = functionOf(in, generator);
    if (callee.getLibrary() || !(isRecursive(callee) || llvm::is_contained(in.callStack, callee)))
        return std::nullopt;
    llvm::SmallPtrSetImpl<Operation *> &listed = in.recursions.listed;
    const bool isItsOwn = listed.contains(callee);
    if (!isItsOwn && !(readsOnly(in, callee) && takesAll())) {
        requestIterator(in, generator, /*callsItself=*/true);
        in.e.unsupported("a generator that calls itself is not supported here; append the items to "
                         "a list in a recursive function");
    }
    exhaust(in, generator);
    SmallVector<Val> bound(generator.items[1].items.begin(), generator.items[1].items.end());
    for (Val &argument : bound)
        reloadCells(in.e, argument);
    Val list = emptyHeapList(in.e, callee.getLoc()); // of one site at any depth
    bound[placeOfConsumer(callee)] = list;           // it appends its items to it
    listed.insert(callee);
    llvm::scope_exit leave([&] {
        if (!isItsOwn)
            listed.erase(callee);
    });
    const Location loc = in.e.loc;
    recursiveCall(in, callee, bound, loc);
    in.e.loc = loc;
    return list;
}

// The variables that the loop carries are the items of a list, which the generator's own loops and
// branches carry as they do all lists that they change.
void shapecast::iterateGenerator(Inference &in, ForEachOp op, const Val &generator) {
    TypedBuilder &e = in.e;
    const Location loc = e.loc;
    refuseEndless(in, op, generator);
    exhaust(in, generator);
    SmallVector<Val> carried = in.vals(op.getInits());
    Val frame = e.tupleVal({carried.begin(), carried.end()}, /*list=*/true);
    frame.cell = unsigned(e.cells.size());
    e.cells.push_back({frame.items, {}, nullptr, {}, 0, ++e.lastSerial, {}});
    in.consumers.push_back({op, frame.cell, in.callStack});
    const Val consumer = e.staticVal("consumer", std::to_string(in.consumers.size() - 1));
    {
        llvm::scope_exit leave([&] { in.consumers.pop_back(); }); // also on errors
        run(in, generator, consumer);
    }
    e.loc = loc;
    Val after = loadCell(e, frame.cell);
    for (auto [result, v] : llvm::zip(op.getResults(), after.items.read())) {
        Val now = v;
        reloadCells(e, now);
        in.env[result] = std::move(now);
    }
}

//===-- Generators as lists

// for item in generator: ...; the body is what `fill` makes of the item and the carried value.
static Val iterateWith(Inference &in, const Val &generator, const Val &init, bool comprehension,
                       llvm::function_ref<void(OpBuilder &, Value item, Value carried)> fill) {
    const Type any = anyTensor(in.e.ctx);
    const Location loc = in.e.loc;
    OpBuilder b(in.e.ctx);
    b.setInsertionPointToEnd(
        &in.expansions.emplace_back(std::make_unique<Region>())->emplaceBlock());
    Value iterable = UnboundOp::create(b, loc, any, "a generator"),
          first = UnboundOp::create(b, loc, any, "a loop's");
    in.env[iterable] = generator;
    in.env[first] = init;
    in.places[first.getDefiningOp()] = in.recursions.heapSites.place; // of a list that it begins
    auto loop = ForEachOp::create(b, loc, TypeRange(any), iterable, ValueRange(first));
    if (comprehension)
        loop.setUnrollAttr(b.getUnitAttr());
    Block *body = b.createBlock(&loop.getBody(), {}, {any, any}, {loc, loc});
    fill(b, body->getArgument(0), body->getArgument(1));
    iterateGenerator(in, loop, generator);
    return in.env[loop.getResult(0)];
}

Val shapecast::listOfGenerator(Inference &in, const Val &generator) {
    const Location loc = in.e.loc;
    if (std::optional<Val> items = listOfRecursive(in, generator, [] { return true; }))
        return *items;
    Val list = in.e.tupleVal({}, /*list=*/true);
    if (std::optional<Val> inMemory = heapAtSite(in.e, list))
        list = std::move(*inMemory);
    return iterateWith(in, generator, list, true, [&](OpBuilder &b, Value item, Value list) {
        Value longer = PyOp::create(b, loc, anyTensor(in.e.ctx), "append", ValueRange{list, item});
        NextOp::create(b, loc, longer, Value());
    });
}

Val shapecast::firstOfGenerator(Inference &in, ArrayRef<Val> operands) {
    TypedBuilder &e = in.e;
    const Location loc = e.loc;
    if (std::optional<Val> items = listOfRecursive(in, operands[0], [] { return false; })) {
        SmallVector<Val> given(operands);
        given[0] = in.callNamed("builtins.iter", {*items}, {});
        return in.callNamed("builtins.next", given, {});
    }
    Val unbound;
    Val first = iterateWith(in, operands[0], unbound, false, [&](OpBuilder &b, Value item, Value) {
        Value no = ConstOp::create(b, loc, PyBoolType::get(e.ctx), b.getBoolAttr(false));
        NextOp::create(b, loc, item, no);
    });
    e.loc = loc;
    if (first.kind != Val::Kind::Optional && first.kind != Val::Kind::Unbound)
        return first;
    const Val absent = first.kind == Val::Kind::Unbound
                           ? e.boolVal(true)
                           : compare(e, "ne", e.sizeVal(first.dim), e.intVal(1));
    if (operands.size() == 1) {
        raiseIf(e, absent, "StopIteration", "");
        in.unreachable = first.kind == Val::Kind::Unbound;
        return in.unreachable ? e.neverVal() : Val(first.items[0]);
    }
    if (first.kind == Val::Kind::Unbound)
        return operands[1];
    return e.branch(truth(e, absent),
                    [&](bool holds) { return holds ? operands[1] : Val(first.items[0]); });
}

FuncOp shapecast::functionOnGenerators(Inference &in, StringRef name, ArrayRef<Val> operands) {
    if (!name.starts_with("builtins.") && !name.starts_with("itertools."))
        return {};
    if (llvm::none_of(operands, isGenerator))
        return {};
    auto hasItems = [](const Val &v) {
        return isGenerator(v) || v.isText() || v.isTuple() || v.isArray() || v.isDynamicList() ||
               isHeap(v, "list") || v.kind == Val::Kind::Range;
    };
    if (name == "builtins.zip" && (operands.size() != 2 || !llvm::all_of(operands, hasItems) ||
                                   llvm::all_of(operands, isGenerator)))
        return {};
    const bool isSecond = name == "builtins.zip" && !isGenerator(operands[0]);
    return libraryFunction(in.source,
                           (name + (isSecond ? " with a generator" : " of a generator")).str());
}

std::optional<Val> shapecast::containsInGenerator(Inference &in, PyOp op) {
    const bool isIn = op.getOp() == "in" || op.getOp() == "not_in";
    if (!isIn || !isGenerator(in.val(op.getOperands_()[1])))
        return std::nullopt;
    const SmallVector<Val> given{in.val(op.getOperands_()[1]), in.val(op.getOperands_()[0])};
    FuncOp function = libraryFunction(in.source, "builtins.in of a generator");
    Val found = callCaptured(in, function, callArguments(given, {}), in.e.loc);
    return op.getOp() == "in" ? found : unary(in.e, "not", found);
}

std::optional<Val> shapecast::callOnGenerators(Inference &in, StringRef name,
                                               ArrayRef<Val> operands,
                                               ArrayRef<std::pair<StringRef, Val>> named) {
    FuncOp function = functionOnGenerators(in, name, operands);
    if (!function)
        return std::nullopt;
    return callCaptured(in, function, callArguments(operands, named), in.e.loc);
}
