// Statements and branches. Jumps become flags (structured control flow); where one arm always
// jumps, the rest of the block moves into the other.
#include "capture/emitter.h"
#include "capture/interrupts.h"

#include "llvm/Support/SaveAndRestore.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

// Variables that are bound to objects are so up to the end of the block.
void FunctionEmitter::block(ArrayRef<Statement *> statements, const Names &out) {
    constexpr unsigned maxDepth = 2000; // recursion takes 1 to 2 KB of stack for each
    llvm::SaveAndRestore deeper(depth, depth + 1);
    if (depth > maxDepth && !statements.empty())
        unsupported(statements[0]->node, "branches nested, or following one another with "
                                         "'return' in them, more than " +
                                             std::to_string(maxDepth) +
                                             " deep, are not supported; use a loop over arrays");
    blockObjectVariables.emplace_back();
    statementsOf(statements, out);
    for (const std::string &name : blockObjectVariables.back())
        forgetObject(name);
    blockObjectVariables.pop_back();
}

void FunctionEmitter::statementsOf(ArrayRef<Statement *> statements, const Names &out) {
    std::vector<Names> after(statements.size());
    Names live = out;
    for (size_t i = statements.size(); i-- > 0;) {
        after[i] = live;
        live = liveBefore(statements[i], std::move(live), enclosingLoop());
    }
    for (auto [i, s] : llvm::enumerate(statements)) {
        loc = locationOf(s->range);
        if (statementOrRefusal(*s, statements.drop_front(i + 1), after[i], out))
            return;
    }
}

// Returns whether the rest of the block has been emitted, or is unreachable.
bool FunctionEmitter::statement(const Statement &s, ArrayRef<Statement *> rest, const Names &after,
                                const Names &out) {
    switch (s.kind) {
    case Kind::If:
        return ifStatement(s, rest, after, out);
    case Kind::For:
    case Kind::While:
        return loop(s, rest, after, out);
    case Kind::Attempt:
        attempt(s, after);
        return false;
    default:
        simpleStatement(s);
        return !s.falls;
    }
}

//===-- Deferred errors: an unsupported construct in a branch raises when control reaches it

struct FunctionEmitter::Snapshot {
    FunctionEmitter &e;
    State state = e.state;
    std::set<std::string> capturing = e.capturing,
                          expiredObjectVariables = e.expiredObjectVariables;
    Objects objectVariables = e.objectVariables;
    size_t blocks = e.blockObjectVariables.size();
    size_t own = blocks ? e.blockObjectVariables.back().size() : 0;
    size_t loops = e.loops.size(), comprehensionVariables = e.comprehensionVariables.size();
    unsigned conditionalDepth = e.conditionalDepth, depth = e.depth;
    bool firstOnly = e.firstOnly, readsReachable = e.readsReachable;
    size_t calls = e.session.callStack.size(), open = e.session.openContainers.size();
    mlir::Block *insertionBlock = e.builder.getInsertionBlock();
    Operation *last = insertionBlock->empty() ? nullptr : &insertionBlock->back();

    void restore() {
        e.builder.setInsertionPointToEnd(insertionBlock);
        while (!insertionBlock->empty() && &insertionBlock->back() != last)
            insertionBlock->back().erase();
        e.state = state;
        e.capturing = capturing, e.expiredObjectVariables = expiredObjectVariables;
        e.objectVariables = objectVariables;
        e.blockObjectVariables.resize(blocks);
        if (blocks)
            e.blockObjectVariables.back().resize(own);
        e.loops.erase(e.loops.begin() + ptrdiff_t(loops), e.loops.end());
        e.comprehensionVariables.resize(comprehensionVariables);
        e.conditionalDepth = conditionalDepth, e.depth = depth;
        e.firstOnly = firstOnly, e.readsReachable = readsReachable;
        e.session.callStack.resize(calls);
        e.session.openContainers.resize(open);
    }
};

bool FunctionEmitter::statementOrRefusal(const Statement &s, ArrayRef<Statement *> rest,
                                         const Names &after, const Names &out) {
    bool done = true;
    if (!s.inArm)
        return statement(s, rest, after, out);
    if (orRefusal([&] { done = statement(s, rest, after, out); })) {
        state.raised = true;
        state.reachable = Flag::of(false);
    }
    return done;
}

