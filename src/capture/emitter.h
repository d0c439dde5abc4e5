// Builds the np.func of one Python function. A session captures a function and all that it calls.
#pragma once

#include "capture/external_names.h"
#include "capture/object_kind.h"
#include "capture/record_classes.h"
#include "capture/syntax.h"

#include "llvm/ADT/DenseSet.h"

#include <set>

namespace shapecast::capture {

// What a name refers to outside the function: `object` is holder[name], or in the cell `holder`
// where the name is empty. `holder` is null where no guard is needed. A member of an object (an
// attribute or item) has that object's number as `owner`, and `name` is the attribute.
struct ExternalRef {
    pybind11::object object = {}, holder = {};
    std::string name = {};
    int owner = -1;
    int number = -1;           // of an object that is numbered already
    bool property = false;     // `object` is the property's getter
    pybind11::object key = {}; // of an item: its index or key, for `name`
    std::shared_ptr<const ExternalRef> receiver = nullptr; // of a method: its `self`
};
using Objects = std::map<std::string, ExternalRef>; // by parameter or variable name

// Attributes that the function assigns, as (the object's label, name): ("self.grid", "t").
using AssignedAttributes = std::set<std::pair<std::string, std::string>>;
// Thrown where capture finds a new one: capture restarts, and reads of the attribute then read the
// mutable state.
struct RestartCapture {};

// A missing attribute of a module or object. Read in an expression it raises at run time, when
// control reaches it; elsewhere capture raises.
struct MissingAttribute : CaptureError {
    pybind11::handle node;
    MissingAttribute(UserError error, pybind11::handle node)
        : CaptureError(std::move(error)), node(node) {}
};

bool isLogging(pybind11::handle function); // a function of the logging module: see logCall()

// The state of one captureFunction call.
struct Session {
    mlir::MLIRContext &context;
    Captured result;
    std::map<std::string, std::string> symbols; // functions captured or being captured, by key
    std::map<std::string, std::vector<ParameterInfo>> parameters; // by symbol
    std::set<std::string> usedSymbols;
    // Keys of result.globals and result.lookUps.
    std::set<std::pair<PyObject *, std::string>> guarded, lookedUp;
    std::vector<Frame> callStack; // outermost first
    const CaptureOptions &options;
    AssignedAttributes &assigned;
    std::vector<pybind11::object> reachedObjects; // the objects of result.objects
    // Numbers of the lists, dicts and tuples in objects, inner ones first; and those that are being
    // visited.
    std::vector<int> stateContainers, openContainers;
    pybind11::module_ numpy;

