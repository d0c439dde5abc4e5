// np-infer: what `for` goes over. A known number of turns is written out where the items differ in
// kind, or where the variables change their kind from turn to turn; all else is a counted loop.
#include "facts/running.h"
#include "ops/grown.h"
#include "passes/infer.h"
#include "passes/library.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

constexpr int64_t mostShort = 4;     // turns of a loop that is always written out
constexpr int64_t mostWritten = 512; // captured ops that come of it

// The function of map(function, ...).
static bool isMapped(const Val &iterator, const Val &item) {
    return cast<StringAttr>(iterator.attr).getValue() == "map" && &item == &iterator.items[0];
}

// np.ndindex(...), np.ndenumerate(a), a.flat: element after element, the last axis first.
static bool goesOverElements(const Val &iterator) {
    return llvm::is_contained({"ndindex", "ndenumerate", "flat"},
                              cast<StringAttr>(iterator.attr).getValue());
}

static Dims sizesOf(TypedBuilder &e, const Val &iterator) {
    if (cast<StringAttr>(iterator.attr).getValue() != "ndindex")
        return e.dimsOf(iterator.items[0]);
    Dims sizes;
    for (const Val &size : iterator.items)
        sizes.push_back(size.dim);
    return sizes;
}

static StringRef kindOf(const Val &iterator) { return cast<StringAttr>(iterator.attr).getValue(); }

// Where the element of that number is, along each axis.
static std::vector<Val> placeOf(TypedBuilder &e, ArrayRef<DimAttr> sizes, DimAttr number) {
    std::vector<Val> place(sizes.size());
    for (size_t axis = sizes.size(); axis-- > 0;) {
        place[axis] = e.sizeVal(axis == 0 ? number : dimMod(number, sizes[axis]));
        number = dimFloorDiv(number, sizes[axis]);
    }
    return place;
}

// The number of items; none where it is no iterable that a loop can count.
std::optional<DimAttr> Infer::lengthOf(const Val &iterable) {
    if (iterable.isTuple() || iterable.isDict())
        return e.dimConst(iterable.items.size());
    if (iterable.isGrown())
        return iterable.items[0].dim;
    if (iterable.isArray() && iterable.array().getRank() > 0)
        return e.dimsOf(iterable)[0];
    if (iterable.kind == Val::Kind::Range) {
        DimAttr low = iterable.items[0].dim, high = iterable.items[1].dim,
                step = iterable.items[2].dim;
        if (step.isConst(1))
            return dimMax(e.dimConst(0), dimSub(high, low));
        return dimMax(e.dimConst(0), dimCeilDiv(dimSub(high, low), step));
    }
    if (iterable.kind != Val::Kind::Iterator)
        return std::nullopt;
    if (goesOverElements(iterable))
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

// The item at a position that is within bounds.
Val Infer::itemAt(const Val &iterable, const Val &index) {
    if (iterable.isTuple())
        return pickItem(iterable, index);
    if (iterable.isDict())
        return itemAt(e.tupleVal(*e.itemsOf(iterable)), index);
    if (iterable.isGrown())
        return grownItem(e, iterable, index.dim);
    if (iterable.isArray())
        return e.getItem(iterable, {index});
    if (iterable.kind == Val::Kind::Range)
        return e.sizeVal(dimAdd(iterable.items[0].dim, dimMul(iterable.items[2].dim, index.dim)));
    StringRef kind = kindOf(iterable);
    if (kind == "iter")
        return itemAt(iterable.items[0], index);
    if (kind == "product") {
        std::vector<Val> items = placeOf(e, *lengthsOf(iterable.items), index.dim);
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
    if (goesOverElements(iterable)) {
        const std::vector<Val> place = placeOf(e, sizesOf(e, iterable), index.dim);
        if (kind == "ndindex")
            return e.tupleVal(place);
        const Val element = e.getItem(iterable.items[0], place);
        return kind == "flat" ? element : e.tupleVal({e.tupleVal(place), element});
    }
    std::vector<Val> items;
    for (const Val &item : ArrayRef<Val>(iterable.items).drop_front(kind == "map"))
        items.push_back(itemAt(item, index));
    return kind == "map" ? apply(iterable.items[0], items, {}, e.loc)
                         : e.tupleVal(std::move(items));
}

// items[index] with an index from run time, not negative and within bounds: a binary tree of
// branches.
Val Infer::pickItem(const Val &tuple, const Val &index) {
    ArrayRef<Val> items = tuple.items;
    if (std::optional<int64_t> known = index.constInt())
        return items[*known];
    auto pick = [&](auto &self, size_t first, size_t count) -> Val {
        if (count == 1)
            return items[first];
        Val left = e.compare("lt", index, e.intVal(first + count / 2));
        return branch(e.loc, left, [&](bool holds) {
            return SmallVector<Val>{holds ? self(self, first, count / 2)
                                          : self(self, first + count / 2, count - count / 2)};
        })[0];
    };
    return pick(pick, 0, items.size());
}

// tuple[index] as Python does it.
Val Infer::tupleItem(const Val &tuple, const Val &index) {
    DimAttr size = e.dimConst(tuple.items.size()), at = e.toDim(index);
    const char *message = tuple.list ? "list index out of range" : "tuple index out of range";
    if (tuple.items.empty())
        e.fail("IndexError", message);
    e.require("index", {at, size}, "IndexError", message);
    return pickItem(tuple, e.sizeVal(dimWrap(at, size)));
}

// The ops of a body that calls no captured function and has no loops of unknown length, those of
// loops counted for each turn; none where it has.
static std::optional<int64_t> writtenSize(Block &body) {
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
                std::optional<int64_t> inner = writtenSize(block);
                if (!inner)
                    return std::nullopt;
                size += *inner * (isa<ForEachOp>(op) ? mostShort : 1);
            }
    }
    return size;
}

