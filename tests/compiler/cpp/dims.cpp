// Symbolic dims: every rewrite against plain evaluation, printing and parsing, DimFacts against
// enumeration.
#include "ir/dim_facts.h"
#include "ir/np.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

#include <random>

using namespace mlir;
using namespace shapecast::np;

namespace {

int failures = 0;

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ++failures;                                                                            \
            llvm::errs() << __FILE__ << ":" << __LINE__ << ": " #condition ": " << __VA_ARGS__     \
                         << "\n";                                                                  \
        }                                                                                          \
    } while (0)

using Wide = __int128;
using Values = std::array<int64_t, 4>;
constexpr const char *names[] = {"s0", "s2", "s10", "i3"};

std::mt19937_64 randomBits(7);
int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(randomBits);
}

std::optional<int64_t> valueOf(StringRef name, const Values &values) {
    for (auto [known, value] : llvm::zip(names, values))
        if (name == known)
            return value;
    return std::nullopt;
}

std::optional<int64_t> evaluate(DimAttr e, const Values &values) {
    return dimEvaluate(e, [&](StringRef name) { return valueOf(name, values); });
}

// An expression before any rewrite.
struct Raw {
    enum Kind {
        Const,
        Symbol,
        Add,
        Sub,
        Mul,
        Neg,
        FloorDiv,
        CeilDiv,
        Mod,
        Min,
        Max,
        Bcast,
        Broadcast,
        Wrap,
        count
    } kind;
    int64_t value = 0;
    std::vector<Raw> operands;
};

Raw randomRaw(int depth, bool big, bool linear = false) {
    if (depth == 0 || pick(0, 9) == 0) {
        if (pick(0, 1))
            return {Raw::Symbol, pick(0, 3), {}};
        return {Raw::Const, big && pick(0, 3) == 0 ? pick(INT64_MIN, INT64_MAX) : pick(-6, 6), {}};
    }
    auto kind = static_cast<Raw::Kind>(pick(Raw::Add, linear ? Raw::Sub : Raw::count - 1));
    Raw raw{kind, 0, {}};
    int arity = kind == Raw::Neg || kind == Raw::Bcast ? 1 : 2;
    for (int i = 0; i < arity; ++i)
        raw.operands.push_back(randomRaw(depth - 1, big, linear));
    return raw;
}

DimAttr build(MLIRContext *ctx, const Raw &raw) {
    if (raw.kind == Raw::Const)
        return dimConst(ctx, raw.value);
    if (raw.kind == Raw::Symbol)
        return dimSymbol(ctx, names[raw.value]);
    DimAttr a = build(ctx, raw.operands[0]);
    DimAttr b = raw.operands.size() > 1 ? build(ctx, raw.operands[1]) : a;
    switch (raw.kind) {
    case Raw::Add:
        return dimAdd(a, b);
    case Raw::Sub:
        return dimSub(a, b);
    case Raw::Mul:
        return dimMul(a, b);
    case Raw::Neg:
        return dimNeg(a);
    case Raw::FloorDiv:
        return dimFloorDiv(a, b);
    case Raw::CeilDiv:
        return dimCeilDiv(a, b);
    case Raw::Mod:
        return dimMod(a, b);
    case Raw::Min:
        return dimMin(a, b);
    case Raw::Max:
        return dimMax(a, b);
    case Raw::Bcast:
        return dimBcast(a);
    case Raw::Broadcast:
        return dimBroadcast(a, b);
    default:
        return dimWrap(a, b);
    }
}

Wide floorDivide(Wide a, Wide b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }

