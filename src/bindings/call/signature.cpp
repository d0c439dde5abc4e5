// Signatures from keys.
#include "bindings/call/signature.h"
#include "bindings/call/forms.h"
#include "bindings/call/opaque_kinds.h"
#include "bindings/call/static_values.h"
#include "capture/object_class.h"
#include "ir/in_memory.h"
#include "ops/ufunc/types.h"

namespace shapecast::bindings {
namespace {

unsigned slotCount(KeyWord word) {
    switch (word.kind) {
    case KeyWord::Array:
        return 1 + 2 * unsigned(word.rank);
    case KeyWord::Scalar:
        return isComplex(word.dtype) ? 2 : 1;
    case KeyWord::PyComplex:
    case KeyWord::PyWideInt:
        return 2;
    case KeyWord::PyBool:
    case KeyWord::PyInt:
    case KeyWord::PyFloat:
    case KeyWord::Object:
    case KeyWord::InMemory:
        return 1;
    default:
        return 0;
    }
}

mlir::Attribute aliasOf(mlir::Builder &builder, const Call &call, size_t parameters) {
    llvm::SmallVector<mlir::Attribute> relations;
    auto relate = [&](const char *kind, int64_t i, int64_t j) {
        relations.push_back(
            builder.getArrayAttr({builder.getStringAttr(kind), builder.getI64IntegerAttr(i),
                                  builder.getI64IntegerAttr(j)}));
    };
    for (size_t i = 0; i < parameters; ++i)
        if (KeyWord::unpack(call.key[i]).overlapsItself)
            relate("overlap", int64_t(i), int64_t(i));
    for (size_t i = parameters; i < call.key.size(); ++i) {
        const AliasWord word = AliasWord::unpack(call.key[i]);
        relate(word.kind == AliasWord::Same ? "same" : "overlap", word.first, word.second);
    }
    if (relations.empty())
        return builder.getStringAttr("noalias");
    return builder.getArrayAttr(relations);
}

std::string deviceName(KeyWord array) { return "cuda:" + std::to_string(array.value - 1); }

llvm::SmallVector<int64_t> stridesOf(KeyWord array) {
    llvm::SmallVector<int64_t> strides(array.rank, mlir::ShapedType::kDynamic);
    const KnownStride known = knownStrides[array.stride - 1];
    strides[known.isFirst ? 0 : array.rank - 1] = known.stride;
    return strides;
}

struct Reader { // iterates over parameters and their slots
    mlir::MLIRContext &context;
    const Call &call;
    Signature &signature;
    mlir::Builder builder{&context};
    unsigned slot = 0, symbols = 0;

