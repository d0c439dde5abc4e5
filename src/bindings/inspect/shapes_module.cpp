// The shape rules for Python: _core.ShapeScope, which python/shapecast/shape_rules.py wraps.
//
// Sizes are attributes of the compiler's context, which is not locked by itself: each entry takes
// the compile lock. A size is an int or a Dim; a shape a sequence of them. Failures are raised as
// _errors.make_user_error creates them, with a note for each fact that contradicts the rule.
#include "bindings/inspect/shapes_module.h"

#include "bindings/cache/compile_lock.h"
#include "bindings/call/errors.h"
#include "bindings/call/sizes.h"
#include "context.h"
#include "shapes/rules.h"
#include "shapes/solver.h"
#include "user_error.h"

#include <pybind11/operators.h>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace shapecast::bindings {

using namespace np;

namespace {

using Ints = std::vector<int64_t>;

Dims dimsOf(const py::sequence &shape) {
    Dims dims;
    for (py::handle size : shape)
        dims.push_back(sizeOf(size));
    return dims;
}

llvm::SmallVector<Dims> shapesOf(const py::sequence &shapes) {
    llvm::SmallVector<Dims> all;
    for (py::handle shape : shapes)
        all.push_back(dimsOf(shape.cast<py::sequence>()));
    return all;
}

py::object sizeObject(DimAttr e) {
    bool anySymbol = false;
    dimSymbols(e, [&](llvm::StringRef) { anySymbol = true; });
    if (!anySymbol && !e.isConst()) {
        PyErr_SetString(PyExc_OverflowError, "a size does not fit into 64 bits");
        throw py::error_already_set();
    }
    return e.isConst() ? py::object(py::int_(e.getValue())) : py::cast(Dim{e});
}

// Applies a rule: adds all facts that it requires, or, where it fails, none.
template <class Function> auto guarded(Solver &s, Function &&function) {
    CompileLock lock;
    const std::string origin = s.origin;
    try {
        return s.attempt(function);
    } catch (const Solver::Failure &failure) {
        s.origin = origin;
        UserError error{failure.exception, failure.message, {}, {}};
        for (const Solver::Fact &fact : failure.core)
            error.notes.push_back(fact.note());
        raiseUserError(error);
        throw py::error_already_set();
    }
}

py::tuple shapeObject(const Solver &s, llvm::ArrayRef<DimAttr> dims) {
    py::tuple shape(dims.size());
    for (auto [i, dim] : llvm::enumerate(dims))
        shape[i] = sizeObject(s.canonical(dim));
    return shape;
}

py::list shapeObjects(const Solver &s, llvm::ArrayRef<Dims> shapes) {
    py::list all;
    for (const Dims &shape : shapes)
        all.append(shapeObject(s, shape));
    return all;
}

py::object answer(Answer answer) {
    return answer == Answer::Unknown ? py::object(py::none())
                                     : py::object(py::bool_(answer == Answer::Yes));
}

//===-- Dim

template <DimAttr (*combine)(DimAttr, DimAttr)>
py::object binary(const Dim &a, const py::object &b) {
    CompileLock lock;
    if (!py::isinstance<Dim>(b) && !PyIndex_Check(b.ptr()))
        return py::reinterpret_borrow<py::object>(Py_NotImplemented);
    return sizeObject(combine(a.e, sizeOf(b)));
}

template <DimAttr (*combine)(DimAttr, DimAttr)>
py::object reflected(const Dim &a, const py::object &b) {
    CompileLock lock;
    return sizeObject(combine(sizeOf(b), a.e));
}

DimAttr divided(DimAttr a, DimAttr b) {
    if (b.isConst(0))
        throw py::value_error("a size divided by 0");
    return dimFloorDiv(a, b);
}

DimAttr remainder(DimAttr a, DimAttr b) {
    if (b.isConst(0))
        throw py::value_error("a size modulo 0");
    return dimMod(a, b);
}

py::object power(const Dim &a, int64_t exponent) {
    CompileLock lock;
    if (exponent < 0 || exponent > 16)
        throw py::value_error("the exponent of a size must be in 0 .. 16");
    return sizeObject(dimProduct(&context(), Dims(exponent, a.e)));
}

py::object evaluated(const Dim &a, const std::map<std::string, int64_t> &values) {
    const std::optional<int64_t> value =
        dimEvaluate(a.e, [&](llvm::StringRef name) -> std::optional<int64_t> {
            auto found = values.find(name.str());
            return found == values.end() ? std::nullopt : std::optional(found->second);
        });
    if (!value)
        throw py::value_error("no value for a symbol, or a division by 0, in " + dimText(a.e));
    return py::int_(*value);
}

py::set symbolNames(const Dim &a) {
    py::set names;
    dimSymbols(a.e, [&](llvm::StringRef name) { names.add(py::str(name.str())); });
    return names;
}

void bindDim(py::module_ &m) {
    py::class_<Dim>(m, "Dim", "A symbolic size: an expression over symbols.")
        .def("__add__", &binary<dimAdd>)
        .def("__radd__", &reflected<dimAdd>)
        .def("__sub__", &binary<dimSub>)
        .def("__rsub__", &reflected<dimSub>)
        .def("__mul__", &binary<dimMul>)
        .def("__rmul__", &reflected<dimMul>)
        .def("__floordiv__", &binary<divided>)
        .def("__rfloordiv__", &reflected<divided>)
        .def("__mod__", &binary<remainder>)
        .def("__rmod__", &reflected<remainder>)
        .def("__pow__", &power)
        .def("__neg__",
             [](const Dim &a) {
                 CompileLock lock;
                 return sizeObject(dimNeg(a.e));
             })
        .def("min", &binary<dimMin>, "The smaller of two sizes.")
        .def("max", &binary<dimMax>, "The larger of two sizes.")
        .def("broadcast", &binary<dimBroadcast>, "The other size where this one is 1.")
        .def("__eq__",
             [](const Dim &a, const py::object &b) {
                 return py::isinstance<Dim>(b) && b.cast<const Dim &>().e == a.e;
             })
        .def("__hash__", [](const Dim &a) { return py::ssize_t(mlir::hash_value(a.e)); })
        .def("__str__", [](const Dim &a) { return dimText(a.e); })
        .def("__repr__", [](const Dim &a) { return dimText(a.e); })
        .def("evaluate", &evaluated, "Its value for these values of its symbols.")
        .def_property_readonly("symbols", &symbolNames);
}

//===-- Windows

std::vector<shapes::WindowOptions> windowOptions(const py::dict &options, size_t axes) {
    std::vector<shapes::WindowOptions> all(axes);
    auto read = [&](const char *name, int64_t shapes::WindowOptions::*member) {
        if (!options.contains(name))
            return;
        const Ints values = options[name].cast<Ints>();
        if (values.size() != axes)
            throw py::value_error(std::string(name) + " must be given for each of " +
                                  std::to_string(axes) + " axes");
        for (size_t i = 0; i < axes; ++i)
            all[i].*member = values[i];
    };
    read("strides", &shapes::WindowOptions::stride);
    read("dilations", &shapes::WindowOptions::dilation);
    read("before", &shapes::WindowOptions::before);
    read("after", &shapes::WindowOptions::after);
    read("output_padding", &shapes::WindowOptions::outputPadding);
    return all;
}

shapes::Padding paddingNamed(const std::string &name) {
    static const std::map<std::string, shapes::Padding> names = {
        {"explicit", shapes::Padding::Explicit},
        {"valid", shapes::Padding::Valid},
        {"same_upper", shapes::Padding::SameUpper},
        {"same_lower", shapes::Padding::SameLower},
    };
    auto found = names.find(name);
    if (found == names.end())
        throw py::value_error("padding is 'valid', 'same_upper', 'same_lower' or numbers, not '" +
                              name + "'");
    return found->second;
}

size_t spatial(const Dims &x) { return x.size() < 2 ? 0 : x.size() - 2; }

//===-- Scope

using Scope = py::class_<Solver>;

void bindFacts(Scope &scope) {
    scope.def(py::init([] { return std::make_unique<Solver>(&context()); }))
        .def_readwrite("origin", &Solver::origin)
        .def("symbol",
             [](Solver &s, const std::string &name) {
                 CompileLock lock;
                 return Dim{s.symbol(name)};
             })
        .def("fresh",
             [](Solver &s) {
                 CompileLock lock;
                 return Dim{s.freshSymbol()};
             })
        .def("size",
             [](const Solver &s, py::handle a) {
                 CompileLock lock;
                 return sizeObject(s.canonical(sizeOf(a)));
             })
        .def("equal",
             [](const Solver &s, py::handle a, py::handle b) {
                 CompileLock lock;
                 return answer(s.facts.equal(sizeOf(a), sizeOf(b)));
             })
        .def("greater_equal",
             [](const Solver &s, py::handle a, py::handle b) {
                 CompileLock lock;
                 return answer(s.facts.greaterEqual(sizeOf(a), sizeOf(b)));
             })
        .def("bounds",
             [](const Solver &s, py::handle a) {
                 CompileLock lock;
                 return s.facts.range(sizeOf(a));
             })
        .def("require_in_bounds", // -size <= index < size
             [](Solver &s, py::handle index, py::handle size) {
                 guarded(s, [&] {
                     const DimAttr i = sizeOf(index), n = sizeOf(size);
                     const llvm::StringRef message =
                         "index {0} is out of bounds for an axis of size {1}";
                     s.requireGreaterEqual(n, dimAdd(i, s.dimConst(1)), "IndexError", message,
                                           {i, n});
                     s.requireGreaterEqual(dimAdd(i, n), s.dimConst(0), "IndexError", message,
                                           {i, n});
                 });
             })
        .def("require",
             [](Solver &s, const std::string &relation, py::handle a, py::handle b) {
                 static const std::map<std::string, Solver::Fact::Kind> kinds = {
                     {"==", Solver::Fact::Equal},
                     {">=", Solver::Fact::GreaterEqual},
                     {"!=", Solver::Fact::NotEqual}};
                 auto kind = kinds.find(relation);
                 if (kind == kinds.end())
                     throw py::value_error("a relation is ==, >= or !=, not " + relation);
                 guarded(s, [&] {
                     s.assertFact(kind->second, sizeOf(a), sizeOf(b), "shapecast.ShapeError",
                                  "{0} " + relation + " {1} does not hold", {sizeOf(a), sizeOf(b)});
                 });
             })
        .def_property_readonly("facts", [](const Solver &s) {
            py::list all;
            for (const Solver::Fact &fact : s.assertions)
                all.append(py::make_tuple(fact.text(), fact.origin));
            return all;
        });
}

OptionalShape optionalShape(const py::object &shape) {
    return shape.is_none() ? OptionalShape() : OptionalShape(dimsOf(shape.cast<py::sequence>()));
}

py::object optionalObject(const Solver &s, const OptionalShape &shape) {
    return shape ? py::object(shapeObject(s, *shape)) : py::object(py::none());
}

void bindLattice(Scope &scope) {
    scope
        .def("merge",
             [](Solver &s, const py::object &a, const py::object &b) {
                 return guarded(s, [&] {
                     return optionalObject(s, s.merge(optionalShape(a), optionalShape(b)));
                 });
             })
        .def("relax", [](Solver &s, const py::object &a, const py::object &b) {
            CompileLock lock;
            return optionalObject(s, s.relax(optionalShape(a), optionalShape(b)));
        });
}

// Binds a rule of one shape and further parameters.
template <class... Rest>
void bindRule(Scope &scope, const char *name, Dims (*rule)(ShapeScope &, shapes::Shape, Rest...)) {
    using Decay = std::tuple<std::conditional_t<
        std::is_same_v<Rest, shapes::Axes>, Ints,
        std::conditional_t<std::is_same_v<Rest, shapes::Shape>, py::sequence, Rest>>...>;
    [&]<class... Given>(std::type_identity<std::tuple<Given...>>) {
        scope.def(name, [rule](Solver &s, const py::sequence &shape, const Given &...rest) {
            auto passed = [](const auto &value) {
                if constexpr (std::is_same_v<std::decay_t<decltype(value)>, py::sequence>)
                    return dimsOf(value);
                else
                    return value;
            };
            return guarded(s,
                           [&] { return shapeObject(s, rule(s, dimsOf(shape), passed(rest)...)); });
        });
    }(std::type_identity<Decay>{});
}

void bindAxisRules(Scope &scope) {
    bindRule(scope, "full", &shapes::full);
    bindRule(scope, "reduce", &shapes::reduce);
    bindRule(scope, "scan", &shapes::scan);
    bindRule(scope, "transpose", &shapes::transpose);
    bindRule(scope, "squeeze", &shapes::squeeze);
    bindRule(scope, "unsqueeze", &shapes::unsqueeze);
    bindRule(scope, "flatten", &shapes::flatten);
    bindRule(scope, "broadcast_to", &shapes::broadcastTo);
    bindRule(scope, "reshape", &shapes::reshape);
    bindRule(scope, "tile", &shapes::tile);
    bindRule(scope, "pad", &shapes::pad);
    bindRule(scope, "gather", &shapes::gather);
    bindRule(scope, "gather_nd", &shapes::gatherNd);
    bindRule(scope, "scatter", &shapes::scatter);
    bindRule(scope, "scatter_nd", &shapes::scatterNd);
    bindRule(scope, "resize", &shapes::resize);
    scope.def("broadcast", [](Solver &s, const py::sequence &all) {
        return guarded(s, [&] { return shapeObject(s, shapes::broadcast(s, shapesOf(all))); });
    });
}

void bindProducts(Scope &scope) {
    scope
        .def("matmul",
             [](Solver &s, const py::sequence &a, const py::sequence &b) {
                 return guarded(s, [&] {
                     return shapeObject(s, shapes::matmul(s, dimsOf(a), dimsOf(b)).result);
                 });
             })
        .def("gemm",
             [](Solver &s, const py::sequence &a, const py::sequence &b, bool transposeA,
                bool transposeB, const py::object &c) {
                 return guarded(s, [&] {
                     return shapeObject(s, shapes::gemm(s, dimsOf(a), dimsOf(b), transposeA,
                                                        transposeB, optionalShape(c)));
                 });
             })
        .def("einsum", [](Solver &s, const std::string &equation, const py::sequence &all) {
            return guarded(
                s, [&] { return shapeObject(s, shapes::einsum(s, equation, shapesOf(all))); });
        });
}

void bindJoins(Scope &scope) {
    scope
        .def("concat",
             [](Solver &s, const py::sequence &all, int64_t axis) {
                 return guarded(s, [&] {
                     return shapeObject(s, shapes::concat(s, shapesOf(all), axis).result);
                 });
             })
        .def("stack",
             [](Solver &s, const py::sequence &all, int64_t axis) {
                 return guarded(
                     s, [&] { return shapeObject(s, shapes::stack(s, shapesOf(all), axis)); });
             })
        .def("split",
             [](Solver &s, const py::sequence &shape, int64_t axis, int64_t parts, bool uneven) {
                 return guarded(s, [&] {
                     return shapeObjects(s, shapes::split(s, dimsOf(shape), axis, parts, uneven));
                 });
             })
        .def("split_sizes", [](Solver &s, const py::sequence &shape, int64_t axis,
                               const py::sequence &sizes) {
            return guarded(s, [&] {
                return shapeObjects(s, shapes::splitSizes(s, dimsOf(shape), axis, dimsOf(sizes)));
            });
        });
}

void bindIndexing(Scope &scope) {
    auto optionalSize = [](const py::object &size) {
        return size.is_none() ? DimAttr() : sizeOf(size);
    };
    scope
        .def("slice",
             [optionalSize](Solver &s, py::handle n, const py::object &start,
                            const py::object &stop, py::handle step) {
                 return guarded(s, [&] {
                     const DimAttr by = sizeOf(step);
                     s.requireNotEqual(by, s.dimConst(0), "ValueError",
                                       "slice step cannot be zero");
                     const bool up = s.assumeGreaterEqual(by, s.dimConst(1));
                     if (!up && !s.assumeGreaterEqual(s.dimConst(-1), by))
                         s.fail("shapecast.UnsupportedError",
                                "a slice whose step has an unknown sign is not supported; require "
                                "step >= 1 or -1 >= step");
                     const shapes::Slice cut = shapes::slice(s, sizeOf(n), optionalSize(start),
                                                             optionalSize(stop), by, up);
                     return shapeObject(s, {cut.start, cut.size});
                 });
             })
        .def("range",
             [](Solver &s, py::handle start, py::handle stop, py::handle step) {
                 return guarded(s, [&] {
                     return shapeObject(
                         s, {shapes::range(s, sizeOf(start), sizeOf(stop), sizeOf(step))});
                 });
             })
        .def("one_hot",
             [](Solver &s, const py::sequence &indices, py::handle depth, int64_t axis) {
                 return guarded(s, [&] {
                     return shapeObject(s, shapes::oneHot(s, dimsOf(indices), sizeOf(depth), axis));
                 });
             })
        .def("top_k",
             [](Solver &s, const py::sequence &shape, py::handle count, int64_t axis) {
                 return guarded(s, [&] {
                     return shapeObject(s, shapes::topK(s, dimsOf(shape), sizeOf(count), axis));
                 });
             })
        .def("compress", [](Solver &s, const py::sequence &shape, py::handle count,
                            std::optional<int64_t> axis) {
            return guarded(s, [&] {
                return shapeObject(s, shapes::compress(s, dimsOf(shape), sizeOf(count), axis));
            });
        });
}

void bindWindows(Scope &scope) {
    scope
        .def("conv",
             [](Solver &s, const py::sequence &x, const py::sequence &w, const py::dict &options,
                const std::string &padding, int64_t groups) {
                 return guarded(s, [&] {
                     const Dims from = dimsOf(x);
                     return shapeObject(s, shapes::conv(s, from, dimsOf(w),
                                                        windowOptions(options, spatial(from)),
                                                        paddingNamed(padding), groups)
                                               .result);
                 });
             })
        .def("pool",
             [](Solver &s, const py::sequence &x, const py::sequence &kernel,
                const py::dict &options, const std::string &padding, bool ceil) {
                 return guarded(s, [&] {
                     const Dims from = dimsOf(x);
                     return shapeObject(s, shapes::pool(s, from, dimsOf(kernel),
                                                        windowOptions(options, spatial(from)),
                                                        paddingNamed(padding), ceil)
                                               .result);
                 });
             })
        .def("conv_transpose",
             [](Solver &s, const py::sequence &x, const py::sequence &w, const py::dict &options,
                const std::string &padding, int64_t groups, const py::object &outputs) {
                 return guarded(s, [&] {
                     const Dims from = dimsOf(x);
                     return shapeObject(
                         s, shapes::convTranspose(
                                s, from, dimsOf(w), windowOptions(options, spatial(from)),
                                paddingNamed(padding), groups, optionalShape(outputs))
                                .result);
                 });
             })
        .def("recurrent", [](Solver &s, const py::sequence &x, const py::sequence &w,
                             const py::sequence &r, int64_t gates, int64_t directions,
                             bool batchFirst) {
            return guarded(s, [&] {
                const shapes::Recurrent cell = shapes::recurrent(s, dimsOf(x), dimsOf(w), dimsOf(r),
                                                                 gates, directions, batchFirst);
                return shapeObjects(s, {cell.all, cell.last});
            });
        });
}

} // namespace

bool readSizes(PyObject *shape, llvm::SmallVectorImpl<DimAttr> &sizes) {
    CompileLock lock;
    try {
        llvm::append_range(sizes, dimsOf(py::reinterpret_borrow<py::sequence>(shape)));
        return true;
    } catch (py::error_already_set &failure) {
        failure.restore();
        return false;
    }
}

void bindShapes(py::module_ &core) {
    bindDim(core);
    Scope scope(core, "ShapeScope");
    bindFacts(scope);
    bindLattice(scope);
    bindAxisRules(scope);
    bindProducts(scope);
    bindJoins(scope);
    bindIndexing(scope);
    bindWindows(scope);
}

} // namespace shapecast::bindings
