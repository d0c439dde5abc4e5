// Strings in memory from values and format specifications: see the header.
#include "runtime/text_formats.h"

#include "runtime/symbols.h"
#include "runtime/text.h"

#include <charconv>
#include <cmath>
#include <string>

namespace shapecast::runtime {

//===-- Reading a specification

namespace {

class Reader {
public:
    Reader(const char *characters, int64_t length, int64_t width)
        : characters(characters), length(length), width(width) {}

    bool isAtEnd() const { return next == length; }
    uint32_t at(int64_t i) const {
        if (i >= length)
            return 0;
        return width == 1 ? static_cast<unsigned char>(characters[i])
                          : reinterpret_cast<const uint32_t *>(characters)[i];
    }
    uint32_t now() const { return at(next); }
    uint32_t take() { return at(next++); }
    bool takes(char c) { return now() == static_cast<uint32_t>(c) && ++next; }
    // A number; none: there is none, or a large one.
    std::optional<int64_t> number() {
        constexpr int64_t most = 1'000'000;
        int64_t value = 0;
        const int64_t start = next;
        while (now() >= '0' && now() <= '9' && value < most)
            value = value * 10 + (take() - '0');
        return next > start && value < most ? std::optional(value) : std::nullopt;
    }

    int64_t next = 0;

private:
    const char *characters;
    int64_t length, width;
};

} // namespace

static bool isAlign(uint32_t c) { return c == '<' || c == '>' || c == '=' || c == '^'; }

// Whether values of that kind have such a format.
static bool isTaken(const TextFormat &format, Formatted kind) {
    constexpr int64_t mostPlaces = 100;
    const std::string_view types = kind == Formatted::Text    ? "s"
                                   : kind == Formatted::Float ? "feEgG%F"
                                                              : "dboxXfeEgG%F";
    if (format.type && types.find(format.type) == std::string_view::npos)
        return false;
    if (kind == Formatted::Text)
        return format.align != '=' && format.sign == '-' && !format.isAlternate && !format.grouping;
    const std::string_view ofInts = "dboxX";
    const bool asInt = kind == Formatted::Int &&
                       (!format.type || ofInts.find(format.type) != std::string_view::npos);
    const bool isDecimal = !format.type || format.type == 'd' || !asInt;
    if (asInt)
        return format.precision < 0 && (isDecimal || format.grouping != ',');
    return format.precision <= mostPlaces && !format.isAlternate;
}

std::optional<TextFormat> readFormat(const char *characters, int64_t length, int64_t width,
                                     Formatted kind) {
    Reader in(characters, length, width);
    TextFormat format;
    bool hasFill = false, hasSign = false;
    if (isAlign(in.at(1))) {
        format.fill = in.take();
        format.align = static_cast<char>(in.take());
        hasFill = true;
    } else if (isAlign(in.now())) {
        format.align = static_cast<char>(in.take());
    }
    if (in.now() == '+' || in.now() == '-' || in.now() == ' ') {
        format.sign = static_cast<char>(in.take());
        hasSign = true;
    }
    format.isAlternate = in.takes('#');
    if (!hasFill && in.takes('0')) {
        format.fill = '0';
        if (!format.align && kind != Formatted::Text)
            format.align = '=';
    }
    if (in.now() >= '0' && in.now() <= '9') {
        const std::optional<int64_t> number = in.number();
        if (!number)
            return std::nullopt;
        format.width = *number;
    }
    if (in.now() == ',' || in.now() == '_')
        format.grouping = static_cast<char>(in.take());
    if (in.takes('.')) {
        const std::optional<int64_t> number = in.number();
        if (!number)
            return std::nullopt;
        format.precision = *number;
    }
    if (!in.isAtEnd() && in.now() < 128)
        format.type = static_cast<char>(in.take());
    const bool isRead = in.isAtEnd() && !(kind == Formatted::Text && hasSign);
    return isRead && isTaken(format, kind) ? std::optional(format) : std::nullopt;
}

static TextFormat formatIn(NativeOperands &in, Formatted kind) {
    const Text &text = textIn(in);
    return readFormat(text.data, text.length, text.width, kind).value_or(TextFormat());
}

//===-- Numbers

namespace {

// The parts of a number in a string: sign, prefix, digits, and what follows these.
struct Number {
    std::string sign, prefix, digits, rest;
};

} // namespace

// With separators, and zeros in front up to that length.
static std::string grouped(const std::string &digits, char separator, size_t size, int64_t least) {
    std::string backwards;
    auto left = static_cast<int64_t>(digits.size());
    for (bool isFirst = true;; isFirst = false) {
        if (!isFirst)
            backwards += separator;
        const int64_t count =
            std::min<int64_t>(static_cast<int64_t>(size), std::max({left, least, int64_t(1)}));
        for (int64_t k = 0; k < count; ++k)
            backwards += left > 0 ? digits[static_cast<size_t>(--left)] : '0';
        least -= count;
        if (left <= 0 && least <= 0)
            break;
        --least;
    }
    return {backwards.rbegin(), backwards.rend()};
}

// Writes `middle`, with `before` in front of it, into that width.
static bool makePadded(Context *ctx, Text &out, const TextFormat &format, char align,
                       const std::string &before, const std::string &middle) {
    const auto length = static_cast<int64_t>(before.size() + middle.size());
    const int64_t padding = std::max<int64_t>(0, format.width - length);
    const int64_t left = align == '<' ? 0 : align == '^' ? padding / 2 : padding;
    if (format.fill < 256) {
        char *to = startText(ctx, out, length + padding, 1);
        if (!to)
            return false;
        const bool isInside = align == '=';
        to = isInside ? std::copy(before.begin(), before.end(), to) : to;
        to = std::fill_n(to, left, static_cast<char>(format.fill));
        to = isInside ? to : std::copy(before.begin(), before.end(), to);
        to = std::copy(middle.begin(), middle.end(), to);
        std::fill_n(to, padding - left, static_cast<char>(format.fill));
        return true;
    }
    std::u32string wide;
    auto add = [&](const std::string &part) { wide.append(part.begin(), part.end()); };
    if (align == '=')
        add(before);
    wide.append(static_cast<size_t>(left), format.fill);
    if (align != '=')
        add(before);
    add(middle);
    wide.append(static_cast<size_t>(padding - left), format.fill);
    return makeWideText(ctx, out, reinterpret_cast<const uint32_t *>(wide.data()),
                        static_cast<int64_t>(wide.size()));
}

static bool makeNumber(Context *ctx, Text &out, const TextFormat &format, Number number,
                       size_t groupSize) {
    if (number.sign.empty() && format.sign != '-')
        number.sign = format.sign;
    const char align = format.align ? format.align : '>';
    const std::string before = number.sign + number.prefix;
    const bool isZeroFilled = format.fill == '0' && align == '=';
    const auto others = static_cast<int64_t>(before.size() + number.rest.size());
    if (!number.digits.empty() && (format.grouping || isZeroFilled)) {
        const int64_t least = isZeroFilled ? format.width - others : 0;
        if (format.grouping)
            number.digits = grouped(number.digits, format.grouping, groupSize, least);
        else if (const auto size = static_cast<int64_t>(number.digits.size()); size < least)
            number.digits.insert(0, static_cast<size_t>(least - size), '0');
    }
    return makePadded(ctx, out, format, align, before, number.digits + number.rest);
}

static bool makeInt(Context *ctx, Text &out, const TextFormat &format, int64_t value) {
    Number number;
    number.sign = value < 0 ? "-" : "";
    const uint64_t size =
        value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    const char type = format.type ? format.type : 'd';
    const int base = type == 'b' ? 2 : type == 'o' ? 8 : type == 'd' ? 10 : 16;
    char digits[72];
    number.digits.assign(digits, std::to_chars(digits, digits + sizeof digits, size, base).ptr);
    if (type == 'X')
        for (char &c : number.digits)
            c = static_cast<char>(std::toupper(c));
    if (format.isAlternate && type != 'd')
        number.prefix = {'0', type};
    return makeNumber(ctx, out, format, std::move(number), type == 'd' ? 3 : 4);
}

static void dropZeros(std::string &digits) {
    while (!digits.empty() && digits.back() == '0')
        digits.pop_back();
    if (!digits.empty() && digits.back() == '.')
        digits.pop_back();
}

// As 'g', but never without a point or an exponent: what no type means with a precision.
static std::string withPoint(double size, int places) {
    char buffer[160];
    char *end = std::to_chars(buffer, buffer + sizeof buffer, size,
                                    std::chars_format::scientific, places - 1)
                          .ptr;
    std::string digits(buffer, end);
    const size_t at = digits.find('e');
    const int exponent = std::atoi(digits.c_str() + at + 1);
    if (exponent < -4 || exponent >= places - 1) {
        std::string mantissa = digits.substr(0, at);
        if (mantissa.find('.') != std::string::npos)
            dropZeros(mantissa);
        return mantissa + digits.substr(at);
    }
    char plain[160];
    end = std::to_chars(plain, plain + sizeof plain, size, std::chars_format::fixed,
                        places - 1 - exponent)
              .ptr;
    std::string fixed(plain, end);
    if (fixed.find('.') != std::string::npos)
        dropZeros(fixed);
    return fixed.find('.') == std::string::npos ? fixed + ".0" : fixed;
}

// Of a number that is not negative.
static std::string floatDigits(double size, const TextFormat &format) {
    if (!std::isfinite(size))
        return std::isnan(size) ? "nan" : "inf";
    const auto given = static_cast<int>(format.precision);
    const char type = static_cast<char>(std::tolower(format.type));
    if (!type)
        return given < 0 ? textOfFloat(size) : withPoint(size, std::max(given, 1));
    const int places = given < 0 ? 6 : given;
    char digits[480]; // 309 digits, and 100 places
    const auto style = type == 'e'   ? std::chars_format::scientific
                       : type == 'g' ? std::chars_format::general
                                     : std::chars_format::fixed;
    const int precision = type == 'g' ? std::max(places, 1) : places;
    return {digits, std::to_chars(digits, digits + sizeof digits, size, style, precision).ptr};
}

static bool makeFloat(Context *ctx, Text &out, const TextFormat &format, double value) {
    Number number;
    if (format.type == '%')
        value *= 100;
    number.sign = std::signbit(value) && !std::isnan(value) ? "-" : "";
    std::string text = floatDigits(std::fabs(value), format);
    if (format.type == 'E' || format.type == 'G' || format.type == 'F')
        for (char &c : text)
            c = static_cast<char>(std::toupper(c));
    const size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    number.digits = text.substr(0, count);
    number.rest = text.substr(count) + (format.type == '%' ? "%" : "");
    return makeNumber(ctx, out, format, std::move(number), 3);
}

//===-- Strings

static bool makeTextOf(Context *ctx, Text &out, const TextFormat &format, const Text &text) {
    const int64_t length =
        format.precision < 0 ? text.length : std::min(format.precision, text.length);
    const int64_t padding = std::max<int64_t>(0, format.width - length);
    const int64_t left = format.align == '>' ? padding : format.align == '^' ? padding / 2 : 0;
    if (!padding)
        return makePart(ctx, out, text, 0, length);
    if (text.width == 1 && format.fill < 256) {
        char *to = startText(ctx, out, length + padding, 1);
        if (!to)
            return false;
        to = std::fill_n(to, left, static_cast<char>(format.fill));
        copyCharacters(to, 1, text, 0, length);
        std::fill_n(to + length, padding - left, static_cast<char>(format.fill));
        return true;
    }
    std::u32string wide(static_cast<size_t>(left), format.fill);
    for (int64_t i = 0; i < length; ++i)
        wide += text.at(i);
    wide.append(static_cast<size_t>(padding - left), format.fill);
    return makeWideText(ctx, out, reinterpret_cast<const uint32_t *>(wide.data()),
                        static_cast<int64_t>(wide.size()));
}

extern "C" {

// (specification, Formatted): whether the functions below take it.
int64_t sc_text_takes_format(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const Text &text = textIn(in);
    return readFormat(text.data, text.length, text.width, Formatted(in.number())).has_value();
}

// (out, value, specification): format(value, specification), of one that is taken.
int64_t sc_text_format_int(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Text &out = textIn(in);
    const int64_t value = in.number();
    const TextFormat format = formatIn(in, Formatted::Int);
    const bool asFloat =
        format.type && std::string_view("dboxX").find(format.type) == std::string_view::npos;
    return done(asFloat ? makeFloat(ctx, out, format, static_cast<double>(value))
                        : makeInt(ctx, out, format, value));
}

int64_t sc_text_format_float(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Text &out = textIn(in);
    const double value = in.real();
    return done(makeFloat(ctx, out, formatIn(in, Formatted::Float), value));
}

int64_t sc_text_format_text(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Text &out = textIn(in);
    const Text &text = textIn(in);
    return done(makeTextOf(ctx, out, formatIn(in, Formatted::Text), text));
}
}

SymbolTable textFormatsSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_text_takes_format>(),
        symbolOf<&sc_text_format_int>(),
        symbolOf<&sc_text_format_float>(),
        symbolOf<&sc_text_format_text>(),
    };
    return table;
}

} // namespace shapecast::runtime
