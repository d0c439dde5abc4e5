// Finding a NumPy function by name and binding a call's arguments to its Python signature.
#include "ops/functions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

const Val *Arguments::find(StringRef name) const {
    auto found = byName.find(name);
    return found == byName.end() ? nullptr : &found->second;
}

static const Function *lookup(llvm::function_ref<bool(const Function &)> wanted) {
    for (ArrayRef<Function> list :
         {creationFunctions(), reduceFunctions(), shapeFunctions(), pythonFunctions(),
          textFunctions(), classFunctions(), numberFunctions(), mathFunctions(), cmathFunctions(),
          viewFunctions(), joinFunctions(), arrangeFunctions(), statFunctions(), productFunctions(),
          attributeFunctions(), indexingFunctions(), kindFunctions()})
        for (const Function &function : list)
            if (wanted(function))
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

// Everything but the builtins to which a Python number and NumPy's are alike, or which tell them
// apart themselves.
static bool takesSidesApart(StringRef name) {
    return !name.consume_front("builtins.") || name == "round" || name == "divmod" ||
           name == "pow" || name == "complex";
}

// What NumPy computes by a ufunc, out= included.
static bool isUfunc(StringRef name) { return name == "clip" || name == "matmul"; }

// The one device of all arrays among the arguments; none where there are none, or several devices.
static std::optional<StringAttr> sharedDevice(const Arguments &arguments) {
    std::optional<StringAttr> device;
    bool several = false;
    std::function<void(const Val &)> look = [&](const Val &v) {
        llvm::for_each(v.items, look);
        if (!v.isArray())
            return;
        several |= device && *device != deviceOf(v.type());
        device = deviceOf(v.type());
    };
    for (const auto &argument : arguments.byName)
        look(argument.second);
    return several ? std::nullopt : device;
}

// Parameters as in "a, axis=, *args": `=` marks what may be absent, `*` collects the other
// positional arguments.
Val shapecast::callFunction(TypedBuilder &e, const Function &function, ArrayRef<Val> positional,
                            ArrayRef<std::pair<StringRef, Val>> keywords) {
    if (takesSidesApart(function.name)) {
        SmallVector<Val> given(positional);
        for (const auto &[name, value] : keywords)
            given.push_back(value);
        std::optional<Val> result = e.eachSide(given, [&](ArrayRef<Val> sides) {
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
        e.fail("TypeError", shortName + "() takes " + Twine(parameters.size()) +
                                " positional arguments but " + Twine(positional.size()) +
                                " were given");
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
    for (StringRef parameter : parameters)
        if (!parameter.ends_with("=") && !parameter.starts_with("*") &&
            !arguments.byName.contains(parameter))
            e.fail("TypeError", shortName + "() missing required argument '" + parameter + "'");
    const Val *out = arguments.find("out");
    if (out && !out->isNone() && isUfunc(shortName)) {
        Val target = *out;
        arguments.byName.erase("out");
        return e.storeOut(shortName, target, function.emit(e, arguments));
    }
    if (out && !out->isNone())
        e.unsupported("out= of " + function.name + " is not compiled yet; write target[...] =");
    llvm::SaveAndRestore device(e.device, sharedDevice(arguments).value_or(e.device));
    return function.emit(e, arguments);
}
