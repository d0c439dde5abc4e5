// Strings in memory: see the header.
#include "runtime/text.h"
#include "runtime/symbols.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

namespace shapecast::runtime {

static TextCallbacks callbacks{};

void setTextCallbacks(const TextCallbacks &given) { callbacks = given; }

//===-- Memory

static void endText(void *data) {
    TextBlock *block = static_cast<Text *>(data)->block;
    if (--block->owners == 0)
        std::free(block);
}

static TextBlock *newBlock(Context *ctx, int64_t bytes, int64_t capacity) {
    auto *block = static_cast<TextBlock *>(std::malloc(sizeof(TextBlock) + size_t(capacity)));
    if (block)
        *block = {1, bytes, capacity};
    else
        ctx->error.site = -2;
    return block;
}

static void hold(Text &out, TextBlock *block) {
    out.block = block;
    out.data = block->bytes();
    callBeforeFree(&out, endText);
}

// A string of that length, whose characters are to be written; null: no memory.
char *startText(Context *ctx, Text &out, int64_t length, int64_t width, int64_t capacity) {
    out.length = length;
    out.hash = 0;
    out.width = length ? width : 1; // strings that are equal have one width
    out.block = nullptr;
    const int64_t bytes = length * width;
    if (bytes <= Text::inlineBytes) {
        out.data = out.own;
        return out.own;
    }
    TextBlock *block = newBlock(ctx, bytes, std::max(bytes, capacity));
    if (!block)
        return nullptr;
    hold(out, block);
    return block->bytes();
}

bool makeText(Context *ctx, Text &out, std::string_view latin1) {
    char *to = startText(ctx, out, static_cast<int64_t>(latin1.size()), 1);
    if (to)
        std::memcpy(to, latin1.data(), latin1.size());
    return to;
}

bool makeWideText(Context *ctx, Text &out, const uint32_t *characters, int64_t length) {
    const bool isNarrow =
        std::all_of(characters, characters + length, [](uint32_t c) { return c < 256; });
    char *to = startText(ctx, out, length, isNarrow ? 1 : 4);
    if (!to)
        return false;
    for (int64_t i = 0; isNarrow && i < length; ++i)
        to[i] = static_cast<char>(characters[i]);
    if (!isNarrow)
        std::memcpy(to, characters, static_cast<size_t>(length) * 4);
    return true;
}

void copyCharacters(char *to, int64_t width, const Text &from, int64_t start, int64_t length) {
    if (width == from.width) {
        std::memcpy(to, from.data + start * width, static_cast<size_t>(length * width));
        return;
    }
    auto *wide = reinterpret_cast<uint32_t *>(to);
    for (int64_t i = 0; i < length; ++i)
        wide[i] = from.at(start + i);
}

bool makePart(Context *ctx, Text &out, const Text &text, int64_t start, int64_t length) {
    if (text.width == 1)
        return makeText(ctx, out, {text.data + start, static_cast<size_t>(length)});
    return makeWideText(ctx, out, reinterpret_cast<const uint32_t *>(text.data) + start, length);
}

//===-- Comparisons

bool Text::isEqual(const Text &other) const {
    return length == other.length && width == other.width && bytesOf(*this) == bytesOf(other);
}

// CPython's strings have characters of two bytes, too.
static int64_t hashAsPython(const Text &text) {
    const auto *wide = reinterpret_cast<const uint32_t *>(text.data);
    if (text.width == 1 || std::any_of(wide, wide + text.length, [](auto c) { return c > 0xFFFF; }))
        return callbacks.hash(text.data, text.length * text.width);
    const std::u16string narrow(wide, wide + text.length);
    return callbacks.hash(narrow.data(), text.length * 2);
}

// Without Python: FNV-1a by words, mixed.
static int64_t hashOfBytes(std::string_view bytes) {
    uint64_t mixed = 0xcbf29ce484222325u ^ bytes.size();
    size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        uint64_t word;
        std::memcpy(&word, bytes.data() + at, 8);
        mixed = std::rotl((mixed ^ word) * 0x9E3779B97F4A7C15u, 29);
    }
    uint64_t rest = 0;
    std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
    mixed = (mixed ^ rest) * 0x9E3779B97F4A7C15u;
    return static_cast<int64_t>(mixed ^ mixed >> 32);
}

