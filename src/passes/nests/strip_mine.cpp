// Groups of nests, their shifts, and the loop over strips: see the header.
#include "passes/nests/strip_mine.h"

#include "ir/dim_facts.h"
#include "ops/ufunc/types.h"
#include "passes/analysis/accesses.h"
#include "passes/analysis/clobbers.h"
#include "passes/nests/nests.h"

#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

constexpr int64_t maxShift = 32; // rows
constexpr size_t maxMembers = 24, maxArrays = 24;

//===-- Rows

// The row of an array that a nest's iteration d0 accesses: row coefficient * d0 + rest of dimension
// `dim`.
struct Rows {
    size_t dim = 0;
    int64_t coefficient = 0;
    DimAttr rest;
};

bool usesIterator(DimAttr e, size_t iterators) {
    for (size_t k = 0; k < iterators; ++k)
        if (dimUses(e, ("d" + Twine(k)).str()))
            return true;
    return false;
}

std::optional<Rows> rowsOf(const Access &access, size_t iterators) {
    std::optional<Rows> rows;
    for (auto [d, index] : llvm::enumerate(access.index)) {
        if (!dimUses(index, "d0"))
            continue;
        std::optional<DimLinear> linear = dimLinearIn(index, "d0");
        if (rows || !linear || linear->coefficient < 1 || usesIterator(linear->rest, iterators))
            return std::nullopt;
        rows = Rows{d, linear->coefficient, linear->rest};
    }
    return rows;
}

// The dimension whose subscript uses d0: `none` if there is none, and nullopt where that is the
// last one, of stride 1, while other iterators have larger strides.
constexpr size_t none = size_t(-1);
std::optional<size_t> rowDim(const Access &access, size_t iterators) {
    bool othersMove = false;
    for (auto [d, index] : llvm::enumerate(access.index)) {
        if (dimUses(index, "d0"))
            return othersMove && d + 1 == access.index.size() ? std::nullopt
                                                              : std::optional<size_t>(d);
        othersMove |= usesIterator(index, iterators);
    }
    return none;
}

constexpr int64_t maxEdgeRows = 8;

struct Member {
    mutable NestOp nest; // its accessors are not const
    SmallVector<Access> reads, writes;
    int64_t shift = 0; // rows by which it runs after the group's first nest
    size_t iterators() const { return nest.getSpace().size(); }
    DimAttr rows() { return cast<DimAttr>(nest.getSpace()[0]); }
    template <class Use> void forAccesses(Use use) const {
        for (const Access &access : reads)
            use(access);
        for (const Access &access : writes)
            use(access);
    }
    // A boundary: a few rows, or a column.
    bool isEdge() {
        auto isColumn = [](Attribute size) { return cast<DimAttr>(size).isConst(1); };
        return (rows().isConst() && rows().getValue() <= maxEdgeRows) ||
               llvm::any_of(nest.getSpace().getValue().drop_front(), isColumn);
    }
    bool isTraversedByRows() const {
        bool does = true;
        forAccesses([&](const Access &a) { does &= rowDim(a, iterators()).has_value(); });
        return does;
    }
};

// The outermost axis of an array is its slowest one, as far as its type says.
bool isRowMajor(Value handle) {
    auto type = cast<ArrayType>(handle.getType());
    return !type.getDevice() && (type.getRank() < 2 || type.getLayout() != Layout::F);
}

// A nest that can be strip-mined over its rows, in ascending order.
bool isStripMinable(NestOp nest, const PointsTo &pointsTo) {
    if (nest.getNumResults() != 0 || nest.getSpace().size() <= size_t(nest.getReduced()) ||
        cast<StringAttr>((*nest.getOrder())[0]).getValue() == "down")
        return false;
    auto plain = [&](Value handle) { return isRowMajor(handle); };
    if (!llvm::all_of(nest.getReads(), plain) || !llvm::all_of(nest.getWrites(), plain) ||
        llvm::any_of(nest.getWrites(), [&](Value v) { return pointsTo.selfOverlapping(v); }))
        return false;
    return llvm::none_of(nest.getBody().front(), [](Operation &op) {
        auto index = dyn_cast<IndexOp>(op);
        return isa<TakeOp, SizeOp>(op) || (index && index.getDim() == 0);
    });
}

//===-- Groups