// nullopt: undefined, or too large to be sure.
std::optional<Wide> evaluate(const Raw &raw, const Values &values) {
    if (raw.kind == Raw::Const)
        return raw.value;
    if (raw.kind == Raw::Symbol)
        return values[raw.value];
    std::optional<Wide> x = evaluate(raw.operands[0], values), y = x;
    if (raw.operands.size() > 1)
        y = evaluate(raw.operands[1], values);
    constexpr Wide limit = Wide(1) << 62;
    if (!x || !y || *x > limit || *x < -limit || *y > limit || *y < -limit)
        return std::nullopt;
    Wide a = *x, b = *y;
    bool divides = raw.kind == Raw::FloorDiv || raw.kind == Raw::CeilDiv || raw.kind == Raw::Mod;
    if (divides && b == 0)
        return std::nullopt;
    switch (raw.kind) {
    case Raw::Add:
        return a + b;
    case Raw::Sub:
        return a - b;
    case Raw::Mul:
        return a * b;
    case Raw::Neg:
        return -a;
    case Raw::FloorDiv:
        return floorDivide(a, b);
    case Raw::CeilDiv:
        return -floorDivide(-a, b);
    case Raw::Mod:
        return a - b * floorDivide(a, b);
    case Raw::Min:
        return std::min(a, b);
    case Raw::Max:
        return std::max(a, b);
    case Raw::Bcast:
        return a == 1 ? 0 : 1;
    case Raw::Broadcast:
        return a == 1 ? b : a;
    default:
        return a < 0 ? a + b : a;
    }
}

DimAttr parse(MLIRContext *ctx, StringRef text) {
    auto attr = dyn_cast_or_null<DimAttr>(parseAttribute(("#np.dim<" + text + ">").str(), ctx));
    CHECK(attr, "does not parse: " << text);
    return attr ? attr : dimConst(ctx, -987654321);
}

//===-- The normal form

void rewritesKeepValues(MLIRContext *ctx, bool big) {
    for (int i = 0; i < 20000; ++i) {
        Raw raw = randomRaw(pick(1, 4), big);
        DimAttr e = build(ctx, raw);
        DimAttr again = parse(ctx, dimText(e));
        CHECK(big || again == e,
              "text does not read back: " << dimText(e) << " / " << dimText(again));
        for (int j = 0; j < 12; ++j) {
            Values values;
            for (int64_t &value : values)
                value = big ? pick(-5, 5) : pick(-9, 9);
            std::optional<Wide> expected = evaluate(raw, values);
            if (!expected || *expected > INT64_MAX || *expected < INT64_MIN)
                continue;
            std::optional<int64_t> found = evaluate(e, values);
            CHECK(found && *found == *expected, dimText(e)
                                                    << " of " << values[0] << " " << values[1]
                                                    << " " << values[2] << " " << values[3]);
            CHECK(evaluate(again, values) == found, "read back " << dimText(e));
        }
    }
}

void substitutionKeepsValues(MLIRContext *ctx) {
    for (int i = 0; i < 5000; ++i) {
        DimAttr e = build(ctx, randomRaw(3, false)), with = build(ctx, randomRaw(2, false));
        DimAttr result =
            dimSubstitute(e, [&](StringRef name) { return name == "s2" ? with : DimAttr(); });
        Values values;
        for (int64_t &value : values)
            value = pick(-9, 9);
        std::optional<int64_t> inner = evaluate(with, values), outer = evaluate(result, values);
        if (!inner)
            continue;
        values[1] = *inner;
        std::optional<int64_t> expected = evaluate(e, values);
        CHECK(!expected || expected == outer, dimText(e) << " with s2 = " << dimText(with));
        if (std::optional<DimLinear> linear = dimLinearIn(e, "s0"); linear && expected) {
            std::optional<int64_t> rest = evaluate(linear->rest, values);
            CHECK(rest && linear->coefficient * values[0] + *rest == *expected, dimText(e)
                                                                                    << " in s0");
            CHECK(!dimUses(linear->rest, "s0"), dimText(e));
        }
    }
}

