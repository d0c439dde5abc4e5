// NumPy's dtypes: one table of facts, and promotion and casting computed from kind and size.
#include "facts/dtype.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace shapecast {
namespace {

// In the order of NumPy's same_kind casting: upwards is allowed.
enum class Kind : uint8_t { Bool, Unsigned, Signed, Float, Complex };

struct Facts {
    DType dtype;
    char character;
    Kind kind;
    uint8_t bytes;
    llvm::StringRef name;
    llvm::StringRef code; // array-protocol code: "f8"
};

constexpr Facts dtypes[dtypeCount] = {
    {DType::Bool, '?', Kind::Bool, 1, "bool", "b1"},
    {DType::I8, 'b', Kind::Signed, 1, "int8", "i1"},
    {DType::I16, 'h', Kind::Signed, 2, "int16", "i2"},
    {DType::I32, 'i', Kind::Signed, 4, "int32", "i4"},
    {DType::I64, 'l', Kind::Signed, 8, "int64", "i8"},
    {DType::U8, 'B', Kind::Unsigned, 1, "uint8", "u1"},
    {DType::U16, 'H', Kind::Unsigned, 2, "uint16", "u2"},
    {DType::U32, 'I', Kind::Unsigned, 4, "uint32", "u4"},
    {DType::U64, 'L', Kind::Unsigned, 8, "uint64", "u8"},
    {DType::F16, 'e', Kind::Float, 2, "float16", "f2"},
    {DType::F32, 'f', Kind::Float, 4, "float32", "f4"},
    {DType::F64, 'd', Kind::Float, 8, "float64", "f8"},
    {DType::C64, 'F', Kind::Complex, 8, "complex64", "c8"},
    {DType::C128, 'D', Kind::Complex, 16, "complex128", "c16"},
};

struct Alias {
    llvm::StringRef name;
    DType dtype;
};

constexpr Alias aliases[] = {
    {"bool_", DType::Bool},    {"byte", DType::I8},      {"short", DType::I16},
    {"intc", DType::I32},      {"int", DType::I64},      {"int_", DType::I64},
    {"intp", DType::I64},      {"long", DType::I64},     {"longlong", DType::I64},
    {"ubyte", DType::U8},      {"ushort", DType::U16},   {"uintc", DType::U32},
    {"uint", DType::U64},      {"uintp", DType::U64},    {"ulong", DType::U64},
    {"ulonglong", DType::U64}, {"half", DType::F16},     {"single", DType::F32},
    {"double", DType::F64},    {"float", DType::F64},    {"csingle", DType::C64},
    {"cdouble", DType::C128},  {"complex", DType::C128}, {"complex_", DType::C128},
};

const Facts &facts(DType d) { return dtypes[static_cast<size_t>(d)]; }
Kind kind(DType d) { return facts(d).kind; }

DType ofKindAndSize(Kind kind, size_t bytes) {
    const Facts *found =
        llvm::find_if(dtypes, [&](const Facts &f) { return f.kind == kind && f.bytes == bytes; });
    return found->dtype;
}

DType complexOf(DType real) { return real == DType::F64 ? DType::C128 : DType::C64; }

// The smallest float that holds every value of an integer dtype (64-bit integers: float64, as in
// NumPy).
DType floatFor(DType integer) {
    const size_t bytes = itemSize(integer);
    return bytes == 1 ? DType::F16 : bytes == 2 ? DType::F32 : DType::F64;
}

// Python's kinds and dtypes' kinds in one order (NEP 50): bool, int, float, complex.
int kindRank(DType d) { return isBool(d) ? 0 : isInteger(d) ? 1 : isFloat(d) ? 2 : 3; }
int kindRank(PyKind weak) {
    return weak == PyKind::Int || weak == PyKind::WideInt ? 1
           : weak == PyKind::Float                        ? 2
           : weak == PyKind::Complex                      ? 3
                                                          : 0;
}

} // namespace

bool isBool(DType d) { return d == DType::Bool; }
bool isSigned(DType d) { return kind(d) == Kind::Signed; }
bool isUnsigned(DType d) { return kind(d) == Kind::Unsigned; }
bool isInteger(DType d) { return isSigned(d) || isUnsigned(d); }
bool isFloat(DType d) { return kind(d) == Kind::Float; }
bool isComplex(DType d) { return kind(d) == Kind::Complex; }
size_t itemSize(DType d) { return facts(d).bytes; }
char dtypeChar(DType d) { return facts(d).character; }
llvm::StringRef dtypeName(DType d) { return facts(d).name; }

std::optional<DType> dtypeFromChar(char c) {
    if (c == 'q')
        return DType::I64;
    if (c == 'Q')
        return DType::U64;
    for (const Facts &f : dtypes)
        if (f.character == c)
            return f.dtype;
    return std::nullopt;
}

std::optional<DType> dtypeFromName(llvm::StringRef name) {
    name.consume_front("numpy."); // the class np.float64
    if (name.size() == 1)
        return dtypeFromChar(name[0]);
    if (!name.empty() && (name[0] == '<' || name[0] == '=' || name[0] == '|'))
        name = name.drop_front();
    for (const Facts &f : dtypes)
        if (f.name == name || f.code == name)
            return f.dtype;
    for (const Alias &a : aliases)
        if (a.name == name)
            return a.dtype;
    return std::nullopt;
}

DType realPart(DType d) { return d == DType::C64 ? DType::F32 : d == DType::C128 ? DType::F64 : d; }

DType promote(DType a, DType b) {
    if (kind(a) > kind(b))
        std::swap(a, b); // from here a's kind is not the higher one
    if (isBool(a))
        return b;
    if (kind(a) == kind(b))
        return itemSize(a) >= itemSize(b) ? a : b;
    if (isComplex(b))
        return complexOf(promote(isFloat(a) ? a : floatFor(a), realPart(b)));
    if (isFloat(b))
        return promote(floatFor(a), b);
    if (itemSize(a) < itemSize(b)) // unsigned in a wider signed
        return b;
    return itemSize(a) == 8 ? DType::F64 : ofKindAndSize(Kind::Signed, 2 * itemSize(a));
}

DType resultType(llvm::ArrayRef<OperandType> operands) {
    std::optional<DType> strong;
    PyKind weak = PyKind::Strong;
    for (const OperandType &operand : operands) {
        if (kindRank(operand.weak) > 0)
            weak = std::max(weak, operand.weak);
        else
            strong = strong ? promote(*strong, operand.dtype) : operand.dtype;
    }
    if (weak == PyKind::Strong)
        return strong.value_or(DType::F64);
    if (strong && kindRank(*strong) >= kindRank(weak))
        return *strong;
    if (strong && isFloat(*strong)) // a Python complex keeps the float's precision
        return complexOf(*strong);
    return weak == PyKind::Int       ? DType::I64
           : weak == PyKind::WideInt ? DType::U64
           : weak == PyKind::Float   ? DType::F64
                                     : DType::C128;
}

llvm::StringRef castingName(Casting casting) {
    static constexpr llvm::StringLiteral names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    return names[static_cast<size_t>(casting)];
}

bool canCast(DType from, DType to, Casting casting) {
    switch (casting) {
    case Casting::No:
    case Casting::Equiv:
        return from == to;
    case Casting::Safe:
        return promote(from, to) == to;
    case Casting::SameKind:
        return kind(from) <= kind(to) || promote(from, to) == to;
    case Casting::Unsafe:
        return true;
    }
    return false;
}

} // namespace shapecast
