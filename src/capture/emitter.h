// The state of building the np.func of one Python function, and the functions through which the
// files of single constructs (calls.h, for_loops.h ...) come back to all of them.
#pragma once

#include "capture/session.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <set>

namespace shapecast::capture {

// A boolean that is constant at capture, or an SSA value: `continues`, `returned` and such.
struct Flag {
    bool known = true, constant = false;
    mlir::Value value;
    static Flag of(bool constant) { return {true, constant, {}}; }
    static Flag of(mlir::Value value) { return {false, false, value}; }
    bool is(bool wanted) const { return known && constant == wanted; }
    bool operator==(const Flag &other) const {
        return known == other.known && constant == other.constant && value == other.value;
    }
};

struct Binding {               // of a local variable, at this program point
    mlir::Value value;         // null: not assigned on any path to here (or dead)
    bool maybeUnbound = false; // not assigned on some path to here
    mlir::Value checked;       // result of np.check_bound, where this block has one
};

// Everything that differs between the arms of a branch and is joined after it.
struct State {
    std::vector<Binding> locals;
    Flag reachable = Flag::of(true);      // the next statement is
    Flag continues = Flag::of(true);      // the enclosing loop has a next iteration
    Flag exitedByBreak = Flag::of(false); // it ended by break
    Flag returned = Flag::of(false);      // it ended by return, with the value `result`
    bool raised = false;                  // every path to here ended by an exception
    mlir::Value result;
};

struct Loop { // one that encloses the current statement
    LoopLiveness live;
    bool needsExitedByBreak, needsReturned; // these flags are read after it
    Names assigned;                         // by one iteration
};

struct LoopBinding { // of a loop's variable in one iteration over objects
    pybind11::object target;
    std::optional<ExternalRef> object; // else the index, or values[index]
    pybind11::object index, values;
};
using Iteration = std::vector<LoopBinding>;

// One function while it is captured: where operations go, what names are bound to at this program
// point, what encloses it.
struct FunctionEmitter {
    FunctionEmitter(Session &session, pybind11::handle function, std::string symbol,
                    Objects objects = {}, int functionNumber = -1);
    // A nested function, with the free variables `captured` of the enclosing one.
    FunctionEmitter(FunctionEmitter &outer, pybind11::handle definition, std::string symbol,
                    std::string name, std::vector<std::string> captured);

    Frame frameOf(const Range &range) const;
    mlir::Location locationOf(const Range &range) const;
    void setLocation(pybind11::handle node) { loc = locationOf(rangeOf(node)); }
    [[noreturn]] void fail(const std::string &exception, const std::string &message,
                           const Range &range);
    // Raises AttributeError: in an expression at run time, when control reaches it.
    [[noreturn]] void missingAttribute(pybind11::handle node, const std::string &message);

    // Names
    mlir::Value readLocal(unsigned index);
    bool isLocalOrCaptured(const std::string &name) const; // of this function or one around it
    mlir::Value comprehensionValue(const std::string &name) const; // of its variable, or null
    const ExternalRef *objectNamed(const std::string &name) const;
    // `self.__x` in class C is `self._C__x`: the byte code has that name.
    std::string mangled(const std::string &name) const;
    // The functions of shapecast.library use the original NumPy, whatever a program has patched.
    bool isLibrary() const;

    // Single operations, at the insertion point
    mlir::Value staticValue(llvm::StringRef kind, llvm::StringRef text);
    mlir::Value none() { return staticValue("none", ""); }
    mlir::Value unbound(llvm::StringRef name);
    mlir::Value boolean(bool value);
    mlir::Value materialise(const Flag &flag) {
        return flag.known ? boolean(flag.constant) : flag.value;
    }
    mlir::Value resultOr(mlir::Value value) { return value ? value : unbound("return value"); }
    mlir::Value pyop(llvm::StringRef op, mlir::ValueRange operands);
    // A call of a builtin or library function that is not in the source.
    mlir::Value callNamed(llvm::StringRef name, mlir::ValueRange arguments);

    // Sets the flags of a return; what follows is not reachable.
    void returnValue(mlir::Value value);
    const LoopLiveness *enclosingLoop() const {
        return loops.empty() ? nullptr : &loops.back().live;
    }

    Session &session;
    FunctionEmitter *outer =
        nullptr; // of the enclosing function; then `function` is the outermost one
    pybind11::object innerDefinition;  // the node of this function in it
    std::vector<std::string> captured; // variables of enclosing functions: the first arguments
    std::string selfName;              // by which a nested function may call itself
    std::map<PyObject *, std::string> innerSymbols; // by node
    std::set<std::string> capturing; // nested functions whose closures are being created
    pybind11::object function, code;
    Objects objectParameters;
    Objects objectVariables;                                    // bound at this program point
    std::set<std::string> expiredObjectVariables;               // bound in another block only
    std::vector<std::vector<std::string>> blockObjectVariables; // those of the enclosing blocks
    std::map<const Statement *, Iteration> objectIteration;     // of loops peeled by objectLoop
    bool isEndless = false;          // a generator that does not end by itself
    MethodOf method;                 // of instances that compiled code makes
    int functionNumber = -1;         // of a function that is an argument, or a member of one
    std::string symbol, displayName; // the np.func's name, and the function's name in messages
    std::string qualifiedName;       // __qualname__
    std::string file;
    FunctionSyntax syntax;
    mlir::OpBuilder builder;
    mlir::Location loc;
    mlir::Type any;
    State state;
    std::vector<Loop> loops; // that enclose the current statement, innermost last
    std::vector<std::pair<std::string, mlir::Value>> comprehensionVariables;
    // What the comprehension being emitted makes: a list of its items, or of the first one, or
    // whether any of them, or all, are true; then nothing after the item that decides is evaluated.
    enum class Wanted { List, First, Any, All } wanted = Wanted::List;
    bool raises = false;         // the current expression is of a `raise`
    unsigned depth = 0;          // of blocks around the current statement
    bool readsReachable = false; // code after the current block reads State::reachable
};

// expressions.cpp
mlir::Value emitExpression(FunctionEmitter &f, pybind11::handle node);
// statements.cpp: `out`: what is live after the block. Variables that are bound to objects are so
// up to its end.
void emitBlock(FunctionEmitter &f, llvm::ArrayRef<Statement *> statements, const Names &out);
// name_lookup.cpp: the object from outside that an expression refers to, none where it is a value
// of this function; `resolve` adds a guard, and gives no attribute that is a value. `resolveIf`:
// only where the object is `wanted`; the code does not depend on what else it is.
std::optional<ExternalRef> lookUp(FunctionEmitter &f, pybind11::handle expression);
std::optional<ExternalRef> resolve(FunctionEmitter &f, pybind11::handle expression);
std::optional<ExternalRef> resolveIf(FunctionEmitter &f, pybind11::handle expression,
                                     llvm::function_ref<bool(pybind11::handle)> wanted);
// external_values.cpp: the value of an object from outside, or of a constant, at this `node`.
// Arrays, and numbers that change, are hidden arguments; other objects are constants.
mlir::Value emitReplaced(FunctionEmitter &f, const ExternalRef &found); // bytes, a frozenset
mlir::Value emitExternal(FunctionEmitter &f, const ExternalRef &found, pybind11::handle node);
mlir::Value emitConstant(FunctionEmitter &f, pybind11::handle object, pybind11::handle node);
// A named tuple, or an instance of a frozen dataclass; null for other objects.
mlir::Value emitImmutableRecord(FunctionEmitter &f, pybind11::handle object, pybind11::handle node);

} // namespace shapecast::capture
