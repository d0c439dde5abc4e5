// Boxes results of compiled code as Python objects.
#include "bindings/call/results.h"
#include "bindings/call/changed_objects.h"
#include "bindings/call/containers.h"
#include "bindings/call/device_array.h"
#include "bindings/call/device_call.h"
#include "bindings/call/number_lists.h"
#include "bindings/call/numpy_types.h"
#include "bindings/call/recorded_values.h"
#include "bindings/call/result_arrays.h"
#include "bindings/call/texts.h"
#include "bindings/call/wide_ints.h"
#include "ops/ufunc/types.h"
#include "runtime/memory.h"

#include <cstring>

namespace shapecast::bindings {
namespace {

using runtime::ownerArgument;
using runtime::ownerView;

// NumPy frees an array's memory through the handler of the array (NEP 49): this one, for buffers of
// compiled code.
void *handlerMalloc(void *, size_t bytes) { return runtime::allocDetached(int64_t(bytes)); }
void *handlerCalloc(void *, size_t count, size_t size) {
    void *data = runtime::allocDetached(int64_t(count * size));
    return data ? std::memset(data, 0, count * size) : nullptr;
}
void *handlerRealloc(void *, void *data, size_t bytes) { // ndarray.resize
    void *grown = runtime::allocDetached(int64_t(bytes));
    if (grown) {
        std::memcpy(grown, data, std::min(bytes, runtime::bufferBytes(data)));
        runtime::freeDetached(data);
    }
    return grown;
}
void handlerFree(void *, void *data, size_t) { runtime::freeDetached(data); }

PyDataMem_Handler handler = {
    "shapecast", 1, {nullptr, handlerMalloc, handlerCalloc, handlerRealloc, handlerFree}};
PyObject *handlerCapsule = nullptr;

double asDouble(int64_t bits) {
    double value;
    std::memcpy(&value, &bits, 8);
    return value;
}

unsigned slotsOf(const ResultOperand &operand);

[[gnu::hot]] PyObject *number(const ResultOperand &operand, const int64_t *slot) {
    switch (operand.kind) {
    case ResultOperand::Array:
        break;
    case ResultOperand::Strong:
        return scalarObject(operand.dtype, slot);
    case ResultOperand::PyBool:
        return Py_NewRef(*slot & 1 ? Py_True : Py_False);
    case ResultOperand::PyInt:
        return PyLong_FromLongLong(*slot);
    case ResultOperand::PyWideInt:
        return wideIntObject(slot);
    case ResultOperand::PyFloat:
        return PyFloat_FromDouble(asDouble(*slot));
    case ResultOperand::PyComplex:
        return PyComplex_FromDoubles(asDouble(slot[0]), asDouble(slot[1]));
    case ResultOperand::Object:
        return Py_NewRef(reinterpret_cast<PyObject *>(*slot));
    case ResultOperand::Text:
        return textObject(*reinterpret_cast<const runtime::Text *>(*slot)).release();
    }
    return nullptr;
}

void own(PyObject *array) {
    auto *fields = reinterpret_cast<PyArrayObject_fields *>(array);
    fields->mem_handler = Py_NewRef(handlerCapsule);
    fields->flags |= NPY_ARRAY_OWNDATA;
}

// Whether the result is in the device's memory, not a copy of MovedArrays.
bool isOnDevice(const ResultOperand &operand, const Call &call) {
    return operand.onDevice && call.target < 0;
}

// A copy of MovedArrays of what is a NumPy scalar in the host.
bool isMovedScalar(const ResultOperand &operand, const Call &call) {
    return operand.scalar && call.target >= 0;
}

// An array that takes ownership of a buffer.
[[gnu::hot]] PyObject *freshArray(const ResultOperand &operand, const int64_t *slot,
                                  runtime::Context &ctx) {
    PyObject *array = newArray(operand, slot, NPY_ARRAY_WRITEABLE);
    if (!array)
        return nullptr;
    runtime::detach(&ctx, reinterpret_cast<void *>(slot[1]));
    own(array);
    return array;
}

class ResultBuilder {
    const ResultPlan &plan;
    const Call &call;
    runtime::Context &ctx;
    const int64_t *slots;
    // The arrays that own fresh buffers now, by their data; borrowed from `made`.
    llvm::SmallDenseMap<void *, PyObject *, 4> owners;
    llvm::SmallVector<Ref, 4> made; // fresh arrays, so that one buffer is one object
    llvm::SmallVector<std::pair<unsigned, PyObject *>, 4> views; // borrowed from what is returned
    llvm::SmallVector<std::pair<unsigned, Ref>, 0> containers;   // lists and dicts, by cell
    bool hasContained = false; // arrays were taken from containers
    size_t returned = 0;       // how many of `views` are of the result, not of the changes

public:
    ResultBuilder(const ResultPlan &plan, const Call &call, runtime::Context &ctx,
                  const int64_t *slots)
        : plan(plan), call(call), ctx(ctx), slots(slots) {}

