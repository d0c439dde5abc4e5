// The functions that compiled code may call: their names, addresses and C++ types.
//
// Each file of the run time has a table of its functions; runtimeSymbols() is all of them. It is
// what the JIT links by, and where lowering finds the types (lower/kit/runtime_function.h), so
// a function is written down once: `symbolOf<&sc_alloc>()` takes name and type from its
// declaration.
#pragma once

#include "runtime/abi.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <type_traits>

namespace shapecast::runtime {

// How a value is passed. Signed and unsigned integers alike.
enum class Passed : uint8_t { I8, I16, I32, I64, F32, F64, Pointer };

struct FunctionType {
    std::span<const Passed> parameters, results; // two results: a struct in two registers
};

struct RuntimeSymbol {
    const char *name;
    void *address;
    const FunctionType *type; // null: only LLVM's code generation calls it
};

//===-- From C++ declarations

template <class T> consteval Passed passedAs() {
    static_assert(std::is_arithmetic_v<T> || std::is_pointer_v<T>,
                  "numbers and pointers are passed to compiled code and from it");
    if constexpr (std::is_pointer_v<T>)
        return Passed::Pointer;
    else if constexpr (std::is_floating_point_v<T>)
        return sizeof(T) == 8 ? Passed::F64 : Passed::F32;
    else
        return sizeof(T) == 8   ? Passed::I64
               : sizeof(T) == 4 ? Passed::I32
               : sizeof(T) == 2 ? Passed::I16
                                : Passed::I8;
}

// Two float64s, which the C ABI returns in registers: compiled code has a function of two results.
struct TwoFloats {
    double re, im;
};

template <class Result> inline constexpr std::array resultsOf{passedAs<Result>()};
template <> inline constexpr std::array<Passed, 0> resultsOf<void>{};
template <> inline constexpr std::array resultsOf<TwoFloats>{Passed::F64, Passed::F64};

template <class Function> struct TypeOf;
template <class Result, class... Parameters> struct TypeOf<Result(Parameters...)> {
    static constexpr std::array<Passed, sizeof...(Parameters)> parameters{
        passedAs<Parameters>()...};
    static constexpr FunctionType type{parameters, resultsOf<Result>};
};

// The function's own name, ended by a 0. Clang says "... [function =
// &shapecast::runtime::sc_alloc]".
template <auto *function> struct NameOf {
    static consteval std::string_view spelled() {
        std::string_view text = __PRETTY_FUNCTION__;
        text.remove_suffix(1);
        return text.substr(text.find_last_of(":& ") + 1);
    }
    static consteval auto copied() {
        std::array<char, spelled().size() + 1> text{};
        std::ranges::copy(spelled(), text.begin());
        return text;
    }
    static constexpr auto text = copied();
};

// A function under another name than its own: an instance of a template, one of several overloads.
template <class Function> RuntimeSymbol symbolOf(const char *name, Function *function) {
    return {name, reinterpret_cast<void *>(function), &TypeOf<Function>::type};
}

template <auto *function> RuntimeSymbol symbolOf() {
    return symbolOf(NameOf<function>::text.data(), function);
}

template <auto *function>
inline constexpr size_t parameterCount =
    TypeOf<std::remove_pointer_t<decltype(function)>>::type.parameters.size();

//===-- The tables

using SymbolTable = std::span<const RuntimeSymbol>;

SymbolTable runtimeSymbols();
const RuntimeSymbol *findRuntimeSymbol(std::string_view name); // null: there is none

// Each is defined in the file of the run time that it is named after.
#define SC_RUNTIME_TABLES(use)                                                                     \
    use(advancedIndexing) use(blas) use(callbacks) use(centreRows) use(containers) use(copyFill)   \
        use(correlate) use(coverage) use(deviceCalls) use(deviceKernels) use(histogram)            \
            use(lapack) use(lapackValues) use(maskedSum) use(math) use(memory) use(poll)           \
                use(prangeCheck) use(profile) use(random) use(recheck) use(reshape) use(scans)     \
                    use(search) use(select) use(sort) use(text) use(textFormats) use(textLists)    \
                        use(textNumbers) use(threads) use(transpose) use(ufuncLoops) use(views)

#define SC_TABLE(file) SymbolTable file##Symbols();
SC_RUNTIME_TABLES(SC_TABLE)
#undef SC_TABLE

} // namespace shapecast::runtime