    Session(mlir::MLIRContext &context, const CaptureOptions &options,
            AssignedAttributes &assigned);
    // The symbol of a plain function of which these parameters are objects; captures it at the
    // first call. `number`: the function's own object number, or -1.
    std::string capture(pybind11::handle function, const Objects &objects, int number);
    std::string freshSymbol(llvm::StringRef name);
    void eraseFunction(const std::string &symbol); // one whose capture failed half-way
    // The capture is valid as long as the name refers to this very object.
    void addGuard(pybind11::handle holder, const std::string &name, pybind11::handle seen);
    void addGuard(const ExternalRef &external);
    void watchClass(pybind11::handle module);
    // The name was looked up there; in this process nothing depends on it (yet).
    void noteLookUp(pybind11::handle holder, const std::string &name, pybind11::handle seen);
    // The number of the hidden argument for an array or changing number; none for other objects.
    std::optional<unsigned> hiddenArgument(const ExternalRef &external);
    std::optional<unsigned> hiddenAttribute(const ExternalRef &external);
    // objects.cpp: the object's number in result.objects; each call checks that it is of the same
    // ObjectKind.
    int objectNumber(const ExternalRef &external);
    int addObject(ReachedObject object, pybind11::handle itself);
    std::string labelOf(const ExternalRef &external) const;
    bool isAssigned(int object, const std::string &name) const;
    // The number of a list, dict or tuple in an object, whose items become hidden arguments.
    int stateContainer(const ExternalRef &external,
                       const std::function<void(const std::string &)> &refuse);
    void describeStates(); // the entry's attribute `states`, see np-infer's bindStates
    void checkAliases() const;
    // Dotted name of a function or type of NumPy, math or builtins, whatever alias it was found
    // under; "" for others.
    std::string externalName(pybind11::handle object) const {
        return capture::externalName(object);
    }
    bool isException(pybind11::handle object) const; // an exception class with an external name
    // "float64" for np.float64 and np.dtype("f8"), "" for other objects.
    std::string dtypeName(pybind11::handle object) const { return capture::dtypeName(object); }
};

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

UserError unsupportedError(std::string message, std::vector<Frame> frames);
std::string binaryName(pybind11::handle op);     // "add" for ast.Add
bool isCallableWrapper(pybind11::handle object); // functools.partial, np.vectorize ...
bool isContainer(pybind11::handle object);       // list, dict, or tuple with arrays or such

class FunctionEmitter {
public:
    FunctionEmitter(Session &session, pybind11::handle function, std::string symbol,
                    Objects objects = {}, int functionNumber = -1);
    // A nested function, with the free variables `captured` of the enclosing one.
    FunctionEmitter(FunctionEmitter &outer, pybind11::handle definition, std::string symbol,
                    std::string name, std::vector<std::string> captured);
    void run();

private:
    using Arm = llvm::function_ref<void()>;

    // emitter.cpp
    void runUnguarded();
    pybind11::object findDefinition();
    void readParameters(pybind11::handle definition);
    void readDefaults(std::vector<ParameterInfo> &parameters, size_t positional);
    void declare(llvm::ArrayRef<ParameterInfo> parameters,
                 llvm::ArrayRef<mlir::Location> locations);
    mlir::Attribute defaultAttr(pybind11::handle value);
    Frame frameOf(const Range &range) const;
    mlir::Location locationOf(const Range &range) const;
    void setLocation(pybind11::handle node) { loc = locationOf(rangeOf(node)); }
    [[noreturn]] void fail(const std::string &exception, const std::string &message,
                           const Range &range);

    // scope.cpp: names and what they refer to outside the function
    mlir::Value readLocal(unsigned index);
    bool isLocalOrCaptured(const std::string &name) const; // of this function or one around it
    mlir::Value comprehensionValue(const std::string &name) const; // of its variable, or null
    std::optional<ExternalRef> resolve(pybind11::handle expression);
    std::optional<ExternalRef> lookUp(pybind11::handle expression);
    std::optional<ExternalRef> lookUpName(pybind11::handle node); // none: it is not defined
    bool isLibrary() const;
    mlir::Value undefinedName(const std::string &name);
    [[noreturn]] void missingAttribute(pybind11::handle node, const std::string &message);
    ExternalRef moduleAttribute(pybind11::handle module, pybind11::handle node);
    mlir::Value externalValue(const ExternalRef &found, pybind11::handle node);
    mlir::Value rangeAttribute(const ExternalRef &found, pybind11::handle node);
    mlir::Value externalContainer(const ExternalRef &found, pybind11::handle node);
    mlir::Value constant(pybind11::handle object, pybind11::handle node);
    mlir::Attribute numberAttr(pybind11::handle object, mlir::Type &type);
    mlir::Attribute staticAttr(pybind11::handle object);
    mlir::Value staticValue(llvm::StringRef kind, llvm::StringRef text);
    mlir::Value none() { return staticValue("none", ""); }
    mlir::Value unbound(llvm::StringRef name);
    mlir::Value boolean(bool value);

