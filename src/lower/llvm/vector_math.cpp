// Vector math bindings: see the header.
#include "lower/llvm/vector_math.h"

#include "mathlib/mathlib.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace shapecast {
namespace {

struct Isa {
    char letter; // of the vector function ABI
    unsigned bits;
    const mathlib::Body *(*bodies)(size_t *count);
};
constexpr unsigned maxLanes = 64; // of a loop over bytes in 512 bits

#if defined(__aarch64__)
Isa widestIsa(const TargetMachine &) { return {'n', 128, mathlib::neonBodies}; }
const auto anyBodies = mathlib::neonBodies;
#else
Isa widestIsa(const TargetMachine &target) {
    const MCSubtargetInfo &features = *target.getMCSubtargetInfo();
    if (features.checkFeatures("+avx512f,+avx512dq,+avx512bw,+avx512vl"))
        return {'e', 512, mathlib::avx512Bodies};
    if (features.checkFeatures("+avx2,+fma"))
        return {'d', 256, mathlib::avx2Bodies};
    return {'b', 128, mathlib::sseBodies}; // SSE4.2: every x86-64 that NumPy 2 runs on
}
const auto anyBodies = mathlib::sseBodies;
#endif

// The number of arguments by name.
const StringMap<unsigned> &knownFunctions() {
    static const StringMap<unsigned> known = [] {
        StringMap<unsigned> map;
        size_t count = 0;
        const mathlib::Body *bodies = anyBodies(&count); // the same names in all
        for (const mathlib::Body &body : ArrayRef(bodies, count))
            map[body.name] = body.arguments;
        return map;
    }();
    return known;
}

constexpr StringLiteral lanesMark = ".lanes";

// `exp` and `llvm.exp.f64` are exp on float64s, `expf` and `llvm.exp.f32` on float32s.
struct MathCall {
    std::string base; // "exp"
    bool isFloat;
};
std::optional<MathCall> mathCall(const Function &callee) {
    StringRef name = callee.getName();
    Type *type = callee.getReturnType();
    if (!callee.isDeclaration() || !(type->isFloatTy() || type->isDoubleTy()))
        return std::nullopt;
    const bool isFloat = type->isFloatTy();
    if (name.consume_front("llvm.")) {
        if (!name.consume_back(isFloat ? ".f32" : ".f64"))
            return std::nullopt;
    } else if (isFloat && !name.consume_back("f")) {
        return std::nullopt;
    }
    auto found = knownFunctions().find(name);
    if (found == knownFunctions().end() || callee.arg_size() != found->second)
        return std::nullopt;
    return MathCall{name.str(), isFloat};
}

// The function on a whole vector: "_ZGVdN4v_sc_exp".
std::string widestName(StringRef base, bool isFloat, unsigned arguments, Isa isa) {
    const unsigned lanes = isa.bits / (isFloat ? 32 : 64);
    return (Twine("_ZGV") + Twine(isa.letter) + "N" + Twine(lanes) + std::string(arguments, 'v') +
            "_sc_" + base + (isFloat ? "f" : ""))
        .str();
}

bool keepsRegisters(StringRef base, Isa isa) {
    size_t count = 0;
    const mathlib::Body *bodies = isa.bodies(&count);
    return llvm::any_of(ArrayRef(bodies, count), [&](const mathlib::Body &body) {
        return body.keepsRegisters && base == body.name;
    });
}

// Declares `name` as the function on `lanes` lanes.
Function *declareVector(Function &callee, const std::string &name, unsigned lanes) {
    Type *vector = FixedVectorType::get(callee.getReturnType(), lanes);
    const SmallVector<Type *, 2> arguments(callee.arg_size(), vector);
    auto declared =
        callee.getParent()->getOrInsertFunction(name, FunctionType::get(vector, arguments, false));
    auto *function = cast<Function>(declared.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    return function;
}

void declareWidest(Function &callee, const MathCall &call, const std::string &name, Isa isa) {
    Function *function = declareVector(callee, name, isa.bits / (call.isFloat ? 32 : 64));
    if (keepsRegisters(call.base, isa))
        function->setCallingConv(CallingConv::Intel_OCL_BI);
}

// A placeholder for the widest function at another number of lanes, until expandVectorMath.
std::string placeholder(StringRef widest, unsigned lanes) {
    return (Twine(widest) + ".x" + Twine(lanes)).str();
}

// The value of `vector-function-abi-variant` for calls of this function.
std::string variantsOf(Function &callee, StringRef widest) {
    std::string variants;
    for (unsigned lanes = 2; lanes <= maxLanes; lanes *= 2) {
        const std::string target = placeholder(widest, lanes);
        declareVector(callee, target, lanes);
        variants += (variants.empty() ? "" : ",") + ("_ZGV_LLVM_N" + Twine(lanes)).str() +
                    std::string(callee.arg_size(), 'v') + "_" + callee.getName().str() + "(" +
                    target + ")";
    }
    return variants;
}

// Lanes first, first + 1, ... of a vector (or the scalar in all); beyond its end the last one
// again.
Value *lanesFrom(IRBuilder<> &b, Value *value, unsigned first, unsigned count) {
    auto *type = dyn_cast<FixedVectorType>(value->getType());
    if (!type)
        return b.CreateVectorSplat(count, value);
    const unsigned last = type->getNumElements() - 1;
    SmallVector<int, 64> mask;
    for (unsigned k = 0; k < count; ++k)
        mask.push_back(std::min(first + k, last));
    return b.CreateShuffleVector(value, mask);
}

// The call of a scalar or placeholder as calls of the widest function.
void expand(CallInst *call, Function *widest) {
    IRBuilder<> b(call);
    auto *type = dyn_cast<FixedVectorType>(call->getType());
    const unsigned wanted = type ? type->getNumElements() : 1;
    const unsigned width = cast<FixedVectorType>(widest->getReturnType())->getNumElements();
    Value *result = nullptr;
    for (unsigned first = 0; first < wanted; first += width) {
        SmallVector<Value *, 2> arguments;
        for (Value *argument : call->args())
            arguments.push_back(lanesFrom(b, argument, first, width));
        CallInst *part = b.CreateCall(widest, arguments);
        part->setCallingConv(widest->getCallingConv());
        if (!result) {
            result = part;
            continue;
        }
        SmallVector<int, 64> mask; // all lanes up to here, then the part's
        for (unsigned k = 0; k < first + width; ++k)
            mask.push_back(k);
        result = b.CreateShuffleVector(result, lanesFrom(b, part, 0, first), mask);
    }
    call->replaceAllUsesWith(type ? lanesFrom(b, result, 0, wanted)
                                  : b.CreateExtractElement(result, uint64_t(0)));
    call->eraseFromParent();
}

// The widest function that a call of a placeholder, or a scalar call with variants, stands for.
Function *widestOf(CallInst *call) {
    Function *callee = call->getCalledFunction();
    if (!callee || !callee->isDeclaration())
        return nullptr;
    StringRef name = callee->getName();
    if (call->hasFnAttr(VFABI::MappingsAttrName))
        name = call->getFnAttr(VFABI::MappingsAttrName).getValueAsString().split('(').second;
    else if (!name.starts_with("_ZGV"))
        return nullptr;
    return callee->getParent()->getFunction(name.split(".x").first);
}

// Scalarises a call of lanesName(function, lanes); LLVM may vectorise it again for the target.
void scalarise(CallInst *call, Function *scalar) {
    IRBuilder<> b(call);
    auto *type = cast<FixedVectorType>(call->getType());
    Value *result = PoisonValue::get(type);
    for (uint64_t lane = 0; lane < type->getNumElements(); ++lane) {
        SmallVector<Value *, 2> arguments;
        for (Value *argument : call->args())
            arguments.push_back(b.CreateExtractElement(argument, lane));
        result = b.CreateInsertElement(result, b.CreateCall(scalar, arguments), lane);
    }
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
}

// Calls on vectors become calls of placeholders, or of the scalar function where there is no vector
// function.
void bindLanes(Module &module, Isa isa) {
    for (Function &callee : make_early_inc_range(module)) {
        auto [name, lanes] = callee.getName().split(lanesMark);
        if (lanes.empty())
            continue;
        auto *type = cast<FixedVectorType>(callee.getReturnType());
        const SmallVector<Type *, 2> arguments(callee.arg_size(), type->getElementType());
        auto *scalar =
            cast<Function>(module
                               .getOrInsertFunction(name, FunctionType::get(type->getElementType(),
                                                                            arguments, false))
                               .getCallee());
        std::optional<MathCall> call = mathCall(*scalar);
        if (call) {
            const std::string widest =
                widestName(call->base, call->isFloat, callee.arg_size(), isa);
            declareWidest(*scalar, *call, widest, isa);
            callee.replaceAllUsesWith(declareVector(
                *scalar, placeholder(widest, type->getNumElements()), type->getNumElements()));
        } else {
            for (User *user : make_early_inc_range(callee.users()))
                scalarise(cast<CallInst>(user), scalar);
        }
        callee.eraseFromParent();
    }
}

bool isNest(const Function &function) {
    return function.hasLocalLinkage() && !function.hasFnAttribute("python_scalars");
}

} // namespace

bool isVectorMath(StringRef function) {
    return knownFunctions().contains(function) ||
           (function.consume_back("f") && knownFunctions().contains(function));
}

bool isLanesName(StringRef function) { return function.contains(lanesMark); }

std::string lanesName(StringRef function, unsigned lanes) {
    return (function + lanesMark + Twine(lanes)).str();
}

void bindVectorMath(Module &module, const TargetMachine &target) {
    const Isa isa = widestIsa(target);
    bindLanes(module, isa);
    SmallVector<Function *> functions;
    for (Function &function : module)
        functions.push_back(&function); // a copy: declarations are added meanwhile
    for (Function *callee : functions) {
        std::optional<MathCall> call = mathCall(*callee);
        if (!call || callee->use_empty())
            continue;
        const std::string widest = widestName(call->base, call->isFloat, callee->arg_size(), isa);
        declareWidest(*callee, *call, widest, isa);
        const std::string variants = variantsOf(*callee, widest);
        // No errno, no traps: only such calls may be made for several lanes at once.
        callee->setDoesNotAccessMemory();
        callee->setDoesNotThrow();
        callee->setWillReturn();
        callee->addFnAttr(Attribute::Speculatable); // may be hoisted out of loops with early exits
        for (User *user : callee->users()) {
            auto *site = dyn_cast<CallInst>(user);
            if (!site || site->getCalledFunction() != callee)
                continue;
            site->setDoesNotAccessMemory();
            site->setDoesNotThrow();
            site->addFnAttr(Attribute::get(module.getContext(), VFABI::MappingsAttrName, variants));
            // Intel's cores prefer 256 bits, in which half of each call would be thrown away.
            site->getFunction()->addFnAttr("prefer-vector-width", std::to_string(isa.bits));
        }
    }
}

void expandVectorMath(Module &module) {
    for (Function &function : module) {
        if (function.isDeclaration())
            continue;
        for (Instruction &instruction : make_early_inc_range(instructions(function))) {
            auto *call = dyn_cast<CallInst>(&instruction);
            Function *widest = call ? widestOf(call) : nullptr;
            // Nests are internal functions; the entry's own scalars are Python's, and libm's.
            if (widest && (isNest(function) || call->getType()->isVectorTy()))
                expand(call, widest);
        }
    }
    for (Function &function : make_early_inc_range(module))
        if (function.isDeclaration() && function.use_empty() &&
            function.getName().starts_with("_ZGV"))
            function.eraseFromParent();
}

std::vector<VectorFunction> vectorMath(const TargetMachine &target) {
    const Isa isa = widestIsa(target);
    size_t count = 0;
    const mathlib::Body *bodies = isa.bodies(&count);
    std::vector<VectorFunction> functions;
    for (const mathlib::Body &body : ArrayRef(bodies, count))
        for (bool isFloat : {false, true})
            functions.push_back(
                {widestName(body.name, isFloat, body.arguments, isa), body.functions[isFloat]});
    return functions;
}

} // namespace shapecast
