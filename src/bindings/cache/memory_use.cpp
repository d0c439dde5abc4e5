// Which arguments compiled code has in memory (bindings/call/forms.h), and what that changes.
#include "bindings/cache/variants.h"
#include "bindings/call/static_values.h"

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

} // namespace shapecast::bindings
