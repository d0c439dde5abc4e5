// Reads a function's ast into statements: local variables, reads, assignments and jumps.
#include "capture/syntax.h"
#include "capture/interrupts.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

namespace shapecast::capture {

namespace py = pybind11;

std::string className(py::handle node) {
    llvm::StringRef name = Py_TYPE(node.ptr())->tp_name;
    return name.rsplit('.').second.empty() ? name.str() : name.rsplit('.').second.str();
}

static Kind kindNamed(llvm::StringRef name) {
    return llvm::StringSwitch<Kind>(name)
        .Case("Assign", Kind::Assign)
        .Case("AugAssign", Kind::AugAssign)
        .Case("AnnAssign", Kind::AnnAssign)
        .Case("Expr", Kind::Expr)
        .Case("If", Kind::If)
        .Case("For", Kind::For)
        .Case("While", Kind::While)
        .Case("Break", Kind::Break)
        .Case("Continue", Kind::Continue)
        .Case("Return", Kind::Return)
        .Case("Pass", Kind::Pass)
        .Cases({"Delete", "Forget"}, Kind::Delete)
        .Case("FunctionDef", Kind::FunctionDef)
        .Case("Raise", Kind::Raise)
        .Case("Assert", Kind::Assert)
        .Case("Attempt", Kind::Attempt)
        .Case("Caught", Kind::Caught)
        .Case("RecordIndex", Kind::RecordIndex)
        .Case("Enter", Kind::Enter)
        .Case("Lambda", Kind::Lambda)
        .Case("NamedExpr", Kind::NamedExpr)
        .Case("ListComp", Kind::Comprehension)
        .Case("GeneratorExp", Kind::Comprehension)
        .Case("DictComp", Kind::DictComp)
        .Case("Set", Kind::Set)
        .Case("SetComp", Kind::SetComp)
        .Case("Dict", Kind::Dict)
        .Case("BoolOp", Kind::BoolOp)
        .Case("BinOp", Kind::BinOp)
        .Case("UnaryOp", Kind::UnaryOp)
        .Case("IfExp", Kind::IfExp)
        .Case("Compare", Kind::Compare)
        .Case("Call", Kind::Call)
        .Case("Constant", Kind::Constant)
        .Case("Attribute", Kind::Attribute)
        .Case("Subscript", Kind::Subscript)
        .Case("Starred", Kind::Starred)
        .Case("Name", Kind::Name)
        .Case("List", Kind::List)
        .Case("Tuple", Kind::Tuple)
        .Case("Slice", Kind::Slice)
        .Case("JoinedStr", Kind::JoinedStr)
        .Default(Kind::Other);
}

Kind kindOf(py::handle node) {
    static auto *known = new llvm::DenseMap<PyTypeObject *, Kind>; // holds a reference to each type
    PyTypeObject *type = Py_TYPE(node.ptr());
    const auto [at, isNew] = known->try_emplace(type, Kind::Other);
    if (isNew) {
        Py_INCREF(type);
        at->second = kindNamed(className(node));
    }
    return at->second;
}

py::object field(py::handle node, const char *name) {
    PyObject *found = PyObject_GetAttr(node.ptr(), constantName(name));
    if (!found)
        throw py::error_already_set();
    return py::reinterpret_steal<py::object>(found);
}

std::string text(py::handle string) { return py::cast<std::string>(string); }

std::string identifier(py::handle node, const char *name) { return text(field(node, name)); }

Range rangeOf(py::handle node) {
    auto number = [&](const char *name) { return py::cast<unsigned>(field(node, name)); };
    if (node.is_none()) // a value from outside, which no expression names
        return {};
    return {number("lineno"), number("col_offset"), number("end_lineno"), number("end_col_offset")};
}

void unsupported(py::handle node, const std::string &message) {
    throw SyntaxProblem{py::reinterpret_borrow<py::object>(node), message};
}

std::string unsupportedConstruct(py::handle node) {
    std::string name = className(node);
    auto says = [](llvm::StringRef what, llvm::StringRef wayOut) {
        return (what + " not supported; " + wayOut).str();
    };
    return llvm::StringSwitch<std::string>(name)
        .Case("With",
              says("this 'with' is", "enter the context around the call of the jitted function"))
        .Case("Try", says("this statement in 'try' is",
                          "take it out of 'try', or catch the error around the "
                          "call"))
        .Case("TryStar",
              says("'try' is", "check for the error beforehand, or catch it around the call"))
        .Case("ClassDef", says("'class' is", "define it outside the function"))
        .Case("Import", says("'import' is", "import at the top of the module"))
        .Case("ImportFrom", says("'import' is", "import at the top of the module"))
        .Case("Global", says("'global' is", "return the value and assign it in the caller"))
        .Case("Yield", says("the value of 'yield' is", "assign it in a statement: x = yield v"))
        .Case("YieldFrom", says("the value of 'yield from' is", "append it to a list"))
        .Case("Nonlocal", says("'nonlocal' is", "return the value and assign it in the caller"))
        .Case("MatchClass", says("this pattern is", "give attributes by name, or write it as if"))
        .Case("MatchMapping", says("'**' in a pattern is", "read the items in the body"))
        .Case("Await", says("'await' is", "await outside and pass the result as an argument"))
        .Case("AsyncFor", says("'async for' is", "collect the items outside and pass an array"))
        .Case("AsyncWith", says("'async with' is", "enter the context around the call"))
        .Case("AsyncFunctionDef", says("'async def' is", "make it a plain function"))
        .Default("'" + name + "' is not supported; move it out of the jitted function");
}

bool reshapesName(py::handle target) {
    return kindOf(target) == Kind::Attribute && identifier(target, "attr") == "shape" &&
           kindOf(field(target, "value")) == Kind::Name;
}

bool fallsThrough(const Block &block) {
    return llvm::all_of(block, [](const Statement *s) { return s->falls; });
}

bool mayJump(const Statement &s) { return s.mayBreak || s.mayContinue || s.mayReturn; }

namespace {

bool isFunction(py::handle node) {
    return kindOf(node) == Kind::FunctionDef || kindOf(node) == Kind::Lambda;
}

bool isComprehension(py::handle node) {
    return llvm::is_contained({"ListComp", "GeneratorExp", "SetComp", "DictComp"}, className(node));
}

// Calls back for the fields of an ast node that are nodes, or lists of nodes.
void forEachChild(py::handle node, llvm::function_ref<void(py::handle)> callback) {
    if (PyList_Check(node.ptr())) {
        for (py::handle item : node)
            callback(item);
        return;
    }
    const py::object fields = attributeIfAny(node, "_fields");
    if (!fields)
        return;
    for (py::handle name : fields) {
        const auto child =
            py::reinterpret_steal<py::object>(PyObject_GetAttr(node.ptr(), name.ptr()));
        if (!child) {
            forgetError(); // an optional field
            continue;
        }
        const bool isText = PyUnicode_Check(child.ptr()) || PyLong_Check(child.ptr());
        if (!isText && !child.is_none())
            callback(child);
    }
}

struct Reader {
    FunctionSyntax &function;
    bool hasWalrus = false; // `name := value` anywhere
    unsigned arms = 0;      // of enclosing `if`s

