// Constraint solving over sizes, without code: a scope in which what a rule requires is asserted,
// with its origin, until it contradicts earlier assertions.
//
// Facts refine all expressions over their symbols: matmul of (n, k) with (512, 10) makes every k
// 512, and 128 * q * q == 100352 with q = floordiv(s + 7, 8) leaves 217 <= s <= 224. Two shapes are
// merged (meet: the facts of both hold) or relaxed (join: only the facts common to both hold).
#pragma once

#include "shapes/conflict.h"
#include "shapes/scope.h"

#include <optional>
#include <vector>

namespace shapecast {

// None: the rank is unknown.
using OptionalShape = std::optional<Dims>;

class Solver : public ShapeScope {
    // A broadcast not yet resolved: which of the two sizes is 1, or whether they are equal.
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
        std::vector<Fact> core; // minimal subset of the assertions that contradicts it (unsatCore)
    };

    explicit Solver(mlir::MLIRContext *ctx) : ShapeScope(ctx) {}

    std::string origin;           // of assertions from here on
    std::vector<Fact> assertions; // in order

    np::DimAttr symbol(llvm::StringRef name); // a size
    np::DimAttr freshSymbol();                // with a name of its own
    // Asserts it, and resolves pending broadcasts; throws a Failure with this message where it
    // contradicts the facts.
    void assertFact(Fact::Kind kind, np::DimAttr a, np::DimAttr b, llvm::StringRef error,
                    const llvm::Twine &message, llvm::ArrayRef<np::DimAttr> payload = {});

    // Simplified by all facts: a constant where only one value is left.
    np::DimAttr canonical(np::DimAttr e) const;
    Dims canonical(llvm::ArrayRef<np::DimAttr> dims) const;
    // Runs a rule; its assertions are rolled back where it throws.
    template <class Rule> auto attempt(Rule &&rule) {
        const np::DimFacts::Mark before = facts.mark();
        const size_t count = assertions.size();
        const std::vector<Broadcast> unresolved = pending;
        try {
            return rule();
        } catch (...) {
            facts.rewind(before);
            assertions.resize(count);
            pending = unresolved;
            throw;
        }
    }

    // The meet: the sizes or shapes are asserted equal; the result is the more precise form.
    np::DimAttr merge(np::DimAttr a, np::DimAttr b);
    OptionalShape merge(const OptionalShape &a, const OptionalShape &b);
    // The join: a size that is not known to be equal in both becomes a fresh symbol, shapes of
    // different ranks become unknown. Asserts nothing.
    np::DimAttr relax(np::DimAttr a, np::DimAttr b);
    OptionalShape relax(const OptionalShape &a, const OptionalShape &b);

    bool assumeGreaterEqual(np::DimAttr a, np::DimAttr b) override;
    bool assumeEqual(np::DimAttr a, np::DimAttr b) override;
    bool assumeNotEqual(np::DimAttr a, np::DimAttr b) override;
    void require(llvm::StringRef kind, llvm::ArrayRef<np::DimAttr> args, llvm::StringRef error,
                 const llvm::Twine &message, llvm::ArrayRef<np::DimAttr> payload = {}) override;
    [[noreturn]] void fail(llvm::StringRef exception, const llvm::Twine &message) const override;

private:
    void addFact(SizeFact) override {} // require() has asserted it
    bool resolve(const Broadcast &broadcast);
    void resolvePending();
    std::string formatted(const llvm::Twine &message, llvm::ArrayRef<np::DimAttr> payload) const;

    llvm::SmallVector<np::DimAttr> symbols;
    std::vector<Broadcast> pending;
};

} // namespace shapecast
