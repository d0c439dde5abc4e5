// NumPy functions on indices, and the primitives of shapecast/library that call the runtime.
#include "ops/builder/arrays.h"
#include "ops/builder/function.h"
#include "ops/builder/indexing.h"
#include "ops/builder/list_items.h"
#include "ops/builder/memory.h"
#include "ops/builder/sequences.h"
#include "ops/builder/stores.h"
#include "ops/tables.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Val tupleOf(TypedBuilder &e, ArrayRef<Val> items) {
    return e.tupleVal({items.begin(), items.end()});
}

static Val numpyNonzero(TypedBuilder &e, const Arguments &in) {
    const Val a = asArray(e, in["a"]);
    if (a.array().getRank() == 0)
        e.fail("ValueError",
               "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() "
               "instead. If the context of this error is of the form `arr[nonzero(cond)]`, just "
               "use `arr[cond]`.");
    return tupleOf(e, nonzero(e, a));
}

static Val flatnonzero(TypedBuilder &e, const Arguments &in) {
    return nonzero(e, ravel(e, asArray(e, in["a"])))[0];
}

//===-- Iterators

static Val ndindex(TypedBuilder &e, const Arguments &in) {
    const std::vector<Val> &given = in["shape"].items;
    std::vector<Val> sizes;
    for (DimAttr size : shapeOf(e, given.size() == 1 ? given[0] : in["shape"]))
        sizes.push_back(e.sizeVal(size));
    return iterator(e, "ndindex", std::move(sizes));
}

static Val ndenumerate(TypedBuilder &e, const Arguments &in) {
    return iterator(e, "ndenumerate", {asArray(e, in["arr"])});
}

//===-- Runtime calls of the library (python/shapecast/library/primitives.py)

static Val axisKey(TypedBuilder &e, const Arguments &in) {
    Val all;
    all.kind = Val::Kind::Slice;
    all.items = {e.noneVal(), e.noneVal(), e.noneVal()};
    SmallVector<Val> key(size_t(*in["axis"].constInt()), all);
    key.push_back(in["key"]);
    return tupleOf(e, key);
}

static Val isContiguous(TypedBuilder &e, const Arguments &in) {
    return e.boolVal(!in["a"].isArray() || in["a"].array().getLayout() == Layout::C);
}

static Val writeable(TypedBuilder &e, const Arguments &in) {
    return writeableOf(e, in["a"], in["message"].staticText()).value_or(in["a"]);
}

static Val sort(TypedBuilder &e, const Arguments &in) {
    native(e, "sort", in["a"], {e.intVal(*in["stable"].constBool())});
    return e.noneVal();
}

static Val argsort(TypedBuilder &e, const Arguments &in) {
    const Val &a = in["a"];
    const Val indices = alloc(e, dimsOf(a), DType::I64);
    native(e, "argsort", indices, {a, e.intVal(*in["stable"].constBool())});
    return indices;
}

static Val searchSorted(TypedBuilder &e, const Arguments &in) {
    const Val indices = alloc(e, dimsOf(in["wanted"]), DType::I64);
    native(e, "searchsorted", indices,
           {in["line"], in["wanted"], e.intVal(*in["right"].constBool())});
    return indices;
}

static Val uniformBins(TypedBuilder &e, const Arguments &in) {
    const Val bins = alloc(e, dimsOf(in["numbers"]), DType::I64);
    native(e, "uniform_bins", bins, {in["numbers"], in["edges"]});
    return bins;
}

static Val countUniform(TypedBuilder &e, const Arguments &in) {
    native(e, "count_uniform", in["counts"], {in["numbers"], in["edges"]});
    return e.noneVal();
}

static Val scanExtremes(TypedBuilder &e, const Arguments &in) {
    native(e, "scan_extremes", in["target"], {in["line"], e.intVal(*in["largest"].constBool())});
    return e.noneVal();
}

static Val partition(TypedBuilder &e, const Arguments &in) {
    native(e, "partition", in["a"], in["kth"]);
    return e.noneVal();
}

static Val nth(TypedBuilder &e, const Arguments &in) {
    native(e, "nth", in["line"], in["k"]);
    return e.noneVal();
}

static Val extremes(TypedBuilder &e, const Arguments &in) {
    native(e, "extremes", in["ends"], in["line"]);
    return e.noneVal();
}

static Val centreRows(TypedBuilder &e, const Arguments &in) {
    native(e, "centre_rows", in["target"], in["rows"]);
    return e.noneVal();
}