    // Between the result and the contents of changed objects.
    void endResult() { returned = views.size(); }

    PyObject *node(const ResultNode &node) {
        if (!node.cell)
            return fresh(node);
        for (const auto &[cell, object] : containers)
            if (cell == node.cell)
                return Py_NewRef(object.get());
        Ref object = Ref::steal(fresh(node));
        if (object)
            containers.emplace_back(node.cell, Ref::share(object.get()));
        return object.release();
    }

    PyObject *fresh(const ResultNode &node) {
        if (node.kind == ResultNode::Operand)
            return operand(node.operand);
        if (node.kind == ResultNode::Static)
            return Py_NewRef(node.object.get());
        if (node.kind == ResultNode::Container || node.kind == ResultNode::CallersObject)
            return Py_NewRef(callersObject(node, call));
        if (node.kind == ResultNode::Optional)
            return this->node(node.items[slots[plan.operands[node.flag].slot] ? 0 : 1]);
        if (node.kind == ResultNode::Dict) {
            Ref dict = Ref::steal(PyDict_New());
            for (const ResultNode &pair : node.items[0].items) {
                Ref key = Ref::steal(this->node(pair.items[0]));
                Ref value = Ref::steal(key ? this->node(pair.items[1]) : nullptr);
                if (!dict || !value || PyDict_SetItem(dict.get(), key.get(), value.get()) < 0)
                    return nullptr;
            }
            return dict.release();
        }
        if (node.kind == ResultNode::Numbers) {
            Ref column = Ref::steal(this->node(node.items.back()));
            return column ? listOfNumbers(reinterpret_cast<PyArrayObject *>(column.get()))
                          : nullptr;
        }
        if (node.kind == ResultNode::NamedTuple) {
            Ref items = Ref::steal(tuple(node));
            Ref given = items ? Ref::steal(PyTuple_Pack(1, items.get())) : Ref();
            auto *type = reinterpret_cast<PyTypeObject *>(node.object.get());
            return given ? PyTuple_Type.tp_new(type, given.get(), nullptr) : nullptr;
        }
        if (node.kind == ResultNode::Instance)
            return instance(node);
        if (node.kind == ResultNode::Call) {
            Ref arguments = Ref::steal(tuple(node));
            return arguments ? callNamed(node.callee.c_str(), arguments.get()).release() : nullptr;
        }
        if (node.kind == ResultNode::List) {
            Ref list = Ref::steal(PyList_New(0));
            for (const ResultNode &child : node.items) {
                Ref item = Ref::steal(this->node(child));
                if (!list || !item || PyList_Append(list.get(), item.get()) < 0)
                    return nullptr;
            }
            return list.release();
        }
        return tuple(node);
    }

    PyObject *instance(const ResultNode &node) {
        const Ref nothing = Ref::steal(PyTuple_New(0));
        Ref made = Ref::steal(PyBaseObject_Type.tp_new(
            reinterpret_cast<PyTypeObject *>(node.object.get()), nothing.get(), nullptr));
        for (size_t k = 0; made && k < node.names.size(); ++k) {
            const Ref value = Ref::steal(this->node(node.items[k + 1]));
            if (!value || PyObject_GenericSetAttr(made.get(), node.names[k].get(), value.get()) < 0)
                return nullptr;
        }
        return made.release();
    }

