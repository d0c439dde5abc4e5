// Branches, calls, ends and barriers (PTX ISA 9.7.12, 9.7.13.1).
#include "opcodes.h"

namespace driver {
namespace {

void runBranch(Warp &warp, const Instruction &at, Lanes lanes) {
    if (lanes != warp.group) {
        if (at.has("uni"))
            throw Fault(CUDA_ERROR_LAUNCH_FAILED,
                        "branches with .uni, and not all of its lanes do");
        warp.launch.counters->divergentBranches += 1;
    }
    forEach(lanes, [&](int lane) { warp.pc[lane] = at.operands[0].index; });
}
Handler decodeBranch(Instruction &at, Modifiers &words) {
    words.take("uni");
    at.isControl = true;
    return at.operands.size() == 1 && at.operands[0].kind == Operand::Label ? runBranch : nullptr;
}

// brx.idx %r, targets
void runIndexedBranch(Warp &warp, const Instruction &at, Lanes lanes) {
    const uint64_t *index = warp.in(at.operands[0]);
    const auto &targets = at.operands[1].elements;
    forEach(lanes, [&](int lane) {
        uint32_t chosen = get<uint32_t>(index, lane);
        if (chosen >= targets.size())
            throw Fault(CUDA_ERROR_ILLEGAL_INSTRUCTION, "branches to target " +
                                                            std::to_string(chosen) + " of " +
                                                            std::to_string(targets.size()));
        warp.pc[lane] = targets[chosen].index;
    });
}
Handler decodeIndexedBranch(Instruction &at, Modifiers &words) {
    words.take("uni");
    at.isControl = true;
    bool isValid = at.operands[0].kind == Operand::Register && at.operands[1].kind == Operand::List;
    return words.take("idx") && isValid ? runIndexedBranch : nullptr;
}

//===-- Calls: arguments and results are copied between the .param variables of the two functions

void copyParameters(Warp &warp, const Operand &list, Lanes lanes, bool toCaller) {
    uint64_t bytes = warp.module.paramBytes;
    for (const Operand &one : list.elements)
        forEach(lanes, [&](int lane) {
            uint8_t *mine = &warp.parameters[lane * bytes + one.offset],
                    *theirs = &warp.parameters[lane * bytes + one.index];
            std::memcpy(toCaller ? mine : theirs, toCaller ? theirs : mine, one.bits);
        });
}

void runCall(Warp &warp, const Instruction &at, Lanes lanes) {
    bool isArgument = false;
    uint32_t target = 0;
    for (const Operand &one : at.operands) {
        if (one.kind == Operand::Callee) {
            isArgument = true;
            target = one.index;
        } else if (isArgument) {
            copyParameters(warp, one, lanes, false);
        }
    }
    forEach(lanes, [&](int lane) {
        if (warp.returns[lane].size() == 64)
            throw Fault(CUDA_ERROR_LAUNCH_FAILED,
                        "calls 64 functions deep: recursion is not supported");
        warp.returns[lane].push_back(warp.current);
        warp.pc[lane] = target;
    });
}
Handler decodeCall(Instruction &at, Modifiers &words) {
    words.take("uni");
    at.isControl = true;
    return runCall;
}

void runReturn(Warp &warp, const Instruction &, Lanes lanes) {
    forEach(lanes, [&](int lane) {
        auto &stack = warp.returns[lane];
        if (stack.empty())
            return warp.exit(Lanes(1) << lane);
        const Instruction &call = warp.module.instructions[stack.back()];
        warp.pc[lane] = stack.back() + 1;
        stack.pop_back();
        if (call.operands[0].kind == Operand::List)
            copyParameters(warp, call.operands[0], Lanes(1) << lane, true);
    });
}
Handler decodeReturn(Instruction &at, Modifiers &words) {
    words.take("uni");
    at.isControl = true;
    return runReturn;
}

Handler decodeExit(Instruction &at, Modifiers &) {
    at.isControl = true;
    return [](Warp &warp, const Instruction &, Lanes lanes) { warp.exit(lanes); };
}
Handler decodeTrap(Instruction &, Modifiers &) {
    return
        [](Warp &, const Instruction &, Lanes) { throw Fault(CUDA_ERROR_LAUNCH_FAILED, "traps"); };
}

//===-- Barriers

// bar.sync id{, threads}, bar.arrive id, threads, bar.red.op p, id{, threads}, q: all lanes of a
// warp together; barrier.sync without .aligned: each lane for itself.
void runBarrier(Warp &warp, const Instruction &at, Lanes lanes) {
    if (at.extra & 1 && !warp.converge(lanes, warp.exists))
        return;
    bool reduces = at.has("red"), waits = !at.has("arrive");
    int lane = std::countr_zero(lanes);
    size_t k = reduces;
    unsigned number = get<uint32_t>(warp.in(at.operands[k]), lane), threads = 0;
    if (k + 1 + reduces < at.operands.size())
        threads = get<uint32_t>(warp.in(at.operands[k + 1]), lane);
    if (number >= 16)
        throw Fault(CUDA_ERROR_ILLEGAL_INSTRUCTION,
                    "names barrier " + std::to_string(number) + " of 16");
    if (threads % kLanes)
        throw Fault(CUDA_ERROR_ILLEGAL_INSTRUCTION, "waits for " + std::to_string(threads) +
                                                        " threads, which is no multiple of 32");
    if (reduces) {
        const Operand &predicate = at.operands.back();
        const uint64_t *values = warp.in(predicate);
        forEach(lanes, [&](int k) {
            warp.block.barriers[number].population += get<bool>(values, k) != predicate.negated;
        });
    }
    forEach(lanes, [&](int k) { warp.pc[k] = warp.current + 1; });
    warp.block.arrive(number, threads, warp, lanes, at, waits);
}

void runWarpBarrier(Warp &warp, const Instruction &at, Lanes lanes) {
    Lanes members = get<uint32_t>(warp.in(at.operands[0]), std::countr_zero(lanes)) & warp.exists;
    if (!warp.converge(lanes, members))
        return;
    forEach(lanes, [&](int lane) { warp.pc[lane] = warp.current + 1; });
    warp.warpBarriers += 1;
}

Handler decodeBarrier(Instruction &at, Modifiers &words) {
    at.isControl = true;
    if (words.take("warp"))
        return words.take("sync") ? runWarpBarrier : nullptr;
    words.take("cta");
    bool aligned = words.take("aligned") || at.words[0] == "bar";
    at.extra = aligned;
    static constexpr std::string_view kinds[] = {"sync", "arrive", "red"},
                                      reductions[] = {"popc", "and", "or"};
    int kind = words.takeOneOf(kinds), reduction = words.takeOneOf(reductions);
    words.takeType();
    for (const Operand &one : at.operands)
        if (one.kind != Operand::Register && one.kind != Operand::Constant)
            return nullptr;
    size_t others = at.operands.size() - (kind == 2 ? 2 : 0); // the barrier, the number of threads
    if (at.operands.size() < (kind == 2 ? 3u : 1u) || others > 2)
        return nullptr;
    return kind < 0 || (kind == 2) != (reduction >= 0) ? nullptr : runBarrier;
}

constexpr Opcode table[] = {
    {"bra", decodeBranch, 1, 1},  {"brx", decodeIndexedBranch, 2, 2}, {"call", decodeCall, 1, 3},
    {"ret", decodeReturn, 0, 0},  {"exit", decodeExit, 0, 0},         {"trap", decodeTrap, 0, 0},
    {"bar", decodeBarrier, 1, 4}, {"barrier", decodeBarrier, 1, 4},
};

} // namespace

const std::span<const Opcode> controlOpcodes = table;

} // namespace driver
