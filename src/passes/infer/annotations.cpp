// np-infer: the annotations of the entry's parameters. Each is checked at the function's entry, and
// its relations of sizes are facts from there on.
//
// The attribute `annotations` has, per parameter, unit or an #np.annotation: a
// dim is a #np.dim over the names that annotations use, unit for any size, or a string: "..." or
// "*name"; an optional argument may be None. Names are not the IR's symbols: each is bound to the
// size at which it is found.
#include "passes/infer/annotations.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

class Annotations {
public:
    explicit Annotations(TypedBuilder &e) : e(e) {}
    void add(StringRef parameter, const Val &argument, AnnotationAttr annotation);
    void finish(); // the expressions whose names later parameters have bound

private:
    struct Size { // of an axis of an argument, and its annotation
        DimAttr size, annotated;
        std::string parameter, text;
        size_t axis;
    };
    std::string head(StringRef parameter, StringRef text) const {
        return ("argument '" + parameter + "' does not fit " + text + ": ").str();
    }
    void checkDType(StringRef parameter, const Val &argument, AnnotationAttr annotation);
    void addGroup(StringRef parameter, StringRef text, StringRef name, ArrayRef<DimAttr> dims);
    bool checkOrBind(const Size &size);
    DimAttr bound(const Size &size, DimAttr expr);
    void requireSame(const Size &size, DimAttr known);

    TypedBuilder &e;
    llvm::StringMap<DimAttr> names;
    llvm::StringMap<std::string> bindings; // where a name was bound: "axis 0 of 'x'"
    llvm::StringMap<Dims> groups;
    std::vector<Size> pending; // with names that are not bound yet
};

} // namespace

void Annotations::checkDType(StringRef parameter, const Val &argument, AnnotationAttr annotation) {
    const StringRef text = annotation.getText().getValue();
    auto dtypes = annotation.getDtypes();
    const bool hasDType = argument.isArray() || (argument.isScalar() && !argument.weakFlag &&
                                                 e.operandOf(argument).weak == PyKind::Strong);
    if (!hasDType)
        e.fail("TypeError", head(parameter, text) + "it is of class " + argument.className());
    const DType dtype = e.operandOf(argument).dtype;
    if (!dtypes.empty() && llvm::none_of(dtypes.getAsRange<StringAttr>(), [&](StringAttr name) {
            return dtypeName(dtype) == name.getValue();
        }))
        e.fail("TypeError", head(parameter, text) + "its dtype is " + dtypeName(dtype));
}

void Annotations::add(StringRef parameter, const Val &argument, AnnotationAttr annotation) {
    if (argument.isNone() && annotation.getOptional())
        return;
    checkDType(parameter, argument, annotation);
    const StringRef text = annotation.getText().getValue();
    auto dims = annotation.getDims();
    const Dims shape = dimsOf(argument);
    auto *group = llvm::find_if(dims, [](Attribute dim) { return isa<StringAttr>(dim); });
    const size_t before = group - dims.begin(), named = dims.size() - (group != dims.end());
    if (shape.size() < named || (shape.size() > named && group == dims.end()))
        e.fail("shapecast.ShapeError", head(parameter, text) + "it has " + Twine(shape.size()) +
                                           (shape.size() == 1 ? " dimension" : " dimensions"));
    const size_t more = shape.size() - named;
    if (group != dims.end())
        addGroup(parameter, text, cast<StringAttr>(*group).getValue(),
                 ArrayRef(shape).slice(before, more));
    for (auto [k, dim] : llvm::enumerate(dims)) {
        const size_t axis = k < before ? k : k + more - (group != dims.end());
        if (auto annotated = dyn_cast<DimAttr>(dim))
            pending.push_back({shape[axis], annotated, parameter.str(), text.str(), axis});
    }
    llvm::erase_if(pending, [&](const Size &size) { return checkOrBind(size); });
}

void Annotations::addGroup(StringRef parameter, StringRef text, StringRef name,
                           ArrayRef<DimAttr> dims) {
    auto [known, isNew] = groups.try_emplace(name, dims);
    if (isNew || name == "...")
        return;
    SmallVector<DimAttr> payload;
    const std::string message = head(parameter, text) + name.str() + " is " +
                                shapeText(dims, payload) + " here, and " +
                                shapeText(known->second, payload) + " before";
    if (known->second.size() != dims.size())
        return e.require("false", {}, "shapecast.ShapeError", message, payload);
    for (auto [a, b] : llvm::zip_equal(dims, known->second))
        e.requireEqual(a, b, "shapecast.ShapeError", message, payload);
}

