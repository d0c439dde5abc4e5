// Intermediate results of Python integers beyond 64 bits: see the header.
#include "passes/values/wide_integers.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

bool isInteger(Value value) { return isa<PyIntType, PyBoolType>(value.getType()); }

std::optional<int64_t> constantOf(Value value) {
    auto constant = value.getDefiningOp<ConstOp>();
    auto number = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
    return number && !isa<BoolAttr>(constant.getValue()) ? std::optional(number.getInt())
                                                         : std::nullopt;
}

// The expression of integers below `root`.
class Expression {
public:
    Expression(PyOp root, llvm::DenseSet<Operation *> &replaced) : root(root), replaced(replaced) {}

    // The largest magnitude; none where 128 bits may not hold it. That of a sum is at most the
    // limit, beyond which the operation raises.
    std::optional<llvm::APInt> magnitude(Value value) const {
        PyOp op = inner(value);
        if (!op)
            return magnitudeOfOperand(value);
        const StringRef name = op.getOp();
        const std::optional<llvm::APInt> a = magnitude(op.getOperands_()[0]);
        if (!a)
            return std::nullopt;
        if (name == "rshift") // rounds down
            return a->lshr(unsigned(*constantOf(op.getOperands_()[1]))) + 1;
        if (name == "lshift")
            return fitting(a->shl(unsigned(*constantOf(op.getOperands_()[1]))));
        const std::optional<llvm::APInt> b = magnitude(op.getOperands_()[1]);
        if (!b)
            return std::nullopt;
        if (name == "mul") // the processor has no check of such a product
            return fitting(*a * *b);
        return llvm::APIntOps::umin(*a + *b, limit());
    }

    // Sums alone, of indices say, do not exceed 64 bits in use.
    bool multiplies(Value value) const {
        PyOp op = inner(value);
        return op &&
               (op.getOp() == "mul" || op.getOp() == "lshift" || multiplies(op.getOperands_()[0]) ||
                (op.getOp() != "rshift" && multiplies(op.getOperands_()[1])));
    }

    // The value of wide operations. `lowBits`: only its lowest 64 bits count.
    Value build(Value value, bool lowBits) const {
        PyOp op = inner(value);
        if (!op || (op.getOp() == "rshift" && !magnitude(value)))
            return value;
        const bool isShift = op.getOp().ends_with("shift");
        const Value first = build(op.getOperands_()[0], lowBits && op.getOp() != "rshift"),
                    second = isShift ? op.getOperands_()[1] : build(op.getOperands_()[1], lowBits);
        replaced.insert(op);
        OpBuilder builder(root);
        const std::optional<llvm::APInt> most = magnitude(value);
        return PyOp::create(builder, op.getLoc(), op.getType(), ("wide." + op.getOp()).str(),
                            ValueRange{first, second},
                            /*nowrap=*/lowBits || (most && most->ult(limit())));
    }

private:
    static constexpr unsigned width = 320; // of a product of two sums of 128 bits

    static llvm::APInt limit() { return llvm::APInt::getOneBitSet(width, 127); }

    static std::optional<llvm::APInt> fitting(const llvm::APInt &most) {
        return most.ult(limit()) ? std::optional(most) : std::nullopt;
    }

    // The operation that the value is the result of, where it may be wide; else null.
    PyOp inner(Value value) const {
        auto op = value.getDefiningOp<PyOp>();
        if (!op || op->getBlock() != root->getBlock() || !isa<PyIntType>(op.getType()) ||
            !llvm::all_of(op.getOperands_(), isInteger))
            return {};
        if (op.getIntermediate())
            return llvm::is_contained({"add", "sub", "mul"}, op.getOp()) ? op : PyOp();
        const bool isShift = op.getOp() == "lshift" || op.getOp() == "rshift";
        const int64_t count = isShift ? constantOf(op.getOperands_()[1]).value_or(-1) : -1;
        return op->hasOneUse() && count >= 0 && count <= 62 ? op : PyOp();
    }