// Threads share constants, and find the same.
int64_t Text::hashed() {
    const std::atomic_ref known(hash);
    if (const int64_t before = known.load(std::memory_order_relaxed); before || length == 0)
        return before;
    const int64_t made = callbacks.hash ? hashAsPython(*this) : hashOfBytes(bytesOf(*this));
    known.store(made, std::memory_order_relaxed);
    return made;
}

static int compared(const Text &a, const Text &b) {
    const int64_t common = std::min(a.length, b.length);
    if (a.width == 1 && b.width == 1) {
        if (const int order = std::memcmp(a.data, b.data, static_cast<size_t>(common)))
            return order;
    } else {
        for (int64_t i = 0; i < common; ++i)
            if (a.at(i) != b.at(i))
                return a.at(i) < b.at(i) ? -1 : 1;
    }
    return a.length < b.length ? -1 : a.length > b.length;
}

//===-- Searches

static bool isAt(const Text &text, int64_t at, const Text &wanted) {
    if (text.width == wanted.width)
        return std::memcmp(text.data + at * text.width, wanted.data,
                           static_cast<size_t>(wanted.length * wanted.width)) == 0;
    for (int64_t i = 0; i < wanted.length; ++i)
        if (text.at(at + i) != wanted.at(i))
            return false;
    return true;
}

// The first index from `start` on where it stands before `end`, or -1.
int64_t findIn(const Text &text, const Text &wanted, int64_t start, int64_t end) {
    if (text.width == 1 && wanted.width == 1) {
        if (start > end)
            return -1;
        const size_t at = bytesOf(text)
                              .substr(0, static_cast<size_t>(end))
                              .find(bytesOf(wanted), static_cast<size_t>(start));
        return at == std::string_view::npos ? -1 : static_cast<int64_t>(at);
    }
    for (int64_t at = start; at + wanted.length <= end; ++at)
        if (isAt(text, at, wanted))
            return at;
    return -1;
}

static int64_t findLastIn(const Text &text, const Text &wanted, int64_t start, int64_t end) {
    for (int64_t at = end - wanted.length; at >= start; --at)
        if (isAt(text, at, wanted))
            return at;
    return -1;
}

//===-- Classes of characters

static bool isLatinLetter(uint32_t c) {
    return (c | 32) - 'a' < 26 || c == 0xAA || c == 0xB5 || c == 0xBA ||
           (c >= 0xC0 && c != 0xD7 && c != 0xF7);
}

int decimalOf(uint32_t c) {
    return c - '0' < 10                    ? static_cast<int>(c - '0')
           : c >= 256 && callbacks.decimal ? callbacks.decimal(c)
                                           : -1;
}