    void add(KeyWord word) {
        mlir::Type type = np::StaticType::get(&context);
        mlir::Attribute value, hint = builder.getUnitAttr(), strides = hint;
        switch (word.kind) {
        case KeyWord::Array: {
            llvm::SmallVector<np::DimAttr> dims;
            for (unsigned d = 0; d < word.rank; ++d)
                dims.push_back(np::dimSymbol(&context, "s" + std::to_string(symbols++)));
            type = np::ArrayType::get(
                &context, dims, scalarType(&context, word.dtype), word.layout, word.readonly,
                word.value ? builder.getStringAttr(deviceName(word)) : mlir::StringAttr());
            hint =
                builder.getDenseI64ArrayAttr(llvm::ArrayRef(call.slots).slice(slot + 1, word.rank));
            if (word.stride)
                strides = builder.getDenseI64ArrayAttr(stridesOf(word));
            break;
        }
        case KeyWord::Scalar:
            type = scalarType(&context, word.dtype);
            break;
        case KeyWord::PyBool:
            type = pyType(&context, PyKind::Bool);
            break;
        case KeyWord::PyInt:
            type = pyType(&context, PyKind::Int);
            hint = builder.getI64IntegerAttr(call.slots[slot]);
            break;
        case KeyWord::PyWideInt:
            type = pyType(&context, PyKind::WideInt);
            break;
        case KeyWord::PyFloat:
            type = pyType(&context, PyKind::Float);
            break;
        case KeyWord::PyComplex:
            type = pyType(&context, PyKind::Complex);
            break;
        case KeyWord::Object:
            type = np::ObjectType::get(&context, opaqueKindName(word.value), word.value);
            break;
        case KeyWord::InMemory:
            type = np::ObjectType::get(&context,
                                       np::inMemoryPrefix.str() + formOfNumber(word.value), 0);
            break;
        case KeyWord::StaticInt:
            type = pyType(&context, PyKind::Int);
            value = builder.getI64IntegerAttr(word.value);
            break;
        case KeyWord::StaticBool:
            type = pyType(&context, PyKind::Bool);
            value = builder.getBoolAttr(word.value != 0);
            break;
        case KeyWord::Static: {
            PyObject *object = staticObject(word.value);
            value = staticAttribute(context, object);
            const capture::ObjectClass ofClass = capture::classify(object);
            if (ofClass == capture::ObjectClass::Int)
                type = pyType(&context, PyKind::Int);
            else if (ofClass == capture::ObjectClass::Float)
                type = pyType(&context, PyKind::Float);
            else if (ofClass == capture::ObjectClass::Complex)
                type = pyType(&context, PyKind::Complex);
            break;
        }
        }
        signature.types.push_back(type);
        signature.values.push_back(value);
        signature.hints.push_back(hint);
        signature.strides.push_back(strides);
        slot += slotCount(word);
    }
};

} // namespace

Signature signatureOf(mlir::MLIRContext &context, const Call &call, size_t parameters) {
    Signature signature;
    Reader reader{context, call, signature};
    for (size_t i = 0; i < parameters; ++i)
        reader.add(KeyWord::unpack(call.key[i]));
    signature.alias = aliasOf(reader.builder, call, parameters);
    return signature;
}

std::optional<unsigned> slotOfSymbol(const Call &call, size_t parameters, llvm::StringRef symbol) {
    unsigned number = 0;
    const bool isSize = symbol.starts_with("s");
    if (symbol.drop_front().getAsInteger(10, number) || !(isSize || symbol.starts_with("n")))
        return std::nullopt;
    unsigned slot = 0, sizes = 0;
    for (size_t i = 0; i < parameters; ++i) {
        const KeyWord word = KeyWord::unpack(call.key[i]);
        if (!isSize && i == number)
            return word.kind == KeyWord::PyInt ? std::optional(slot) : std::nullopt;
        if (isSize && word.kind == KeyWord::Array) {
            if (number < sizes + word.rank)
                return slot + 1 + (number - sizes);
            sizes += word.rank;
        }
        slot += slotCount(word);
    }
    return std::nullopt;
}

static std::string wordText(KeyWord word, unsigned &symbols) {
    switch (word.kind) {
    case KeyWord::Array: {
        std::string text = dtypeName(word.dtype).str() + "[";
        for (unsigned d = 0; d < word.rank; ++d)
            text += (d ? ", s" : "s") + std::to_string(symbols++);
        text += "]";
        if (word.layout != np::Layout::C)
            text += " " + np::layoutText(word.layout).str();
        if (word.stride)
            text += (knownStrides[word.stride - 1].isFirst ? ", first axis by " : " by ") +
                    std::to_string(knownStrides[word.stride - 1].stride);
        text += word.readonly ? " readonly" : "";
        return text + (word.value ? " on " + deviceName(word) : "");
    }
    case KeyWord::Scalar:
        return "np." + dtypeName(word.dtype).str();
    case KeyWord::PyBool:
        return "bool";
    case KeyWord::PyInt:
    case KeyWord::PyWideInt:
        return "int";
    case KeyWord::PyFloat:
        return "float";
    case KeyWord::PyComplex:
        return "complex";
    case KeyWord::StaticInt:
        return std::to_string(word.value);
    case KeyWord::StaticBool:
        return word.value ? "True" : "False";
    case KeyWord::Object:
        return opaqueKindName(word.value);
    case KeyWord::InMemory:
        return formText(formOfNumber(word.value));
    case KeyWord::Static:
        break;
    }
    Ref text = Ref::steal(PyObject_Repr(staticObject(word.value)));
    const char *utf8 = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
    return utf8 ? utf8 : "?";
}

std::string signatureText(const Parameters &parameters, const Call &call) {
    std::string text;
    unsigned symbols = 0;
    for (size_t i = 0; i < parameters.names.size(); ++i) {
        const KeyWord word = KeyWord::unpack(call.key[i]);
        text += (i ? ", " : "") + std::string(PyUnicode_AsUTF8(parameters.names[i].get())) + ": ";
        text += wordText(word, symbols) + (word.overlapsItself ? " overlapping itself" : "");
    }
    for (size_t i = parameters.names.size(); i < call.key.size(); ++i) {
        const AliasWord word = AliasWord::unpack(call.key[i]);
        text += std::string("; ") + PyUnicode_AsUTF8(parameters.names[word.first].get()) +
                (word.kind == AliasWord::Same ? " is " : " overlaps ") +
                PyUnicode_AsUTF8(parameters.names[word.second].get());
    }
    return text;
}

} // namespace shapecast::bindings
