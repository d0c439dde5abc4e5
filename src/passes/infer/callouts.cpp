// np-infer: call-outs, calls of functions that Python runs.
//
// The call becomes an np.call with the attributes `tree` (callee and arguments, as of np.raise) and
// `expected` (the result type, for the check at run time: ir/call_result.h). Its results are packed
// as a loop's variables are (slot.h): sizes come beside the arrays.
#include "passes/infer/callouts.h"

#include "ir/call_result.h"
#include "ops/builder/elements.h"
#include "ops/builder/heap_sites.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/memory.h"
#include "ops/builder/record_class.h"
#include "ops/builder/slot.h"
#include "ops/builder/stores.h"
#include "passes/frontend/callout.h"
#include "passes/infer/returns.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace json = llvm::json;

static CallOutProbe probe = nullptr;

void shapecast::setCallOutProbe(CallOutProbe function) { probe = function; }

std::string shapecast::probePython(StringRef call) { return probe ? probe(call) : "{}"; }

namespace {

json::Value number(std::optional<int64_t> value) {
    return value ? json::Value(*value) : json::Value(nullptr);
}

// The description of an argument for the probe.
class ArgumentDescription {
public:
    explicit ArgumentDescription(TypedBuilder &e, bool ofException = false)
        : e(e), ofException(ofException) {}

    json::Value of(const Val &v) {
        if (ArrayType array = v.array())
            return ofArray(array);
        if (v.isPython())
            return json::Object{{"object", cast<ObjectType>(v.type()).getSample()}};
        if (v.isTyped() && !v.weakFlag)
            return ofScalar(v);
        if (v.kind == Val::Kind::Static)
            return json::Object{{"static", cast<PyAttr>(v.attr).getKind().str()},
                                {"text", v.staticText().str()}};
        if (ofException && v.isText() && !v.isStatic("str"))
            return json::Object{{"python", "str"}};
        if (v.kind == Val::Kind::Object) // only in calls that are not probed
            return json::Object{{"made", v.staticText().str()}};
        if (v.isText())
            return json::Object{{"python", "str"}};
        if (ofException && (isHeapObject(v) || !v.recordWords().empty()))
            return ofInstance(v);
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
        if (ofException && (isHeap(v, "list") || (v.isDynamicList() && v.list)))
            return json::Object{{"many", ofItem(isHeap(v) ? heapValueSlot(v) : *v.element)}};
        if (ofException)
            return json::Object{{"made", v.describe()}};
        e.unsupported("calling Python with " + v.describe() + " is not supported");
    }

    // A size of some argument, by its text.
    DimAttr known(StringRef text) const { return sizes.lookup(text); }

private:
    // Of an instance of a class in Python: the class, and its attributes as far as they are known.
    json::Value ofInstance(const Val &v) {
        json::Array attributes; // pairs, in the order of a named tuple's fields
        if (isHeapObject(v)) {
            const HeapSites::Site &site = e.heapSites->sites[e.heapSites->root(v.serial)];
            for (auto [name, slot] : llvm::zip_equal(site.attributes, site.value.items))
                if (!name.empty() && slot.kind != Slot::Kind::Never)
                    attributes.push_back(json::Array{
                        name, ofItem(slot.kind == Slot::Kind::Optional ? slot.items[0] : slot)});
        } else {
            for (auto [name, item] : llvm::zip(fieldNames(v), v.items.read()))
                attributes.push_back(json::Array{name, of(item)});
        }
        return json::Object{{"instance", v.recordWords()[0].take_while(llvm::isDigit).str()},
                            {"named", v.describe()},
                            {"attributes", std::move(attributes)}};
    }

