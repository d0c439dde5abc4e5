#include "ops/builder/size_facts.h"

#include "ops/builder/infer_error.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static InferError errorHere(const SizeFacts &e, StringRef exception, const Twine &message) {
    InferError error{e.loc, exception.str(), message.str(),
                     e.operandNotes ? e.operandNotes() : std::vector<std::string>()};
    error.heapSites = e.heapWishes;
    error.needsHeapArgument = e.wishesHeapArgument;
    error.globals = e.globalWishes;
    return error;
}

void SizeFacts::fail(StringRef exception, const Twine &message) const {
    throw errorHere(*this, exception, message);
}

void SizeFacts::failJoin(const Twine &message) const {
    InferError error = errorHere(*this, "shapecast.UnsupportedError", message);
    error.joinConflict = true;
    throw error;
}

void SizeFacts::requestStaticArgument(ArrayRef<unsigned> parameters) const {
    if (parameters.empty() || !isEntry)
        return;
    throw StaticArgumentRequest{llvm::to_vector_of<int32_t>(parameters)};
}

//===-- Symbols

DimAttr SizeFacts::freshSymbol(StringRef prefix) {
    return dimSymbol(ctx, (prefix + Twine(nextSymbol++)).str());
}

DimAttr SizeFacts::bindSymbol(StringRef prefix, Value pyint) {
    DimAttr symbol = freshSymbol(prefix);
    SymbolOp::create(b, loc, b.getStringAttr(symbol.getName()), pyint);
    return symbol;
}

//===-- Facts and guards

bool SizeFacts::guardable(DimAttr e) const {
    bool known = true;
    dimSymbols(e, [&](StringRef name) { known &= hints.contains(name); });
    return known;
}

static int64_t lineOf(Location loc) {
    int64_t line = 0;
    loc->walk([&](Location l) {
        if (auto range = dyn_cast<FileLineColRange>(l); range && !line)
            line = range.getStartLine();
        return WalkResult::advance();
    });
    return line;
}

void SizeFacts::addFact(SizeFact fact) {
    fact.addTo(facts);
    if (const int64_t line = lineOf(loc))
        fact.origin = "line " + std::to_string(line);
    sizeFacts.push_back(std::move(fact));
}

// The facts that contradict a requirement, and where they are from: "k == 512 because of ...".
std::vector<std::string> SizeFacts::conflictNotes(StringRef kind, ArrayRef<DimAttr> args) const {
    if (kind != "eq" && kind != "ge" && kind != "broadcast" && kind != "broadcast_to")
        return {};
    llvm::SmallSetVector<DimAttr, 8> symbols;
    auto collect = [&](DimAttr e) {
        dimSymbols(e, [&](StringRef name) {
            if (facts.range(dimSymbol(ctx, name)).first >= 0)
                symbols.insert(dimSymbol(ctx, name));
        });
    };
    for (const SizeFact &fact : sizeFacts) {
        collect(fact.a);
        collect(fact.b);
    }
    llvm::for_each(args, collect);
    const SizeFact wanted{
        kind == "ge" ? SizeFact::GreaterEqual : SizeFact::Equal, args[0], args[1], {}};
    std::vector<std::string> notes;
    for (const SizeFact &fact : unsatCore(symbols.getArrayRef(), sizeFacts, wanted))
        notes.push_back(fact.note());
    return notes;
}

// Adds the guard, and the fact, if it holds in the compiling call and is not forbidden. `needed`:
// even if it is forbidden.
bool SizeFacts::addGuard(StringRef pred, DimAttr a, DimAttr other, bool needed) {
    if (!guardable(a) || !guardable(other))
        return false;
    auto value = [&](StringRef name) -> std::optional<int64_t> { return hints.lookup(name); };
    std::optional<int64_t> left = dimEvaluate(a, value), right = dimEvaluate(other, value);
    if (!left || !right)
        return false;
    bool holds = pred == "==" ? *left == *right : pred == "!=" ? *left != *right : *left >= *right;
    auto same = [&](GuardAttr g) {
        return g.getPred() == pred && g.getLhs() == a && g.getRhs() == other;
    };
    if (!holds || (!needed && llvm::any_of(forbidden, same)))
        return false;
    if (llvm::none_of(guards, same)) {
        guards.push_back(GuardAttr::get(ctx, pred, a, other, lineOf(loc)));
    }
    addFact({pred == "=="   ? SizeFact::Equal
             : pred == "!=" ? SizeFact::NotEqual
                            : SizeFact::GreaterEqual,
             a,
             other,
             {}});
    return true;
}

bool SizeFacts::assumeGreaterEqual(DimAttr a, DimAttr other) {
    Answer answer = facts.greaterEqual(a, other);
    return answer == Answer::Unknown ? addGuard(">=", a, other) : answer == Answer::Yes;
}

bool SizeFacts::assumeEqual(DimAttr a, DimAttr other) {
    Answer answer = facts.equal(a, other);
    if (answer != Answer::Unknown)
        return answer == Answer::Yes;
    return addGuard("==", a, other) || assumeEqualUpToRenaming(a, other);
}