// Emits; an unsupported construct is rolled back and replaced by a call that raises, whose (unused)
// value is returned. The guards stay: with other objects under these names it may be supported.
Value FunctionEmitter::orRefusal(llvm::function_ref<void()> emit) {
    if (!session.options.defersRefusals || isLibrary()) {
        emit();
        return {};
    }
    Snapshot before{*this};
    UserError refusal;
    try {
        emit();
        return {};
    } catch (const SyntaxProblem &problem) {
        std::vector<Frame> frames = session.callStack;
        frames.push_back(frameOf(rangeOf(problem.node)));
        refusal = unsupportedError(problem.message, std::move(frames));
    } catch (const CaptureError &failure) {
        if (failure.error.exception != "shapecast.UnsupportedError")
            throw;
        refusal = failure.error;
    }
    before.restore();
    return refuse(refusal);
}

// The location has the frames from this function inwards; those of its callers are added when it is
// inlined.
Value FunctionEmitter::refuse(const UserError &error) {
    std::optional<Location> location;
    const size_t callers = std::min(session.callStack.size(), error.frames.size());
    for (const Frame &frame : ArrayRef(error.frames).drop_front(callers)) {
        auto range = FileLineColRange::get(builder.getStringAttr(frame.file), frame.line,
                                           frame.column, frame.endLine, frame.endColumn);
        Location here = NameLoc::get(builder.getStringAttr(frame.function), range);
        location = location ? CallSiteLoc::get(here, *location) : here;
    }
    loc = location.value_or(loc);
    return callNamed("shapecast.refuse", staticValue("str", error.message));
}

void FunctionEmitter::simpleStatement(const Statement &s) {
    switch (s.kind) {
    case Kind::Pass:
        break;
    case Kind::Continuation:
        callNamed("shapecast.rest", {});
        break;
    case Kind::Expr:
        expressionStatement(field(s.node, "value"));
        break;
    case Kind::Assign: {
        py::object targets = field(s.node, "targets"), value = field(s.node, "value");
        if (py::len(targets) == 1 && kindOf(value) == Kind::Lambda &&
            kindOf(targets[py::int_(0)]) == Kind::Name) {
            std::string name = identifier(targets[py::int_(0)], "id");
            unsigned local = syntax.localIndex.lookup(name);
            const bool recreated = syntax.functions.contains(local);
            state.locals[local] = {closure(value, recreated ? name : "",
                                           recreated ? Use::Defined : Use::Escaping, value),
                                   false,
                                   {}};
            break;
        }
        if (py::len(targets) == 1 && kindOf(targets[py::int_(0)]) == Kind::Name)
            if (std::optional<ExternalRef> object = objectArgument(value)) {
                session.objectNumber(*object);
                const std::string name = identifier(targets[py::int_(0)], "id");
                bindObject(name, *object, s.node);
                return blockObjectVariables.back().push_back(name);
            }
        if (py::len(targets) == 1)
            return assignFrom(targets[py::int_(0)], value);
        Value assigned = expression(value);
        for (py::handle target : targets)
            assign(target, assigned);
        break;
    }
    case Kind::AnnAssign:
        if (py::object value = field(s.node, "value"); !value.is_none())
            assignFrom(field(s.node, "target"), value);
        break;
    case Kind::AugAssign:
        augAssign(s);
        break;
    case Kind::Enter:
        enterContext(field(s.node, "value"));
        break;
    case Kind::FunctionDef: {
        std::string name = identifier(s.node, "name");
        const unsigned local = syntax.localIndex.lookup(name);
        const Use use = syntax.functions.contains(local) ? Use::Defined : Use::Escaping;
        state.locals[local] = {closure(s.node, name, use, s.node), false, {}};
        break;
    }
    case Kind::Delete:
        deleteNames(s);
        break;
    case Kind::Raise:
        return raiseStatement(s);
    case Kind::Assert:
        return assertStatement(s);
    case Kind::Break:
        state.exitedByBreak = Flag::of(true);
        [[fallthrough]];
    case Kind::Continue:
        if (s.kind == Kind::Break)
            state.continues = Flag::of(false);
        state.reachable = Flag::of(false);
        break;
    case Kind::Return: {
        if (s.value || !s.node)
            return returnValue(s.value ? s.value : none());
        py::object value =
            field(s.node, hasAttribute(s.node, "value") ? "value" : "body"); // `body`: of a lambda
        returnValue(value.is_none() ? none() : returnedValue(value));
        break;
    }
    default: {
        py::object shown = s.node; // of `with x as y`: x
        if (className(s.node) == "With")
            shown = field(field(s.node, "items")[py::int_(0)], "context_expr");
        unsupported(shown, unsupportedConstruct(s.node));
    }
    }
}