    // Of the items of a list in memory.
    static json::Value ofItem(const Slot &slot) {
        if (isTextSlot(slot))
            return json::Object{{"python", "str"}};
        const bool isNumber = slot.kind == Slot::Kind::Typed && slot.maybeWeak == PyKind::Strong &&
                              isScalar(slot.type);
        if (isNumber) {
            const OperandType type = *operandType(slot.type);
            return type.weak == PyKind::Strong
                       ? json::Object{{"scalar", dtypeName(type.dtype).str()}}
                       : json::Object{{"python", nameOf(type.weak)}};
        }
        const bool isTuple = slot.kind == Slot::Kind::Tuple && !slot.list && !slot.attr &&
                             slot.valKind == Val::Kind::Tuple;
        if (!isTuple)
            return json::Object{{"made", "a list of objects"}};
        json::Array items;
        for (const Slot &item : slot.items)
            items.push_back(ofItem(item));
        return json::Object{{"tuple", std::move(items)}};
    }

    static const char *nameOf(PyKind kind) {
        static const char *const names[] = {"", "bool", "int", "int", "float", "complex"};
        return names[int(kind)];
    }

    std::optional<int64_t> seen(DimAttr dim) { // in the compiling call
        return dimEvaluate(dim, [&](StringRef name) {
            auto hint = e.hints.find(name);
            return hint == e.hints.end() ? std::nullopt : std::optional(hint->second);
        });
    }

    json::Value ofArray(ArrayType array) {
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
        json::Object described{{"python", nameOf(type.weak)}};
        if (ofException)
            return described;
        if (auto value = dyn_cast_or_null<FloatAttr>(v.attr))
            described["value"] = value.getValueAsDouble();
        else if (std::optional<int64_t> value = v.constInt())
            described["value"] = *value;
        else if (type.weak == PyKind::Int && v.dim)
            described["seen"] = number(seen(v.dim));
        return described;
    }

    TypedBuilder &e;
    const bool ofException; // any values: only the types of its attributes are asked for
    llvm::StringMap<DimAttr> sizes;
};

json::Object describe(ArgumentDescription &description, ArrayRef<Val> operands,
                      ArrayRef<std::pair<StringRef, Val>> named) {
    json::Array positional;
    json::Object keywords;
    for (const Val &v : operands)
        positional.push_back(description.of(v));
    for (const auto &[keyword, v] : named)
        keywords[keyword] = description.of(v);
    return json::Object{{"arguments", std::move(positional)}, {"keywords", std::move(keywords)}};
}

std::string textOf(json::Object object) {
    std::string text;
    llvm::raw_string_ostream(text) << json::Value(std::move(object));
    return text;
}

// The probe's result as a Slot, and as the text for the check at run time.
class ExpectedResult {
public:
    ExpectedResult(TypedBuilder &e, const ArgumentDescription &call, std::string name)
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
            nodes.add({CallResult::Kind::Scalar, number});
            return typed(scalarType(e.ctx, number));
        }
        if (result.getString("python") == StringRef("str")) {
            nodes.add({CallResult::Kind::Text});
            return textSlot(e);
        }
        if (std::optional<StringRef> kind = result.getString("python")) {
            const auto weakKind = PyKind(StringRef("?bi.fc").find(kind->front()));
            nodes.add({CallResult::Kind(kind->front())});
            return typed(pyType(e.ctx, weakKind));
        }
        if (std::optional<StringRef> name = result.getString("object")) {
            const int64_t sample = *result.getInteger("sample");
            nodes.add({.kind = CallResult::Kind::Object, .number = sample});
            return typed(ObjectType::get(e.ctx, *name, sample));
        }
        if (result.getBoolean("never")) { // the call raises, when control reaches it
            nodes.add({CallResult::Kind::Never});
            slot.kind = Slot::Kind::Never;
            return slot;
        }
        const json::Array *items = result.getArray("tuple");
        if (const json::Array *list = result.getArray("list")) {
            slot.list = true;
            items = list;
        }
        if (!items) {
            nodes.add({CallResult::Kind::None});
            slot.kind = Slot::Kind::Static;
            slot.attr = e.noneVal().attr;
            return slot;
        }
        if (std::optional<StringRef> record = result.getString("record"))
            slot.attr = PyAttr::get(e.ctx, "namedtuple", *record);
        nodes.add({.kind = slot.list ? CallResult::Kind::List : CallResult::Kind::Tuple,
                   .number = int64_t(items->size())});
        slot.kind = Slot::Kind::Tuple;
        for (const json::Value &item : *items)
            slot.items.push_back(slotOf(*item.getAsObject()));
        return slot;
    }

    // Sizes that equalled an argument's for both sets of samples are required to do so.
    void requireSizes(const Val &v) {
        if (v.isText()) // its item is the handle
            return;
        for (const Val &item : v.items)
            requireSizes(item);
        if (ArrayType array = v.array())
            for (DimAttr dim : array.getDims())
                if (DimAttr wanted = sizes[next++])
                    e.require("eq", {dim, wanted}, "shapecast.UnsupportedError",
                              "the result of " + name + " has a size of {0} here, where samples " +
                                  "of its arguments made it expect {1}",
                              {dim, wanted});
    }

    CallResult nodes;

