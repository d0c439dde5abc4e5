// Joins of control flow: the least upper bound of two abstract values, and how values of that type
// are carried in block operands.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// The abstract type of a Python variable at the join of a loop or branch: what of its values is
// static, and which operands carry the rest.
struct Slot {
    enum class Kind { Typed, Static, Tuple, Optional, Union, Unbound, Never };
    Kind kind = Kind::Unbound;
    mlir::Type type; // Typed
    // Typed array: the dims that differ between the sides, carried as operands of their own.
    llvm::SmallVector<bool> dynamicDims;
    // Typed scalar that is maybe weak: the kind of the Python number. Else Strong.
    PyKind maybeWeak = PyKind::Strong;
    // Static: the constant. Optional: the value where there is none (None), null for unbound.
    // Tuple: a function's symbol, or the class and callee of an object, ...; null for a plain
    // tuple. Typed scalar: the number, or Python number of a maybe-weak one, where it is constant.
    mlir::Attribute attr;
    std::vector<Slot> items; // Tuple: of the items; Union: of the members; Optional: of the value
    Val::Kind valKind = Val::Kind::Tuple; // Tuple: the kind of value (a range, a function, ...)
    unsigned serial = 0;                  // of an iterator
    unsigned cell = 0;                    // of a list, dict or record
    bool storesCell = false;              // unpacking stores the value to its cell
    bool list = false;
    mlir::LocationAttr made;    // of a list or dict of the function's: where; not compared
    std::vector<Slot> element;  // of a DynamicList: the Slot of each item; else empty
    bool keepsConstant = false; // a number that is a member of a Union: stays the constant `attr`
    // Whether values are carried in the same way; the constant of a number matters in maybe-weak
    // scalars and members of Unions only.
    bool operator==(const Slot &other) const {
        const bool number = kind == Kind::Typed && maybeWeak == PyKind::Strong && !keepsConstant;
        return kind == other.kind && type == other.type && dynamicDims == other.dynamicDims &&
               maybeWeak == other.maybeWeak && (number || attr == other.attr) &&
               items == other.items && valKind == other.valKind && serial == other.serial &&
               cell == other.cell && list == other.list && element == other.element;
    }
};

Slot slotOf(const Val &v);
const Slot *internSlot(TypedBuilder &e, const Slot &slot); // uniqued, owned by the builder
// The least upper bound of `slot` and `v`: arrays lose dims and layouts that differ, weak constants
// take the other side's type. Fails with a join conflict, which names both, where there is none.
Slot join(TypedBuilder &e, const Slot &slot, const Val &v, llvm::StringRef variable);

// Appends the operands that carry `v` as `slot`; emits casts and sizes at the insertion point.
void pack(TypedBuilder &e, const Slot &slot, const Val &v,
          llvm::SmallVectorImpl<mlir::Value> &operands);
// Types of the packed operands.
void packedTypes(TypedBuilder &e, llvm::ArrayRef<Slot> slots,
                 llvm::SmallVectorImpl<mlir::Type> &types);
// The inverse of pack: takes the operands off the front; binds fresh symbols for dynamic dims and
// integers.
Val unpack(TypedBuilder &e, const Slot &slot, mlir::ValueRange &operands);

} // namespace shapecast