    unsigned local(const std::string &name) {
        auto [at, fresh] = function.localIndex.try_emplace(name, function.locals.size());
        if (fresh)
            function.locals.push_back(name);
        return at->second;
    }

    // First pass: a name is local when the function assigns it anywhere.
    void declare(py::handle block) {
        for (py::handle node : block) {
            switch (kindOf(node)) {
            case Kind::Assign:
            case Kind::Attempt:
                for (py::handle target : field(node, "targets"))
                    declareTarget(target);
                break;
            case Kind::AugAssign:
            case Kind::AnnAssign:
                declareTarget(field(node, "target"));
                break;
            case Kind::FunctionDef:
                local(identifier(node, "name"));
                continue;
            case Kind::Delete:
                for (py::handle target : field(node, "targets"))
                    declareTarget(target);
                break;
            case Kind::For:
                declareTarget(field(node, "target"));
                break;
            default:
                break;
            }
            declareInside(node);
        }
    }

    // Blocks of a statement, and `name := value` in its expressions.
    void declareInside(py::handle node) {
        forEachChild(node, [&](py::handle child) {
            if (isFunction(child))
                return;
            if (kindOf(child) == Kind::NamedExpr) {
                hasWalrus = true;
                declareTarget(field(child, "target"));
            }
            bool block = PyList_Check(child.ptr()) && py::len(child) &&
                         hasAttribute(child[py::int_(0)], "lineno") &&
                         isStatement(child[py::int_(0)]);
            block ? declare(child) : declareInside(child);
        });
    }

    static bool isStatement(py::handle node) {
        static PyObject *type = py::module_::import("ast").attr("stmt").ptr();
        return PyObject_IsInstance(node.ptr(), type) == 1;
    }

