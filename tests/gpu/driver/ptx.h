// A PTX module as the interpreter runs it: functions whose instructions stand in one array,
// operands resolved to registers, constants and offsets. parse() reads the text, decode() picks
// what runs an instruction (PTX ISA 8.5, chapters 4 to 9).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace driver {

struct Warp;
struct Instruction;
using Lanes = uint32_t; // a bit a lane of a warp
constexpr int kLanes = 32;

enum class Type : uint8_t {
    None,
    Pred,
    B8,
    B16,
    B32,
    B64,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    BF16,
    F32,
    F64
}; // clang-format: as PTX writes them
enum class Space : uint8_t { Generic, Global, Shared, Local, Param, Const };

int bytesOf(Type type);
Type typeOf(std::string_view word); // None for a word that is no type

/// Text that is not PTX, or PTX that the interpreter does not know.
struct ParseError : std::runtime_error {
    using runtime_error::runtime_error;
};

struct Operand {
    enum Kind : uint8_t { Nothing, Register, Constant, Address, Label, Vector, List, Callee };
    enum Base : uint8_t { Absolute, InRegister, EntryParameters, ThreadParameters };
    Kind kind = Nothing;
    Base base = Absolute;                   // of an address: what `offset` counts from
    bool negated = false;                   // !%p
    bool isFloat = false, isDouble = false; // a literal 0f... or 0d...
    uint32_t index = 0; // of the register, in Module::constants, or of the instruction
    int64_t offset = 0;
    uint64_t bits = 0; // of a constant
    std::string name;  // of a label or a callee
    std::vector<Operand> elements;
};

/// Runs an instruction for some lanes of a warp.
using Handler = void (*)(Warp &warp, const Instruction &at, Lanes lanes);

struct Instruction {
    Handler run = nullptr;
    bool isControl = false; // `run` says where each lane goes on
    bool guarded = false, guardNegated = false;
    uint32_t guard = 0; // register
    uint32_t line = 0, userLine = 0, userFile = 0;
    std::vector<std::string> words; // "ld", "global", "nc", "b64"
    std::vector<Operand> operands;
    // What decode() found in the words.
    Type type = Type::None, from = Type::None;
    Space space = Space::Generic;
    int rounding = 0; // as fesetround takes it
    bool saturate = false, flush = false;
    bool ordered = false; // volatile, relaxed, acquire, release: no race with others of its kind
    uint8_t count = 1;    // elements of a vector access
    uint32_t extra = 0;   // an instruction's own

    bool has(std::string_view word) const;
};

struct Variable {
    std::string name;
    Space space;
    Type type;
    uint64_t offset = 0, bytes = 0, align = 1; // the offset: in its space, or its address if global
    std::vector<uint8_t> initial;
};

struct Function {
    std::string name;
    bool isEntry = false;
    uint32_t first = 0, last = 0; // instructions
    std::vector<Variable> parameters, results;
    uint64_t parameterBytes = 0; // of an entry
    uint64_t sharedBytes = 0, localBytes = 0;
    int required[3] = {0, 0, 0}, most[3] = {0, 0, 0}; // .reqntid, .maxntid
    int registers = 0;                                // as declared: LLVM's are virtual
    uint32_t firstRegister = 0, lastRegister = 0;     // of the module's
};

struct Module {
    std::vector<std::string> lines; // the text
    std::string target;
    std::vector<Instruction> instructions;
    std::map<std::string, Function> functions;
    std::map<std::string, Variable> globals; // .global and .const; the caller gives them memory
    std::map<uint32_t, std::string> files;
    std::vector<uint64_t> constants;          // of operands: 32 equal lanes each
    std::map<std::string, uint32_t> specials; // "%tid.x": the register that holds it
    uint32_t registers = 0; // of all functions: none calls itself, each has its own
    uint64_t localBytes = 0, paramBytes = 0; // of one thread: variables and call parameters
    uint64_t dynamicShared = 0;              // the offset of `.extern .shared` memory

    std::string describe(uint32_t instruction) const; // "line 12: ld.global ... (file.py:3)"
};

/// The module of a text. `place` gives a global variable its address.
std::unique_ptr<Module> parse(std::string_view text,
                              std::function<uint64_t(const Variable &)> place);

/// What runs an instruction; throws ParseError with its text where nothing does.
void decode(Instruction &at);

} // namespace driver
