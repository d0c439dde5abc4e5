// Lists of strings in memory: what str.split() makes, and str.join() takes.
#include "runtime/containers.h"
#include "runtime/symbols.h"
#include "runtime/text.h"

namespace shapecast::runtime {

extern "C" {

// (list, text, separator, separated, maximum): appends the parts of text.split().
int64_t sc_text_split(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Container &list = *reinterpret_cast<Container *>(in.array().data);
    const Text &text = textIn(in), &separator = textIn(in);
    const bool isSeparated = in.number();
    const int64_t most = in.number();
    auto skip = [&](int64_t at, bool spaces) {
        while (at < text.length && isOf(text.at(at), TextTest::Space) == spaces)
            ++at;
        return at;
    };
    auto add = [&](int64_t start, int64_t end) {
        auto *made = static_cast<Text *>(sc_alloc(ctx, sizeof(Text)));
        const bool isMade = made && makePart(ctx, *made, text, start, end - start);
        const int64_t entry = isMade ? newEntry(ctx, list, nullptr) : -1;
        if (entry >= 0)
            *wordsOfEntry(list, entry) = reinterpret_cast<int64_t>(made);
        return entry >= 0;
    };
    int64_t at = isSeparated ? 0 : skip(0, true), count = 0;
    while (isSeparated || at < text.length) {
        int64_t end = text.length, next = end;
        if (count++ == most) { // the rest, as it is
            next = -1;
        } else if (isSeparated) {
            const int64_t found = findIn(text, separator, at, text.length);
            end = found < 0 ? text.length : found;
            next = found < 0 ? -1 : found + separator.length;
        } else {
            end = skip(at, false);
            next = skip(end, true);
        }
        if (!add(at, end))
            return nativeFails;
        if (next < 0)
            break;
        at = next;
    }
    return 0;
}

// (out, separator, list of strings)
int64_t sc_text_join(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Text &out = textIn(in);
    const Text &separator = textIn(in);
    const Container &list = *reinterpret_cast<const Container *>(in.array().data);
    auto part = [&](int64_t k) -> const Text & {
        return *reinterpret_cast<const Text *>(*wordsOfEntry(list, k));
    };
    int64_t length = std::max<int64_t>(list.length - 1, 0) * separator.length,
            width = list.length > 1 ? separator.width : 1;
    for (int64_t k = 0; k < list.length; ++k) {
        length += part(k).length;
        width = std::max(width, part(k).width);
    }
    char *to = startText(ctx, out, length, width);
    const bool isMade = to;
    auto add = [&](const Text &text) {
        copyCharacters(to, width, text, 0, text.length);
        to += text.length * width;
    };
    for (int64_t k = 0; isMade && k < list.length; ++k) {
        if (k > 0)
            add(separator);
        add(part(k));
    }
    return done(isMade);
}
}

SymbolTable textListsSymbols() {
    static const RuntimeSymbol table[] = {symbolOf<&sc_text_split>(), symbolOf<&sc_text_join>()};
    return table;
}

} // namespace shapecast::runtime
