// Numbers from strings in memory, and strings from numbers, as Python's int(), float() and str().
#include "runtime/symbols.h"
#include "runtime/text.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>

namespace shapecast::runtime {

std::string textOfFloat(double x) {
    if (!std::isfinite(x))
        return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
    char digits[40];
    const auto [end, error] = std::to_chars(digits, digits + 40, x, std::chars_format::scientific);
    const std::string_view text(digits, static_cast<size_t>(end - digits));
    const size_t sign = text.find('e') + 1; // from_chars() takes no plus
    int exponent = 0;
    std::from_chars(digits + sign + (digits[sign] == '+'), end, exponent);
    if (exponent < -4 || exponent >= 16)
        return std::string(text);
    const auto plain = std::to_chars(digits, digits + 40, x, std::chars_format::fixed);
    std::string made(digits, plain.ptr);
    return made.find('.') == std::string::npos ? made + ".0" : made;
}

// A number as int() and float() read it: without whitespace around it, and without the underscores
// between digits, which are ASCII's then. Empty: it is none.
static std::string_view numeral(const Text &text, std::string &storage) {
    int64_t start = 0, end = text.length;
    while (start < end && isOf(text.at(start), TextTest::Space))
        ++start;
    while (end > start && isOf(text.at(end - 1), TextTest::Space))
        --end;
    const std::string_view plain =
        bytesOf(text).substr(static_cast<size_t>(start), static_cast<size_t>(end - start));
    if (text.width == 1 && isAscii(plain) && plain.find('_') == std::string_view::npos)
        return plain;
    std::string &made = storage;
    auto isDigit = [&](int64_t i) {
        const uint32_t c = text.at(i);
        return c < 128 ? std::isalnum(static_cast<int>(c)) != 0 : decimalOf(c) >= 0;
    };
    for (int64_t i = start; i < end; ++i) {
        const uint32_t c = text.at(i);
        const int digit = c < 128 ? -1 : decimalOf(c);
        const bool isBetween = i > start && i + 1 < end && isDigit(i - 1) && isDigit(i + 1);
        if ((c >= 128 && digit < 0) || (c == '_' && !isBetween))
            return "";
        if (c != '_')
            made += static_cast<char>(digit < 0 ? static_cast<int>(c) : '0' + digit);
    }
    return made;
}

enum NumeralStatus : int64_t { isNumeral, isNoNumeral, isTooLarge };

static NumeralStatus readInt(const Text &text, int64_t base, int64_t &value) {
    std::string storage;
    std::string_view digits = numeral(text, storage);
    const bool isNegative = !digits.empty() && digits[0] == '-';
    if (!digits.empty() && (digits[0] == '-' || digits[0] == '+'))
        digits.remove_prefix(1);
    const int64_t prefixed = digits.size() < 2 || digits[0] != '0' ? 0
                             : (digits[1] | 32) == 'x'             ? 16
                             : (digits[1] | 32) == 'o'             ? 8
                             : (digits[1] | 32) == 'b'             ? 2
                                                                   : 0;
    if (prefixed && (base == prefixed || base == 0)) {
        digits.remove_prefix(2);
        base = prefixed;
    } else if (base == 0) {
        base = 10;
        if (digits.size() > 1 && digits[0] == '0' &&
            digits.find_first_not_of('0') != std::string::npos)
            return isNoNumeral;
    }
    uint64_t size = 0;
    const char *end = std::to_address(digits.end());
    const auto [stopped, error] =
        std::from_chars(std::to_address(digits.begin()), end, size, static_cast<int>(base));
    if (stopped != end || error == std::errc::invalid_argument)
        return isNoNumeral;
    if (error != std::errc() || size > uint64_t(INT64_MAX) + isNegative)
        return isTooLarge;
    value = static_cast<int64_t>(isNegative ? 0 - size : size);
    return isNumeral;
}

static NumeralStatus readFloat(const Text &text, double &value) {
    std::string storage;
    std::string_view digits = numeral(text, storage);
    const size_t sign = !digits.empty() && (digits[0] == '-' || digits[0] == '+');
    const bool isNegative = sign && digits[0] == '-';
    digits.remove_prefix(sign);
    auto is = [&](std::string_view name) {
        return std::equal(digits.begin(), digits.end(), name.begin(), name.end(),
                          [](char a, char b) { return std::tolower(a) == b; });
    };
    if (is("inf") || is("infinity"))
        value = INFINITY;
    else if (is("nan"))
        value = NAN;
    else if (digits.empty() || !(std::isdigit(digits[0]) || digits[0] == '.'))
        return isNoNumeral;
    else {
        const char *end = std::to_address(digits.end());
        const auto [stopped, error] = std::from_chars(std::to_address(digits.begin()), end, value);
        if (stopped != end || error == std::errc::invalid_argument)
            return isNoNumeral;
        if (error != std::errc())
            value = std::strtod(std::string(digits).c_str(), nullptr);
    }
    value = isNegative ? -value : value;
    return isNumeral;
}

extern "C" {

// (out, int)
int64_t sc_text_of_int(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Text &out = textIn(in);
    char digits[24];
    const char *end = std::to_chars(digits, digits + 24, in.number()).ptr;
    return done(makeText(ctx, out, {digits, static_cast<size_t>(end - digits)}));
}

// (out, float): its repr().
int64_t sc_text_of_float(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Text &out = textIn(in);
    return done(makeText(ctx, out, textOfFloat(in.real())));
}

// (text, base): whether int() takes it: NumeralStatus.
int64_t sc_text_int_status(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const Text &text = textIn(in);
    int64_t value;
    return readInt(text, in.number(), value);
}
int64_t sc_text_int(Context *, const int64_t *slots) { // the number then
    NativeOperands in(slots);
    const Text &text = textIn(in);
    int64_t value = 0;
    readInt(text, in.number(), value);
    return value;
}

int64_t sc_text_float_status(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    double value;
    return readFloat(textIn(in), value);
}
double sc_text_float(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    double value = 0;
    readFloat(textIn(in), value);
    return value;
}
}

SymbolTable textNumbersSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_text_of_int>(),       symbolOf<&sc_text_of_float>(),
        symbolOf<&sc_text_int_status>(),   symbolOf<&sc_text_int>(),
        symbolOf<&sc_text_float_status>(), symbolOf<&sc_text_float>(),
    };
    return table;
}

} // namespace shapecast::runtime
