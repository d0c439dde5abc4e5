// np-infer: what `for` iterates over. A loop with a known trip count is fully unrolled where the
// items differ in type, or where the variables change their type in each iteration; all others are
// counted loops.
#include "facts/host_info.h"
#include "ops/builder/cells.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/infer_error.h"
#include "ops/builder/items.h"
#include "ops/builder/operators.h"
#include "ops/builder/text.h"
#include "ops/builder/values.h"
#include "passes/frontend/library.h"
#include "passes/infer/infer.h"

#include "llvm/Support/SaveAndRestore.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

constexpr int64_t alwaysUnrolledTripCount = 4; // at most, of a loop that is always fully unrolled
constexpr int64_t maxUnrolledOps = 512;        // captured ops in all of its iterations

// The function of map(function, ...).
static bool isMapped(const Val &iterator, const Val &item) {
    return cast<StringAttr>(iterator.attr).getValue() == "map" && &item == &iterator.items[0];
}

// np.ndindex(...), np.ndenumerate(a), a.flat: element by element, in C order.
static bool iteratesElements(const Val &iterator) {
    return llvm::is_contained({"ndindex", "ndenumerate", "flat"},
                              cast<StringAttr>(iterator.attr).getValue());
}

static Dims sizesOf(TypedBuilder &e, const Val &iterator) {
    if (cast<StringAttr>(iterator.attr).getValue() != "ndindex")
        return dimsOf(e, iterator.items[0]);
    Dims sizes;
    for (const Val &size : iterator.items)
        sizes.push_back(size.dim);
    return sizes;
}

static StringRef kindOf(const Val &iterator) { return cast<StringAttr>(iterator.attr).getValue(); }

// np.unravel_index(number, sizes).
static std::vector<Val> unravelIndex(TypedBuilder &e, ArrayRef<DimAttr> sizes, DimAttr number) {
    std::vector<Val> index(sizes.size());
    for (size_t axis = sizes.size(); axis-- > 0;) {
        index[axis] = e.sizeVal(axis == 0 ? number : dimMod(number, sizes[axis]));
        number = dimFloorDiv(number, sizes[axis]);
    }
    return index;
}

// The number of items; none where it is not an iterable of countable length.
std::optional<DimAttr> Infer::lengthOf(const Val &iterable) {
    if (iterable.isTuple() || iterable.isDict())
        return e.dimConst(iterable.items.size());
    if (iterable.isDynamicList())
        return iterable.items[0].dim;
    if (iterable.isArray() && iterable.array().getRank() > 0)
        return dimsOf(e, iterable)[0];
    if (iterable.kind == Val::Kind::Range) {
        DimAttr low = iterable.items[0].dim, high = iterable.items[1].dim,
                step = iterable.items[2].dim;
        if (step.isConst(1))
            return dimMax(e.dimConst(0), dimSub(high, low));
        return dimMax(e.dimConst(0), dimCeilDiv(dimSub(high, low), step));
    }
    if (iterable.kind != Val::Kind::Iterator)
        return std::nullopt;
    if (iteratesElements(iterable))
        return dimProduct(e.ctx, sizesOf(e, iterable));
    if (kindOf(iterable) == "product") {
        std::optional<Dims> sizes = lengthsOf(iterable.items);
        return sizes ? std::optional(dimProduct(e.ctx, *sizes)) : std::nullopt;
    }
    std::optional<DimAttr> least;
    for (const Val &item : iterable.items) {
        if (item.isScalar() || isMapped(iterable, item)) // enumerate's start
            continue;
        std::optional<DimAttr> length = lengthOf(item);
        if (!length)
            return std::nullopt;
        least = !least                                                 ? *length
                : e.facts.greaterEqual(*least, *length) == Answer::Yes ? *length
                : e.facts.greaterEqual(*length, *least) == Answer::Yes ? *least
                                                                       : dimMin(*least, *length);
    }
    return least ? *least : e.dimConst(0);
}