// Two expressions that are the same but for one entry symbol (the sizes of `x[i:k]` and `y[i:k]`)
// are equal where the two symbols are.
bool SizeFacts::assumeEqualUpToRenaming(DimAttr a, DimAttr other) {
    llvm::SmallSetVector<DimAttr, 8> mine, theirs;
    dimSymbols(a, [&](StringRef name) { mine.insert(dimSymbol(ctx, name)); });
    dimSymbols(other, [&](StringRef name) { theirs.insert(dimSymbol(ctx, name)); });
    auto difference = [](const auto &symbols, const auto &others) {
        SmallVector<DimAttr> found;
        llvm::copy_if(symbols, std::back_inserter(found),
                      [&](DimAttr symbol) { return !others.contains(symbol); });
        return found;
    };
    const SmallVector<DimAttr> from = difference(mine, theirs), to = difference(theirs, mine);
    if (from.size() != 1 || to.size() != 1)
        return false;
    DimAttr renamed = dimSubstitute(
        a, [&](StringRef name) { return name == from[0].getName() ? to[0] : DimAttr(); });
    return renamed == other && addGuard("==", from[0], to[0]) &&
           facts.equal(a, other) == Answer::Yes;
}

bool SizeFacts::assumeNotEqual(DimAttr a, DimAttr other) {
    Answer answer = facts.equal(a, other);
    return answer == Answer::Unknown ? addGuard("!=", a, other) : answer == Answer::No;
}

//===-- Hints and simple sizes

std::optional<int64_t> SizeFacts::sizeHint(DimAttr e) {
    DimAttr known = facts.canonical(e);
    if (!guardable(known))
        return std::nullopt;
    return dimEvaluate(known, [&](StringRef name) { return std::optional(hints.lookup(name)); });
}

constexpr unsigned simpleWeight = 12; // of the sizes of one convolution, see dimIsHeavy

// Whether the symbol is a factor of the whole expression, as the number of images in a batch is.
static bool isFactor(DimAttr e, DimAttr symbol) {
    return dimConstant(e) == 0 && llvm::all_of(dimTerms(e), [&](const DimTerm &term) {
               return term.monomial == symbol ||
                      (term.monomial.getKind() == DimKind::Product &&
                       llvm::is_contained(term.monomial.getOperands(), symbol));
           });
}

// The entry symbol to specialise on, so that the expression becomes simpler: the one with the
// smallest hint; null: none.
static DimAttr symbolToSpecialise(DimAttr e, const llvm::StringMap<int64_t> &hints) {
    DimAttr chosen;
    int64_t least = 0;
    dimSymbols(e, [&](StringRef name) {
        auto hint = hints.find(name);
        if (hint == hints.end() || (chosen && hint->second >= least))
            return;
        DimAttr symbol = dimSymbol(e.getContext(), name);
        if (isFactor(e, symbol))
            return;
        chosen = symbol;
        least = hint->second;
    });
    return chosen;
}

DimAttr SizeFacts::simpleSize(DimAttr e) {
    e = facts.canonical(e);
    if (syntheticHints || !dimIsHeavy(e))
        return e;
    while (dimWeight(e, simpleWeight + 1) > simpleWeight) {
        DimAttr symbol = symbolToSpecialise(e, hints);
        if (!symbol || !addGuard("==", symbol, dimConst(hints.lookup(symbol.getName()))))
            break;
        e = facts.canonical(e);
    }
    return e;
}

// A sum of arrays whose sizes are known only at run time would have a size that names them all.
Dims SizeFacts::namedSizes(Dims dims) {
    for (DimAttr &dim : dims) {
        if (dimIsHeavy(dim))
            dim = simpleSize(dim);
        if (!dimIsHeavy(dim))
            continue;
        const auto [low, high] = facts.range(dim);
        dim = bindSymbol("p", SizeOp::create(b, loc, PyIntType::get(ctx), dim));
        addFact({SizeFact::GreaterEqual, dim, dimConst(std::max<int64_t>(low, 0)), {}});
        if (high < INT64_MAX)
            addFact({SizeFact::GreaterEqual, dimConst(high), dim, {}});
    }
    return dims;
}

std::optional<bool> SizeFacts::decideEqual(DimAttr a, DimAttr other) {
    if (Answer answer = facts.equal(a, other); answer != Answer::Unknown)
        return answer == Answer::Yes;
    if (addGuard("==", a, other, /*needed=*/true))
        return true;
    if (addGuard("!=", a, other, /*needed=*/true))
        return false;
    return std::nullopt;
}

//===-- Requirements

// Whether the facts refute a relation of np.require.
static bool neverHolds(const DimFacts &facts, StringRef kind, ArrayRef<DimAttr> args) {
    auto differ = [&](DimAttr a, DimAttr c) { return facts.equal(a, c) == Answer::No; };
    auto notOne = [&](DimAttr a) { return differ(a, dimConst(a.getContext(), 1)); };
    if (kind == "eq")
        return differ(args[0], args[1]);
    if (kind == "ge")
        return facts.less(args[0], args[1]) == Answer::Yes;
    if (kind == "broadcast_to" || kind == "broadcast")
        return differ(args[0], args[1]) && notOne(args[0]) &&
               (kind == "broadcast_to" || notOne(args[1]));
    return kind == "ne" && facts.equal(args[0], args[1]) == Answer::Yes;
}

