// The op table for tests: dtype rules, and kernels that apply one operation to arrays (as MLIR
// text).
#include "bindings/inspect/ops_module.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "ops/ufunc/emit.h"
#include "ops/ufunc/types.h"
#include <pybind11/stl.h>

namespace py = pybind11;

namespace shapecast {
namespace {

using Names = std::vector<std::string>;
namespace LLVM = mlir::LLVM;
using mlir::Value;

// "int", "float", "complex", "pybool" (Python scalars), else a type character.
OperandType operandNamed(const std::string &name) {
    if (name == "int")
        return {DType::I64, PyKind::Int};
    if (name == "float")
        return {DType::F64, PyKind::Float};
    if (name == "complex")
        return {DType::C128, PyKind::Complex};
    if (name == "pybool")
        return {DType::Bool, PyKind::Bool};
    return {*dtypeFromName(name)};
}

llvm::SmallVector<OperandType> operandsNamed(const Names &names) {
    llvm::SmallVector<OperandType> operands;
    for (const std::string &name : names)
        operands.push_back(operandNamed(name));
    return operands;
}

py::object errorTuple(const OpError &error) {
    return py::make_tuple(error.exception, error.message);
}

py::object resolve(const std::string &name, const Names &operands,
                   const std::optional<std::string> &requested) {
    std::optional<DType> dtype;
    if (requested)
        dtype = dtypeFromName(*requested);
    const auto result = resolveUfunc(*findUfunc(name), operandsNamed(operands), dtype);
    if (const auto *error = std::get_if<OpError>(&result))
        return errorTuple(*error);
    return py::str(std::get<Loop>(result).text());
}

py::list table() {
    py::list rows;
    for (const Ufunc *ufunc : allUfuncs()) {
        py::list loops;
        for (const Loop &loop : ufuncLoops(*ufunc))
            loops.append(loop.text());
        rows.append(py::make_tuple(ufunc->name.str(), ufunc->aliases.str(), ufunc->inputs,
                                   ufunc->cost, loops));
    }
    return rows;
}

// The table in NumPy's terms: the rows "divmod.0" and "divmod.1" are one ufunc of two
// outputs.
py::list numpyTable() {
    py::dict rows;
    for (const Ufunc *ufunc : allUfuncs()) {
        const llvm::StringRef base = ufunc->name.split('.').first;
        const py::str name(base.str());
        py::list types;
        for (const auto &[i, loop] : llvm::enumerate(ufuncLoops(*ufunc))) {
            // Comparisons of int64 with uint64 are loops of long long in NumPy, "qQ->?": type
            // characters that the op table does not have.
            if (ufunc->resolution == Resolution::Compare && loop.in[0] != loop.in[1])
                continue;
            if (rows.contains(name)) // a further output
                types.append(rows[name]["types"][py::int_(i)].cast<std::string>() +
                             dtypeChar(loop.out));
            else
                types.append(loop.text());
        }
        const int outputs = rows.contains(name) ? rows[name]["nout"].cast<int>() + 1 : 1;
        rows[name] = py::dict(py::arg("name") = name, py::arg("nin") = ufunc->inputs,
                              py::arg("nout") = outputs, py::arg("types") = types);
    }
    return rows.attr("values")();
}

//===-- Kernels: one operation over arrays

struct Kernel {
    std::string symbol;
    llvm::SmallVector<DType> in;
    DType out;
};

DType dtypeOfKind(PyKind kind) {
    return kind == PyKind::Bool    ? DType::Bool
           : kind == PyKind::Int   ? DType::I64
           : kind == PyKind::Float ? DType::F64
                                   : DType::C128;
}

Value elementAddress(Emit &e, Value base, Value index, DType dtype, int part) {
    const mlir::Type element = storageType(e.builder.getContext(), dtype);
    if (isComplex(dtype))
        index = e.add(e.mul(index, e.like(index, 2)), e.like(index, part));
    return LLVM::GEPOp::create(e.builder, e.loc, base.getType(), element, base,
                               mlir::ValueRange(index));
}

Scalar loadElement(Emit &e, Value base, Value index, DType dtype) {
    const mlir::Type element = storageType(e.builder.getContext(), dtype);
    const auto load = [&](int part) -> Value {
        return LLVM::LoadOp::create(e.builder, e.loc, element,
                                    elementAddress(e, base, index, dtype, part));
    };
    if (isBool(dtype))
        return {e.invert(e.isZero(load(0))), nullptr};
    return {load(0), isComplex(dtype) ? load(1) : nullptr};
}

void storeElement(Emit &e, Value base, Value index, DType dtype, Scalar value) {
    if (isBool(dtype))
        value.re = e.extend(value.re, 8, false);
    LLVM::StoreOp::create(e.builder, e.loc, value.re, elementAddress(e, base, index, dtype, 0));
    if (value.im)
        LLVM::StoreOp::create(e.builder, e.loc, value.im, elementAddress(e, base, index, dtype, 1));
}

using Body =
    llvm::function_ref<Scalar(Emit &, llvm::ArrayRef<Scalar>, llvm::SmallVectorImpl<Trap> &)>;

// symbol(n, in..., out, traps): traps[i] is the number of the first trap that fires for element i,
// 0 if none.
void addKernel(mlir::ModuleOp module, const Kernel &kernel, Body body,
               llvm::SmallVectorImpl<Trap> &traps) {
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module.getBody());
    const mlir::Location loc = builder.getUnknownLoc();
    const mlir::Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    llvm::SmallVector<mlir::Type> types{builder.getI64Type()};
    types.append(kernel.in.size() + 2, pointer);
    auto function =
        mlir::func::FuncOp::create(builder, loc, kernel.symbol, builder.getFunctionType(types, {}));
    mlir::Block *entry = function.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    Emit e(builder, loc);
    const Value zero = e.integer(builder.getI64Type(), 0), one = e.integer(builder.getI64Type(), 1);
    auto loop = mlir::scf::ForOp::create(builder, loc, zero, entry->getArgument(0), one);
    mlir::func::ReturnOp::create(builder, loc);
    builder.setInsertionPointToStart(loop.getBody());
    const Value index = loop.getInductionVar();
    llvm::SmallVector<Scalar> operands;
    for (const auto [i, dtype] : llvm::enumerate(kernel.in))
        operands.push_back(loadElement(e, entry->getArgument(i + 1), index, dtype));
    const Scalar result = body(e, operands, traps);
    const size_t out = kernel.in.size() + 1;
    storeElement(e, entry->getArgument(out), index, kernel.out, result);
    if (traps.empty())
        return;
    Value first = e.integer(builder.getI8Type(), 0);
    for (size_t i = traps.size(); i-- > 0;)
        first = e.select(traps[i].condition, e.integer(builder.getI8Type(), i + 1), first);
    storeElement(e, entry->getArgument(out + 1), index, DType::U8, {first, nullptr});
}

PyKind kindNamed(const std::string &name) {
    return name == "pybool" ? PyKind::Bool : operandNamed(name).weak;
}

// jobs: (symbol, kind, operation, types): kind "ufunc" with a loop, "cast" with "d->e", "combine"
// with a dtype, "pyop" with operand kinds and the result kind last, "ufunc_constant" with a loop
// and the second operand's value.
struct Job {
    std::string symbol, kind, operation;
    Names types;
};

Kernel kernelOf(const Job &job, const Loop &loop) {
    return {job.symbol, llvm::SmallVector<DType>(llvm::ArrayRef<DType>(loop.in)), loop.out};
}

void addJob(mlir::ModuleOp module, const Job &job, llvm::SmallVectorImpl<Trap> &traps) {
    if (job.kind == "pyop") {
        llvm::SmallVector<PyKind> kinds;
        for (const std::string &name : job.types)
            kinds.push_back(kindNamed(name));
        const PyKind result = kinds.pop_back_val();
        Kernel kernel{job.symbol, {}, dtypeOfKind(result)};
        for (const PyKind kind : kinds)
            kernel.in.push_back(dtypeOfKind(kind));
        addKernel(
            module, kernel,
            [&](Emit &e, llvm::ArrayRef<Scalar> x, llvm::SmallVectorImpl<Trap> &t) {
                return emitPyOp(e.builder, e.loc, job.operation, x, kinds, result, false, t);
            },
            traps);
        return;
    }
    const Loop loop = Loop::parse(job.types[0]);
    addKernel(
        module, kernelOf(job, loop),
        [&](Emit &e, llvm::ArrayRef<Scalar> x, llvm::SmallVectorImpl<Trap> &) {
            if (job.kind == "cast")
                return emitCast(e.builder, e.loc, x[0], loop.in[0], loop.out);
            if (job.kind == "combine")
                return emitCombine(e.builder, e.loc, job.operation, loop.out, x[0], x[1]);
            if (job.kind == "identity")
                return emitIdentity(e.builder, e.loc, job.operation, loop.out);
            const Ufunc &ufunc = *findUfunc(job.operation);
            llvm::SmallVector<Scalar, 3> operands(x.begin(), x.end());
            if (job.kind == "ufunc_constant")
                operands[1] = emitConstant(e.builder, e.loc, loop.in[1], std::stod(job.types[1]));
            return emitUfunc(e.builder, e.loc, ufunc, loop, operands);
        },
        traps);
}

py::tuple
kernels(const std::vector<std::tuple<std::string, std::string, std::string, Names>> &jobs) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::math::MathDialect,
                        mlir::scf::SCFDialect, LLVM::LLVMDialect>();
    mlir::OpBuilder builder(&context);
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(builder.getUnknownLoc());
    py::dict messages;
    for (const auto &[symbol, kind, operation, types] : jobs) {
        llvm::SmallVector<Trap> traps;
        addJob(*module, {symbol, kind, operation, types}, traps);
        py::list texts;
        for (const Trap &trap : traps)
            texts.append(py::make_tuple(trap.exception.str(), trap.message.str()));
        messages[symbol.c_str()] = texts;
    }
    if (mlir::failed(mlir::verify(*module)))
        throw std::runtime_error("the kernels do not verify");
    std::string text;
    llvm::raw_string_ostream out(text);
    module->print(out);
    return py::make_tuple(text, messages);
}

