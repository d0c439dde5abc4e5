// Statements. Jumps become flags (structured control flow); where one arm always jumps, the rest of
// the block moves into the other.
#include "capture/assignments.h"
#include "capture/branches.h"
#include "capture/conditions.h"
#include "capture/emitter.h"
#include "capture/enum_members.h"
#include "capture/for_loops.h"
#include "capture/functions.h"
#include "capture/interrupts.h"
#include "capture/object_lists.h"
#include "capture/objects.h"
#include "capture/refusals.h"
#include "capture/reports.h"

#include "llvm/Support/SaveAndRestore.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static void emitStatements(FunctionEmitter &f, ArrayRef<Statement *> statements, const Names &out);
static bool emitStatementOrRefusal(FunctionEmitter &f, const Statement &s,
                                   ArrayRef<Statement *> rest, const Names &after,
                                   const Names &out);
static void emitSimpleStatement(FunctionEmitter &f, const Statement &s);
static void emitRaiseStatement(FunctionEmitter &f, const Statement &s);
static void emitAssert(FunctionEmitter &f, const Statement &s);
static Value emitReturned(FunctionEmitter &f, py::handle node);
static void emitExpressionStatement(FunctionEmitter &f, py::handle value);
static void enterContext(FunctionEmitter &f, py::handle value);
static bool emitIf(FunctionEmitter &f, const Statement &s, ArrayRef<Statement *> rest,
                   const Names &after, const Names &out);

// Variables that are bound to objects are so up to the end of the block.
void emitBlock(FunctionEmitter &f, ArrayRef<Statement *> statements, const Names &out) {
    constexpr unsigned maxDepth = 2000; // recursion takes 1 to 2 KB of stack for each
    llvm::SaveAndRestore deeper(f.depth, f.depth + 1);
    if (f.depth > maxDepth && !statements.empty())
        unsupported(statements[0]->node, "branches nested, or following one another with "
                                         "'return' in them, more than " +
                                             std::to_string(maxDepth) +
                                             " deep, are not supported; use a loop over arrays");
    f.blockObjectVariables.emplace_back();
    emitStatements(f, statements, out);
    for (const std::string &name : f.blockObjectVariables.back())
        forgetObject(f, name);
    f.blockObjectVariables.pop_back();
}

static void emitStatements(FunctionEmitter &f, ArrayRef<Statement *> statements, const Names &out) {
    std::vector<Names> after(statements.size());
    Names live = out;
    for (size_t i = statements.size(); i-- > 0;) {
        after[i] = live;
        live = liveBefore(statements[i], std::move(live), f.enclosingLoop());
    }
    for (auto [i, s] : llvm::enumerate(statements)) {
        f.loc = f.locationOf(s->range);
        if (emitStatementOrRefusal(f, *s, statements.drop_front(i + 1), after[i], out))
            return;
    }
}

// Returns whether the rest of the block has been emitted, or is unreachable.
static bool emitStatement(FunctionEmitter &f, const Statement &s, ArrayRef<Statement *> rest,
                          const Names &after, const Names &out) {
    switch (s.kind) {
    case Kind::If:
        return emitIf(f, s, rest, after, out);
    case Kind::For:
    case Kind::While:
        return emitLoop(f, s, rest, after, out);
    case Kind::Attempt:
        emitTry(f, s, after);
        return false;
    default:
        emitSimpleStatement(f, s);
        return !s.falls;
    }
}

static bool emitStatementOrRefusal(FunctionEmitter &f, const Statement &s,
                                   ArrayRef<Statement *> rest, const Names &after,
                                   const Names &out) {
    bool done = true;
    if (!s.inArm)
        return emitStatement(f, s, rest, after, out);
    if (orRefusal(f, [&] { done = emitStatement(f, s, rest, after, out); })) {
        f.state.raised = true;
        f.state.reachable = Flag::of(false);
    }
    return done;
}

