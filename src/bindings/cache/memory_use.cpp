// Which arguments compiled code has in memory (bindings/call/forms.h), and what that changes; which
// globals become arguments.
#include "bindings/cache/variants.h"
#include "bindings/call/errors.h"
#include "bindings/call/forms.h"
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
                                         captured->containers.empty() && !direct.hasContainers &&
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

// Whether compiled code has the global list, dict or set once: in memory. False: an exception is
// set.
bool JittedFunction::isAlone(PyObject *global, const capture::HiddenUse &use,
                             const Call &call) const {
    const bool isArgument = llvm::is_contained(llvm::ArrayRef(call.containers, containers), global);
    const bool isReached =
        llvm::any_of(llvm::ArrayRef(call.hidden).take_front(captured->objects.size()),
                     [&](const Ref &reached) { return reached.get() == global; });
    if (isArgument || isReached)
        raiseUnsupported(std::string(isArgument ? "an argument" : "an attribute of an argument") +
                         " of " + parameters.function + "() is, or holds, the global " + use.name +
                         ", which the function uses by that name, too, which is not supported; "
                         "use one of the two");
    return !isArgument && !isReached;
}

// As arguments in memory these lists and dicts may be supported.
void JittedFunction::wishGlobals(llvm::ArrayRef<int32_t> requests) {
    const std::shared_ptr<capture::Captured> current = captured;
    for (auto [k, use] : llvm::enumerate(current->containers)) {
        const Ref now = present(use.holder, use.name);
        FormPlaces alone;
        if (llvm::is_contained(requests, np::requestOfGlobal(int32_t(k))) && now &&
            formNumberOf(now.get(), 0, alone) >= 0)
            wishedGlobals.push_back({use.holder, use.name, {}});
    }
}

bool JittedFunction::readGlobals(const JittedFunction &ofStructure) {
    constexpr size_t most = 16;
    const size_t before = changingGlobals.size();
    if (readsGlobals && before - globalsBefore > most)
        return false;
    for (const capture::GlobalUse &use : ofStructure.wishedGlobals) {
        if (llvm::any_of(changingGlobals, [&](const capture::GlobalUse &known) {
                return known.holder.is(use.holder) && known.name == use.name;
            }))
            continue;
        changingGlobals.push_back(use);
        note((use.name.empty() ? "a closure variable" : use.name) +
             " is changed, or looked up: each call reads it and writes it back");
    }
    if (changingGlobals.size() == before)
        return false;
    if (!std::exchange(readsGlobals, true))
        globalsBefore = before;
    clear();
    useMemory(MemoryUse::None);
    return true;
}

bool JittedFunction::putFrozenInMemory(const JittedFunction &ofStructure) {
    const bool isTurn = (seesFrozen || ofStructure.seesFrozen) && !std::exchange(triedFrozen, true);
    if (frozenInMemory != isTurn) {
        frozenInMemory = isTurn;
        clear();
        note(isTurn ? "instances of frozen dataclasses are in memory"
                    : "instances of frozen dataclasses are values");
    }
    if (isTurn)
        useMemory(MemoryUse::None);
    return isTurn;
}

void JittedFunction::forgetGlobals() {
    if (!std::exchange(readsGlobals, false))
        return;
    changingGlobals.resize(globalsBefore);
    clear();
}

} // namespace shapecast::bindings
