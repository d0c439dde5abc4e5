// np-infer: the walk over straight-line captured code. Control flow stands in infer_control.cpp.
#include "passes/infer.h"
#include "passes/passes.h"

#include "mlir/IR/Iterators.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

SmallVector<Val> Infer::vals(ValueRange captured) {
    return llvm::map_to_vector(captured, [&](Value v) { return val(v); });
}

//===-- The function
//-----------------------------------------------------------------------------===//

void Infer::readHints() {
    auto hintAttrs = source->getAttrOfType<ArrayAttr>("hints");
    for (auto [k, type] : llvm::enumerate(source.getArgumentTypes())) {
        Attribute hint = hintAttrs && k < hintAttrs.size() ? hintAttrs[k] : Attribute();
        auto sizes = dyn_cast_or_null<DenseI64ArrayAttr>(hint);
        if (auto array = dyn_cast<ArrayType>(type)) {
            for (auto [i, dim] : llvm::enumerate(array.getDims())) {
                if (!dim.isSymbol())
                    continue;
                e.facts.addSize(dim.getName());
                if (sizes)
                    e.hints[dim.getName()] = sizes[i];
            }
        } else if (auto value = dyn_cast_or_null<IntegerAttr>(hint);
                   value && isa<PyIntType>(type)) {
            e.hints[("n" + Twine(k)).str()] = value.getInt();
        }
    }
    if (auto forbidden = source->getAttrOfType<ArrayAttr>("forbidden"))
        for (Attribute guard : forbidden)
            e.forbidden.push_back(cast<GuardAttr>(guard));
}

// Entry: an array's dims are bound by the argument itself; the k-th argument's int value is the
// symbol n<k>.
void Infer::bindArguments(FuncOp target) {
    for (auto [k, from, to] : llvm::enumerate(source.getArguments(), target.getArguments())) {
        Val v;
        v.kind = Val::Kind::Typed;
        v.value = to;
        if (isa<PyIntType>(to.getType())) {
            v.dim = dimSymbol(e.ctx, ("n" + Twine(k)).str());
            SymbolOp::create(e.b, e.loc, e.b.getStringAttr(v.dim.getName()), to);
        }
        env[from] = v;
    }
}

Attribute Infer::resultTree(const Val &v, SmallVectorImpl<Value> &leaves) {
    auto leaf = [&](Value value) {
        leaves.push_back(value);
        return e.b.getI64IntegerAttr(leaves.size() - 1);
    };
    if (v.isTyped() && v.pyFlag) { // a Python number on some paths
        StringRef kinds[] = {"", "bool", "int", "float", "complex"};
        Attribute number = leaf(v.value), flag = leaf(e.sizeVal(v.pyFlag).value);
        return e.b.getDictionaryAttr(
            {e.b.getNamedAttr("blend", e.b.getArrayAttr({number, flag})),
             e.b.getNamedAttr("kind", e.b.getStringAttr(kinds[int(v.pyKind)]))});
    }
    if (v.isTyped())
        return leaf(v.value);
    if (v.kind == Val::Kind::Maybe && !v.attr) { // bound on every path that comes here
        e.require("eq", {v.dim, e.dimConst(1)}, "UnboundLocalError",
                  "a returned variable is not associated with a value");
        return resultTree(v.items[0], leaves);
    }
    if (v.kind == Val::Kind::Maybe) {
        Attribute present = resultTree(v.items[0], leaves), flag = leaf(e.sizeVal(v.dim).value);
        return e.b.getDictionaryAttr({e.b.getNamedAttr("maybe", e.b.getArrayAttr({present, flag})),
                                      e.b.getNamedAttr("otherwise", v.attr)});
    }
    if (v.kind == Val::Kind::Static)
        return v.attr;
    if (v.kind != Val::Kind::Tuple)
        e.unsupported("returning " + e.describe(v));
    SmallVector<Attribute> items;
    for (const Val &item : v.items)
        items.push_back(resultTree(item, leaves));
    Attribute tuple = e.b.getArrayAttr(items);
    return v.list ? e.b.getDictionaryAttr(e.b.getNamedAttr("list", tuple)) : tuple;
}