    PyObject *tuple(const ResultNode &node) {
        PyObject *tuple = PyTuple_New(Py_ssize_t(node.items.size()));
        for (size_t i = 0; tuple && i < node.items.size(); ++i) {
            PyObject *item = this->node(node.items[i]);
            if (!item) {
                Py_DECREF(tuple);
                return nullptr;
            }
            PyTuple_SET_ITEM(tuple, Py_ssize_t(i), item);
        }
        return tuple;
    }

    // Arrays of whole buffers come before views of them: such an array is the base of the views.
    bool makeOwners() {
        for (unsigned k = 0; k < plan.operands.size(); ++k) {
            const ResultOperand &operand = plan.operands[k];
            if (operand.kind != ResultOperand::Array || isMovedScalar(operand, call))
                continue;
            const auto token = uintptr_t(slots[operand.slot + 1]);
            if (!token || (token & (ownerArgument | ownerView)) ||
                ownerOf(reinterpret_cast<void *>(token)))
                continue;
            const int64_t *slot = slots + operand.slot;
            Ref array = Ref::steal(isOnDevice(operand, call) ? freshDeviceArray(operand, slot, ctx)
                                                             : freshArray(operand, slot, ctx));
            if (!array)
                return false;
            keepOwner(reinterpret_cast<void *>(token), std::move(array));
        }
        return true;
    }

    PyObject *operand(unsigned k) {
        const ResultOperand &operand = plan.operands[k];
        const int64_t *slot = slots + operand.slot;
        if (isMovedScalar(operand, call))
            return PyArray_Scalar(reinterpret_cast<void *>(*slot), descriptorOf(operand.dtype),
                                  nullptr);
        return operand.kind == ResultOperand::Array ? array(k, operand) : number(operand, slot);
    }

    // Of an array in a container in memory, whose reference it takes. A buffer of which a view was
    // made before has an array of one axis: that owns it.
    PyObject *contained(const ResultOperand &operand, const int64_t *slot) {
        const auto token = uintptr_t(slot[1]);
        if (token & ownerArgument)
            return newObject(operand, slot);
        hasContained = true;
        void *data = runtime::bufferOf(token);
        PyObject *owner = ownerOf(data);
        if (!owner && (token & ownerView))
            return newObject(operand, slot);
        if (!owner)
            return Py_XNewRef(keepOwner(data, Ref::steal(freshArray(operand, slot, ctx))));
        runtime::sc_release(&ctx, token);
        if (token & ownerView)
            return newObject(operand, slot);
        auto *array = reinterpret_cast<PyArrayObject *>(owner);
        const bool isIt = PyArray_NDIM(array) == operand.rank &&
                          PyArray_CompareLists(PyArray_DIMS(array), slot + 2, operand.rank);
        return isIt ? Py_NewRef(owner) : view(operand, slot, owner, true);
    }

    // Where making the result failed, containers may still refer to arrays that it took from them:
    // these are not freed.
    void keepContained() {
        if (hasContained)
            for (Ref &array : made)
                array.release();
    }

private:
    PyObject *ownerOf(void *data) const { return owners.lookup(data); }

    // The same elements in the same order. An array that is the result of a branch or loop, is
    // returned and stored in the caller's list has to be one object, not `x` here and `x[:]` there.
    bool isSameView(const ResultOperand &a, const ResultOperand &b) const {
        const int64_t *x = slots + a.slot, *y = slots + b.slot;
        return (a.carried || b.carried) && a.rank == b.rank && a.dtype == b.dtype &&
               std::equal(x, x + slotsOf(a), y);
    }

    // An operand that occurs twice in the tree is one object.
    PyObject *array(unsigned k, const ResultOperand &operand) {
        for (auto [i, view] : llvm::enumerate(views)) {
            auto [number, object] = view;
            if (number == k || (i < returned && isSameView(plan.operands[number], operand)))
                return Py_NewRef(object);
        }
        PyObject *object = newObject(operand, slots + operand.slot);
        if (object && operand.onDevice && deviceArrayOf(object))
            object = adopted(object, call);
        if (object)
            views.emplace_back(k, object);
        return object;
    }