    // objects.cpp: parameters and other names that refer to objects
    const ExternalRef *objectNamed(const std::string &name) const;
    void checkObjects(pybind11::handle definition);
    std::string mangled(const std::string &name) const;
    std::optional<ExternalRef> objectAttribute(const ExternalRef &base, const std::string &name,
                                               pybind11::handle node);
    std::optional<ExternalRef> property(const ExternalRef &base, const std::string &name);
    ExternalRef asFunction(const ExternalRef &found);
    std::optional<ExternalRef> objectArgument(pybind11::handle node);
    mlir::Value stateValue(const ExternalRef &found, pybind11::handle node);
    mlir::Value stateOf(int object);
    void assignObjectAttribute(const ExternalRef &owner, pybind11::handle target,
                               mlir::Value value);
    std::optional<bool> sameObject(const ExternalRef &a, const ExternalRef &b);
    mlir::Value objectTest(pybind11::handle comparison);
    mlir::Value instanceTest(pybind11::handle call);
    bool namesClasses(pybind11::handle node, bool inUnion);
    mlir::Value classNamed(pybind11::handle node);
    std::optional<bool> hasAttributeAtCapture(const ExternalRef &object, const std::string &name);
    mlir::Value attributeQuery(const std::string &function, pybind11::handle call);
    mlir::Value callableTest(pybind11::handle call);
    std::optional<ExternalRef> typeOfCall(pybind11::handle call);
    std::string captureRecord(pybind11::handle type, const RecordClass &record);
    std::string captureCallee(const ExternalRef &callee, pybind11::handle call,
                              pybind11::handle useSite);
    mlir::Value readProperty(const ExternalRef &found, pybind11::handle node);

    // callable_wrappers.cpp: callables made of other functions
    mlir::Value callableWrapper(const ExternalRef &found, pybind11::handle node);
    mlir::Value partialValue(const ExternalRef &found, pybind11::handle node);
    std::optional<std::pair<pybind11::object, ExternalRef>> superCall(pybind11::handle node);
    std::optional<ExternalRef> inherited(pybind11::handle node);

    // record_arrays.cpp: fields of structured arrays
    std::optional<ExternalRef> recordsAt(pybind11::handle node);
    std::optional<ExternalRef> fieldOf(const ExternalRef &records, pybind11::handle index);
    llvm::SmallVector<mlir::Value> recordKeys(pybind11::handle keys, pybind11::handle dtype);
    mlir::Value readField(pybind11::handle subscript);
    bool storeField(pybind11::handle target, mlir::Value value);
    bool changeField(pybind11::handle target, const std::string &op, pybind11::handle value);
    mlir::Value anyField(const ExternalRef &records, pybind11::handle node);
    mlir::Value readAttribute(pybind11::handle node);

    // object_lists.cpp: lists of objects, and variables that refer to objects
    struct LoopBinding { // of a loop's variable in one iteration
        pybind11::object target;
        std::optional<ExternalRef> object; // else the index, or values[index]
        pybind11::object index, values;
    };
    using Iteration = std::vector<LoopBinding>;
    ExternalRef itemOf(const ExternalRef &container, const pybind11::object &key);
    std::optional<ExternalRef> objectItem(pybind11::handle subscript);
    std::optional<std::vector<ExternalRef>> objectsIn(pybind11::handle node);
    std::optional<std::vector<Iteration>> objectIterations(pybind11::handle target,
                                                           pybind11::handle iter);
    void bindIteration(const Iteration &iteration,
                       llvm::function_ref<void(pybind11::handle, mlir::Value)> bind);
    void forgetIteration(const Iteration &iteration);
    void bindObject(const std::string &name, const ExternalRef &object, pybind11::handle node);
    void forgetObject(const std::string &name);
    Statement *objectLoop(const Statement &s, llvm::ArrayRef<Iteration> iterations);