void normalForms(MLIRContext *ctx) {
    const std::pair<const char *, const char *> cases[] = {
        {"s0 + s10 + s2 + 1 + s0", "2 * s0 + s2 + s10 + 1"},
        {"(s0 + 1) * (s0 - 1)", "s0 * s0 - 1"},
        {"floordiv(4 * s0 + 6, 2)", "2 * s0 + 3"},
        {"floordiv(4 * s0 + s1 + 7, 4)", "s0 + floordiv(s1 + 3, 4) + 1"},
        {"-floordiv(-s0, 2)", "floordiv(s0 + 1, 2)"},
        {"floordiv(floordiv(s0, 2), 3)", "floordiv(s0, 6)"},
        {"floordiv(2 * s0 + 1, 4)", "floordiv(s0, 2)"},
        {"floordiv(s0, -2)", "-floordiv(s0 + 1, 2)"},
        {"floordiv(s0 * s1, s0)", "floordiv(s0 * s1, s0)"},
        {"mod(-7, 3)", "2"},
        {"mod(7, -3)", "-2"},
        {"mod(6 * s0 + 5, 3)", "2"},
        {"mod(4 * s0, 6)", "2 * mod(2 * s0, 3)"},
        {"min(s0, max(s1, s0))", "s0"},
        {"min(s0, min(4, s1), s0 - 1, 7)", "min(s1, s0 - 1, 4)"},
        {"max(s0, s0 + 1)", "s0 + 1"},
        {"bcast(1) + bcast(3)", "1"},
        {"broadcast(s0, 1, broadcast(s1, s0), 4, s2)", "broadcast(s0, s1, 4)"},
        {"broadcast(1, 1)", "1"},
        {"wrap(-1, s0)", "s0 - 1"},
        {"wrap(2, s0)", "2"},
        {"s0 - -2", "s0 + 2"},
        {"3 - s0", "3 - s0"},
    };
    for (auto [text, expected] : cases) {
        DimAttr e = parse(ctx, text), other = parse(ctx, expected);
        CHECK(e == other, text << " is " << dimText(e) << ", not " << dimText(other));
        CHECK(dimText(parse(ctx, dimText(e))) == dimText(e), text);
    }
    for (const char *text : {"3 - s0", "2 * s0 * s1 - s2 + 1", "floordiv(s0, 2) - 3",
                             "-9223372036854775808", "bcast(k12) * wrap(i0, n)", "-2 * s0 - 1"})
        CHECK(dimText(parse(ctx, text)) == text,
              text << " prints as " << dimText(parse(ctx, text)));
}

void arrayTypes(MLIRContext *ctx) {
    for (const char *text :
         {"!np.array<s0 x s1 - 2 x f64, C>", "!np.array<2 x i3 x i1, strided, readonly>",
          "!np.array<i3 - 1 x i3 x si64, F>", "!np.array<i0 x f32, inner>",
          "!np.array<floordiv(s0 + 1, 2) x 3 x complex<f64>, C>"}) {
        Type type = parseType(text, ctx);
        std::string printed;
        llvm::raw_string_ostream(printed) << type;
        CHECK(printed == text, text << " prints as " << printed);
    }
}

//===-- DimFacts

struct Fact {
    enum Kind { Ge, Eq, Ne } kind;
    DimAttr a, b;
    std::optional<bool> holds(const Values &values) const {
        std::optional<int64_t> x = evaluate(a, values), y = evaluate(b, values);
        if (!x || !y)
            return std::nullopt;
        return kind == Ge ? *x >= *y : kind == Eq ? *x == *y : *x != *y;
    }
    void addTo(DimFacts &facts) const {
        kind == Ge   ? facts.addGreaterEqual(a, b)
        : kind == Eq ? facts.addEqual(a, b)
                     : facts.addNotEqual(a, b);
    }
};

struct World {
    int64_t low[4], high[4];
    std::vector<Fact> facts;
    // All values that satisfy the facts.
    std::vector<Values> solutions() const {
        std::vector<Values> found;
        Values v;
        for (v[0] = low[0]; v[0] <= high[0]; ++v[0])
            for (v[1] = low[1]; v[1] <= high[1]; ++v[1])
                for (v[2] = low[2]; v[2] <= high[2]; ++v[2])
                    for (v[3] = low[3]; v[3] <= high[3]; ++v[3])
                        if (llvm::all_of(facts,
                                         [&](const Fact &fact) { return fact.holds(v) == true; }))
                            found.push_back(v);
        return found;
    }
};

