// Compiles guards from dim expressions to postfix code, and evaluates it.
#include "bindings/call/guards.h"

#include "llvm/ADT/SmallVector.h"

namespace shapecast::bindings {

bool GuardProgram::translate(np::DimAttr dim, std::vector<Instruction> &program,
                             llvm::function_ref<std::optional<unsigned>(llvm::StringRef)> slotOf) {
    using np::DimKind;
    auto fold = [&](Instruction::Code code, bool startsWithValue) {
        if (startsWithValue)
            program.push_back({Instruction::Constant, dim.getValue()});
        bool first = !startsWithValue;
        for (np::DimAttr operand : dim.getOperands()) {
            if (!translate(operand, program, slotOf))
                return false;
            if (!first)
                program.push_back({code});
            first = false;
        }
        return true;
    };
    switch (dim.getKind()) {
    case DimKind::Const:
        program.push_back({Instruction::Constant, dim.getValue()});
        return true;
    case DimKind::Symbol: {
        std::optional<unsigned> slot = slotOf(dim.getName());
        if (slot)
            program.push_back({Instruction::Slot, int64_t(*slot)});
        return slot.has_value();
    }
    case DimKind::Sum:
        return fold(Instruction::Add, true);
    case DimKind::Product:
        return fold(Instruction::Multiply, true);
    case DimKind::FloorDiv:
        return fold(Instruction::FloorDiv, false);
    case DimKind::Mod:
        return fold(Instruction::Mod, false);
    case DimKind::Min:
        return fold(Instruction::Min, false);
    case DimKind::Max:
        return fold(Instruction::Max, false);
    case DimKind::Wrap:
        return fold(Instruction::Wrap, false);
    case DimKind::Broadcast:
        return fold(Instruction::Broadcast, false);
    case DimKind::Bcast:
        if (!fold(Instruction::Bcast, false))
            return false;
        program.push_back({Instruction::Bcast});
        return true;
    }
    return false;
}

using Wide = __int128;

static bool fitsWord(Wide value) { return value == int64_t(value); }

static Wide floorDiv(Wide a, Wide b) {
    const Wide quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// Operations other than sums and products; false where the result is undefined.
bool GuardProgram::combine(Instruction::Code code, Wide a, Wide b, Wide &value) {
    switch (code) {
    case Instruction::FloorDiv:
    case Instruction::Mod:
        if (b == 0)
            return false;
        value = code == Instruction::Mod ? a - b * floorDiv(a, b) : floorDiv(a, b);
        return true;
    case Instruction::Min:
        value = std::min(a, b);
        return true;
    case Instruction::Max:
        value = std::max(a, b);
        return true;
    case Instruction::Broadcast:
        value = a == 1 ? b : a;
        return true;
    case Instruction::Wrap:
        value = a < 0 ? a + b : a;
        return true;
    default:
        return false;
    }
}

// Agrees with dimEvaluate(), so that a guard which held for the compiling call holds here too.
bool GuardProgram::Term::run(const int64_t *slots, int64_t &result) const {
    llvm::SmallVector<Wide, 16> stack;
    for (const Instruction &instruction : program) {
        switch (instruction.code) {
        case Instruction::Constant:
            stack.push_back(instruction.value);
            continue;
        case Instruction::Slot:
            stack.push_back(slots[instruction.value]);
            continue;
        case Instruction::Bcast:
            stack.back() = stack.back() != 1;
            continue;
        default:
            break;
        }
        const Wide b = stack.pop_back_val(), a = stack.pop_back_val();
        Wide value = 0;
        if (instruction.code == Instruction::Add) {
            if (__builtin_add_overflow(a, b, &value))
                return false;
        } else if (instruction.code == Instruction::Multiply) {
            if (__builtin_mul_overflow(a, b, &value))
                return false;
        } else if (!fitsWord(a) || !fitsWord(b) || !combine(instruction.code, a, b, value))
            return false;
        stack.push_back(value);
    }
    result = int64_t(stack.back());
    return fitsWord(stack.back());
}

GuardProgram::GuardProgram(llvm::ArrayRef<np::GuardAttr> guards,
                           llvm::function_ref<std::optional<unsigned>(llvm::StringRef)> slotOf) {
    for (np::GuardAttr guard : guards) {
        Comparison comparison{Predicate::Never, {}, {}};
        auto term = [&](np::DimAttr dim, Term &term) {
            if (!translate(dim, term.program, slotOf))
                return false;
            term.kind = Term::Program;
            if (term.program.size() == 1) {
                term.kind = term.program[0].code == Instruction::Slot ? Term::Slot : Term::Constant;
                term.value = term.program[0].value;
            }
            return true;
        };
        if (term(guard.getLhs(), comparison.left) && term(guard.getRhs(), comparison.right))
            comparison.predicate = guard.getPred() == "=="   ? Predicate::Equal
                                   : guard.getPred() == ">=" ? Predicate::GreaterEqual
                                                             : Predicate::NotEqual;
        comparisons.push_back(std::move(comparison));
    }
}

} // namespace shapecast::bindings