    PyObject *newObject(const ResultOperand &operand, const int64_t *slot) {
        const auto token = uintptr_t(slot[1]);
        if (token & ownerArgument) {
            PyObject *argument = call.arguments[token >> 2];
            if (!(token & ownerView))
                return Py_NewRef(argument);
            for (const CopiedArgument &copy : call.copies)
                if (copy.parameter == token >> 2)
                    argument = copy.copy.get();
            return view(operand, slot, argument, !operand.readonly);
        }
        void *data = runtime::bufferOf(token);
        if (!(token & ownerView))
            return Py_NewRef(ownerOf(data));
        PyObject *owner = ownerOf(data);
        if (!owner && !(owner = wholeBuffer(operand, data)))
            return nullptr;
        return view(operand, slot, owner, !(token & runtime::ownerLocked));
    }

    // An array of the buffer of a view, where the result has no such array.
    PyObject *wholeBuffer(const ResultOperand &operand, void *data) {
        if (isOnDevice(operand, call))
            return keepOwner(data, Ref::steal(wholeDeviceBuffer(data, ctx)));
        npy_intp size = npy_intp(runtime::bufferBytes(data) / itemSize(operand.dtype));
        PyArray_Descr *descr = descriptorOf(operand.dtype);
        Py_INCREF(descr);
        Ref array = Ref::steal(PyArray_NewFromDescr(&PyArray_Type, descr, 1, &size, nullptr, data,
                                                    NPY_ARRAY_CARRAY, nullptr));
        if (!array)
            return nullptr;
        runtime::detach(&ctx, data);
        own(array.get());
        return keepOwner(data, std::move(array));
    }

    PyObject *keepOwner(void *data, Ref array) {
        if (!array)
            return nullptr;
        owners.try_emplace(data, array.get());
        made.push_back(std::move(array));
        return made.back().get();
    }

