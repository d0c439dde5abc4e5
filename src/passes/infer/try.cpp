// np-infer: bodies of `try`. Each is outlined into a function, typed as recursive ones are
// (recursion.cpp), whose call returns whether it raised; the variables that it assigns are results.
#include "passes/infer/try.h"

#include "ops/builder/maybe_weak.h"
#include "ops/builder/operators.h"
#include "passes/frontend/inline.h"
#include "passes/infer/branches.h"
#include "passes/infer/exceptions.h"
#include "passes/infer/recursion.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// A variable with one of two types, put together again from its parts by a branch on the flag.
static Value selectByFlag(OpBuilder &builder, Location loc, Value flag,
                          llvm::function_ref<Value(bool)> part) {
    Type any = anyTensor(builder.getContext());
    Value holds = TruthOp::create(builder, loc, any, flag);
    auto made = IfOp::create(builder, loc, TypeRange(any), holds);
    OpBuilder::InsertionGuard guard(builder);
    for (bool set : {true, false}) {
        builder.createBlock(set ? &made.getThenRegion() : &made.getElseRegion());
        YieldOp::create(builder, loc, part(set));
    }
    return made.getResult(0);
}

// The value inside the outlined function for one from outside; `parameter` adds a parameter.
// Constants stay constants.
static Value passInto(TypedBuilder &e, OpBuilder &builder, Location loc, const Val &v,
                      llvm::function_ref<Value(const Val &)> parameter) {
    Type any = anyTensor(e.ctx);
    if (v.kind == Val::Kind::Optional && e.facts.equal(v.dim, e.dimConst(1)) == Answer::Yes)
        return passInto(e, builder, loc, v.items[0], parameter);
    if (v.kind == Val::Kind::Optional) {
        Value present = passInto(e, builder, loc, v.items[0], parameter),
              flag = parameter(e.sizeVal(v.dim));
        return selectByFlag(builder, loc, flag, [&](bool set) -> Value {
            if (set)
                return present;
            return v.attr ? constantValue(builder, loc, v.attr)
                          : UnboundOp::create(builder, loc, any, "a variable").getResult();
        });
    }
    if (v.isUnion()) {
        Value chosen = passInto(e, builder, loc, v.items[0], parameter);
        for (size_t i = 1; i < v.items.size(); ++i) {
            Value one = passInto(e, builder, loc, v.items[i], parameter);
            Val is = compare(e, "eq", e.sizeVal(v.dim), e.intVal(i));
            chosen = selectByFlag(builder, loc, parameter(is),
                                  [&](bool set) { return set ? one : chosen; });
        }
        return chosen;
    }
    if (v.weakFlag) {
        Value strong = parameter(strongSide(v)), python = parameter(weakSide(e, v)),
              flag = parameter(e.sizeVal(v.weakFlag));
        return selectByFlag(builder, loc, flag, [&](bool set) { return set ? python : strong; });
    }
    if (v.isPyInt() && v.constInt())
        return constantValue(builder, loc, e.b.getI64IntegerAttr(*v.constInt()));
    if (v.isTyped() && isPyScalar(v.type()) && v.attr && !isa<ArrayAttr>(v.attr))
        return constantValue(builder, loc, v.attr);
    const bool isCaught =
        v.kind == Val::Kind::Object && v.staticText() == "shapecast._objects.caught";
    if (isCaught && !v.items[1].attr) // on no path that comes here
        return UnboundOp::create(builder, loc, any, "a variable").getResult();
    if (isCaught)
        return CallOp::create(builder, loc, any, "shapecast.caught",
                              {parameter(v.items[0]), constantValue(builder, loc, v.items[1].attr)},
                              ArrayAttr(), ArrayAttr(), ArrayAttr())
            .getResult();
    if (v.isObject("exception")) { // that the program has made; it is made again there
        SmallVector<Value> arguments;
        for (const Val &item : v.items.read())
            arguments.push_back(passInto(e, builder, loc, item, parameter));
        SmallVector<StringRef> words; // the class, and the names of the last arguments
        v.staticText().split(words, ' ');
        Value made = constantValue(builder, loc, PyAttr::get(e.ctx, "exception", words[0]));
        ArrayAttr names;
        if (words.size() > 1)
            names = builder.getStrArrayAttr(ArrayRef(words).drop_front());
        return ApplyOp::create(builder, loc, any, made, arguments, names).getResult();
    }
    return parameter(v);
}

