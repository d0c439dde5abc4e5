#include "block.h"

#include <algorithm>
#include <numeric>

namespace driver {
namespace {

std::string threadName(const Launch &launch, unsigned thread) {
    unsigned x = thread % launch.block[0], y = thread / launch.block[0] % launch.block[1],
             z = thread / launch.block[0] / launch.block[1];
    return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

// "3, 8-31"
std::string ranges(const std::vector<unsigned> &numbers) {
    std::string text;
    for (size_t k = 0; k < numbers.size();) {
        size_t end = k;
        while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1)
            end += 1;
        text += (text.empty() ? "" : ", ") + std::to_string(numbers[k]) +
                (end > k ? "-" + std::to_string(numbers[end]) : "");
        k = end + 1;
    }
    return text;
}

// The value of a special register that all lanes share, or of a lane.
uint64_t special(const std::string &name, const Warp &warp, int lane) {
    const Launch &launch = warp.launch;
    unsigned thread = warp.number * kLanes + lane;
    Lanes bit = Lanes(1) << lane;
    if (name == "%laneid")
        return lane;
    if (name == "%warpid")
        return warp.number;
    if (name == "%nwarpid")
        return (launch.threads() + kLanes - 1) / kLanes;
    if (name == "%lanemask_eq")
        return bit;
    if (name == "%lanemask_lt")
        return bit - 1;
    if (name == "%lanemask_le")
        return bit | (bit - 1);
    if (name == "%lanemask_gt")
        return ~(bit | (bit - 1));
    if (name == "%lanemask_ge")
        return ~(bit - 1);
    if (name == "%smid")
        return warp.block.linear % 2;
    if (name == "%nsmid")
        return 2;
    size_t dot = name.find('.');
    int axis = dot + 1 < name.size() ? name[dot + 1] - 'x' : 3;
    std::string base = name.substr(0, dot);
    if (axis < 0 || axis > 2)
        throw Fault(CUDA_ERROR_INVALID_PTX, "the register " + name + " is not known");
    unsigned of[3] = {thread % launch.block[0], thread / launch.block[0] % launch.block[1],
                      thread / launch.block[0] / launch.block[1]};
    if (base == "%tid")
        return of[axis];
    if (base == "%ntid")
        return launch.block[axis];
    if (base == "%ctaid")
        return warp.block.index[axis];
    if (base == "%nctaid")
        return launch.grid[axis];
    throw Fault(CUDA_ERROR_INVALID_PTX, "the register " + name + " is not known");
}

} // namespace

//===-- Warps

Warp::Warp(Block &block, unsigned number)
    : block(block), launch(block.launch), module(*launch.module), number(number),
      registers(std::make_unique_for_overwrite<uint64_t[]>(size_t(module.registers) * kLanes)),
      local(module.localBytes * kLanes), parameters(module.paramBytes * kLanes) {
    unsigned count = std::min<unsigned>(kLanes, launch.threads() - number * kLanes);
    exists = count == kLanes ? ~Lanes(0) : (Lanes(1) << count) - 1;
    for (const auto &[name, index] : module.specials)
        for (int lane = 0; lane < kLanes; ++lane)
            specials.push_back(special(name, *this, lane));
}

void Warp::restart() {
    live = exists;
    waiting = atBarrier = 0;
    warpBarriers = 0;
    std::fill(std::begin(pc), std::end(pc), launch.kernel->first);
    for (auto &stack : returns)
        stack.clear();
    for (const auto &[name, function] : module.functions)
        if (!function.isEntry || &function == launch.kernel)
            std::memset(&registers[size_t(function.firstRegister) * kLanes], 0xC7,
                        (function.lastRegister - function.firstRegister) * kLanes *
                            sizeof(uint64_t));
    std::memset(local.data(), 0xC7, local.size());
    for (size_t k = 0; const auto &[name, index] : module.specials) {
        uint64_t *values = &specials[k++ * kLanes];
        if (name.starts_with("%ctaid") || name == "%smid")
            std::fill(values, values + kLanes, special(name, *this, 0));
        std::copy(values, values + kLanes, &registers[size_t(index) * kLanes]);
    }
}

void Warp::run() {
    while (Lanes ready = live & ~waiting) {
        uint32_t here = UINT32_MAX, next = UINT32_MAX;
        for (Lanes rest = ready; rest; rest &= rest - 1)
            here = std::min(here, pc[std::countr_zero(rest)]);
        group = 0;
        for (Lanes rest = ready; rest; rest &= rest - 1) {
            int lane = std::countr_zero(rest);
            if (pc[lane] == here)
                group |= Lanes(1) << lane;
            else
                next = std::min(next, pc[lane]);
        }
        runGroup(here, next);
    }
}

void Warp::runGroup(uint32_t at, uint32_t next) {
    uint64_t instructions = 0, lanesRun = 0;
    auto stop = [&](uint32_t on) {
        for (Lanes rest = group; rest; rest &= rest - 1)
            pc[std::countr_zero(rest)] = on;
        launch.counters->warpInstructions += instructions;
        launch.counters->laneInstructions += lanesRun;
        if (launch.instructionsLeft < instructions)
            throw Fault(CUDA_ERROR_LAUNCH_TIMEOUT, "runs without end");
        launch.instructionsLeft -= instructions;
    };
    for (;; ++at) {
        if (at >= next)
            return stop(at);
        const Instruction &one = module.instructions[at];
        current = at;
        Lanes lanes = group;
        if (one.guarded) {
            const uint64_t *guard = registers.get() + size_t(one.guard) * kLanes;
            Lanes set = 0;
            for (int lane = 0; lane < kLanes; ++lane)
                set |= Lanes(guard[lane] & 1) << lane;
            lanes &= one.guardNegated ? ~set : set;
        }
        instructions += 1;
        lanesRun += std::popcount(lanes);
        if (one.isControl) {
            stop(at + 1);
            if (lanes)
                one.run(*this, one, lanes);
            return;
        }
        if (lanes)
            one.run(*this, one, lanes);
    }
}

bool Warp::converge(Lanes &lanes, Lanes members) {
    if (Lanes strangers = lanes & ~members)
        throw Fault(CUDA_ERROR_LAUNCH_FAILED, "lane " +
                                                  std::to_string(std::countr_zero(strangers)) +
                                                  " runs this, and is not in its mask of lanes");
    Lanes here = lanes;
    for (Lanes rest = waiting & ~atBarrier; rest; rest &= rest - 1)
        if (int lane = std::countr_zero(rest); waitsAt[lane] == current)
            here |= Lanes(1) << lane;
    if ((here & members) != members) {
        for (Lanes rest = lanes; rest; rest &= rest - 1)
            waitsAt[std::countr_zero(rest)] = current;
        waiting |= lanes;
        return false;
    }
    waiting &= ~here;
    lanes = here;
    return true;
}

Stamp Warp::stamp(int lane) const {
    Stamp made;
    made.launch = launch.number;
    made.block = block.linear;
    made.thread = number * kLanes + lane;
    made.barriers = block.barriersPassed;
    made.warpBarriers = warpBarriers;
    return made;
}

//===-- Blocks

Block::Block(Launch &launch)
    : launch(launch), shared(launch.kernel->sharedBytes + launch.dynamicShared),
      sharedShadow(shared.size(), true) {
    unsigned count = (launch.threads() + kLanes - 1) / kLanes;
    warps.reserve(count);
    for (unsigned k = 0; k < count; ++k)
        warps.emplace_back(*this, k);
}

void Block::run(unsigned number) {
    linear = number;
    index[0] = number % launch.grid[0];
    index[1] = number / launch.grid[0] % launch.grid[1];
    index[2] = number / launch.grid[0] / launch.grid[1];
    barriersPassed = 0;
    cache.clear();
    std::fill(std::begin(barriers), std::end(barriers), Barrier{});
    std::memset(shared.data(), 0xC7, shared.size());
    for (Warp &warp : warps)
        warp.restart();
    std::vector<unsigned> order(warps.size());
    std::iota(order.begin(), order.end(), 0);
    for (;;) {
        if (launch.random)
            std::shuffle(order.begin(), order.end(), *launch.random);
        bool ran = false, lives = false;
        for (unsigned k : order) {
            if (warps[k].live & ~warps[k].waiting) {
                ran = true;
                try {
                    warps[k].run();
                } catch (Fault &fault) {
                    unsigned lane = std::countr_zero(warps[k].group);
                    throw Fault(fault.code, std::string(fault.what()) + "\n  at " +
                                                launch.module->describe(warps[k].current) +
                                                "\n  in block (" + std::to_string(index[0]) + ", " +
                                                std::to_string(index[1]) + ", " +
                                                std::to_string(index[2]) + "), warp " +
                                                std::to_string(k) + " with thread " +
                                                threadName(launch, k * kLanes + lane));
                }
            }
            lives |= warps[k].live != 0;
        }
        if (!lives)
            return;
        if (!ran)
            reportDeadlock();
    }
}

void Block::arrive(unsigned number, unsigned expected, Warp &warp, Lanes lanes,
                   const Instruction &at, bool waits) {
    Barrier &barrier = barriers[number];
    if (!expected)
        expected = launch.threads();
    barrier.arrived += std::popcount(lanes);
    if (waits) {
        barrier.waiting.push_back({&warp, lanes, &at});
        warp.waiting |= lanes;
        warp.atBarrier |= lanes;
        for (Lanes rest = lanes; rest; rest &= rest - 1)
            warp.waitsAt[std::countr_zero(rest)] = warp.current;
    }
    if (barrier.arrived < expected)
        return;
    if (barrier.arrived > expected)
        throw Fault(CUDA_ERROR_LAUNCH_FAILED, std::to_string(barrier.arrived) +
                                                  " threads arrive at a barrier of " +
                                                  std::to_string(expected));
    if (expected == launch.threads())
        barriersPassed += 1;
    for (Barrier::Waiting &one : barrier.waiting) {
        one.warp->waiting &= ~one.lanes;
        one.warp->atBarrier &= ~one.lanes;
        if (!one.at->has("red"))
            continue;
        uint64_t result = one.at->has("popc")  ? barrier.population
                          : one.at->has("and") ? barrier.population == expected
                                               : barrier.population > 0;
        forEach(one.lanes,
                [&](int lane) { put<uint64_t>(one.warp->out(one.at->operands[0]), lane, result); });
    }
    barrier = {};
}

void Block::reportDeadlock() {
    std::map<uint32_t, std::vector<unsigned>> waiting;
    std::vector<unsigned> ended;
    for (Warp &warp : warps)
        for (int lane = 0; lane < kLanes; ++lane) {
            if (!(warp.exists >> lane & 1))
                continue;
            unsigned thread = warp.number * kLanes + lane;
            if (warp.live >> lane & 1)
                waiting[warp.waitsAt[lane]].push_back(thread);
            else
                ended.push_back(thread);
        }
    std::string text = "threads of block (" + std::to_string(index[0]) + ", " +
                       std::to_string(index[1]) + ", " + std::to_string(index[2]) +
                       ") wait without end:";
    for (const auto &[at, threads] : waiting)
        text += "\n  " + ranges(threads) + " at " + launch.module->describe(at);
    if (!ended.empty())
        text += "\n  " + ranges(ended) + " have ended";
    throw Fault(CUDA_ERROR_LAUNCH_FAILED, text);
}

//===-- Launches

void Launch::run() {
    Block one(*this);
    uint64_t count = uint64_t(grid[0]) * grid[1] * grid[2];
    std::vector<unsigned> order;
    if (random) {
        order.resize(count);
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), *random);
    }
    counters->launches += 1;
    counters->blocks += count;
    try {
        for (uint64_t k = 0; k < count; ++k)
            one.run(random ? order[k] : k);
    } catch (Fault &fault) {
        throw Fault(fault.code, "kernel " + kernel->name + " " + fault.what());
    }
}

} // namespace driver
