#include "passes/infer/for_loops.h"

#include "ops/builder/cells.h"
#include "ops/builder/checks.h"
#include "ops/builder/conversions.h"
#include "ops/builder/dict_views.h"
#include "ops/builder/heap.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/infer_error.h"
#include "ops/builder/items.h"
#include "ops/builder/operands.h"
#include "ops/builder/text.h"
#include "passes/frontend/inline.h"
#include "passes/infer/branches.h"
#include "passes/infer/captured_calls.h"
#include "passes/infer/escapes.h"
#include "passes/infer/generators.h"
#include "passes/infer/iterables.h"
#include "passes/infer/loops.h"
#include "passes/infer/objects.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

[[noreturn]] static void refuseMutation(const TypedBuilder &e) {
    InferError error{e.loc, "shapecast.UnsupportedError",
                     "changing a list or dict while a loop iterates over it is not supported here; "
                     "iterate over a copy or a range",
                     e.operandNotes ? e.operandNotes() : std::vector<std::string>()};
    error.mutatedWhileIterating = true;
    throw error;
}

static void iterate(Inference &in, ForEachOp op, const Val &iterable);
static void tryOrIterateChanging(Inference &in, ForEachOp op, const Val &iterable,
                                 std::vector<std::function<void()>> alternatives);
static void iterateChanging(Inference &in, ForEachOp op, const Val &iterable, const Val &list);
static void unroll(Inference &in, ForEachOp op, ArrayRef<Val> items, const Val &iterable = {},
                   int64_t lastVisit = INT64_MAX);
static SmallVector<Val> unrollFrom(Inference &in, ForEachOp op, ArrayRef<Val> items,
                                   const Val &iterable, size_t iteration, SmallVector<Val> carried,
                                   int64_t lastVisit);

constexpr int64_t alwaysUnrolledTripCount = 4; // at most, of a loop that is always fully unrolled
constexpr int64_t maxUnrolledOps = 512;        // captured ops in all of its iterations

// The function in Python that it calls; null: another one. Calls in the library count as others.
static FuncOp calleeInProgram(const Inference &in, CallOp call) {
    const bool isLibrary = !in.callStack.empty() && FuncOp(in.callStack.back()).getLibrary();
    return isLibrary ? FuncOp() : capturedCallee(in, call);
}

// The number of ops of a body when unrolled, with those of callees that are inlined, and those of
// inner loops once per iteration; not far beyond what is too many. None where it has other calls,
// or `while` loops.
static std::optional<int64_t> unrolledSize(const Inference &in, Block &body) {
    constexpr int64_t tooMany = 2048; // calls may double at each depth
    int64_t size = 0;
    for (Operation &op : body) {
        if (size > tooMany)
            break;
        auto call = dyn_cast<CallOp>(op);
        FuncOp callee = call ? calleeInProgram(in, call) : FuncOp();
        const bool isCalled = callee && (isRecursive(callee) || sharesCode(in, callee));
        if (isCalled || isa<ApplyOp, WhileOp>(op))
            return std::nullopt;
        const std::optional<int64_t> inlined =
            callee ? unrolledSize(in, callee.getBody().front()) : 0;
        if (!inlined)
            return std::nullopt;
        size += 1 + *inlined;
        for (Region &region : op.getRegions())
            for (Block &block : region) {
                std::optional<int64_t> inner = unrolledSize(in, block);
                if (!inner)
                    return std::nullopt;
                size += *inner * (isa<ForEachOp>(op) ? alwaysUnrolledTripCount : 1);
            }
    }
    return size;
}