void checkAnswer(const char *what, Answer answer, const Fact &relation,
                 const std::vector<Values> &solutions, const World &world) {
    if (answer == Answer::Unknown)
        return;
    for (const Values &values : solutions) {
        std::optional<bool> holds = relation.holds(values);
        if (!holds || *holds == (answer == Answer::Yes))
            continue;
        CHECK(false, what << "(" << dimText(relation.a) << ", " << dimText(relation.b) << ") for "
                          << values[0] << " " << values[1] << " " << values[2] << " " << values[3]);
        for (const Fact &fact : world.facts)
            llvm::errs() << "  given " << dimText(fact.a)
                         << (fact.kind == Fact::Ge   ? " >= "
                             : fact.kind == Fact::Eq ? " == "
                                                     : " != ")
                         << dimText(fact.b) << "\n";
        return;
    }
}

struct Tally {
    unsigned asked = 0, decided = 0, decidable = 0;
};

void ask(const DimFacts &facts, DimAttr a, DimAttr b, const World &world,
         const std::vector<Values> &solutions, Tally &tally) {
    DimAttr one = dimConst(a.getContext(), 1);
    checkAnswer("greaterEqual", facts.greaterEqual(a, b), {Fact::Ge, a, b}, solutions, world);
    checkAnswer("equal", facts.equal(a, b), {Fact::Eq, a, b}, solutions, world);
    checkAnswer("less", facts.less(a, b), {Fact::Ge, b, dimAdd(a, one)}, solutions, world);
    DimAttr canonical = facts.canonical(a);
    checkAnswer("canonical", Answer::Yes, {Fact::Eq, a, canonical}, solutions, world);
    auto [low, high] = facts.range(a);
    checkAnswer("low", low == INT64_MIN ? Answer::Unknown : Answer::Yes,
                {Fact::Ge, a, dimConst(a.getContext(), low)}, solutions, world);
    checkAnswer("high", high == INT64_MAX ? Answer::Unknown : Answer::Yes,
                {Fact::Ge, dimConst(a.getContext(), high), a}, solutions, world);
    bool all = !solutions.empty(), none = all;
    for (const Values &values : solutions) {
        std::optional<bool> holds = Fact{Fact::Ge, a, b}.holds(values);
        all &= holds == true;
        none &= holds == false;
    }
    ++tally.asked;
    tally.decidable += all || none;
    tally.decided += (all || none) && facts.greaterEqual(a, b) != Answer::Unknown;
}

enum class Style { General, Linear, Remainders };

// Of remainders and quotients by small numbers, in one of their spellings.
DimAttr randomQuotient(MLIRContext *ctx) {
    DimAttr e = build(ctx, randomRaw(2, false, /*linear=*/true));
    DimAttr divisor = dimConst(ctx, pick(2, 8)), factor = dimConst(ctx, pick(1, 8));
    switch (pick(0, 3)) {
    case 0:
        return dimMod(e, divisor);
    case 1:
        return dimMul(factor, dimFloorDiv(e, divisor));
    case 2:
        return dimMul(divisor, dimFloorDiv(e, divisor));
    default:
        return dimSub(e, dimMul(factor, dimFloorDiv(e, divisor)));
    }
}

DimAttr randomSide(MLIRContext *ctx, Style style, int depth) {
    if (style == Style::Remainders && pick(0, 3) > 0)
        return randomQuotient(ctx);
    return build(ctx, randomRaw(depth, false, style != Style::General));
}

Fact randomFact(MLIRContext *ctx, Style style) {
    if (style == Style::Remainders && pick(0, 2) > 0) {
        DimAttr e = build(ctx, randomRaw(pick(0, 2), false, /*linear=*/true));
        const int64_t divisor = pick(2, 6);
        DimAttr by = dimConst(ctx, divisor), rest = dimConst(ctx, pick(0, divisor - 1));
        if (pick(0, 1))
            return {Fact::Eq, dimMod(e, by), rest};
        return {Fact::Eq, dimMul(by, dimFloorDiv(e, by)), dimSub(e, rest)};
    }
    DimAttr a = randomSide(ctx, style, 2), b = randomSide(ctx, style, 1);
    return {static_cast<Fact::Kind>(pick(0, 2)), a, b};
}