    void declareTarget(py::handle target) {
        switch (kindOf(target)) {
        case Kind::Starred:
            return declareTarget(field(target, "value"));
        case Kind::Name:
            local(identifier(target, "id"));
            break;
        case Kind::Tuple:
        case Kind::List:
            for (py::handle element : field(target, "elts"))
                declareTarget(element);
            break;
        default:
            break;
        }
    }

    // Names read by an expression, and by functions in it (free variables, defaults).
    void readUses(py::handle node, Names &uses) {
        auto use = [&](const std::string &name) {
            auto found = function.localIndex.find(name);
            if (found != function.localIndex.end())
                uses.set(found->second);
        };
        if (isFunction(node) || isComprehension(node)) {
            for (const std::string &name : freeNames(node))
                use(name);
            if (isFunction(node))
                for (const char *defaults : {"defaults", "kw_defaults"})
                    readUses(field(field(node, "args"), defaults), uses);
            return;
        }
        if (kindOf(node) == Kind::Name)
            return use(identifier(node, "id"));
        if (kindOf(node) == Kind::NamedExpr)
            return readUses(field(node, "value"), uses);
        forEachChild(node, [&](py::handle child) { readUses(child, uses); });
    }

    // `name := value` in a statement's own expressions. Where it may not be evaluated, the variable
    // may keep its value.
    void readWalrus(py::handle node, Statement &s, bool isConditional = false) {
        if (isFunction(node))
            return;
        if (kindOf(node) == Kind::NamedExpr) {
            readTarget(field(node, "target"), s);
            if (isConditional)
                s.uses |= s.defs;
        }
        const Kind kind = kindOf(node);
        const char *operands = kind == Kind::BoolOp    ? "values"
                               : kind == Kind::Compare ? "comparators"
                                                       : nullptr;
        if (operands) {
            if (kind == Kind::Compare)
                readWalrus(field(node, "left"), s, isConditional);
            for (py::handle operand : field(node, operands)) {
                readWalrus(operand, s, isConditional);
                isConditional = true; // the others may not be evaluated
            }
            return;
        }
        if (kind == Kind::IfExp) {
            readWalrus(field(node, "test"), s, isConditional);
            readWalrus(field(node, "body"), s, true);
            return readWalrus(field(node, "orelse"), s, true);
        }
        isConditional |= isComprehension(node);
        forEachChild(node, [&](py::handle child) { readWalrus(child, s, isConditional); });
    }

    // An assignment's target: names are defined; subscripts read their base and keys.
    void readTarget(py::handle target, Statement &s) {
        switch (kindOf(target)) {
        case Kind::Starred:
            return readTarget(field(target, "value"), s);
        case Kind::Name:
            s.defs.set(function.localIndex.lookup(identifier(target, "id")));
            break;
        case Kind::Tuple:
        case Kind::List:
            for (py::handle element : field(target, "elts"))
                readTarget(element, s);
            break;
        default:
            readUses(target, s.uses);
            if (!reshapesName(target))
                break;
            if (auto local = function.localIndex.find(identifier(field(target, "value"), "id"));
                local != function.localIndex.end())
                s.defs.set(local->second);
            break;
        }
    }

    Block readBlock(py::handle nodes) {
        Block block;
        for (py::handle node : nodes)
            block.push_back(read(node));
        return block;
    }

    Statement *make(Kind kind, py::handle node) {
        auto &s = *function.all.emplace_back(std::make_unique<Statement>());
        s.kind = kind;
        s.node = py::reinterpret_borrow<py::object>(node);
        s.uses = s.defs = Names(function.locals.size());
        s.inArm = arms > 0;
        return &s;
    }