// A few iterations of a small body that uses the induction variable: unrolled, their stores become
// one expression.
static bool isShortLoop(Inference &in, ForEachOp op, const Val &iterable) {
    TypedBuilder &e = in.e;
    if (iterable.kind != Val::Kind::Range)
        return false;
    DimAttr tripCount = e.facts.canonical(lengthOf(in, iterable).value_or(e.dimConst(-1)));
    Block &body = op.getBody().front();
    if (!tripCount.isConst() || tripCount.getValue() < 1 ||
        tripCount.getValue() > alwaysUnrolledTripCount || body.getArgument(0).use_empty() ||
        cast<NextOp>(body.back()).getCondition())
        return false;
    std::optional<int64_t> size = unrolledSize(in, body);
    return size && *size * tripCount.getValue() <= maxUnrolledOps;
}

// The modification count of the lists and dicts that it iterates over.
static unsigned changesOf(const TypedBuilder &e, const Val &v) {
    unsigned count = v.cell && v.cell != unknownCell ? e.cells[v.cell].changes : 0;
    for (const Val &item : v.kind == Val::Kind::Iterator ? v.items : std::vector<Val>())
        count += changesOf(e, item);
    return count;
}

// A list, or a dict's keys, values or items: each iteration sees its current contents.
static bool isLive(const Val &v) { return v.isTuple() && v.cell && v.cell != unknownCell; }

// The item of this iteration; none where there are no more.
static std::optional<Val> itemOfIteration(Inference &in, const Val &iterable, ArrayRef<Val> items,
                                          size_t iteration) {
    TypedBuilder &e = in.e;
    if (iterable.kind == Val::Kind::Iterator && changesOf(e, iterable)) {
        Val now = iterable;
        reloadCells(e, now);
        const DimAttr length = e.facts.canonical(*lengthOf(in, now));
        if (!length.isConst() || length.getValue() != int64_t(items.size()))
            refuseMutation(e);
        return iteration < items.size() ? std::optional(itemAt(in, now, e.intVal(iteration)))
                                        : std::nullopt;
    }
    if (!isLive(iterable))
        return iteration < items.size() ? std::optional(items[iteration]) : std::nullopt;
    const Val now = loadCell(e, iterable.cell);
    if (now.isDynamicList() || iteration > maxUnrollTripCount ||
        (now.isDict() && now.items.size() != iterable.items.size()))
        refuseMutation(e);
    if (iteration >= now.items.size())
        return std::nullopt;
    if (!now.isDict())
        return now.items[iteration];
    if (iterable.serial == viewsKeys)
        return iterable.items[iteration];
    if (iterable.serial == viewsValues)
        return now.items[iteration];
    return e.tupleVal({iterable.items[iteration].items[0], now.items[iteration]});
}

void shapecast::visitForEach(Inference &in, ForEachOp op) {
    TypedBuilder &e = in.e;
    Val iterable = iterableOf(in, in.val(op.getIterable()));
    if (isGenerator(iterable)) {
        std::optional<Val> items =
            listOfRecursive(in, iterable, [&] { return takesAllAtOnce(in, op); });
        if (!items)
            return iterateGenerator(in, op, iterable);
        iterable = std::move(*items);
    }
    if (iterable.isDict())
        iterable.items = *itemsOf(e, iterable); // the cell still is the dict's
    const bool keys =
        isLive(iterable) || (iterable.isDict() && iterable.cell && iterable.cell != unknownCell);
    const Attribute before = keys ? e.cells[iterable.cell].keys : Attribute();
    iterate(in, op, iterable);
    if (!in.unreachable && keys && e.cells[iterable.cell].keys != before)
        refuseMutation(e);
}

// The mutable list that is iterated over, directly or by enumerate().
static std::optional<Val> listUnder(const Val &iterable) {
    const bool counted = iterable.kind == Val::Kind::Iterator &&
                         cast<StringAttr>(iterable.attr).getValue() == "enumerate";
    const Val &list = counted ? iterable.items[0] : iterable;
    if (isHeap(list, "list"))
        return list;
    const bool changes = (list.isDynamicList() || list.isTuple()) && list.list && list.cell &&
                         list.cell != unknownCell;
    return changes ? std::optional(list) : std::nullopt;
}

