// Looks up NumPy functions by name and binds a call's arguments to their Python signatures.
#include "ops/builder/checks.h"
#include "ops/builder/function.h"
#include "ops/builder/maybe_weak.h"
#include "ops/store_out.h"
#include "ops/tables.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

const Val *Arguments::find(StringRef name) const {
    auto found = byName.find(name);
    return found == byName.end() ? nullptr : &found->second;
}

static const Function *lookup(llvm::function_ref<bool(const Function &)> matches) {
    for (ArrayRef<Function> list :
         {creationFunctions(), rangeFunctions(), reduceFunctions(), shapeFunctions(),
          pythonFunctions(), textFunctions(), classFunctions(), numberFunctions(), mathFunctions(),
          cmathFunctions(), viewFunctions(), joinFunctions(), arrangeFunctions(), statFunctions(),
          productFunctions(), attributeFunctions(), memoryFunctions(), indexingFunctions(),
          kindFunctions()})
        for (const Function &function : list)
            if (matches(function))
                return &function;
    return nullptr;
}

const Function *shapecast::findFunction(StringRef name) {
    return lookup([&](const Function &f) { return f.name == name; });
}

const Function *shapecast::findMethod(StringRef name) {
    return lookup([&](const Function &f) {
        return f.method &&
               (f.name == ("numpy." + name).str() || f.name == ("ndarray." + name).str());
    });
}

// Whether a maybeWeak argument must be split: in all functions but the builtins that treat Python's
// and NumPy's scalars alike, or that handle maybeWeak themselves.
static bool splitsMaybeWeak(StringRef name) {
    return !name.consume_front("builtins.") || name == "round" || name == "divmod" ||
           name == "pow" || name == "complex";
}

// The device of the arrays among the arguments, if one is on a device; none without arrays.
static std::optional<StringAttr> sharedDevice(const Arguments &arguments) {
    std::optional<StringAttr> device;
    std::function<void(const Val &)> visit = [&](const Val &v) {
        llvm::for_each(v.items, visit);
        if (v.isArray())
            device = device && *device ? *device : deviceOf(v.type());
    };
    for (const auto &argument : arguments.byName)
        visit(argument.second);
    return device;
}

// A TypeError for missing arguments, worded as CPython does for functions in Python or in C.
static void checkComplete(TypedBuilder &e, const Function &function, ArrayRef<StringRef> parameters,
                          const Arguments &arguments, size_t positional,
                          ArrayRef<std::pair<StringRef, Val>> keywords) {
    SmallVector<StringRef> missing;
    for (StringRef parameter : parameters)
        if (!parameter.ends_with("=") && !parameter.starts_with("*") &&
            !arguments.byName.contains(parameter))
            missing.push_back(parameter);
    if (missing.empty())
        return;
    checkArity(e, function.name, positional, keywords);
    const auto [space, name] = function.name.rsplit('.');
    const bool inC =
        space != "numpy" || llvm::is_contained({"zeros", "empty", "array", "asarray", "asanyarray",
                                                "ascontiguousarray", "asfortranarray"},
                                               name);
    if (inC)
        e.fail("TypeError", name + "() missing required argument '" + missing[0] + "'");
    std::string list;
    for (auto [i, parameter] : llvm::enumerate(missing))
        list += (i == 0                   ? ""
                 : i + 1 < missing.size() ? ", "
                 : missing.size() > 2     ? ", and "
                                          : " and ") +
                ("'" + parameter + "'").str();
    e.fail("TypeError", name + "() missing " + Twine(missing.size()) +
                            " required positional argument" + (missing.size() > 1 ? "s" : "") +
                            ": " + list);
}

// Parameters as in "a, axis=, *args, *, where=": `=` marks an optional one, `*args` collects the
// remaining positional arguments, `*` alone begins the keyword-only ones.
Val shapecast::callFunction(TypedBuilder &e, const Function &function, ArrayRef<Val> positional,
                            ArrayRef<std::pair<StringRef, Val>> keywords) {
    if (splitsMaybeWeak(function.name)) {
        SmallVector<Val> given(positional);
        for (const auto &[name, value] : keywords)
            given.push_back(value);
        std::optional<Val> result = unionSplitFirst(e, given, [&](ArrayRef<Val> sides) {
            SmallVector<std::pair<StringRef, Val>> named(keywords);
            for (auto [pair, side] : llvm::zip(named, sides.drop_front(positional.size())))
                pair.second = side;
            return callFunction(e, function, sides.take_front(positional.size()), named);
        });
        if (result)
            return *result;
    }
    SmallVector<StringRef> parameters;
    StringRef(function.parameters).split(parameters, ", ", -1, /*KeepEmpty=*/false);
    StringRef shortName = function.name.rsplit('.').second;
    Arguments arguments;
    size_t next = 0;
    for (StringRef parameter : parameters) {
        if (parameter == "*") // keyword-only from here on
            break;
        if (parameter.starts_with("*")) {
            std::vector<Val> rest(positional.begin() + std::min(next, positional.size()),
                                  positional.end());
            next = positional.size();
            arguments.byName[parameter.drop_front()] = e.tupleVal(std::move(rest));
        } else if (next < positional.size()) {
            arguments.byName[parameter.rtrim('=')] = positional[next++];
        }
    }
    if (next < positional.size())
        checkArity(e, function.name, positional.size(), keywords);
    if (next < positional.size())
        e.fail("TypeError", shortName + "() takes " + Twine(next) + " positional arguments but " +
                                Twine(positional.size()) + " were given");
    for (const auto &[name, value] : keywords) {
        bool known = llvm::any_of(
            parameters, [&](StringRef p) { return p.rtrim('=') == name && !p.starts_with("*"); });
        if (!known)
            e.unsupported("the keyword '" + name + "' of " + function.name +
                          " is not compiled yet");
        if (arguments.byName.contains(name))
            e.fail("TypeError", shortName + "() got multiple values for argument '" + name + "'");
        arguments.byName[name] = value;
    }
    checkComplete(e, function, parameters, arguments, positional.size(), keywords);
    const Val *out = arguments.find("out");
    const Val given = out ? *out : Val();
    if (out && (given.isNone() || (given.isTuple() && !given.list && given.items.empty())))
        arguments.byName.erase("out");
    else if (out)
        return callWithOut(e, function, std::move(arguments));
    llvm::SaveAndRestore device(e.device, sharedDevice(arguments).value_or(e.device));
    return function.emit(e, arguments);
}
