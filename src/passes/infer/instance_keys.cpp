#include "passes/infer/instance_keys.h"

#include "ops/builder/heap.h"
#include "ops/builder/heap_sites.h"
#include "ops/builder/object_keys.h"
#include "ops/builder/record_class.h"
#include "passes/frontend/library.h"
#include "passes/infer/captured_calls.h"
#include "passes/infer/class_members.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

Val shapecast::hashOf(Inference &in, const Val &v) {
    const MethodAttr own =
        isInstance(v) && !isValueRecord(v) ? methodOf(in, v, "__hash__") : MethodAttr();
    const bool isUnhashed =
        isHeapObject(v) || isPlainInstance(v) ? !own && methodOf(in, v, "__eq__") : false;
    if (isUnhashed || (own && own.getForm() == "value")) // __hash__ = None
        in.e.fail("TypeError", "unhashable type: '" + v.className() + "'");
    if (own)
        return callMethod(in, own, v, {});
    if ((v.isTuple() && !v.list) || isValueRecord(v))
        return tupleHash(in.e, llvm::map_to_vector(v.items.read(), [&](const Val &item) {
                             return hashOf(in, item);
                         }));
    return in.callNamed("builtins.hash", {v}, {});
}

// Whether a lookup of it would have to call an __eq__.
static bool definesEqual(Inference &in, const Val &v) {
    return isHeapObject(v) && (overloads(v, "__eq__") || methodOf(in, v, "__eq__"));
}

// Adds the instances in the key, itself or items of tuples, whose __eq__ a lookup would call.
static void addComparedByEqual(Inference &in, const Val &key, SmallVectorImpl<Val> &instances) {
    if (definesEqual(in, key))
        instances.push_back(key);
    if (key.isTuple() && !key.list)
        for (const Val &item : key.items.read())
            addComparedByEqual(in, item, instances);
}

// Whether keys of the slot have instances of the same classes at the same places.
static bool isAlike(Inference &in, const Slot &slot, const Val &key) {
    if (key.isTuple() && slot.valKind == Val::Kind::Tuple && slot.items.size() == key.items.size())
        return llvm::all_of(llvm::zip(slot.items, key.items.read()), [&](const auto &pair) {
            return isAlike(in, std::get<0>(pair), std::get<1>(pair));
        });
    Val known = containerOf(slot);
    known.attr = slot.attr;
    const bool isOwn =
        isHeapObject(known) && isHeapObject(key) && key.recordWords()[0] == known.recordWords()[0];
    SmallVector<Val> instances;
    addComparedByEqual(in, key, instances);
    return isOwn || (instances.empty() && !definesEqual(in, known));
}

// A named tuple is equal to a plain one: of the classes that the tuples in the slot have.
static Val asKeyOf(const Slot &slot, Val key) {
    if (!key.isTuple() || slot.valKind != Val::Kind::Tuple || slot.items.size() != key.items.size())
        return key;
    key.attr = slot.attr;
    for (auto [part, item] : llvm::zip(slot.items, key.items))
        item = asKeyOf(part, item);
    return key;
}

static void setHashOfKey(Inference &in, const Val &instance) {
    const MethodAttr hash = methodOf(in, instance, "__hash__");
    if (!hash || hash.getForm() == "value")
        in.e.fail("TypeError", "unhashable type: '" + instance.className() + "'");
    const Val made = hashOf(in, instance);
    if (in.unreachable) // it always raises
        throw Unreachable{};
    in.callNamed("shapecast.library.primitives.set_hash", {instance, made}, {});
}

std::optional<Val> shapecast::equalEntry(Inference &in, const Val &container, const Val &key) {
    TypedBuilder &e = in.e;
    const Slot &slot = heapKeySlot(container);
    const bool isOutside = isInstance(key) && !isHeapObject(key) && !key.isTuple();
    if (slot.kind == Slot::Kind::Never || isOutside)
        return std::nullopt; // it will be in memory
    Val known = containerOf(slot);
    known.attr = slot.attr;
    SmallVector<Val> instances;
    addComparedByEqual(in, key, instances);
    if (definesEqual(in, known))
        instances.push_back(known);
    if (instances.empty())
        return std::nullopt;
    if (!isAlike(in, slot, key))
        e.unsupported("an instance of " + instances[0].className() +
                      " among keys of another kind is not supported, since that class defines "
                      "__eq__; convert them to one kind");
    instances.clear();
    addComparedByEqual(in, key, instances);
    for (const Val &instance : instances)
        setHashOfKey(in, instance);
    FuncOp find = libraryFunction(in.source, "shapecast.entry of an equal key");
    Val entry = callCaptured(in, find, callArguments({container, asKeyOf(slot, key)}, {}), e.loc);
    if (in.unreachable) // an __eq__ always raises
        throw Unreachable{};
    return entry;
}

std::optional<Val> shapecast::keyOfEntry(Inference &in, const Val &container, const Val &key) {
    if (!isHeap(container, "dict") && !isHeap(container, "set"))
        return std::nullopt;
    SmallVector<Val> instances;
    addComparedByEqual(in, key, instances);
    const Slot &slot = heapKeySlot(container);
    if (instances.empty() || slot.kind == Slot::Kind::Never || !isAlike(in, slot, key))
        return std::nullopt;
    for (const Val &instance : instances)
        setHashOfKey(in, instance);
    FuncOp required = libraryFunction(in.source, "shapecast.key of an entry");
    return callCaptured(in, required, callArguments({container, key}, {}), in.e.loc);
}

std::optional<Val> shapecast::removeEntry(Inference &in, MethodOp op, ArrayRef<Val> operands) {
    static constexpr StringLiteral removing[] = {"__delitem__", "pop", "remove"};
    if (operands.size() != 2 || op.getKw() || !llvm::is_contained(removing, op.getName()))
        return std::nullopt;
    const std::optional<Val> key = keyOfEntry(in, operands[0], operands[1]);
    if (!key)
        return std::nullopt;
    if (op.getName() != "__delitem__")
        return heapMethod(in.e, operands[0], op.getName(), {*key});
    deleteHeapItem(in.e, operands[0], {*key});
    return in.e.noneVal();
}
