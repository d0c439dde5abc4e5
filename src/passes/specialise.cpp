// np-specialise: the call's types enter the captured function.
//
// Before: captured functions; the public one carries the attribute `signature` (a type per
// parameter, or the value of a static one) beside `hints`, `alias` and, where a key tells some,
// `strides`; without `signature` a function without parameters is meant. After: the entry's
// parameters have those types, and an np.cast turns each into `tensor<*x!np.any>` for the body.
// Where the attribute `structure` says that arguments are tuples, lists or dicts ("." one argument
// or item, "(..)" a tuple of two,
// "[..]" a list, "{s1:a.i7;.}" a dict with the keys "a" and 7, "N10:17 Point x.)" a named tuple,
// "Lf" and "Li" a list of floats or ints of any length, of which the parameter is an array,
// "~1;" the second of these lists and dicts, "R2;" a range), the entry's parameters are their
// items, and np.tuple makes them of these. "@3;" and "=0;" stand for objects, which capture has
// read through: nothing uses those parameters.
#include "ir/np.h"
#include "passes/inline.h"
#include "passes/passes.h"

using namespace mlir;
using namespace shapecast::np;

namespace {

struct Specialise : PassWrapper<Specialise, OperationPass<ModuleOp>> {
    StringRef getArgument() const final { return "np-specialise"; }
    StringRef getDescription() const final {
        return "cast the call's argument types into the entry function";
    }

    void runOnOperation() final {
        for (FuncOp func : llvm::make_early_inc_range(getOperation().getOps<FuncOp>())) {
            if (!func.isPublic())
                continue;
            separateCallee(func);
            if (failed(specialise(func)))
                return signalPassFailure();
        }
    }

    // An entry that is called (by itself) stays as captured for those calls.
    void separateCallee(FuncOp func) {
        StringAttr name = func.getSymNameAttr();
        auto copyName = StringAttr::get(&getContext(), name.getValue() + ".callee");
        bool called = false;
        getOperation().walk([&](Operation *op) {
            auto callee = op->getAttrOfType<FlatSymbolRefAttr>("callee");
            if (!callee || callee.getAttr() != name)
                return;
            op->setAttr("callee", FlatSymbolRefAttr::get(copyName));
            called = true;
        });
        if (!called)
            return;
        FuncOp copy = func.clone();
        copy.setSymNameAttr(copyName);
        copy.setSymVisibility("private");
        for (const char *entryOnly : {"signature", "hints", "strides", "alias", "forbidden",
                                      "doubted", "hidden", "states", "structure", "annotations"})
            copy->removeAttr(entryOnly);
        getOperation().getBody()->push_back(copy);
    }

    // The structure's lists and dicts, in the order of their opening brackets.
    using Containers = SmallVector<Value>;

    // One of the structure's arguments or items, of which the parameters are new ones.
    static Value item(Block &body, OpBuilder &builder, Location loc, StringRef &structure,
                      Containers &containers) {
        const char first = structure.front();
        structure = structure.drop_front();
        Type any = anyTensor(builder.getContext());
        if (first == '.')
            return body.addArgument(any, loc);
        if (first == 'R') {
            auto [step, rest] = structure.split(';');
            int64_t value = 0;
            step.getAsInteger(10, value);
            structure = rest;
            SmallVector<Value> parts{body.addArgument(any, loc), body.addArgument(any, loc)};
            parts.push_back(
                shapecast::constantValue(builder, loc, builder.getI64IntegerAttr(value)));
            return CallOp::create(builder, loc, any, "builtins.range", parts, ArrayAttr(),
                                  ArrayAttr(), ArrayAttr())
                .getResult();
        }
        if (first == '@' || first == '=') {
            structure = structure.split(';').second;
            auto none = PyAttr::get(builder.getContext(), "none", "");
            return ConstOp::create(builder, loc, StaticType::get(builder.getContext()), none);
        }
        if (first == '~')
            return containers[takeNumber(structure, ';')];
        auto target = builder.getDictionaryAttr(
            builder.getNamedAttr("container", builder.getI64IntegerAttr(containers.size())));
        if (first == 'L') {
            auto made = TupleOp::create(builder, loc, any, body.addArgument(any, loc),
                                        builder.getUnitAttr());
            made->setAttr("numbers", builder.getStringAttr(structure.take_front()));
            made->setAttr("argument", target);
            structure = structure.drop_front();
            containers.push_back(made);
            return made;
        }
        Attribute record;
        if (first == 'N') { // "N10:17 Point x": of a named tuple's class
            const size_t size = takeNumber(structure, ':');
            record = PyAttr::get(builder.getContext(), "namedtuple", structure.take_front(size));
            structure = structure.drop_front(size);
        }
        const bool dict = first == '{', changes = dict || first == '[';
        const size_t number = containers.size();
        if (changes)
            containers.emplace_back();
        SmallVector<Value> items;
        while (!StringRef(")]}").contains(structure.front())) {
            if (dict)
                items.push_back(key(builder, loc, structure));
            items.push_back(item(body, builder, loc, structure, containers));
        }
        structure = structure.drop_front();
        auto made = TupleOp::create(builder, loc, any, items,
                                    first == '[' ? builder.getUnitAttr() : UnitAttr());
        if (record)
            made->setAttr("record", record);
        if (changes) {
            containers[number] = made;
            made->setAttr("argument", target);
        }
        if (dict)
            made->setAttr("dict", builder.getUnitAttr());
        return made;
    }

