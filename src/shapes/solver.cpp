#include "shapes/solver.h"

#include "llvm/ADT/STLExtras.h"

#include <atomic>

using namespace llvm;
using namespace shapecast::np;

namespace shapecast {

DimAttr Solver::symbol(StringRef name) {
    DimAttr symbol = dimSymbol(ctx, name);
    if (!is_contained(symbols, symbol)) {
        symbols.push_back(symbol);
        facts.registerSymbols(symbol);
        facts.addSize(name);
    }
    return symbol;
}

DimAttr Solver::freshSymbol() {
    static std::atomic<unsigned> next{0}; // shared by all scopes: unique, and not a user's name
    return symbol(("?" + Twine(next++)).str());
}

DimAttr Solver::canonical(DimAttr e) const {
    const DimAttr known = facts.canonical(e);
    const auto [low, high] = facts.range(known); // saturates at 64 bits
    return low == high && low != INT64_MIN && high != INT64_MAX ? dimConst(low) : known;
}

Dims Solver::canonical(ArrayRef<DimAttr> dims) const {
    return map_to_vector<4>(dims, [&](DimAttr dim) { return canonical(dim); });
}

//===-- Assertions

void Solver::assertFact(Fact::Kind kind, DimAttr a, DimAttr b, StringRef error,
                        const Twine &message, ArrayRef<DimAttr> payload) {
    const Fact fact{kind, a, b, origin};
    const Answer holds = kind == Fact::GreaterEqual ? facts.greaterEqual(a, b) : facts.equal(a, b);
    const Answer wanted = kind == Fact::NotEqual ? Answer::No : Answer::Yes;
    if (holds == wanted)
        return;
    const DimFacts::Mark before = facts.mark();
    if (holds == Answer::Unknown)
        fact.addTo(facts);
    if (holds != Answer::Unknown || facts.contradictory()) {
        facts.rewind(before);
        throw Failure{error.str(), formatted(message, payload),
                      unsatCore(symbols, assertions, fact)};
    }
    assertions.push_back(fact);
    resolvePending();
}

// Whether it is resolved: one size is 1, or they are (from here on) equal.
bool Solver::resolve(const Broadcast &broadcast) {
    const DimAttr one = dimConst(1);
    auto isOne = [&](DimAttr e) { return facts.equal(e, one); };
    const Answer first = isOne(broadcast.a),
                 second = broadcast.oneWay ? Answer::No : isOne(broadcast.b),
                 same = facts.equal(broadcast.a, broadcast.b);
    if (same == Answer::Yes || first == Answer::Yes || second == Answer::Yes)
        return true;
    const std::string current = std::exchange(origin, broadcast.origin);
    auto implies = [&](DimAttr a, DimAttr b) {
        try {
            assertFact(Fact::Equal, a, b, broadcast.error, broadcast.message, broadcast.payload);
        } catch (Failure &failure) {
            if (current != origin) // another rule required the broadcast
                failure.core.push_back({Fact::Equal, a, b, origin});
            throw;
        }
    };
    const bool neitherIsOne = first == Answer::No && second == Answer::No;
    if (neitherIsOne)
        implies(broadcast.a, broadcast.b);
    else if (same == Answer::No && second == Answer::No)
        implies(broadcast.a, one);
    else if (same == Answer::No && first == Answer::No)
        implies(broadcast.b, one);
    origin = current;
    return neitherIsOne || (same == Answer::No && (first == Answer::No || second == Answer::No));
}

void Solver::resolvePending() {
    const std::vector<Broadcast> before = std::exchange(pending, {});
    std::vector<Broadcast> left;
    for (const Broadcast &broadcast : before)
        if (!resolve(broadcast))
            left.push_back(broadcast);
    pending = std::move(left);
    if (pending.size() < before.size()) // these may have resolved others
        resolvePending();
}

//===-- Merge and relax

DimAttr Solver::merge(DimAttr a, DimAttr b) {
    assertFact(Fact::Equal, a, b, "shapecast.ShapeError",
               "sizes must be equal, but are {0} and {1}", {a, b});
    return canonical(a);
}

OptionalShape Solver::merge(const OptionalShape &a, const OptionalShape &b) {
    if (!a || !b)
        return a ? a : b;
    if (a->size() != b->size())
        fail("shapecast.ShapeError", "shapes must be equal in rank, but have " + Twine(a->size()) +
                                         " and " + Twine(b->size()) + " dimensions");
    for (auto [axis, x, y] : enumerate(*a, *b))
        assertFact(Fact::Equal, x, y, "shapecast.ShapeError",
                   "axis " + Twine(axis) + " of both shapes must be equal, but is {0} and {1}",
                   {x, y});
    return canonical(*a);
}

DimAttr Solver::relax(DimAttr a, DimAttr b) {
    return facts.equal(a, b) == Answer::Yes ? canonical(a) : freshSymbol();
}

OptionalShape Solver::relax(const OptionalShape &a, const OptionalShape &b) {
    if (!a || !b || a->size() != b->size())
        return std::nullopt;
    Dims dims;
    for (auto [x, y] : zip_equal(*a, *b))
        dims.push_back(relax(x, y));
    return dims;
}

//===-- The interface to rules

bool Solver::assumeGreaterEqual(DimAttr a, DimAttr b) {
    return facts.greaterEqual(a, b) == Answer::Yes;
}

bool Solver::assumeEqual(DimAttr a, DimAttr b) { return facts.equal(a, b) == Answer::Yes; }

bool Solver::assumeNotEqual(DimAttr a, DimAttr b) { return facts.equal(a, b) == Answer::No; }

void Solver::require(StringRef kind, ArrayRef<DimAttr> args, StringRef error, const Twine &message,
                     ArrayRef<DimAttr> payload) {
    if (kind == "false")
        fail(error, formatted(message, payload));
    if (kind == "ge")
        return assertFact(Fact::GreaterEqual, args[0], args[1], error, message, payload);
    if (kind == "ne")
        return assertFact(Fact::NotEqual, args[0], args[1], error, message, payload);
    if (kind == "eq")
        return assertFact(Fact::Equal, args[0], args[1], error, message, payload);
    const Broadcast broadcast{
        kind == "broadcast_to", args[0],           args[1], origin, error.str(),
        message.str(),          to_vector(payload)};
    if (!resolve(broadcast))
        pending.push_back(broadcast);
}

std::string Solver::formatted(const Twine &message, ArrayRef<DimAttr> payload) const {
    std::string text = message.str(), result;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool isField = text[i] == '{' && i + 2 < text.size() && isdigit(text[i + 1]) &&
                             text[i + 2] == '}' && size_t(text[i + 1] - '0') < payload.size();
        if (isField) {
            result += dimText(canonical(payload[text[i + 1] - '0']));
            i += 2;
        } else {
            result += text[i];
        }
    }
    return result;
}

void Solver::fail(StringRef exception, const Twine &message) const {
    throw Failure{exception.str(), message.str(), {}};
}

} // namespace shapecast