// for p in product(a, b): for x in a: for y in b: p = (x, y), the body. None breaks out of it.
static void iterateProduct(Inference &in, ForEachOp op, const Val &product) {
    TypedBuilder &e = in.e;
    const Location loc = op.getLoc();
    const SmallVector<Type> types(op.getInits().size() + 1, anyTensor(e.ctx));
    const SmallVector<Location> locations(types.size(), loc);
    OpBuilder b(e.ctx);
    b.setInsertionPointToEnd(
        &in.expansions.emplace_back(std::make_unique<Region>())->emplaceBlock());
    SmallVector<Value> pools, items, carried = llvm::to_vector(op.getInits());
    for (const Val &pool : product.items) { // they are outside all loops
        pools.push_back(UnboundOp::create(b, loc, types[0], "a pool"));
        in.env[pools.back()] = pool;
    }
    SmallVector<ForEachOp> loops;
    for (Value pool : pools) {
        loops.push_back(
            ForEachOp::create(b, loc, ArrayRef(types).drop_front(), pool, ValueRange(carried)));
        Block *body = b.createBlock(&loops.back().getBody(), {}, types, locations);
        items.push_back(body->getArgument(0));
        carried.assign(body->args_begin() + 1, body->args_end());
    }
    IRMapping map;
    Block &captured = op.getBody().front();
    map.map(captured.getArguments().drop_front(), carried);
    map.map(captured.getArgument(0),
            TupleOp::create(b, loc, types[0], items, UnitAttr()).getResult());
    for (Operation &inner : captured)
        b.clone(inner, map);
    for (ForEachOp inner : llvm::reverse(ArrayRef(loops).drop_front())) {
        b.setInsertionPointAfter(inner);
        NextOp::create(b, loc, inner.getResults(), Value());
    }
    visitForEach(in, loops.front());
    for (auto [mine, theirs] : llvm::zip(op.getResults(), loops.front().getResults()))
        in.env[mine] = Val(in.env[theirs]); // a copy: env grows
}

// Whether a branch between any two of them has one type without a union.
static bool areAlike(ArrayRef<Val> items) {
    auto isAlike = [&](const Val &v) {
        const ArrayType a = items[0].array(), b = v.array();
        if (!a || !b)
            return v.isScalar() && !v.weakFlag && v.type() == items[0].type();
        return a.getRank() == b.getRank() && a.getDtype() == b.getDtype() &&
               a.getLayout() == b.getLayout() && a.getReadonly() == b.getReadonly() &&
               a.getDevice() == b.getDevice();
    };
    return !items.empty() && llvm::all_of(items, isAlike);
}

// Whether it may be a loop that selects its items by index. Selecting among more than a few hundred
// arrays costs more time in LLVM's register allocation than unrolling does.
static bool mayPickItems(ForEachOp op, const Val &iterable) {
    constexpr size_t maxPicked = 512;
    return !op.getUnroll() && iterable.isTuple() && iterable.items.size() <= maxPicked &&
           areAlike(iterable.items);
}

// Whether to make it such a loop at once, since it has too many iterations to unroll.
static bool isLongLoop(const Inference &in, ForEachOp op, const Val &iterable) {
    constexpr int64_t maxTripCount = 100, maxOperations = 2000, opsOfCalls = 100;
    const auto tripCount = int64_t(iterable.items.size());
    return tripCount > maxTripCount &&
           tripCount * unrolledSize(in, op.getBody().front()).value_or(opsOfCalls) > maxOperations;
}

// About the number of operations that inference visits in an iteration, those of captured callees
// with it; not far beyond `limit`.
static int64_t visitedSize(const Inference &in, Block &body, int64_t limit) {
    constexpr int64_t iterations = 8, opsOfMethod = 10;
    int64_t size = 0;
    for (Operation &op : body) {
        if (size > limit)
            break;
        size += isa<MethodOp>(op) ? opsOfMethod : 1;
        if (auto call = dyn_cast<CallOp>(op))
            if (FuncOp callee = calleeInProgram(in, call))
                size += visitedSize(in, callee.getBody().front(), limit / 2);
        const int64_t times = isa<ForEachOp, WhileOp>(op) ? iterations : 1;
        for (Region &region : op.getRegions())
            for (Block &block : region)
                size += times * visitedSize(in, block, limit / times);
    }
    return size;
}

