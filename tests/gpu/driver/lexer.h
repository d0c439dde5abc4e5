// Tokens of PTX: names (with dots: an opcode is one), literals, strings and single characters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace driver {

struct Token {
    enum Kind { End, Name, Number, String, Character } kind = End;
    std::string_view text;
    uint32_t line = 0;
    uint64_t bits = 0; // of a number: two's complement, or the bits of a float or double
    bool isFloat = false, isDouble = false;
};

class Lexer {
public:
    explicit Lexer(std::string_view text) : rest(text) { advance(); }

    const Token &now() const { return token; }
    bool at(std::string_view text) const {
        return token.kind != Token::String && token.text == text;
    }
    Token take();
    bool takeIf(std::string_view text);
    void expect(std::string_view text);
    std::string name(); // throws where no name stands
    uint64_t number();  // with a sign
    [[noreturn]] void fail(const std::string &what) const;

private:
    void advance();
    void skipBlank();
    void readNumber();

    std::string_view rest;
    uint32_t line = 1;
    Token token;
};

} // namespace driver
