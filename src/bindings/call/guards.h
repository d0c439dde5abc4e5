// A variant's entry guards as a small program over a call's slots.
#pragma once

#include "ir/np.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace shapecast::bindings {

class GuardProgram {
public:
    // `slotOf` maps a symbol to the slot of its value. A guard with an unknown symbol always fails.
    GuardProgram() = default;
    GuardProgram(llvm::ArrayRef<np::GuardAttr> guards,
                 llvm::function_ref<std::optional<unsigned>(llvm::StringRef)> slotOf);

    // Index of the first guard that does not hold, or -1.
    int firstFailing(const int64_t *slots) const {
        for (size_t i = 0; i < comparisons.size(); ++i)
            if (!comparisons[i].holds(slots))
                return int(i);
        return -1;
    }

private:
    struct Instruction {
        enum Code : uint8_t {
            Constant,
            Slot,
            Add,
            Multiply,
            FloorDiv,
            Mod,
            Min,
            Max,
            Bcast,
            Broadcast,
            Wrap
        } code;
        int64_t value = 0;
    };
    struct Term { // a constant or a slot, else `program` in postfix form
        enum Kind : uint8_t { Constant, Slot, Program } kind = Constant;
        int64_t value = 0;
        std::vector<Instruction> program;
        // False where what compiled code computes in 64 bits is not the exact value.
        bool evaluate(const int64_t *slots, int64_t &result) const {
            if (kind == Program)
                return run(slots, result);
            result = kind == Constant ? value : slots[value];
            return true;
        }
        bool run(const int64_t *slots, int64_t &result) const;
    };
    enum class Predicate : uint8_t { Equal, NotEqual, GreaterEqual, Never };
    struct Comparison {
        Predicate predicate;
        Term left, right;
        [[gnu::hot]] bool holds(const int64_t *slots) const {
            int64_t a = 0, b = 0;
            if (!left.evaluate(slots, a) || !right.evaluate(slots, b))
                return false;
            switch (predicate) {
            case Predicate::Equal:
                return a == b;
            case Predicate::NotEqual:
                return a != b;
            case Predicate::GreaterEqual:
                return a >= b;
            case Predicate::Never:
                return false;
            }
            return false;
        }
    };
    std::vector<Comparison> comparisons;

    static bool combine(Instruction::Code code, __int128 a, __int128 b, __int128 &value);
    static bool translate(np::DimAttr dim, std::vector<Instruction> &program,
                          llvm::function_ref<std::optional<unsigned>(llvm::StringRef)> slotOf);
};

} // namespace shapecast::bindings