// Region::isAncestor, also for the detached regions of expansions.
static bool isWithin(Value v, Region &region) {
    for (Region *around = v.getParentRegion(); around;) {
        if (around == &region)
            return true;
        Operation *holder = around->getParentOp();
        around = holder ? holder->getParentRegion() : nullptr;
    }
    return false;
}

// The body as a captured function. `arguments`: the values from outside that it uses.
static FuncOp outlineTry(Inference &in, TryOp op, SmallVector<Val> &arguments) {
    TypedBuilder &e = in.e;
    Block &captured = op.getBody().front();
    llvm::SetVector<Value> used;
    captured.walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
            if (!isWithin(operand, op.getBody()))
                used.insert(operand);
    });
    Location loc = op.getLoc();
    Type any = anyTensor(e.ctx);
    auto module = in.source->getParentOfType<ModuleOp>();
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    std::string name = (in.source.getSymName() + ".try" + Twine(in.recursions.tryBodies++)).str();
    auto func = FuncOp::create(builder, loc, name, builder.getFunctionType({}, any));
    func.setSymVisibility("private");
    Block *body = builder.createBlock(&func.getBody());
    IRMapping map;
    auto parameter = [&](const Val &argument) -> Value {
        arguments.push_back(argument);
        return body->addArgument(any, loc);
    };
    for (Value value : used)
        map.map(value, passInto(e, builder, loc, Val(in.val(value)), parameter));
    for (Operation &inner : captured.without_terminator())
        builder.clone(inner, map);
    SmallVector<Value> results;
    for (Value value : cast<YieldOp>(captured.back()).getValues())
        results.push_back(map.lookupOrDefault(value));
    Value all = TupleOp::create(builder, loc, any, results, UnitAttr());
    ReturnOp::create(builder, loc, all);
    func.setFunctionType(
        builder.getFunctionType(SmallVector<Type>(body->getNumArguments(), any), any));
    return func;
}

// The one of an earlier visit, in another iteration of a loop, that says the same: it may have been
// inferred for these types already. Tries in tries would be inferred for each visit of each.
static FuncOp outlinedBefore(Inference &in, Location loc, FuncOp body) {
    SmallVector<FuncOp> &known = in.recursions.tries[loc];
    for (FuncOp other : known)
        if (OperationEquivalence::isRegionEquivalentTo(&other.getBody(), &body.getBody(),
                                                       OperationEquivalence::Flags::None)) {
            body.erase();
            return other;
        }
    known.push_back(body);
    return body;
}

void shapecast::visitAttempt(Inference &in, TryOp op) {
    TypedBuilder &e = in.e;
    std::string classes;
    for (const Val &v : in.vals(op.getClasses()))
        classes += (classes.empty() ? "" : ";") + exceptionClasses(e, v);
    SmallVector<Val> arguments;
    FuncOp body = outlinedBefore(in, op.getLoc(), outlineTry(in, op, arguments));
    SmallVector<Val, 3> caught;
    const Val assigned = recursiveCall(in, body, arguments, op.getLoc(), classes, &caught);
    e.loc = op.getLoc();
    // A variable that is unbound without the body is bound exactly if that did not raise.
    SmallVector<Val> before = in.vals(cast<YieldOp>(op.getHandler().front().back()).getValues());
    Val fine = compare(e, "eq", caught[0], e.intVal(0));
    SmallVector<Val> results(before.size(), e.neverVal());
    if (assigned.kind == Val::Kind::Never)
        results = before;
    else
        results = branch(in, op.getLoc(), fine, [&](bool holds) {
            return holds ? SmallVector<Val>(assigned.items.begin(), assigned.items.end()) : before;
        });
    for (auto [v, old] : llvm::zip_equal(results, before))
        if (v.kind == Val::Kind::Optional && old.kind == Val::Kind::Unbound &&
            assigned.items[&v - results.data()].kind != Val::Kind::Optional)
            v.dim = dimSub(e.dimConst(1), caught[0].dim);
    llvm::append_range(results, caught);
    for (auto [result, v] : llvm::zip_equal(op->getResults(), results))
        in.env[result] = v;
}
