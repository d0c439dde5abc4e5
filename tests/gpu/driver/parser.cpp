// Modules: directives, variables and functions. Bodies: parser_body.cpp.
#include "parser.h"

#include <cstring>

namespace driver {

bool Instruction::has(std::string_view word) const {
    for (const std::string &one : words)
        if (one == word)
            return true;
    return false;
}

std::string Module::describe(uint32_t instruction) const {
    const Instruction &at = instructions[instruction];
    std::string text = lines[at.line - 1];
    size_t first = text.find_first_not_of(" \t");
    for (char &c : text)
        if (c == '\t')
            c = ' ';
    std::string result =
        "PTX line " + std::to_string(at.line) + ": " + text.substr(std::min(first, text.size()));
    if (at.userLine) {
        auto file = files.find(at.userFile);
        result += " (" + (file == files.end() ? "line" : file->second) + ":" +
                  std::to_string(at.userLine) + ")";
    }
    return result;
}

int bytesOf(Type type) {
    switch (type) {
    case Type::None:
        return 0;
    case Type::Pred:
    case Type::B8:
    case Type::U8:
    case Type::S8:
        return 1;
    case Type::B16:
    case Type::U16:
    case Type::S16:
    case Type::F16:
    case Type::BF16:
        return 2;
    case Type::B32:
    case Type::U32:
    case Type::S32:
    case Type::F16x2:
    case Type::F32:
        return 4;
    default:
        return 8;
    }
}

Type typeOf(std::string_view word) {
    static const std::map<std::string_view, Type> types = {
        {"pred", Type::Pred}, {"b8", Type::B8},   {"b16", Type::B16},     {"b32", Type::B32},
        {"b64", Type::B64},   {"u8", Type::U8},   {"u16", Type::U16},     {"u32", Type::U32},
        {"u64", Type::U64},   {"s8", Type::S8},   {"s16", Type::S16},     {"s32", Type::S32},
        {"s64", Type::S64},   {"f16", Type::F16}, {"f16x2", Type::F16x2}, {"bf16", Type::BF16},
        {"f32", Type::F32},   {"f64", Type::F64}};
    auto found = types.find(word);
    return found == types.end() ? Type::None : found->second;
}

std::unique_ptr<Module> Parser::read() {
    registerScopes.emplace_back();
    variableScopes.emplace_back();
    while (lexer.now().kind != Token::End)
        statement();
    resolveCalls();
    // Constants: 32 equal lanes each, so that they are read as registers are.
    module->constants.resize(constantOf.size() * kLanes);
    for (auto [bits, index] : constantOf)
        for (int lane = 0; lane < kLanes; ++lane)
            module->constants[index * kLanes + lane] = bits;
    return std::move(module);
}

void Parser::statement() {
    if (lexer.takeIf(".version") || lexer.takeIf(".address_size")) {
        lexer.number();
    } else if (lexer.takeIf(".target")) {
        module->target = lexer.name();
        while (lexer.takeIf(","))
            lexer.name();
    } else if (lexer.takeIf(".file")) {
        uint32_t index = lexer.number();
        module->files[index] = std::string(lexer.take().text);
        while (lexer.takeIf(","))
            lexer.number();
    } else if (lexer.takeIf(".loc")) {
        location();
    } else if (lexer.takeIf(".section")) {
        debugSection();
    } else if (lexer.takeIf(".entry")) {
        function(true);
    } else if (lexer.takeIf(".func")) {
        function(false);
    } else if (lexer.at(".global") || lexer.at(".const") || lexer.at(".shared")) {
        std::string word = lexer.name();
        Space space = word == ".global"  ? Space::Global
                      : word == ".const" ? Space::Const
                                         : Space::Shared;
        Variable made = variable(space);
        lexer.expect(";");
        if (space == Space::Shared) {
            // Of all functions that name it; the dynamic part begins behind all others of a kernel.
            made.offset = 0;
            if (made.bytes)
                lexer.fail("a shared variable outside of functions is not supported");
        } else {
            made.offset = place(made);
            module->globals[made.name] = made;
        }
        variableScopes[0][made.name] = made;
    } else if (lexer.at(".extern") || lexer.at(".visible") || lexer.at(".weak") ||
               lexer.at(".common")) {
        lexer.take();
    } else {
        lexer.fail("a directive of a module expected");
    }
}

void Parser::debugSection() {
    lexer.name();
    lexer.expect("{");
    for (int depth = 1; depth > 0;) {
        if (lexer.now().kind == Token::End)
            lexer.fail("a section has no end");
        Token token = lexer.take();
        depth += token.text == "{" ? 1 : token.text == "}" ? -1 : 0;
    }
}

void Parser::location() {
    userFile = lexer.number();
    userLine = lexer.number();
    lexer.number();
    while (lexer.takeIf(",")) { // , function_name $L__info, inlined_at 1 2 3
        lexer.name();
        while (lexer.now().kind == Token::Number ||
               (lexer.now().kind == Token::Name && lexer.now().text.starts_with("$L__info")))
            lexer.take();
    }
}

// .align 8 .b8 name[64] = {1, 2}
Variable Parser::variable(Space space) {
    Variable made;
    made.space = space;
    while (lexer.now().kind == Token::Name && lexer.now().text.starts_with(".")) {
        std::string word = lexer.name();
        if (word == ".align") {
            made.align = lexer.number();
            if (made.align == 0 || made.align > 4096 || (made.align & (made.align - 1)))
                lexer.fail("an alignment is a power of two up to 4096");
        } else if (word == ".attribute") {
            while (!lexer.takeIf(")"))
                lexer.take();
        } else if (Type type = typeOf(word.substr(1)); type != Type::None) {
            made.type = type;
        } else if (word != ".ptr" && word != ".global" && word != ".shared" && word != ".param" &&
                   word != ".const") {
            lexer.fail("unknown " + word + " in a declaration before this");
        }
    }
    made.name = lexer.name();
    made.bytes = bytesOf(made.type);
    made.align = std::max<uint64_t>(made.align, bytesOf(made.type));
    while (lexer.takeIf("[")) {
        made.bytes *= lexer.at("]") ? 0 : lexer.number();
        if (made.bytes > kMostBytes)
            lexer.fail("a variable is too large");
        lexer.expect("]");
    }
    if (lexer.takeIf("="))
        initialValue(made);
    return made;
}

void Parser::initialValue(Variable &of) {
    int size = bytesOf(of.type);
    auto one = [&] {
        bool negative = lexer.takeIf("-");
        Operand value =
            lexer.now().kind == Token::Number ? literal(lexer.take().bits) : named(lexer.name());
        uint64_t bits = negative ? -value.bits : value.bits;
        const auto *bytes = reinterpret_cast<const uint8_t *>(&bits);
        of.initial.insert(of.initial.end(), bytes, bytes + size);
    };
    if (!lexer.takeIf("{"))
        return one();
    for (int depth = 1; depth > 0;) {
        if (lexer.takeIf("{")) {
            depth += 1;
        } else if (lexer.takeIf("}")) {
            depth -= 1;
        } else if (!lexer.takeIf(",")) {
            one();
        }
    }
}

std::vector<Variable> Parser::parameterList() {
    std::vector<Variable> list;
    lexer.expect("(");
    while (!lexer.takeIf(")")) {
        lexer.expect(".param");
        list.push_back(variable(Space::Param));
        lexer.takeIf(",");
    }
    return list;
}

void Parser::launchBounds(Function &of) {
    while (lexer.now().kind == Token::Name && lexer.now().text.starts_with(".")) {
        std::string word = lexer.name();
        if (word == ".noreturn")
            continue;
        int values[3] = {1, 1, 1};
        for (int k = 0; k < 3 && lexer.now().kind == Token::Number; ++k) {
            values[k] = static_cast<int>(lexer.number());
            lexer.takeIf(",");
        }
        int *into = word == ".reqntid" ? of.required : word == ".maxntid" ? of.most : nullptr;
        if (into)
            std::copy(values, values + 3, into);
    }
}

void Parser::function(bool isEntry) {
    std::vector<Variable> results;
    if (lexer.at("("))
        results = parameterList();
    const std::string called = lexer.name();
    if (called.find('.') != std::string::npos)
        lexer.fail("the name " + called + " has a dot");
    Function &made = module->functions[called];
    bool declaredBefore = !made.name.empty();
    Function declared = std::move(made);
    made = {};
    made.isEntry = isEntry;
    made.results = std::move(results);
    if (lexer.at("("))
        made.parameters = parameterList();
    for (const auto &[name, function] : module->functions)
        if (&function == &made)
            made.name = name;
    auto layOut = [&](std::vector<Variable> &list, uint64_t &used) {
        for (Variable &one : list) {
            used = (used + one.align - 1) / one.align * one.align;
            one.offset = used;
            used += one.bytes;
        }
    };
    if (declaredBefore) { // callers have its offsets
        made.parameters = std::move(declared.parameters);
        made.results = std::move(declared.results);
    } else if (isEntry) {
        layOut(made.parameters, made.parameterBytes);
    } else {
        layOut(made.parameters, module->paramBytes);
        layOut(made.results, module->paramBytes);
    }
    launchBounds(made);
    if (lexer.takeIf(";"))
        return;
    current = &made;
    made.firstRegister = module->registers;
    registerScopes.resize(1);
    variableScopes.resize(1);
    variableScopes.emplace_back();
    for (const Variable &one : made.parameters)
        variableScopes.back()[one.name] = one;
    for (const Variable &one : made.results)
        variableScopes.back()[one.name] = one;
    labels.clear();
    branchTargets.clear();
    made.first = module->instructions.size();
    body();
    made.last = module->instructions.size();
    resolveLabels(made);
    made.lastRegister = module->registers;
    current = nullptr;
}

std::unique_ptr<Module> parse(std::string_view text,
                              std::function<uint64_t(const Variable &)> place) {
    Parser parser(text, std::move(place));
    std::unique_ptr<Module> module = parser.read();
    for (size_t at = 0; at < text.size();) {
        size_t end = std::min(text.find('\n', at), text.size());
        module->lines.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    for (Instruction &one : module->instructions) {
        try {
            decode(one);
        } catch (const ParseError &error) {
            throw ParseError("line " + std::to_string(one.line) + ": " + error.what() + ": " +
                             module->lines[one.line - 1]);
        }
    }
    return module;
}

} // namespace driver
