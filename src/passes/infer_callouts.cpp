// np-infer: calls of functions that stay Python's.
//
// The call becomes an np.call with the attributes `tree` (what is called with what, as np.raise's)
// and `expected` (what comes back, for the run time: see bindings/callouts.cpp). Its results are
// carried as a loop's variables are (join.h): sizes come beside the arrays.
#include "passes/callout.h"
#include "passes/infer.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;
namespace json = llvm::json;

static CallOutProbe probe = nullptr;

void shapecast::setCallOutProbe(CallOutProbe given) { probe = given; }

std::string shapecast::askPython(StringRef call) { return probe ? probe(call) : "{}"; }

namespace {

json::Value number(std::optional<int64_t> value) {
    return value ? json::Value(*value) : json::Value(nullptr);
}

// What a probe needs to know of an argument.
class Description {
public:
    explicit Description(TypedBuilder &e) : e(e) {}

    json::Value of(const Val &v) {
        if (ArrayType array = v.array())
            return ofArray(array);
        if (v.isPython())
            return json::Object{{"object", cast<ObjectType>(v.type()).getSample()}};
        if (v.isTyped() && !v.pyFlag)
            return ofScalar(v);
        if (v.kind == Val::Kind::Static)
            return json::Object{{"static", cast<PyAttr>(v.attr).getKind().str()},
                                {"text", v.staticText().str()}};
        if (v.kind == Val::Kind::Object) // only for what is not tried out
            return json::Object{{"made", v.staticText().str()}};
        if (v.isTuple() || v.kind == Val::Kind::Slice || v.kind == Val::Kind::Range) {
            json::Array items;
            for (const Val &item : v.items)
                items.push_back(of(item));
            const char *made = v.kind == Val::Kind::Slice   ? "slice"
                               : v.kind == Val::Kind::Range ? "range"
                               : v.list                     ? "list"
                                                            : "tuple";
            return json::Object{{made, std::move(items)}};
        }
        e.unsupported("calling Python with " + e.describe(v) + " is not supported");
    }

    // A size that an argument has, by its text.
    DimAttr known(StringRef text) const { return sizes.lookup(text); }

private:
    std::optional<int64_t> seen(DimAttr dim) { // in the compiling call
        return dimEvaluate(dim, [&](StringRef name) {
            auto hint = e.hints.find(name);
            return hint == e.hints.end() ? std::nullopt : std::optional(hint->second);
        });
    }

    json::Value ofArray(ArrayType array) {
        if (array.getDevice())
            e.unsupported("calling Python with an array on a device is not supported; bring it to "
                          "the host first");
        json::Array dims;
        for (DimAttr dim : array.getDims()) {
            const std::string text = dimText(e.facts.canonical(dim));
            sizes[text] = dim;
            dims.push_back(json::Array{text, number(seen(dim))});
        }
        return json::Object{{"array", dtypeName(operandType(array.getDtype())->dtype).str()},
                            {"dims", std::move(dims)},
                            {"layout", layoutText(array.getLayout()).str()}};
    }

    json::Value ofScalar(const Val &v) {
        const OperandType type = e.operandOf(v);
        if (type.weak == PyKind::Strong)
            return json::Object{{"scalar", dtypeName(type.dtype).str()}};
        static const char *const names[] = {"", "bool", "int", "float", "complex"};
        json::Object described{{"python", names[int(type.weak)]}};
        if (auto value = dyn_cast_or_null<FloatAttr>(v.attr))
            described["value"] = value.getValueAsDouble();
        else if (std::optional<int64_t> value = v.constInt())
            described["value"] = *value;
        else if (type.weak == PyKind::Int && v.dim)
            described["seen"] = number(seen(v.dim));
        return described;
    }

    TypedBuilder &e;
    llvm::StringMap<DimAttr> sizes;
};

// What came back of the probe, as what carries it; and the same for the run time.
class Expectation {
public:
    Expectation(TypedBuilder &e, const Description &call, std::string name)
        : e(e), call(call), name(std::move(name)) {}

