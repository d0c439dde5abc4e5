#include "passes/infer/enum_members.h"

#include "ops/builder/elementwise.h"
#include "ops/builder/enum_numbers.h"
#include "ops/builder/enum_values.h"
#include "ops/builder/heap_sites.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/operators.h"
#include "ops/numpy/functions_attributes.h"
#include "passes/infer/objects.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

//===-- Operations on members

// member.name: what is alike for all comes first.
static Val readMember(Inference &in, const Val &member, StringRef name) {
    TypedBuilder &e = in.e;
    const bool isOfEach = name == "value" && llvm::any_of(member.items, [](const Val &one) {
                              return one.memberWords(3).empty();
                          });
    if (member.isUnion() && (isOfEach || (name != "name" && name != "value")))
        return unionSplit(e, member, [&](const Val &one) { return readMember(in, one, name); });
    if (!member.isUnion())
        if (std::optional<Val> found = readOfMember(in, member, name))
            return *found;
    return attribute(e, member, name);
}

static std::optional<Val> callMember(Inference &in, MethodOp op, const Val &member) {
    if (!member.isUnion())
        return callOfMember(in, member, op);
    return std::nullopt; // a branch for each
}

static std::optional<Val> compareAny(Inference &in, PyOp op) {
    static constexpr StringLiteral comparisons[] = {"eq", "ne", "is", "is_not",
                                                    "lt", "le", "gt", "ge"};
    if (op.getNumOperands() != 2 || !llvm::is_contained(comparisons, op.getOp()))
        return std::nullopt;
    const Val a = in.val(op->getOperand(0)), c = in.val(op->getOperand(1));
    auto isKnown = [](const Val &v) { return isMember(v) || v.isScalar() || v.isStatic("str"); };
    if ((!isMember(a) && !isMember(c)) || !isKnown(a) || !isKnown(c))
        return std::nullopt;
    const bool isOrder = StringRef(op.getOp()).size() == 2 && op.getOp() != "eq" &&
                         op.getOp() != "ne" && op.getOp() != "is";
    if (isOrder && !combinesAsValue(a, c) && !combinesAsValue(c, a))
        return std::nullopt;
    return compare(in.e, op.getOp(), a, c);
}

std::optional<Val> shapecast::visitMember(Inference &in, Operation *op) {
    if (auto read = dyn_cast<AttrOp>(op))
        if (const Val &base = in.val(read.getBase()); isMember(base))
            return readMember(in, Val(base), read.getName());
    if (auto method = dyn_cast<MethodOp>(op))
        if (const Val &base = in.val(method.getBase()); isMember(base))
            return callMember(in, method, Val(base));
    if (auto python = dyn_cast<PyOp>(op))
        return compareAny(in, python);
    return std::nullopt;
}

//===-- Members as values

// Whether indices of it are ints: not the keys of dicts, and not those of instances.
static bool isIndexed(const Val &base) {
    return base.isTuple() || base.isDynamicList() || base.isText() || base.isArray() ||
           isTextMember(base) || base.kind == Val::Kind::Range || isHeap(base, "list") ||
           base.kind == Val::Kind::Iterator;
}

// Whether the operation takes that operand as a value.
static bool takesValue(Inference &in, Operation *op, unsigned operand) {
    const Val &first = in.val(op->getOperand(0));
    if (auto python = dyn_cast<PyOp>(op))
        return op->getNumOperands() == 1 && python.getOp() == "not";
    if (isa<TruthOp, UfuncOp, SliceOp>(op))
        return true;
    if (isa<ForEachOp, UnpackOp>(op))
        return operand == 0 && isTextMember(first);
    if (isa<GetItemOp>(op))
        return operand == 0 ? isTextMember(first)
                            : isIndexed(first) && !isTextMember(in.val(op->getOperand(operand)));
    if (auto set = dyn_cast<SetItemOp>(op)) {
        const Val &base = in.val(set.getBase());
        const Value given = op->getOperand(operand);
        return given == set.getValue() ? base.isArray() : given != set.getBase() && isIndexed(base);
    }
    auto method = dyn_cast<MethodOp>(op);
    if (!method)
        return false;
    if (operand == 0)
        return !first.isUnion(); // their class may have the method
    const bool isList = (first.isTuple() && first.list) || isHeap(first, "list");
    if (isList)
        return operand == 1 && llvm::is_contained({"pop", "insert"}, method.getName());
    return first.isScalar() || first.isArray() || (first.isText() && method.getName() != "format");
}

static bool holdsValueMember(const Val &v) {
    return isValueMember(v) || (v.isTuple() && llvm::any_of(v.items.read(), holdsValueMember));
}

MembersAsValues::MembersAsValues(Inference &in, Operation *op) : in(in) {
    if (!isa<PyOp, TruthOp, UfuncOp, SliceOp, UnpackOp, ForEachOp, GetItemOp, SetItemOp, MethodOp>(
            op))
        return;
    for (OpOperand &operand : op->getOpOperands()) {
        auto found = in.env.find(operand.get());
        const unsigned number = operand.getOperandNumber();
        if (found == in.env.end() || !holdsValueMember(found->second) ||
            !takesValue(in, op, number))
            continue;
        const Val before = found->second;
        const bool isWhole = isa<UnpackOp, ForEachOp, GetItemOp>(op) ||
                             (isa<MethodOp>(op) && number == 0); // it may change a list
        if (isWhole && !isValueMember(before))
            continue;
        Val value = isWhole            ? asValue(in.e, before)
                    : isa<UfuncOp>(op) ? asNumPyValues(in.e, before)
                                       : asValues(in.e, before);
        in.env[operand.get()] = std::move(value);
        given.push_back({operand.get(), before});
    }
}

MembersAsValues::~MembersAsValues() {
    for (auto &[operand, before] : given)
        in.env[operand] = std::move(before);
}

void shapecast::membersToValues(TypedBuilder &e, StringRef function,
                                MutableArrayRef<Val> operands) {
    if (function.starts_with("numpy.") || function.starts_with("math.") ||
        function.starts_with("cmath.")) {
        for (Val &operand : operands)
            operand =
                function.starts_with("numpy.") ? asNumPyValues(e, operand) : asValues(e, operand);
        return;
    }
    static constexpr StringLiteral ofValues[] = {
        "abs",  "divmod",  "round", "pow", "range", "bool", "int", "float",
        "hash", "complex", "chr",   "bin", "oct",   "hex",  "ord", "slice"};
    static constexpr StringLiteral ofIterables[] = {
        "len", "list", "tuple",  "sorted", "set", "iter", "enumerate", "reversed",
        "zip", "map",  "filter", "any",    "all", "sum",  "frozenset"};
    StringRef name = function;
    if (!name.consume_front("builtins."))
        return;
    const bool isAlone = operands.size() == 1 && (name == "min" || name == "max");
    const bool isIterated = llvm::is_contained(ofIterables, name) || isAlone;
    for (Val &operand : operands)
        if (llvm::is_contained(ofValues, name) || (isIterated && isTextMember(operand)))
            operand = asValue(e, operand);
}