// Unrolled it would take seconds to compile: lists of columns and in memory come first then.
static bool isLargeToUnroll(Inference &in, ForEachOp op, const Val &iterable) {
    constexpr int64_t maxOperations = 2000;
    const DimAttr tripCount = in.e.facts.canonical(*lengthOf(in, iterable));
    return tripCount.getValue() * visitedSize(in, op.getBody().front(), maxOperations) >
           maxOperations;
}

static int64_t tripCountOf(Inference &in, const Val &iterable) {
    const DimAttr tripCount =
        in.e.facts.canonical(lengthOf(in, iterable).value_or(in.e.dimConst(-1)));
    return tripCount.isConst() ? tripCount.getValue() : -1;
}

// A comprehension of many lists: known by themselves, each access with an index that is known only
// at run time would be one of all their items.
static bool isTable(ForEachOp op, int64_t tripCount) {
    constexpr int64_t mostRows = 16;
    auto makesList = [](Operation &made) {
        auto tuple = dyn_cast<TupleOp>(made);
        auto loop = dyn_cast<ForEachOp>(made);
        return (tuple && tuple.getList()) || (loop && loop.getUnroll());
    };
    return tripCount > mostRows && llvm::any_of(op.getBody().front(), makesList);
}

static void iterateByIndex(Inference &in, ForEachOp op, const Val &iterable) {
    TypedBuilder &e = in.e;
    llvm::SaveAndRestore grows(e.mayMakeDynamicLists, false);
    const unsigned changes = changesOf(e, iterable);
    countedLoop(in, op, e.dimConst(0), e.dimConst(int64_t(iterable.items.size())), e.dimConst(1),
                [&](const Val &counter) {
                    Val now = iterable;
                    if (isLive(now))
                        now.items = loadCell(e, now.cell).items;
                    return pickItem(in, now, counter);
                });
    if (!in.unreachable && changesOf(e, iterable) != changes)
        refuseMutation(e);
}

// A function of the library whose comprehensions are of views: lists of a known length.
static bool makesListsOfViews(FuncOp function) {
    const StringRef name = function.getSymName();
    return function.getLibrary() && !name.starts_with("library.itertools.") &&
           name != "library.builtins.list" && name != "library.numpy.ndarray.tolist";
}

using Ways = std::vector<std::function<void()>>; // the first that is supported is taken

// Unrolled, unless that becomes large: then `otherwise`, or unrolled where that is not supported.
static Ways unlessLarge(Inference &in, std::function<void(int64_t)> unrolled,
                        std::function<void()> otherwise) {
    constexpr int64_t mostVisits = 1000;
    auto refusal = std::make_shared<std::exception_ptr>(); // null: it is too large
    auto unrolledIfSmall = [=, &in] {
        const int64_t lastVisit = in.recursions.visitedOps + mostVisits;
        try {
            unrolled(lastVisit);
        } catch (const InferError &) {
            if (in.recursions.visitedOps <= lastVisit)
                *refusal = std::current_exception();
            throw;
        }
    };
    return {unrolledIfSmall, [=, &in] {
                if (*refusal)
                    std::rethrow_exception(*refusal);
                tryAlternatives(in, Ways{otherwise, [=] { unrolled(INT64_MAX); }});
            }};
}