    PyObject *view(const ResultOperand &operand, const int64_t *slot, PyObject *base,
                   bool writeable) {
        if (operand.onDevice && !PyArray_Check(base))
            return deviceView(operand, slot, base, !writeable, ctx);
        writeable &= bool(PyArray_ISWRITEABLE(reinterpret_cast<PyArrayObject *>(base)));
        Ref array = Ref::steal(newArray(operand, slot, writeable ? NPY_ARRAY_WRITEABLE : 0));
        if (!array || PyArray_SetBaseObject(reinterpret_cast<PyArrayObject *>(array.get()),
                                            Py_NewRef(base)) < 0)
            return nullptr;
        return array.release();
    }
};

ResultOperand planOperand(mlir::Type type, unsigned slot) {
    ResultOperand operand;
    operand.slot = slot;
    if (auto array = mlir::dyn_cast<np::ArrayType>(type)) {
        operand.dtype = operandType(type)->dtype;
        operand.layout = array.getLayout();
        operand.readonly = array.getReadonly();
        operand.onDevice = bool(array.getDevice());
        operand.rank = int(array.getRank());
        return operand;
    }
    if (mlir::isa<np::ObjectType>(type)) {
        operand.kind = ResultOperand::Object;
        return operand;
    }
    const OperandType scalar = *operandType(type);
    operand.dtype = scalar.dtype;
    switch (scalar.weak) {
    case PyKind::Strong:
        operand.kind = ResultOperand::Strong;
        break;
    case PyKind::Bool:
        operand.kind = ResultOperand::PyBool;
        break;
    case PyKind::Int:
        operand.kind = ResultOperand::PyInt;
        break;
    case PyKind::WideInt:
        operand.kind = ResultOperand::PyWideInt;
        break;
    case PyKind::Float:
        operand.kind = ResultOperand::PyFloat;
        break;
    case PyKind::Complex:
        operand.kind = ResultOperand::PyComplex;
        break;
    }
    return operand;
}

unsigned slotsOf(const ResultOperand &operand) {
    if (operand.kind == ResultOperand::Array)
        return 2 + 2 * unsigned(operand.rank);
    return operand.kind == ResultOperand::PyComplex || operand.kind == ResultOperand::PyWideInt ||
                   isComplex(operand.dtype)
               ? 2
               : 1;
}

} // namespace

static void planOperands(llvm::ArrayRef<mlir::Type> types, ResultPlan &plan) {
    for (mlir::Type type : types) {
        plan.operands.push_back(planOperand(type, plan.slots));
        plan.slots += slotsOf(plan.operands.back());
    }
}

// A string is made of its memory, which others may refer to: no array takes that.
static void planTexts(ResultNode &node, ResultPlan &plan) {
    for (ResultNode &item : node.items)
        planTexts(item, plan);
    if (node.kind != ResultNode::Call || node.callee != "shapecast._objects.contained" ||
        node.items[0].kind != ResultNode::Static ||
        PyUnicode_CompareWithASCIIString(node.items[0].object.get(), "T") != 0)
        return;
    ResultNode text;
    text.kind = ResultNode::Operand;
    text.operand = node.items[1].operand;
    plan.operands[text.operand].kind = ResultOperand::Text;
    node = std::move(text);
}

static void planKept(const Variant &variant, ResultPlan &plan) {
    for (const KeptChanges &changes : variant.kept) {
        ResultPlan &kept = plan.kept.emplace_back();
        planOperands(changes.types, kept);
        kept.tree = planNode({});
        kept.changes = planChanges(changes.writes);
        plan.keptSlots = std::max(plan.keptSlots, kept.slots);
        for (ChangedObject &change : kept.changes)
            planTexts(change.contents, kept);
    }
}

ResultPlan planResults(const Variant &variant) {
    ResultPlan plan;
    planOperands(variant.resultTypes, plan);
    for (int64_t k : variant.carriedResults)
        plan.operands[size_t(k)].carried = true;
    for (int64_t k : variant.scalarResults)
        plan.operands[size_t(k)].scalar = true;
    plan.tree = planNode(variant.resultTree);
    plan.changes = planChanges(variant.writes);
    planKept(variant, plan);
    return plan;
}

[[gnu::hot]] PyObject *wrapResults(const ResultPlan &plan, const Call &call, runtime::Context &ctx,
                                   const int64_t *slots) {
    // Fast path without bookkeeping: None, one number, one fresh array.
    if (plan.tree.kind == ResultNode::Static && plan.operands.empty() && plan.changes.empty())
        return Py_NewRef(plan.tree.object.get());
    if (plan.tree.kind == ResultNode::Operand && plan.operands.size() == 1 && plan.changes.empty())
        [[likely]] {
        const ResultOperand &only = plan.operands[0];
        if (only.kind != ResultOperand::Array)
            return number(only, slots);
        const bool isFresh = !(uintptr_t(slots[1]) & (ownerArgument | ownerView));
        if (isFresh && !isMovedScalar(only, call)) {
            return isOnDevice(only, call) ? adopted(freshDeviceArray(only, slots, ctx), call)
                                          : freshArray(only, slots, ctx);
        }
    }
    ResultBuilder builder(plan, call, ctx, slots);
    const SharedContainers shared(call, [&](const ResultOperand &array, const int64_t *its) {
        return builder.contained(array, its);
    });
    if (!builder.makeOwners())
        return nullptr;
    Ref result = Ref::steal(builder.node(plan.tree));
    builder.endResult();
    llvm::SmallVector<Ref, 0> contents;
    for (const ChangedObject &change : plan.changes)
        contents.push_back(Ref::steal(result ? builder.node(change.contents) : nullptr));
    const bool made = result && llvm::all_of(contents, [](const Ref &now) { return bool(now); });
    if (!made)
        builder.keepContained();
    return made && storeChanges(plan.changes, call, contents) ? result.release() : nullptr;
}

bool storeKept(const ResultPlan &plan, const Call &call, runtime::Context &ctx) {
    const int64_t number = ctx.changes[0];
    if (number < 1)
        return true;
    return bool(Ref::steal(wrapResults(plan.kept[size_t(number - 1)], call, ctx, ctx.changes + 1)));
}

bool initResults() {
    initNumpyTypes();
    handlerCapsule = PyCapsule_New(&handler, "mem_handler", nullptr);
    return handlerCapsule != nullptr;
}

} // namespace shapecast::bindings