static Val holdsNan(TypedBuilder &e, const Arguments &in) {
    return native(e, "holds_nan", {}, in["line"]);
}

static Val correlatePart(TypedBuilder &e, const Arguments &in) {
    native(e, "correlate_part", in["target"],
           {in["a"], in["v"], in["before"], in["first"], in["last"]});
    return e.noneVal();
}

// The kernel of src/runtime/lapack.h for the dtype of the first array that it reads.
static Val lapack(TypedBuilder &e, const Arguments &in) {
    const std::vector<Val> &read = in["read"].items;
    const char dtype = dtypeChar(e.operandOf(read[0]).dtype);
    return native(e, "lapack_" + in["kernel"].staticText().str() + "_" + dtype, in["written"].items,
                  read, "numpy.linalg.LinAlgError", in["message"].staticText());
}

// A random scalar (src/runtime/random.cpp).
static Val drawn(TypedBuilder &e, const Arguments &in, Type result) {
    SmallVector<Val> read{in["generator"]};
    llvm::append_range(read, in["parameters"].items);
    return native(e, "draw_" + in["kernel"].staticText().str(), {}, read, "", "", result);
}

static Val draw(TypedBuilder &e, const Arguments &in) {
    return drawn(e, in, pyType(e.ctx, PyKind::Float));
}

static Val drawInteger(TypedBuilder &e, const Arguments &in) {
    return drawn(e, in, scalarType(e.ctx, DType::I64));
}

static Val fill(TypedBuilder &e, const Arguments &in) {
    const Val *message = in.find("message");
    native(e, in["kernel"].staticText(), in["written"].items, in["read"].items,
           message ? "ValueError" : "", message ? message->staticText() : "");
    return e.noneVal();
}

static Val areNumbers(TypedBuilder &e, const Arguments &in) {
    return e.boolVal(in["items"].isDynamicList() && hasOrderedItems(e, in["items"]));
}

static Val makeRoom(TypedBuilder &e, const Arguments &in) {
    native(e, "container_room", in["items"].items[0], in["more"]);
    return e.noneVal();
}

static Val isShort(TypedBuilder &e, const Arguments &in) {
    return e.boolVal(in["items"].isTuple() && in["items"].items.size() <= 16);
}

static Val isOnDevice(TypedBuilder &e, const Arguments &in) {
    return e.boolVal(bool(deviceOf(in["a"].type())));
}

ArrayRef<Function> shapecast::indexingFunctions() {
    static const Function table[] = {
        {"numpy.nonzero", "a", numpyNonzero, true},
        {"numpy.flatnonzero", "a", flatnonzero},
        {"numpy.ndindex", "*shape", ndindex},
        {"numpy.ndenumerate", "arr", ndenumerate},
        {"shapecast.library.primitives.axis_key", "axis, key", axisKey},
        {"shapecast.library.primitives.is_contiguous", "a", isContiguous},
        {"shapecast.library.primitives.are_numbers", "items", areNumbers},
        {"shapecast.library.primitives.make_room", "items, more", makeRoom},
        {"shapecast.library.primitives.is_short", "items", isShort},
        {"shapecast.library.primitives.is_on_device", "a", isOnDevice},
        {"shapecast.library.primitives.writeable", "a, message", writeable},
        {"shapecast.library.primitives.sort", "a, stable", sort},
        {"shapecast.library.primitives.argsort", "a, stable", argsort},
        {"shapecast.library.primitives.search_sorted", "line, wanted, right", searchSorted},
        {"shapecast.library.primitives.uniform_bins", "numbers, edges", uniformBins},
        {"shapecast.library.primitives.count_uniform", "counts, numbers, edges", countUniform},
        {"shapecast.library.primitives.scan_extremes", "line, target, largest", scanExtremes},
        {"shapecast.library.primitives.partition", "a, kth", partition},
        {"shapecast.library.primitives.nth", "line, k", nth},
        {"shapecast.library.primitives.extremes", "ends, line", extremes},
        {"shapecast.library.primitives.centre_rows", "target, rows", centreRows},
        {"shapecast.library.primitives.holds_nan", "line", holdsNan},
        {"shapecast.library.primitives.correlate_part", "target, a, v, before, first, last",
         correlatePart},
        {"shapecast.library.primitives.lapack", "kernel, written, read, message", lapack},
        {"shapecast.library.primitives.draw", "kernel, generator, parameters", draw},
        {"shapecast.library.primitives.draw_integer", "kernel, generator, parameters", drawInteger},
        {"shapecast.library.primitives.fill", "kernel, written, read, message=", fill},
    };
    return table;
}