private:
    Slot typed(Type type) {
        Slot slot;
        slot.kind = Slot::Kind::Typed;
        slot.type = type;
        return slot;
    }

    Slot arraySlot(StringRef name, const json::Array &dims) {
        const DType dtype = *dtypeFromName(name);
        nodes.add({CallResult::Kind::Array, dtype, int64_t(dims.size())});
        Dims unknown(dims.size(), dimSymbol(e.ctx, "size"));
        for (const json::Value &dim : dims)
            sizes.push_back(dim.getAsString() ? call.known(*dim.getAsString()) : DimAttr());
        Slot slot =
            typed(ArrayType::get(e.ctx, unknown, scalarType(e.ctx, dtype), Layout::C, false, {}));
        slot.dynamicDims.assign(dims.size(), true);
        return slot;
    }

    TypedBuilder &e;
    const ArgumentDescription &call;
    std::string name;
    SmallVector<DimAttr> sizes; // of arrays, in order; null: unknown
    size_t next = 0;
};

} // namespace

static bool holdsList(const Val &v) {
    return (v.isTuple() && v.list) || llvm::any_of(v.items, holdsList);
}

// Whether it may mutate a list. NumPy's and SciPy's functions do not, but for `shuffle`.
static bool mayChangeLists(StringRef name) {
    StringRef plain = name;
    const bool reads = plain.consume_front("numpy.") || plain.consume_front("scipy.") ||
                       plain.consume_front("operator.") || plain.consume_front("builtins.") ||
                       plain.consume_front("method:") || plain.consume_front("math.");
    return !reads || plain.ends_with("shuffle");
}

namespace {

// Python gets copies in the host of arrays on a device.
class HostCopies {
public:
    explicit HostCopies(TypedBuilder &e) : e(e) {}

    Val hostOf(const Val &v) {
        if (!v.isArray() || !deviceOf(v.type()))
            return mapped(v, [&](const Val &item) { return hostOf(item); });
        for (const auto &[array, copy] : copies)
            if (array.value == v.value)
                return copy;
        Val copy = copyTo(e, v, StringAttr());
        if (v.array().getReadonly())
            copy = readOnlyView(copy);
        copies.push_back({v, copy});
        return copy;
    }
    // What Python may have stored goes back; results of the call go to the device.
    Val finish(const Val &result) {
        for (const auto &[array, copy] : copies)
            if (!array.array().getReadonly())
                assign(e, array, copyTo(e, copy, deviceOf(array.type())));
        return copies.empty() ? result : onDevice(result, deviceOf(copies[0].first.type()));
    }

private:
    Val readOnlyView(const Val &v) {
        const Dims dims = dimsOf(v);
        return view(e, v, Dims(dims.size(), e.dimConst(0)), Dims(dims.size(), e.dimConst(1)),
                    llvm::to_vector(llvm::seq<int64_t>(0, dims.size())), dims, /*readonly=*/true);
    }
    static Val mapped(Val v, llvm::function_ref<Val(const Val &)> convert) {
        if (v.isTuple() && !v.cell)
            for (Val &item : v.items)
                item = convert(item);
        return v;
    }
    Val onDevice(const Val &v, StringAttr device) {
        if (!v.isArray() || deviceOf(v.type()))
            return mapped(v, [&](const Val &item) { return onDevice(item, device); });
        return copyTo(e, v, device);
    }

