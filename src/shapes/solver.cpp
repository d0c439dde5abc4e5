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
        facts.noteAge(symbol);
        facts.addSize(name);
    }
    return symbol;
}

DimAttr Solver::freshSymbol() {
    static std::atomic<unsigned> next{0}; // of all scopes: no two are the same, nor a user's
    return symbol(("?" + Twine(next++)).str());
}

DimAttr Solver::canonical(DimAttr e) const {
    const DimAttr known = facts.canonical(e);
    const auto [low, high] = facts.range(known); // of 64 bits at most
    return low == high && low != INT64_MIN && high != INT64_MAX ? dimConst(low) : known;
}

Dims Solver::canonical(ArrayRef<DimAttr> dims) const {
    return map_to_vector<4>(dims, [&](DimAttr dim) { return canonical(dim); });
}

//===-- Learning

void Solver::learn(Fact::Kind kind, DimAttr a, DimAttr b, StringRef error, const Twine &message,
                   ArrayRef<DimAttr> payload) {
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
                      leastConflict(symbols, learned, fact)};
    }
    learned.push_back(fact);
    settleBroadcasts();
}

// Whether it needs no further look: one size is 1, or they are (from here on) equal.
bool Solver::settle(const Broadcast &broadcast) {
    const DimAttr one = dimConst(1);
    auto isOne = [&](DimAttr e) { return facts.equal(e, one); };
    const Answer first = isOne(broadcast.a),
                 second = broadcast.oneWay ? Answer::No : isOne(broadcast.b),
                 same = facts.equal(broadcast.a, broadcast.b);
    if (same == Answer::Yes || first == Answer::Yes || second == Answer::Yes)
        return true;
    const std::string by = std::exchange(origin, broadcast.origin);
    auto needs = [&](DimAttr a, DimAttr b) {
        try {
            learn(Fact::Equal, a, b, broadcast.error, broadcast.message, broadcast.payload);
        } catch (Failure &failure) {
            if (by != origin) // it was asked for elsewhere
                failure.because.push_back({Fact::Equal, a, b, origin});
            throw;
        }
    };
    const bool decided = first == Answer::No && second == Answer::No;
    if (decided)
        needs(broadcast.a, broadcast.b);
    else if (same == Answer::No && second == Answer::No)
        needs(broadcast.a, one);
    else if (same == Answer::No && first == Answer::No)
        needs(broadcast.b, one);
    origin = by;
    return decided || (same == Answer::No && (first == Answer::No || second == Answer::No));
}

void Solver::settleBroadcasts() {
    const std::vector<Broadcast> before = std::exchange(open, {});
    std::vector<Broadcast> left;
    for (const Broadcast &broadcast : before)
        if (!settle(broadcast))
            left.push_back(broadcast);
    open = std::move(left);
    if (open.size() < before.size()) // what these decided may decide others
        settleBroadcasts();
}

//===-- Merge and relax

DimAttr Solver::merge(DimAttr a, DimAttr b) {
    learn(Fact::Equal, a, b, "shapecast.ShapeError", "sizes must be equal, but are {0} and {1}",
          {a, b});
    return canonical(a);
}

MaybeShape Solver::merge(const MaybeShape &a, const MaybeShape &b) {
    if (!a || !b)
        return a ? a : b;
    if (a->size() != b->size())
        fail("shapecast.ShapeError", "shapes must be equal in rank, but have " + Twine(a->size()) +
                                         " and " + Twine(b->size()) + " dimensions");
    for (auto [axis, x, y] : enumerate(*a, *b))
        learn(Fact::Equal, x, y, "shapecast.ShapeError",
              "axis " + Twine(axis) + " of both shapes must be equal, but is {0} and {1}", {x, y});
    return canonical(*a);
}

DimAttr Solver::relax(DimAttr a, DimAttr b) {
    return facts.equal(a, b) == Answer::Yes ? canonical(a) : freshSymbol();
}

MaybeShape Solver::relax(const MaybeShape &a, const MaybeShape &b) {
    if (!a || !b || a->size() != b->size())
        return std::nullopt;
    Dims dims;
    for (auto [x, y] : zip_equal(*a, *b))
        dims.push_back(relax(x, y));
    return dims;
}

//===-- What rules ask

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
        return learn(Fact::GreaterEqual, args[0], args[1], error, message, payload);
    if (kind == "ne")
        return learn(Fact::NotEqual, args[0], args[1], error, message, payload);
    if (kind == "eq")
        return learn(Fact::Equal, args[0], args[1], error, message, payload);
    const Broadcast broadcast{
        kind == "broadcast_to", args[0],           args[1], origin, error.str(),
        message.str(),          to_vector(payload)};
    if (!settle(broadcast))
        open.push_back(broadcast);
}

std::string Solver::formatted(const Twine &message, ArrayRef<DimAttr> payload) const {
    std::string text = message.str(), result;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool isPlace = text[i] == '{' && i + 2 < text.size() && isdigit(text[i + 1]) &&
                             text[i + 2] == '}' && size_t(text[i + 1] - '0') < payload.size();
        if (isPlace) {
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