static bool isLatin(uint32_t c, TextTest test) {
    const bool isDecimal = c - '0' < 10, isSuperscript = c == 0xB2 || c == 0xB3 || c == 0xB9;
    switch (test) {
    case TextTest::Alpha:
        return isLatinLetter(c);
    case TextTest::Digit:
        return isDecimal || isSuperscript;
    case TextTest::Decimal:
        return isDecimal;
    case TextTest::Numeric:
        return isDecimal || isSuperscript || (c >= 0xBC && c <= 0xBE);
    case TextTest::Space:
        return (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0;
    case TextTest::Upper:
        return c - 'A' < 26 || (c >= 0xC0 && c <= 0xDE && c != 0xD7);
    case TextTest::Lower:
        return isLatinLetter(c) && !isLatin(c, TextTest::Upper);
    case TextTest::Alnum:
        return isLatin(c, TextTest::Alpha) || isLatin(c, TextTest::Numeric);
    case TextTest::Ascii:
        return c < 128;
    }
    return false;
}

const uint16_t *const latinTests = [] {
    static uint16_t made[256];
    for (uint32_t c = 0; c < 256; ++c)
        for (int test = 0; test <= static_cast<int>(TextTest::Ascii); ++test)
            made[c] |= static_cast<uint16_t>(isLatin(c, TextTest(test)) << test);
    return made;
}();

bool isOfMany(uint32_t c, TextTest test) {
    if (test == TextTest::Alnum)
        return isOfMany(c, TextTest::Alpha) || isOfMany(c, TextTest::Numeric);
    return test != TextTest::Ascii && callbacks.test && callbacks.test(c, test);
}

//===-- Called by compiled code

static std::u32string decoded(std::string_view utf8) {
    std::u32string characters;
    for (size_t at = 0; at < utf8.size();) {
        const auto first = static_cast<unsigned char>(utf8[at++]);
        const int more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
        uint32_t c = more == 0 ? first : first & (0x3Fu >> more);
        for (int k = 0; k < more && at < utf8.size(); ++k)
            c = c << 6 | (static_cast<unsigned char>(utf8[at++]) & 0x3F);
        characters.push_back(c);
    }
    return characters;
}

static bool isConstant(const Text &text, std::string_view utf8) {
    if (isAscii(utf8)) [[likely]]
        return text.width == 1 && bytesOf(text) == utf8;
    const std::u32string characters = decoded(utf8);
    bool isSame = text.length == static_cast<int64_t>(characters.size());
    for (int64_t i = 0; isSame && i < text.length; ++i)
        isSame = text.at(i) == characters[static_cast<size_t>(i)];
    return isSame;
}

// As PySlice_AdjustIndices: the number of characters; INT64_MIN is an absent bound.
static int64_t adjustSlice(int64_t length, int64_t &start, int64_t &stop, int64_t step) {
    auto bound = [&](int64_t given, int64_t absent) {
        if (given == INT64_MIN)
            return absent;
        const int64_t least = step < 0 ? -1 : 0, most = step < 0 ? length - 1 : length;
        return std::clamp(given < 0 ? given + length : given, least, most);
    };
    start = bound(start, step < 0 ? length - 1 : 0);
    stop = bound(stop, step < 0 ? -1 : length);
    if (step < 0)
        return stop < start ? (start - stop - 1) / -step + 1 : 0;
    return start < stop ? (stop - start - 1) / step + 1 : 0;
}

// The bounds of find() and others; false: there is no such place.
static bool adjustBounds(const Text &text, int64_t &start, int64_t &end) {
    end = end > text.length ? text.length : end < 0 ? std::max<int64_t>(end + text.length, 0) : end;
    start = start < 0 ? std::max<int64_t>(start + text.length, 0) : start;
    return start <= end;
}

// The strings of single characters below 256, which nothing frees.
struct Single {
    alignas(bufferHeader) char header[bufferHeader];
    Text text;
};
static_assert(sizeof(Single) == bufferHeader + sizeof(Text));

static Single *singles() {
    static Single *const all = [] {
        static Single made[256];
        for (int c = 0; c < 256; ++c) {
            new (made[c].header) Buffer{.owners = foreverOwned};
            Text &text = made[c].text;
            text = {.length = 1, .hash = 0, .width = 1, .data = text.own, .block = nullptr};
            text.own[0] = static_cast<char>(c);
            text.hashed();
        }
        return made;
    }();
    return all;
}

extern "C" {

[[gnu::hot]] void *sc_text_character(Context *ctx, const Text *text, int64_t index) {
    const uint32_t c = text->at(index);
    if (c < 256) {
        return &singles()[c].text; // foreverOwned
    }
    auto *made = static_cast<Text *>(sc_alloc(ctx, sizeof(Text)));
    return made && makeWideText(ctx, *made, &c, 1) ? made : nullptr;
}

[[gnu::hot]] int64_t sc_text_is_word(const Text *text, int64_t bytes, int64_t word) {
    return isConstant(*text, {reinterpret_cast<const char *>(&word), static_cast<size_t>(bytes)});
}

// (out, object): of a Python string.
int64_t sc_text_of_object(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Text &out = textIn(in);
    const int64_t object = in.number();
    return callbacks.read ? done(callbacks.read(ctx, out, object)) : nativeFails;
}

// (out, text, start, stop, step): as a slice; INT64_MIN is an absent bound.
int64_t sc_text_slice(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Text &out = textIn(in);
    const Text &text = textIn(in);
    int64_t start = in.number(), stop = in.number();
    const int64_t step = in.number(), length = adjustSlice(text.length, start, stop, step);
    if (step == 1)
        return done(makePart(ctx, out, text, start, length));
    std::u32string characters(static_cast<size_t>(length), 0);
    for (int64_t i = 0; i < length; ++i)
        characters[static_cast<size_t>(i)] = text.at(start + i * step);
    return done(
        makeWideText(ctx, out, reinterpret_cast<const uint32_t *>(characters.data()), length));
}

// (out, text): the same characters, in the same block; of what is absent, of which the address is
// null or the token of an argument, none.
int64_t sc_text_copy(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Text &out = textIn(in);
    const auto address = reinterpret_cast<uintptr_t>(in.array().data);
    if (address == 0 || address & ownerArgument)
        return done(makeText(ctx, out, ""));
    const Text &text = *reinterpret_cast<const Text *>(address);
    if (!text.block)
        return done(makePart(ctx, out, text, 0, text.length));
    out.length = text.length;
    out.hash = text.hash;
    out.width = text.width;
    ++text.block->owners;
    hold(out, text.block);
    return 0;
}

// (out, a, b): a + b, in the block of a where nothing follows a there.
int64_t sc_text_concat(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Text &out = textIn(in);
    const Text &a = textIn(in), &b = textIn(in);
    const int64_t width = std::max(a.width, b.width), length = a.length + b.length,
                  before = a.length * width, bytes = length * width;
    TextBlock *block = a.block;
    const bool shares = block && a.width == width && block->used == before &&
                        a.data == block->bytes() && bytes <= block->capacity;
    if (shares) {
        ++block->owners;
        block->used = bytes;
        out.length = length;
        out.hash = 0;
        out.width = width;
        hold(out, block);
        copyCharacters(block->bytes() + before, width, b, 0, b.length);
        return 0;
    }
    const int64_t room = block ? bytes + bytes / 2 : 0; // it grows, perhaps
    char *to = startText(ctx, out, length, width, room);
    if (!to)
        return nativeFails;
    copyCharacters(to, width, a, 0, a.length);
    copyCharacters(to + before, width, b, 0, b.length);
    return 0;
}

// (out, text, times)
int64_t sc_text_repeat(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Text &out = textIn(in);
    const Text &text = textIn(in);
    const int64_t times = text.length ? std::max<int64_t>(in.number(), 0) : 0;
    if (times > (int64_t{1} << 40) / std::max<int64_t>(text.length, 1)) {
        ctx->error.site = -2;
        return nativeFails;
    }
    char *to = startText(ctx, out, text.length * times, text.width);
    if (!to)
        return nativeFails;
    for (int64_t k = 0; k < times; ++k)
        copyCharacters(to + k * text.length * text.width, text.width, text, 0, text.length);
    return 0;
}

int64_t sc_text_equal(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const Text &a = textIn(in);
    return a.isEqual(textIn(in));
}

// (text, bytes, words): whether it is that constant.
int64_t sc_text_is(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const Text &text = textIn(in);
    return isConstant(text, in.constant());
}

// (a, b): 0 where a < b, 1 where they are equal, else 2.
int64_t sc_text_order(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const Text &a = textIn(in);
    const int order = compared(a, textIn(in));
    return order < 0 ? 0 : order == 0 ? 1 : 2;
}

int64_t sc_text_hash(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    return textIn(in).hashed();
}

// (bytes, text): the codes of its characters, which are narrow.
int64_t sc_text_codes(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray out = in.array();
    const std::string_view bytes = bytesOf(textIn(in));
    std::memcpy(out.data, bytes.data(), bytes.size());
    return 0;
}

int64_t sc_text_address(Context *, const int64_t *slots) { // for a message
    NativeOperands in(slots);
    return reinterpret_cast<int64_t>(&textIn(in));
}

// (text, wanted, start, end, last): the first or last index, or -1.
int64_t sc_text_find(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const Text &text = textIn(in), &wanted = textIn(in);
    int64_t start = in.number(), end = in.number();
    const bool isLast = in.number();
    if (!adjustBounds(text, start, end))
        return -1;
    return isLast ? findLastIn(text, wanted, start, end) : findIn(text, wanted, start, end);
}

// (text, wanted, start, end)
int64_t sc_text_count(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const Text &text = textIn(in), &wanted = textIn(in);
    int64_t start = in.number(), end = in.number(), count = 0;
    if (!adjustBounds(text, start, end))
        return 0;
    if (wanted.length == 0)
        return end - start + 1;
    for (int64_t at; (at = findIn(text, wanted, start, end)) >= 0; start = at + wanted.length)
        ++count;
    return count;
}

// (text, wanted, start, end, atEnd): startswith() and endswith().
int64_t sc_text_starts(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const Text &text = textIn(in), &wanted = textIn(in);
    int64_t start = in.number(), end = in.number();
    const bool atEnd = in.number();
    if (!adjustBounds(text, start, end) || wanted.length > end - start)
        return 0;
    return isAt(text, atEnd ? end - wanted.length : start, wanted);
}

// (text, index): the character's code.
int64_t sc_text_code(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const Text &text = textIn(in);
    return text.at(in.number());
}

// (out, code)
int64_t sc_text_of_code(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Text &out = textIn(in);
    const auto code = static_cast<uint32_t>(in.number());
    return done(makeWideText(ctx, out, &code, 1));
}

// (text, TextTest): whether there are characters, and all are of that class; upper and lower: some
// are, and none of the other case.
int64_t sc_text_test(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const Text &text = textIn(in);
    const auto test = static_cast<TextTest>(in.number());
    const bool ofCase = test == TextTest::Upper || test == TextTest::Lower;
    const TextTest other = test == TextTest::Upper ? TextTest::Lower : TextTest::Upper;
    bool holds = false;
    for (int64_t i = 0; i < text.length; ++i) {
        const uint32_t c = text.at(i);
        if (ofCase ? isOf(c, other) : !isOf(c, test))
            return 0;
        holds = !ofCase || holds || isOf(c, test);
    }
    return holds;
}

// (text, index, isSpace): the first index from there on of a character that is, or is no, space.
int64_t sc_text_next(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const Text &text = textIn(in);
    int64_t at = in.number();
    const bool wantsSpace = in.number();
    while (at < text.length && isOf(text.at(at), TextTest::Space) != wantsSpace)
        ++at;
    return at;
}

// (out, text, characters, sides): strip() from the left (1), the right (2); no characters: spaces.
int64_t sc_text_strip(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Text &out = textIn(in);
    const Text &text = textIn(in), &characters = textIn(in);
    const int64_t sides = in.number(), spaces = sides & 4;
    auto isStripped = [&](uint32_t c) {
        if (spaces)
            return isOf(c, TextTest::Space);
        for (int64_t i = 0; i < characters.length; ++i)
            if (characters.at(i) == c)
                return true;
        return false;
    };
    int64_t start = 0, end = text.length;
    while (sides & 1 && start < end && isStripped(text.at(start)))
        ++start;
    while (sides & 2 && end > start && isStripped(text.at(end - 1)))
        --end;
    return done(makePart(ctx, out, text, start, end - start));
}

// (out, text, TextCase)
int64_t sc_text_cased(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Text &out = textIn(in);
    const Text &text = textIn(in);
    const auto method = static_cast<TextCase>(in.number());
    if (!callbacks.cased || (text.width == 1 && isAscii(bytesOf(text)))) {
        char *to = startText(ctx, out, text.length, text.width);
        bool isInWord = false;
        for (int64_t i = 0; to && i < text.length; ++i) {
            const auto c = static_cast<char>(text.at(i));
            const bool isLetter = isLatinLetter(text.at(i)), isUpper = isLetter && c < 'a';
            const bool makesUpper = method == TextCase::Upper ||
                                    (method == TextCase::Title && !isInWord) ||
                                    (method == TextCase::Capitalize && i == 0) ||
                                    (method == TextCase::Swap && !isUpper);
            to[i] = !isLetter ? c : static_cast<char>(makesUpper ? c & ~32 : c | 32);
            isInWord = isLetter;
        }
        return done(to);
    }
    return done(callbacks.cased(ctx, out, text, method));
}
}

SymbolTable textSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_text_of_object>(), symbolOf<&sc_text_character>(),
        symbolOf<&sc_text_is_word>(),   symbolOf<&sc_text_copy>(),
        symbolOf<&sc_text_address>(),   symbolOf<&sc_text_hash>(),
        symbolOf<&sc_text_codes>(),     symbolOf<&sc_text_slice>(),
        symbolOf<&sc_text_concat>(),    symbolOf<&sc_text_repeat>(),
        symbolOf<&sc_text_equal>(),     symbolOf<&sc_text_is>(),
        symbolOf<&sc_text_order>(),     symbolOf<&sc_text_find>(),
        symbolOf<&sc_text_count>(),     symbolOf<&sc_text_starts>(),
        symbolOf<&sc_text_code>(),      symbolOf<&sc_text_of_code>(),
        symbolOf<&sc_text_test>(),      symbolOf<&sc_text_next>(),
        symbolOf<&sc_text_strip>(),     symbolOf<&sc_text_cased>(),
    };
    return table;
}

} // namespace shapecast::runtime