    // functions.cpp: functions as values
    enum class Use { // of a nested function's name
        Defined,     // by its `def`: each use creates a new closure
        Called,
        Passed,  // as an argument
        Escaping // anything else: its variables may be reassigned before it is called
    };
    // Python reads a closure's variables at the call, we where it is created.
    struct LateBinding {
        std::string variable; // one that is reassigned in between
        bool below = false;   // further down, not only by the next iteration of an enclosing loop
    };
    mlir::Value name(pybind11::handle node, Use use = Use::Escaping);
    mlir::Value closure(pybind11::handle definition, const std::string &name, Use use,
                        pybind11::handle useSite);
    mlir::Value capturedValue(const std::string &name, pybind11::handle definition, Use use,
                              pybind11::handle useSite, LateBinding &late);
    void noteLateBinding(const std::string &variable, Use use, pybind11::handle useSite,
                         LateBinding &late);
    mlir::Value selfClosure();
    mlir::Value functionValue(const ExternalRef &found, pybind11::handle node);

    // expressions.cpp
    mlir::Value expression(pybind11::handle node);
    mlir::Value binary(pybind11::handle node);
    mlir::Value expressionAt(pybind11::handle node);
    mlir::Value truth(pybind11::handle node);
    mlir::Value select(mlir::Value condition, llvm::function_ref<mlir::Value()> then,
                       llvm::function_ref<mlir::Value()> orelse);
    mlir::Value joinedString(pybind11::handle node);
    mlir::Value formatted(pybind11::handle node);
    mlir::Value callNamed(llvm::StringRef name, mlir::ValueRange arguments);
    mlir::Value boolOp(pybind11::handle node, bool isAnd, size_t first, bool truths = false);
    mlir::Value unary(pybind11::handle node);
    mlir::Value compareFrom(pybind11::handle node, mlir::Value left, size_t index);
    mlir::Value call(pybind11::handle node);
    mlir::Value callKnown(const ExternalRef &callee, pybind11::handle node);
    mlir::Value callFunction(const ExternalRef &callee, pybind11::handle node);
    mlir::Value apply(pybind11::handle node);
    mlir::Value attribute(pybind11::handle node);
    mlir::Value sequence(pybind11::handle node, bool list);
    mlir::Value dict(pybind11::handle node);
    mlir::Value dictCall(pybind11::handle call);
    mlir::Value dictOf(mlir::ValueRange elements, llvm::ArrayRef<int64_t> starred);
    mlir::Value comprehension(pybind11::handle node, size_t generator, mlir::Value list);
    mlir::Value filtered(pybind11::handle node, size_t generator, size_t condition,
                         mlir::Value list);
    mlir::Value nextOf(pybind11::handle items, pybind11::handle call);
    void bindComprehensionVariable(pybind11::handle target, mlir::Value value);
    mlir::Value listOf(pybind11::handle node);
    mlir::Value slice(pybind11::handle node);
    llvm::SmallVector<mlir::Value> keys(pybind11::handle slice);
    llvm::SmallVector<mlir::Value> elementsOf(pybind11::handle tuple);
    void positional(pybind11::handle call, llvm::SmallVector<mlir::Value> &values,
                    bool mayBeObjects = false);
    mlir::Value argument(pybind11::handle node, bool mayBeObject);
    mlir::Value usedAs(pybind11::handle node, Use use);
    mlir::ArrayAttr arguments(pybind11::handle call, llvm::SmallVector<mlir::Value> &values,
                              bool mayBeObjects = false);
    mlir::ArrayAttr keywordArguments(pybind11::handle call, llvm::SmallVector<mlir::Value> &values,
                                     bool mayBeObjects = false);
    mlir::Value indexTrick(pybind11::handle node);
    mlir::Value pyop(llvm::StringRef op, mlir::ValueRange operands);
    mlir::Value defaultValue(const ParameterInfo &parameter, pybind11::handle node);
    mlir::ArrayAttr addDefaults(const std::string &name, llvm::SmallVectorImpl<mlir::Value> &values,
                                mlir::ArrayAttr names, pybind11::handle node);

    // reports.cpp
    bool setPrintOption(np::PrintOp::Properties &options, const std::string &name,
                        pybind11::handle node);
    void printCall(pybind11::handle call);
    mlir::Value warnCall(pybind11::handle call);
    std::optional<ExternalRef> getLoggerCall(pybind11::handle call);
    mlir::Value logCall(const ExternalRef &called, pybind11::handle call);