void Infer::emitReturn(ReturnOp op) {
    e.loc = op.getLoc();
    SmallVector<Value> leaves;
    SmallVector<Attribute> trees;
    for (Value value : op.getValues())
        trees.push_back(resultTree(val(value), leaves));
    Attribute tree = trees.empty() ? Attribute(PyAttr::get(e.ctx, "none", "")) : trees[0];
    ReturnOp::create(e.b, e.loc, leaves);
    auto target = cast<FuncOp>(e.b.getInsertionBlock()->getParentOp());
    target.setFunctionType(
        e.b.getFunctionType(source.getArgumentTypes(), ValueRange(leaves).getTypes()));
    target->setAttr("result", tree);
}

// Symbols that nothing names, and pure ops without uses, were made on the way only.
static void removeUnused(FuncOp func) {
    llvm::StringSet<llvm::MallocAllocator> used;
    AttrTypeWalker symbols;
    symbols.addWalk(
        [&](DimAttr dim) { dimSymbols(dim, [&](StringRef name) { used.insert(name); }); });
    func->walk([&](Operation *op) {
        for (Type type : op->getResultTypes())
            symbols.walk(type);
        symbols.walk(op->getAttrDictionary());
        for (Region &region : op->getRegions())
            for (Block &block : region)
                for (Type type : block.getArgumentTypes())
                    symbols.walk(type);
    });
    func->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
        auto symbol = dyn_cast<SymbolOp>(op);
        bool dead = symbol ? !used.contains(symbol.getName()) : op != func && isOpTriviallyDead(op);
        if (dead && !isa<CastOp>(op))
            op->erase();
    });
}

// A guard that the others imply (s0 >= 1 beside s0 >= 2) is not asked.
static SmallVector<GuardAttr> withoutImplied(MLIRContext *ctx, SmallVector<GuardAttr> guards,
                                             FuncOp func) {
    for (size_t i = 0; i < guards.size();) {
        DimFacts facts(ctx);
        for (Type type : func.getArgumentTypes())
            if (auto array = dyn_cast<ArrayType>(type))
                for (DimAttr dim : array.getDims())
                    if (dim.isSymbol())
                        facts.addSize(dim.getName());
        for (auto [k, guard] : llvm::enumerate(guards))
            if (k != i && guard.getPred() == ">=")
                facts.addGreaterEqual(guard.getLhs(), guard.getRhs());
            else if (k != i && guard.getPred() == "==")
                facts.addEqual(guard.getLhs(), guard.getRhs());
        bool implied =
            guards[i].getPred() == ">="
                ? facts.greaterEqual(guards[i].getLhs(), guards[i].getRhs()) == Answer::Yes
            : guards[i].getPred() == "=="
                ? facts.equal(guards[i].getLhs(), guards[i].getRhs()) == Answer::Yes
                : false;
        implied ? (void)guards.erase(guards.begin() + i) : (void)++i;
    }
    return guards;
}

// Symbols that the guards make equal become one symbol everywhere but in the guards themselves.
static void unifySymbols(FuncOp func, ArrayRef<GuardAttr> guards) {
    DimFacts facts(func.getContext());
    for (GuardAttr guard : guards)
        if (guard.getPred() == "==")
            facts.addEqual(guard.getLhs(), guard.getRhs());
    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [&](DimAttr dim) { return std::pair(facts.canonical(dim), WalkResult::skip()); });
    replacer.addReplacement(
        [&](RankedTensorType tensor) -> std::optional<std::pair<Type, WalkResult>> {
            if (!isa_and_nonnull<DimsAttr>(tensor.getEncoding()))
                return std::nullopt;
            Dims dims = llvm::map_to_vector<4>(valueDims(tensor),
                                               [&](DimAttr dim) { return facts.canonical(dim); });
            return std::pair<Type, WalkResult>(valueType(dims, tensor.getElementType()),
                                               WalkResult::skip());
        });
    Attribute signature = func->getAttr("signature");
    replacer.recursivelyReplaceElementsIn(func, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
    if (signature)
        func->setAttr("signature", signature);
    func->setAttr("guards", ArrayAttr::get(func.getContext(),
                                           SmallVector<Attribute>(guards.begin(), guards.end())));
}

