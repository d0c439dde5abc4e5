// Builds the np.func of one Python function. A session captures a function and all that it calls.
#pragma once

#include "capture/external_names.h"
#include "capture/object_kind.h"
#include "capture/records.h"
#include "capture/syntax.h"

#include "llvm/ADT/DenseSet.h"

#include <set>

namespace shapecast::capture {

// What a name stands for outside the function: `object` is holder[name], or in the cell `holder`
// where the name is empty. `holder` is null where the object is taken to stay what it is. What an
// object holds has that object's number as `owner`, and `name` is the attribute.
struct Outside {
    pybind11::object object, holder;
    std::string name;
    int owner = -1;
    int number = -1;                                   // of an object that has one already
    bool property = false;                             // `object` is the function that computes it
    pybind11::object key = {};                         // of an item: its place or key, for `name`
    std::shared_ptr<const Outside> receiver = nullptr; // of a method: what `self` is
};
using Objects = std::map<std::string, Outside>; // parameters that stand for objects

// Attributes that the function assigns, by the object's label: ("self.grid", "t").
using AssignedAttributes = std::set<std::pair<std::string, std::string>>;
// Thrown where capture finds another one: it begins again, and reads of it are of what it is by
// then.
struct AnotherAssigned {};

// A module's attribute that is not there. Where it is read in an expression, that raises when it is
// reached; elsewhere capture does.
struct MissingAttribute : CaptureError {
    pybind11::handle node;
    MissingAttribute(UserError error, pybind11::handle node)
        : CaptureError(std::move(error)), node(node) {}
};

bool isLogging(pybind11::handle function); // one that logCall() compiles

// What belongs to one captureFunction call.
struct Session {
    mlir::MLIRContext &context;
    Captured result;
    std::map<std::string, std::string> symbols; // functions captured or being captured, by key
    std::map<std::string, std::vector<ParameterInfo>> parameters; // by symbol
    std::set<std::string> taken;
    std::set<std::pair<PyObject *, std::string>> recorded, seen; // keys of globals and looked
    std::vector<Frame> calls;                                    // where we are, outermost first
    const CaptureOptions &options;
    AssignedAttributes &assigned;
    std::vector<pybind11::object> reached; // the objects of result.objects
    // Numbers of the lists, dicts and tuples that objects hold, inner ones first; and those that
    // are being looked at.
    std::vector<int> states, open;
    pybind11::module_ numpy;