    Slot slotOf(const json::Object &result) {
        Slot slot;
        if (std::optional<StringRef> problem = result.getString("error"))
            e.unsupported(*problem);
        if (std::optional<StringRef> problem = result.getString("raises")) // for any values
            e.fail("TypeError", *problem);
        if (std::optional<StringRef> dtype = result.getString("array"))
            return arraySlot(*dtype, *result.getArray("dims"));
        if (std::optional<StringRef> dtype = result.getString("scalar")) {
            const DType number = *dtypeFromName(*dtype);
            text += "S " + std::to_string(int(number)) + " ";
            return typed(scalarType(e.ctx, number));
        }
        if (std::optional<StringRef> kind = result.getString("python")) {
            const auto pyKind = PyKind(StringRef("?bifc").find(kind->front()));
            text += kind->substr(0, 1).str() + " ";
            return typed(pyType(e.ctx, pyKind));
        }
        if (std::optional<StringRef> name = result.getString("object")) {
            const int64_t sample = *result.getInteger("sample");
            text += "O " + std::to_string(sample) + " ";
            return typed(ObjectType::get(e.ctx, *name, sample));
        }
        if (result.getBoolean("never")) { // the call shall say why, when it is reached
            text += "X ";
            slot.kind = Slot::Kind::Never;
            return slot;
        }
        const json::Array *items = result.getArray("tuple");
        if (const json::Array *list = result.getArray("list")) {
            slot.list = true;
            items = list;
        }
        if (!items) {
            text += "N ";
            slot.kind = Slot::Kind::Static;
            slot.attr = e.noneVal().attr;
            return slot;
        }
        if (std::optional<StringRef> record = result.getString("record"))
            slot.attr = PyAttr::get(e.ctx, "namedtuple", *record);
        text += (slot.list ? "L " : "T ") + std::to_string(items->size()) + " ";
        slot.kind = Slot::Kind::Tuple;
        for (const json::Value &item : *items)
            slot.items.push_back(slotOf(*item.getAsObject()));
        return slot;
    }

    // Sizes that were those of arguments with both kinds of samples are taken to be so.
    void unite(const Val &v) {
        for (const Val &item : v.items)
            unite(item);
        if (ArrayType array = v.array())
            for (DimAttr dim : array.getDims())
                if (DimAttr wanted = sizes[next++])
                    e.require("eq", {dim, wanted}, "shapecast.UnsupportedError",
                              "the result of " + name + " has a size of {0} here, where samples " +
                                  "of its arguments made it expect {1}",
                              {dim, wanted});
    }

    std::string text;

private:
    Slot typed(Type type) {
        Slot slot;
        slot.kind = Slot::Kind::Typed;
        slot.type = type;
        return slot;
    }

    Slot arraySlot(StringRef name, const json::Array &dims) {
        const DType dtype = *dtypeFromName(name);
        text += "A " + std::to_string(int(dtype)) + " " + std::to_string(dims.size()) + " ";
        Dims unknown(dims.size(), dimSymbol(e.ctx, "size"));
        for (const json::Value &dim : dims)
            sizes.push_back(dim.getAsString() ? call.known(*dim.getAsString()) : DimAttr());
        Slot slot =
            typed(ArrayType::get(e.ctx, unknown, scalarType(e.ctx, dtype), Layout::C, false, {}));
        slot.changing.assign(dims.size(), true);
        return slot;
    }

    TypedBuilder &e;
    const Description &call;
    std::string name;
    SmallVector<DimAttr> sizes; // of arrays, in order; null: unknown
    size_t next = 0;
};

} // namespace

static bool holdsList(const Val &v) {
    return (v.isTuple() && v.list) || llvm::any_of(v.items, holdsList);
}

// NumPy's and SciPy's functions leave lists as they are, but for this one.
static bool mayChangeLists(StringRef name) {
    StringRef plain = name;
    const bool reads = plain.consume_front("numpy.") || plain.consume_front("scipy.") ||
                       plain.consume_front("operator.") || plain.consume_front("builtins.") ||
                       plain.consume_front("method:") || plain.consume_front("math.");
    return !reads || plain.ends_with("shuffle");
}