void FunctionEmitter::deleteNames(const Statement &s) {
    for (py::handle target : field(s.node, "targets")) {
        setLocation(target);
        if (kindOf(target) == Kind::Subscript) {
            Value base = expression(field(target, "value"));
            SmallVector<Value> index = keys(field(target, "slice"));
            np::MethodOp::create(builder, loc, any, base, "__delitem__", index, ArrayAttr());
            continue;
        }
        if (kindOf(target) != Kind::Name)
            unsupported(target, "'del' of an attribute is not supported");
        unsigned local = syntax.localIndex.lookup(identifier(target, "id"));
        readLocal(local); // UnboundLocalError
        state.locals[local] = {};
    }
}

// Control does not continue after it, so the arm's state does not count where the arms join.
void FunctionEmitter::raise(ValueRange values) {
    np::RaiseOp::create(builder, loc, values);
    state.raised = true;
    state.reachable = Flag::of(false);
}

void FunctionEmitter::raiseStatement(const Statement &s) {
    py::object exception = field(s.node, "exc"), cause = field(s.node, "cause");
    if (exception.is_none())
        unsupported(s.node, "'raise' without an exception is not supported; name the exception");
    ++conditionalDepth; // rejects `:=`: nothing could read the variable
    SmallVector<Value> values{expression(exception)};
    if (!cause.is_none())
        values.push_back(expression(cause));
    --conditionalDepth;
    raise(values);
}

// assert test, message: no code under `python -O`.
void FunctionEmitter::assertStatement(const Statement &s) {
    if (py::cast<int>(py::module_::import("sys").attr("flags").attr("optimize")) > 0)
        return;
    Value condition = truth(field(s.node, "test"));
    branch(
        condition, Names(syntax.locals.size()), [] {},
        [&] {
            ++conditionalDepth;
            py::object message = field(s.node, "msg");
            SmallVector<Value> values;
            if (!message.is_none())
                values.push_back(expression(message));
            --conditionalDepth;
            Value error = staticValue("exception", "builtins.AssertionError");
            raise(np::ApplyOp::create(builder, loc, any, error, values, ArrayAttr())->getResults());
        });
}

// An object that is returned, by itself or in a tuple: the call returns the caller's very object.
Value FunctionEmitter::returnedValue(py::handle node) {
    std::optional<ExternalRef> object;
    if (kindOf(node) == Kind::Name || kindOf(node) == Kind::Attribute)
        object = objectArgument(node);
    if (object && !isRecordArray(object->object))
        return staticValue("object", std::to_string(session.objectNumber(*object)));
    if (kindOf(node) == Kind::IfExp &&
        (objectArgument(field(node, "body")) || objectArgument(field(node, "orelse"))))
        return select(
            truth(field(node, "test")), [&] { return returnedValue(field(node, "body")); },
            [&] { return returnedValue(field(node, "orelse")); });
    auto isStarred = [](py::handle item) { return kindOf(item) == Kind::Starred; };
    if (kindOf(node) != Kind::Tuple || llvm::any_of(field(node, "elts"), isStarred))
        return expression(node);
    SmallVector<Value> items;
    for (py::handle item : field(node, "elts"))
        items.push_back(returnedValue(item));
    return np::TupleOp::create(builder, locationOf(rangeOf(node)), any, items, UnitAttr());
}

void FunctionEmitter::returnValue(Value value) {
    state.result = value;
    state.reachable = Flag::of(false);
    if (!loops.empty()) {
        state.returned = Flag::of(true);
        state.continues = Flag::of(false);
    }
}

void FunctionEmitter::expressionStatement(py::handle value) {
    if (kindOf(value) == Kind::Constant) // docstrings, `...`
        return;
    std::optional<ExternalRef> callee;
    try {
        if (kindOf(value) == Kind::Call)
            callee = resolve(field(value, "func"));
    } catch (const MissingAttribute &) { // raises as an expression
    }
    if (callee && session.externalName(callee->object) == "builtins.print")
        return printCall(value);
    expression(value);
}