// How many rows a strip has, how many strips there are, and what these depend on.
struct StripSizes {
    Block *block = nullptr; // symbols that an earlier group binds in it are visible to later ones
    DimAttr all, rowBytes;
    int64_t least = 1;
    DimAttr rows, strips;

    bool isLike(const StripSizes &other) const {
        return std::tie(block, all, rowBytes, least) ==
               std::tie(other.block, other.all, other.rowBytes, other.least);
    }
};

class Group {
public:
    explicit Group(const PointsTo &pointsTo) : pointsTo(&pointsTo) {}

    bool empty() const { return members.empty(); }
    bool add(NestOp nest);        // false: not possible
    bool mayPrecede(NestOp nest); // it could as well run before the group
    NestOp first() { return members.front().nest; }
    bool isProfitable();                                           // when it is complete
    void rewrite(unsigned number, std::vector<StripSizes> &known); // adds to `known`

private:
    struct Window {
        Value array;        // the contracted array
        int64_t oldest = 0; // in strip k it begins with row k * rows - oldest
        int64_t kept = 0;   // rows that are live in the next strip
    };
    bool hasSimilarLength(Member &member);
    bool breaksContiguousReduction(Member &member);
    bool shiftAfter(const Member &earlier, Member &later);
    std::optional<int64_t> lag(const Member &earlier, const Access &a, const Member &later,
                               const Access &b);
    llvm::SmallSetVector<Value, 8> roots();
    std::optional<Window> windowOf(AllocOp array);
    void findWindows();
    void makeWindows(OpBuilder &builder, DimAttr rows); // for strips of so many
    DimAttr rowBytes(MLIRContext *ctx) const;
    StripSizes sizes(OpBuilder &builder, std::vector<StripSizes> &known);
    DimAttr bind(OpBuilder &builder, const Twine &name, Value count); // a symbol for it
    DimAttr bind(OpBuilder &builder, const Twine &name, DimAttr value);
    void emitMember(OpBuilder &builder, Member &member, size_t k, DimAttr rows, DimAttr strip);
    void moveOldRows(OpBuilder &builder, const Window &window, size_t k, DimAttr rows,
                     DimAttr stripsLeft);

    const PointsTo *pointsTo;
    SmallVector<Member> members;
    llvm::MapVector<Value, Window> windows; // by the array that they replace
    unsigned number = 0;
};

// The dependence distance from a to b, in rows: `later` must lag so far behind `earlier` that b
// accesses each element after a does; nullopt if it is not known. Disjoint accesses: INT64_MIN.
std::optional<int64_t> Group::lag(const Member &earlier, const Access &a, const Member &later,
                                  const Access &b) {
    constexpr int64_t unconstrained = std::numeric_limits<int64_t>::min();
    if (pointsTo->disjoint(a.handle, b.handle, later.nest))
        return unconstrained;
    if (a.root != b.root)
        return std::nullopt;
    std::optional<Rows> ra = rowsOf(a, earlier.iterators()), rb = rowsOf(b, later.iterators());
    if (!ra || !rb || ra->dim != rb->dim || ra->coefficient != rb->coefficient)
        return std::nullopt;
    // coefficient * i + rest_a == coefficient * j + rest_b: i - j is the distance.
    const DimFacts &facts = pointsTo->factsAt(later.nest);
    DimAttr distance = facts.canonical(dimSub(rb->rest, ra->rest));
    if (!distance.isConst())
        return facts.provesGreaterEqual(dimConst(distance.getContext(), 0), distance)
                   ? std::optional<int64_t>(0)
                   : std::nullopt;
    return distance.getValue() % ra->coefficient ? unconstrained
                                                 : distance.getValue() / ra->coefficient;
}

bool Group::shiftAfter(const Member &earlier, Member &later) {
    auto ordered = [&](ArrayRef<Access> first, ArrayRef<Access> second) {
        for (const Access &a : first)
            for (const Access &b : second) {
                std::optional<int64_t> rows = lag(earlier, a, later, b);
                if (!rows)
                    return false;
                if (*rows > maxShift)
                    return false;
                if (*rows > -maxShift)
                    later.shift = std::max(later.shift, earlier.shift + *rows);
            }
        return true;
    };
    return ordered(earlier.writes, later.reads) && ordered(earlier.writes, later.writes) &&
           ordered(earlier.reads, later.writes) && later.shift <= maxShift;
}