static void emitSimpleStatement(FunctionEmitter &f, const Statement &s) {
    switch (s.kind) {
    case Kind::Pass:
        break;
    case Kind::Continuation:
        f.callNamed("shapecast.rest", {});
        break;
    case Kind::Expr:
        emitExpressionStatement(f, field(s.node, "value"));
        break;
    case Kind::Assign: {
        py::object targets = field(s.node, "targets"), value = field(s.node, "value");
        if (py::len(targets) == 1 && kindOf(value) == Kind::Lambda &&
            kindOf(targets[py::int_(0)]) == Kind::Name) {
            std::string name = identifier(targets[py::int_(0)], "id");
            unsigned local = f.syntax.localIndex.lookup(name);
            const bool recreated = f.syntax.functions.contains(local);
            f.state.locals[local] = {emitClosure(f, value, recreated ? name : "",
                                                 recreated ? Use::Defined : Use::Escaping, value),
                                     false,
                                     {}};
            break;
        }
        if (py::len(targets) == 1 && kindOf(targets[py::int_(0)]) == Kind::Name)
            if (std::optional<ExternalRef> object = objectArgument(f, value);
                object && !isConstantMember(object->object)) {
                f.session.objectNumber(*object);
                const std::string name = identifier(targets[py::int_(0)], "id");
                bindObject(f, name, *object, s.node);
                return f.blockObjectVariables.back().push_back(name);
            }
        if (py::len(targets) == 1)
            return assignFrom(f, targets[py::int_(0)], value);
        Value assigned = emitExpression(f, value);
        for (py::handle target : targets)
            assign(f, target, assigned);
        break;
    }
    case Kind::AnnAssign:
        if (py::object value = field(s.node, "value"); !value.is_none())
            assignFrom(f, field(s.node, "target"), value);
        break;
    case Kind::AugAssign:
        augAssign(f, s);
        break;
    case Kind::Enter:
        enterContext(f, field(s.node, "value"));
        break;
    case Kind::FunctionDef: {
        std::string name = identifier(s.node, "name");
        const unsigned local = f.syntax.localIndex.lookup(name);
        const Use use = f.syntax.functions.contains(local) ? Use::Defined : Use::Escaping;
        f.state.locals[local] = {emitClosure(f, s.node, name, use, s.node), false, {}};
        break;
    }
    case Kind::Delete:
        deleteNames(f, s);
        break;
    case Kind::Raise:
        return emitRaiseStatement(f, s);
    case Kind::Assert:
        return emitAssert(f, s);
    case Kind::Break:
        f.state.exitedByBreak = Flag::of(true);
        [[fallthrough]];
    case Kind::Continue:
        if (s.kind == Kind::Break)
            f.state.continues = Flag::of(false);
        f.state.reachable = Flag::of(false);
        break;
    case Kind::Return: {
        if (s.value || !s.node)
            return f.returnValue(s.value ? s.value : f.none());
        py::object value =
            field(s.node, hasAttribute(s.node, "value") ? "value" : "body"); // `body`: of a lambda
        f.returnValue(value.is_none() ? f.none() : emitReturned(f, value));
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

// Control does not continue after it, so the arm's state does not count where the arms join.
static void emitRaise(FunctionEmitter &f, ValueRange values) {
    np::RaiseOp::create(f.builder, f.loc, values);
    f.state.raised = true;
    f.state.reachable = Flag::of(false);
}

static void emitRaiseStatement(FunctionEmitter &f, const Statement &s) {
    py::object exception = field(s.node, "exc"), cause = field(s.node, "cause");
    if (exception.is_none())
        unsupported(s.node, "'raise' without an exception is not supported; name the exception");
    f.raises = true; // rejects `:=`: nothing could read the variable
    SmallVector<Value> values{emitExpression(f, exception)};
    if (!cause.is_none())
        values.push_back(emitExpression(f, cause));
    f.raises = false;
    emitRaise(f, values);
}

// assert test, message: no code under `python -O`.
static void emitAssert(FunctionEmitter &f, const Statement &s) {
    if (py::cast<int>(py::module_::import("sys").attr("flags").attr("optimize")) > 0)
        return;
    Value condition = emitTruth(f, field(s.node, "test"));
    emitBranch(
        f, condition, Names(f.syntax.locals.size()), [] {},
        [&] {
            f.raises = true;
            py::object message = field(s.node, "msg");
            SmallVector<Value> values;
            if (!message.is_none())
                values.push_back(emitExpression(f, message));
            f.raises = false;
            Value error = f.staticValue("exception", "builtins.AssertionError");
            emitRaise(f, np::ApplyOp::create(f.builder, f.loc, f.any, error, values, ArrayAttr())
                             ->getResults());
        });
}

// An object that is returned, by itself or in a tuple: the call returns the caller's very object.
static Value emitReturned(FunctionEmitter &f, py::handle node) {
    std::optional<ExternalRef> object;
    if (kindOf(node) == Kind::Name || kindOf(node) == Kind::Attribute)
        object = objectArgument(f, node);
    if (object && !isRecordArray(object->object) && !isConstantMember(object->object))
        return f.staticValue("object", std::to_string(f.session.objectNumber(*object)));
    if (kindOf(node) == Kind::IfExp &&
        (objectArgument(f, field(node, "body")) || objectArgument(f, field(node, "orelse"))))
        return emitSelect(
            f, emitTruth(f, field(node, "test")),
            [&] { return emitReturned(f, field(node, "body")); },
            [&] { return emitReturned(f, field(node, "orelse")); });
    auto isStarred = [](py::handle item) { return kindOf(item) == Kind::Starred; };
    if (kindOf(node) != Kind::Tuple || llvm::any_of(field(node, "elts"), isStarred))
        return emitExpression(f, node);
    SmallVector<Value> items;
    for (py::handle item : field(node, "elts"))
        items.push_back(emitReturned(f, item));
    return np::TupleOp::create(f.builder, f.locationOf(rangeOf(node)), f.any, items, UnitAttr());
}

static void emitExpressionStatement(FunctionEmitter &f, py::handle value) {
    if (kindOf(value) == Kind::Constant) // docstrings, `...`
        return;
    std::optional<ExternalRef> callee;
    try {
        if (kindOf(value) == Kind::Call)
            callee = resolve(f, field(value, "func"));
    } catch (const MissingAttribute &) { // raises as an expression
    }
    if (callee && f.session.externalName(callee->object) == "builtins.print")
        return emitPrint(f, value);
    emitExpression(f, value);
}

// `with np.errstate(...)`: no code; compiled code never warns of floating-point errors.
static void enterContext(FunctionEmitter &f, py::handle value) {
    std::optional<ExternalRef> callee;
    if (kindOf(value) == Kind::Call)
        callee = resolve(f, field(value, "func"));
    if (!callee || f.session.externalName(callee->object) != "numpy.errstate" ||
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

// Returns whether the rest of the block has been emitted, or is unreachable.
static bool emitIf(FunctionEmitter &f, const Statement &s, ArrayRef<Statement *> rest,
                   const Names &after, const Names &out) {
    Value condition = s.value ? s.value : emitTruth(f, field(s.node, "test"));
    bool thenFalls = fallsThrough(s.body), elseFalls = fallsThrough(s.orelse);
    Names jumpLive(out.size()); // live at the targets of the jumps
    if (mayJump(s) && !f.loops.empty())
        jumpLive = f.enclosingLoop()->header;
    if (!mayJump(s) || rest.empty() || !s.falls) {
        Names live = after;
        live |= jumpLive;
        emitBranch(
            f, condition, live, [&] { emitBlock(f, s.body, after); },
            [&] { emitBlock(f, s.orelse, after); });
        return !s.falls;
    }
    if (!thenFalls || !elseFalls) {
        Block tail = thenFalls ? s.body : s.orelse;
        tail.push_back(synthesiseContinuation(f, s));
        tail.insert(tail.end(), rest.begin(), rest.end());
        jumpLive |= out;
        emitBranch(
            f, condition, jumpLive, [&] { emitBlock(f, thenFalls ? tail : s.body, out); },
            [&] { emitBlock(f, thenFalls ? s.orelse : tail, out); });
        return true;
    }
    // Each arm may fall through or jump: a flag says which, and guards the rest.
    Names live = after;
    live |= jumpLive;
    bool outer = std::exchange(f.readsReachable, true);
    emitBranch(
        f, condition, live, [&] { emitBlock(f, s.body, after); },
        [&] { emitBlock(f, s.orelse, after); });
    f.readsReachable = outer;
    jumpLive |= out;
    Value reachable = f.materialise(f.state.reachable);
    emitBranch(
        f, reachable, jumpLive,
        [&] {
            f.state.reachable = Flag::of(true);
            Block tail{synthesiseContinuation(f, s)};
            tail.insert(tail.end(), rest.begin(), rest.end());
            emitBlock(f, tail, out);
        },
        [&] { f.state.reachable = Flag::of(false); });
    return true;
}

} // namespace shapecast::capture
