// Merges the tables of run-time functions, with the compiler support functions that generated code
// may need.
#include "runtime/symbols.h"
#include "runtime/processor.h"

#include <cstring>
#include <unordered_map>
#include <vector>

// libgcc's helpers: code generation calls them for 128-bit integers and float16 (x86-64 has no
// float64 -> float16; 64-bit ARM has all of its conversions, and no helpers).
extern "C" {
#if SC_IS_X86
void __truncdfhf2();
void __truncsfhf2();
void __extendhfsf2();
#endif
void __divti3();
void __modti3();
void __udivti3();
void __umodti3();
void __floattidf();
void __fixdfti();
}

namespace shapecast::runtime {

static const RuntimeSymbol support[] = {
    {"memcpy", reinterpret_cast<void *>(&std::memcpy), nullptr},
    {"memset", reinterpret_cast<void *>(&std::memset), nullptr},
#if SC_IS_X86
    {"__truncdfhf2", reinterpret_cast<void *>(&__truncdfhf2), nullptr},
    {"__truncsfhf2", reinterpret_cast<void *>(&__truncsfhf2), nullptr},
    {"__extendhfsf2", reinterpret_cast<void *>(&__extendhfsf2), nullptr},
#endif
    {"__divti3", reinterpret_cast<void *>(&__divti3), nullptr},
    {"__modti3", reinterpret_cast<void *>(&__modti3), nullptr},
    {"__udivti3", reinterpret_cast<void *>(&__udivti3), nullptr},
    {"__umodti3", reinterpret_cast<void *>(&__umodti3), nullptr},
    {"__floattidf", reinterpret_cast<void *>(&__floattidf), nullptr},
    {"__fixdfti", reinterpret_cast<void *>(&__fixdfti), nullptr},
};

SymbolTable runtimeSymbols() {
    static const std::vector<RuntimeSymbol> all = [] {
        std::vector<RuntimeSymbol> merged(std::begin(support), std::end(support));
        auto add = [&](SymbolTable table) {
            merged.insert(merged.end(), table.begin(), table.end());
        };
#define SC_ADD(file) add(file##Symbols());
        SC_RUNTIME_TABLES(SC_ADD)
#undef SC_ADD
        return merged;
    }();
    return all;
}

const RuntimeSymbol *findRuntimeSymbol(std::string_view name) {
    static const std::unordered_map<std::string_view, const RuntimeSymbol *> byName = [] {
        std::unordered_map<std::string_view, const RuntimeSymbol *> map;
        for (const RuntimeSymbol &symbol : runtimeSymbols())
            map.emplace(symbol.name, &symbol);
        return map;
    }();
    const auto found = byName.find(name);
    return found == byName.end() ? nullptr : found->second;
}

} // namespace shapecast::runtime