FuncOp Infer::run() {
    e.loc = source.getLoc();
    e.b.setInsertionPoint(source);
    FuncOp target = FuncOp::create(e.b, e.loc, source.getSymName(), source.getFunctionType());
    for (NamedAttribute attr : source->getAttrs())
        if (attr.getName() != "sym_name" && attr.getName() != "function_type")
            target->setAttr(attr.getName(), attr.getValue());
    Block *entry = target.addEntryBlock();
    e.b.setInsertionPointToStart(entry);
    try {
        readHints();
        bindArguments(target);
        Block &body = source.getBody().front();
        walk(body);
        emitReturn(cast<ReturnOp>(body.back()));
    } catch (InferError &) {
        target->dropAllReferences();
        target.erase();
        throw;
    }
    removeUnused(target);
    unifySymbols(target, withoutImplied(e.ctx, e.guards, source));
    return target;
}

//===-- The walk
//---------------------------------------------------------------------------------===//

void Infer::walk(Block &block) {
    for (Operation &op : block)
        if (!op.hasTrait<OpTrait::IsTerminator>())
            visit(&op);
}

// Arrays and numbers that are not constants; the reader sees the rest in the source line.
std::vector<std::string> Infer::operandNotes() {
    std::vector<std::string> notes;
    bool known = visited && visited->getLoc() == e.loc; // else a loop goes on after its body
    for (auto [i, operand] : llvm::enumerate(known ? visited->getOperands() : ValueRange())) {
        auto found = env.find(operand);
        if (found != env.end() && found->second.isTyped() && !found->second.attr)
            notes.push_back("{" + std::to_string(i) + "}: " + e.describe(found->second));
    }
    return notes;
}

void Infer::visit(Operation *op) {
    e.loc = op->getLoc();
    visited = op;
    auto define = [&](Val v) { env[op->getResult(0)] = std::move(v); };
    TypeSwitch<Operation *>(op)
        .Case([&](ConstOp o) { visitConst(o); })
        .Case([&](CastOp o) { visitCast(o); })
        .Case([&](CallOp o) { visitCall(o); })
        .Case([&](UfuncOp o) { visitUfunc(o); })
        .Case([&](PyOp o) { visitPyOp(o); })
        .Case([&](InplaceOp o) {
            define(e.inplace(o.getOp(), val(o.getTarget()), val(o.getValue())));
        })
        .Case([&](TruthOp o) { define(e.truth(val(o.getValue()))); })
        .Case([&](SliceOp o) {
            Val slice;
            slice.kind = Val::Kind::Slice;
            slice.items = {val(o.getLo()), val(o.getHi()), val(o.getStep())};
            define(std::move(slice));
        })
        .Case([&](GetItemOp o) { define(e.getItem(val(o.getBase()), vals(o.getKeys()))); })
        .Case([&](SetItemOp o) { visitSetItem(o); })
        .Case([&](AttrOp o) { define(attribute(e, val(o.getBase()), o.getName())); })
        .Case([&](MethodOp o) { visitMethod(o); })
        .Case([&](TupleOp o) {
            SmallVector<Val> items = vals(o.getElements());
            define(e.tupleVal({items.begin(), items.end()}, o.getList()));
        })
        .Case([&](UnpackOp o) { visitUnpack(o); })
        // A loop's result before any return was met is never read: None, so that it joins with what
        // is returned.
        .Case([&](UnboundOp o) { define(o.getName() == "return value" ? e.noneVal() : Val()); })
        .Case([&](CheckBoundOp o) { visitCheckBound(o); })
        .Case([&](PrintOp o) { visitPrint(o); })
        .Case([&](IfOp o) { visitIf(o); })
        .Case([&](ForEachOp o) { visitForEach(o); })
        .Case([&](WhileOp o) { visitWhile(o); })
        .Default(
            [&](Operation *o) { e.unsupported("the operation " + o->getName().getStringRef()); });
}

void Infer::visitConst(ConstOp op) {
    Attribute attr = op.getValue();
    Type type = op.getType();
    env[op.getResult()] = isa<PyComplexType>(type) ? e.constant(attr, type) : e.literal(attr);
}

// Casts that stated a type have become identities; np-simplify folds them.
void Infer::visitCast(CastOp op) {
    Val v = val(op.getValue());
    if (v.isTyped())
        v.value = CastOp::create(e.b, e.loc, v.type(), v.value);
    env[op.getResult()] = std::move(v);
}