// `with np.errstate(...)`: no code; compiled code never warns of floating-point errors.
void FunctionEmitter::enterContext(py::handle value) {
    std::optional<ExternalRef> callee;
    if (kindOf(value) == Kind::Call)
        callee = resolve(field(value, "func"));
    if (!callee || session.externalName(callee->object) != "numpy.errstate" ||
        py::len(field(value, "args")))
        unsupported(value, "'with' of anything but np.errstate is not supported; enter the context "
                           "around the call of the jitted function");
    for (py::handle keyword : field(value, "keywords")) {
        py::object given = field(keyword, "value");
        const bool known = !field(keyword, "arg").is_none() && kindOf(given) == Kind::Constant;
        const std::string action = known && py::isinstance<py::str>(field(given, "value"))
                                       ? text(field(given, "value"))
                                       : "";
        if (action != "ignore" && action != "warn")
            unsupported(given, "np.errstate is supported with 'ignore' and 'warn' only: compiled "
                               "code does not detect floating-point errors; test the result, for "
                               "example with np.isfinite");
    }
}

//===-- Assignment

// `x.real`, `x.imag`: views; an assignment stores to their elements.
static bool isRealOrImag(py::handle target) {
    const std::string name = identifier(target, "attr");
    return name == "real" || name == "imag";
}

static Value ellipsis(OpBuilder &builder, Location loc) {
    MLIRContext *ctx = builder.getContext();
    return np::ConstOp::create(builder, loc, np::StaticType::get(ctx),
                               np::PyAttr::get(ctx, "ellipsis", ""));
}

void FunctionEmitter::assign(py::handle target, Value value) {
    Location before = loc;
    setLocation(target);
    switch (kindOf(target)) {
    case Kind::Name:
        if (objectVariables.contains(identifier(target, "id")))
            unsupported(target, "the variable '" + identifier(target, "id") +
                                    "' is an object and is assigned again; give the later value "
                                    "another name");
        state.locals[syntax.localIndex.lookup(identifier(target, "id"))] = {value, false, {}};
        break;
    case Kind::Tuple:
    case Kind::List: {
        py::object elements = field(target, "elts");
        SmallVector<Type> types(py::len(elements), any);
        auto unpack = np::UnpackOp::create(builder, loc, types, value);
        for (auto [i, element] : llvm::enumerate(elements))
            if (kindOf(element) == Kind::Starred)
                unpack.setStarAttr(builder.getI64IntegerAttr(i));
        for (auto [element, part] : llvm::zip(elements, unpack.getResults()))
            assign(kindOf(element) == Kind::Starred ? field(element, "value")
                                                    : py::reinterpret_borrow<py::object>(element),
                   part);
        break;
    }
    case Kind::Subscript: {
        if (storeField(target, value))
            break;
        Value base = expression(field(target, "value"));
        SmallVector<Value> index = keys(field(target, "slice"));
        np::SetItemOp::create(builder, loc, base, index, value, UnitAttr());
        break;
    }
    case Kind::Attribute: {
        assignAttribute(target, value);
        break;
    }
    default:
        unsupported(target, unsupportedConstruct(target));
    }
    loc = before;
}

// base.name = value.
void FunctionEmitter::assignAttribute(py::handle target, Value value) {
    if (std::optional<ExternalRef> owner = objectArgument(field(target, "value")))
        return assignObjectAttribute(*owner, target, value);
    Value base = expression(field(target, "value"));
    Value name = staticValue("str", identifier(target, "attr"));
    Value changed = np::MethodOp::create(builder, loc, any, base, "__setattr__",
                                         ValueRange{name, value}, ArrayAttr());
    if (reshapesName(target) &&
        syntax.localIndex.contains(identifier(field(target, "value"), "id")))
        assign(field(target, "value"), changed);
}

// `a, b = b, a` needs no tuple: all values first, then the targets from left to right.
void FunctionEmitter::assignFrom(py::handle target, py::handle value) {
    auto isDisplay = [](py::handle node) {
        if (kindOf(node) != Kind::Tuple && kindOf(node) != Kind::List)
            return false;
        return llvm::none_of(field(node, "elts"),
                             [](py::handle e) { return kindOf(e) == Kind::Starred; });
    };
    if (!isDisplay(target) || !isDisplay(value) ||
        py::len(field(target, "elts")) != py::len(field(value, "elts")))
        return assign(target, expression(value));
    SmallVector<Value> values;
    for (py::handle element : field(value, "elts"))
        values.push_back(expression(element));
    for (auto [element, assigned] : llvm::zip(field(target, "elts"), values))
        assign(element, assigned);
}

