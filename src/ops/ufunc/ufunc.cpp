// The combined ufunc table, and loop resolution by NumPy 2's rules (NEP 50).
#include "ops/ufunc/ufunc.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace shapecast {
namespace {

llvm::SmallVector<Loop, 0> expandLoops(llvm::StringRef patterns) {
    llvm::SmallVector<Loop, 0> loops;
    llvm::SmallVector<llvm::StringRef> parts;
    patterns.split(parts, ' ', -1, /*KeepEmpty=*/false);
    for (const llvm::StringRef part : parts) {
        const auto [pattern, characters] = part.split(':');
        if (characters.empty()) {
            loops.push_back(Loop::parse(pattern));
            continue;
        }
        for (const char c : characters) {
            std::string text = pattern.str();
            std::replace(text.begin(), text.end(), '#', c);
            loops.push_back(Loop::parse(text));
        }
    }
    return loops;
}

struct Table {
    std::vector<const Ufunc *> all;
    std::vector<llvm::SmallVector<Loop, 0>> loops; // parallel to `all`
    llvm::StringMap<size_t> byName;

    Table() {
        for (const auto rows : {arithmeticUfuncs(), compareUfuncs(), bitUfuncs(), roundUfuncs(),
                                mathUfuncs(), complexUfuncs()})
            for (const Ufunc &row : rows)
                add(row);
    }