// The last operands of a call are its keyword arguments.
static SmallVector<std::pair<StringRef, Val>> keywords(std::optional<ArrayAttr> names,
                                                       SmallVectorImpl<Val> &operands) {
    SmallVector<std::pair<StringRef, Val>> result;
    if (!names)
        return result;
    size_t first = operands.size() - names->size();
    for (auto [i, name] : llvm::enumerate(*names))
        result.emplace_back(cast<StringAttr>(name).getValue(), operands[first + i]);
    operands.truncate(first);
    return result;
}

Val Infer::mathCall(StringRef name, ArrayRef<Val> operands) {
    bool integer = llvm::is_contained({"gcd", "lcm", "isqrt", "factorial", "comb", "perm"}, name);
    PyKind result = integer || llvm::is_contained({"floor", "ceil", "trunc"}, name) ? PyKind::Int
                    : llvm::is_contained({"isnan", "isinf", "isfinite"}, name)      ? PyKind::Bool
                                                                                    : PyKind::Float;
    SmallVector<Val> given;
    for (const Val &v : operands) {
        if (!v.isTyped())
            e.fail("TypeError", "must be real number, not " + e.describe(v));
        given.push_back(e.toPy(v, integer ? PyKind::Int : PyKind::Float));
    }
    if (name == "trunc" && e.operandOf(operands[0]).weak == PyKind::Strong &&
        e.operandOf(operands[0]).dtype != DType::F64)
        e.fail("TypeError", "type numpy." + dtypeName(e.operandOf(operands[0]).dtype) +
                                " doesn't define __trunc__ method");
    if (result == PyKind::Int && !integer && operands.size() == 1 && operands[0].isPyInt())
        return operands[0];
    return e.pyop(("math." + name).str(), given, pyType(e.ctx, result));
}

void Infer::visitCall(CallOp op) {
    StringRef name = op.getCallee();
    SmallVector<Val> operands = vals(op.getArgs());
    SmallVector<std::pair<StringRef, Val>> named = keywords(op.getKw(), operands);
    Val &result = env[op.getResult()];
    StringRef numpyName = name;
    if (name.starts_with("math.")) {
        result = mathCall(name.drop_front(5), operands);
    } else if (const Function *function = findFunction(name)) {
        Val made = callFunction(e, *function, operands, named);
        env[op.getResult()] = std::move(made);
    } else if (numpyName.consume_front("numpy.") && dtypeFromName(numpyName) &&
               operands.size() == 1) {
        DType dtype = *dtypeFromName(numpyName);
        const Val &v = operands[0];
        bool same = v.isArray() && v.array().getRank() > 0 && e.operandOf(v).dtype == dtype;
        env[op.getResult()] =
            same ? v :
            operands[0].isTuple()
                ? e.castTo(callFunction(e, *findFunction("numpy.array"), operands, {}), dtype)
                : e.castTo(operands[0], dtype);
    } else {
        e.unsupported("the function " + name +
                      " is not compiled yet; compute it outside and pass the result in");
    }
}

void Infer::visitUfunc(UfuncOp op) {
    SmallVector<Val> operands = vals(op.getOperands_());
    std::optional<DType> dtype;
    for (const auto &[name, value] : keywords(op.getKw(), operands)) {
        if (name != "dtype")
            e.unsupported("the keyword '" + name + "' of numpy." + op.getName() +
                          " is not compiled yet");
        dtype = e.dtypeOf(value);
    }
    for (Val &v : operands)
        if (v.isTuple())
            v = callFunction(e, *findFunction("numpy.array"), {v}, {});
    env[op.getResult()] = e.ufunc(op.getName(), operands, dtype);
}

void Infer::visitPyOp(PyOp op) {
    SmallVector<Val> operands = vals(op.getOperands_());
    StringRef name = op.getOp();
    if (operands.size() == 1)
        env[op.getResult()] = e.unary(name, operands[0]);
    else if (llvm::is_contained({"lt", "le", "gt", "ge", "eq", "ne", "is", "is_not"}, name))
        env[op.getResult()] = e.compare(name, operands[0], operands[1]);
    else
        env[op.getResult()] = e.binary(name, operands[0], operands[1]);
}

void Infer::visitSetItem(SetItemOp op) {
    const Val &value = val(op.getValue());
    if (op.getAugmented() && value.isArray())
        return; // np.inplace has written through the same window already
    e.setItem(val(op.getBase()), vals(op.getKeys()), value);
}

