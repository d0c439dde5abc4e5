#include "lower/function/text.h"

#include "ir/layout.h"
#include "lower/kit/errors.h"
#include "lower/kit/runtime_function.h"
#include "runtime/memory.h"
#include "runtime/text.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/ConvertUTF.h"

using namespace mlir;

namespace shapecast {

namespace {

struct Characters {
    std::string bytes;
    int64_t length, width;
};

} // namespace

static Characters charactersOf(StringRef utf8) {
    SmallVector<llvm::UTF32> codes(utf8.size());
    const auto *from = reinterpret_cast<const llvm::UTF8 *>(utf8.data());
    llvm::UTF32 *to = codes.data();
    llvm::ConvertUTF8toUTF32(&from, from + utf8.size(), &to, to + codes.size(),
                             llvm::lenientConversion);
    codes.truncate(size_t(to - codes.data()));
    if (llvm::all_of(codes, [](llvm::UTF32 code) { return code < 256; }))
        return {std::string(codes.begin(), codes.end()), int64_t(codes.size()), 1};
    const auto *wide = reinterpret_cast<const char *>(codes.data());
    return {std::string(wide, codes.size() * 4), int64_t(codes.size()), 4};
}

// A buffer as the run time makes it: the header, whose count never ends, and the string.
static LLVM::GlobalOp textGlobal(FunctionState &state, Location loc, StringRef text) {
    MLIRContext *ctx = state.b.getContext();
    const std::string name = (state.source.getSymName() + ".string" + Twine(state.texts++)).str();
    const Characters characters = charactersOf(text);
    OpBuilder outer = OpBuilder::atBlockBegin(state.module.getBody());
    const Type i64 = outer.getI64Type(), pointer = LLVM::LLVMPointerType::get(ctx);
    auto bytes = LLVM::GlobalOp::create(
        outer, loc, LLVM::LLVMArrayType::get(outer.getI8Type(), characters.bytes.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, name + ".characters",
        outer.getStringAttr(characters.bytes), /*alignment=*/8);
    constexpr int64_t headerWords = runtime::bufferHeader / 8,
                      ownersWord = offsetof(runtime::Buffer, owners) / 8,
                      dataWord = offsetof(runtime::Text, data) / 8;
    SmallVector<Type> words(headerWords + runtime::textWords, i64);
    words[headerWords + dataWord] = pointer;
    auto type = LLVM::LLVMStructType::getLiteral(ctx, words);
    auto global = LLVM::GlobalOp::create(outer, loc, type, /*isConstant=*/false,
                                         LLVM::Linkage::Internal, name, Attribute(),
                                         /*alignment=*/64);
    OpBuilder b(ctx);
    b.createBlock(&global.getInitializerRegion());
    Value value = LLVM::ZeroOp::create(b, loc, type);
    auto set = [&](int64_t word, Value field) {
        value = LLVM::InsertValueOp::create(b, loc, value, field, ArrayRef<int64_t>{word});
    };
    auto number = [&](int64_t n) {
        return LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(n));
    };
    set(ownersWord, number(runtime::foreverOwned));
    set(headerWords + runtime::textLengthWord, number(characters.length));
    set(headerWords + offsetof(runtime::Text, width) / 8, number(characters.width));
    set(headerWords + dataWord, LLVM::AddressOfOp::create(b, loc, bytes));
    LLVM::ReturnOp::create(b, loc, value);
    return global;
}

Handle emitText(FunctionState &state, np::TextOp op) {
    Location loc = op.getLoc();
    OpBuilder &b = state.b;
    const Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    Value start = LLVM::AddressOfOp::create(b, loc, textGlobal(state, loc, op.getText()));
    Value data = LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), start,
                                     ArrayRef<LLVM::GEPArg>{int32_t(runtime::bufferHeader)});
    Value owner = LLVM::PtrToIntOp::create(b, loc, b.getI64Type(), data);
    return {data, owner, np::dimConst(b.getContext(), 0),
            np::stridesOf(cast<np::ArrayType>(op.getType()), {})};
}

static Value addressOf(FunctionState &state, Location loc, Value text) {
    return state.address(loc, state.handles.at(text), cast<np::ArrayType>(text.getType()));
}

Handle emitTextAt(FunctionState &state, np::TextAtOp op) {
    Location loc = op.getLoc();
    OpBuilder &b = state.b;
    Value data = RuntimeFunction<&runtime::sc_text_character>(state.module)
                     .call(b, loc, state.context, addressOf(state, loc, op.getText()),
                           state.scalars.lookup(op.getIndex()).re);
    Value owner = LLVM::PtrToIntOp::create(b, loc, b.getI64Type(), data);
    Value zero = state.dims.constant(b, loc, 0);
    failWhen(state, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, owner, zero), loc);
    return {data, owner, np::dimConst(b.getContext(), 0),
            np::stridesOf(cast<np::ArrayType>(op.getType()), {})};
}

bool emitTextCall(FunctionState &state, np::NativeOp op) {
    if (op.getName() != "text_is" || op.getOperands_().size() > 3)
        return false;
    Location loc = op.getLoc();
    auto operand = [&](unsigned k) { return state.scalars.lookup(op.getOperands_()[k]).re; };
    Value word = op.getOperands_().size() == 3 ? operand(2) : state.dims.constant(state.b, loc, 0);
    Value is =
        RuntimeFunction<&runtime::sc_text_is_word>(state.module)
            .call(state.b, loc, addressOf(state, loc, op.getOperands_()[0]), operand(1), word);
    state.scalars[op] = {is, Value()};
    return true;
}

} // namespace shapecast
