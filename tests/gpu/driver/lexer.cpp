#include "lexer.h"

#include "ptx.h"

#include <bit>
#include <cctype>
#include <cstdlib>

namespace driver {
namespace {

bool isNameCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' ||
           c == '.';
}

bool isScope(std::string_view text, size_t at) {
    return at + 2 < text.size() && text[at] == ':' && text[at + 1] == ':' &&
           isNameCharacter(text[at + 2]);
}

} // namespace

void Lexer::fail(const std::string &what) const {
    throw ParseError("line " + std::to_string(token.line) + ": " + what + ", found '" +
                     std::string(token.text) + "'");
}

void Lexer::skipBlank() {
    while (!rest.empty()) {
        if (rest[0] == '\n')
            line += 1;
        if (std::isspace(static_cast<unsigned char>(rest[0]))) {
            rest.remove_prefix(1);
        } else if (rest.starts_with("//")) {
            rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
        } else if (rest.starts_with("/*")) {
            size_t end = std::min(rest.find("*/"), rest.size() - 2) + 2;
            for (char c : rest.substr(0, end))
                line += c == '\n';
            rest.remove_prefix(end);
        } else {
            return;
        }
    }
}

void Lexer::readNumber() {
    std::string text(token.text);
    if (text.size() > 2 && text[0] == '0' &&
        (text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D')) {
        token.isFloat = true;
        token.isDouble = text[1] == 'd' || text[1] == 'D';
        token.bits = std::strtoull(text.c_str() + 2, nullptr, 16);
        return;
    }
    if (text.find('.') != std::string::npos) {
        token.isFloat = token.isDouble = true;
        token.bits = std::bit_cast<uint64_t>(std::strtod(text.c_str(), nullptr));
        return;
    }
    int base = text.starts_with("0x") || text.starts_with("0X") ? 16
               : text.starts_with("0b")                         ? 2
               : text[0] == '0'                                 ? 8
                                                                : 10;
    token.bits = std::strtoull(text.c_str() + (base == 2 ? 2 : 0), nullptr, base);
}

void Lexer::advance() {
    skipBlank();
    token = {};
    token.line = line;
    if (rest.empty())
        return;
    size_t length = 1;
    if (rest[0] == '"') {
        token.kind = Token::String;
        length = rest.find('"', 1);
        if (length == std::string_view::npos)
            throw ParseError("line " + std::to_string(line) + ": a string has no end");
        token.text = rest.substr(1, length - 1);
        rest.remove_prefix(length + 1);
        return;
    }
    if (isNameCharacter(rest[0])) {
        bool isNumber = std::isdigit(static_cast<unsigned char>(rest[0]));
        // .L1::no_allocate and its like are one word.
        while (length < rest.size() && (isNameCharacter(rest[length]) || isScope(rest, length)))
            length += rest[length] == ':' ? 2 : 1;
        token.kind = isNumber ? Token::Number : Token::Name;
        token.text = rest.substr(0, length);
        if (isNumber)
            readNumber();
    } else {
        token.kind = Token::Character;
        token.text = rest.substr(0, 1);
    }
    rest.remove_prefix(length);
}

Token Lexer::take() {
    Token taken = token;
    advance();
    return taken;
}

bool Lexer::takeIf(std::string_view text) {
    if (!at(text))
        return false;
    advance();
    return true;
}

void Lexer::expect(std::string_view text) {
    if (!takeIf(text))
        fail("'" + std::string(text) + "' expected");
}

std::string Lexer::name() {
    if (token.kind != Token::Name)
        fail("a name expected");
    return std::string(take().text);
}

uint64_t Lexer::number() {
    bool negative = takeIf("-");
    if (token.kind != Token::Number)
        fail("a number expected");
    Token taken = take();
    return negative ? -taken.bits : taken.bits;
}

} // namespace driver