    void add(const Ufunc &row) {
        byName[row.name] = all.size();
        llvm::SmallVector<llvm::StringRef> aliases;
        row.aliases.split(aliases, ' ', -1, /*KeepEmpty=*/false);
        for (const llvm::StringRef alias : aliases)
            byName[alias] = all.size();
        all.push_back(&row);
        loops.push_back(expandLoops(row.loops));
    }
};

const Table &table() {
    static const Table instance;
    return instance;
}

bool isWeak(const OperandType &o) { return o.weak > PyKind::Bool; }

// bool < integer < float < complex
int kindRank(const OperandType &o) {
    if (isWeak(o))
        return o.weak == PyKind::Complex ? 3 : o.weak == PyKind::Float ? 2 : 1;
    return isBool(o.dtype) ? 0 : isInteger(o.dtype) ? 1 : isFloat(o.dtype) ? 2 : 3;
}
int kindRank(DType d) { return kindRank(OperandType{d}); }

int strongKindRank(llvm::ArrayRef<OperandType> operands) {
    int highest = -1;
    for (const OperandType &o : operands)
        if (!isWeak(o))
            highest = std::max(highest, kindRank(o));
    return highest;
}

// A weak scalar fits any dtype of its kind or a higher one, if a strong operand is of such a kind;
// else it counts as its default dtype. A Python complex beside a float takes the float's precision.
bool fits(const OperandType &operand, DType target, int strongest) {
    const int own = kindRank(operand);
    if (isWeak(operand) && (strongest >= own || (own == 3 && strongest == 2)))
        return kindRank(target) >= own;
    return canCast(operand.dtype, target, Casting::Safe);
}

const Loop *searchLoop(const Ufunc &ufunc, llvm::ArrayRef<OperandType> operands) {
    const int strongest = strongKindRank(operands);
    for (const Loop &loop : ufuncLoops(ufunc))
        if (llvm::all_of(llvm::zip_equal(operands, loop.in), [&](auto pair) {
                return fits(std::get<0>(pair), std::get<1>(pair), strongest);
            }))
            return &loop;
    return nullptr;
}

llvm::StringRef baseName(const Ufunc &ufunc) { return ufunc.name.split('.').first; }

std::string dtypeClass(const OperandType &o) {
    switch (o.weak) {
    case PyKind::Int:
    case PyKind::WideInt:
        return "<class 'numpy.dtypes._PyLongDType'>";
    case PyKind::Float:
        return "<class 'numpy.dtypes._PyFloatDType'>";
    case PyKind::Complex:
        return "<class 'numpy.dtypes._PyComplexDType'>";
    default:
        break;
    }
    std::string name = dtypeName(o.dtype).str();
    const size_t capitals = name[0] == 'u' ? 2 : 1; // UInt8
    for (size_t i = 0; i < capitals; ++i)
        name[i] = static_cast<char>(std::toupper(name[i]));
    return "<class 'numpy.dtypes." + name + "DType'>";
}

OpError noLoop(const Ufunc &ufunc, llvm::ArrayRef<OperandType> operands) {
    std::string text;
    llvm::raw_string_ostream out(text);
    out << "ufunc '" << baseName(ufunc)
        << "' did not contain a loop with signature matching types ";
    if (operands.size() == 1) {
        out << dtypeClass(operands[0]);
    } else {
        out << '(';
        llvm::interleaveComma(operands, out, [&](const OperandType &o) { out << dtypeClass(o); });
        out << ')';
    }
    out << " -> None";
    return {"numpy._core._exceptions.UFuncTypeError", text};
}

OpError notSupported(const Ufunc &ufunc) {
    return {"TypeError",
            ("ufunc '" + baseName(ufunc) +
             "' not supported for the input types, and the inputs could not be safely coerced to "
             "any supported types according to the casting rule ''safe''")
                .str()};
}

bool allBool(llvm::ArrayRef<OperandType> operands) {
    return llvm::all_of(operands, [](const OperandType &o) { return kindRank(o) == 0; });
}

std::variant<Loop, OpError> searched(const Ufunc &ufunc, llvm::ArrayRef<OperandType> operands) {
    if (const Loop *loop = searchLoop(ufunc, operands))
        return *loop;
    return ufunc.resolution == Resolution::Integer ? noLoop(ufunc, operands) : notSupported(ufunc);
}

// Python ints are 64 bits here, and every integer dtype but uint64 fits int64; mixed 64-bit loops
// compare exactly.
std::optional<Loop> exactComparison(llvm::ArrayRef<OperandType> operands) {
    const OperandType &a = operands[0], &b = operands[1];
    if (a.weak != PyKind::Int && b.weak != PyKind::Int)
        return std::nullopt;
    if (kindRank(a) > 1 || kindRank(b) > 1)
        return std::nullopt;
    const auto wide = [](const OperandType &o) {
        return o.dtype == DType::U64 ? DType::U64 : DType::I64;
    };
    return Loop{{wide(a), wide(b)}, DType::Bool};
}

std::variant<Loop, OpError> resolveLogical(const Ufunc &ufunc,
                                           llvm::ArrayRef<OperandType> operands) {
    if (llvm::all_equal(operands) && !isWeak(operands[0]))
        return searched(ufunc, operands);
    return Loop{llvm::SmallVector<DType, 3>(operands.size(), DType::Bool), DType::Bool};
}

OpError cannotCastInput(const Ufunc &ufunc, size_t index, size_t count, DType from, DType to,
                        Casting casting) {
    std::string text;
    llvm::raw_string_ostream out(text);
    out << "Cannot cast ufunc '" << baseName(ufunc) << "' input ";
    if (count > 1)
        out << index << ' ';
    out << "from dtype('" << dtypeName(from) << "') to dtype('" << dtypeName(to)
        << "') with casting rule '" << castingName(casting) << "'";
    return {"numpy._core._exceptions.UFuncTypeError", text};
}

// Every operand must cast to its input dtype by the casting rule.
std::variant<Loop, OpError> checkedCasts(const Ufunc &ufunc, llvm::ArrayRef<OperandType> operands,
                                         const Loop &loop, Casting casting) {
    for (size_t i = 0; i < operands.size(); ++i) {
        const OperandType &o = operands[i];
        const bool allowed =
            isWeak(o) ? kindRank(loop.in[i]) >= kindRank(o) : canCast(o.dtype, loop.in[i], casting);
        if (!allowed && casting != Casting::Unsafe)
            return cannotCastInput(ufunc, i, operands.size(), o.dtype, loop.in[i], casting);
    }
    return loop;
}

// dtype=: the loop with that output dtype.
std::variant<Loop, OpError> requestedLoop(const Ufunc &ufunc, llvm::ArrayRef<OperandType> operands,
                                          DType requested, Casting casting) {
    for (const Loop &loop : ufuncLoops(ufunc))
        if (loop.out == requested)
            return checkedCasts(ufunc, operands, loop, casting);
    return OpError{"numpy._core._exceptions.UFuncTypeError",
                   ("No loop matching the specified signature and casting was found for ufunc " +
                    baseName(ufunc))
                       .str()};
}

} // namespace