// The first nest's number of rows plus or minus a constant, or a few in all.
bool Group::hasSimilarLength(Member &member) {
    DimAttr rows = member.rows(), first = members.front().rows();
    return rows.isConst() ? rows.getValue() <= maxEdgeRows
                          : pointsTo->factsAt(member.nest).canonical(dimSub(rows, first)).isConst();
}

bool Group::add(NestOp nest) {
    if (!isStripMinable(nest, *pointsTo) || members.size() == maxMembers)
        return false;
    Member member{nest, readsOf(nest, *pointsTo), writesOf(nest, *pointsTo)};
    if (!member.isTraversedByRows() ||
        (members.empty() ? member.rows().isConst() : !hasSimilarLength(member)))
        return false;
    for (const Member &earlier : members)
        if (!shiftAfter(earlier, member))
            return false;
    members.push_back(std::move(member));
    return true;
}

static bool usesSymbol(NestOp nest, StringRef name) {
    bool uses = false;
    nest->walk([&](Operation *op) {
        op->getAttrDictionary().walk([&](DimAttr size) { uses |= dimUses(size, name); });
    });
    return uses;
}

// A reduction to numbers has no rows, and need not split the group around it.
bool Group::mayPrecede(NestOp nest) {
    if (members.empty() || !nest.getWrites().empty())
        return false;
    Operation *before = members.front().nest;
    llvm::SetVector<Value> needed(nest->operand_begin(), nest->operand_end());
    getUsedValuesDefinedAbove(nest->getRegions(), needed);
    const bool isKnown = llvm::all_of(needed, [&](Value operand) {
        Operation *def = operand.getDefiningOp();
        return !def || def->getBlock() != nest->getBlock() || def->isBeforeInBlock(before);
    });
    // Sizes refer to symbols, in attributes.
    bool isBound = true;
    for (Operation *op = before; op != nest; op = op->getNextNode())
        if (auto symbol = dyn_cast<SymbolOp>(op))
            isBound &= !usesSymbol(nest, symbol.getName());
    auto isUnchanged = [&](Value read) {
        return llvm::all_of(members, [&](const Member &member) {
            return llvm::all_of(member.writes, [&](const Access &write) {
                return pointsTo->disjoint(read, write.handle, member.nest);
            });
        });
    };
    return isKnown && isBound && llvm::all_of(nest.getReads(), isUnchanged);
}

// A nest that reduces along a slower axis than d0's of an array that only it accesses: as a whole
// it reads memory contiguously; strip-mined, in short pieces.
bool Group::breaksContiguousReduction(Member &member) {
    const size_t kept = member.iterators() - member.nest.getReduced();
    auto isShared = [&](Value root) {
        return llvm::any_of(members, [&](const Member &other) {
            bool accesses = false;
            other.forAccesses([&](const Access &a) { accesses |= a.root == root; });
            return accesses && other.nest != member.nest;
        });
    };
    return llvm::any_of(member.reads, [&](const Access &access) {
        const size_t dim = rowDim(access, member.iterators()).value_or(none);
        if (dim == none || isShared(access.root))
            return false;
        return llvm::any_of(ArrayRef(access.index).take_front(dim), [&](DimAttr index) {
            return llvm::any_of(llvm::seq(kept, member.iterators()),
                                [&](size_t k) { return dimUses(index, ("d" + Twine(k)).str()); });
        });
    });
}

// Two nests access one array, which then comes from the cache for the second. The last nests, if
// they share no array, are left out.
bool Group::isProfitable() {
    auto sharesAny = [&](const Member &last) {
        for (const Member &other : ArrayRef(members).drop_back())
            for (ArrayRef<Access> theirs : {ArrayRef(other.reads), ArrayRef(other.writes)})
                for (const Access &a : theirs)
                    for (ArrayRef<Access> ours : {ArrayRef(last.reads), ArrayRef(last.writes)})
                        for (const Access &b : ours)
                            if (a.root == b.root)
                                return true;
        return false;
    };
    while (members.size() > 1 && !sharesAny(members.back()))
        members.pop_back();
    // Boundary nests have little to share: no reason to keep the others from the threads.
    return llvm::count_if(members, [](Member &member) { return !member.isEdge(); }) > 1 &&
           llvm::none_of(members,
                         [&](Member &member) { return breaksContiguousReduction(member); }) &&
           roots().size() <= maxArrays;
}

