// Where control flow meets: the common type of two values, and how values are carried as that type.
#pragma once

#include "ops/typed.h"

namespace shapecast {

// What a loop or branch carries for one Python variable.
struct Slot {
    enum class Kind { Typed, Static, Tuple, Maybe, OneOf, Unbound, Never };
    Kind kind = Kind::Unbound;
    mlir::Type type; // Typed
    llvm::SmallVector<bool>
        changing; // Typed array: dims that differ between the sides are carried beside it
    PyKind blend = PyKind::Strong; // Typed scalar that is such a Python number on some paths
    mlir::Attribute attr;          // Static; Maybe: what it is otherwise (None), null for unbound;
                                   // Tuple: a function's symbol, or what makes an object; null for
                                   // a tuple; Typed scalar: the Python number, where it is known
    std::vector<Slot> items;       // Tuple, OneOf; Maybe: the one inside
    Val::Kind made = Val::Kind::Tuple; // Tuple: what is made of the items (a range, a function)
    unsigned serial = 0;               // of an iterator
    unsigned cell = 0;                 // of a list or dict
    bool fillsCell = false;            // what is unpacked becomes what the cell holds
    bool list = false;
    std::vector<Slot> element; // of a list that has grown: the one that each item is carried as
    bool known = false; // a number of one of several kinds is that constant, where it has one
    // Carried alike; a number that is not part of a blend may be known or not.
    bool operator==(const Slot &other) const {
        const bool number = kind == Kind::Typed && blend == PyKind::Strong && !known;
        return kind == other.kind && type == other.type && changing == other.changing &&
               blend == other.blend && (number || attr == other.attr) && items == other.items &&
               made == other.made && serial == other.serial && cell == other.cell &&
               list == other.list && element == other.element;
    }
};

Slot slotOf(const Val &v);
const Slot *lasting(TypedBuilder &e, const Slot &slot); // as long as the builder
// The slot that can hold what `slot` holds and `v`: arrays give up dims and layouts that differ,
// weak constants take the other side's type. Fails with UnsupportedError naming both where there is
// none.
Slot join(TypedBuilder &e, const Slot &slot, const Val &v, llvm::StringRef variable);

// Appends the operands that carry `v` as `slot` (emits casts and sizes at the insertion point).
void pack(TypedBuilder &e, const Slot &slot, const Val &v,
          llvm::SmallVectorImpl<mlir::Value> &operands);
// Types of the packed operands.
void packedTypes(TypedBuilder &e, llvm::ArrayRef<Slot> slots,
                 llvm::SmallVectorImpl<mlir::Type> &types);
// The value carried: takes its operands off the front; binds fresh symbols for changing dims and
// integers.
Val unpack(TypedBuilder &e, const Slot &slot, mlir::ValueRange &operands);

} // namespace shapecast