    // "12;" at the front is taken off.
    static size_t takeNumber(StringRef &structure, char end) {
        auto [number, rest] = structure.split(end);
        size_t value = 0;
        number.getAsInteger(10, value);
        structure = rest;
        return value;
    }

    // A key of a dict: "s4:name" a string of four bytes, "i-2;" an integer.
    static Value key(OpBuilder &builder, Location loc, StringRef &structure) {
        const bool text = structure.front() == 's';
        auto [number, rest] = structure.drop_front().split(text ? ':' : ';');
        int64_t value = 0;
        number.getAsInteger(10, value);
        structure = text ? rest.drop_front(size_t(value)) : rest;
        Attribute key = builder.getI64IntegerAttr(value);
        if (text)
            key = PyAttr::get(builder.getContext(), "str", rest.take_front(size_t(value)));
        return shapecast::constantValue(builder, loc, key);
    }

    static void takeItems(FuncOp func, StringRef structure) {
        Block &body = func.getBody().front();
        const unsigned count = body.getNumArguments();
        OpBuilder builder = OpBuilder::atBlockBegin(&body);
        auto annotations = func->getAttrOfType<ArrayAttr>("annotations");
        SmallVector<Attribute> ofItems; // those of items have none
        SmallVector<Attribute> misfits; // tuples and lists that are annotated as arrays
        Containers containers;
        for (unsigned k = 0; k < count; ++k) {
            Location loc = body.getArgument(k).getLoc();
            const unsigned before = body.getNumArguments();
            const bool isItself = structure.starts_with(".");
            if (auto given = annotations ? dyn_cast<DictionaryAttr>(annotations[k]) : nullptr)
                if (const char first = structure.front(); StringRef("([{L").contains(first))
                    misfits.push_back(builder.getArrayAttr(
                        {builder.getStringAttr(
                             "argument '" + given.getAs<StringAttr>("name").getValue() +
                             "' does not fit " + given.getAs<StringAttr>("text").getValue() +
                             ": it is of class " +
                             (first == '('   ? "tuple"
                              : first == '{' ? "dict"
                                             : "list")),
                         loc}));
            Value put = item(body, builder, loc, structure, containers);
            if (func->hasAttr("others") && k + 1 == count) // **kwargs is nobody else's
                put.getDefiningOp()->removeAttr("argument");
            body.getArgument(k).replaceAllUsesWith(put);
            ofItems.append(body.getNumArguments() - before,
                           annotations && isItself ? annotations[k] : builder.getUnitAttr());
        }
        body.eraseArguments(0, count);
        if (annotations)
            func->setAttr("annotations", builder.getArrayAttr(ofItems));
        if (!misfits.empty())
            func->setAttr("misfits", builder.getArrayAttr(misfits));
    }

    static LogicalResult specialise(FuncOp func) {
        auto signature = func->getAttrOfType<ArrayAttr>("signature");
        Block &body = func.getBody().front();
        if (auto structure = func->getAttrOfType<StringAttr>("structure"))
            takeItems(func, structure.getValue());
        size_t given = signature ? signature.size() : 0;
        auto hidden = func->getAttrOfType<IntegerAttr>("hidden");
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

std::unique_ptr<Pass> shapecast::createSpecialise() { return std::make_unique<Specialise>(); }