    TypedBuilder &e;
    SmallVector<std::pair<Val, Val>> copies;
};

} // namespace

static Val constantOf(TypedBuilder &e, const json::Value &value) {
    if (auto items = value.getAsArray()) {
        std::vector<Val> made;
        for (const json::Value &item : *items)
            made.push_back(constantOf(e, item));
        return e.tupleVal(std::move(made), /*list=*/true);
    }
    if (auto items = value.getAsObject()) {
        Val made = constantOf(e, *items->get("tuple"));
        made.list = false;
        return made;
    }
    if (std::optional<bool> flag = value.getAsBoolean())
        return e.boolVal(*flag);
    if (std::optional<int64_t> number = value.getAsInteger())
        return e.intVal(*number);
    return e.staticVal("str", *value.getAsString());
}

namespace {

// An np.call of a Python function; `called`: its name, then those of the keywords.
class PythonCall {
public:
    PythonCall(Inference &in, StringRef name)
        : name(name), label(name.rsplit(':').second.empty() ? name : name.rsplit(':').second),
          in(in), called(name) {}

    Val add(const Val &argument) {
        const Val v = boundValue(in, argument);
        if (mayChangeLists(name) && holdsList(v))
            in.e.unsupported("calling " + label +
                             " with a list is not supported, since it may change "
                             "it; pass a tuple, or an array");
        trees.push_back(resultTree(in, v, leaves));
        return v;
    }
    Val add(StringRef keyword, const Val &argument) {
        called += " " + keyword.str();
        return add(argument);
    }

    Val emit(const ArgumentDescription &description, StringRef probed) const {
        TypedBuilder &e = in.e;
        llvm::Expected<json::Value> result = json::parse(probed);
        if (!result)
            e.unsupported("the probe of " + name + ": " + llvm::toString(result.takeError()));
        if (const json::Value *value = result->getAsObject()->get("value"))
            return constantOf(e, *value);
        if (in.isFallback && result->getAsObject()->getBoolean("never"))
            e.unsupported(label + " raises for samples of these arguments");
        ExpectedResult expected(e, description, label.str());
        const Slot slot = expected.slotOf(*result->getAsObject());
        SmallVector<Type> types;
        packedTypes(e, slot, types);
        auto call =
            CallOp::create(e.b, e.loc, types, name, leaves, ArrayAttr(), ArrayAttr(), ArrayAttr());
        call.setTreeAttr(ResultCallAttr::get(e.ctx, called, e.b.getArrayAttr(trees), "", 0));
        call.setExpectedAttr(e.b.getStringAttr(expected.nodes.text()));
        in.unreachable = slot.kind == Slot::Kind::Never;
        ValueRange outputs = call.getOutputs();
        Val v = unpack(e, slot, outputs);
        expected.requireSizes(v);
        return v;
    }

    const StringRef name, label;

private:
    Inference &in;
    std::string called;
    SmallVector<Value> leaves;
    SmallVector<Attribute> trees;
};

} // namespace

static Val callOnHost(Inference &in, StringRef name, ArrayRef<Val> operands,
                      ArrayRef<std::pair<StringRef, Val>> named) {
    PythonCall call(in, name);
    if (!probe)
        in.e.unsupported("the function " + call.label +
                         " is not compiled yet; compute it outside and pass the result in");
    const auto given = llvm::map_to_vector(operands, [&](const Val &v) { return call.add(v); });
    SmallVector<std::pair<StringRef, Val>> keywords;
    for (const auto &[keyword, v] : named)
        keywords.push_back({keyword, call.add(keyword, v)});
    ArgumentDescription description(in.e);
    json::Object request = describe(description, given, keywords);
    request["name"] = name;
    return call.emit(description, probe(textOf(std::move(request))));
}

