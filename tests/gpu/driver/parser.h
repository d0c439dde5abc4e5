// Reads the statements of a module; one object a text.
#pragma once

#include "lexer.h"
#include "ptx.h"

#include <functional>

namespace driver {

constexpr uint64_t kMostBytes = uint64_t(1) << 32; // of a variable
constexpr uint32_t kMostRegisters = 1 << 20, kMostNesting = 64;

class Parser {
public:
    Parser(std::string_view text, std::function<uint64_t(const Variable &)> place)
        : lexer(text), place(std::move(place)), module(std::make_unique<Module>()) {}
    std::unique_ptr<Module> read();

private:
    // The module: directives, variables and functions.
    void statement();
    void function(bool isEntry);
    void debugSection();
    Variable variable(Space space);
    void initialValue(Variable &of);
    std::vector<Variable> parameterList();
    void launchBounds(Function &of);

    // A body.
    void body();
    void bodyStatement();
    void registers();
    void location();
    void instruction(bool guarded, bool negated, uint32_t guard);
    void resolveLabels(const Function &of);
    void resolveCalls();
    void addConstants(Operand &operand, const Instruction &of);

    // Operands.
    Operand operand();
    Operand named(const std::string &name);
    Operand address();
    Operand list(Operand::Kind kind, const char *end);
    const Variable *find(const std::string &name) const;
    uint32_t registerOf(const std::string &name);
    Operand literal(uint64_t bits) const;

    Lexer lexer;
    std::function<uint64_t(const Variable &)> place;
    std::unique_ptr<Module> module;
    Function *current = nullptr;
    std::vector<std::map<std::string, uint32_t>> registerScopes;
    std::vector<std::map<std::string, Variable>> variableScopes;
    std::map<std::string, uint32_t> labels;
    std::map<std::string, Operand> branchTargets; // lists of labels, for brx.idx
    std::map<uint64_t, uint32_t> constantOf;
    uint32_t userLine = 0, userFile = 0, nesting = 0;
};

} // namespace driver
