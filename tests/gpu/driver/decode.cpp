#include "opcodes.h"

namespace driver {
namespace {

bool isValue(const Operand &one) {
    return one.kind == Operand::Register || one.kind == Operand::Constant;
}

// What handlers read and write without looking: values, and one or two results, registers or `_`.
bool areValues(const Instruction &at, bool mayPack) {
    for (size_t k = 0; k < at.operands.size(); ++k) {
        const Operand &one = at.operands[k];
        bool isResult = k < 2 && (one.kind == Operand::Register || one.kind == Operand::Nothing);
        bool isPack = mayPack && one.kind == Operand::Vector;
        if (isPack)
            for (const Operand &element : one.elements)
                if (!isValue(element) && element.kind != Operand::Nothing)
                    return false;
        if (!isResult && !isPack && (k == 0 || !isValue(one)))
            return false;
    }
    return true;
}

struct Family {
    std::span<const Opcode> opcodes;
    bool ofValues; // no addresses, labels or lists among the operands
};

} // namespace

void decode(Instruction &at) {
    const Family families[] = {{integerOpcodes, true},  {floatOpcodes, true},
                               {compareOpcodes, true},  {convertOpcodes, true},
                               {memoryOpcodes, false},  {atomicOpcodes, false},
                               {controlOpcodes, false}, {warpOpcodes, true}};
    for (const Family &family : families)
        for (const Opcode &one : family.opcodes) {
            if (one.name != at.words[0])
                continue;
            if (at.operands.size() < one.least || at.operands.size() > one.most)
                continue;
            if (family.ofValues && !areValues(at, one.name == "mov"))
                continue;
            Modifiers words(at);
            at.isControl = false;
            at.flush = at.saturate = at.ordered = false;
            at.rounding = FE_TONEAREST;
            at.run = one.decode(at, words);
            if (at.run && words.empty())
                return;
        }
    std::string name = at.words[0];
    for (size_t k = 1; k < at.words.size(); ++k)
        name += "." + at.words[k];
    throw ParseError("the driver of the tests does not know " + name + " with " +
                     std::to_string(at.operands.size()) + " operands of these kinds");
}

} // namespace driver
