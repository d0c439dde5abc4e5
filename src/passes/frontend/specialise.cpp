// See specialise.h.
#include "passes/frontend/specialise.h"

#include "ir/call_structure.h"
#include "passes/frontend/inline.h"

using namespace mlir;
using namespace shapecast::np;

namespace {

using Kind = CallStructure::Kind;

struct Specialiser {
    ModuleOp module;

    LogicalResult run() {
        for (FuncOp func : llvm::make_early_inc_range(module.getOps<FuncOp>())) {
            if (!func.isPublic())
                continue;
            separateCallee(func);
            if (failed(specialise(func)))
                return failure();
        }
        return success();
    }

    // A recursive entry is cloned: calls use the clone, as captured.
    void separateCallee(FuncOp func) {
        StringAttr name = func.getSymNameAttr();
        auto copyName = StringAttr::get(module.getContext(), name.getValue() + ".callee");
        bool called = false;
        module.walk([&](Operation *op) {
            auto callee = calleeOf(op);
            if (!callee || callee.getAttr() != name)
                return;
            setCallee(op, FlatSymbolRefAttr::get(copyName));
            called = true;
        });
        if (!called)
            return;
        FuncOp copy = func.clone();
        copy.setSymNameAttr(copyName);
        copy.setSymVisibility("private");
        copy.removeCallAttributes();
        module.getBody()->push_back(copy);
    }

    // The structure's lists and dicts, in the order of their opening brackets.
    using Containers = SmallVector<Value>;

    static Value parameter(Block &body, Location loc) {
        return body.addArgument(anyTensor(loc.getContext()), loc);
    }

    // Builds one argument or item of the structure from new parameters.
    static Value item(Block &body, OpBuilder &builder, Location loc,
                      CallStructure::Reader &structure, Containers &containers) {
        const CallStructure::Node node = structure.next();
        switch (node.kind) {
        case Kind::Item:
            return parameter(body, loc);
        case Kind::Range: {
            SmallVector<Value> parts{parameter(body, loc), parameter(body, loc)};
            parts.push_back(
                shapecast::constantValue(builder, loc, builder.getI64IntegerAttr(node.number)));
            return CallOp::create(builder, loc, anyTensor(loc.getContext()), "builtins.range",
                                  parts, ArrayAttr(), ArrayAttr(), ArrayAttr())
                .getResult();
        }
        case Kind::Object:
        case Kind::SameObject: {
            auto none = PyAttr::get(builder.getContext(), "none", "");
            return ConstOp::create(builder, loc, StaticType::get(builder.getContext()), none);
        }
        case Kind::SameContainer:
            return containers[size_t(node.number)];
        case Kind::FloatList:
        case Kind::IntList:
            return numberList(body, builder, loc, node.kind, containers);
        default:
            return container(body, builder, loc, node, structure, containers);
        }
    }

    // Which of the caller's lists and dicts a new one is.
    static Attribute targetOf(OpBuilder &builder, size_t number) {
        return CallersContainerAttr::get(builder.getContext(), int64_t(number));
    }

    static Value numberList(Block &body, OpBuilder &builder, Location loc, Kind kind,
                            Containers &containers) {
        auto made = TupleOp::create(builder, loc, anyTensor(loc.getContext()), parameter(body, loc),
                                    builder.getUnitAttr());
        made.setNumbersAttr(builder.getStringAttr(kind == Kind::FloatList ? "f" : "i"));
        made.setArgumentAttr(targetOf(builder, containers.size()));
        containers.push_back(made);
        return made;
    }

    // A tuple, list or dict with its items.
    static Value container(Block &body, OpBuilder &builder, Location loc,
                           const CallStructure::Node &node, CallStructure::Reader &structure,
                           Containers &containers) {
        const bool dict = node.kind == Kind::Dict, list = node.kind == Kind::List;
        const size_t number = containers.size();
        if (dict || list)
            containers.emplace_back();
        SmallVector<Value> items;
        while (structure.peek() != Kind::End) {
            if (dict)
                items.push_back(key(builder, loc, structure.next()));
            items.push_back(item(body, builder, loc, structure, containers));
        }
        structure.next();
        auto made = TupleOp::create(builder, loc, anyTensor(loc.getContext()), items,
                                    list ? builder.getUnitAttr() : UnitAttr());
        if (node.kind == Kind::NamedTuple)
            made.setRecordAttr(PyAttr::get(builder.getContext(), "namedtuple", node.text));
        if (dict || list) {
            containers[number] = made;
            made.setArgumentAttr(targetOf(builder, number));
        }
        if (dict)
            made.setDictAttr(builder.getUnitAttr());
        return made;
    }

