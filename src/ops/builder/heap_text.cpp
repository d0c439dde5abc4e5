#include "ops/builder/heap_text.h"

#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/memory.h"
#include "ops/builder/text_templates.h"
#include "ops/builder/thunks.h"
#include "runtime/text.h"
#include "runtime/text_formats.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

//===-- Values

// Calls sc_text_<name>(out, operands): a new string.
static Val made(TypedBuilder &e, StringRef name, ArrayRef<Val> operands) {
    llvm::SaveAndRestore host(e.device, StringAttr());
    Val handle = alloc(e, {e.dimConst(runtime::textWords)}, DType::I64);
    native(e, ("text_" + name).str(), {handle}, operands);
    return textOfHandle(handle);
}

static SmallVector<Val> handlesOf(TypedBuilder &e, ArrayRef<Val> operands) {
    return llvm::map_to_vector(operands, [&](const Val &v) {
        return v.isText()                  ? Val(heapText(e, v).items[0])
               : v.kind == Val::Kind::Heap ? Val(v.items[0])
               : isa<PyBoolType>(v.type()) ? toPy(e, v, PyKind::Int)
                                           : v;
    });
}

Val shapecast::textFunction(TypedBuilder &e, StringRef name, ArrayRef<Val> operands) {
    const SmallVector<Val> given = handlesOf(e, operands);
    static constexpr StringLiteral makers[] = {"strip",   "join",      "cased", "slice",
                                               "of_code", "of_object", "copy"};
    if (llvm::is_contained(makers, name))
        return made(e, name, given);
    const std::string function = ("text_" + name).str();
    if (name == "float")
        return toPy(e, native(e, function, {}, given, "", "", scalarType(e.ctx, DType::F64)),
                    PyKind::Float);
    if (name == "int" || name == "find" || name == "hash")
        return toPy(e, native(e, function, {}, given, "", "", scalarType(e.ctx, DType::I64)),
                    PyKind::Int);
    return native(e, function, {}, given);
}

//===-- From constants and thunks

static Val constantText(TypedBuilder &e, StringRef text) {
    return textOfHandle(
        e.typed(TextOp::create(e.b, e.loc, textSlot(e).items[0].type, e.b.getStringAttr(text))));
}

// str() of a number; none where Python is needed.
static std::optional<Val> textOfNumber(TypedBuilder &e, const Val &v) {
    if (!v.isScalar() || v.weakFlag)
        return std::nullopt;
    const OperandType operand = *operandType(v.type());
    if (operand.weak == PyKind::Bool || isBool(operand.dtype))
        return e.branch(truth(e, v),
                        [&](bool holds) { return constantText(e, holds ? "True" : "False"); });
    if (isInteger(operand.dtype) && operand.dtype != DType::U64)
        return made(e, "of_int", {toPy(e, v, PyKind::Int)});
    if (operand.dtype == DType::F64)
        return made(e, "of_float", {toPy(e, v, PyKind::Float)});
    return std::nullopt;
}

// format(v, specification) in the run time; none where Python is needed.
static std::optional<Val> formatted(TypedBuilder &e, const Val &v, const Val &specification) {
    using runtime::Formatted;
    if (!v.isText() && (!v.isScalar() || v.weakFlag))
        return std::nullopt;
    const std::optional<OperandType> operand = v.isText() ? std::nullopt : operandType(v.type());
    const bool isInt = operand && operand->weak != PyKind::WideInt &&
                       (operand->weak == PyKind::Bool || isInteger(operand->dtype)) &&
                       operand->dtype != DType::U64;
    if (operand && !isInt && !isFloat(operand->dtype))
        return std::nullopt;
    const Formatted kind = !operand ? Formatted::Text : isInt ? Formatted::Int : Formatted::Float;
    auto inRunTime = [&] {
        return made(e,
                    kind == Formatted::Text ? "format_text"
                    : isInt                 ? "format_int"
                                            : "format_float",
                    handlesOf(e, {!operand ? v : toPy(e, v, isInt ? PyKind::Int : PyKind::Float),
                                  specification}));
    };
    if (specification.isStatic("str")) {
        const StringRef text = specification.staticText();
        const bool isAscii = llvm::all_of(text, [](char c) { return c >= 0; });
        const bool isTaken = isAscii && readFormat(text.data(), int64_t(text.size()), 1, kind);
        return isTaken ? std::optional(inRunTime()) : std::nullopt;
    }
    const Val text = heapText(e, specification);
    const Val takes = textFunction(e, "takes_format", {text, e.intVal(int64_t(kind))});
    return e.branch(compareInts(e, "eq", takes, e.intVal(1)), [&](bool holds) {
        return holds ? inRunTime()
                     : e.textByPython(objectVal(e, "str", "builtins.format", {v, text}));
    });
}