void answersHoldEverywhere(MLIRContext *ctx, Style style, const char *name) {
    Tally tally;
    for (int i = 0; i < 600; ++i) {
        World world;
        DimFacts facts(ctx);
        for (int s = 0; s < 4; ++s) {
            world.low[s] = pick(-3, 2);
            world.high[s] = world.low[s] + pick(0, 6);
            facts.addLower(names[s], dimConst(ctx, world.low[s]));
            facts.addUpper(names[s], dimConst(ctx, world.high[s]));
        }
        DimFacts::Mark outer = facts.mark();
        std::vector<std::string> before;
        std::vector<DimAttr> probes;
        for (int j = 0; j < 6; ++j)
            probes.push_back(randomSide(ctx, style, 2));
        for (DimAttr probe : probes)
            before.push_back(dimText(facts.canonical(probe)) +
                             std::to_string(facts.range(probe).first));
        for (int64_t count = pick(0, 4); count > 0; --count) {
            world.facts.push_back(randomFact(ctx, style));
            world.facts.back().addTo(facts);
        }
        std::vector<Values> solutions = world.solutions();
        CHECK(solutions.empty() || !facts.contradictory(), "facts that have a solution");
        for (int j = 0; j < 8; ++j)
            ask(facts, randomSide(ctx, style, pick(1, 3)), randomSide(ctx, style, 1), world,
                solutions, tally);
        facts.rewind(outer);
        for (auto [probe, text] : llvm::zip(probes, before))
            CHECK(dimText(facts.canonical(probe)) + std::to_string(facts.range(probe).first) ==
                      text,
                  "rewind changes " << dimText(probe));
    }
    llvm::outs() << name << " questions decided: " << tally.decided << " of " << tally.decidable
                 << " decidable, " << tally.asked << " asked\n";
}

// Unbounded symbols and linear facts: MLIR's Presburger library confirms all answers.
void linearAnswersAgreeWithPresburger(MLIRContext *ctx) {
    using namespace mlir::presburger;
    auto row = [&](DimAttr e) {
        SmallVector<int64_t, 8> coefficients(5, 0);
        coefficients[4] = dimConstant(e);
        for (const DimTerm &term : dimTerms(e))
            for (int s = 0; s < 4; ++s)
                if (term.monomial.getName() == names[s])
                    coefficients[s] = term.coefficient;
        return coefficients;
    };
    unsigned found = 0, missed = 0;
    for (int i = 0; i < 6000; ++i) {
        DimFacts facts(ctx);
        IntegerPolyhedron polyhedron(PresburgerSpace::getSetSpace(4));
        for (int64_t count = pick(1, 5); count > 0; --count) {
            DimAttr a = build(ctx, randomRaw(2, false, true)),
                    b = build(ctx, randomRaw(1, false, true));
            if (pick(0, 3) == 0) {
                facts.addEqual(a, b);
                polyhedron.addEquality(row(dimSub(a, b)));
            } else {
                facts.addGreaterEqual(a, b);
                polyhedron.addInequality(row(dimSub(a, b)));
            }
        }
        if (polyhedron.isIntegerEmpty())
            continue;
        DimAttr a = build(ctx, randomRaw(2, false, true)),
                b = build(ctx, randomRaw(1, false, true));
        IntegerPolyhedron less = polyhedron, notLess = polyhedron;
        less.addInequality(row(dimSub(dimSub(b, a), dimConst(ctx, 1))));
        notLess.addInequality(row(dimSub(a, b)));
        Answer answer = facts.greaterEqual(a, b);
        bool yes = less.isIntegerEmpty(), no = notLess.isIntegerEmpty();
        CHECK(answer != Answer::Yes || yes, dimText(a) << " >= " << dimText(b));
        CHECK(answer != Answer::No || no, dimText(a) << " >= " << dimText(b));
        if (yes || no)
            ++(answer == Answer::Unknown ? missed : found);
    }
    llvm::outs() << "linear proofs found: " << found << ", missed: " << missed << "\n";
    CHECK(missed * 20 <= found, "more than 5 % of the linear proofs are missed");
}