    static llvm::APInt magnitudeOfOperand(Value value) {
        if (isa<PyBoolType>(value.getType()))
            return llvm::APInt(width, 1);
        if (std::optional<int64_t> number = constantOf(value))
            return llvm::APInt(width, uint64_t(*number), true, true).abs();
        auto op = value.getDefiningOp<PyOp>();
        if (op && (op.getOp() == "mod" || op.getOp() == "wide.mod"))
            if (std::optional<int64_t> modulus = constantOf(op.getOperands_()[1]))
                return llvm::APInt(width, uint64_t(*modulus), true, true).abs();
        return llvm::APInt::getOneBitSet(width, 63);
    }

    PyOp root;
    llvm::DenseSet<Operation *> &replaced; // by wide ones
};

// The operand of `root` whose value may be wide; none: `root` is no such operation.
std::optional<unsigned> wideOperand(PyOp root) {
    const StringRef name = root.getOp();
    if (root.getOperands_().size() != 2 || !isa<PyIntType>(root.getType()) ||
        !llvm::all_of(root.getOperands_(), isInteger))
        return std::nullopt;
    if (name == "mod" || name == "floordiv" || name == "rshift")
        return 0;
    for (unsigned i : {0u, 1u})
        if (name == "and" && constantOf(root.getOperands_()[1 - i]).value_or(-1) >= 0)
            return i;
    return std::nullopt;
}

void widen(PyOp root, llvm::DenseSet<Operation *> &replaced) {
    const std::optional<unsigned> number = wideOperand(root);
    if (!number)
        return;
    const Expression expression(root, replaced);
    const Value operand = root.getOperands_()[*number];
    const bool lowBits = root.getOp() == "and";
    if (!expression.multiplies(operand) || (!lowBits && !expression.magnitude(operand)))
        return;
    const Value wide = expression.build(operand, lowBits);
    if (wide == operand)
        return;
    root->setOperand(*number, wide);
    root.setOp(("wide." + root.getOp()).str());
}

// The constant mask of an `&`, with bits of the lowest 64 only.
bool isLowMask(Value value) {
    auto constant = value.getDefiningOp<ConstOp>();
    if (constant && isa<PyWideIntType>(constant.getType()))
        return np::wideInt(constant.getValue()).isIntN(64);
    return constantOf(value).value_or(-1) >= 0;
}

// Does not check what only the lowest 64 bits count of.
void wrap(Value value) {
    auto op = value.getDefiningOp<PyOp>();
    if (!op || !op->hasOneUse())
        return;
    const StringRef name = op.getOp();
    const bool isBitwise = llvm::is_contained({"and", "or", "xor", "invert", "widen"}, name),
               mayWrap = llvm::is_contained({"add", "sub", "mul", "neg", "lshift"}, name);
    const bool isWide = isa<PyWideIntType>(op.getType());
    if (!isBitwise && !(mayWrap && (isWide || op.getIntermediate())))
        return;
    if (mayWrap)
        op.setNowrap(true);
    for (Value operand : op.getOperands_().take_front(name == "lshift" ? 1 : 2))
        wrap(operand);
}

} // namespace

void shapecast::widenIntegers(FuncOp func) {
    SmallVector<PyOp> all;
    llvm::DenseSet<Operation *> replaced;
    func.walk([&](PyOp op) { all.push_back(op); });
    for (PyOp op : all)
        for (unsigned i : {0u, 1u})
            if (op.getOp() == "and" && isLowMask(op.getOperands_()[1 - i]) &&
                llvm::any_of(op.getOperands_(),
                             [](Value v) { return isa<PyWideIntType>(v.getType()); }))
                wrap(op.getOperands_()[i]);
    for (PyOp op : llvm::reverse(all)) // the outermost first
        if (!op->use_empty())
            widen(op, replaced);
    for (PyOp op : llvm::reverse(all)) {
        if (op->use_empty() && (op.getIntermediate() || replaced.contains(op)))
            op->erase();
    }
}