// A loop whose lists keep their lengths, a fully unrolled loop, a loop whose lists may grow
// (dynamic lists). Where unrolling becomes large, lists that may grow and lists in memory come
// before it.
static Ways waysToIterate(Inference &in, ForEachOp op, const Val &iterable,
                          std::function<void(bool)> counted) {
    const bool mayGrow = in.e.mayMakeDynamicLists, mayUnroll = shouldUnroll(in, iterable),
               growsFirst = mayGrow && (!mayUnroll || isLargeToUnroll(in, op, iterable));
    Ways ways{[=] { counted(growsFirst); }};
    if (!mayUnroll)
        return ways;
    auto unrolled = [=, &in, &iterable](int64_t lastVisit) {
        const std::optional<std::vector<Val>> known = unrolledItems(in, iterable);
        known ? unroll(in, op, *known, iterable, lastVisit) : counted(true); // fewer facts are left
    };
    if (!mayGrow) {
        ways.push_back([=] { unrolled(INT64_MAX); });
        return ways;
    }
    auto inMemory = [=, &in] {
        try {
            counted(true);
        } catch (const InferError &error) {
            requestWishes(in.e, error.heapSites);
            throw;
        }
    };
    llvm::append_range(ways, unlessLarge(in, unrolled, inMemory));
    if (!growsFirst)
        ways.push_back([=] { counted(true); });
    return ways;
}

static void iterate(Inference &in, ForEachOp op, const Val &given) {
    TypedBuilder &e = in.e;
    if (std::optional<Val> list = listUnder(given); list && isHeap(*list) && !op.getUnroll())
        return iterateChanging(in, op, given, *list);
    const Val iterable = countedHeaps(in, given);
    if (iterable.isTuple() || iterable.isDict()) {
        auto unrolled = [&](int64_t lastVisit) {
            unroll(in, op, iterable.items, iterable, lastVisit);
        };
        auto picked = [&] { iterateByIndex(in, op, iterable); };
        auto ways = !mayPickItems(op, iterable)    ? Ways{[&] { unrolled(INT64_MAX); }}
                    : isLongLoop(in, op, iterable) ? Ways{picked, [&] { unrolled(INT64_MAX); }}
                                                   : unlessLarge(in, unrolled, picked);
        return tryOrIterateChanging(in, op, iterable, std::move(ways));
    }
    const bool nested = iterable.kind == Val::Kind::Iterator && kindOf(iterable) == "product" &&
                        iterable.items.size() > 1 &&
                        !cast<NextOp>(op.getBody().front().back()).getCondition();
    if (nested && !op.getUnroll()) {
        exhaust(in, iterable);
        return iterateProduct(in, op, iterable);
    }
    if (std::optional<std::vector<Val>> characters = charactersOf(e, iterable)) {
        if (characters->size() <= fewCharacters)
            return unroll(in, op, *characters);
        std::vector<std::function<void()>> alternatives{
            [&] { iterate(in, op, heapText(e, iterable)); }, [&] { unroll(in, op, *characters); }};
        if (op.getUnroll() && characters->size() <= size_t(maxUnrollTripCount))
            std::swap(alternatives[0], alternatives[1]);
        return tryAlternatives(in, std::move(alternatives));
    }
    checkIterable(e, iterable);
    std::optional<DimAttr> length = lengthOf(in, iterable);
    if (!length)
        e.fail("TypeError", "'" + iterable.className() + "' object is not iterable");
    exhaust(in, iterable);
    std::optional<std::vector<Val>> items;
    if (isShortLoop(in, op, iterable) && (items = unrolledItems(in, iterable)))
        return unroll(in, op, *items, iterable);
    const bool comprehension = op.getUnroll(); // each iteration appends to the list
    if (comprehension && !isTable(op, tripCountOf(in, iterable)) &&
        (items = unrolledItems(in, iterable)))
        return unroll(in, op, *items);
    auto now = [&] { // the body may store to its items
        Val live = iterable;
        reloadCells(e, live);
        return live;
    };
    auto counted = [&, changes = changesOf(e, iterable)](bool mayMakeDynamicLists) {
        llvm::SaveAndRestore grows(e.mayMakeDynamicLists, mayMakeDynamicLists);
        if (iterable.kind == Val::Kind::Range && iterable.attr)
            op.setPrangeAttr(e.b.getUnitAttr());
        if (iterable.kind == Val::Kind::Range)
            countedLoop(in, op, iterable.items[0].dim, iterable.items[1].dim, iterable.items[2].dim,
                        [](const Val &counter) { return counter; });
        else
            countedLoop(in, op, e.dimConst(0), *length, e.dimConst(1),
                        [&](const Val &counter) { return itemAt(in, now(), counter); });
        const bool changed = !in.unreachable && changesOf(e, iterable) != changes;
        if (changed && e.facts.equal(*lengthOf(in, now()), *length) != Answer::Yes)
            refuseMutation(e);
    };
    if (comprehension) {
        auto requestTripCount = [&] { // one variant per trip count
            for (const Val &bound :
                 iterable.kind == Val::Kind::Range ? iterable.items : std::vector<Val>())
                e.requestStaticArgument(sourceParameters(bound));
        };
        if (!in.callStack.empty() && makesListsOfViews(in.callStack.back()))
            requestTripCount();
        std::vector<std::function<void()>> alternatives{
            [&] {
                try {
                    counted(true);
                } catch (const InferError &error) { // of any length
                    requestListsOfObjects(e, error.heapSites);
                    throw;
                }
            },
            [&] {
                requestTripCount();
                counted(true);
            }};
        if (shouldUnroll(in, iterable)) // a table
            alternatives.push_back([&] { unroll(in, op, *unrolledItems(in, iterable)); });
        tryAlternatives(in, alternatives);
        for (Value list : op.getResults()) // no other name refers to it
            in.env[list].cell = 0;
        return;
    }
    tryOrIterateChanging(in, op, iterable, waysToIterate(in, op, iterable, counted));
    // Python looks at the size before it finds that there are no more; not after a `break`.
    const bool isCounted = iterable.kind == Val::Kind::Iterator && kindOf(iterable) == "enumerate";
    const Val &view = isCounted ? iterable.items[0] : iterable;
    if (isHeapView(view) && !in.unreachable &&
        !cast<NextOp>(op.getBody().front().back()).getCondition())
        requireUnchanged(in, view);
}