// A few turns of a small body that says which turn it is: what they store in turn is then one
// expression.
bool Infer::isShort(ForEachOp op, const Val &iterable) {
    if (iterable.kind != Val::Kind::Range)
        return false;
    DimAttr turns = e.facts.canonical(lengthOf(iterable).value_or(e.dimConst(-1)));
    Block &body = op.getBody().front();
    if (!turns.isConst() || turns.getValue() < 1 || turns.getValue() > mostShort ||
        body.getArgument(0).use_empty() || cast<NextOp>(body.back()).getGo())
        return false;
    std::optional<int64_t> size = writtenSize(body);
    return size && *size * turns.getValue() <= mostWritten;
}

constexpr StringLiteral changedMeanwhile =
    "changing a list or dict while a loop goes over it is not supported here; go over a copy or a "
    "range";

// How often the lists and dicts that it goes over were changed.
static unsigned changesOf(const TypedBuilder &e, const Val &v) {
    unsigned count = v.cell && v.cell != unknownCell ? e.cells[v.cell].changes : 0;
    for (const Val &item : v.kind == Val::Kind::Iterator ? v.items : std::vector<Val>())
        count += changesOf(e, item);
    return count;
}

// A list, or a dict's keys, values or items, is gone over as it is when a turn begins.
static bool isLive(const Val &v) { return v.isTuple() && v.cell && v.cell != unknownCell; }

// The item of this turn; none where there are no more.
std::optional<Val> Infer::itemOfTurn(const Val &iterable, ArrayRef<Val> items, size_t turn) {
    if (iterable.kind == Val::Kind::Iterator && changesOf(e, iterable)) {
        Val now = iterable;
        e.refresh(now);
        const DimAttr length = e.facts.canonical(*lengthOf(now));
        if (!length.isConst() || length.getValue() != int64_t(items.size()))
            e.unsupported(changedMeanwhile);
        return turn < items.size() ? std::optional(itemAt(now, e.intVal(turn))) : std::nullopt;
    }
    if (!isLive(iterable))
        return turn < items.size() ? std::optional(items[turn]) : std::nullopt;
    const Val now = e.contents(iterable.cell);
    if (now.isGrown() || turn > mostUnrolled ||
        (now.isDict() && now.items.size() != iterable.items.size()))
        e.unsupported(changedMeanwhile);
    if (turn >= now.items.size())
        return std::nullopt;
    if (!now.isDict())
        return now.items[turn];
    if (!iterable.serial)
        return now.items[turn];
    return e.tupleVal({iterable.items[turn].items[0], now.items[turn]});
}