llvm::SmallSetVector<Value, 8> Group::roots() {
    llvm::SmallSetVector<Value, 8> found;
    for (const Member &member : members)
        member.forAccesses([&](const Access &access) { found.insert(access.root); });
    return found;
}

//===-- Windows: contraction of arrays

// Only the group's nests use the array.
bool usedOnlyBy(Value handle, ArrayRef<Member> members) {
    return llvm::all_of(handle.getUsers(), [&](Operation *user) {
        if (isa<ViewOp>(user))
            return usedOnlyBy(user->getResult(0), members);
        return llvm::any_of(members, [&](const Member &m) { return m.nest == user; });
    });
}

std::optional<Group::Window> Group::windowOf(AllocOp array) {
    if (!array || array->getBlock() != members.front().nest->getBlock() ||
        array.getType().getLayout() != Layout::C || array.getType().getRank() < 1 ||
        !usedOnlyBy(array, members))
        return std::nullopt;
    int64_t newest = std::numeric_limits<int64_t>::min(), oldest = newest;
    for (const Member &member : members)
        for (ArrayRef<Access> accesses : {ArrayRef(member.reads), ArrayRef(member.writes)})
            for (const Access &access : accesses) {
                if (access.root != array)
                    continue;
                std::optional<Rows> rows = rowsOf(access, member.iterators());
                if (!rows || rows->dim != 0 || rows->coefficient != 1 || !rows->rest.isConst())
                    return std::nullopt;
                int64_t ahead = rows->rest.getValue() - member.shift;
                newest = std::max(newest, ahead);
                oldest = std::max(oldest, -ahead);
            }
    return Window{{}, oldest, newest + oldest};
}

void Group::findWindows() {
    for (Value root : roots())
        if (std::optional<Window> window = windowOf(root.getDefiningOp<AllocOp>()))
            windows[root] = *window;
}

void Group::makeWindows(OpBuilder &builder, DimAttr rows) {
    for (auto &[whole, window] : windows) {
        auto type = cast<ArrayType>(whole.getType());
        SmallVector<DimAttr> dims(type.getDims());
        dims[0] = dimPlus(rows, window.kept);
        window.array = AllocOp::create(
            builder, whole.getLoc(),
            ArrayType::get(builder.getContext(), dims, type.getDtype(), Layout::C, false, {}));
    }
}

//===-- The loop over strips

DimAttr Group::bind(OpBuilder &builder, const Twine &name, Value count) {
    std::string full = (name + Twine(number)).str();
    SymbolOp::create(builder, count.getLoc(), builder.getStringAttr(full), count);
    return dimSymbol(builder.getContext(), full);
}

DimAttr Group::bind(OpBuilder &builder, const Twine &name, DimAttr value) {
    Location loc = members.front().nest.getLoc();
    return bind(builder, name,
                Value(SizeOp::create(builder, loc, PyIntType::get(builder.getContext()), value)));
}

// Bytes of a row of all the group's arrays; views along other dimensions of one count separately.
DimAttr Group::rowBytes(MLIRContext *ctx) const {
    DimAttr bytes = dimConst(ctx, 0);
    llvm::DenseSet<Value> seen;
    auto count = [&](const Member &member, const Access &access) {
        const size_t dim = rowDim(access, member.iterators()).value_or(none);
        if (dim == none || !seen.insert(dim == 0 ? access.root : access.handle).second)
            return;
        auto type = cast<ArrayType>(viewedArray(access.handle).getType());
        DimAttr row = dimConst(ctx, int64_t(itemSize(operandType(type.getDtype())->dtype)));
        for (auto [d, size] : llvm::enumerate(type.getDims()))
            if (d != dim && usesIterator(access.index[d], member.iterators()))
                row = dimMul(row, size);
        bytes = dimAdd(bytes, row);
    };
    for (const Member &member : members)
        member.forAccesses([&](const Access &access) { count(member, access); });
    return bytes;
}