    Session(mlir::MLIRContext &context, const CaptureOptions &options,
            AssignedAttributes &assigned);
    // The symbol of a plain function of which these parameters are objects; captures it at the
    // first call. `number`: what the function is called among objects, if it has one.
    std::string capture(pybind11::handle function, const Objects &objects, int number);
    std::string freshSymbol(llvm::StringRef name);
    void forget(const std::string &symbol); // a function that was captured by half
    void record(pybind11::handle holder, const std::string &name, pybind11::handle seen);
    void watchClass(pybind11::handle module);
    // The name was looked up there; nothing (yet) depends on it in this process.
    void look(pybind11::handle holder, const std::string &name, pybind11::handle seen);
    // The capture holds as long as the name stands for this very object.
    void record(const Outside &outside);
    // The number of the hidden argument for an array or changing number; none for other objects.
    std::optional<unsigned> hidden(const Outside &outside);
    std::optional<unsigned> hiddenAttribute(const Outside &outside);
    // objects.cpp: the object's number in result.objects; each call looks whether it is of the same
    // kind.
    int number(const Outside &outside);
    int addObject(ReachedObject object, pybind11::handle itself);
    std::string labelOf(const Outside &outside) const;
    bool isAssigned(int object, const std::string &name) const;
    // The list, dict or tuple that an object holds, whose items become hidden arguments.
    int heldContainer(const Outside &outside,
                      const std::function<void(const std::string &)> &refuse);
    void describeStates(); // the entry's `states`, see np-infer's bindStates
    void checkAliases() const;
    // Dotted name of a function or type of NumPy, math or builtins, under whatever name it was
    // found; "" for others.
    std::string externalName(pybind11::handle object) const {
        return capture::externalName(object);
    }
    bool isException(pybind11::handle object) const; // a class of exceptions that has a name
    // "float64" for np.float64 and np.dtype("f8"), "" for other objects.
    std::string dtypeName(pybind11::handle object) const { return capture::dtypeName(object); }
};

// A boolean known while capturing, or a value: `go`, `returned` and such.
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

struct Binding {         // a local variable now
    mlir::Value value;   // null: not assigned on any path to here (or dead)
    bool maybe = false;  // not assigned on some path to here
    mlir::Value checked; // result of np.check_bound, where one was made in this block
};

// Everything that differs between the arms of a branch.
struct State {
    std::vector<Binding> locals;
    Flag alive = Flag::of(true);     // control still gets to the next statement
    Flag go = Flag::of(true);        // the loop around goes on
    Flag broken = Flag::of(false);   // it ended by break
    Flag returned = Flag::of(false); // it ended by return, with the value `result`
    bool raised = false;             // every path to here ended by an exception
    mlir::Value result;
};

UserError unsupportedError(std::string message, std::vector<Frame> frames);
std::string binaryName(pybind11::handle op);    // "add" for ast.Add
bool isMadeOfFunction(pybind11::handle object); // functools.partial, np.vectorize ...
bool isContainer(pybind11::handle object); // a list, a dict, or a tuple with arrays or such in it

class FunctionEmitter {
public:
    FunctionEmitter(Session &session, pybind11::handle function, std::string symbol,
                    Objects objects = {}, int functionNumber = -1);
    // A function written inside another one, which uses its variables `captured`.
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
    void at(pybind11::handle node) { loc = locationOf(rangeOf(node)); }
    [[noreturn]] void fail(const std::string &exception, const std::string &message,
                           const Range &range);

    // scope.cpp: names and what they stand for outside the function
    mlir::Value readLocal(unsigned index);
    bool isInside(const std::string &name) const;           // a local variable, here or around
    mlir::Value scopedValue(const std::string &name) const; // a comprehension's variable, or null
    std::optional<Outside> resolve(pybind11::handle expression);
    std::optional<Outside> lookUp(pybind11::handle expression);
    std::optional<Outside> lookUpName(pybind11::handle node); // none: it is not defined
    bool isLibrary() const;
    mlir::Value undefinedName(const std::string &name);
    [[noreturn]] void missingAttribute(pybind11::handle node, const std::string &message);
    Outside moduleAttribute(pybind11::handle module, pybind11::handle node);
    mlir::Value outside(const Outside &found, pybind11::handle node);
    mlir::Value rangeHeld(const Outside &found, pybind11::handle node);
    mlir::Value containerOutside(const Outside &found, pybind11::handle node);
    mlir::Value constant(pybind11::handle object, pybind11::handle node);
    mlir::Attribute numberAttr(pybind11::handle object, mlir::Type &type);
    mlir::Attribute staticAttr(pybind11::handle object);
    mlir::Value staticValue(llvm::StringRef kind, llvm::StringRef text);
    mlir::Value none() { return staticValue("none", ""); }
    mlir::Value unbound(llvm::StringRef name);
    mlir::Value boolean(bool value);

    // objects.cpp: parameters and other names that stand for objects
    const Outside *objectNamed(const std::string &name) const;
    void checkObjects(pybind11::handle definition);
    std::string mangled(const std::string &name) const;
    std::optional<Outside> objectAttribute(const Outside &base, const std::string &name,
                                           pybind11::handle node);
    std::optional<Outside> property(const Outside &base, const std::string &name);
    Outside asFunction(const Outside &found);
    std::optional<Outside> objectArgument(pybind11::handle node);
    mlir::Value held(const Outside &found, pybind11::handle node);
    mlir::Value stateOf(int object);
    void assignHeld(const Outside &owner, pybind11::handle target, mlir::Value value);
    std::optional<bool> sameObject(const Outside &a, const Outside &b);
    mlir::Value objectTest(pybind11::handle comparison);
    mlir::Value instanceTest(pybind11::handle call);
    bool namesClasses(pybind11::handle node, bool inUnion);
    mlir::Value classNamed(pybind11::handle node);
    std::optional<bool> hasAttributeNow(const Outside &object, const std::string &name);
    mlir::Value attributeQuestion(const std::string &function, pybind11::handle call);
    mlir::Value callableTest(pybind11::handle call);
    std::optional<Outside> classAsked(pybind11::handle call);
    std::string captureRecord(pybind11::handle type, const RecordClass &record);
    std::string captureCallee(const Outside &callee, pybind11::handle call, pybind11::handle place);
    mlir::Value readProperty(const Outside &found, pybind11::handle node);