    Statement *read(py::handle node);
    void readParts(py::handle node, Statement &s);
    void summarise(Statement &s);
};

bool isTrueConstant(py::handle test) {
    if (kindOf(test) != Kind::Constant)
        return false;
    py::object value = field(test, "value");
    return PyLong_Check(value.ptr()) && PyObject_IsTrue(value.ptr()) == 1;
}

Statement *Reader::read(py::handle node) {
    Statement &s = *make(kindOf(node), node);
    s.range = rangeOf(node);
    readParts(node, s);
    summarise(s);
    return &s;
}

void Reader::readParts(py::handle node, Statement &s) {
    switch (s.kind) {
    case Kind::Assign:
        readUses(field(node, "value"), s.uses);
        for (py::handle target : field(node, "targets"))
            readTarget(target, s);
        break;
    case Kind::AugAssign:
        readUses(field(node, "value"), s.uses);
        readUses(field(node, "target"), s.uses);
        readTarget(field(node, "target"), s);
        break;
    case Kind::AnnAssign:
        if (!field(node, "value").is_none()) {
            readUses(field(node, "value"), s.uses);
            readTarget(field(node, "target"), s);
        }
        break;
    case Kind::Expr:
    case Kind::Enter:
    case Kind::Return:
        readUses(field(node, "value"), s.uses);
        break;
    case Kind::Attempt:
        readUses(field(node, "classes"), s.uses);
        for (py::handle target : field(node, "targets"))
            readTarget(target, s);
        s.body = readBlock(field(node, "body"));
        break;
    case Kind::Delete:
        for (py::handle target : field(node, "targets"))
            readTarget(target, s);
        break;
    case Kind::Raise:
        readUses(field(node, "exc"), s.uses);
        readUses(field(node, "cause"), s.uses);
        break;
    case Kind::Assert:
        readUses(field(node, "test"), s.uses);
        readUses(field(node, "msg"), s.uses);
        break;
    case Kind::FunctionDef:
        readUses(node, s.uses);
        s.defs.set(function.localIndex.lookup(identifier(node, "name")));
        break;
    case Kind::For:
        readUses(field(node, "iter"), s.uses);
        readTarget(field(node, "target"), s);
        break;
    case Kind::If:
    case Kind::While:
        readUses(field(node, "test"), s.uses);
        break;
    default:
        break;
    }
    const bool tests = s.kind == Kind::If || s.kind == Kind::While || s.kind == Kind::Assert;
    const char *own = tests                         ? "test"
                      : s.kind == Kind::For         ? "iter"
                      : s.kind == Kind::FunctionDef ? nullptr
                                                    : "value";
    if (hasWalrus && own && hasAttribute(node, own))
        readWalrus(field(node, own), s);
    s.testAssigns = s.kind == Kind::While && s.defs.any();
    if (s.kind == Kind::If || s.kind == Kind::For || s.kind == Kind::While) {
        llvm::SaveAndRestore deeper(arms, arms + (s.kind == Kind::If));
        s.body = readBlock(field(node, "body"));
        s.orelse = readBlock(field(node, "orelse"));
    }
}

void Reader::summarise(Statement &s) {
    s.assigned = s.iterationDefs = s.defs;
    bool inLoop = s.kind == Kind::For || s.kind == Kind::While;
    for (const Block *block : {&s.body, &s.orelse}) {
        bool own = inLoop && block == &s.body; // this loop's own jumps end here
        for (const Statement *inner : *block) {
            s.assigned |= inner->assigned;
            if (own)
                s.iterationDefs |= inner->assigned;
            s.mayReturn |= inner->mayReturn;
            s.bodyBreaks |= own && inner->mayBreak;
            s.bodyReturns |= own && inner->mayReturn;
            s.mayBreak |= !own && inner->mayBreak;
            s.mayContinue |= !own && inner->mayContinue;
        }
    }
    switch (s.kind) {
    case Kind::Break:
        s.mayBreak = true;
        break;
    case Kind::Continue:
        s.mayContinue = true;
        break;
    case Kind::Return:
        s.mayReturn = true;
        break;
    default:
        break;
    }
    if (s.kind == Kind::If)
        s.falls = fallsThrough(s.body) || fallsThrough(s.orelse);
    else if (inLoop) {
        s.infinite =
            s.kind == Kind::While && isTrueConstant(field(s.node, "test")) && !s.bodyBreaks;
        // An infinite loop without return counts as falling through: the function needs a result.
        s.falls = s.infinite ? !s.bodyReturns : s.bodyBreaks || fallsThrough(s.orelse);
    } else
        s.falls = !mayJump(s) && s.kind != Kind::Raise;
}

} // namespace

namespace {

void declareParameters(Reader &reader, py::handle definition) {
    py::object arguments = field(definition, "args");
    for (const char *group : {"posonlyargs", "args", "kwonlyargs"})
        for (py::handle argument : field(arguments, group))
            reader.local(identifier(argument, "arg"));
    for (const char *rest : {"vararg", "kwarg"})
        if (py::object argument = field(arguments, rest); !argument.is_none())
            reader.local(identifier(argument, "arg"));
}

bool namesNothing(py::handle node) {
    bool nothing = kindOf(node) != Kind::Name;
    forEachChild(node, [&](py::handle child) { nothing &= namesNothing(child); });
    return nothing;
}

// Fills FunctionSyntax::functions.
void findFunctions(FunctionSyntax &function) {
    std::map<unsigned, unsigned> assignments;
    for (const auto &s : function.all)
        for (unsigned local : s->defs.set_bits()) {
            bool first = ++assignments[local] == 1;
            py::object node;
            if (s->kind == Kind::FunctionDef)
                node = s->node;
            else if (s->kind == Kind::Assign && py::len(field(s->node, "targets")) == 1 &&
                     kindOf(field(s->node, "value")) == Kind::Lambda)
                node = field(s->node, "value");
            // Defaults are evaluated once; creating the closure again is invisible only if they are
            // literals.
            if (first && node && namesNothing(field(field(node, "args"), "defaults")) &&
                namesNothing(field(field(node, "args"), "kw_defaults")))
                function.functions[local] = node;
            else
                function.functions.erase(local);
        }
}

// Reading the name of such a function uses its free variables, as they are then, and those of the
// functions that it calls.
void readThroughFunctions(FunctionSyntax &function) {
    std::map<unsigned, Names> reads;
    for (const auto &[local, definition] : function.functions)
        Reader{function}.readUses(definition, reads[local] = Names(function.locals.size()));
    for (const auto &s : function.all)
        for (Names before; before != s->uses;) {
            before = s->uses;
            for (const auto &[local, names] : reads)
                if (s->uses.test(local))
                    s->uses |= names;
        }
}

void collectFree(py::handle node, Reader &scope, std::vector<std::string> &names) {
    auto add = [&](const std::string &name) {
        if (!scope.function.localIndex.contains(name) && !llvm::is_contained(names, name))
            names.push_back(name);
    };
    if (kindOf(node) == Kind::Name)
        return add(identifier(node, "id"));
    if (isFunction(node) || isComprehension(node)) {
        for (const std::string &name : freeNames(node))
            add(name);
        if (isFunction(node))
            for (const char *defaults : {"defaults", "kw_defaults"})
                collectFree(field(field(node, "args"), defaults), scope, names);
        return;
    }
    forEachChild(node, [&](py::handle child) { collectFree(child, scope, names); });
}

} // namespace

std::vector<unsigned> assignedIn(const FunctionSyntax &function, py::handle expression) {
    std::vector<unsigned> variables;
    if (isFunction(expression))
        return variables;
    auto add = [&](unsigned variable) {
        if (!llvm::is_contained(variables, variable))
            variables.push_back(variable);
    };
    if (kindOf(expression) == Kind::NamedExpr)
        if (const py::object target = field(expression, "target"); kindOf(target) == Kind::Name)
            add(function.localIndex.lookup(identifier(target, "id"))); // else: of a nonlocal
    forEachChild(expression,
                 [&](py::handle child) { llvm::for_each(assignedIn(function, child), add); });
    return variables;
}

std::vector<std::string> freeNames(py::handle definition) {
    FunctionSyntax function;
    Reader reader{function};
    std::vector<std::string> names;
    if (isComprehension(definition)) {
        for (py::handle generator : field(definition, "generators"))
            reader.declareTarget(field(generator, "target"));
        forEachChild(definition, [&](py::handle child) { collectFree(child, reader, names); });
        return names;
    }
    declareParameters(reader, definition);
    py::object body = field(definition, "body");
    if (PyList_Check(body.ptr()))
        reader.declare(body);
    collectFree(body, reader, names);
    return names;
}

bool FunctionSyntax::assignedAfter(unsigned local, const Range &range) const {
    return llvm::any_of(all, [&](const auto &s) {
        return s->defs.size() > local && s->defs.test(local) &&
               std::pair(s->range.line, s->range.column) > std::pair(range.line, range.column);
    });
}

FunctionSyntax readFunction(py::handle definition) {
    FunctionSyntax function;
    Reader reader{function};
    declareParameters(reader, definition);
    py::object body = field(definition, "body");
    if (!PyList_Check(body.ptr())) { // a lambda
        Statement &s = *reader.make(Kind::Return, definition);
        s.range = rangeOf(body);
        reader.declareInside(definition);
        s.uses = s.defs = Names(function.locals.size());
        reader.readUses(body, s.uses);
        reader.summarise(s);
        function.body.push_back(&s);
        return function;
    }
    reader.declare(body);
    function.body = reader.readBlock(body);
    if (fallsThrough(function.body)) {
        Statement &s = *reader.make(Kind::Return, py::handle());
        s.range = rangeOf(definition);
        s.range.endLine = s.range.line;
        s.range.endColumn = s.range.column + 3;
        reader.summarise(s);
        function.body.push_back(&s);
    }
    findFunctions(function);
    readThroughFunctions(function);
    return function;
}

} // namespace shapecast::capture