Val Infer::callOut(StringRef name, ArrayRef<Val> operands,
                   ArrayRef<std::pair<StringRef, Val>> named) {
    const std::string label =
        name.rsplit(':').second.empty() ? name.str() : name.rsplit(':').second.str();
    if (!probe)
        e.unsupported("the function " + label +
                      " is not compiled yet; compute it outside and pass the result in");
    Description description(e);
    json::Array positional;
    json::Object keywords;
    SmallVector<Value> leaves;
    SmallVector<Attribute> trees;
    std::string called = name.str();
    auto add = [&](const Val &given) {
        const Val v = boundValue(given);
        if (mayChangeLists(name) && holdsList(v))
            e.unsupported("calling " + label +
                          " with a list is not supported, since it may change "
                          "it; pass a tuple, or an array");
        trees.push_back(resultTree(v, leaves));
        return description.of(v);
    };
    for (const Val &v : operands)
        positional.push_back(add(v));
    for (const auto &[keyword, v] : named) {
        keywords[keyword] = add(v);
        called += " " + keyword.str();
    }
    std::string request;
    llvm::raw_string_ostream(request) << json::Value(json::Object{
        {"name", name}, {"arguments", std::move(positional)}, {"keywords", std::move(keywords)}});
    llvm::Expected<json::Value> result = json::parse(probe(request));
    if (!result)
        e.unsupported("the probe of " + name + ": " + llvm::toString(result.takeError()));
    if (instead && result->getAsObject()->getBoolean("never"))
        e.unsupported(label + " raises for samples of these arguments");
    Expectation expected(e, description, label);
    const Slot slot = expected.slotOf(*result->getAsObject());
    SmallVector<Type> types;
    packedTypes(e, slot, types);
    auto call =
        CallOp::create(e.b, e.loc, types, name, leaves, ArrayAttr(), ArrayAttr(), ArrayAttr());
    call->setAttr("tree",
                  e.b.getDictionaryAttr({e.b.getNamedAttr("call", e.b.getStringAttr(called)),
                                         e.b.getNamedAttr("items", e.b.getArrayAttr(trees))}));
    call->setAttr("expected", e.b.getStringAttr(expected.text));
    ended = slot.kind == Slot::Kind::Never;
    ValueRange outputs = call.getOutputs();
    Val v = unpack(e, slot, outputs);
    expected.unite(v);
    return v;
}

//===-- Methods of strings that are known

static bool isKnown(const Val &v) {
    if (v.isTuple() && !v.cell)
        return llvm::all_of(v.items, isKnown);
    if (v.isTyped())
        return isPyScalar(v.type()) && (v.constInt() || isa_and_nonnull<FloatAttr>(v.attr));
    return v.isTuple() ? llvm::all_of(v.items, isKnown) : v.isStatic("str") || v.isNone();
}

static Val knownValue(TypedBuilder &e, const json::Value &value) {
    if (auto items = value.getAsArray()) {
        std::vector<Val> made;
        for (const json::Value &item : *items)
            made.push_back(knownValue(e, item));
        return e.tupleVal(std::move(made), /*list=*/true);
    }
    if (auto items = value.getAsObject()) {
        Val made = knownValue(e, *items->get("tuple"));
        made.list = false;
        return made;
    }
    if (std::optional<bool> flag = value.getAsBoolean())
        return e.boolVal(*flag);
    if (std::optional<int64_t> number = value.getAsInteger())
        return e.intVal(*number);
    return e.staticVal("str", *value.getAsString());
}