// The first alternative that is supported; a while loop as the last one for a list whose length the
// body changes.
static void tryOrIterateChanging(Inference &in, ForEachOp op, const Val &iterable,
                                 std::vector<std::function<void()>> alternatives) {
    std::optional<Val> list = listUnder(iterable);
    if (!list)
        return tryAlternatives(in, alternatives);
    bool changed = false;
    std::vector<std::function<void()>> watched;
    for (const std::function<void()> &alternative : alternatives)
        watched.push_back([&] {
            try {
                alternative();
            } catch (const InferError &error) {
                changed |= error.mutatedWhileIterating;
                throw;
            }
        });
    watched.push_back([&] {
        changed ? iterateChanging(in, op, iterable, *list) : alternatives.back()(); // for its error
    });
    tryAlternatives(in, watched);
}

// Emits k = 0; while k < len(list): item = list[k]; k += 1; the body.
static void iterateChanging(Inference &in, ForEachOp op, const Val &iterable, const Val &list) {
    TypedBuilder &e = in.e;
    const Location loc = op.getLoc();
    const Type any = anyTensor(e.ctx);
    OpBuilder b(e.ctx);
    b.setInsertionPointToEnd(
        &in.expansions.emplace_back(std::make_unique<Region>())->emplaceBlock());
    auto known = [&](const Val &v) {
        Value placeholder = UnboundOp::create(b, loc, any, "a loop's");
        in.env[placeholder] = v;
        return placeholder;
    };
    const Value itself = known(list), one = known(e.intVal(1));
    const bool counted = iterable.kind == Val::Kind::Iterator;
    SmallVector<Value> inits = llvm::to_vector(op.getInits());
    inits.push_back(known(e.intVal(0)));
    if (counted)
        inits.push_back(known(iterable.items[1]));
    const SmallVector<Type> types(inits.size(), any);
    const SmallVector<Location> locations(inits.size(), loc);
    auto loop = WhileOp::create(b, loc, types, inits, StringAttr());
    Block *test = b.createBlock(&loop.getBefore(), {}, types, locations);
    const size_t at = op.getInits().size();
    Value length =
        CallOp::create(b, loc, any, "builtins.len", itself, ArrayAttr(), ArrayAttr(), ArrayAttr())
            .getResult();
    TestOp::create(b, loc, PyOp::create(b, loc, any, "lt", {test->getArgument(at), length}));
    Block *body = b.createBlock(&loop.getBody(), {}, types, locations);
    Value item = GetItemOp::create(b, loc, any, itself, body->getArgument(at));
    if (counted)
        item =
            TupleOp::create(b, loc, any, ValueRange{body->getArgument(at + 1), item}, UnitAttr());
    IRMapping map;
    Block &captured = op.getBody().front();
    map.map(captured.getArgument(0), item);
    for (size_t i = 0; i < at; ++i)
        map.map(captured.getArgument(i + 1), body->getArgument(i));
    for (Operation &inner : captured.without_terminator())
        b.clone(inner, map);
    auto next = cast<NextOp>(captured.back());
    SmallVector<Value> values;
    for (Value value : next.getValues())
        values.push_back(map.lookupOrDefault(value));
    for (size_t i = at; i < inits.size(); ++i)
        values.push_back(PyOp::create(b, loc, any, "add", {body->getArgument(i), one}));
    NextOp::create(b, loc, values,
                   next.getCondition() ? map.lookupOrDefault(next.getCondition()) : Value());
    visitWhile(in, loop);
    for (auto [mine, theirs] : llvm::zip(op.getResults(), loop.getResults()))
        in.env[mine] = Val(in.env[theirs]); // a copy: env grows
}

