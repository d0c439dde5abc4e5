#include "capture/operators.h"

#include "capture/conditions.h"
#include "capture/constants.h"
#include "capture/enum_members.h"
#include "capture/object_class.h"

#include "llvm/ADT/StringSwitch.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static std::string comparisonName(py::handle op) {
    return llvm::StringSwitch<std::string>(className(op))
        .Case("Lt", "lt")
        .Case("LtE", "le")
        .Case("Gt", "gt")
        .Case("GtE", "ge")
        .Case("Eq", "eq")
        .Case("NotEq", "ne")
        .Case("Is", "is")
        .Case("IsNot", "is_not")
        .Case("In", "in")
        .Case("NotIn", "not_in")
        .Default("");
}

std::string binaryName(py::handle op) {
    return llvm::StringSwitch<std::string>(className(op))
        .Case("Add", "add")
        .Case("Sub", "sub")
        .Case("Mult", "mul")
        .Case("Div", "truediv")
        .Case("FloorDiv", "floordiv")
        .Case("Mod", "mod")
        .Case("Pow", "pow")
        .Case("LShift", "lshift")
        .Case("RShift", "rshift")
        .Case("BitAnd", "and")
        .Case("BitOr", "or")
        .Case("BitXor", "xor")
        .Case("MatMult", "matmul")
        .Default("");
}

Value emitBinary(FunctionEmitter &f, py::handle node) {
    SmallVector<py::object> chain;
    py::object left = py::reinterpret_borrow<py::object>(node);
    for (; kindOf(left) == Kind::BinOp; left = field(left, "left"))
        chain.push_back(left);
    Value value = emitExpression(f, left);
    for (const py::object &operation : llvm::reverse(chain)) {
        f.setLocation(operation);
        Value right = emitExpression(f, field(operation, "right"));
        value = f.pyop(binaryName(field(operation, "op")), {value, right});
    }
    return value;
}

Value emitUnary(FunctionEmitter &f, py::handle node) {
    py::object operand = field(node, "operand");
    std::string op = className(field(node, "op"));
    if (kindOf(operand) == Kind::Constant &&
        op == "USub") { // -1 is a constant, as in Python's compiler
        py::object value = field(operand, "value");
        Type type;
        bool number = numberAttr(f.session, value, type) && !isa<np::PyBoolType>(type);
        bool smallest = PyLong_CheckExact(value.ptr()) && !PyBool_Check(value.ptr());
        if (number || smallest)
            return emitConstant(
                f, py::reinterpret_steal<py::object>(PyNumber_Negative(value.ptr())), node);
    }
    Value value = emitExpression(f, operand);
    return f.pyop(llvm::StringSwitch<StringRef>(op)
                      .Case("USub", "neg")
                      .Case("UAdd", "pos")
                      .Case("Invert", "invert")
                      .Default("not"),
                  value);
}

// A small set or frozenset of members of an Enum from outside the function, as what `in` looks
// through: a tuple. Null for other expressions.
static Value emitSetOfMembers(FunctionEmitter &f, py::handle node) {
    constexpr size_t most = 64;
    auto isOfMembers = [&](py::handle object) {
        return !f.session.isUsedOtherwise(object) &&
               (PySet_CheckExact(object.ptr()) || PyFrozenSet_CheckExact(object.ptr())) &&
               py::len(object) > 0 && py::len(object) <= most &&
               llvm::all_of(object, isPlainMember);
    };
    const std::optional<ExternalRef> found = resolveIf(f, node, isOfMembers);
    if (!found || found->owner >= 0)
        return {};
    const auto items = py::reinterpret_steal<py::tuple>(PySequence_Tuple(found->object.ptr()));
    if (PySet_CheckExact(found->object.ptr())) {
        f.session.addGuard(found->object, "", items);
        f.session.constantSets.push_back(found->object);
    }
    SmallVector<Value> members;
    for (py::handle item : items)
        members.push_back(emitMember(f, item));
    return np::TupleOp::create(f.builder, f.loc, f.any, members, UnitAttr());
}

Value emitComparison(FunctionEmitter &f, py::handle node, Value left, size_t index) {
    py::object ops = field(node, "ops"), comparators = field(node, "comparators");
    std::string op = comparisonName(ops[py::int_(index)]);
    const py::object compared = comparators[py::int_(index)];
    const Value members = op == "in" || op == "not_in" ? emitSetOfMembers(f, compared) : Value();
    Value right = members ? members : emitExpression(f, compared);
    if (members) // as a set asks for
        f.callNamed("shapecast.library.primitives.check_hashable", {left});
    Value result = f.pyop(op, {left, right});
    if (index + 1 == py::len(ops))
        return result;
    Value condition = np::TruthOp::create(f.builder, f.loc, f.any, result);
    return emitSelect(
        f, condition, [&] { return emitComparison(f, node, right, index + 1); },
        [&] { return result; });
}

} // namespace shapecast::capture
