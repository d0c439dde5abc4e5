// Python's binding of a call's arguments to parameters, for np-inline (on SSA values) and np-infer
// (on abstract values); and which captured functions are not inlined.
#pragma once

#include "ir/np.h"

#include "llvm/ADT/SetVector.h"

#include <string>

namespace shapecast {

// The np.closure that defines a captured value, through casts; null: it is no np.closure.
inline np::ClosureOp definingClosure(mlir::Value value) {
    while (auto cast = value.getDefiningOp<np::CastOp>())
        value = cast.getValue();
    return value.getDefiningOp<np::ClosureOp>();
}

template <typename T> struct CallArguments {
    llvm::SmallVector<T> captured, defaults; // of the closure
    llvm::SmallVector<T> positional, named;
    llvm::SmallVector<llvm::StringRef> names; // of `named`
};

template <typename T> struct Binder {
    llvm::function_ref<T(mlir::Attribute)> constant; // a default that is a constant
    llvm::function_ref<T(llvm::ArrayRef<T>)> tuple;
    llvm::function_ref<T(llvm::ArrayRef<llvm::StringRef>, llvm::ArrayRef<T>)> dict;
};

// "missing 2 required positional arguments: 'a' and 'b'"
inline std::string missingText(llvm::ArrayRef<std::string> names, bool keyword) {
    std::string list;
    for (size_t i = 0; i < names.size(); ++i)
        list += (i == 0                  ? ""
                 : names.size() == 2     ? " and "
                 : i + 1 == names.size() ? ", and "
                                         : ", ") +
                names[i];
    return "missing " + std::to_string(names.size()) + " required " +
           (keyword ? "keyword-only" : "positional") + " argument" +
           (names.size() == 1 ? ": " : "s: ") + list;
}

// Those of the positional-only parameters `first` to `end` that are passed by name: "a, b".
template <typename T>
std::string positionalOnly(np::FuncOp callee, const CallArguments<T> &call, size_t first,
                           size_t end) {
    std::string list;
    auto names = callee.getArgNamesAttr();
    for (size_t i = first; i < end; ++i)
        if (auto name = mlir::cast<mlir::StringAttr>(names[i]).getValue();
            llvm::is_contained(call.names, name))
            list += (list.empty() ? "" : ", ") + name.str();
    return list;
}

// One value per parameter of the callee, or the message of Python's TypeError.
template <typename T>
std::optional<std::string> bindCall(np::FuncOp callee, const CallArguments<T> &call,
                                    const Binder<T> &make, llvm::SmallVectorImpl<T> &values) {
    auto names = callee.getArgNamesAttr();
    auto constants = callee.getDefaultsAttr();
    auto nameOf = [&](size_t i) { return mlir::cast<mlir::StringAttr>(names[i]).getValue(); };
    auto qualified = callee.getQualnameAttr();
    const std::string function =
        (qualified ? qualified.getValue() : callee.getSymName()).str() + "() ";
    const bool rest = callee.getVarargs(), others = callee.getVarkw(); // *args, **kwargs
    const size_t first = call.captured.size(), all = callee.getNumArguments();
    const size_t count = all - rest - others,
                 positional = count - size_t(callee.getKwonly().value_or(0));
    if (count == 1 && names && nameOf(0) == "free class" && // a class without __init__
        call.positional.size() + call.names.size() > 1)
        return function + "takes no arguments";
    const size_t boundPositional = std::min(call.positional.size(), positional - first);
    values.assign(call.captured.begin(), call.captured.end());
    llvm::SmallVector<bool> given(all, false);
    values.append(call.positional.begin(), call.positional.begin() + boundPositional);
    values.resize(all);
    std::fill(given.begin(), given.begin() + first + boundPositional, true);
    if (rest)
        values[count] = make.tuple(llvm::ArrayRef(call.positional).drop_front(boundPositional));
    llvm::SmallVector<llvm::StringRef> otherNames;
    llvm::SmallVector<T> otherValues;
    size_t free = 0; // variables from around it; what else is captured is an object of a method
    while (names && free < first && nameOf(free).starts_with("free "))
        ++free;
    const size_t firstNamed = // after positional-only
        names ? std::max(first, free + size_t(callee.getPosonly().value_or(0))) : first;
    for (auto [name, value] : llvm::zip(call.names, call.named)) {
        size_t at = firstNamed;
        while (at < count && (!names || nameOf(at) != name))
            ++at;
        if (at == count && others && llvm::is_contained(otherNames, name))
            return function + "got multiple values for keyword argument '" + name.str() + "'";
        if (at == count && others) {
            otherNames.push_back(name);
            otherValues.push_back(value);
            continue;
        }
        if (at == count) {
            const std::string misnamed = positionalOnly(callee, call, first, firstNamed);
            return function +
                   (misnamed.empty()
                        ? "got an unexpected keyword argument '" + name.str() + "'"
                        : "got some positional-only arguments passed as keyword arguments: '" +
                              misnamed + "'");
        }
        if (given[at])
            return function + "got multiple values for argument '" + name.str() + "'";
        values[at] = value;
        given[at] = true;
    }
    if (others)
        values[all - 1] = make.dict(otherNames, otherValues);
    const size_t constant = count - (constants ? constants.size() : 0);
    const size_t closure = count - call.defaults.size();
    if (!rest && call.positional.size() > boundPositional) {
        const size_t minCount = std::min({positional, constant, closure}) - first,
                     maxCount = boundPositional;
        return function + "takes " +
               (minCount < maxCount ? "from " + std::to_string(minCount) + " to " : std::string()) +
               std::to_string(maxCount) + " positional argument" + (maxCount == 1 ? "" : "s") +
               " but " + std::to_string(call.positional.size()) +
               (call.positional.size() == 1 ? " was given" : " were given");
    }
    llvm::SmallVector<std::string> missing[2]; // positional, keyword-only
    for (size_t i = first; i < count; ++i) {
        if (given[i])
            continue;
        if (i >= closure)
            values[i] = call.defaults[i - closure];
        else if (i >= constant && !mlir::isa<mlir::UnitAttr>(constants[i - constant]))
            values[i] = make.constant(constants[i - constant]);
        else
            missing[i >= positional].push_back("'" + (names ? nameOf(i).str() : "?") + "'");
    }
    for (bool keyword : {false, true})
        if (!missing[keyword].empty())
            return function + missingText(missing[keyword], keyword);
    return std::nullopt;
}

mlir::LogicalResult inlineCalls(mlir::ModuleOp module); // np-inline

// An np.const of a Python constant.
mlir::Value constantValue(mlir::OpBuilder &builder, mlir::Location loc, mlir::Attribute attr);
// The functions reachable in the call graph; itself only if it is recursive.
llvm::SetVector<np::FuncOp> reachableFrom(np::FuncOp func);
// A recursive function is not inlined: np-infer makes a typed function of it per combination of
// argument types.
inline bool isRecursive(np::FuncOp func) { return reachableFrom(func).contains(func); }

} // namespace shapecast
