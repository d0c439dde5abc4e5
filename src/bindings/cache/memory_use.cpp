// Which arguments compiled code has in memory (bindings/call/forms.h), and what that changes; which
// globals become arguments.
#include "bindings/cache/variants.h"
#include "bindings/call/errors.h"
#include "bindings/call/static_values.h"
#include "ir/in_memory.h"

namespace shapecast::bindings {

void JittedFunction::useMemory(MemoryUse use) {
    parameters.inMemory = use;
    constexpr Py_ssize_t longest = 1000; // of more the compilation would take seconds
    if (use == MemoryUse::None)
        parameters.longestConstant = longest;
    wasRefused = failed = false;
    ++generation;
    entries.clear();
    recent = nullptr;
    nested.clear(); // calls keep their own
    invalidateInlineCache();
    note(use == MemoryUse::None
             ? "arguments are known item by item"
             : "lists, dicts, sets, strings and objects of the caller's are in memory");
}

// Not before it is known whether code with arguments in memory supports all.
bool JittedFunction::defersRefusals(const Call &call) const {
    auto mayBeInMemory = [](uint64_t packed) {
        const KeyWord word = KeyWord::unpack(packed);
        return word.kind == KeyWord::InMemory ||
               (word.kind == KeyWord::Static && PyUnicode_Check(staticObject(word.value)));
    };
    const auto visible = llvm::ArrayRef(call.key).take_front(parameters.visible);
    return !fallback && (knowsMemory || (containers == 0 && objectParameters.empty() &&
                                         llvm::none_of(visible, mayBeInMemory)));
}

bool JittedFunction::containersDoNotAlias(const Call &call) const {
    for (size_t k = 0; captured && k < containers; ++k) {
        PyObject *container = call.containers[k];
        std::string other;
        for (auto [i, reached] : llvm::enumerate(captured->objects))
            if (i < call.hidden.size() && call.hidden[i].get() == container)
                other = reached.label;
        for (const capture::GlobalUse &use : captured->globals)
            if (use.name.empty() && use.holder.ptr() == container)
                other = "a list or dict from outside the function";
        if (other.empty())
            continue;
        raiseUnsupported("an argument of " + parameters.function + "() is, or holds, " + other +
                         ", which is not supported where the function changes such objects; use "
                         "one of the two");
        return false;
    }
    return true;
}

// These lists and dicts are hidden arguments from now on.
bool JittedFunction::readGlobals(llvm::ArrayRef<int32_t> requests) {
    const std::shared_ptr<capture::Captured> current = captured;
    for (auto [k, use] : llvm::enumerate(current->containers))
        if (llvm::is_contained(requests, np::requestOfGlobal(int32_t(k)))) {
            changingGlobals.push_back({use.holder, use.name, {}});
            note((use.name.empty() ? "a closure variable" : use.name) +
                 " is changed: each call reads it and writes it back");
        }
    clear();
    return true;
}

} // namespace shapecast::bindings
