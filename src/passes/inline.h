// How Python binds a call's arguments to parameters, for np-inline (on values) and np-infer (on
// what it knows of values).
#pragma once

#include "ir/np.h"

#include <string>

namespace shapecast {

template <typename T> struct CallArguments {
    llvm::SmallVector<T> captured, defaults; // of the closure
    llvm::SmallVector<T> positional, named;
    llvm::SmallVector<llvm::StringRef> names; // of `named`
};

template <typename T> struct Binder {
    llvm::function_ref<T(mlir::Attribute)> constant; // a default that is a constant
    llvm::function_ref<T(llvm::ArrayRef<T>)> tuple;
};

// One value per parameter of the callee, or the message of Python's TypeError.
template <typename T>
std::optional<std::string> bindCall(np::FuncOp callee, const CallArguments<T> &call,
                                    const Binder<T> &make, llvm::SmallVectorImpl<T> &values) {
    auto names = callee->getAttrOfType<mlir::ArrayAttr>("arg_names");
    auto constants = callee->getAttrOfType<mlir::ArrayAttr>("defaults");
    auto number = [&](const char *name) {
        auto attr = callee->getAttrOfType<mlir::IntegerAttr>(name);
        return attr ? size_t(attr.getInt()) : 0;
    };
    auto nameOf = [&](size_t i) { return mlir::cast<mlir::StringAttr>(names[i]).getValue(); };
    const std::string function = callee.getSymName().str() + "() ";
    const bool rest = callee->hasAttr("rest");
    const size_t first = call.captured.size(), all = callee.getNumArguments();
    const size_t count = all - rest, positional = count - number("kwonly");
    const size_t placed = std::min(call.positional.size(), positional - first);
    values.assign(call.captured.begin(), call.captured.end());
    llvm::SmallVector<bool> given(all, false);
    values.append(call.positional.begin(), call.positional.begin() + placed);
    values.resize(all);
    std::fill(given.begin(), given.begin() + first + placed, true);
    if (rest)
        values[count] = make.tuple(llvm::ArrayRef(call.positional).drop_front(placed));
    else if (call.positional.size() > placed)
        return function + "takes " + std::to_string(positional - first) +
               " positional arguments but " + std::to_string(call.positional.size()) +
               " were given";
    for (auto [name, value] : llvm::zip(call.names, call.named)) {
        size_t at = first;
        while (at < count && (!names || nameOf(at) != name))
            ++at;
        if (at == count)
            return function + "got an unexpected keyword argument '" + name.str() + "'";
        if (given[at])
            return function + "got multiple values for argument '" + name.str() + "'";
        values[at] = value;
        given[at] = true;
    }
    const size_t constant = count - (constants ? constants.size() : 0);
    const size_t closure = count - call.defaults.size();
    for (size_t i = first; i < count; ++i) {
        if (given[i])
            continue;
        if (i >= closure)
            values[i] = call.defaults[i - closure];
        else if (i >= constant && !mlir::isa<mlir::UnitAttr>(constants[i - constant]))
            values[i] = make.constant(constants[i - constant]);
        else
            return function + "missing 1 required " +
                   (i < positional ? "positional" : "keyword-only") + " argument: '" +
                   (names ? nameOf(i).str() : "?") + "'";
    }
    return std::nullopt;
}

} // namespace shapecast
