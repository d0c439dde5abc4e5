#include "passes/infer/object_states.h"

#include "ops/builder/cells.h"
#include "ops/builder/containers.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/heap.h"
#include "ops/builder/operators.h"
#include "passes/infer/heaps.h"
#include "passes/infer/iterables.h"
#include "passes/infer/kept_changes.h"
#include "passes/infer/recursion.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static bool isOfAttributes(ObjectStateAttr state) { return state.getForm() == "names"; }

static bool areInMemory(const Inference &in, int64_t object) {
    return llvm::any_of(in.recursions.statesInMemory,
                        [&](ObjectStateAttr state) { return state.getObject() == object; });
}

// The sites of the lists that would have the attributes. None for attributes that are not set yet.
static void makeSites(Inference &in, ObjectStateAttr state) {
    constexpr unsigned firstPlace = 1u << 26; // not those of calls, arguments or constants
    SmallVector<unsigned> &sites = in.recursions.sitesOfStates[state.getObject()];
    if (llvm::any_of(state.getItems(), llvm::IsaPred<UnitAttr>))
        return;
    for (size_t k = 0; k < state.getItems().size(); ++k) {
        const auto place = firstPlace + unsigned(state.getObject()) * 256 + unsigned(k);
        sites.push_back(in.e.heapSites->make(HeapSites::placed(in.e.loc, place), "list"));
    }
}

static void putInMemory(Inference &in, ObjectStateAttr state, std::vector<Val> &items) {
    HeapSites &heap = *in.e.heapSites;
    for (auto [item, site] :
         llvm::zip_equal(items, in.recursions.sitesOfStates[state.getObject()])) {
        heap.sites[site].isUsed = true;
        const Val list = newHeap(in.e, heap.sites[site]);
        callHeap(in, list, "append", {item}, {});
        in.attributesInMemory.push_back(list);
        item = list;
    }
    in.recursions.statesInMemory.push_back(state);
}

static Val stateOf(Inference &in, ObjectStateAttr state, ArrayRef<Val> hidden) {
    TypedBuilder &e = in.e;
    std::vector<Val> items;
    for (Attribute item : state.getItems()) {
        if (auto number = dyn_cast<IntegerAttr>(item))
            items.push_back(hidden[size_t(number.getInt())]);
        else if (auto other = dyn_cast<ArrayAttr>(item))
            items.push_back(in.objectStates[cast<IntegerAttr>(other[0]).getInt()]);
        else
            items.emplace_back();
    }
    if (isOfAttributes(state)) {
        makeSites(in, state);
        const ArrayRef<unsigned> sites = in.recursions.sitesOfStates[state.getObject()];
        if (llvm::any_of(sites, [&](unsigned site) { return e.heapSites->sites[site].isUsed; }))
            putInMemory(in, state, items);
    }
    const StringRef form = state.getForm();
    Val v = form == "ints" || form == "floats" ? dynamicListOf(e, items[0], form == "floats")
            : form == "names" || form == "keys"
                ? dictVal(e, state.getKeys().getValue(), std::move(items))
                : e.tupleVal(std::move(items), form == "list");
    allocateCells(e, v);
    if (v.cell) {
        e.cells[v.cell].target = state;
        v.made = e.cells[v.cell].made = {};
        e.cells[v.cell].changes = areInMemory(in, state.getObject()); // at any time from now on
    }
    return v;
}

void shapecast::bindStates(Inference &in) {
    if (!in.e.isEntry)
        return;
    in.recursions.statesInMemory.clear();
    in.recursions.sitesOfStates.clear();
    auto stateAttrs = in.source.getStatesAttr();
    if (!stateAttrs)
        return;
    const SmallVector<Val> hidden = in.source.getHiddenAttr() ? globals(in) : SmallVector<Val>();
    for (ObjectStateAttr state : stateAttrs.getAsRange<ObjectStateAttr>())
        in.objectStates[state.getObject()] = stateOf(in, state, hidden);
    if (!in.attributesInMemory.empty() && !in.e.device)
        keepChanges(in);
}

void shapecast::bindStatesInMemory(Inference &in) {
    if (in.e.isEntry)
        return;
    ArrayRef<Val> lists = in.attributesInMemory;
    for (ObjectStateAttr state : in.recursions.statesInMemory) {
        const size_t count = state.getKeys().size();
        in.objectStates[state.getObject()] =
            dictVal(in.e, state.getKeys().getValue(), lists.take_front(count).vec());
        lists = lists.drop_front(count);
    }
}

void shapecast::visitGlobal(Inference &in, GlobalOp op) {
    TypedBuilder &e = in.e;
    if (!op.getState()) {
        const Val v = globals(in)[op.getNumber()];
        if (v.isStatic("unavailable"))
            e.unsupported("a global that is " + v.staticText() +
                          " is not supported in a function that calls itself");
        in.env[op.getResult()] = v;
        return;
    }
    auto known = in.objectStates.find(int64_t(op.getNumber()));
    if (known == in.objectStates.end()) {
        llvm::append_range(e.heapWishes, in.recursions.sitesOfStates[int64_t(op.getNumber())]);
        e.unsupported("a list or dict from outside, or an attribute that has no value yet, that "
                      "the function changes is not supported inside 'try', nor in a function "
                      "that calls itself; use a variable there");
    }
    Val state = known->second;
    reloadCells(e, state);
    if (auto name = op.getNameAttr()) {
        state = dictItem(e, state, e.literal(name));
        if (areInMemory(in, int64_t(op.getNumber())))
            state = itemAt(in, state, e.intVal(0));
        if (state.kind == Val::Kind::Unbound)
            e.fail("AttributeError", op.getMissingAttr().getValue());
        if (state.kind == Val::Kind::Optional && !state.attr) { // set on some paths
            if (e.facts.equal(state.dim, e.dimConst(1)) != Answer::Yes)
                e.require("eq", {state.dim, e.dimConst(1)}, "AttributeError",
                          op.getMissingAttr().getValue());
            state = Val(state.items[0]);
        }
    }
    in.env[op.getResult()] = std::move(state);
}

bool shapecast::storeInMemory(Inference &in, SetItemOp op) {
    auto state = op.getBase().getDefiningOp<GlobalOp>();
    if (!state || !state.getState() || state.getNameAttr() ||
        !areInMemory(in, int64_t(state.getNumber())))
        return false;
    const Val list = dictItem(in.e, in.val(op.getBase()), in.vals(op.getKeys()));
    setItem(in.e, list, {in.e.intVal(0)}, in.val(op.getValue()));
    return true;
}