    // wrapped.cpp: what stands for other functions
    mlir::Value madeOfFunction(const Outside &found, pybind11::handle node);
    mlir::Value partialValue(const Outside &found, pybind11::handle node);
    std::optional<std::pair<pybind11::object, Outside>> superCall(pybind11::handle node);
    std::optional<Outside> inherited(pybind11::handle node);

    // record_arrays.cpp: fields of arrays of records
    std::optional<Outside> recordsAt(pybind11::handle node);
    std::optional<Outside> fieldOf(const Outside &records, pybind11::handle index);
    llvm::SmallVector<mlir::Value> recordKeys(pybind11::handle keys, pybind11::handle dtype);
    mlir::Value readField(pybind11::handle subscript);
    bool storeField(pybind11::handle target, mlir::Value value);
    bool changeField(pybind11::handle target, const std::string &op, pybind11::handle value);
    mlir::Value anyField(const Outside &records, pybind11::handle node);
    mlir::Value readAttribute(pybind11::handle node);

    // object_lists.cpp: lists of objects, and variables that stand for objects
    struct Bound { // what a loop's variable is in a turn
        pybind11::object target;
        std::optional<Outside> object; // else the place, or what stands there in `values`
        pybind11::object place, values;
    };
    using Turn = std::vector<Bound>;
    Outside itemOf(const Outside &container, const pybind11::object &key);
    std::optional<Outside> objectItem(pybind11::handle subscript);
    std::optional<std::vector<Outside>> objectsIn(pybind11::handle node);
    std::optional<std::vector<Turn>> objectTurns(pybind11::handle target, pybind11::handle iter);
    void bindTurn(const Turn &turn, llvm::function_ref<void(pybind11::handle, mlir::Value)> bind);
    void forgetTurn(const Turn &turn);
    void bindObject(const std::string &name, const Outside &object, pybind11::handle node);
    void forgetObject(const std::string &name);
    Statement *objectLoop(const Statement &s, llvm::ArrayRef<Turn> turns);

    // functions.cpp: functions as values
    enum class Use { // of an inner function's name
        Defined,     // by its `def`: each use makes the closure anew
        Called,
        Passed,  // as an argument
        Escaping // anything else: it may be called when its variables were assigned again
    };
    struct Later {            // what its variables may be when it is called later than made
        std::string variable; // one that is assigned again
        bool below = false;   // further down, not only by the next iteration of a loop around
    };
    mlir::Value name(pybind11::handle node, Use use = Use::Escaping);
    mlir::Value closure(pybind11::handle definition, const std::string &name, Use use,
                        pybind11::handle place);
    mlir::Value capturedNow(const std::string &name, pybind11::handle definition, Use use,
                            pybind11::handle place, Later &later);
    void noteLater(const std::string &variable, Use use, pybind11::handle place, Later &later);
    mlir::Value selfClosure();
    mlir::Value functionValue(const Outside &found, pybind11::handle node);

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
    mlir::Value callKnown(const Outside &callee, pybind11::handle node);
    mlir::Value callFunction(const Outside &callee, pybind11::handle node);
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
    void bindScoped(pybind11::handle target, mlir::Value value);
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
    std::optional<mlir::NamedAttribute> printOption(const std::string &name, pybind11::handle node);
    void printCall(pybind11::handle call);
    mlir::Value warnCall(pybind11::handle call);
    std::optional<Outside> loggerAsked(pybind11::handle call);
    mlir::Value logCall(const Outside &called, pybind11::handle call);