py::object pyResultNamed(const std::string &op, const Names &kinds,
                         std::optional<int64_t> exponent) {
    llvm::SmallVector<PyKind> parsed;
    for (const std::string &name : kinds)
        parsed.push_back(kindNamed(name));
    const auto result = pyResult(op, parsed, exponent);
    static constexpr const char *names[] = {"strong", "pybool",  "int",
                                            "wideint", "float", "complex"};
    return result ? py::object(py::str(names[static_cast<size_t>(*result)])) : py::none();
}

} // namespace

void bindOps(py::module_ &module) {
    py::module_ ops = module.def_submodule("_ops", "The op table, for tests.");
    ops.def("resolve_ufunc", &resolve, py::arg("name"), py::arg("operands"),
            py::arg("dtype") = py::none());
    ops.def("ufunc_table", &table);
    module.def("ufunc_table", &numpyTable, "The table of ufuncs in NumPy's terms, for tests.");
    ops.def("ufunc_of_operator", [](const std::string &op) { return ufuncOfOperator(op).str(); });
    ops.def("scalar_power", [](const std::string &base, const std::string &kind, double exponent) {
        return ufuncOfScalarPower(*dtypeFromName(base), kindNamed(kind), exponent).str();
    });
    ops.def("dtype_from_name", [](const std::string &name) -> std::optional<std::string> {
        const auto dtype = dtypeFromName(name);
        return dtype ? std::optional(dtypeName(*dtype).str()) : std::nullopt;
    });
    ops.def("result_type", [](const Names &names) {
        return std::string(1, dtypeChar(resultType(operandsNamed(names))));
    });
    ops.def("promote", [](const std::string &a, const std::string &b) {
        return std::string(1, dtypeChar(promote(*dtypeFromName(a), *dtypeFromName(b))));
    });
    ops.def("can_cast",
            [](const std::string &from, const std::string &to, const std::string &casting) {
                const Casting rule = casting == "no"          ? Casting::No
                                     : casting == "equiv"     ? Casting::Equiv
                                     : casting == "safe"      ? Casting::Safe
                                     : casting == "same_kind" ? Casting::SameKind
                                                              : Casting::Unsafe;
                return canCast(*dtypeFromName(from), *dtypeFromName(to), rule);
            });
    ops.def("py_result", &pyResultNamed, py::arg("op"), py::arg("kinds"),
            py::arg("exponent") = py::none());
    ops.def("kernels", &kernels,
            "MLIR text of loops that apply operations to arrays, and the traps' messages.");
}

} // namespace shapecast