void Infer::visitForEach(ForEachOp op) {
    Val iterable = val(op.getIterable());
    if (iterable.isDict())
        iterable.items = *e.itemsOf(iterable); // the cell still is the dict's
    const bool keys =
        isLive(iterable) || (iterable.isDict() && iterable.cell && iterable.cell != unknownCell);
    const Attribute before = keys ? e.cells[iterable.cell].keys : Attribute();
    goOver(op, iterable);
    if (!ended && keys && e.cells[iterable.cell].keys != before)
        e.unsupported(changedMeanwhile);
}

// The list that is gone over, or counted by enumerate().
static std::optional<Val> listUnder(const Val &iterable) {
    const bool counted = iterable.kind == Val::Kind::Iterator &&
                         cast<StringAttr>(iterable.attr).getValue() == "enumerate";
    const Val &list = counted ? iterable.items[0] : iterable;
    const bool changes =
        (list.isGrown() || list.isTuple()) && list.list && list.cell && list.cell != unknownCell;
    return changes ? std::optional(list) : std::nullopt;
}

// for p in product(a, b): for x in a: for y in b: p = (x, y), the body. None breaks out of it.
void Infer::goOverProduct(ForEachOp op, const Val &product) {
    const Location loc = op.getLoc();
    const SmallVector<Type> types(op.getInits().size() + 1, anyTensor(e.ctx));
    const SmallVector<Location> locations(types.size(), loc);
    OpBuilder b(e.ctx);
    b.setInsertionPointToEnd(&expansions.emplace_back(std::make_unique<Region>())->emplaceBlock());
    SmallVector<Value> pools, items, carried = llvm::to_vector(op.getInits());
    for (const Val &pool : product.items) { // they stand outside of all loops
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

// What a branch between any two of them gives is of one kind.
static bool areAlike(ArrayRef<Val> items) {
    auto isAlike = [&](const Val &v) {
        const ArrayType a = items[0].array(), b = v.array();
        if (!a || !b)
            return v.isScalar() && !v.pyFlag && v.type() == items[0].type();
        return a.getRank() == b.getRank() && a.getDtype() == b.getDtype() &&
               a.getLayout() == b.getLayout() && a.getReadonly() == b.getReadonly() &&
               a.getDevice() == b.getDevice();
    };
    return !items.empty() && llvm::all_of(items, isAlike);
}

// Too many turns to write out, where they can be turns of a loop. What is picked out of more than a
// few hundred arrays keeps LLVM's register allocation busy for longer than the turns would.
bool Infer::isLong(ForEachOp op, const Val &iterable) {
    constexpr int64_t mostTurns = 100, mostPicked = 512, mostOperations = 2000, ofCalls = 100;
    const auto turns = int64_t(iterable.items.size());
    return turns > mostTurns && turns <= mostPicked && areAlike(iterable.items) &&
           turns * writtenSize(op.getBody().front()).value_or(ofCalls) > mostOperations;
}

void Infer::goOverMany(ForEachOp op, const Val &iterable) {
    llvm::SaveAndRestore grows(e.mayGrow, false);
    const unsigned changes = changesOf(e, iterable);
    countedLoop(op, e.dimConst(0), e.dimConst(int64_t(iterable.items.size())), e.dimConst(1),
                [&](const Val &counter) {
                    Val now = iterable;
                    if (isLive(now))
                        now.items = e.contents(now.cell).items;
                    return pickItem(now, counter);
                });
    if (!ended && changesOf(e, iterable) != changes)
        e.unsupported(changedMeanwhile);
}

void Infer::goOver(ForEachOp op, const Val &iterable) {
    if (iterable.isTuple() || iterable.isDict()) {
        std::vector<std::function<void()>> ways{[&] { unroll(op, iterable.items, iterable); }};
        if (!op->hasAttr("unroll") && isLong(op, iterable)) // its items are found by their number
            ways.insert(ways.begin(), [&] { goOverMany(op, iterable); });
        return orChanging(op, iterable, std::move(ways));
    }
    const bool nested = iterable.kind == Val::Kind::Iterator && kindOf(iterable) == "product" &&
                        iterable.items.size() > 1 &&
                        !cast<NextOp>(op.getBody().front().back()).getGo();
    if (nested && !op->hasAttr("unroll")) {
        use(iterable);
        return goOverProduct(op, iterable);
    }
    if (std::optional<std::vector<Val>> characters = charactersOf(e, iterable))
        return unroll(op, *characters);
    e.checkIterable(iterable);
    std::optional<DimAttr> length = lengthOf(iterable);
    if (!length)
        e.fail("TypeError", "'" + e.classNameOf(iterable) + "' object is not iterable");
    use(iterable);
    std::optional<std::vector<Val>> items;
    if (isShort(op, iterable) && (items = writtenOut(iterable)))
        return unroll(op, *items, iterable);
    const bool comprehension = op->hasAttr("unroll"); // each turn makes the list longer
    if (comprehension && (items = writtenOut(iterable)))
        return unroll(op, *items);
    auto now = [&] { // its items may be stored to meanwhile
        Val live = iterable;
        e.refresh(live);
        return live;
    };
    auto counted = [&, changes = changesOf(e, iterable)](bool mayGrow) {
        llvm::SaveAndRestore grows(e.mayGrow, mayGrow);
        if (iterable.kind == Val::Kind::Range && iterable.attr)
            op->setAttr("promised", e.b.getUnitAttr());
        if (iterable.kind == Val::Kind::Range)
            countedLoop(op, iterable.items[0].dim, iterable.items[1].dim, iterable.items[2].dim,
                        [](const Val &counter) { return counter; });
        else
            countedLoop(op, e.dimConst(0), *length, e.dimConst(1),
                        [&](const Val &counter) { return itemAt(now(), counter); });
        const bool changed = !ended && changesOf(e, iterable) != changes;
        if (changed && e.facts.equal(*lengthOf(now()), *length) != Answer::Yes)
            e.unsupported(changedMeanwhile);
    };
    if (comprehension) {
        auto demand = [&] { // one variant for each number of turns
            for (const Val &bound :
                 iterable.kind == Val::Kind::Range ? iterable.items : std::vector<Val>())
                e.demandConstant(bound);
        };
        if (!active.empty() && active.back()->hasAttr("library") &&
            !active.back().getSymName().starts_with("library.itertools."))
            demand(); // its lists are of views
        firstOf({[&] { counted(true); },
                 [&] {
                     demand();
                     counted(true);
                 }});
        for (Value list : op.getResults()) // it is nobody else's
            env[list].cell = 0;
        return;
    }
    // The first of these that is not refused: a loop whose lists keep their lengths, turns that are
    // written out, a loop whose lists may grow.
    const bool mayGrow = e.mayGrow, mayUnroll = writesOut(iterable);
    std::vector<std::function<void()>> ways{[&] { counted(mayGrow && !mayUnroll); }};
    if (mayUnroll)
        ways.push_back([&] { unroll(op, *writtenOut(iterable), iterable); });
    if (mayUnroll && mayGrow)
        ways.push_back([&] { counted(true); });
    orChanging(op, iterable, std::move(ways));
}

// The first of the ways that is not refused; the last resort for a list whose length the body
// changes.
void Infer::orChanging(ForEachOp op, const Val &iterable, std::vector<std::function<void()>> ways) {
    std::optional<Val> list = listUnder(iterable);
    if (!list)
        return firstOf(ways);
    bool changed = false;
    std::vector<std::function<void()>> watched;
    for (const std::function<void()> &way : ways)
        watched.push_back([&] {
            try {
                way();
            } catch (const InferError &error) {
                changed |= error.message == changedMeanwhile;
                throw;
            }
        });
    watched.push_back([&] {
        changed ? goOverChanging(op, iterable, *list) : ways.back()(); // which says why not
    });
    firstOf(watched);
}

// k = 0; while k < len(list): item = list[k]; k += 1; the body.
void Infer::goOverChanging(ForEachOp op, const Val &iterable, const Val &list) {
    const Location loc = op.getLoc();
    const Type any = anyTensor(e.ctx);
    OpBuilder b(e.ctx);
    b.setInsertionPointToEnd(&expansions.emplace_back(std::make_unique<Region>())->emplaceBlock());
    auto known = [&](const Val &v) {
        Value stands = UnboundOp::create(b, loc, any, "a loop's");
        env[stands] = v;
        return stands;
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
    NextOp::create(b, loc, values, next.getGo() ? map.lookupOrDefault(next.getGo()) : Value());
    visitWhile(loop);
    for (auto [mine, theirs] : llvm::zip(op.getResults(), loop.getResults()))
        env[mine] = Val(env[theirs]); // a copy: env grows
}

// What a way that is refused emitted goes; the last one's refusal is thrown.
void Infer::firstOf(ArrayRef<std::function<void()>> ways) {
    Block *block = e.b.getInsertionBlock();
    Operation *last = block->empty() ? nullptr : &block->back();
    const llvm::DenseSet<unsigned> copied = e.copiedCells;
    for (const std::function<void()> &way : ways) {
        Attempt attempt(e);
        e.copiedCells = copied;
        const size_t depth = active.size();
        Operation *const here = visited;
        try {
            return way();
        } catch (const InferError &error) {
            if (error.exception != "shapecast.UnsupportedError" || &way == &ways.back())
                throw;
        }
        attempt.abandon(); // the builder stands in a block that is gone
        ended = false;
        active.truncate(depth);
        visited = here;
        while (!block->empty() && &block->back() != last)
            block->back().erase();
    }
}

// Python's iterators end once.
void Infer::use(const Val &iterator) {
    if (iterator.kind != Val::Kind::Iterator)
        return;
    const bool ofAnotherTurn = iterator.dim && iterator.dim.getValue() != int64_t(e.turnCells);
    if (!used.insert(iterator.serial).second || ofAnotherTurn)
        e.unsupported("a " + e.describe(iterator) +
                      " object that is gone over more than once is not supported; call it again");
    for (const Val &item : iterator.items)
        if (!isMapped(iterator, item))
            use(item);
}

// next(iterator, default): the first item. What it has left nobody may ask for.
Val Infer::nextCall(ArrayRef<Val> operands) {
    if (operands.empty() || operands.size() > 2)
        e.fail("TypeError", "next expected 1 to 2 arguments, got " + Twine(operands.size()));
    const Val iterator = operands[0];
    if (iterator.kind != Val::Kind::Iterator)
        e.fail("TypeError", "'" + e.classNameOf(iterator) + "' object is not an iterator");
    use(iterator);
    const DimAttr length = e.facts.canonical(*lengthOf(iterator));
    if (length.isConst() && (length.getValue() > 0 || operands.size() == 2))
        return length.getValue() > 0 ? itemAt(iterator, e.intVal(0)) : operands[1];
    const Val empty = e.compare("lt", e.sizeVal(length), e.intVal(1));
    if (operands.size() == 1) {
        e.raiseIf(empty, "StopIteration", "");
        ended = length.isConst();
        return ended ? e.neverVal() : itemAt(iterator, e.intVal(0));
    }
    return e.branch(e.truth(empty), [&](bool holds) {
        return holds ? operands[1] : itemAt(iterator, e.intVal(0));
    });
}

std::optional<std::vector<Val>> Infer::knownItems(const Val &iterable) {
    use(iterable);
    return writtenOut(iterable);
}

// Whether few enough turns are known to be written out.
bool Infer::writesOut(const Val &iterable) {
    std::optional<DimAttr> length = lengthOf(iterable);
    DimAttr known = length ? e.facts.canonical(*length) : DimAttr();
    return known && known.isConst() && known.getValue() <= mostUnrolled;
}

// The items, where their number is known.
std::optional<std::vector<Val>> Infer::writtenOut(const Val &iterable) {
    if (iterable.kind != Val::Kind::Iterator && !iterable.isGrown())
        return e.itemsOf(iterable);
    if (!writesOut(iterable))
        return std::nullopt;
    std::vector<Val> items;
    for (int64_t k = 0, n = e.facts.canonical(*lengthOf(iterable)).getValue(); k < n; ++k)
        items.push_back(itemAt(iterable, e.intVal(k)));
    return items;
}

void Infer::unroll(ForEachOp op, ArrayRef<Val> items, const Val &iterable) {
    llvm::SaveAndRestore around(unrolled, unrolled ? unrolled : op.getOperation());
    SmallVector<Val> results = unrollFrom(op, items, iterable, 0, vals(op.getInits()));
    for (auto [result, v] : llvm::zip(op.getResults(), results))
        env[result] = v;
}

// The turns from this one on; what is carried at the end.
SmallVector<Val> Infer::unrollFrom(ForEachOp op, ArrayRef<Val> items, const Val &iterable,
                                   size_t turn, SmallVector<Val> carried) {
    Block &body = op.getBody().front();
    auto next = cast<NextOp>(body.back());
    while (std::optional<Val> item = itemOfTurn(iterable, items, turn)) {
        ++turn;
        env[body.getArgument(0)] = *item;
        for (auto [argument, v] : llvm::zip(body.getArguments().drop_front(), carried))
            env[argument] = std::move(v); // a comprehension's list is made longer in its place
        const Changes before = changesNow();
        walk(body);
        if (ended) // what follows the loop is not reached
            return SmallVector<Val>(carried.size(), e.neverVal());
        carried = vals(next.getValues());
        refuseEscaping(carried, before);
        if (!next.getGo())
            continue;
        Val go = e.truth(val(next.getGo()));
        std::optional<bool> known = go.constBool();
        if (!known && itemOfTurn(iterable, items, turn))
            return branch(op.getLoc(), go, [&](bool holds) {
                return holds ? unrollFrom(op, items, iterable, turn, carried) : carried;
            });
        if (known == false)
            break;
    }
    return carried;
}

// Whether the items, or the first of their sums, may be Python's floats or complex numbers.
static bool mayHoldFloats(TypedBuilder &e, const Val &iterable, const Val &start) {
    const auto mayBeFloat = [&](const Val &v) {
        return v.isTyped() && (v.pyFlag || llvm::is_contained({PyKind::Float, PyKind::Complex},
                                                              e.operandOf(v).weak));
    };
    if (iterable.isTuple())
        return mayBeFloat(start) || llvm::any_of(iterable.items.read(), mayBeFloat);
    if (iterable.kind == Val::Kind::Range)
        return mayBeFloat(start);
    return !iterable.isArray();
}

// Python's own additions carry along what they lose (python/shapecast/library/sums.py).
Val Infer::compensatedSum(const Val &iterable, const Val &start) {
    auto callOf = [&](StringRef which) {
        FuncOp written = libraryFunction(source, ("builtins.sum of " + which).str());
        return callWritten(written, callArguments({iterable, start}, {}));
    };
    return orElse([&] { return callOf(iterable.isTuple() ? "few" : "many"); },
                  [&] { return callOf("mixed"); });
}

// sum(iterable, start=0) and math.prod(iterable, *, start=1): one item after the other, as Python
// does.
Val Infer::sumCall(bool sum, ArrayRef<Val> operands, ArrayRef<std::pair<StringRef, Val>> named) {
    const StringRef name = sum ? "sum" : "prod", op = sum ? "add" : "mul";
    if (operands.empty() || operands.size() > (sum ? 2 : 1)) {
        e.checkTakes(sum ? "builtins.sum" : "math.prod", operands.size(), named);
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
    e.checkIterable(iterable);
    if (!iterable.isTuple() && !lengthOf(iterable))
        e.fail("TypeError", "'" + e.classNameOf(iterable) + "' object is not iterable");
    const bool compensates = sum && running().sumCompensates && mayHoldFloats(e, iterable, start);
    // What is refused there has numbers of NumPy's among its items, which Python adds as they are.
    return compensates ? orElse([&] { return compensatedSum(iterable, start); },
                                [&] { return foldedInOrder(op, iterable, start); })
                       : foldedInOrder(op, iterable, start);
}

// start op item op item ...
Val Infer::foldedInOrder(StringRef op, const Val &iterable, Val start) {
    if (iterable.isTuple()) {
        for (const Val &item : iterable.items)
            start = e.binary(op, start, item);
        return start;
    }
    Region &body = *expansions.emplace_back(std::make_unique<Region>());
    OpBuilder b(e.ctx);
    Type any = anyTensor(e.ctx);
    Block *block = b.createBlock(&body, {}, {any, any}, {e.loc, e.loc});
    auto loop = ForEachOp::create(b, e.loc, TypeRange(any), block->getArgument(0),
                                  ValueRange(block->getArgument(1)));
    Block *turn = b.createBlock(&loop.getBody(), {}, {any, any}, {e.loc, e.loc});
    Value next = PyOp::create(b, e.loc, any, op,
                              ValueRange{turn->getArgument(1), turn->getArgument(0)}, false);
    NextOp::create(b, e.loc, next, Value());
    env[block->getArgument(0)] = iterable;
    env[block->getArgument(1)] = start;
    visit(loop);
    return val(loop.getResult(0));
}