std::optional<Dims> Infer::lengthsOf(ArrayRef<Val> iterables) {
    Dims lengths;
    for (const Val &iterable : iterables) {
        std::optional<DimAttr> length = lengthOf(iterable);
        if (!length)
            return std::nullopt;
        lengths.push_back(*length);
    }
    return lengths;
}

// The item at an index that is in bounds.
Val Infer::itemAt(const Val &iterable, const Val &index) {
    if (iterable.isTuple())
        return pickItem(iterable, index);
    if (iterable.isDict())
        return itemAt(e.tupleVal(*itemsOf(e, iterable)), index);
    if (iterable.isDynamicList())
        return dynamicListItem(e, iterable, index.dim);
    if (iterable.isArray())
        return getItem(e, iterable, {index});
    if (iterable.kind == Val::Kind::Range)
        return e.sizeVal(dimAdd(iterable.items[0].dim, dimMul(iterable.items[2].dim, index.dim)));
    StringRef kind = kindOf(iterable);
    if (kind == "iter")
        return itemAt(iterable.items[0], index);
    if (kind == "product") {
        std::vector<Val> items = unravelIndex(e, *lengthsOf(iterable.items), index.dim);
        for (auto [item, pool] : llvm::zip(items, iterable.items))
            item = itemAt(pool, item);
        return e.tupleVal(std::move(items));
    }
    if (kind == "reversed") {
        DimAttr last = dimSub(*lengthOf(iterable.items[0]), e.dimConst(1));
        return itemAt(iterable.items[0], e.sizeVal(dimSub(last, index.dim)));
    }
    if (kind == "enumerate")
        return e.tupleVal({e.sizeVal(dimAdd(iterable.items[1].dim, index.dim)),
                           itemAt(iterable.items[0], index)});
    if (iteratesElements(iterable)) {
        const std::vector<Val> indices = unravelIndex(e, sizesOf(e, iterable), index.dim);
        if (kind == "ndindex")
            return e.tupleVal(indices);
        const Val element = getItem(e, iterable.items[0], indices);
        return kind == "flat" ? element : e.tupleVal({e.tupleVal(indices), element});
    }
    std::vector<Val> items;
    for (const Val &item : ArrayRef<Val>(iterable.items).drop_front(kind == "map"))
        items.push_back(itemAt(item, index));
    return kind == "map" ? apply(iterable.items[0], items, {}, e.loc)
                         : e.tupleVal(std::move(items));
}

// items[index] with an index known only at run time, not negative and in bounds: a binary tree of
// branches.
Val Infer::pickItem(const Val &tuple, const Val &index) {
    ArrayRef<Val> items = tuple.items;
    if (std::optional<int64_t> known = index.constInt())
        return items[*known];
    auto pick = [&](auto &self, size_t first, size_t count) -> Val {
        if (count == 1)
            return items[first];
        Val left = compare(e, "lt", index, e.intVal(first + count / 2));
        return branch(e.loc, left, [&](bool holds) {
            return SmallVector<Val>{holds ? self(self, first, count / 2)
                                          : self(self, first + count / 2, count - count / 2)};
        })[0];
    };
    return pick(pick, 0, items.size());
}

// tuple[index] as in Python: negative indices wrap.
Val Infer::tupleItem(const Val &tuple, const Val &index) {
    DimAttr size = e.dimConst(tuple.items.size()), at = toDim(e, index);
    const char *message = tuple.list ? "list index out of range" : "tuple index out of range";
    if (tuple.items.empty())
        e.fail("IndexError", message);
    e.require("index", {at, size}, "IndexError", message);
    return pickItem(tuple, e.sizeVal(dimWrap(at, size)));
}

