// A function's body as a tree of statements, with what each reads, assigns and where it may jump.
#pragma once

#include "capture/capture.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <memory>

namespace shapecast::capture {

enum class Kind {
    // statements
    Assign,
    AugAssign,
    AnnAssign,
    Expr,
    If,
    For,
    While,
    Break,
    Continue,
    Return,
    Pass,
    Delete,
    FunctionDef,
    Raise,
    Assert,
    Attempt,      // see _try.py
    Enter,        // `with value:` of which the body follows, see _desugar.py
    Continuation, // synthesised: here an arm continues with what follows its `if`
    // expressions
    Lambda,
    NamedExpr,
    Comprehension, // of a list, or a generator
    DictComp,
    Set,
    SetComp,
    Dict,
    BoolOp,
    BinOp,
    UnaryOp,
    IfExp,
    Compare,
    Call,
    Constant,
    Attribute,
    Subscript,
    Starred,
    Name,
    List,
    Tuple,
    Slice,
    JoinedStr,
    Caught,      // see _try.py
    RecordIndex, // see _structured_arrays.py
    Other        // everything that shapecast does not compile
};

// Python's ast nodes, read through the C API.
std::string className(pybind11::handle node);
Kind kindOf(pybind11::handle node);
std::string text(pybind11::handle string);
pybind11::object field(pybind11::handle node, const char *name); // of the AST's fixed names
std::string identifier(pybind11::handle node, const char *name); // a field that is a str

struct Range {
    unsigned line = 1, column = 0, endLine = 1, endColumn = 0;
};
Range rangeOf(pybind11::handle node);

using Names = llvm::BitVector; // a set of the function's local variables

struct Statement {
    Kind kind = Kind::Pass;
    pybind11::object node; // null: the implicit `return None` at the end
    mlir::Value value;     // an If's condition, or a Return's value, that is emitted already
    Range range;
    Names uses, defs; // of the statement's own expressions and targets, not of the blocks in it
    std::vector<Statement *> body, orelse;
    Names assigned;      // defs of the whole subtree
    Names iterationDefs; // loops: defs of the target and the body, so without the else
    bool mayBreak = false, mayContinue = false,
         mayReturn = false;                       // break, continue: of an enclosing loop
    bool falls = true;                            // can the next statement be reached
    bool bodyBreaks = false, bodyReturns = false; // loops: how the body may exit it
    bool infinite = false;                        // loops: `while True` without break
    bool testAssigns = false;                     // `while (name := value)`
    bool inArm = false;                           // in an `if` or `else`
};
using Block = std::vector<Statement *>;

// `name.shape = ...`: from here on the name refers to an array of another shape.
bool reshapesName(pybind11::handle target);
bool fallsThrough(const Block &block);
bool mayJump(const Statement &statement);

// Owns the statements of one function and knows its local variables.
struct FunctionSyntax {
    std::vector<std::string> locals; // parameters first, then in the order of first assignment
    llvm::StringMap<unsigned> localIndex;
    std::vector<std::unique_ptr<Statement>> all;
    Block body; // ends in a return statement on every path
    // Locals with a single assignment, a `def` or `name = lambda`: the function's node. Its closure
    // may be created again wherever the name is read.
    std::map<unsigned, pybind11::object> functions;
    // Is there an assignment to the variable further down than `range`?
    bool assignedAfter(unsigned local, const Range &range) const;
};

// An unsupported piece of syntax; becomes a CaptureError with the call stack.
struct SyntaxProblem {
    pybind11::object node;
    std::string message;
};
[[noreturn]] void unsupported(pybind11::handle node, const std::string &message);
// The sentence for a node of Kind::Other: what it is and a way out.
std::string unsupportedConstruct(pybind11::handle node);

FunctionSyntax readFunction(pybind11::handle definition);
// The local variables that `name := value` assigns in an expression, in their order.
std::vector<unsigned> assignedIn(const FunctionSyntax &function, pybind11::handle expression);
// Free variables of a `def`, `lambda` or comprehension.
std::vector<std::string> freeNames(pybind11::handle definition);

//===-- Liveness

struct LoopLiveness {
    Names header; // live at the start of the next iteration (or at the exit)
    Names after;  // live after the loop
};
// Variables live before the block when `out` are live after it. `loop`: the enclosing loop, or
// null.
Names liveBefore(llvm::ArrayRef<Statement *> block, Names out, const LoopLiveness *loop);
// `out`: live after the loop and its else; `around`: the enclosing loop, or null.
LoopLiveness loopLiveness(const Statement &loop, const Names &out, const LoopLiveness *around);

} // namespace shapecast::capture
