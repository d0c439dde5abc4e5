// Bodies of functions: declarations, instructions and their operands.
#include "parser.h"

#include <bit>

namespace driver {

void Parser::body() {
    if (++nesting > kMostNesting)
        lexer.fail("blocks are nested too deeply");
    registerScopes.emplace_back();
    variableScopes.emplace_back();
    lexer.expect("{");
    while (!lexer.takeIf("}"))
        bodyStatement();
    registerScopes.pop_back();
    variableScopes.pop_back();
    nesting -= 1;
}

void Parser::bodyStatement() {
    if (lexer.at("{"))
        return body();
    if (lexer.at(".reg"))
        return registers();
    if (lexer.takeIf(".loc"))
        return location();
    if (lexer.takeIf(".pragma")) {
        while (!lexer.takeIf(";"))
            lexer.take();
        return;
    }
    if (lexer.at(".shared") || lexer.at(".local") || lexer.at(".param")) {
        std::string word = lexer.name();
        Space space = word == ".shared"  ? Space::Shared
                      : word == ".local" ? Space::Local
                                         : Space::Param;
        Variable made = variable(space);
        lexer.expect(";");
        uint64_t &used = space == Space::Shared  ? current->sharedBytes
                         : space == Space::Local ? module->localBytes
                                                 : module->paramBytes;
        used = (used + made.align - 1) / made.align * made.align;
        made.offset = used;
        used += made.bytes;
        variableScopes.back()[made.name] = made;
        return;
    }
    if (lexer.takeIf(";"))
        return;
    bool guarded = lexer.takeIf("@");
    bool negated = guarded && lexer.takeIf("!");
    uint32_t guard = guarded ? registerOf(lexer.name()) : 0;
    instruction(guarded, negated, guard);
}

// .reg .b32 %r<38>; or .reg .pred p, q;
void Parser::registers() {
    lexer.expect(".reg");
    lexer.name();
    do {
        std::string name = lexer.name();
        if (!lexer.takeIf("<")) {
            registerScopes.back()[name] = module->registers++;
            current->registers += 1;
            continue;
        }
        uint64_t count = lexer.number();
        if (count > kMostRegisters)
            lexer.fail("too many registers");
        lexer.expect(">");
        for (uint64_t k = 0; k < count; ++k)
            registerScopes.back()[name + std::to_string(k)] = module->registers++;
        current->registers += count;
    } while (lexer.takeIf(","));
    lexer.expect(";");
}

uint32_t Parser::registerOf(const std::string &name) {
    for (auto scope = registerScopes.rbegin(); scope != registerScopes.rend(); ++scope)
        if (auto found = scope->find(name); found != scope->end())
            return found->second;
    if (!name.starts_with("%"))
        lexer.fail("no register or variable is named " + name + "; after it");
    auto [special, isNew] = module->specials.try_emplace(name, module->registers);
    module->registers += isNew;
    return special->second;
}

void Parser::instruction(bool guarded, bool negated, uint32_t guard) {
    Instruction made;
    made.line = lexer.now().line;
    std::string opcode = lexer.name();
    if (!guarded && lexer.takeIf(":")) {
        if (lexer.takeIf(".branchtargets")) {
            Operand &targets = branchTargets[opcode];
            targets.kind = Operand::List;
            while (!lexer.takeIf(";")) {
                targets.elements.push_back(operand());
                lexer.takeIf(",");
            }
            return;
        }
        if (!labels.emplace(opcode, module->instructions.size()).second)
            lexer.fail("a second label " + opcode);
        return;
    }
    made.guarded = guarded;
    made.guardNegated = negated;
    made.guard = guard;
    made.userLine = userLine;
    made.userFile = userFile;
    for (size_t at = 0; at <= opcode.size();) {
        size_t dot = std::min(opcode.find('.', at), opcode.size());
        made.words.push_back(opcode.substr(at, dot - at));
        at = dot + 1;
    }
    while (!lexer.takeIf(";")) {
        Operand next = operand();
        // The address of a kernel's parameter, for ld.param by a register.
        if (made.words[0] == "mov" && next.kind == Operand::Address &&
            next.base == Operand::EntryParameters)
            next = literal(static_cast<uint64_t>(next.offset));
        addConstants(next, made);
        made.operands.push_back(std::move(next));
        if (!lexer.takeIf(",") && !lexer.takeIf("|") && !lexer.at(";"))
            lexer.fail("',' or ';' expected");
    }
    module->instructions.push_back(std::move(made));
}

// A constant as its instruction reads it: literals of floats in the type of the instruction.
void Parser::addConstants(Operand &operand, const Instruction &of) {
    for (Operand &element : operand.elements)
        addConstants(element, of);
    if (operand.kind != Operand::Constant)
        return;
    Type type = typeOf(of.words.back());
    if (operand.isFloat && operand.isDouble && type == Type::F32)
        operand.bits =
            std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
    operand.index = constantOf.try_emplace(operand.bits, constantOf.size()).first->second;
}

Operand Parser::literal(uint64_t bits) const {
    Operand made;
    made.kind = Operand::Constant;
    made.bits = bits;
    return made;
}

Operand Parser::operand() {
    struct Nesting {
        uint32_t &depth;
        ~Nesting() { depth -= 1; }
    } inside{nesting};
    if (++nesting > kMostNesting)
        lexer.fail("operands are nested too deeply");
    if (lexer.takeIf("{"))
        return list(Operand::Vector, "}");
    if (lexer.takeIf("("))
        return list(Operand::List, ")");
    if (lexer.takeIf("["))
        return address();
    if (lexer.takeIf("!")) {
        Operand made = operand();
        made.negated = true;
        return made;
    }
    bool negative = lexer.takeIf("-");
    if (lexer.now().kind == Token::Number) {
        Token token = lexer.take();
        Operand made = literal(negative ? -token.bits : token.bits);
        made.isFloat = token.isFloat;
        made.isDouble = token.isDouble;
        return made;
    }
    return named(lexer.name());
}

Operand Parser::list(Operand::Kind kind, const char *end) {
    Operand made;
    made.kind = kind;
    while (!lexer.takeIf(end)) {
        made.elements.push_back(operand());
        if (!lexer.takeIf(",") && !lexer.at(end))
            lexer.fail("',' expected");
    }
    return made;
}

const Variable *Parser::find(const std::string &name) const {
    for (auto scope = variableScopes.rbegin(); scope != variableScopes.rend(); ++scope)
        if (auto found = scope->find(name); found != scope->end())
            return &found->second;
    return nullptr;
}

Operand Parser::named(const std::string &name) {
    Operand made;
    if (name == "_")
        return made;
    if (name == "WARP_SZ")
        return literal(kLanes);
    for (auto scope = registerScopes.rbegin(); scope != registerScopes.rend(); ++scope)
        if (auto found = scope->find(name); found != scope->end()) {
            made.kind = Operand::Register;
            made.index = found->second;
            return made;
        }
    if (const Variable *variable = find(name)) {
        made = literal(variable->offset);
        if (variable->space == Space::Param) {
            made.kind = Operand::Address;
            bool isOwn = false;
            for (const Variable &one : current->parameters)
                isOwn |= one.name == name;
            made.base =
                current->isEntry && isOwn ? Operand::EntryParameters : Operand::ThreadParameters;
            made.offset = static_cast<int64_t>(variable->offset);
            made.bits = variable->bytes;
        } else if (variable->space == Space::Shared && variable->bytes == 0) {
            // `.extern .shared`: behind the kernel's own shared variables, which are known at its
            // end.
            made.bits = current->sharedBytes = (current->sharedBytes + 15) / 16 * 16;
        }
        return made;
    }
    if (name.starts_with("%")) {
        made.kind = Operand::Register;
        made.index = registerOf(name);
        return made;
    }
    made.kind = module->functions.contains(name) ? Operand::Callee : Operand::Label;
    made.name = name;
    return made;
}

Operand Parser::address() {
    Operand made;
    if (lexer.now().kind == Token::Number) {
        made.offset = static_cast<int64_t>(lexer.number());
    } else {
        Operand base = named(lexer.name());
        if (base.kind == Operand::Register) {
            made.base = Operand::InRegister;
            made.index = base.index;
        } else if (base.kind == Operand::Constant) {
            made.offset = static_cast<int64_t>(base.bits);
        } else if (base.kind == Operand::Address) {
            made.base = base.base;
            made.offset = base.offset;
        } else {
            lexer.fail("an address expected before this");
        }
    }
    made.kind = Operand::Address;
    if (lexer.takeIf("+"))
        made.offset += static_cast<int64_t>(lexer.number());
    else if (lexer.at("-"))
        made.offset += static_cast<int64_t>(lexer.number());
    lexer.expect("]");
    return made;
}

void Parser::resolveLabels(const Function &of) {
    for (uint32_t at = of.first; at < of.last; ++at) {
        Instruction &instruction = module->instructions[at];
        auto resolve = [&](Operand &one) {
            if (one.kind != Operand::Label)
                return;
            auto found = labels.find(one.name);
            if (found == labels.end())
                throw ParseError("line " + std::to_string(instruction.line) +
                                 ": nothing is named " + one.name);
            one.index = found->second;
        };
        for (Operand &one : instruction.operands) {
            if (auto targets = branchTargets.find(one.name);
                one.kind == Operand::Label && targets != branchTargets.end())
                one = targets->second;
            resolve(one);
            for (Operand &element : one.elements)
                resolve(element);
        }
    }
}

// call (results), callee, (arguments): the callee becomes the instruction that it begins with, the
// lists triples of offsets: from, to, bytes.
void Parser::resolveCalls() {
    for (Instruction &at : module->instructions) {
        if (at.words[0] != "call")
            continue;
        const Function *callee = nullptr;
        for (Operand &one : at.operands)
            if (one.kind == Operand::Callee) {
                callee = &module->functions.at(one.name);
                if (callee->first == callee->last)
                    throw ParseError("line " + std::to_string(at.line) + ": " + one.name +
                                     " is declared and not defined");
                one.index = callee->first;
            }
        if (!callee)
            throw ParseError("line " + std::to_string(at.line) +
                             ": a call of no function of this module");
        bool isResult = true;
        for (Operand &one : at.operands) {
            if (one.kind == Operand::Callee)
                isResult = false;
            if (one.kind != Operand::List)
                continue;
            const auto &theirs = isResult ? callee->results : callee->parameters;
            if (theirs.size() != one.elements.size())
                throw ParseError("line " + std::to_string(at.line) + ": " + callee->name +
                                 " has another number of parameters");
            for (size_t k = 0; k < theirs.size(); ++k) {
                if (one.elements[k].base != Operand::ThreadParameters)
                    throw ParseError("line " + std::to_string(at.line) +
                                     ": arguments that are no .param variables are not supported");
                one.elements[k].index = static_cast<uint32_t>(theirs[k].offset);
                one.elements[k].bits = theirs[k].bytes;
            }
        }
    }
}

} // namespace driver