void Infer::visitMethod(MethodOp op) {
    const Val &base = val(op.getBase());
    StringRef name = op.getName();
    const Function *function =
        base.isTyped() && !isPyScalar(base.type()) ? findMethod(name) : nullptr;
    if (!function)
        e.unsupported("the method '" + name + "' of " + e.describe(base) + " is not compiled yet");
    SmallVector<Val> operands = vals(op.getArgs());
    SmallVector<std::pair<StringRef, Val>> named = keywords(op.getKw(), operands);
    operands.insert(operands.begin(), base);
    Val made = callFunction(e, *function, operands, named);
    env[op.getResult()] = std::move(made);
}

void Infer::visitUnpack(UnpackOp op) {
    Val value = val(op.getValue());
    size_t count = op.getNumResults();
    if (value.isArray() && value.array().getRank() > 0) {
        DimAttr size = e.dimsOf(value)[0];
        if (!e.assumeEqual(size, e.dimConst(count)))
            e.require("eq", {size, e.dimConst(count)}, "ValueError",
                      "cannot unpack an array of {0} rows into " + Twine(count) + " variables",
                      {size});
        for (size_t i = 0; i < count; ++i)
            env[op.getResult(i)] = e.getItem(value, {e.intVal(i)});
        return;
    }
    if (!value.isTuple())
        e.fail("TypeError", "cannot unpack non-iterable " + e.describe(value) + " object");
    if (value.items.size() > count)
        e.fail("ValueError", "too many values to unpack (expected " + Twine(count) + ")");
    if (value.items.size() < count)
        e.fail("ValueError", "not enough values to unpack (expected " + Twine(count) + ", got " +
                                 Twine(value.items.size()) + ")");
    for (size_t i = 0; i < count; ++i)
        env[op.getResult(i)] = value.items[i];
}

void Infer::visitCheckBound(CheckBoundOp op) {
    Val value = val(op.getValue());
    std::string message = ("cannot access local variable '" + op.getName() +
                           "' where it is not associated with a value")
                              .str();
    if (value.kind == Val::Kind::Unbound)
        e.fail("UnboundLocalError", message);
    if (value.kind == Val::Kind::Maybe) {
        if (e.facts.equal(value.dim, e.dimConst(1)) != Answer::Yes)
            e.require("eq", {value.dim, e.dimConst(1)}, "UnboundLocalError", message);
        value = Val(value.items[0]);
    }
    env[op.getResult()] = std::move(value);
}

static bool printable(const Val &v) {
    auto fixed = dyn_cast_or_null<PyAttr>(v.attr);
    if (v.kind == Val::Kind::Static || v.kind == Val::Kind::Maybe)
        return fixed ? fixed.getKind() == "none" || fixed.getKind() == "str" : !v.attr;
    return v.isTyped() || (v.isTuple() && llvm::all_of(v.items, printable));
}

void Infer::visitPrint(PrintOp op) {
    SmallVector<Value> leaves;
    SmallVector<Attribute> trees;
    for (const Val &v : vals(op.getValues())) {
        if (!printable(v))
            e.unsupported("print of " + e.describe(v) + " is not supported");
        trees.push_back(resultTree(v, leaves));
    }
    auto typed = PrintOp::create(e.b, e.loc, leaves);
    typed->setAttrs(op->getAttrDictionary());
    if (!llvm::all_of(trees, [](Attribute tree) { return isa<IntegerAttr>(tree); }))
        typed->setAttr("tree", e.b.getArrayAttr(trees));
}

//===-- The pass
//---------------------------------------------------------------------------------===//

namespace {

struct InferTypes : PassWrapper<InferTypes, OperationPass<ModuleOp>> {
    StringRef getArgument() const final { return "np-infer"; }
    StringRef getDescription() const final {
        return "infer dtypes and symbolic shapes of the specialised entry";
    }
    void runOnOperation() final {
        for (FuncOp func : llvm::make_early_inc_range(getOperation().getOps<FuncOp>())) {
            try {
                Infer(func, OpBuilder(&getContext())).run();
            } catch (const InferError &error) {
                InFlightDiagnostic diagnostic = emitError(error.loc)
                                                << error.exception << ": " << error.message;
                for (const std::string &note : error.notes)
                    diagnostic.attachNote() << note;
                diagnostic.report();
                return signalPassFailure();
            }
            func.erase();
        }
    }
};

} // namespace

std::unique_ptr<Pass> shapecast::createInferTypes() { return std::make_unique<InferTypes>(); }