// The number of ops of a body when unrolled, with those of inner loops once per iteration; none
// where it calls captured functions or has `while` loops.
static std::optional<int64_t> unrolledSize(Block &body) {
    int64_t size = 0;
    for (Operation &op : body) {
        auto call = dyn_cast<CallOp>(op);
        const bool captured =
            call && SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr());
        if (captured || isa<ApplyOp, WhileOp>(op))
            return std::nullopt;
        ++size;
        for (Region &region : op.getRegions())
            for (Block &block : region) {
                std::optional<int64_t> inner = unrolledSize(block);
                if (!inner)
                    return std::nullopt;
                size += *inner * (isa<ForEachOp>(op) ? alwaysUnrolledTripCount : 1);
            }
    }
    return size;
}

// A few iterations of a small body that uses the induction variable: unrolled, their stores become
// one expression.
bool Infer::isShortLoop(ForEachOp op, const Val &iterable) {
    if (iterable.kind != Val::Kind::Range)
        return false;
    DimAttr tripCount = e.facts.canonical(lengthOf(iterable).value_or(e.dimConst(-1)));
    Block &body = op.getBody().front();
    if (!tripCount.isConst() || tripCount.getValue() < 1 ||
        tripCount.getValue() > alwaysUnrolledTripCount || body.getArgument(0).use_empty() ||
        cast<NextOp>(body.back()).getCondition())
        return false;
    std::optional<int64_t> size = unrolledSize(body);
    return size && *size * tripCount.getValue() <= maxUnrolledOps;
}