// UnsupportedError where inference has visited more operations than `lastVisit` by then.
static void unroll(Inference &in, ForEachOp op, ArrayRef<Val> items, const Val &iterable,
                   int64_t lastVisit) {
    llvm::SaveAndRestore around(in.unrolledLoop,
                                in.unrolledLoop ? in.unrolledLoop : op.getOperation());
    SmallVector<Val> results =
        unrollFrom(in, op, items, iterable, 0, in.vals(op.getInits()), lastVisit);
    for (auto [result, v] : llvm::zip(op.getResults(), results))
        in.env[result] = v;
}

// The iterations from this one on; returns the carried values at the end.
static SmallVector<Val> unrollFrom(Inference &in, ForEachOp op, ArrayRef<Val> items,
                                   const Val &iterable, size_t iteration, SmallVector<Val> carried,
                                   int64_t lastVisit) {
    TypedBuilder &e = in.e;
    Block &body = op.getBody().front();
    auto next = cast<NextOp>(body.back());
    while (std::optional<Val> item = itemOfIteration(in, iterable, items, iteration)) {
        ++iteration;
        if (in.recursions.visitedOps > lastVisit)
            e.unsupported("this loop comes to too many operations when it is unrolled");
        in.env[body.getArgument(0)] = *item;
        for (auto [argument, v] : llvm::zip(body.getArguments().drop_front(), carried))
            in.env[argument] = std::move(v); // a comprehension's list is appended to in place
        const Changes before = changesNow(in);
        in.walk(body);
        if (in.unreachable) // what follows the loop is not reached
            return SmallVector<Val>(carried.size(), e.neverVal());
        carried = in.vals(next.getValues());
        refuseEscaping(in, carried, before);
        if (!next.getCondition())
            continue;
        Val go = truth(e, in.val(next.getCondition()));
        std::optional<bool> known = go.constBool();
        if (!known && itemOfIteration(in, iterable, items, iteration))
            return branch(in, op.getLoc(), go, [&](bool holds) {
                return holds ? unrollFrom(in, op, items, iterable, iteration, carried, lastVisit)
                             : carried;
            });
        if (known == false)
            break;
    }
    return carried;
}