// Equal groups of a block, as of a model's layers, share the sizes.
StripSizes Group::sizes(OpBuilder &builder, std::vector<StripSizes> &known) {
    MLIRContext *ctx = builder.getContext();
    StripSizes sizes;
    sizes.block = builder.getInsertionBlock();
    sizes.all = dimConst(ctx, 0);
    for (Member &member : members) {
        sizes.all = dimMax(sizes.all, dimPlus(member.rows(), member.shift));
        sizes.least = std::max(sizes.least, 2 * member.shift);
    }
    for (auto &[whole, window] : windows) // so that old rows are not moved over old rows
        sizes.least = std::max(sizes.least, window.kept);
    sizes.rowBytes = dimMax(dimConst(ctx, 1), rowBytes(ctx));
    for (const StripSizes &earlier : known)
        if (sizes.isLike(earlier))
            return earlier;
    DimAttr bytes = bind(builder, "bytes", sizes.rowBytes);
    DimAttr cache =
        bind(builder, "cache",
             NativeOp::create(builder, members.front().nest.getLoc(), PyIntType::get(ctx),
                              builder.getStringAttr("strip_bytes"), builder.getI64IntegerAttr(0),
                              ValueRange(), StringAttr(), StringAttr())
                 .getResult());
    DimAttr fit = dimMin(sizes.all, dimFloorDiv(cache, bytes));
    sizes.rows = bind(builder, "rows", dimMax(dimConst(ctx, sizes.least), fit));
    sizes.strips = bind(builder, "strips", dimCeilDiv(sizes.all, sizes.rows));
    known.push_back(sizes);
    return sizes;
}

// Restricts the nest to the rows of this strip.
void Group::emitMember(OpBuilder &builder, Member &member, size_t k, DimAttr rows, DimAttr strip) {
    MLIRContext *ctx = builder.getContext();
    NestOp nest = member.nest;
    DimAttr all = member.rows(), zero = dimConst(ctx, 0);
    auto clamp = [&](DimAttr row) {
        return dimMax(zero, dimMin(all, dimPlus(row, -member.shift)));
    };
    DimAttr begin = dimMul(rows, strip);
    DimAttr from = bind(builder, "from" + Twine(k) + "_", clamp(begin));
    DimAttr many = bind(builder, "many" + Twine(k) + "_", dimSub(clamp(dimAdd(begin, rows)), from));
    DimAttr row = dimAdd(from, iterator(ctx, 0));
    auto here = [&](DimAttr index) {
        return dimSubstitute(index, [&](StringRef name) { return name == "d0" ? row : DimAttr(); });
    };
    auto rewritten = [&](MutableOperandRange handles, ArrayAttr maps, ArrayRef<Access> accesses) {
        SmallVector<Attribute> made;
        for (auto [n, access] : llvm::enumerate(accesses)) {
            SmallVector<DimAttr> map;
            auto window = windows.find(access.root);
            if (window == windows.end()) {
                for (Attribute index : cast<ArrayAttr>(maps[n]))
                    map.push_back(here(cast<DimAttr>(index)));
            } else {
                for (DimAttr index : access.index)
                    map.push_back(here(index));
                map[0] = dimSub(map[0], dimPlus(begin, -window->second.oldest));
                handles.slice(n, 1).assign(window->second.array);
            }
            made.push_back(dimArray(ctx, map));
        }
        return builder.getArrayAttr(made);
    };
    nest.setReadMapsAttr(rewritten(nest.getReadsMutable(), nest.getReadMaps(), member.reads));
    nest.setWriteMapsAttr(rewritten(nest.getWritesMutable(), nest.getWriteMaps(), member.writes));
    SmallVector<DimAttr> space = dimVector(nest.getSpace());
    space[0] = many;
    nest.setSpaceAttr(dimArray(ctx, space));
    // Operands that are the same array now go into one alias group.
    SmallVector<Value> operands(nest.getReads());
    llvm::append_range(operands, nest.getWrites());
    SmallVector<int64_t> groups(*nest.getGroups());
    for (size_t i = 0; i < operands.size(); ++i)
        for (size_t j = 0; j < i; ++j)
            if (operands[i] == operands[j] && groups[i] != groups[j])
                std::replace(groups.begin(), groups.end(), int64_t(groups[i]), int64_t(groups[j]));
    nest.setGroups(groups);
    nest->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
}

