// Strings in memory: immutable, of characters known only at run time.
//
// A string is a buffer (memory.h) of textWords words, which compiled code holds as it holds an
// array: so it is counted, moved and released as an array is. Its characters are one byte each
// where all are below 256, else four. A few are in the buffer itself; more are in a block that
// strings share which begin alike: `s += t` in a loop appends to the block of s.
#pragma once

#include "runtime/native.h"

#include <string>
#include <string_view>

namespace shapecast::runtime {

struct TextBlock {
    int64_t owners;         // strings
    int64_t used, capacity; // bytes
    char *bytes() { return reinterpret_cast<char *>(this + 1); }
};

struct Text {
    static constexpr int64_t inlineBytes = 24;

    int64_t length; // characters
    int64_t hash;   // 0: not known yet
    int64_t width;  // bytes of a character: 1 or 4
    const char *data;
    TextBlock *block; // null: the characters are in `own`, or are not ours
    char own[inlineBytes];

    uint32_t at(int64_t i) const {
        return width == 1 ? static_cast<unsigned char>(data[i])
                          : reinterpret_cast<const uint32_t *>(data)[i];
    }
    bool isEqual(const Text &other) const; // as one string has one width, that of its data
    int64_t hashed();                      // CPython's hash()
};
inline constexpr int textWords = 8, textLengthWord = 0;
static_assert(sizeof(Text) == 8 * textWords);

extern "C" {
// A buffer with the string of a character, which the caller owns a share of; null, with an error
// recorded: no memory.
void *sc_text_character(Context *ctx, const Text *text, int64_t index);
// Whether it is the constant of so many bytes of UTF-8, eight at most.
int64_t sc_text_is_word(const Text *text, int64_t bytes, int64_t word);
}

// Fill the buffer with a string of these characters, which are copied. False, with an error
// recorded: no memory.
bool makeText(Context *ctx, Text &out, std::string_view latin1);
bool makeWideText(Context *ctx, Text &out, const uint32_t *characters, int64_t length);

// What sc_text_test asks for, as str.isalpha() and so on do.
enum class TextTest : int64_t { Alpha, Digit, Decimal, Numeric, Space, Upper, Lower, Alnum, Ascii };
// The methods of sc_text_cased.
enum class TextCase : int64_t { Upper, Lower, Title, Capitalize, Swap, Fold };

// What needs Python's tables of Unicode: set by the extension module.
struct TextCallbacks {
    bool (*test)(uint32_t character, TextTest test); // of 256 and more
    int (*decimal)(uint32_t character);              // the digit that one of 256 and more is, or -1
    bool (*cased)(Context *ctx, Text &out, const Text &text, TextCase method);
    bool (*read)(Context *ctx, Text &out, int64_t object); // a Python str, by address
    int64_t (*hash)(const void *bytes, int64_t count);     // CPython's, of one byte at least
};
void setTextCallbacks(const TextCallbacks &callbacks);

//===-- For the functions that compiled code calls

inline std::string_view bytesOf(const Text &text) {
    return {text.data, static_cast<size_t>(text.length * text.width)};
}

inline bool isAscii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0; });
}

// Whether it is of that class.
bool isOfMany(uint32_t character, TextTest test);
extern const uint16_t *const latinTests; // of each below 256: bit k says that it is of class k
inline bool isOf(uint32_t c, TextTest test) {
    return c < 256 ? latinTests[c] >> static_cast<int>(test) & 1 : isOfMany(c, test);
}
int decimalOf(uint32_t character); // the digit that it is, or -1
std::string textOfFloat(double x); // its repr()

inline Text &textIn(NativeOperands &in) { return *reinterpret_cast<Text *>(in.array().data); }

inline int64_t done(bool isMade) { return isMade ? 0 : nativeFails; }

// A string of that length, whose characters are to be written; null: no memory.
char *startText(Context *ctx, Text &out, int64_t length, int64_t width, int64_t capacity = 0);
void copyCharacters(char *to, int64_t width, const Text &from, int64_t start, int64_t length);
bool makePart(Context *ctx, Text &out, const Text &text, int64_t start, int64_t length);
// The first index from `start` on where it stands before `end`, or -1.
int64_t findIn(const Text &text, const Text &wanted, int64_t start, int64_t end);

} // namespace shapecast::runtime
