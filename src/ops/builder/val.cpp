#include "ops/builder/val.h"

#include "ir/symbols.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

bool Val::isStatic(StringRef staticKind) const {
    auto py = kind == Kind::Static ? dyn_cast_or_null<PyAttr>(attr) : PyAttr();
    return py && py.getKind() == staticKind;
}

StringRef Val::staticText() const {
    auto py = dyn_cast_or_null<PyAttr>(attr);
    return py ? py.getText() : StringRef();
}

// The value of np.int64(1) and the like: a constant, cast to a dtype that can represent it.
static std::optional<int64_t> castConstant(Value value) {
    auto cast = value.getDefiningOp<CastOp>();
    auto constant = cast ? cast.getValue().getDefiningOp<ConstOp>() : ConstOp();
    auto number = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
    const std::optional<OperandType> type = operandType(value.getType());
    if (!number || !type || type->weak != PyKind::Strong)
        return std::nullopt;
    const auto flag = dyn_cast<BoolAttr>(constant.getValue());
    const int64_t known = flag ? int64_t(flag.getValue()) : number.getInt();
    if (isBool(type->dtype))
        return known != 0;
    if (!isInteger(type->dtype) || (known < 0 && !isSigned(type->dtype)))
        return std::nullopt;
    const int bits = int(itemSize(type->dtype)) * 8 - isSigned(type->dtype);
    const bool fits = bits >= 63 || (known < int64_t(1) << bits && known >= -(int64_t(1) << bits));
    return fits ? std::optional(known) : std::nullopt;
}

std::optional<int64_t> Val::constInt() const {
    if (!isTyped())
        return std::nullopt;
    if (auto flag = dyn_cast_or_null<BoolAttr>(attr))
        return flag.getValue();
    if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
        return integer.getInt();
    if (isWideInt())
        return std::nullopt; // constWideInt() has it
    if (isPyInt() && dim && dim.isConst())
        return dim.getValue();
    return isScalar() ? castConstant(value) : std::nullopt;
}

std::optional<APInt> Val::constWideInt() const {
    if (isWideInt() && attr)
        return wideInt(attr);
    const std::optional<int64_t> small = constInt();
    return small ? std::optional(APInt(128, uint64_t(*small), /*isSigned=*/true)) : std::nullopt;
}

std::optional<bool> Val::constBool() const {
    if (kind == Kind::Tuple || kind == Kind::Dict)
        return !items.empty();
    if (kind == Kind::Record)
        return true;
    if (kind == Kind::Static) {
        if (isNone())
            return false;
        if (isStatic("enum")) // is it zero or empty itself?
            return !llvm::is_contained({"=i0", "=s", "=f0", "=f-9223372036854775808"},
                                       memberWords(3));
        return !isStatic("str") || !staticText().empty();
    }
    if (auto number = dyn_cast_or_null<FloatAttr>(attr))
        return !number.getValue().isZero();
    if (isWideInt() && attr)
        return !wideInt(attr).isZero();
    if (std::optional<int64_t> integer = constInt())
        return *integer != 0;
    return std::nullopt;
}

bool shapecast::isIterator(const Val &v, StringRef kind) {
    return v.kind == Val::Kind::Iterator && cast<StringAttr>(v.attr).getValue() == kind;
}

// The keys of a list or set are what a loop over one iterates over; those that a loop has counted
// have their number beside them.
bool shapecast::isDictView(const Val &v) {
    if (v.kind != Val::Kind::Iterator || v.items.size() != 1)
        return false;
    const bool isInMemory = v.items[0].kind == Val::Kind::Heap &&
                            cast<StringAttr>(v.items[0].attr).getValue() == "dict";
    return (v.items[0].isDict() || isInMemory) &&
           (isIterator(v, "keys") || isIterator(v, "values") || isIterator(v, "items"));
}

bool shapecast::isKeysOrItems(const Val &view) {
    return isDictView(view) && !isIterator(view, "values");
}

bool Val::isObject(StringRef objectKind) const {
    return kind == Kind::Object && cast<PyAttr>(attr).getKind() == objectKind;
}

Val shapecast::strongSide(Val maybeWeak) {
    maybeWeak.weakFlag = {};
    maybeWeak.items.clear();
    return maybeWeak;
}

Val shapecast::withoutLastMember(Val unionVal) {
    unionVal.items.pop_back();
    return unionVal.items.size() == 1 ? Val(unionVal.items[0]) : unionVal;
}

std::string Val::memberWords(unsigned number) const {
    SmallVector<StringRef> words;
    staticText().split(words, ';', 4);
    return words[number + 1].str();
}

static std::string typeText(Type type) {
    std::optional<OperandType> operand = operandType(type);
    if (!operand)
        return "object";
    switch (operand->weak) {
    case PyKind::Bool:
        return "bool";
    case PyKind::Int:
    case PyKind::WideInt:
        return "int";
    case PyKind::Float:
        return "float";
    case PyKind::Complex:
        return "complex";
    case PyKind::Strong:
        return dtypeName(operand->dtype).str();
    }
    return "object";
}

