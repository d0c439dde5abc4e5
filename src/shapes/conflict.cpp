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
        trial.noteAge(symbol);
        trial.addSize(symbol.getName());
    }
    for (const SizeFact &fact : facts)
        fact.addTo(trial);
    return trial.contradictory();
}

std::vector<SizeFact> leastConflict(ArrayRef<DimAttr> symbols, const std::vector<SizeFact> &learned,
                                    const SizeFact &fact) {
    std::vector<SizeFact> kept = learned;
    kept.push_back(fact);
    if (!contradict(symbols, kept))
        return {}; // seen with the help of a proof
    // In chunks first, each half as large as the one before: few facts are needed. The newest are
    // left out first, so that the oldest that suffice are named.
    for (size_t chunk = learned.size(); chunk > 0; chunk /= 2)
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