// Proofs that programs need: each must be found.
void usefulProofs(MLIRContext *ctx) {
    auto e = [&](StringRef text) { return parse(ctx, text); };
    DimFacts facts(ctx);
    for (const char *size : {"m", "n", "q", "s0", "s1"})
        facts.addSize(size);
    facts.addLower("i", e("0"));
    facts.addUpper("i", e("m - 1"));
    facts.addLower("j", e("1"));
    facts.addUpper("j", e("n - 2"));
    facts.addLower("a", e("-n"));
    facts.addUpper("a", e("n - 1"));
    facts.addLower("p", e("0"));
    facts.addUpper("p", e("floordiv(s0 + 1, 2) - 1"));
    facts.addLower("s1", e("2"));
    const std::pair<const char *, const char *> proofs[] = {
        {"i", "0"},
        {"m - 1", "i"},
        {"m", "1"},
        {"j - 1", "0"},
        {"n - 1", "j + 1"},
        {"n", "3"},
        {"m * n - 1", "i * n + j"},
        {"i * n + j", "1"},
        {"s0 - 1", "2 * p"},
        {"s0", "floordiv(s0, 2)"},
        {"s0", "floordiv(s0 + 1, 2)"},
        {"wrap(a, n)", "0"},
        {"n - 1", "wrap(a, n)"},
        {"n", "min(m, n)"},
        {"m", "min(m, n)"},
        {"max(m, n)", "n"},
        {"m + n", "max(m, n)"},
        {"s0 * s1", "2 * s0"},
        {"s0 * s1", "s0"},
        {"mod(s0, s1)", "0"},
        {"s1 - 1", "mod(s0, s1)"},
        {"s0", "mod(s0, s1)"},
        {"s0", "s1 * floordiv(s0, s1)"},
        {"m * n", "0"},
        {"floordiv(s0, 2) * 2 + mod(s0, 2)", "s0"},
        {"s0", "floordiv(s0, 2) * 2 + mod(s0, 2)"},
        {"min(m, s1)", "min(m, s1, 5)"},
        {"i * bcast(m)", "0"},
        {"n", "max(0, min(n, j))"},
        {"n * m", "min(n, 3) * m"},
        {"m * n", "i * wrap(a, n)"},
    };
    for (auto [a, b] : proofs)
        CHECK(facts.greaterEqual(e(a), e(b)) == Answer::Yes, a << " >= " << b);
    CHECK(facts.canonical(e("wrap(i, m)")) == e("i"), "");
    CHECK(facts.canonical(e("wrap(-j, m)")) == e("m - j"), "");
    CHECK(facts.canonical(e("floordiv(s0 * s1, s1)")) == e("s0"), "");
    CHECK(facts.canonical(e("floordiv(q * s1, q)")) == e("floordiv(q * s1, q)"), "");
    CHECK(facts.canonical(e("mod(i, m)")) == e("i"), dimText(facts.canonical(e("mod(i, m)"))));
    CHECK(facts.canonical(e("max(0, n - 2)")) == e("n - 2"), "");
    CHECK(facts.canonical(e("bcast(s1)")) == e("1"), "");
    CHECK(facts.canonical(e("broadcast(q, s1, s0)")) == e("broadcast(q, s1)"), "");
    CHECK(facts.greaterEqual(e("broadcast(m, n)"), e("0")) == Answer::Yes, "");
    CHECK(facts.greaterEqual(e("m + n"), e("broadcast(m, n)")) == Answer::Yes, "");
    CHECK(facts.equal(e("s0 - 2"), e("s0 - 1")) == Answer::No, "");
    CHECK(facts.equal(e("2 * s0"), e("2 * s1 + 1")) == Answer::No, "");
    CHECK(facts.greaterEqual(e("s0"), e("1")) == Answer::Yes, "p lies in [0, ceil(s0 / 2))");
    CHECK(facts.equal(e("q"), e("1")) == Answer::Unknown, "");
    DimFacts::Mark mark = facts.mark();
    facts.addNotEqual(e("q"), e("0"));
    CHECK(facts.greaterEqual(e("q"), e("1")) == Answer::Yes, "");
    facts.addNotEqual(e("1"), e("q"));
    CHECK(facts.equal(e("q"), e("1")) == Answer::No, "");
    facts.addEqual(e("q - 2"), e("m"));
    CHECK(facts.equal(e("q"), e("m + 2")) == Answer::Yes, "");
    CHECK(facts.less(e("i + 2"), e("q")) == Answer::Yes, "");
    facts.addEqual(e("m"), e("5"));
    CHECK(facts.canonical(e("q * n")) == e("7 * n"), dimText(facts.canonical(e("q * n"))));
    facts.rewind(mark);
    CHECK(facts.canonical(e("q")) == e("q"), "");
    CHECK(facts.greaterEqual(e("q"), e("1")) == Answer::Unknown, "");
    CHECK(facts.range(e("q")) == std::make_pair(int64_t(0), (int64_t(1) << 47) - 1), "");
    // Equations with powers, and facts that cannot hold together.
    mark = facts.mark();
    facts.addEqual(e("128 * (q + 1) * (q + 1)"), e("100352"));
    CHECK(facts.canonical(e("q")) == e("27"), "");
    CHECK(!facts.contradictory(), "");
    facts.addGreaterEqual(e("q"), e("28"));
    CHECK(facts.contradictory(), "");
    facts.rewind(mark);
    CHECK(!facts.contradictory(), "");
    facts.addEqual(e("floordiv(q - 1, 8)"), e("27"));
    CHECK(facts.range(e("q")) == std::make_pair(int64_t(217), int64_t(224)), "");
    facts.addNotEqual(e("q - q"), e("0"));
    CHECK(facts.contradictory(), "");
    facts.rewind(mark);
    facts.addEqual(e("q * q"), e("50"));
    CHECK(facts.contradictory(), "");
    facts.rewind(mark);
    CHECK(facts.range(e("k")) == std::make_pair(INT64_MIN, INT64_MAX), "");
}

