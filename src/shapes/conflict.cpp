#include "shapes/conflict.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace shapecast::np;

namespace shapecast {

std::string SizeFact::text() const {
    const char *relation = kind == Equal ? " == " : kind == GreaterEqual ? " >= " : " != ";
    return dimText(a) + relation + dimText(b);
}

std::string SizeFact::note() const {
    return text() + (origin.empty() ? "" : " because of " + origin);
}

void SizeFact::addTo(DimFacts &facts) const {
    switch (kind) {
    case Equal:
        return facts.addEqual(a, b);
    case GreaterEqual:
        return facts.addGreaterEqual(a, b);
    case NotEqual:
        return facts.addNotEqual(a, b);
    }
}

static bool contradict(ArrayRef<DimAttr> symbols, const std::vector<SizeFact> &facts) {
    DimFacts trial(facts.front().a.getContext());
    for (DimAttr symbol : symbols) {
        trial.registerSymbols(symbol);
        trial.addSize(symbol.getName());
    }
    for (const SizeFact &fact : facts)
        fact.addTo(trial);
    return trial.contradictory();
}

std::vector<SizeFact> unsatCore(ArrayRef<DimAttr> symbols, const std::vector<SizeFact> &assertions,
                                const SizeFact &fact) {
    std::vector<SizeFact> kept = assertions;
    kept.push_back(fact);
    if (!contradict(symbols, kept))
        return {}; // it took a proof to see it
    // Delta debugging: few facts are needed, so they are deleted in chunks of halving size. The
    // newest are deleted first, so that the oldest that suffice are reported.
    for (size_t chunk = assertions.size(); chunk > 0; chunk /= 2)
        for (size_t end = kept.size() - 1; end > 0;) {
            const size_t begin = end > chunk ? end - chunk : 0;
            std::vector<SizeFact> fewer = kept;
            fewer.erase(fewer.begin() + begin, fewer.begin() + end);
            if (contradict(symbols, fewer))
                kept = std::move(fewer);
            end = begin;
        }
    kept.pop_back(); // the fact itself
    return kept;
}

} // namespace shapecast
