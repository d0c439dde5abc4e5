// NumPy's dtypes and NEP 50: promotion, casting kinds, names. Knows nothing of MLIR.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstddef>
#include <cstdint>
#include <optional>

namespace shapecast {

enum class DType : uint8_t { Bool, I8, I16, I32, I64, U8, U16, U32, U64, F16, F32, F64, C64, C128 };
inline constexpr int dtypeCount = 14;

// Python scalars are weak under NEP 50: they take part in promotion by kind only. Int has 64 bits,
// WideInt 128: what a constant or uint64 beyond 64 bits is, and what is computed of it.
enum class PyKind : uint8_t { Strong, Bool, Int, WideInt, Float, Complex };

// What promotion needs to know of an operand. A weak operand's dtype is the one it has by itself:
// bool, int64, uint64 (WideInt), float64, complex128.
struct OperandType {
    DType dtype;
    PyKind weak = PyKind::Strong;
    bool operator==(const OperandType &) const = default;
};

bool isBool(DType d);
bool isSigned(DType d);   // I8..I64
bool isUnsigned(DType d); // U8..U64
bool isInteger(DType d);  // signed or unsigned, not bool
bool isFloat(DType d);    // F16 F32 F64
bool isComplex(DType d);
size_t itemSize(DType d); // bytes
char dtypeChar(DType d);  // NumPy's type character on Linux x86-64: ? b h i l B H I L e f d F D
llvm::StringRef dtypeName(DType d); // "float64"
// "float64", also "f8", "d", "float", "int", "bool_", "intp".
std::optional<DType> dtypeFromName(llvm::StringRef name);
std::optional<DType> dtypeFromChar(char c); // also q Q (longlong) as I64 U64
DType realPart(DType d);                    // C64 -> F32, C128 -> F64, others themselves

DType promote(DType a, DType b);                        // np.promote_types
DType resultType(llvm::ArrayRef<OperandType> operands); // np.result_type with NEP 50's weak scalars
enum class Casting { No, Equiv, Safe, SameKind, Unsafe };
llvm::StringRef castingName(Casting casting);        // "same_kind"
bool canCast(DType from, DType to, Casting casting); // np.can_cast

} // namespace shapecast