void FunctionEmitter::augAssign(const Statement &s) {
    py::object target = field(s.node, "target"), value = field(s.node, "value");
    std::string op = binaryName(field(s.node, "op"));
    switch (kindOf(target)) {
    case Kind::Name: {
        Value current = expression(target);
        Value operand = expression(value);
        assign(target, np::InplaceOp::create(builder, loc, any, op, current, operand));
        break;
    }
    case Kind::Subscript: {
        if (changeField(target, op, value))
            break;
        Value base = expression(field(target, "value"));
        SmallVector<Value> index = keys(field(target, "slice"));
        Value current = np::GetItemOp::create(builder, loc, any, base, index);
        Value operand = expression(value);
        Value updated = np::InplaceOp::create(builder, loc, any, op, current, operand);
        np::SetItemOp::create(builder, loc, base, index, updated, builder.getUnitAttr());
        break;
    }
    default: {
        py::object owner = field(target, "value");
        if (!isRealOrImag(target) || objectArgument(owner)) {
            Value current = expression(target), operand = expression(value);
            assign(target, np::InplaceOp::create(builder, loc, any, op, current, operand));
            break;
        }
        Value part =
            np::AttrOp::create(builder, loc, any, expression(owner), identifier(target, "attr"));
        Value operand = expression(value);
        Value updated = np::InplaceOp::create(builder, loc, any, op, part, operand);
        np::SetItemOp::create(builder, loc, part, ellipsis(builder, loc), updated,
                              builder.getUnitAttr());
    }
    }
}

//===-- Branches

// Returns whether the rest of the block has been emitted, or is unreachable.
bool FunctionEmitter::ifStatement(const Statement &s, ArrayRef<Statement *> rest,
                                  const Names &after, const Names &out) {
    Value condition = s.value ? s.value : truth(field(s.node, "test"));
    bool thenFalls = fallsThrough(s.body), elseFalls = fallsThrough(s.orelse);
    Names jumpLive(out.size()); // live at the targets of the jumps
    if (mayJump(s) && !loops.empty())
        jumpLive = enclosingLoop()->header;
    if (!mayJump(s) || rest.empty() || !s.falls) {
        Names live = after;
        live |= jumpLive;
        branch(condition, live, [&] { block(s.body, after); }, [&] { block(s.orelse, after); });
        return !s.falls;
    }
    if (!thenFalls || !elseFalls) {
        Block tail = thenFalls ? s.body : s.orelse;
        tail.push_back(synthesiseContinuation(s));
        tail.insert(tail.end(), rest.begin(), rest.end());
        jumpLive |= out;
        branch(
            condition, jumpLive, [&] { block(thenFalls ? tail : s.body, out); },
            [&] { block(thenFalls ? s.orelse : tail, out); });
        return true;
    }
    // Each arm may fall through or jump: a flag says which, and guards the rest.
    Names live = after;
    live |= jumpLive;
    bool outer = std::exchange(readsReachable, true);
    branch(condition, live, [&] { block(s.body, after); }, [&] { block(s.orelse, after); });
    readsReachable = outer;
    jumpLive |= out;
    Value reachable = materialise(state.reachable);
    branch(
        reachable, jumpLive,
        [&] {
            state.reachable = Flag::of(true);
            Block tail{synthesiseContinuation(s)};
            tail.insert(tail.end(), rest.begin(), rest.end());
            block(tail, out);
        },
        [&] { state.reachable = Flag::of(false); });
    return true;
}

void FunctionEmitter::branch(Value condition, const Names &live, Arm then, Arm orelse) {
    Location where = loc;
    State before = state;
    Region arms[2];
    State ends[2];
    for (int i : {0, 1}) {
        OpBuilder::InsertionGuard guard(builder);
        builder.createBlock(&arms[i]);
        (i == 0 ? then : orelse)();
        ends[i] = std::exchange(state, before);
    }
    loc = where;
    join(live, before, ends, arms, [&](TypeRange types) -> Operation * {
        return np::IfOp::create(builder, where, types, condition);
    });
}