    // control.cpp
    void block(llvm::ArrayRef<Statement *> statements, const Names &out);
    void statementsOf(llvm::ArrayRef<Statement *> statements, const Names &out);
    bool statement(const Statement &s, llvm::ArrayRef<Statement *> rest, const Names &after,
                   const Names &out);
    bool statementOrRefusal(const Statement &s, llvm::ArrayRef<Statement *> rest,
                            const Names &after, const Names &out);
    mlir::Value orRefusal(llvm::function_ref<void()> emit);
    mlir::Value refuse(const UserError &error);
    void simpleStatement(const Statement &s);
    void assign(pybind11::handle target, mlir::Value value);
    void assignAttribute(pybind11::handle target, mlir::Value value);
    void assignFrom(pybind11::handle target, pybind11::handle value);
    void augAssign(const Statement &s);
    void expressionStatement(pybind11::handle value);
    void enterContext(pybind11::handle value);
    void deleteNames(const Statement &s);
    void raise(mlir::ValueRange values);
    void raiseStatement(const Statement &s);
    void assertStatement(const Statement &s);
    bool ifStatement(const Statement &s, llvm::ArrayRef<Statement *> rest, const Names &after,
                     const Names &out);
    void branch(mlir::Value condition, const Names &live, Arm then, Arm orelse);
    void join(const Names &live, const State &before, llvm::MutableArrayRef<State> ends,
              llvm::MutableArrayRef<mlir::Region> arms,
              llvm::function_ref<mlir::Operation *(mlir::TypeRange)> make);
    void attempt(const Statement &s, const Names &after);
    mlir::Value returnedValue(pybind11::handle node);
    void returnValue(mlir::Value value);
    const LoopLiveness *enclosingLoop() const {
        return loops.empty() ? nullptr : &loops.back().live;
    }

    // loops.cpp
    struct Loop { // one that encloses the current statement
        LoopLiveness live;
        bool needsExitedByBreak, needsReturned; // these flags are read after it
        Names assigned;                         // by one iteration
    };
    struct Carried { // one loop-carried value: a variable or a flag
        enum What { Variable, ExitedByBreak, Returned, Result } what;
        unsigned index = 0;        // of the variable
        bool maybeUnbound = false; // on some path to the loop
    };
    bool loop(const Statement &s, llvm::ArrayRef<Statement *> rest, const Names &after,
              const Names &out);
    void checkLoopTarget(pybind11::handle target);
    std::vector<Carried> carriedOf(const Statement &s, const Names &header) const;
    llvm::SmallVector<mlir::Value> currentValues(llvm::ArrayRef<Carried> carried);
    void enterIteration(const Statement &s, llvm::ArrayRef<Carried> carried,
                        mlir::ValueRange values);
    mlir::Operation *foreach (const Statement &s, llvm::ArrayRef<Carried> carried);
    mlir::Operation *whileLoop(const Statement &s, llvm::ArrayRef<Carried> carried);
    void loopBody(const Statement &s, llvm::ArrayRef<Carried> carried);
    Statement *synthesiseIf(const Statement &loop, mlir::Value condition, Block body, Block orelse);
    Statement *synthesiseReturn(const Statement &loop, mlir::Value value);
    Statement *synthesiseContinuation(const Statement &branch);

    mlir::Value materialise(const Flag &flag) {
        return flag.known ? boolean(flag.constant) : flag.value;
    }
    mlir::Value resultOr(mlir::Value value) { return value ? value : unbound("return value"); }

    // The emitter's state before a statement, to roll back to where emitting it fails half-way.
    struct Snapshot;

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
    bool firstOnly = false;        // the comprehension being emitted ends with its first item
    unsigned conditionalDepth = 0; // of expressions (and, or, if) around the current one
    unsigned depth = 0;            // of blocks around the current statement
    bool readsReachable = false;   // code after the current block reads State::reachable
};

} // namespace shapecast::capture