void Group::moveOldRows(OpBuilder &builder, const Window &window, size_t k, DimAttr rows,
                        DimAttr stripsLeft) {
    MLIRContext *ctx = builder.getContext();
    auto type = cast<ArrayType>(window.array.getType());
    NestOp copy = createCopyNest(builder, window.array.getLoc(), window.array, window.array);
    SmallVector<DimAttr> space = dimVector(copy.getSpace()), from;
    builder.setInsertionPoint(copy);
    space[0] = bind(builder, "kept" + Twine(k) + "_",
                    dimMul(dimConst(ctx, window.kept), dimMin(dimConst(ctx, 1), stripsLeft)));
    builder.setInsertionPointAfter(copy);
    for (int64_t d = 0; d < type.getRank(); ++d)
        from.push_back(iterator(ctx, d));
    from[0] = dimAdd(from[0], rows);
    copy.setSpaceAttr(dimArray(ctx, space));
    copy.setReadMapsAttr(builder.getArrayAttr({dimArray(ctx, from)}));
    // Any order: a strip has at least as many rows as it keeps.
    SmallVector<StringRef> order(type.getRank(), "any");
    copy.setOrderAttr(builder.getStrArrayAttr(order));
    copy.setGroups(ArrayRef<int64_t>{0, 0});
}

// The array that a window replaces, and its views.
void eraseUnused(Operation *op) {
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
        eraseUnused(user);
    op->erase();
}

void Group::rewrite(unsigned groupNumber, std::vector<StripSizes> &known) {
    number = groupNumber;
    NestOp first = members.front().nest, last = members.back().nest;
    for (Operation *op = first->getNextNode(); op != last;) { // pure operations are hoisted
        Operation *next = op->getNextNode();
        if (!isa<NestOp>(op))
            op->moveBefore(first);
        op = next;
    }
    OpBuilder builder(first);
    Location loc = first.getLoc();
    MLIRContext *ctx = builder.getContext();
    findWindows();
    const StripSizes own = sizes(builder, known);
    DimAttr rows = own.rows, strips = own.strips, zero = dimConst(ctx, 0), one = dimConst(ctx, 1);
    makeWindows(builder, rows);
    std::string var = ("strip" + Twine(number)).str();
    ForOp loop = ForOp::create(builder, loc, TypeRange(), builder.getStringAttr(var), zero, strips,
                               one, ValueRange());
    loop.setStripMinedAttr(builder.getUnitAttr()); // sequential: np-parallel skips it
    Block *body = builder.createBlock(&loop.getBody());
    body->addArgument(PyIntType::get(ctx), loc);
    Operation *end = NextOp::create(builder, loc, ValueRange(), Value());
    DimAttr strip = dimSymbol(ctx, var);
    for (auto [k, member] : llvm::enumerate(members)) {
        builder.setInsertionPoint(end);
        emitMember(builder, member, k, rows, strip);
    }
    DimAttr left = dimSub(dimPlus(strips, -1), strip);
    for (auto [k, entry] : llvm::enumerate(windows)) {
        builder.setInsertionPoint(end);
        if (entry.second.kept > 0)
            moveOldRows(builder, entry.second, k, rows, left);
        eraseUnused(entry.first.getDefiningOp());
    }
}

// The groups of adjacent nests in a block that it pays to interleave.
void collect(Block &block, const PointsTo &pointsTo, std::vector<Group> &groups) {
    Group group(pointsTo);
    auto close = [&] {
        if (group.isProfitable())
            groups.push_back(std::move(group));
        group = Group(pointsTo);
    };
    for (Operation &op : llvm::make_early_inc_range(block)) {
        if (auto nest = dyn_cast<NestOp>(op)) {
            if (group.add(nest))
                continue;
            if (group.mayPrecede(nest)) {
                nest->moveBefore(group.first());
                continue;
            }
            close();
            group.add(nest);
        } else if (!isPureOp(&op) && !isa<SymbolOp>(op)) {
            close();
        }
    }
    close();
}

} // namespace

void shapecast::stripMine(FuncOp func) {
    PointsTo pointsTo(func);
    std::vector<Group> groups;
    llvm::SetVector<Block *> blocks;
    func->walk([&](NestOp nest) { blocks.insert(nest->getBlock()); });
    for (Block *block : blocks)
        collect(*block, pointsTo, groups);
    std::vector<StripSizes> known;
    for (auto [k, group] : llvm::enumerate(groups))
        group.rewrite(unsigned(k), known);
}
