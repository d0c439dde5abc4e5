#include "ops/builder/text_slots.h"

#include "runtime/text.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static ArrayType handleType(TypedBuilder &e) {
    return ArrayType::get(e.ctx, {e.dimConst(runtime::textWords)}, scalarType(e.ctx, DType::I64),
                          Layout::C, false, StringAttr());
}

Val shapecast::textOfHandle(Val handle) {
    Val v;
    v.kind = Val::Kind::Text;
    v.items = {std::move(handle)};
    return v;
}

Slot shapecast::textSlot(TypedBuilder &e) {
    Slot handle, slot;
    handle.kind = Slot::Kind::Typed;
    handle.type = handleType(e);
    handle.dynamicDims.assign(1, false);
    slot.kind = Slot::Kind::Tuple;
    slot.valKind = Val::Kind::Text;
    slot.items = {handle};
    return slot;
}

bool shapecast::isTextSlot(const Slot &slot) {
    if (slot.kind == Slot::Kind::Union)
        return llvm::all_of(slot.items, isTextSlot);
    if (slot.kind == Slot::Kind::Tuple && slot.valKind == Val::Kind::Text)
        return true;
    const bool ofKind = slot.kind == Slot::Kind::Static ||
                        (slot.kind == Slot::Kind::Tuple && slot.valKind == Val::Kind::Object);
    auto known = dyn_cast_or_null<PyAttr>(slot.attr);
    return ofKind && known && known.getKind() == "str";
}
