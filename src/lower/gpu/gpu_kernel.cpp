// Nests as kernels: loops over threads and blocks, the nest's body inside (see the header).
#include "lower/gpu/gpu_kernel.h"

#include "lower/gpu/gpu_block.h"
#include "lower/nest/nest_body.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;

namespace shapecast {

using gpu::Axis;
using gpu::blockThreads;
using np::DimAttr;

namespace {

using Values = SmallVector<Value>;

constexpr int64_t tile[] = {32, 8};    // threads of a block over several loops: a warp along x
constexpr int64_t shortReduction = 32; // elements that one thread reduces alone
constexpr int64_t elementsPerThread = 8, maxPartials = 1024; // of a reduction of everything

enum class Form { Elements, Serial, Block, Grid };

// The state that all kernels of a nest share.
struct Work {
    explicit Work(const NestPlan &plan) : plan(plan), op(plan.op) {}

    const NestPlan &plan;
    np::NestOp op;
    Form form = Form::Elements;
    SmallVector<unsigned> kept, reduced; // numbers of the plan's loops
    SmallVector<DimAttr> symbols;
    SmallVector<Value> scalars;
    SmallVector<Attribute> names; // of the parameters
    bool hasPartials = false, hasResults = false;
    bool isArgReduction = false; // argmin, argmax: the last part of a value is its index
    DimAttr partials;            // how many slots per part

    DimAttr product(ArrayRef<unsigned> loops) const {
        DimAttr size = np::dimConst(plan.op->getContext(), 1);
        for (unsigned loop : loops)
            size = np::dimMul(size, plan.loops[loop].size);
        return size;
    }
};

Form formOf(Work &work) {
    bool reduces = llvm::any_of(work.op.getCombine().getAsValueRange<StringAttr>(),
                                [](StringRef combine) { return !combine.empty(); });
    if (!reduces)
        return Form::Elements;
    DimAttr length = work.product(work.reduced);
    bool known = length.isConst();
    if (work.kept.empty())
        return known && length.getValue() <= blockThreads * elementsPerThread ? Form::Block
                                                                              : Form::Grid;
    bool brief = known && length.getValue() <= shortReduction;
    return work.plan.form == NestForm::Rows || brief ? Form::Serial : Form::Block;
}

Work workOf(const NestPlan &plan, KernelNames names) {
    Work work(plan);
    Builder b(work.op.getContext());
    for (unsigned k = 0; k < plan.loops.size(); ++k)
        (plan.loops[k].reduced ? work.reduced : work.kept).push_back(k);
    work.form = formOf(work);
    for (StringRef combine : work.op.getCombine().getAsValueRange<StringAttr>())
        work.isArgReduction |= combine.starts_with("arg");
    work.symbols = planSymbols(plan);
    work.scalars = outsideScalars(work.op);
    for (Value pointer : plan.pointers)
        work.names.push_back(b.getStringAttr(names(pointer)));
    work.names.append(work.symbols.begin(), work.symbols.end());
    for (Value scalar : work.scalars) // a complex one is two parameters
        work.names.append(registerTypes(scalar.getType()).size(), b.getStringAttr(names(scalar)));
    work.hasPartials = work.form == Form::Grid;
    work.hasResults = work.op.getNumResults() > 0;
    assert((!work.hasResults || work.kept.empty()) && "a scalar is a reduction of everything");
    if (work.hasPartials) {
        work.names.push_back(b.getStringAttr("partials"));
        DimAttr whole =
            np::dimCeilDiv(work.product(work.reduced),
                           np::dimConst(b.getContext(), blockThreads * elementsPerThread));
        work.partials = np::dimMin(np::dimMax(whole, np::dimConst(b.getContext(), 1)),
                                   np::dimConst(b.getContext(), maxPartials));
    }
    if (work.hasResults)
        work.names.push_back(b.getStringAttr("results"));
    return work;
}

// One kernel under construction.
class Kernel {
public:
    Kernel(ModuleOp module, const Work &work, StringRef name)
        : work(work), plan(work.plan), op(work.plan.op), loc(op.getLoc()), module(module),
          name(name.str()), function(create()), b(function.getContext()),
          body(plan, NestContext{dims, pointers, scalars}) {
        b.setInsertionPointToEnd(&function.getBody().front());
        emitOutsideConstants(b, op, NestContext{dims, pointers, scalars});
        // Iterators of loops that were dropped are zero.
        for (unsigned k = 0; k < op.getSpace().size(); ++k)
            dims.bind(iteratorSymbol(b.getContext(), k), constant(b, 0));
    }