// A branch with the body as one arm and an empty one as the other.
void FunctionEmitter::attempt(const Statement &s, const Names &after) {
    SmallVector<Value> classes;
    for (py::handle type : field(s.node, "classes"))
        classes.push_back(expression(type));
    Location where = loc;
    State before = state;
    Region arms[2];
    State ends[2];
    for (int i : {0, 1}) {
        OpBuilder::InsertionGuard guard(builder);
        builder.createBlock(&arms[i]);
        if (i == 0)
            block(s.body, after);
        ends[i] = std::exchange(state, before);
    }
    loc = where;
    Operation *tryOp = nullptr;
    join(after, before, ends, arms, [&](TypeRange yielded) {
        SmallVector<Type> types(yielded);
        types.append(3, any);
        return tryOp = np::TryOp::create(builder, where, types, classes);
    });
    state.reachable = Flag::of(true);
    for (auto [target, value] :
         llvm::zip(field(s.node, "targets"), tryOp->getResults().take_back(3)))
        assign(target, value);
}

// One arm raised: it takes the values of the other one (`live`), so that nothing is yielded for
// those that `live` left as they were before. For those that `live` computed it has none, as they
// do not dominate the join: undefined values are yielded.
static void mergeRaisedArm(const State &before, const State &live, State &raised) {
    raised = live;
    for (auto [mine, theirs, old] : llvm::zip(raised.locals, live.locals, before.locals))
        if (theirs.value != old.value)
            mine.value = {};
    for (Flag State::*flag :
         {&State::reachable, &State::continues, &State::exitedByBreak, &State::returned})
        if (!(live.*flag).known && !(live.*flag == before.*flag))
            raised.*flag = Flag::of(false);
    if (live.result != before.result)
        raised.result = {};
}

// Makes the np.if (or np.try) of two arms: it yields what differs between their ends and is
// live.
void FunctionEmitter::join(const Names &live, const State &before, MutableArrayRef<State> ends,
                           MutableArrayRef<Region> arms,
                           llvm::function_ref<Operation *(TypeRange)> make) {
    state.raised = ends[0].raised && ends[1].raised;
    const bool oneRaised = ends[0].raised != ends[1].raised;
    if (oneRaised)
        mergeRaisedArm(before, ends[ends[0].raised], ends[ends[1].raised]);
    SmallVector<unsigned> variables;
    for (unsigned i = 0; i < state.locals.size(); ++i)
        if (live[i] && ends[0].locals[i].value != ends[1].locals[i].value)
            variables.push_back(i);
    SmallVector<Flag State::*> flags;
    auto addFlag = [&](Flag State::*flag, bool needed) {
        if (needed && !(ends[0].*flag == ends[1].*flag))
            flags.push_back(flag);
        else
            state.*flag = ends[0].*flag;
    };
    addFlag(&State::reachable, readsReachable);
    addFlag(&State::continues, !loops.empty());
    addFlag(&State::exitedByBreak, !loops.empty() && loops.back().needsExitedByBreak);
    addFlag(&State::returned, !loops.empty() && loops.back().needsReturned);
    bool result = ends[0].result != ends[1].result;

    for (int i : {0, 1}) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToEnd(&arms[i].front());
        SmallVector<Value> values;
        for (unsigned variable : variables) {
            Value value = ends[i].locals[variable].value;
            values.push_back(value ? value : unbound(syntax.locals[variable]));
        }
        for (Flag State::*flag : flags)
            values.push_back(materialise(ends[i].*flag));
        if (result)
            values.push_back(resultOr(ends[i].result));
        np::YieldOp::create(builder, loc, values);
    }
    SmallVector<Type> types(variables.size() + flags.size() + result, any);
    Operation *op = make(types);
    op->getRegion(0).takeBody(arms[0]);
    op->getRegion(1).takeBody(arms[1]);

    for (unsigned i = 0; i < state.locals.size(); ++i) {
        const Binding &a = ends[0].locals[i], &b = ends[1].locals[i];
        bool maybeUnbound =
            oneRaised ? a.maybeUnbound : !a.value || a.maybeUnbound || !b.value || b.maybeUnbound;
        if (a.value != b.value)
            state.locals[i] = {}; // dead, or set below
        else
            state.locals[i] = {a.value, maybeUnbound,
                               a.value == before.locals[i].value ? before.locals[i].checked
                                                                 : Value()};
        if (llvm::is_contained(variables, i))
            state.locals[i].maybeUnbound = maybeUnbound;
    }
    unsigned next = 0;
    for (unsigned variable : variables)
        state.locals[variable].value = op->getResult(next++);
    for (Flag State::*flag : flags)
        state.*flag = Flag::of(op->getResult(next++));
    state.result = result ? op->getResult(next) : ends[0].result;
}

} // namespace shapecast::capture
