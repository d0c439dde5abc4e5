// jit(bigint=True): a call in which a Python integer leaves 64 bits starts again in Python, whose
// integers have any size.
//
// That needs that nothing of what compiled code did is to be seen: elements that it stored to
// arrays are put back; lists, dicts, objects and globals are stored at the end of a call only, and
// what it prints appears then, or before Python runs a function. What it drew from a random
// generator, and told functions that Python runs, cannot be undone.
#pragma once

#include "bindings/call/errors.h"

#include <utility>

namespace shapecast::bindings {

struct Call;

class Restart {
public:
    explicit Restart(const Call &call); // copies its arrays
    ~Restart();
    Restart(const Restart &) = delete;
    Restart &operator=(const Restart &) = delete;

    // After compiled code has failed: whether that was such an integer, and all is undone.
    bool undo(const std::vector<ErrorSite> &sites, const runtime::ErrorRecord &record, bool drawn);
    // Calls print as often as held; an exception that is set stays. False: print raised.
    bool print();

private:
    friend bool printHeld(Ref arguments, Ref options);
    const bool outer;                        // `effects` of the call around this one
    Restart *const around;                   // the bigint call around this one
    std::vector<std::pair<Ref, Ref>> prints; // arguments and keywords
    std::vector<std::pair<Ref, Ref>> arrays; // and their copies
};

// Whether no handler in the running call is to catch what is raised there, since that starts again.
bool startsAgain(const ErrorSite &site);
// Adds to the exception that is set, where it is of such an integer, what the user can do.
void noteOverflow(const ErrorSite &site, bool bigint);
// print(*arguments, **options), at the end of the running call where that may start again.
bool printHeld(Ref arguments, Ref options);
// The running call of this thread calls Python. False: an exception is set, what was held could not
// be printed.
bool noteEffect();
// Whether the exception that is set is of an integer beyond 64 bits: as an argument, in the code,
// or one after which undo() succeeded.
bool isBeyond64Bits();

} // namespace shapecast::bindings