    void elements();
    void serial();
    void block();
    int64_t partials(); // the number of parts
    void total();

private:
    const Work &work;
    const NestPlan &plan;
    np::NestOp op;
    Location loc;
    ModuleOp module;
    std::string name;
    DimValues dims;
    Values pointers;
    llvm::DenseMap<Value, Scalar> scalars;
    Value partialSlots, resultSlots;

public:
    func::FuncOp function;

private:
    func::FuncOp create();
    void bindParameters(ValueRange rest);
    void launch(ArrayRef<int64_t> threads, ArrayRef<DimAttr> blocks);
    void end() { func::ReturnOp::create(b, loc, ValueRange()); }

    Value constant(OpBuilder &builder, int64_t value) {
        return arith::ConstantIntOp::create(builder, loc, value, 64);
    }
    Value product(OpBuilder &builder, ArrayRef<unsigned> loops) {
        return dims.emit(builder, loc, work.product(loops));
    }
    using Inner = llvm::function_ref<Values(OpBuilder &, Value, ValueRange)>;
    Values stride(OpBuilder &builder, Value from, Value to, Value step, ValueRange carried,
                  Inner inner);
    void overPoints(llvm::function_ref<void(OpBuilder &)> inner);
    void bindLoops(OpBuilder &builder, ArrayRef<unsigned> loops, Value number);
    Value offset(OpBuilder &builder, const NestAccess &access);
    Values at(OpBuilder &builder, ValueRange accumulators);
    Values reduceSerially(OpBuilder &builder, unsigned level, ValueRange accumulators);
    Values reduceStriding(OpBuilder &builder, Value from, Value step);
    Values reduceBlock(OpBuilder &builder, ValueRange values);
    Values identities(OpBuilder &builder);
    Values combine(OpBuilder &builder, ValueRange left, ValueRange right);
    Value isExtreme(OpBuilder &builder, ValueRange value, ValueRange extreme);
    void inFirstThread(OpBuilder &builder, llvm::function_ref<void(OpBuilder &)> inner);
    void storeReductions(OpBuilder &builder, ValueRange values);

