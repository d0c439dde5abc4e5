#include "capture/emitter.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static std::string shownName(py::handle function) {
    std::string name = text(function.attr("__qualname__"));
    size_t locals = name.rfind("<locals>.");
    return locals == std::string::npos ? name : name.substr(locals + strlen("<locals>."));
}

FunctionEmitter::FunctionEmitter(Session &session, py::handle function, std::string symbol,
                                 Objects objects, int functionNumber)
    : session(session), function(py::reinterpret_borrow<py::object>(function)),
      code(function.attr("__code__")), objectParameters(std::move(objects)),
      functionNumber(functionNumber), symbol(std::move(symbol)), displayName(shownName(function)),
      qualifiedName(text(function.attr("__qualname__"))), file(text(code.attr("co_filename"))),
      builder(&session.context), loc(UnknownLoc::get(&session.context)),
      any(np::anyTensor(&session.context)) {}

FunctionEmitter::FunctionEmitter(FunctionEmitter &outer, py::handle definition, std::string symbol,
                                 std::string name, std::vector<std::string> captured)
    : FunctionEmitter(outer.session, outer.function, std::move(symbol), {}, outer.functionNumber) {
    this->outer = &outer;
    innerDefinition = py::reinterpret_borrow<py::object>(definition);
    this->captured = std::move(captured);
    file = outer.file;
    displayName = kindOf(definition) == Kind::Lambda ? "<lambda>" : name;
    selfName = std::move(name);
    qualifiedName = outer.qualifiedName + ".<locals>." + displayName;
}

Frame FunctionEmitter::frameOf(const Range &range) const {
    return {file, displayName, range.line, range.column, range.endLine, range.endColumn};
}

Location FunctionEmitter::locationOf(const Range &range) const {
    auto location = FileLineColRange::get(StringAttr::get(&session.context, file), range.line,
                                          range.column, range.endLine, range.endColumn);
    return NameLoc::get(StringAttr::get(&session.context, displayName), location);
}

void FunctionEmitter::fail(const std::string &exception, const std::string &message,
                           const Range &range) {
    std::vector<Frame> frames = session.callStack;
    frames.push_back(frameOf(range));
    throw CaptureError({exception, message, std::move(frames), {}});
}

// Raises AttributeError: in an expression at run time, when control reaches it.
void FunctionEmitter::missingAttribute(py::handle node, const std::string &message) {
    session.result.isPortable = false;
    std::vector<Frame> frames = session.callStack;
    frames.push_back(frameOf(rangeOf(node)));
    throw MissingAttribute({"AttributeError", message, std::move(frames), {}}, node);
}

Value FunctionEmitter::readLocal(unsigned index) {
    Binding &binding = state.locals[index];
    if (binding.value && !binding.maybeUnbound)
        return binding.value;
    if (binding.checked)
        return binding.checked;
    const std::string &name = syntax.locals[index];
    Value value = binding.value ? binding.value : unbound(name);
    binding.checked = np::CheckBoundOp::create(builder, loc, any, value, name);
    return binding.checked;
}

bool FunctionEmitter::isLocalOrCaptured(const std::string &name) const {
    return comprehensionValue(name) || syntax.localIndex.contains(name) ||
           llvm::is_contained(captured, name) || (outer && name == selfName);
}

Value FunctionEmitter::comprehensionValue(const std::string &name) const {
    for (const auto &[variable, value] : llvm::reverse(comprehensionVariables))
        if (variable == name)
            return value;
    return {};
}

const ExternalRef *FunctionEmitter::objectNamed(const std::string &name) const {
    if (comprehensionValue(name)) // it shadows the object
        return nullptr;
    if (auto found = objectVariables.find(name); found != objectVariables.end())
        return &found->second;
    if (auto found = objectParameters.find(name); found != objectParameters.end())
        return &found->second;
    if (!outer || syntax.localIndex.contains(name))
        return nullptr;
    return outer->objectNamed(name);
}

// The class whose body a function is written in, by its qualified name: B of `A.f.<locals>.B.g`,
// A of `A.f.<locals>.<lambda>`. Only functions are followed by <locals>. Empty if there is none.
static llvm::StringRef enclosingClass(llvm::StringRef qualifiedName) {
    llvm::SmallVector<llvm::StringRef> parts;
    qualifiedName.split(parts, '.');
    parts.pop_back(); // its own name
    while (!parts.empty() && parts.back() == "<locals>")
        parts.pop_back_n(parts.size() > 1 ? 2 : 1); // with the function
    return parts.empty() ? llvm::StringRef() : parts.back();
}

// `self.__x` in class C is `self._C__x`.
std::string FunctionEmitter::mangled(const std::string &name) const {
    const llvm::StringRef given = name;
    if (!given.starts_with("__") || given.ends_with("__"))
        return name;
    const std::string written = text(code.attr("co_qualname"));
    const llvm::StringRef owner = enclosingClass(written).ltrim('_');
    return owner.empty() ? name : ("_" + owner + given).str();
}

// The functions of shapecast.library use the original NumPy, whatever a program has patched.
bool FunctionEmitter::isLibrary() const {
    static const std::string own = "shapecast.library.";
    const Ref name = dictItem(py::object(function.attr("__globals__")).ptr(), "__name__");
    return name && PyUnicode_Check(name.get()) && text(name.get()).rfind(own, 0) == 0;
}

Value FunctionEmitter::staticValue(llvm::StringRef kind, llvm::StringRef text) {
    auto attr = np::PyAttr::get(&session.context, kind, text);
    return np::ConstOp::create(builder, loc, np::StaticType::get(&session.context), attr);
}

Value FunctionEmitter::unbound(llvm::StringRef name) {
    return np::UnboundOp::create(builder, loc, any, name);
}

Value FunctionEmitter::boolean(bool value) {
    return np::ConstOp::create(builder, loc, np::PyBoolType::get(&session.context),
                               builder.getBoolAttr(value));
}

Value FunctionEmitter::pyop(StringRef op, ValueRange operands) {
    return np::PyOp::create(builder, loc, any, op, operands, /*nowrap=*/false);
}

// A call of a builtin or library function that is not in the source.
Value FunctionEmitter::callNamed(StringRef name, ValueRange arguments) {
    return np::CallOp::create(builder, loc, any, name, arguments, ArrayAttr(), ArrayAttr(),
                              ArrayAttr())
        .getResult();
}

void FunctionEmitter::returnValue(Value value) {
    state.result = value;
    state.reachable = Flag::of(false);
    if (!loops.empty()) {
        state.returned = Flag::of(true);
        state.continues = Flag::of(false);
    }
}

} // namespace shapecast::capture