// text.name(...), computed by Python; none where something is not known here.
std::optional<Val> Infer::knownText(const Val &text, StringRef name, ArrayRef<Val> operands,
                                    ArrayRef<std::pair<StringRef, Val>> named) {
    auto known = [](const auto &pair) { return isKnown(pair.second); };
    if (!probe || !text.isStatic("str") || !llvm::all_of(operands, isKnown) ||
        !llvm::all_of(named, known))
        return std::nullopt;
    Description description(e);
    json::Array positional;
    json::Object keywords;
    for (const Val &v : operands)
        positional.push_back(description.of(v));
    for (const auto &[keyword, v] : named)
        keywords[keyword] = description.of(v);
    std::string request;
    llvm::raw_string_ostream(request)
        << json::Value(json::Object{{"method", name},
                                    {"text", text.staticText()},
                                    {"arguments", std::move(positional)},
                                    {"keywords", std::move(keywords)}});
    llvm::Expected<json::Value> answer = json::parse(probe(request));
    if (!answer)
        e.unsupported("the method '" + name + "': " + llvm::toString(answer.takeError()));
    const json::Object &result = *answer->getAsObject();
    if (std::optional<StringRef> error = result.getString("raises"))
        e.fail(*error, *result.getString("message"));
    if (std::optional<StringRef> problem = result.getString("error"))
        e.unsupported(*problem);
    return knownValue(e, *result.get("value"));
}

//===-- Objects of Python

static bool hasObject(const Val &v) { return v.isPython() || llvm::any_of(v.items, hasObject); }

// An object, or a dtype that only Python's NumPy knows.
static bool isOfPython(const Val &v) {
    return hasObject(v) || (v.isStatic("dtype") && !dtypeFromName(v.staticText()));
}

bool Infer::isPythons(ArrayRef<Val> operands, ArrayRef<std::pair<StringRef, Val>> named) {
    return llvm::any_of(operands, isOfPython) ||
           llvm::any_of(named, [](const auto &given) { return isOfPython(given.second); });
}

// An operation on an object is Python's own: the result, or none where it is no such operation.
std::optional<Val> Infer::visitObject(Operation *op) {
    if (isa<CallOp, ApplyOp, ConstOp, TupleOp, ClosureOp, CastOp, PrintOp, RaiseOp, GlobalOp>(op))
        return std::nullopt;
    SmallVector<Val> operands = vals(op->getOperands());
    if (!llvm::any_of(operands, isOfPython))
        return std::nullopt;
    const bool held = operands[0].isTuple() || operands[0].isDict() || operands[0].isRecord();
    auto key = [&](size_t first, size_t count) {
        std::vector<Val> keys(operands.begin() + first, operands.begin() + first + count);
        return count == 1 ? keys.front() : e.tupleVal(std::move(keys));
    };
    if (auto get = dyn_cast<GetItemOp>(op); get && !held)
        return callOut("operator.getitem", {operands[0], key(1, operands.size() - 1)}, {});
    if (auto set = dyn_cast<SetItemOp>(op); set && !held) {
        SmallVector<Val> keys = vals(set.getKeys());
        Val place = keys.size() == 1 ? keys[0] : e.tupleVal({keys.begin(), keys.end()});
        return callOut("operator.setitem", {val(set.getBase()), place, val(set.getValue())}, {});
    }
    if (auto attr = dyn_cast<AttrOp>(op); attr && isOfPython(operands[0]) && !held)
        return callOut("builtins.getattr", {operands[0], e.staticVal("str", attr.getName())}, {});
    if (auto method = dyn_cast<MethodOp>(op); method && !held) {
        SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, method.getKw(), operands);
        return callUncompiled(("method:" + method.getName()).str(), operands, named);
    }
    if (auto ufunc = dyn_cast<UfuncOp>(op)) {
        SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, ufunc.getKw(), operands);
        return callOut(("numpy." + ufunc.getName()).str(), operands, named);
    }
    if (auto inplace = dyn_cast<InplaceOp>(op))
        return callOut(("operator.i" + inplace.getOp()).str(), operands, {});
    if (auto pyop = dyn_cast<PyOp>(op); pyop && pyop.getOp() != "append") {
        if (pyop.getOp() == "in" || pyop.getOp() == "not_in") {
            Val found = callOut("operator.contains", {operands[1], operands[0]}, {});
            return pyop.getOp() == "in" ? found : e.unary("not", found);
        }
        const bool reserved = llvm::is_contained({"and", "or", "not", "is"}, pyop.getOp());
        return callOut(("operator." + pyop.getOp() + (reserved ? "_" : "")).str(), operands, {});
    }
    return std::nullopt;
}

bool Infer::canCallOut() { return probe != nullptr; }
