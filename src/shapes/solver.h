// Sizes alone, without code: a scope in which what a rule requires is taken for true, with the
// place that asked for it, until it contradicts what was required before.
//
// Facts refine everything they speak of: matmul of (n, k) with (512, 10) makes k 512 wherever it
// stands, and 128 * q * q == 100352 with q = floordiv(s + 7, 8) leaves 217 <= s <= 224. Two shapes
// are merged (narrowed: what is known of either holds for both) or relaxed (widened: what is known
// of both).
#pragma once

#include "shapes/conflict.h"
#include "shapes/scope.h"

#include <optional>
#include <vector>

namespace shapecast {

// Of unknown rank: none.
using MaybeShape = std::optional<Dims>;

class Solver : public ShapeScope {
    // A broadcast of which it is not known yet which of the two sizes is 1, or whether both agree.
    struct Broadcast {
        bool oneWay; // only the first may be 1
        np::DimAttr a, b;
        std::string origin, error, message;
        llvm::SmallVector<np::DimAttr> payload;
    };

public:
    using Fact = SizeFact;
    struct Failure { // thrown by rules, and by the functions below
        std::string exception, message;
        std::vector<Fact> because; // the least part of what was learned that speaks against it
    };

    explicit Solver(mlir::MLIRContext *ctx) : ShapeScope(ctx) {}

    std::string origin;        // of what is learned from here on
    std::vector<Fact> learned; // in order

    np::DimAttr symbol(llvm::StringRef name); // a size
    np::DimAttr freshSymbol();                // one of its own
    // Takes it for true, with what it decides of earlier broadcasts; a Failure of this message
    // where that cannot be.
    void learn(Fact::Kind kind, np::DimAttr a, np::DimAttr b, llvm::StringRef error,
               const llvm::Twine &message, llvm::ArrayRef<np::DimAttr> payload = {});

    // With all that is known put in: a number where only one is left.
    np::DimAttr canonical(np::DimAttr e) const;
    Dims canonical(llvm::ArrayRef<np::DimAttr> dims) const;
    // What `rule` learns is forgotten again where it fails.
    template <class Rule> auto attempt(Rule &&rule) {
        const np::DimFacts::Mark before = facts.mark();
        const size_t known = learned.size();
        const std::vector<Broadcast> undecided = open;
        try {
            return rule();
        } catch (...) {
            facts.rewind(before);
            learned.resize(known);
            open = undecided;
            throw;
        }
    }

    // The one size or shape that both are: of what is known of either the most.
    np::DimAttr merge(np::DimAttr a, np::DimAttr b);
    MaybeShape merge(const MaybeShape &a, const MaybeShape &b);
    // What both are instances of: a size that is not known to be one in both becomes a new symbol,
    // a shape of different ranks unknown. Nothing is learned.
    np::DimAttr relax(np::DimAttr a, np::DimAttr b);
    MaybeShape relax(const MaybeShape &a, const MaybeShape &b);

    bool assumeGreaterEqual(np::DimAttr a, np::DimAttr b) override;
    bool assumeEqual(np::DimAttr a, np::DimAttr b) override;
    bool assumeNotEqual(np::DimAttr a, np::DimAttr b) override;
    void require(llvm::StringRef kind, llvm::ArrayRef<np::DimAttr> args, llvm::StringRef error,
                 const llvm::Twine &message, llvm::ArrayRef<np::DimAttr> payload = {}) override;
    [[noreturn]] void fail(llvm::StringRef exception, const llvm::Twine &message) const override;

private:
    void know(SizeFact) override {} // require() has learned it
    bool settle(const Broadcast &broadcast);
    void settleBroadcasts();
    std::string formatted(const llvm::Twine &message, llvm::ArrayRef<np::DimAttr> payload) const;

    llvm::SmallVector<np::DimAttr> symbols;
    std::vector<Broadcast> open;
};

} // namespace shapecast