static Val joinedText(TypedBuilder &e, ArrayRef<Val> parts) {
    std::optional<Val> all;
    for (const Val &part : parts)
        if (!part.isStatic("str") || !part.staticText().empty())
            all = all ? textConcat(e, *all, part) : heapText(e, part);
    return all ? *all : constantText(e, "");
}

static std::optional<Val> thunkInMemory(TypedBuilder &e, const Val &thunk) {
    const StringRef callee = thunk.staticText();
    ArrayRef<Val> items = thunk.items;
    auto isPlain = [](const Val &specification) {
        return specification.isStatic("str") && specification.staticText().empty();
    };
    if (callee == "operator.add")
        return textConcat(e, items[0], items[1]);
    if (callee == "operator.mul")
        return textRepeat(e, items[0], items[1]);
    if (callee == "join")
        return joinedText(e, items);
    if (callee == "builtins.format" && !isPlain(items[1]))
        return formatted(e, items[0], items[1]);
    if (const std::optional<std::vector<Val>> parts = partsOfTemplate(e, thunk))
        return joinedText(e, *parts);
    const bool isFormat = callee == "builtins.format" && isPlain(items[1]);
    const bool isRepr = callee == "builtins.repr" && items[0].isScalar() && // not NumPy's
                        operandType(items[0].type())->weak != PyKind::Strong;
    if (callee != "builtins.str" && !isFormat && !isRepr)
        return std::nullopt;
    return items[0].isText() ? heapText(e, items[0]) : textOfNumber(e, items[0]);
}

Val shapecast::heapText(TypedBuilder &e, const Val &text) {
    if (isHeapText(text))
        return text;
    if (text.isStatic("str"))
        return constantText(e, text.staticText());
    if (text.isUnion())
        return unionSplit(e, text, [&](const Val &one) { return heapText(e, one); });
    if (!text.isObject("str"))
        e.fail("TypeError", "expected a string, not '" + text.className() + "'");
    if (std::optional<Val> done = thunkInMemory(e, text))
        return *done;
    return e.textByPython(text);
}

//===-- Operations

Val shapecast::textLength(TypedBuilder &e, const Val &text) {
    const Val handle = heapText(e, text).items[0];
    Val length =
        e.typed(ContainerLengthOp::create(e.b, e.loc, PyIntType::get(e.ctx), handle.value));
    e.facts.addLower(length.dim.getName(), e.dimConst(0));
    return length;
}

Val shapecast::textAt(TypedBuilder &e, const Val &text, const Val &index) {
    return textOfHandle(e.typed(TextAtOp::create(e.b, e.loc, textSlot(e).items[0].type,
                                                 heapText(e, text).items[0].value, index.value)));
}

Val shapecast::textConcat(TypedBuilder &e, const Val &a, const Val &b) {
    const SmallVector<Val> handles = handlesOf(e, {a, b});
    return made(e, "concat", handles);
}

Val shapecast::textRepeat(TypedBuilder &e, const Val &text, const Val &times) {
    const bool isFirst = text.isText();
    return made(e, "repeat",
                {heapText(e, isFirst ? text : times).items[0],
                 e.sizeVal(toDim(e, isFirst ? times : text))});
}

SmallVector<Val> shapecast::constantWords(TypedBuilder &e, StringRef text) {
    SmallVector<Val> words{e.intVal(int64_t(text.size()))};
    for (size_t at = 0; at < text.size(); at += 8) {
        int64_t word = 0;
        std::memcpy(&word, text.data() + at, std::min<size_t>(8, text.size() - at));
        words.push_back(e.intVal(word));
    }
    return words;
}

static Val isEqual(TypedBuilder &e, const Val &a, const Val &b) {
    const Val &constant = a.isStatic("str") ? a : b, &other = a.isStatic("str") ? b : a;
    constexpr size_t mostBytes = 32;
    if (constant.isStatic("str") && constant.staticText().size() <= mostBytes) {
        SmallVector<Val> operands{heapText(e, other).items[0]};
        llvm::append_range(operands, constantWords(e, constant.staticText()));
        return native(e, "text_is", {}, operands);
    }
    return textFunction(e, "equal", {a, b});
}

Val shapecast::textRelation(TypedBuilder &e, StringRef op, const Val &a, const Val &b) {
    if (op == "eq" || op == "ne")
        return compareInts(e, op, isEqual(e, a, b), e.intVal(1));
    return compareInts(e, op, textFunction(e, "order", {a, b}), e.intVal(1));
}

Val shapecast::textContains(TypedBuilder &e, const Val &text, const Val &part) {
    const Val at =
        textFunction(e, "find", {text, part, e.intVal(0), e.intVal(INT64_MAX), e.intVal(0)});
    return compareInts(e, "ge", at, e.intVal(0));
}