void Annotations::requireSame(const Size &size, DimAttr known) {
    std::string message =
        head(size.parameter, size.text) + "axis " + std::to_string(size.axis) + " has size {0}";
    if (size.annotated.isSymbol())
        message += ", and " + dimText(size.annotated) + " is {1} (" +
                   bindings[size.annotated.getName()] + ")";
    else if (!size.annotated.isConst())
        message += ", and " + dimText(size.annotated) + " is {1}";
    llvm::StringSet<llvm::MallocAllocator> mentioned;
    dimSymbols(size.annotated, [&](StringRef name) {
        auto binding = bindings.find(name);
        if (!size.annotated.isSymbol() && binding != bindings.end() &&
            mentioned.insert(name).second)
            message += ", with " + name.str() + " from " + binding->second;
    });
    e.requireEqual(size.size, known, "shapecast.ShapeError", message, {size.size, known});
}

// The expression over the names' sizes; no divisor in it may be 0.
DimAttr Annotations::bound(const Size &size, DimAttr expr) {
    auto value = [&](DimAttr e) {
        return dimSubstitute(e, [&](StringRef name) { return names.lookup(name); });
    };
    auto check = [&](auto &self, DimAttr part) -> void {
        for (DimAttr operand : part.getOperands())
            self(self, operand);
        if (part.getKind() == DimKind::FloorDiv || part.getKind() == DimKind::Mod)
            e.requireNotEqual(value(part.getOperands()[1]), e.dimConst(0), "shapecast.ShapeError",
                              head(size.parameter, size.text) + "in " + dimText(expr) +
                                  " it divides by 0");
    };
    check(check, expr);
    return e.facts.canonical(value(expr));
}

// Checks the size if all of its names are bound; binds the one that is not, by solving for it.
// False: several are not bound.
bool Annotations::checkOrBind(const Size &size) {
    std::string unknown;
    unsigned count = 0;
    dimSymbols(size.annotated, [&](StringRef name) {
        if (!names.contains(name) && unknown != name) {
            unknown = name;
            ++count;
        }
    });
    if (count == 0) {
        requireSame(size, bound(size, size.annotated));
        return true;
    }
    std::optional<DimLinear> linear = dimLinearIn(size.annotated, unknown);
    if (count > 1 || !linear || linear->coefficient == 0)
        return false;
    const DimAttr factor = e.dimConst(linear->coefficient);
    const DimAttr rest = dimSub(size.size, bound(size, linear->rest));
    const DimAttr value = e.facts.canonical(dimFloorDiv(rest, factor));
    names[unknown] = value;
    bindings[unknown] = "axis " + std::to_string(size.axis) + " of '" + size.parameter + "'";
    if (linear->coefficient != 1)
        requireSame(size, bound(size, size.annotated));
    if (!linear->rest.isConst(0) || linear->coefficient < 0)
        e.requireGreaterEqual(value, e.dimConst(0), "shapecast.ShapeError",
                              head(size.parameter, size.text) + "with axis " + Twine(size.axis) +
                                  " of size {0}, " + unknown + " would be {1}",
                              {size.size, value});
    return true;
}

void Annotations::finish() {
    for (size_t before = pending.size() + 1; pending.size() < before;) {
        before = pending.size();
        llvm::erase_if(pending, [&](const Size &size) { return checkOrBind(size); });
    }
    if (pending.empty())
        return;
    e.unsupported(head(pending[0].parameter, pending[0].text) + "the sizes in " +
                  dimText(pending[0].annotated) +
                  " cannot be solved for; let each name be a dimension of its own somewhere");
}

void shapecast::checkAnnotations(Inference &in) {
    TypedBuilder &e = in.e;
    auto annotations = in.source.getAnnotationsAttr();
    if (!annotations)
        return;
    if (auto misfits = in.source.getAnnotationErrorsAttr()) {
        auto first = cast<ArrayAttr>(misfits[0]);
        e.loc = cast<LocationAttr>(first[1]);
        e.fail("TypeError", cast<StringAttr>(first[0]).getValue());
    }
    Annotations checked(e);
    for (auto [argument, annotation] : llvm::zip(in.source.getArguments(), annotations))
        if (auto parts = dyn_cast<AnnotationAttr>(annotation)) {
            e.loc = argument.getLoc();
            checked.add(parts.getName().getValue(), in.env[argument], parts);
        }
    checked.finish();
}