std::string Val::describe() const {
    switch (kind) {
    case Kind::Static:
        if (isStatic("enum"))
            return memberWords(0).empty() ? "an object()" // a sentinel
                                          : memberWords(1) + "." + memberWords(2);
        return isNone() ? "None" : (cast<PyAttr>(attr).getKind() + " " + staticText()).str();
    case Kind::Tuple:
        return list ? "list" : "tuple";
    case Kind::DynamicList:
        return list ? "list" : "tuple";
    case Kind::Dict:
        return "dict";
    case Kind::Heap: {
        const SmallVector<StringRef> words = recordWords();
        return words.empty() ? cast<StringAttr>(attr).getValue().str() : ("a " + words[1]).str();
    }
    case Kind::Record:
        return ("a " + cast<PyAttr>(attr).getText().split(' ').second.split(' ').first).str();
    case Kind::Function:
        if (!callableObject().empty())
            return "an object of class " + className();
        return ("function " + shownSymbol(cast<SymbolRefAttr>(attr).getRootReference())).str();
    case Kind::Iterator:
        return (isDictView(*this) ? "dict_" : "") + cast<StringAttr>(attr).getValue().str();
    case Kind::Slice:
        return "slice";
    case Kind::Range:
        return "range";
    case Kind::Text:
        return "a string";
    case Kind::Object:
        return isObject("str") ? "a string made at run time" : "an exception";
    case Kind::Never:
        return "no value (an exception was raised)";
    case Kind::Unbound:
        return "an unassigned variable";
    case Kind::Optional:
        return "a variable that may be unassigned";
    case Kind::Union: {
        std::string kinds;
        for (const Val &item : items)
            kinds += (kinds.empty() ? "" : " or ") + item.describe();
        return kinds;
    }
    case Kind::Typed:
        break;
    }
    if (isPython())
        return "an object of class " + cast<ObjectType>(type()).getName().str();
    std::string text = typeText(type());
    if (weakFlag)
        return typeText(pyType(type().getContext(), weakKind)) + " on some paths and " + text +
               " on others";
    if (ArrayType array = this->array()) {
        text += "[";
        for (auto [i, dim] : llvm::enumerate(array.getDims()))
            text += (i ? ", " : "") + dimText(dim);
        text += "]";
        if (array.getDevice())
            text += " on " + array.getDevice().str();
    }
    return text;
}

// Capture binds the `self` of its __call__ to a constant that says so (capture/functions.cpp): the
// method's body reads the object itself.
StringRef Val::callableObject() const {
    if (kind != Val::Kind::Function || items.empty() || items.front().items.empty())
        return {};
    const Val &self = items.front().items.front();
    return self.isStatic("instance") ? self.staticText() : StringRef();
}

std::string Val::className() const {
    if (isArray())
        return "numpy.ndarray";
    if (isPython())
        return cast<ObjectType>(type()).getName().str();
    if (isTyped() && operandType(type())->weak == PyKind::Strong)
        return "numpy." + typeText(type());
    if (isText())
        return "str";
    if (isNone())
        return "NoneType";
    if (kind == Val::Kind::Function) {
        const StringRef object = callableObject();
        return object.empty() ? "function" : object.split(';').first.str();
    }
    if (isStatic("enum"))
        return memberWords(1);
    if (kind == Val::Kind::Static)
        return isStatic("func") ? "builtin_function_or_method" : staticText().str();
    const SmallVector<StringRef> words = recordWords();
    return words.empty() ? describe() : words[1].str();
}

bool shapecast::isContainer(const Val &v) {
    return v.isDict() || v.isRecord() || ((v.isTuple() || v.isDynamicList()) && v.list);
}

DType shapecast::defaultDtype(PyKind kind) {
    return kind == PyKind::Bool      ? DType::Bool
           : kind == PyKind::Int     ? DType::I64
           : kind == PyKind::WideInt ? DType::U64
           : kind == PyKind::Float   ? DType::F64
                                     : DType::C128;
}

bool shapecast::isNaturalPair(Type strong, PyKind kind) {
    OperandType operand = *operandType(strong);
    return kind != PyKind::WideInt && operand.weak == PyKind::Strong &&
           operand.dtype == defaultDtype(kind);
}

SmallVector<StringRef> Val::recordWords() const {
    SmallVector<StringRef> words;
    StringRef form = kind == Kind::Heap ? cast<StringAttr>(attr).getValue() : "";
    if (form.consume_front("object ")) // an instance in memory: without its attributes
        form.split(words, ' ');
    if (isRecord() || (isTuple() && attr))
        cast<PyAttr>(attr).getText().split(words, ' ');
    return words;
}