std::string Loop::text() const {
    std::string result;
    for (const DType d : in)
        result += dtypeChar(d);
    return result + "->" + dtypeChar(out);
}

Loop Loop::parse(llvm::StringRef text) {
    const auto [inputs, output] = text.split("->");
    Loop loop;
    for (const char c : inputs)
        loop.in.push_back(*dtypeFromChar(c));
    loop.out = *dtypeFromChar(output[0]);
    return loop;
}

const Ufunc *findUfunc(llvm::StringRef name) {
    const auto found = table().byName.find(name);
    return found == table().byName.end() ? nullptr : table().all[found->second];
}

llvm::ArrayRef<const Ufunc *> allUfuncs() { return table().all; }

llvm::ArrayRef<Loop> ufuncLoops(const Ufunc &ufunc) {
    return table().loops[table().byName.find(ufunc.name)->second];
}

static std::variant<Loop, OpError> foundLoop(const Ufunc &ufunc,
                                             llvm::ArrayRef<OperandType> operands) {
    switch (ufunc.resolution) {
    case Resolution::Search:
        break;
    case Resolution::NotBool:
    case Resolution::Integer:
        if (allBool(operands))
            return ufunc.boolError.empty() ? noLoop(ufunc, operands)
                                           : OpError{"TypeError", ufunc.boolError.str()};
        break;
    case Resolution::Divide:
        if (llvm::all_of(operands, [](const OperandType &o) { return kindRank(o) <= 1; }))
            return Loop::parse("dd->d");
        break;
    case Resolution::Compare:
        if (auto loop = exactComparison(operands))
            return *loop;
        break;
    case Resolution::Logical:
        return resolveLogical(ufunc, operands);
    case Resolution::Where: {
        const DType common = resultType(operands.drop_front());
        return Loop{{DType::Bool, common, common}, common};
    }
    }
    return searched(ufunc, operands);
}

std::variant<Loop, OpError> resolveUfunc(const Ufunc &ufunc, llvm::ArrayRef<OperandType> operands,
                                         std::optional<DType> requested, Casting casting) {
    assert(operands.size() == static_cast<size_t>(ufunc.inputs));
    if (requested)
        return requestedLoop(ufunc, operands, *requested, casting);
    auto found = foundLoop(ufunc, operands);
    const Loop *loop = std::get_if<Loop>(&found);
    return loop && casting < Casting::Safe ? checkedCasts(ufunc, operands, *loop, casting) : found;
}

llvm::StringRef ufuncOfScalarPower(DType base, PyKind exponentKind, double exponent) {
    const bool inexact = isFloat(base) || isComplex(base);
    if (exponentKind == PyKind::Int && exponent == 2)
        return "square";
    if (exponentKind == PyKind::Int && exponent == -1 && inexact)
        return "reciprocal";
    if (exponentKind == PyKind::Float && exponent == 0.5 && inexact)
        return "sqrt";
    return "power";
}

llvm::StringRef ufuncOfOperator(llvm::StringRef op) {
    static const llvm::StringMap<llvm::StringRef> names = {{"add", "add"},
                                                           {"sub", "subtract"},
                                                           {"mul", "multiply"},
                                                           {"truediv", "divide"},
                                                           {"floordiv", "floor_divide"},
                                                           {"mod", "remainder"},
                                                           {"pow", "power"},
                                                           {"matmul", "matmul"},
                                                           {"and", "bitwise_and"},
                                                           {"or", "bitwise_or"},
                                                           {"xor", "bitwise_xor"},
                                                           {"lshift", "left_shift"},
                                                           {"rshift", "right_shift"},
                                                           {"lt", "less"},
                                                           {"le", "less_equal"},
                                                           {"gt", "greater"},
                                                           {"ge", "greater_equal"},
                                                           {"eq", "equal"},
                                                           {"ne", "not_equal"},
                                                           {"neg", "negative"},
                                                           {"pos", "positive"},
                                                           {"invert", "invert"},
                                                           {"abs", "absolute"}};
    return names.lookup(op);
}

} // namespace shapecast