void usefulRemainders(MLIRContext *ctx) {
    auto e = [&](StringRef text) { return parse(ctx, text); };
    auto canonicals = [&](DimFacts &facts,
                          ArrayRef<std::pair<const char *, const char *>> expected) {
        for (auto [from, to] : expected)
            CHECK(facts.canonical(e(from)) == e(to),
                  from << " is " << dimText(facts.canonical(e(from))) << ", not " << to);
    };
    DimFacts facts(ctx);
    for (const char *size : {"m", "n", "k", "q"})
        facts.addSize(size);
    DimFacts::Mark mark = facts.mark();
    facts.addEqual(e("mod(n, 4)"), e("0"));
    const std::pair<const char *, const char *> fours[] = {
        {"4 * floordiv(n, 4)", "n"},
        {"2 * floordiv(n, 2)", "n"},
        {"2 * floordiv(n, 4)", "floordiv(n, 2)"},
        {"12 * floordiv(n, 4) * m", "3 * n * m"},
        {"floordiv(n + 3, 4)", "floordiv(n, 4)"},
        {"floordiv(n + 5, 4)", "floordiv(n, 4) + 1"},
        {"floordiv(n + 7, 8)", "floordiv(n + 4, 8)"},
        {"floordiv(n + m, 4)", "floordiv(n, 4) + floordiv(m, 4)"},
        {"floordiv(n - min(n, 1) + 1, 2)", "floordiv(n, 2)"}, // of n[1::2]
        {"mod(n, 2)", "0"},
        {"mod(n * m + 6, 4)", "2"},
        {"mod(n, 8)", "mod(n, 8)"},
    };
    canonicals(facts, fours);
    CHECK(facts.equal(e("n"), e("6")) == Answer::No, "");
    CHECK(facts.equal(e("n"), e("4 * k + 2")) == Answer::No, "");
    facts.addLower("n", e("5"));
    CHECK(facts.range(e("n")).first == 8, "the next multiple");
    facts.addEqual(e("mod(n, 6)"), e("2"));
    canonicals(facts, {{"mod(n, 12)", "8"}});
    facts.addEqual(e("n"), e("2 * m"));
    canonicals(facts, {{"mod(m, 6)", "4"}, {"6 * floordiv(m, 6)", "floordiv(n, 2) - 4"}});
    CHECK(facts.equal(e("6 * floordiv(m, 6)"), e("m - 4")) == Answer::Yes, "");
    CHECK(!facts.contradictory(), "");
    facts.addEqual(e("mod(m, 2)"), e("1"));
    CHECK(facts.contradictory(), "");
    facts.rewind(mark);
    CHECK(!facts.contradictory(), "");
    canonicals(facts, {{"mod(n, 2)", "mod(n, 2)"}, {"4 * floordiv(n, 4)", "4 * floordiv(n, 4)"}});
    // In another spelling, of a sum, and by a size.
    facts.addEqual(e("3 * floordiv(n, 3)"), e("n"));
    facts.addEqual(e("mod(m + k, 8)"), e("0"));
    facts.addNotEqual(e("q"), e("0"));
    facts.addEqual(e("mod(m, q)"), e("0"));
    facts.addEqual(e("2 * q * floordiv(k, 2)"), e("q * k"));
    canonicals(facts, {{"mod(n, 3)", "0"},
                       {"mod(k, 2)", "0"},
                       {"8 * floordiv(m + k, 8)", "m + k"},
                       {"floordiv(m, q) * q", "m"},
                       {"floordiv(m, q) * q * n", "m * n"},
                       {"floordiv(m * q, 2 * q)", "floordiv(m, 2)"},
                       {"floordiv(m * q + q, k * q + 3 * q)", "floordiv(m + 1, k + 3)"},
                       {"floordiv(4 * m, 6 * k)", "floordiv(m, k + floordiv(k, 2))"}});
    facts.rewind(mark);
    // An even split, of which each part is split evenly again: all are multiples of one number.
    facts.addEqual(e("mod(n, 3)"), e("0"));
    facts.addEqual(e("mod(floordiv(n, 3), 12)"), e("0"));
    canonicals(facts, {{"n - 2 * floordiv(n, 3)", "floordiv(n, 3)"},
                       {"12 * floordiv(n, 36)", "floordiv(n, 3)"},
                       {"11 * floordiv(floordiv(n, 3), 12)", "11 * floordiv(n, 36)"},
                       {"floordiv(n, 12) - floordiv(n + 12, 18)", "floordiv(n, 36)"},
                       {"n", "n"}});
    CHECK(facts.equal(e("floordiv(n, 3)"), e("12 * floordiv(n, 36)")) == Answer::Yes, "");
    facts.addEqual(e("floordiv(n, 3)"), e("k"));
    CHECK(facts.equal(e("n"), e("3 * k")) == Answer::Yes, "");
    CHECK(facts.equal(e("mod(k, 12)"), e("0")) == Answer::Yes, "");
    facts.rewind(mark);
    canonicals(facts, {{"n - 2 * floordiv(n, 3)", "n - 2 * floordiv(n, 3)"}});
    facts.addEqual(e("mod(3 * n + 1, 4)"), e("0")); // 3 * 1 + 1
    canonicals(facts, {{"mod(n, 4)", "1"}});
    facts.rewind(mark);
}

} // namespace

int main() {
    DialectRegistry registry;
    registry.insert<NpDialect>();
    MLIRContext ctx(registry, MLIRContext::Threading::DISABLED);
    ctx.loadDialect<NpDialect>();
    normalForms(&ctx);
    arrayTypes(&ctx);
    rewritesKeepValues(&ctx, /*big=*/false);
    rewritesKeepValues(&ctx, /*big=*/true);
    substitutionKeepsValues(&ctx);
    usefulProofs(&ctx);
    usefulRemainders(&ctx);
    answersHoldEverywhere(&ctx, Style::General, "general");
    answersHoldEverywhere(&ctx, Style::Linear, "linear");
    answersHoldEverywhere(&ctx, Style::Remainders, "remainder");
    linearAnswersAgreeWithPresburger(&ctx);
    llvm::outs() << (failures ? "FAILED\n" : "passed\n");
    return failures != 0;
}