    OpBuilder b;
    NestBody body;
};

//===-- The function

func::FuncOp Kernel::create() {
    OpBuilder outside = OpBuilder::atBlockEnd(module.getBody());
    Type pointer = LLVM::LLVMPointerType::get(outside.getContext());
    SmallVector<Type> types(plan.pointers.size(), pointer);
    types.append(work.symbols.size(), outside.getI64Type());
    for (Value scalar : work.scalars)
        llvm::append_range(types, registerTypes(scalar.getType()));
    types.append(work.hasPartials + work.hasResults, pointer);
    auto kernel = func::FuncOp::create(outside, loc, name, outside.getFunctionType(types, {}));
    np::NpDialect::ParametersAttrHelper(outside.getContext())
        .setAttr(kernel, outside.getArrayAttr(work.names));
    for (unsigned k = 0; k < plan.pointers.size(); ++k) {
        if (plan.noalias[k])
            kernel.setArgAttr(k, "llvm.noalias", outside.getUnitAttr());
        if (!plan.written[k])
            kernel.setArgAttr(k, "llvm.readonly", outside.getUnitAttr());
    }
    bindParameters(kernel.addEntryBlock()->getArguments());
    return kernel;
}

void Kernel::bindParameters(ValueRange rest) {
    auto take = [&] {
        Value first = rest.front();
        rest = rest.drop_front();
        return first;
    };
    for (size_t k = 0; k < plan.pointers.size(); ++k)
        pointers.push_back(take());
    for (DimAttr symbol : work.symbols)
        dims.bind(symbol, take());
    for (Value scalar : work.scalars)
        scalars[scalar] = takeParts(scalar.getType(), rest);
    if (work.hasPartials)
        partialSlots = take();
    if (work.hasResults)
        resultSlots = take();
}

void Kernel::launch(ArrayRef<int64_t> threads, ArrayRef<DimAttr> blocks) {
    SmallVector<int32_t> counts(threads);
    MLIRContext *ctx = b.getContext();
    np::NpDialect::LaunchAttrHelper(ctx).setAttr(
        function,
        np::LaunchAttr::get(ctx, b.getDenseI32ArrayAttr(counts), np::dimArray(ctx, blocks)));
}

//===-- Loops

// for (i = from; i < to; i += step), with carried values where there are any
Values Kernel::stride(OpBuilder &builder, Value from, Value to, Value step, ValueRange carried,
                      Inner inner) {
    auto loop = scf::ForOp::create(builder, loc, from, to, step, carried);
    DimValues::Scope scope(dims);
    OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
    Values values = inner(inside, loop.getInductionVar(), loop.getRegionIterArgs());
    if (!carried.empty())
        scf::YieldOp::create(inside, loc, values);
    return Values(loop.getResults());
}

// The iterators of these loops at a position in their common space, the last one fastest.
void Kernel::bindLoops(OpBuilder &builder, ArrayRef<unsigned> loops, Value number) {
    for (size_t k = loops.size(); k-- > 0;) {
        const NestLoop &loop = plan.loops[loops[k]];
        Value index = number;
        if (k > 0) {
            Value size = dims.emit(builder, loc, loop.size);
            index = arith::RemUIOp::create(builder, loc, number, size);
            number = arith::DivUIOp::create(builder, loc, number, size);
        }
        dims.bind(loop.iterators[0], index);
    }
}

// Every thread's points: x along the innermost kept loop, y along all others.
void Kernel::overPoints(llvm::function_ref<void(OpBuilder &)> inner) {
    auto along = [&](OpBuilder &builder, Axis axis, ArrayRef<unsigned> loops,
                     llvm::function_ref<void(OpBuilder &)> then) {
        Value size = product(builder, loops);
        Value threads = gpu::threadCount(builder, loc, axis);
        Value before =
            arith::MulIOp::create(builder, loc, gpu::blockId(builder, loc, axis), threads);
        Value first =
            arith::AddIOp::create(builder, loc, before, gpu::threadId(builder, loc, axis));
        Value all =
            arith::MulIOp::create(builder, loc, gpu::blockCount(builder, loc, axis), threads);
        stride(builder, first, size, all, {}, [&](OpBuilder &inside, Value number, ValueRange) {
            bindLoops(inside, loops, number);
            then(inside);
            return Values();
        });
    };
    ArrayRef<unsigned> kept = work.kept, inmost = kept.take_back(1);
    DimAttr one = np::dimConst(b.getContext(), 1);
    if (kept.size() <= 1) {
        launch({blockThreads, 1},
               {np::dimCeilDiv(work.product(inmost), np::dimConst(b.getContext(), blockThreads)),
                one});
        return along(b, Axis::X, inmost, inner);
    }
    auto blocks = [&](ArrayRef<unsigned> loops, int64_t threads) {
        return np::dimCeilDiv(work.product(loops), np::dimConst(b.getContext(), threads));
    };
    launch(tile, {blocks(inmost, tile[0]), blocks(kept.drop_back(), tile[1])});
    along(b, Axis::Y, kept.drop_back(),
          [&](OpBuilder &inside) { along(inside, Axis::X, inmost, inner); });
}

//===-- Points

// pointer + this many elements, at the bound iterators.
Value Kernel::offset(OpBuilder &builder, const NestAccess &access) {
    DimAttr sum = access.base;
    for (auto [step, loop] : llvm::zip_equal(access.steps, plan.loops))
        sum = np::dimAdd(sum, np::dimMul(step, loop.iterators[0]));
    return dims.emit(builder, loc, sum);
}

Values Kernel::at(OpBuilder &builder, ValueRange accumulators) {
    NestPoint point;
    for (const NestAccess &read : plan.reads)
        point.offsets.push_back(offset(builder, read));
    for (auto [k, write] : llvm::enumerate(plan.writes)) {
        bool stored = cast<StringAttr>(op.getCombine()[k]).getValue().empty();
        point.offsets.push_back(stored ? offset(builder, write) : Value());
    }
    if (!work.isArgReduction)
        return body.at(builder, point, accumulators);
    Values value = body.at(builder, point, {});
    value.push_back(dims.emit(builder, loc, plan.loops[work.reduced[0]].iterators[0]));
    return combine(builder, accumulators, value);
}

void Kernel::storeReductions(OpBuilder &builder, ValueRange values) {
    int64_t slot = 0;
    for (const NestBody::Reduction &r : body.reductions()) {
        Scalar value =
            work.isArgReduction ? Scalar{values.back(), Value()} : takeParts(r.type, values);
        if (r.yield < plan.writes.size()) {
            const NestAccess &write = plan.writes[r.yield];
            storeElement(builder, loc, value, pointers[write.pointer], offset(builder, write),
                         write.dtype);
            continue;
        }
        Values parts;
        appendParts(parts, value);
        for (Value part : parts)
            gpu::storeSlot(builder, loc, resultSlots, constant(builder, slot++), part);
    }
}

//===-- Reductions

Values Kernel::identities(OpBuilder &builder) {
    Values values = body.identities(builder);
    if (work.isArgReduction) // larger than every index
        values.push_back(constant(builder, std::numeric_limits<int64_t>::max()));
    return values;
}

// Equal to the extreme, or a NaN (then the extreme is one).
Value Kernel::isExtreme(OpBuilder &builder, ValueRange value, ValueRange extreme) {
    const NestBody::Reduction &r = body.reductions()[0];
    Loop loop{{r.dtype, r.dtype}, DType::Bool};
    Scalar x = takeParts(r.type, value), y = takeParts(r.type, extreme);
    Value same = emitUfunc(builder, loc, *findUfunc("equal"), loop, {x, y}).re;
    Value isNan = emitUfunc(builder, loc, *findUfunc("not_equal"), loop, {x, x}).re;
    return arith::OrIOp::create(builder, loc, same, isNan);
}

Values Kernel::combine(OpBuilder &builder, ValueRange left, ValueRange right) {
    Values values = body.combine(builder, left, right);
    if (!work.isArgReduction)
        return values;
    // The smaller index of those at which the extreme is.
    Value none = constant(builder, std::numeric_limits<int64_t>::max());
    auto indexOf = [&](ValueRange side) -> Value {
        Value hit = isExtreme(builder, side, values);
        return arith::SelectOp::create(builder, loc, hit, side.back(), none);
    };
    Value first = indexOf(left), second = indexOf(right);
    values.push_back(arith::MinSIOp::create(builder, loc, first, second));
    return values;
}

Values Kernel::reduceSerially(OpBuilder &builder, unsigned level, ValueRange accumulators) {
    if (level == work.reduced.size())
        return at(builder, accumulators);
    const NestLoop &loop = plan.loops[work.reduced[level]];
    return stride(builder, constant(builder, 0), dims.emit(builder, loc, loop.size),
                  constant(builder, 1), accumulators,
                  [&](OpBuilder &inside, Value index, ValueRange carried) {
                      dims.bind(loop.iterators[0], index);
                      return reduceSerially(inside, level + 1, carried);
                  });
}

Values Kernel::reduceStriding(OpBuilder &builder, Value from, Value step) {
    return stride(builder, from, product(builder, work.reduced), step, identities(builder),
                  [&](OpBuilder &inside, Value number, ValueRange carried) {
                      bindLoops(inside, work.reduced, number);
                      return at(inside, carried);
                  });
}

Values Kernel::reduceBlock(OpBuilder &builder, ValueRange values) {
    OpBuilder outside(function);
    Operation *shared = gpu::sharedSlots(outside, loc, name + "_shared", values.size());
    return gpu::reduceBlock(builder, loc, values, identities(builder), shared,
                            [&](OpBuilder &inside, ValueRange left, ValueRange right) {
                                return combine(inside, left, right);
                            });
}

void Kernel::inFirstThread(OpBuilder &builder, llvm::function_ref<void(OpBuilder &)> inner) {
    Value first = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        gpu::threadId(builder, loc, Axis::X), constant(builder, 0));
    auto only = scf::IfOp::create(builder, loc, first, /*withElseRegion=*/false);
    DimValues::Scope scope(dims);
    OpBuilder inside = only.getThenBodyBuilder();
    inner(inside);
}

//===-- Kernels

void Kernel::elements() {
    overPoints([&](OpBuilder &inside) { at(inside, {}); });
    end();
}

void Kernel::serial() {
    overPoints([&](OpBuilder &inside) {
        storeReductions(inside, reduceSerially(inside, 0, identities(inside)));
    });
    end();
}

void Kernel::block() {
    DimAttr results = work.product(work.kept);
    launch({blockThreads, 1}, {results, np::dimConst(b.getContext(), 1)});
    stride(b, gpu::blockId(b, loc, Axis::X), dims.emit(b, loc, results),
           gpu::blockCount(b, loc, Axis::X), {}, [&](OpBuilder &inside, Value number, ValueRange) {
               bindLoops(inside, work.kept, number);
               Values values = reduceStriding(inside, gpu::threadId(inside, loc, Axis::X),
                                              gpu::threadCount(inside, loc, Axis::X));
               values = reduceBlock(inside, values);
               inFirstThread(inside, [&](OpBuilder &only) { storeReductions(only, values); });
               return Values();
           });
    end();
}

int64_t Kernel::partials() {
    launch({blockThreads, 1}, {work.partials, np::dimConst(b.getContext(), 1)});
    Value threads = gpu::threadCount(b, loc, Axis::X), block = gpu::blockId(b, loc, Axis::X);
    Value blocks = gpu::blockCount(b, loc, Axis::X);
    Value before = arith::MulIOp::create(b, loc, block, threads);
    Value first = arith::AddIOp::create(b, loc, before, gpu::threadId(b, loc, Axis::X));
    Value step = arith::MulIOp::create(b, loc, blocks, threads);
    Values values = reduceBlock(b, reduceStriding(b, first, step));
    inFirstThread(b, [&](OpBuilder &only) {
        Value slot = block;
        for (Value part : values) {
            gpu::storeSlot(only, loc, partialSlots, slot, part);
            slot = arith::AddIOp::create(only, loc, slot, blocks);
        }
    });
    end();
    return int64_t(values.size());
}

void Kernel::total() {
    launch({blockThreads, 1}, SmallVector<DimAttr>(2, np::dimConst(b.getContext(), 1)));
    Value blocks = dims.emit(b, loc, work.partials);
    Values start = identities(b);
    Values values =
        stride(b, gpu::threadId(b, loc, Axis::X), blocks, gpu::threadCount(b, loc, Axis::X), start,
               [&](OpBuilder &inside, Value slot, ValueRange carried) {
                   Values parts;
                   for (Type type : ValueRange(start).getTypes()) {
                       parts.push_back(gpu::loadSlot(inside, loc, partialSlots, slot, type));
                       slot = arith::AddIOp::create(inside, loc, slot, blocks);
                   }
                   return combine(inside, carried, parts);
               });
    values = reduceBlock(b, values);
    inFirstThread(b, [&](OpBuilder &only) { storeReductions(only, values); });
    end();
}

} // namespace

NestKernels emitKernels(ModuleOp module, StringRef name, const NestPlan &plan, KernelNames names) {
    const Work work = workOf(plan, names);
    NestKernels made{{}, work.symbols, work.scalars, work.partials, 0, work.hasResults};
    Kernel kernel(module, work, name);
    made.kernels.push_back(kernel.function);
    switch (work.form) {
    case Form::Elements:
        kernel.elements();
        break;
    case Form::Serial:
        kernel.serial();
        break;
    case Form::Block:
        kernel.block();
        break;
    case Form::Grid:
        made.parts = kernel.partials();
        Kernel total(module, work, (name + "_total").str());
        made.kernels.push_back(total.function);
        total.total();
    }
    return made;
}

} // namespace shapecast