[[noreturn]] static void refuseMutation(const TypedBuilder &e) {
    InferError error{e.loc, "shapecast.UnsupportedError",
                     "changing a list or dict while a loop iterates over it is not supported here; "
                     "iterate over a copy or a range",
                     e.operandNotes ? e.operandNotes() : std::vector<std::string>()};
    error.mutatedWhileIterating = true;
    throw error;
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
std::optional<Val> Infer::itemOfIteration(const Val &iterable, ArrayRef<Val> items,
                                          size_t iteration) {
    if (iterable.kind == Val::Kind::Iterator && changesOf(e, iterable)) {
        Val now = iterable;
        reloadCells(e, now);
        const DimAttr length = e.facts.canonical(*lengthOf(now));
        if (!length.isConst() || length.getValue() != int64_t(items.size()))
            refuseMutation(e);
        return iteration < items.size() ? std::optional(itemAt(now, e.intVal(iteration)))
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
    if (!iterable.serial)
        return now.items[iteration];
    return e.tupleVal({iterable.items[iteration].items[0], now.items[iteration]});
}

void Infer::visitForEach(ForEachOp op) {
    Val iterable = val(op.getIterable());
    if (iterable.isDict())
        iterable.items = *itemsOf(e, iterable); // the cell still is the dict's
    const bool keys =
        isLive(iterable) || (iterable.isDict() && iterable.cell && iterable.cell != unknownCell);
    const Attribute before = keys ? e.cells[iterable.cell].keys : Attribute();
    iterate(op, iterable);
    if (!unreachable && keys && e.cells[iterable.cell].keys != before)
        refuseMutation(e);
}

// The mutable list that is iterated over, directly or by enumerate().
static std::optional<Val> listUnder(const Val &iterable) {
    const bool counted = iterable.kind == Val::Kind::Iterator &&
                         cast<StringAttr>(iterable.attr).getValue() == "enumerate";
    const Val &list = counted ? iterable.items[0] : iterable;
    const bool changes = (list.isDynamicList() || list.isTuple()) && list.list && list.cell &&
                         list.cell != unknownCell;
    return changes ? std::optional(list) : std::nullopt;
}

// for p in product(a, b): for x in a: for y in b: p = (x, y), the body. None breaks out of it.
void Infer::iterateProduct(ForEachOp op, const Val &product) {
    const Location loc = op.getLoc();
    const SmallVector<Type> types(op.getInits().size() + 1, anyTensor(e.ctx));
    const SmallVector<Location> locations(types.size(), loc);
    OpBuilder b(e.ctx);
    b.setInsertionPointToEnd(&expansions.emplace_back(std::make_unique<Region>())->emplaceBlock());
    SmallVector<Value> pools, items, carried = llvm::to_vector(op.getInits());
    for (const Val &pool : product.items) { // they are outside all loops
        pools.push_back(UnboundOp::create(b, loc, types[0], "a pool"));
        env[pools.back()] = pool;
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
    visitForEach(loops.front());
    for (auto [mine, theirs] : llvm::zip(op.getResults(), loops.front().getResults()))
        env[mine] = Val(env[theirs]); // a copy: env grows
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

// Whether to make it a loop, since it has too many iterations to unroll. Selecting among more than
// a few hundred arrays costs more time in LLVM's register allocation than unrolling does.
bool Infer::isLongLoop(ForEachOp op, const Val &iterable) {
    constexpr int64_t maxTripCount = 100, maxPicked = 512, maxOperations = 2000, opsOfCalls = 100;
    const auto tripCount = int64_t(iterable.items.size());
    return tripCount > maxTripCount && tripCount <= maxPicked && areAlike(iterable.items) &&
           tripCount * unrolledSize(op.getBody().front()).value_or(opsOfCalls) > maxOperations;
}

void Infer::iterateByIndex(ForEachOp op, const Val &iterable) {
    llvm::SaveAndRestore grows(e.mayMakeDynamicLists, false);
    const unsigned changes = changesOf(e, iterable);
    countedLoop(op, e.dimConst(0), e.dimConst(int64_t(iterable.items.size())), e.dimConst(1),
                [&](const Val &counter) {
                    Val now = iterable;
                    if (isLive(now))
                        now.items = loadCell(e, now.cell).items;
                    return pickItem(now, counter);
                });
    if (!unreachable && changesOf(e, iterable) != changes)
        refuseMutation(e);
}

void Infer::iterate(ForEachOp op, const Val &iterable) {
    if (iterable.isTuple() || iterable.isDict()) {
        std::vector<std::function<void()>> alternatives{
            [&] { unroll(op, iterable.items, iterable); }};
        if (!op.getUnroll() && isLongLoop(op, iterable)) // it selects its items by index
            alternatives.insert(alternatives.begin(), [&] { iterateByIndex(op, iterable); });
        return tryOrIterateChanging(op, iterable, std::move(alternatives));
    }
    const bool nested = iterable.kind == Val::Kind::Iterator && kindOf(iterable) == "product" &&
                        iterable.items.size() > 1 &&
                        !cast<NextOp>(op.getBody().front().back()).getCondition();
    if (nested && !op.getUnroll()) {
        exhaust(iterable);
        return iterateProduct(op, iterable);
    }
    if (std::optional<std::vector<Val>> characters = charactersOf(e, iterable))
        return unroll(op, *characters);
    checkIterable(e, iterable);
    std::optional<DimAttr> length = lengthOf(iterable);
    if (!length)
        e.fail("TypeError", "'" + classNameOf(e, iterable) + "' object is not iterable");
    exhaust(iterable);
    std::optional<std::vector<Val>> items;
    if (isShortLoop(op, iterable) && (items = unrolledItems(iterable)))
        return unroll(op, *items, iterable);
    const bool comprehension = op.getUnroll(); // each iteration appends to the list
    if (comprehension && (items = unrolledItems(iterable)))
        return unroll(op, *items);
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
            countedLoop(op, iterable.items[0].dim, iterable.items[1].dim, iterable.items[2].dim,
                        [](const Val &counter) { return counter; });
        else
            countedLoop(op, e.dimConst(0), *length, e.dimConst(1),
                        [&](const Val &counter) { return itemAt(now(), counter); });
        const bool changed = !unreachable && changesOf(e, iterable) != changes;
        if (changed && e.facts.equal(*lengthOf(now()), *length) != Answer::Yes)
            refuseMutation(e);
    };
    if (comprehension) {
        auto requestTripCount = [&] { // one variant per trip count
            for (const Val &bound :
                 iterable.kind == Val::Kind::Range ? iterable.items : std::vector<Val>())
                e.requestStaticArgument(sourceParameters(bound));
        };
        if (!callStack.empty() && callStack.back().getLibrary() &&
            !callStack.back().getSymName().starts_with("library.itertools."))
            requestTripCount(); // its lists are of views
        tryAlternatives({[&] { counted(true); },
                         [&] {
                             requestTripCount();
                             counted(true);
                         }});
        for (Value list : op.getResults()) // no other name refers to it
            env[list].cell = 0;
        return;
    }
    // The first of these that is supported: a loop whose lists keep their lengths, a fully unrolled
    // loop, a loop whose lists may grow (dynamic lists).
    const bool mayMakeDynamicLists = e.mayMakeDynamicLists, mayUnroll = shouldUnroll(iterable);
    std::vector<std::function<void()>> alternatives{
        [&] { counted(mayMakeDynamicLists && !mayUnroll); }};
    if (mayUnroll)
        alternatives.push_back([&] { unroll(op, *unrolledItems(iterable), iterable); });
    if (mayUnroll && mayMakeDynamicLists)
        alternatives.push_back([&] { counted(true); });
    tryOrIterateChanging(op, iterable, std::move(alternatives));
}

// The first alternative that is supported; a while loop as the last one for a list whose length the
// body changes.
void Infer::tryOrIterateChanging(ForEachOp op, const Val &iterable,
                                 std::vector<std::function<void()>> alternatives) {
    std::optional<Val> list = listUnder(iterable);
    if (!list)
        return tryAlternatives(alternatives);
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
        changed ? iterateChanging(op, iterable, *list) : alternatives.back()(); // for its error
    });
    tryAlternatives(watched);
}

// Emits k = 0; while k < len(list): item = list[k]; k += 1; the body.
void Infer::iterateChanging(ForEachOp op, const Val &iterable, const Val &list) {
    const Location loc = op.getLoc();
    const Type any = anyTensor(e.ctx);
    OpBuilder b(e.ctx);
    b.setInsertionPointToEnd(&expansions.emplace_back(std::make_unique<Region>())->emplaceBlock());
    auto known = [&](const Val &v) {
        Value placeholder = UnboundOp::create(b, loc, any, "a loop's");
        env[placeholder] = v;
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
    auto loop = WhileOp::create(b, loc, types, inits);
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
    visitWhile(loop);
    for (auto [mine, theirs] : llvm::zip(op.getResults(), loop.getResults()))
        env[mine] = Val(env[theirs]); // a copy: env grows
}

// Erases what an unsupported alternative emitted; the last one's error is thrown.
void Infer::tryAlternatives(ArrayRef<std::function<void()>> alternatives) {
    Block *block = e.b.getInsertionBlock();
    Operation *last = block->empty() ? nullptr : &block->back();
    const llvm::DenseSet<unsigned> copied = e.copiedCells;
    for (const std::function<void()> &alternative : alternatives) {
        Checkpoint checkpoint(e);
        e.copiedCells = copied;
        const size_t depth = callStack.size();
        Operation *const opBefore = currentOp;
        try {
            return alternative();
        } catch (const InferError &error) {
            if (error.exception != "shapecast.UnsupportedError" ||
                &alternative == &alternatives.back())
                throw;
        }
        checkpoint.rollBack(); // the builder is in an erased block
        unreachable = false;
        callStack.truncate(depth);
        currentOp = opBefore;
        while (!block->empty() && &block->back() != last)
            block->back().erase();
    }
}

// Marks an iterator as exhausted.
void Infer::exhaust(const Val &iterator) {
    if (iterator.kind != Val::Kind::Iterator)
        return;
    const bool ofAnotherIteration =
        iterator.dim && iterator.dim.getValue() != int64_t(e.iterationCells);
    if (!exhausted.insert(iterator.serial).second || ofAnotherIteration)
        e.unsupported("iterating over a " + describe(e, iterator) +
                      " object more than once is not supported; call it again");
    for (const Val &item : iterator.items)
        if (!isMapped(iterator, item))
            exhaust(item);
}

// next(iterator, default): the first item. Further uses of the iterator are refused.
Val Infer::nextCall(ArrayRef<Val> operands) {
    if (operands.empty() || operands.size() > 2)
        e.fail("TypeError", "next expected 1 to 2 arguments, got " + Twine(operands.size()));
    const Val iterator = operands[0];
    if (iterator.kind != Val::Kind::Iterator)
        e.fail("TypeError", "'" + classNameOf(e, iterator) + "' object is not an iterator");
    exhaust(iterator);
    const DimAttr length = e.facts.canonical(*lengthOf(iterator));
    if (length.isConst() && (length.getValue() > 0 || operands.size() == 2))
        return length.getValue() > 0 ? itemAt(iterator, e.intVal(0)) : operands[1];
    const Val empty = compare(e, "lt", e.sizeVal(length), e.intVal(1));
    if (operands.size() == 1) {
        raiseIf(e, empty, "StopIteration", "");
        unreachable = length.isConst();
        return unreachable ? e.neverVal() : itemAt(iterator, e.intVal(0));
    }
    return e.branch(truth(e, empty), [&](bool holds) {
        return holds ? operands[1] : itemAt(iterator, e.intVal(0));
    });
}

std::optional<std::vector<Val>> Infer::knownItems(const Val &iterable) {
    exhaust(iterable);
    return unrolledItems(iterable);
}

// Whether the trip count is known and small enough for unrolling.
bool Infer::shouldUnroll(const Val &iterable) {
    std::optional<DimAttr> length = lengthOf(iterable);
    DimAttr known = length ? e.facts.canonical(*length) : DimAttr();
    return known && known.isConst() && known.getValue() <= maxUnrollTripCount;
}

// The items, where their number is known.
std::optional<std::vector<Val>> Infer::unrolledItems(const Val &iterable) {
    if (iterable.kind != Val::Kind::Iterator && !iterable.isDynamicList())
        return itemsOf(e, iterable);
    if (!shouldUnroll(iterable))
        return std::nullopt;
    std::vector<Val> items;
    for (int64_t k = 0, n = e.facts.canonical(*lengthOf(iterable)).getValue(); k < n; ++k)
        items.push_back(itemAt(iterable, e.intVal(k)));
    return items;
}

void Infer::unroll(ForEachOp op, ArrayRef<Val> items, const Val &iterable) {
    llvm::SaveAndRestore around(unrolledLoop, unrolledLoop ? unrolledLoop : op.getOperation());
    SmallVector<Val> results = unrollFrom(op, items, iterable, 0, vals(op.getInits()));
    for (auto [result, v] : llvm::zip(op.getResults(), results))
        env[result] = v;
}

// The iterations from this one on; returns the carried values at the end.
SmallVector<Val> Infer::unrollFrom(ForEachOp op, ArrayRef<Val> items, const Val &iterable,
                                   size_t iteration, SmallVector<Val> carried) {
    Block &body = op.getBody().front();
    auto next = cast<NextOp>(body.back());
    while (std::optional<Val> item = itemOfIteration(iterable, items, iteration)) {
        ++iteration;
        env[body.getArgument(0)] = *item;
        for (auto [argument, v] : llvm::zip(body.getArguments().drop_front(), carried))
            env[argument] = std::move(v); // a comprehension's list is appended to in place
        const Changes before = changesNow();
        walk(body);
        if (unreachable) // what follows the loop is not reached
            return SmallVector<Val>(carried.size(), e.neverVal());
        carried = vals(next.getValues());
        refuseEscaping(carried, before);
        if (!next.getCondition())
            continue;
        Val go = truth(e, val(next.getCondition()));
        std::optional<bool> known = go.constBool();
        if (!known && itemOfIteration(iterable, items, iteration))
            return branch(op.getLoc(), go, [&](bool holds) {
                return holds ? unrollFrom(op, items, iterable, iteration, carried) : carried;
            });
        if (known == false)
            break;
    }
    return carried;
}

// Whether the items, or the start of the sum, may be Python floats or complex numbers.
static bool mayHoldFloats(TypedBuilder &e, const Val &iterable, const Val &start) {
    const auto mayBeFloat = [&](const Val &v) {
        return v.isTyped() && (v.weakFlag || llvm::is_contained({PyKind::Float, PyKind::Complex},
                                                                operandOf(e, v).weak));
    };
    if (iterable.isTuple())
        return mayBeFloat(start) || llvm::any_of(iterable.items.read(), mayBeFloat);
    if (iterable.kind == Val::Kind::Range)
        return mayBeFloat(start);
    return !iterable.isArray();
}

// Python's sum() of floats is compensated (python/shapecast/library/sums.py).
Val Infer::compensatedSum(const Val &iterable, const Val &start) {
    auto callOf = [&](StringRef which) {
        FuncOp libraryFunc = libraryFunction(source, ("builtins.sum of " + which).str());
        return inlineLibraryCall(libraryFunc, callArguments({iterable, start}, {}));
    };
    return orElse([&] { return callOf(iterable.isTuple() ? "few" : "many"); },
                  [&] { return callOf("mixed"); });
}

// sum(iterable, start=0) and math.prod(iterable, *, start=1): one item after the other, as Python
// does.
Val Infer::sumCall(bool sum, ArrayRef<Val> operands, ArrayRef<std::pair<StringRef, Val>> named) {
    const StringRef name = sum ? "sum" : "prod", op = sum ? "add" : "mul";
    if (operands.empty() || operands.size() > (sum ? 2 : 1)) {
        checkArity(e, sum ? "builtins.sum" : "math.prod", operands.size(), named);
        e.fail("TypeError", name + "() takes at most 2 arguments");
    }
    Val start = operands.size() == 2 ? operands[1] : e.intVal(!sum);
    for (const auto &[keyword, value] : named) {
        if (keyword != "start")
            e.fail("TypeError",
                   "'" + keyword + "' is an invalid keyword argument for " + name + "()");
        start = value;
    }
    if (sum && start.isText())
        e.fail("TypeError", "sum() can't sum strings [use ''.join(seq) instead]");
    const Val &iterable = operands[0];
    checkIterable(e, iterable);
    if (!iterable.isTuple() && !lengthOf(iterable))
        e.fail("TypeError", "'" + classNameOf(e, iterable) + "' object is not iterable");
    const bool compensates =
        sum && hostInfo().sumIsCompensated && mayHoldFloats(e, iterable, start);
    // Where that is not supported, some items are NumPy scalars, which Python adds one by one.
    return compensates ? orElse([&] { return compensatedSum(iterable, start); },
                                [&] { return foldLeft(op, iterable, start); })
                       : foldLeft(op, iterable, start);
}

// A left fold: start op item op item ...
Val Infer::foldLeft(StringRef op, const Val &iterable, Val start) {
    if (iterable.isTuple()) {
        for (const Val &item : iterable.items)
            start = binary(e, op, start, item);
        return start;
    }
    Region &body = *expansions.emplace_back(std::make_unique<Region>());
    OpBuilder b(e.ctx);
    Type any = anyTensor(e.ctx);
    Block *block = b.createBlock(&body, {}, {any, any}, {e.loc, e.loc});
    auto loop = ForEachOp::create(b, e.loc, TypeRange(any), block->getArgument(0),
                                  ValueRange(block->getArgument(1)));
    Block *loopBody = b.createBlock(&loop.getBody(), {}, {any, any}, {e.loc, e.loc});
    Value next = PyOp::create(
        b, e.loc, any, op, ValueRange{loopBody->getArgument(1), loopBody->getArgument(0)}, false);
    NextOp::create(b, e.loc, next, Value());
    env[block->getArgument(0)] = iterable;
    env[block->getArgument(1)] = start;
    visit(loop);
    return val(loop.getResult(0));
}