    static Value key(OpBuilder &builder, Location loc, const CallStructure::Node &node) {
        Attribute key = builder.getI64IntegerAttr(node.number);
        if (node.kind == Kind::StringKey)
            key = PyAttr::get(builder.getContext(), "str", node.text);
        return shapecast::constantValue(builder, loc, key);
    }

    // The class of a container, for messages; "" for other arguments.
    static StringRef className(Kind kind) {
        switch (kind) {
        case Kind::Tuple:
            return "tuple";
        case Kind::Dict:
            return "dict";
        case Kind::List:
        case Kind::FloatList:
        case Kind::IntList:
            return "list";
        default:
            return "";
        }
    }

    static void addItems(FuncOp func, CallStructure::Reader structure) {
        Block &body = func.getBody().front();
        const unsigned count = body.getNumArguments();
        OpBuilder builder = OpBuilder::atBlockBegin(&body);
        auto annotations = func.getAnnotationsAttr();
        SmallVector<Attribute> ofItems; // items have none
        SmallVector<Attribute> misfits; // tuples and lists that are annotated as arrays
        Containers containers;
        for (unsigned k = 0; k < count; ++k) {
            Location loc = body.getArgument(k).getLoc();
            const unsigned before = body.getNumArguments();
            const bool isItself = structure.peek() == Kind::Item;
            if (auto given = annotations ? dyn_cast<AnnotationAttr>(annotations[k]) : nullptr)
                if (StringRef name = className(structure.peek()); !name.empty())
                    misfits.push_back(builder.getArrayAttr(
                        {builder.getStringAttr("argument '" + given.getName().getValue() +
                                               "' does not fit " + given.getText().getValue() +
                                               ": it is of class " + name),
                         loc}));
            Value argument = item(body, builder, loc, structure, containers);
            if (func.getVarkw() && k + 1 == count) // **kwargs has no alias
                argument.getDefiningOp<TupleOp>().removeArgumentAttr();
            body.getArgument(k).replaceAllUsesWith(argument);
            ofItems.append(body.getNumArguments() - before,
                           annotations && isItself ? annotations[k] : builder.getUnitAttr());
        }
        body.eraseArguments(0, count);
        if (annotations)
            func.setAnnotationsAttr(builder.getArrayAttr(ofItems));
        if (!misfits.empty())
            func.setAnnotationErrorsAttr(builder.getArrayAttr(misfits));
    }

    static LogicalResult specialise(FuncOp func) {
        auto signature = func.getSignatureAttr();
        Block &body = func.getBody().front();
        if (auto structure = func.getStructureAttr())
            addItems(func, CallStructure::Reader(structure.getText()));
        size_t given = signature ? signature.size() : 0;
        auto hidden = func.getHiddenAttr();
        for (int64_t k = 0; hidden && k < hidden.getInt(); ++k) // np.global names them
            body.addArgument(anyTensor(func.getContext()), func.getLoc());
        if (given != body.getNumArguments())
            return func.emitError("the signature has ")
                   << given << " types for " << body.getNumArguments() << " parameters";
        OpBuilder builder(func.getContext());
        builder.setInsertionPointToStart(&body);
        Type any = anyTensor(func.getContext());
        SmallVector<Type> types;
        for (auto [argument, attr] :
             llvm::zip(body.getArguments(), signature ? signature : builder.getArrayAttr({}))) {
            auto typeAttr = dyn_cast<TypeAttr>(attr);
            Type type = typeAttr ? typeAttr.getValue() : Type(StaticType::get(func.getContext()));
            types.push_back(type);
            argument.setType(type);
            Value value = argument;
            if (!typeAttr)
                value = ConstOp::create(builder, argument.getLoc(), type, attr);
            CastOp cast = CastOp::create(builder, argument.getLoc(), any, value);
            argument.replaceUsesWithIf(cast.getResult(),
                                       [&](OpOperand &use) { return use.getOwner() != cast; });
        }
        func.setFunctionType(builder.getFunctionType(types, func.getResultTypes()));
        return success();
    }
};

} // namespace

LogicalResult shapecast::specialise(ModuleOp module) { return Specialiser{module}.run(); }
