// Reads a function's ast into statements: local variables, reads, assignments and jumps.
#include "capture/syntax.h"

#include "llvm/ADT/StringSwitch.h"

namespace shapecast::capture {

namespace py = pybind11;

std::string className(py::handle node) {
    llvm::StringRef name = Py_TYPE(node.ptr())->tp_name;
    return name.rsplit('.').second.empty() ? name.str() : name.rsplit('.').second.str();
}

Kind kindOf(py::handle node) {
    return llvm::StringSwitch<Kind>(className(node))
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
        .Default(Kind::Other);
}

std::string text(py::handle string) { return py::cast<std::string>(string); }

std::string identifier(py::handle node, const char *name) { return text(field(node, name)); }

Range rangeOf(py::handle node) {
    auto number = [&](const char *name) { return py::cast<unsigned>(field(node, name)); };
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
        .Case("With", says("'with' is", "enter the context around the call of the jitted function"))
        .Case("Try",
              says("'try' is", "check for the error beforehand, or catch it around the call"))
        .Case("TryStar",
              says("'try' is", "check for the error beforehand, or catch it around the call"))
        .Case("Raise", says("'raise' is", "check the arguments before the call, or return a flag"))
        .Case("Assert", says("'assert' is", "check the arguments before the call"))
        .Case("FunctionDef", says("a function defined inside a jitted function is",
                                  "define it outside and pass it what it needs as arguments"))
        .Case("Lambda",
              says("'lambda' as a value is", "define the function outside and call it by name"))
        .Case("ClassDef", says("'class' is", "define it outside the function"))
        .Case("Import", says("'import' is", "import at the top of the module"))
        .Case("ImportFrom", says("'import' is", "import at the top of the module"))
        .Case("Global", says("'global' is", "return the value and assign it in the caller"))
        .Case("Nonlocal", says("'nonlocal' is", "return the value and assign it in the caller"))
        .Case("Delete", says("'del' is", "leave the name alone: memory is freed at its last use"))
        .Case("Match", says("'match' is", "write it as if and elif"))
        .Case("Yield", says("'yield' is", "store the values in an array and return it"))
        .Case("YieldFrom", says("'yield from' is", "store the values in an array and return it"))
        .Case("Await", says("'await' is", "await outside and pass the result as an argument"))
        .Case("AsyncFor", says("'async for' is", "collect the items outside and pass an array"))
        .Case("AsyncWith", says("'async with' is", "enter the context around the call"))
        .Case("AsyncFunctionDef", says("'async def' is", "make it a plain function"))
        .Case("ListComp", says("a list comprehension is", "fill an array in a loop"))
        .Case("SetComp", says("a set comprehension is", "fill an array in a loop"))
        .Case("DictComp", says("a dict comprehension is", "use an array or a tuple"))
        .Case("GeneratorExp", says("a generator expression is", "use a loop or a NumPy reduction"))
        .Case("JoinedStr", says("an f-string is", "print the values as separate arguments"))
        .Case("Dict", says("a dict is", "use a tuple or separate variables"))
        .Case("Set", says("a set is", "use an array or a tuple"))
        .Case("NamedExpr", says("':=' is", "assign in a statement of its own"))
        .Default("'" + name + "' is not supported; move it out of the jitted function");
}

bool fallsThrough(const Block &block) {
    return llvm::all_of(block, [](const Statement *s) { return s->falls; });
}

bool mayJump(const Statement &s) { return s.mayBreak || s.mayContinue || s.mayReturn; }

namespace {

struct Reader {
    FunctionSyntax &function;

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
                for (py::handle target : field(node, "targets"))
                    declareTarget(target);
                break;
            case Kind::AugAssign:
            case Kind::AnnAssign:
                declareTarget(field(node, "target"));
                break;
            case Kind::For:
                declareTarget(field(node, "target"));
                [[fallthrough]];
            case Kind::If:
            case Kind::While:
                declare(field(node, "body"));
                declare(field(node, "orelse"));
                break;
            default:
                break;
            }
        }
    }

    void declareTarget(py::handle target) {
        switch (kindOf(target)) {
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

    // Names read by an expression. Scopes inside it (lambdas, comprehensions) are reported when it
    // is compiled.
    void readUses(py::handle node, Names &uses) {
        if (PyList_Check(node.ptr())) {
            for (py::handle item : node)
                readUses(item, uses);
            return;
        }
        if (!py::hasattr(node, "_fields"))
            return;
        if (kindOf(node) == Kind::Name) {
            auto found = function.localIndex.find(identifier(node, "id"));
            if (found != function.localIndex.end())
                uses.set(found->second);
            return;
        }
        for (py::handle name : field(node, "_fields"))
            readUses(py::getattr(node, name, py::none()), uses);
    }

    // An assignment's target: names are defined; subscripts read their base and keys.
    void readTarget(py::handle target, Statement &s) {
        switch (kindOf(target)) {
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
    case Kind::Return:
        readUses(field(node, "value"), s.uses);
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
    if (s.kind == Kind::If || s.kind == Kind::For || s.kind == Kind::While) {
        s.body = readBlock(field(node, "body"));
        s.orelse = readBlock(field(node, "orelse"));
    }
}

void Reader::summarise(Statement &s) {
    s.assigned = s.turn = s.defs;
    bool inLoop = s.kind == Kind::For || s.kind == Kind::While;
    for (const Block *block : {&s.body, &s.orelse}) {
        bool own = inLoop && block == &s.body; // this loop's own jumps end here
        for (const Statement *inner : *block) {
            s.assigned |= inner->assigned;
            if (own)
                s.turn |= inner->assigned;
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
        s.endless = s.kind == Kind::While && isTrueConstant(field(s.node, "test")) && !s.bodyBreaks;
        // An endless loop without return still falls, formally: the function needs some result.
        s.falls = s.endless ? !s.bodyReturns : s.bodyBreaks || fallsThrough(s.orelse);
    } else
        s.falls = !mayJump(s);
}

} // namespace

FunctionSyntax readFunction(py::handle definition) {
    FunctionSyntax function;
    Reader reader{function};
    py::object arguments = field(definition, "args");
    for (const char *group : {"posonlyargs", "args", "kwonlyargs"})
        for (py::handle argument : field(arguments, group))
            reader.local(identifier(argument, "arg"));
    py::object body = field(definition, "body");
    if (!PyList_Check(body.ptr())) { // a lambda
        Statement &s = *reader.make(Kind::Return, definition);
        s.range = rangeOf(body);
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
    return function;
}

} // namespace shapecast::capture