Val shapecast::callOut(Inference &in, StringRef name, ArrayRef<Val> operands,
                       ArrayRef<std::pair<StringRef, Val>> named) {
    HostCopies copies(in.e);
    const auto given =
        llvm::map_to_vector(operands, [&](const Val &v) { return copies.hostOf(v); });
    SmallVector<std::pair<StringRef, Val>> keywords;
    for (const auto &[keyword, v] : named)
        keywords.push_back({keyword, copies.hostOf(v)});
    const Val result = callOnHost(in, name, given, keywords);
    return in.unreachable ? result : copies.finish(result);
}

Val shapecast::callOutGiving(Inference &in, StringRef name, ArrayRef<Val> operands,
                             StringRef result) {
    PythonCall call(in, name);
    for (const Val &v : operands)
        call.add(v);
    return call.emit(ArgumentDescription(in.e), result);
}

std::string shapecast::describeArguments(Inference &in, ArrayRef<Val> operands,
                                         ArrayRef<std::pair<StringRef, Val>> named) {
    ArgumentDescription description(in.e, /*ofException=*/true);
    return textOf(describe(description, operands, named));
}

static bool isConstant(const Val &v) {
    if (v.isTuple() && !v.cell)
        return llvm::all_of(v.items, isConstant);
    if (v.isTyped())
        return isPyScalar(v.type()) && (v.constInt() || isa_and_nonnull<FloatAttr>(v.attr));
    return v.isTuple() ? llvm::all_of(v.items, isConstant) : v.isStatic("str") || v.isNone();
}

// text.name(...), constant folded by Python; none where something is not a constant.
std::optional<Val> shapecast::foldTextMethod(Inference &in, const Val &text, StringRef name,
                                             ArrayRef<Val> operands,
                                             ArrayRef<std::pair<StringRef, Val>> named) {
    TypedBuilder &e = in.e;
    auto known = [](const auto &pair) { return isConstant(pair.second); };
    if (!probe || !text.isStatic("str") || !llvm::all_of(operands, isConstant) ||
        !llvm::all_of(named, known))
        return std::nullopt;
    ArgumentDescription description(e);
    json::Object request = describe(description, operands, named);
    request["method"] = name;
    request["text"] = text.staticText();
    llvm::Expected<json::Value> answer = json::parse(probe(textOf(std::move(request))));
    if (!answer)
        e.unsupported("the method '" + name + "': " + llvm::toString(answer.takeError()));
    const json::Object &result = *answer->getAsObject();
    if (std::optional<StringRef> error = result.getString("raises"))
        e.fail(*error, *result.getString("message"));
    if (std::optional<StringRef> problem = result.getString("error"))
        e.unsupported(*problem);
    return constantOf(e, *result.get("value"));
}

Val shapecast::textByPython(Inference &in, const Val &thunk) {
    TypedBuilder &e = in.e;
    if (!probe)
        e.unsupported("this string is not supported without Python");
    SmallVector<Value> leaves;
    const Attribute tree = resultTree(in, thunk, leaves);
    CallResult expected;
    expected.add({CallResult::Kind::Text});
    SmallVector<Type> types;
    packedTypes(e, textSlot(e), types);
    auto call = CallOp::create(e.b, e.loc, types, thunk.staticText(), leaves, ArrayAttr(),
                               ArrayAttr(), ArrayAttr());
    call.setTreeAttr(tree);
    call.setExpectedAttr(e.b.getStringAttr(expected.text()));
    ValueRange outputs = call.getOutputs();
    return unpack(e, textSlot(e), outputs);
}

bool shapecast::canCallOut() { return probe != nullptr; }
