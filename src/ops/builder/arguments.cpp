#include "ops/builder/arguments.h"

#include "ops/builder/arrays.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/function.h"
#include "ops/builder/items.h"
#include "ops/builder/operands.h"
#include "ops/ufunc/ufunc.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

DType shapecast::dtypeOr(TypedBuilder &e, const Arguments &in, DType absent) {
    const Val *dtype = in.find("dtype");
    return dtype && !dtype->isNone() ? dtypeOf(e, *dtype) : absent;
}

Layout shapecast::orderArgument(TypedBuilder &e, const Arguments &in, const Val &a,
                                StringRef absent) {
    const StringRef order = orderText(e, in, absent);
    if (order == "A") // the layout of the array itself; "K" also keeps the axis order of slices
        return a.isArray() && a.array().getRank() >= 2 && a.array().getLayout() == Layout::F
                   ? Layout::F
                   : Layout::C;
    return order == "C" ? Layout::C : order == "F" ? Layout::F : resultLayout(a);
}

int64_t shapecast::axisArgument(TypedBuilder &e, const Val &v, int64_t rank, StringRef name) {
    std::optional<int64_t> axis = v.constInt();
    if (!axis) {
        toDim(e, v); // a TypeError unless it is an integer
        needConstant(e, v, "an axis must be a constant (it decides the result's shape)");
    }
    if (*axis < -rank || *axis >= rank)
        e.fail("numpy.exceptions.AxisError",
               (name.empty() ? "" : name + ": ") + "axis " + Twine(*axis) +
                   " is out of bounds for array of dimension " + Twine(rank));
    return *axis < 0 ? *axis + rank : *axis;
}

SmallVector<int64_t> shapecast::axesArgument(TypedBuilder &e, const Val &v, int64_t rank,
                                             StringRef name) {
    SmallVector<int64_t> axes;
    for (const Val &item : itemsIn(e, v, "a tuple of axes"))
        axes.push_back(axisArgument(e, item, rank, name));
    for (size_t i = 0; i < axes.size(); ++i)
        if (llvm::is_contained(ArrayRef(axes).take_front(i), axes[i]))
            e.fail("ValueError",
                   name.empty() ? "repeated axis" : "repeated axis in `" + name + "` argument");
    return axes;
}

int64_t shapecast::intArgument(TypedBuilder &e, const Arguments &in, StringRef name,
                               int64_t absent) {
    const Val *given = in.find(name);
    if (!given)
        return absent;
    if (std::optional<int64_t> value = given->constInt())
        return *value;
    toDim(e, *given);
    needConstant(e, *given, name + " must be a constant (it decides the result's shape)");
}

bool shapecast::flagArgument(TypedBuilder &e, const Arguments &in, StringRef name, bool absent) {
    const Val *given = in.find(name);
    if (!given)
        return absent;
    if (std::optional<bool> flag = given->constBool())
        return *flag;
    needConstant(e, *given, name + " must be a constant");
}

Casting shapecast::castingArgument(TypedBuilder &e, const Arguments &in) {
    const Val *given = in.find("casting");
    if (!given)
        return Casting::SameKind;
    const StringRef name = given->isStatic("str") ? given->staticText() : "";
    for (int casting = 0; casting <= int(Casting::Unsafe); ++casting)
        if (castingName(Casting(casting)) == name)
            return Casting(casting);
    e.fail("ValueError", "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' "
                         "(got '" +
                             name + "')");
}

void shapecast::checkCast(TypedBuilder &e, DType from, DType to, Casting casting, StringRef what) {
    if (!canCast(from, to, casting))
        e.fail("TypeError", "Cannot cast " + what + " from dtype('" + dtypeName(from) +
                                "') to dtype('" + dtypeName(to) + "') according to the rule '" +
                                castingName(casting) + "'");
}

StringRef shapecast::orderText(TypedBuilder &e, const Arguments &in, StringRef absent) {
    const Val *given = in.find("order");
    if (!given || given->isNone())
        return absent;
    const StringRef order = given->isStatic("str") ? given->staticText() : "";
    if (!llvm::is_contained({"C", "F", "A", "K"}, order))
        e.fail("ValueError", "order must be one of 'C', 'F', 'A', or 'K' (got '" + order + "')");
    return order;
}