    // control.cpp
    void block(llvm::ArrayRef<Statement *> statements, const Names &out);
    void statementsOf(llvm::ArrayRef<Statement *> statements, const Names &out);
    bool statement(const Statement &s, llvm::ArrayRef<Statement *> rest, const Names &after,
                   const Names &out);
    bool statementOrRefusal(const Statement &s, llvm::ArrayRef<Statement *> rest,
                            const Names &after, const Names &out);
    mlir::Value orRefusal(llvm::function_ref<void()> emit);
    mlir::Value refuse(const UserError &error);
    void simple(const Statement &s);
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
    mlir::Value returned(pybind11::handle node);
    void returnValue(mlir::Value value);
    const LoopLiveness *loopAround() const { return loops.empty() ? nullptr : &loops.back().live; }

    // loops.cpp
    struct Loop { // a loop around the present statement
        LoopLiveness live;
        bool needsBroken, needsReturned; // somebody reads these flags after it
        Names assigned;                  // by one iteration
    };
    struct Carried { // one loop-carried value: a variable or a flag
        enum What { Variable, Broken, Returned, Result } what;
        unsigned index = 0; // of the variable
        bool maybe = false; // not assigned on some path to the loop
    };
    bool loop(const Statement &s, llvm::ArrayRef<Statement *> rest, const Names &after,
              const Names &out);
    void checkLoopTarget(pybind11::handle target);
    std::vector<Carried> carriedOf(const Statement &s, const Names &header) const;
    llvm::SmallVector<mlir::Value> currentValues(llvm::ArrayRef<Carried> carried);
    void enterTurn(const Statement &s, llvm::ArrayRef<Carried> carried, mlir::ValueRange values);
    mlir::Operation *foreach (const Statement &s, llvm::ArrayRef<Carried> carried);
    mlir::Operation *whileLoop(const Statement &s, llvm::ArrayRef<Carried> carried);
    void turn(const Statement &s, llvm::ArrayRef<Carried> carried);
    Statement *madeUpIf(const Statement &loop, mlir::Value condition, Block body, Block orelse);
    Statement *madeUpReturn(const Statement &loop, mlir::Value value);
    Statement *madeUpRest(const Statement &branch);

    mlir::Value materialise(const Flag &flag) {
        return flag.known ? boolean(flag.constant) : flag.value;
    }
    mlir::Value resultOr(mlir::Value value) { return value ? value : unbound("return value"); }

    // What emitting a statement changes in the emitter, and may leave half done.
    struct Before;

    Session &session;
    FunctionEmitter *outer =
        nullptr;            // of the function around; then `function` is the outermost one
    pybind11::object inner; // the node of this function in it
    std::vector<std::string> captured; // variables of the functions around: the first arguments
    std::string self;                  // the name under which an inner function may call itself
    std::map<PyObject *, std::string> innerSymbols; // by node
    std::set<std::string> capturing;                // inner functions whose closures are being made
    pybind11::object function, code;
    Objects objects;                               // parameters that stand for objects
    Objects bound;                                 // variables that do so now
    std::set<std::string> lost;                    // and those that did in another block
    std::vector<std::vector<std::string>> aliases; // those of the blocks around
    std::map<const Statement *, Turn> objectTurn;  // of loops made up by objectLoop
    int functionNumber = -1;   // of a function that is an argument, or held by one
    std::string symbol, shown; // the np.func's name, and the function's name in messages
    std::string qualified;     // __qualname__
    std::string file;
    FunctionSyntax syntax;
    mlir::OpBuilder builder;
    mlir::Location loc;
    mlir::Type any;
    State state;
    std::vector<Loop> loops; // around the present statement, innermost last
    std::vector<std::pair<std::string, mlir::Value>> scoped; // variables of comprehensions
    bool firstOnly = false;  // the comprehension that is being emitted ends with its first item
    unsigned branches = 0;   // of expressions (and, or, if) around the present one
    unsigned depth = 0;      // of blocks around the present statement
    bool readsAlive = false; // code after the present block asks whether its end was reached
};

} // namespace shapecast::capture
