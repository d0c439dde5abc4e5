#include "bindings/call/result_plan.h"

#include "bindings/call/numpy_types.h"
#include "capture/interrupts.h"

namespace shapecast::bindings {

static Ref classOfNumber(llvm::StringRef text);

Ref staticResult(mlir::Attribute value) {
    if (auto number = mlir::dyn_cast<mlir::FloatAttr>(value))
        return Ref::steal(PyFloat_FromDouble(number.getValueAsDouble()));
    if (auto flag = mlir::dyn_cast<mlir::BoolAttr>(value))
        return Ref::share(flag.getValue() ? Py_True : Py_False);
    auto named = mlir::dyn_cast<np::PyAttr>(value);
    if (!named || named.getKind() == "none")
        return Ref::share(Py_None);
    if (named.getKind() == "absent")
        return Ref::share(absentValue());
    const std::string kind = named.getKind().str(), text = named.getText().str();
    if (kind == "class" && named.getText().starts_with("record:"))
        return classOfNumber(named.getText().split(':').second);
    if (kind == "enum") // "record:5;9;Side;BUY;i1"
        return classOfNumber(named.getText().split(';').first.split(':').second);
    if (kind == "ellipsis")
        return Ref::share(Py_Ellipsis);
    if (kind == "str")
        return Ref::steal(PyUnicode_FromStringAndSize(text.data(), Py_ssize_t(text.size())));
    if (kind == "dtype" && text.rfind("numpy.", 0) != 0) {
        if (std::optional<DType> dtype = dtypeFromName(text))
            return Ref::steal(
                reinterpret_cast<PyObject *>(PyArray_DescrFromType(numpyType(*dtype))));
        Ref objects = Ref::steal(PyImport_ImportModule("shapecast._objects"));
        return Ref::steal(objects ? PyObject_CallMethod(objects.get(), "dtype_of", "s#",
                                                        text.data(), Py_ssize_t(text.size()))
                                  : nullptr);
    }
    const std::string full =
        text.find('.') == std::string::npos && kind != "module" ? "builtins." + text : text;
    const size_t dot = full.rfind('.');
    if (kind == "module" || dot == std::string::npos)
        return Ref::steal(PyImport_ImportModule(full.c_str()));
    Ref module = Ref::steal(PyImport_ImportModule(full.substr(0, dot).c_str()));
    return module ? Ref::steal(PyObject_GetAttrString(module.get(), full.c_str() + dot + 1))
                  : Ref();
}

// A class by its index in _objects.py's `records`; null where the text is none.
static Ref classOfNumber(llvm::StringRef text) {
    size_t number;
    if (text.getAsInteger(10, number))
        return {};
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._objects"));
    Ref records = module ? Ref::steal(PyObject_GetAttrString(module.get(), "records")) : Ref();
    Ref type = records ? listItem(records.get(), Py_ssize_t(number)) : Ref();
    if (!type)
        capture::forgetError();
    return type;
}

// A call of _objects.instance, but for classes of ours, as an Instance.
static void planInstance(np::ResultCallAttr call, ResultNode &node) {
    auto form = call.getCallee() == "shapecast._objects.instance"
                    ? mlir::dyn_cast<np::PyAttr>(call.getItems()[0])
                    : np::PyAttr();
    if (!form)
        return;
    llvm::SmallVector<llvm::StringRef> words;
    form.getText().split(words, ' ');
    Ref type = classOfNumber(words[0]);
    if (!type || capture::hasAttribute(type.get(), "_to_python"))
        return;
    for (llvm::StringRef name : llvm::ArrayRef(words).drop_front())
        node.names.push_back(Ref::steal(PyUnicode_InternFromString(name.str().c_str())));
    node.kind = ResultNode::Instance;
    node.object = std::move(type);
}

// The class of named tuples that "record:17" names; null for other classes and names. Values of
// such a class are made by tuple.__new__, as the generated __new__ does.
static Ref namedTupleClass(llvm::StringRef callee) {
    if (!callee.consume_front("record:"))
        return {};
    Ref type = classOfNumber(callee);
    const bool is = type && PyType_Check(type.get()) &&
                    PyType_IsSubtype(reinterpret_cast<PyTypeObject *>(type.get()), &PyTuple_Type);
    return is ? type : Ref();
}

ResultNode planNode(mlir::Attribute tree) {
    ResultNode node;
    auto callers = [&](ResultNode::Kind kind, int64_t number) {
        node.kind = kind;
        node.operand = unsigned(number);
        return std::move(node);
    };
    if (auto container = mlir::dyn_cast_or_null<np::CallersContainerAttr>(tree))
        return callers(ResultNode::Container, container.getNumber());
    if (auto object = mlir::dyn_cast_or_null<np::CallersObjectAttr>(tree))
        return callers(ResultNode::CallersObject, object.getNumber());
    if (auto state = mlir::dyn_cast_or_null<np::ObjectStateAttr>(tree))
        return callers(ResultNode::CallersObject, state.getObject());
    if (auto call = mlir::dyn_cast_or_null<np::ResultCallAttr>(tree)) {
        node = planNode(call.getItems());
        node.kind = ResultNode::Call;
        node.cell = unsigned(call.getCell());
        node.callee = call.getCallee().str();
        if (call.getElements() == "numbers")
            node.kind = ResultNode::Numbers;
        if (call.getCallee() == "builtins.dict")
            node.kind = ResultNode::Dict;
        node.object = namedTupleClass(call.getCallee());
        if (node.object)
            node.kind = ResultNode::NamedTuple;
        planInstance(call, node);
        return node;
    }
    if (auto choice = mlir::dyn_cast_or_null<np::ResultChoiceAttr>(tree)) {
        node.kind = ResultNode::Optional;
        node.items.push_back(planNode(choice.getValue()));
        node.flag = unsigned(choice.getFlag());
        node.items.push_back(planNode(choice.getOtherwise()));
        return node;
    }
    if (auto list = mlir::dyn_cast_or_null<np::ResultListAttr>(tree)) {
        node = planNode(list.getItems());
        node.kind = ResultNode::List;
        node.cell = unsigned(list.getCell());
        return node;
    }
    if (auto index = mlir::dyn_cast_or_null<mlir::IntegerAttr>(tree);
        index && !mlir::isa<mlir::BoolAttr>(tree)) {
        node.kind = ResultNode::Operand;
        node.operand = unsigned(index.getInt());
    } else if (auto items = mlir::dyn_cast_or_null<mlir::ArrayAttr>(tree)) {
        node.kind = ResultNode::Tuple;
        for (mlir::Attribute item : items)
            node.items.push_back(planNode(item));
    } else {
        node.object = tree ? staticResult(tree) : Ref::share(Py_None);
        if (!node.object) {
            capture::forgetError();
            node.object = Ref::share(Py_None);
        }
    }
    return node;
}

PyObject *callersObject(const ResultNode &node, const Call &call) {
    return node.kind == ResultNode::Container ? call.containers[node.operand]
                                              : call.hidden[node.operand].get();
}

PyObject *absentValue() {
    static PyObject *absent = PyObject_CallNoArgs(reinterpret_cast<PyObject *>(&PyBaseObject_Type));
    return absent;
}

} // namespace shapecast::bindings