// Where the relation fails in the compiling call, its negation becomes a guard: later guards hold
// in that call too, and would contradict the facts that follow from the requirement.
bool SizeFacts::assumeFails(StringRef kind, ArrayRef<DimAttr> args) {
    if (syntheticHints)
        return false;
    const DimAttr one = dimConst(1);
    auto less = [&](DimAttr a, DimAttr c) { // a + 1 might be beyond 64 bits
        return addGuard(">=", c, a) && addGuard("!=", c, a);
    };
    auto differ = [&](DimAttr a, DimAttr c) { return addGuard("!=", a, c); };
    if (kind == "eq")
        return differ(args[0], args[1]);
    if (kind == "ne")
        return addGuard("==", args[0], args[1]);
    if (kind == "ge")
        return less(args[0], args[1]);
    if (kind == "index")
        return addGuard(">=", args[0], args[1]) || less(args[0], dimNeg(args[1]));
    if (kind == "broadcast" || kind == "broadcast_to")
        return differ(args[0], args[1]) && differ(args[0], one) &&
               (kind == "broadcast_to" || differ(args[1], one));
    return false;
}

void SizeFacts::require(StringRef kind, ArrayRef<DimAttr> args, StringRef error,
                        const Twine &message, ArrayRef<DimAttr> payload) {
    const bool never = neverHolds(facts, kind, args);
    if (never || assumeFails(kind, args)) {
        const auto own = operandNotes;
        std::function<std::vector<std::string>()> withReasons = [&] {
            std::vector<std::string> notes = own ? own() : std::vector<std::string>();
            if (never)
                llvm::append_range(notes, conflictNotes(kind, args));
            return notes;
        };
        llvm::SaveAndRestore saved(operandNotes, withReasons);
        return require("false", {}, error, message, payload);
    }
    auto op = RequireOp::create(b, loc, b.getStringAttr(kind), dimArray(ctx, args),
                                b.getStringAttr(error), b.getStringAttr(message),
                                dimArray(ctx, payload.take_front(messageSizes)));
    std::vector<std::string> notes = operandNotes ? operandNotes() : std::vector<std::string>();
    if (!notes.empty())
        op.setNotesAttr(b.getStrArrayAttr(SmallVector<StringRef>(notes.begin(), notes.end())));
}

DimAttr SizeFacts::checkedIndex(DimAttr i, DimAttr n, int64_t axis) {
    bool nonNegative = facts.greaterEqual(i, dimConst(0)) == Answer::Yes;
    bool negative = !nonNegative && facts.less(i, dimConst(0)) == Answer::Yes;
    bool below = nonNegative && facts.less(i, n) == Answer::Yes;
    bool above = negative && facts.greaterEqual(dimAdd(i, n), dimConst(0)) == Answer::Yes;
    if (!below && !above) {
        // A constant index is checked once, by a guard at the entry, where that is possible.
        bool guarded = i.isConst() && (nonNegative ? addGuard(">=", n, dimAdd(i, dimConst(1)))
                                                   : addGuard(">=", n, dimNeg(i)));
        if (!guarded)
            require("index", {i, n}, "IndexError",
                    "index {0} is out of bounds for axis " + Twine(axis) + " with size {1}",
                    {i, n});
    }
    return nonNegative ? i : negative ? dimAdd(i, n) : dimWrap(i, n);
}

void SizeFacts::requireBytes(ArrayRef<DimAttr> dims, DType dtype) {
    constexpr int64_t addressSpace = int64_t(1) << 47; // a process has no more
    const auto holding = [&](int64_t bytes) { return dimConst(bytes / int64_t(itemSize(dtype))); };
    const DimAttr max = holding(INT64_MAX), available = holding(addressSpace), one = dimConst(1);
    const auto isKnown = [&](DimAttr dim) {
        return dim.isConst() ? dim.getValue() <= INT32_MAX
                             : facts.greaterEqual(max, dim) == Answer::Yes;
    };
    // A product of the sizes of arrays that exist cannot overflow.
    if (llvm::all_of(dims, isKnown) && llvm::any_of(dims, [](DimAttr d) { return !d.isConst(); }))
        return;
    SmallVector<std::pair<DimAttr, DimAttr>> unknown; // with the product of the preceding sizes
    DimAttr preceding = one;
    for (DimAttr dim : dims) { // 0 counts as 1, as in NumPy
        if (!assumeGreaterEqual(facts.canonical(dimFloorDiv(available, preceding)), dim))
            unknown.emplace_back(dim, preceding);
        preceding = facts.canonical(dimMul(preceding, dimMax(dim, one)));
    }
    for (auto [dim, product] : unknown)
        require("ge", {facts.canonical(dimFloorDiv(max, product)), dim}, "ValueError",
                "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum "
                "possible size.");
    for (auto [dim, product] : unknown)
        require("ge", {facts.canonical(dimFloorDiv(available, product)), dim}, "MemoryError",
                "Unable to allocate an array");
}
