// TypedBuilder: creation of values and constants, symbols, facts and guards.
#include "ops/builder/typed.h"

#include "facts/host_info.h"
#include "ir/symbols.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

//===-- Val

bool Val::isStatic(StringRef staticKind) const {
    auto py = kind == Kind::Static ? dyn_cast_or_null<PyAttr>(attr) : PyAttr();
    return py && py.getKind() == staticKind;
}

StringRef Val::staticText() const {
    auto py = dyn_cast_or_null<PyAttr>(attr);
    return py ? py.getText() : StringRef();
}

// The value of np.int64(1) and the like: a constant, cast to a dtype that can represent it.
static std::optional<int64_t> castConstant(Value value) {
    auto cast = value.getDefiningOp<CastOp>();
    auto constant = cast ? cast.getValue().getDefiningOp<ConstOp>() : ConstOp();
    auto number = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
    const std::optional<OperandType> type = operandType(value.getType());
    if (!number || !type || type->weak != PyKind::Strong)
        return std::nullopt;
    const auto flag = dyn_cast<BoolAttr>(constant.getValue());
    const int64_t known = flag ? int64_t(flag.getValue()) : number.getInt();
    if (isBool(type->dtype))
        return known != 0;
    if (!isInteger(type->dtype) || (known < 0 && !isSigned(type->dtype)))
        return std::nullopt;
    const int bits = int(itemSize(type->dtype)) * 8 - isSigned(type->dtype);
    const bool fits = bits >= 63 || (known < int64_t(1) << bits && known >= -(int64_t(1) << bits));
    return fits ? std::optional(known) : std::nullopt;
}

std::optional<int64_t> Val::constInt() const {
    if (!isTyped())
        return std::nullopt;
    if (auto flag = dyn_cast_or_null<BoolAttr>(attr))
        return flag.getValue();
    if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
        return integer.getInt();
    if (isPyInt() && dim && dim.isConst())
        return dim.getValue();
    return isScalar() ? castConstant(value) : std::nullopt;
}

std::optional<bool> Val::constBool() const {
    if (kind == Kind::Tuple || kind == Kind::Dict)
        return !items.empty();
    if (kind == Kind::Record)
        return true;
    if (kind == Kind::Static) {
        if (isNone())
            return false;
        return !isStatic("str") || !staticText().empty();
    }
    if (auto number = dyn_cast_or_null<FloatAttr>(attr))
        return !number.getValue().isZero();
    if (std::optional<int64_t> integer = constInt())
        return *integer != 0;
    return std::nullopt;
}

ErrorSiteAttr InferError::site(Builder b) const {
    SmallVector<Attribute> texts;
    for (const std::string &note : notes)
        texts.push_back(b.getStringAttr(note));
    return ErrorSiteAttr::get(b.getContext(), b.getStringAttr(exception), b.getStringAttr(message),
                              loc, b.getArrayAttr(texts));
}

LogicalResult InferError::report() const {
    InFlightDiagnostic diagnostic = emitError(loc) << exception << ": " << message;
    for (const std::string &note : notes)
        diagnostic.attachNote() << note;
    return failure();
}

//===-- Creating values

void TypedBuilder::fail(StringRef exception, const Twine &message) const {
    throw InferError{loc, exception.str(), message.str(),
                     operandNotes ? operandNotes() : std::vector<std::string>()};
}

void TypedBuilder::failJoin(const Twine &message) const {
    throw InferError{loc, "shapecast.UnsupportedError", message.str(),
                     operandNotes ? operandNotes() : std::vector<std::string>(),
                     /*joinConflict=*/true};
}

void TypedBuilder::needConstant(const Val &v, const Twine &message) const {
    requestStaticArgument(v);
    unsupported(message);
}

SmallVector<unsigned> TypedBuilder::sourceParameters(const Val &v) {
    SmallVector<unsigned> parameters;
    auto add = [&](unsigned k) {
        if (!llvm::is_contained(parameters, k))
            parameters.push_back(k);
    };
    auto addDim = [&](DimAttr dim) {
        dimSymbols(dim, [&](StringRef name) { // the entry's k-th int is the symbol n<k>
            unsigned k = 0;
            if (name.consume_front("n") && !name.getAsInteger(10, k))
                add(k);
        });
    };
    Value value = v.value;
    while (auto cast = value ? value.getDefiningOp<CastOp>() : CastOp())
        value = cast.getValue();
    if (auto argument = dyn_cast_or_null<BlockArgument>(value);
        argument && isPyScalar(argument.getType()) &&
        isa_and_nonnull<FuncOp>(argument.getOwner()->getParentOp()))
        add(argument.getArgNumber());
    if (v.isPyInt() && v.dim)
        addDim(v.dim);
    if (v.lhs) { // a comparison
        addDim(v.lhs);
        addDim(v.rhs);
    }
    return parameters;
}

void TypedBuilder::requestStaticArgument(ArrayRef<unsigned> parameters) const {
    if (parameters.empty() || !isEntry)
        return;
    throw StaticArgumentRequest{llvm::to_vector_of<int32_t>(parameters)};
}

Val TypedBuilder::typed(Value value) {
    Val v;
    v.kind = Val::Kind::Typed;
    v.value = value;
    if (isa<PyIntType>(value.getType()))
        v.dim = bindSymbol("k", value);
    return v;
}

Val TypedBuilder::staticVal(StringRef kind, StringRef text) {
    Val v;
    v.kind = Val::Kind::Static;
    v.attr = PyAttr::get(ctx, kind, text);
    return v;
}

Val TypedBuilder::neverVal() {
    Val v;
    v.kind = Val::Kind::Never;
    return v;
}

Val TypedBuilder::noneVal() { return staticVal("none", ""); }

Val TypedBuilder::constant(Attribute attr, Type type) {
    Val v;
    v.kind = Val::Kind::Typed;
    v.attr = attr;
    v.value = ConstOp::create(b, loc, type, attr);
    if (auto integer = dyn_cast<IntegerAttr>(attr); integer && isa<PyIntType>(type))
        v.dim = dimConst(integer.getInt());
    return v;
}

Val TypedBuilder::intVal(int64_t value) {
    return constant(b.getI64IntegerAttr(value), PyIntType::get(ctx));
}
Val TypedBuilder::boolVal(bool value) {
    return constant(b.getBoolAttr(value), PyBoolType::get(ctx));
}
Val TypedBuilder::floatVal(double value) {
    return constant(b.getF64FloatAttr(value), PyFloatType::get(ctx));
}

Val TypedBuilder::sizeVal(DimAttr expr) {
    if (expr.isConst())
        return intVal(expr.getValue());
    Val v;
    v.kind = Val::Kind::Typed;
    v.value = SizeOp::create(b, loc, PyIntType::get(ctx), expr);
    v.dim = expr;
    return v;
}

Val TypedBuilder::tupleVal(std::vector<Val> items, bool list) {
    Val v;
    v.kind = Val::Kind::Tuple;
    v.items = std::move(items);
    v.list = list;
    return v;
}

Val TypedBuilder::narrowed(const Val &v) {
    if (v.isUnion()) {
        Val rest = v;
        for (; rest.isUnion(); rest = withoutLastMember(rest)) {
            DimAttr last = dimConst(rest.items.size() - 1);
            if (facts.greaterEqual(v.dim, last) == Answer::Yes)
                return rest.items.back();
            if (facts.less(v.dim, last) != Answer::Yes)
                break;
        }
        return rest;
    }
    if (v.kind != Val::Kind::Optional || !v.attr)
        return v;
    if (facts.greaterEqual(v.dim, dimConst(1)) == Answer::Yes)
        return narrowed(v.items[0]);
    return facts.less(v.dim, dimConst(1)) == Answer::Yes ? noneVal() : v;
}

std::optional<std::vector<Val>> TypedBuilder::itemsOf(const Val &iterable) {
    if (iterable.isTuple())
        return iterable.items;
    if (iterable.isStatic("str"))
        return charactersOf(*this, iterable);
    std::vector<Val> items;
    if (iterable.isDict()) {
        for (Attribute key : cast<ArrayAttr>(iterable.attr))
            items.push_back(literal(key));
        return items;
    }
    if (iterable.kind == Val::Kind::Range) {
        std::optional<int64_t> low = iterable.items[0].constInt(),
                               high = iterable.items[1].constInt(),
                               step = iterable.items[2].constInt();
        if (!low || !high || !step || (*high - *low) / *step > maxUnrollTripCount)
            return std::nullopt;
        for (int64_t i = *low; *step > 0 ? i < *high : i > *high; i += *step)
            items.push_back(intVal(i));
        return items;
    }
    if (!iterable.isArray() || iterable.array().getRank() == 0)
        return std::nullopt;
    DimAttr size = facts.canonical(dimsOf(iterable)[0]);
    if (!size.isConst() || size.getValue() > maxUnrollTripCount)
        return std::nullopt;
    for (int64_t i = 0; i < size.getValue(); ++i)
        items.push_back(getItem(iterable, {intVal(i)}));
    return items;
}

Val TypedBuilder::literal(Attribute attr) {
    if (auto flag = dyn_cast<BoolAttr>(attr))
        return boolVal(flag.getValue());
    if (auto integer = dyn_cast<IntegerAttr>(attr))
        return intVal(integer.getInt());
    if (auto number = dyn_cast<FloatAttr>(attr))
        return constant(number, PyFloatType::get(ctx));
    if (auto items = dyn_cast<ArrayAttr>(attr)) {
        std::vector<Val> values;
        for (Attribute item : items)
            values.push_back(literal(item));
        return tupleVal(std::move(values));
    }
    Val v;
    v.kind = Val::Kind::Static;
    v.attr = attr;
    return v;
}

OperandType TypedBuilder::operandOf(const Val &v) {
    if (v.weakFlag && !isNaturalPair(v.type(), v.weakKind))
        unsupported("this use of a number that is " + describe(v) +
                    "; make it the same type on all paths");
    if (v.isTyped())
        if (std::optional<OperandType> operand = operandType(v.type()))
            return *operand;
    unsupported("an array or a number is needed here, not " + describe(v));
}

static std::string typeText(Type type) {
    std::optional<OperandType> operand = operandType(type);
    if (!operand)
        return "object";
    switch (operand->weak) {
    case PyKind::Bool:
        return "bool";
    case PyKind::Int:
        return "int";
    case PyKind::Float:
        return "float";
    case PyKind::Complex:
        return "complex";
    case PyKind::Strong:
        return dtypeName(operand->dtype).str();
    }
    return "object";
}

std::string TypedBuilder::describe(const Val &v) const {
    switch (v.kind) {
    case Val::Kind::Static:
        return v.isNone() ? "None" : (cast<PyAttr>(v.attr).getKind() + " " + v.staticText()).str();
    case Val::Kind::Tuple:
        return v.list ? "list" : "tuple";
    case Val::Kind::DynamicList:
        return v.list ? "list" : "tuple";
    case Val::Kind::Dict:
        return "dict";
    case Val::Kind::Record:
        return ("a " + cast<PyAttr>(v.attr).getText().split(' ').second.split(' ').first).str();
    case Val::Kind::Function:
        return ("function " + shownSymbol(cast<SymbolRefAttr>(v.attr).getRootReference())).str();
    case Val::Kind::Iterator:
        return cast<StringAttr>(v.attr).getValue().str();
    case Val::Kind::Slice:
        return "slice";
    case Val::Kind::Range:
        return "range";
    case Val::Kind::Object:
        return v.isObject("str") ? "a string made at run time" : "an exception";
    case Val::Kind::Never:
        return "no value (an exception was raised)";
    case Val::Kind::Unbound:
        return "an unassigned variable";
    case Val::Kind::Optional:
        return "a variable that may be unassigned";
    case Val::Kind::Union: {
        std::string kinds;
        for (const Val &item : v.items)
            kinds += (kinds.empty() ? "" : " or ") + describe(item);
        return kinds;
    }
    case Val::Kind::Typed:
        break;
    }
    if (v.isPython())
        return "an object of class " + cast<ObjectType>(v.type()).getName().str();
    std::string text = typeText(v.type());
    if (v.weakFlag)
        return typeText(pyType(ctx, v.weakKind)) + " on some paths and " + text + " on others";
    if (ArrayType array = v.array()) {
        text += "[";
        for (auto [i, dim] : llvm::enumerate(array.getDims()))
            text += (i ? ", " : "") + dimText(dim);
        text += "]";
        if (array.getDevice())
            text += " on " + array.getDevice().str();
    }
    return text;
}

std::string TypedBuilder::classNameOf(const Val &v) const {
    if (v.isArray())
        return "numpy.ndarray";
    if (v.isPython())
        return cast<ObjectType>(v.type()).getName().str();
    if (v.isTyped() && operandType(v.type())->weak == PyKind::Strong)
        return "numpy." + typeText(v.type());
    if (v.isText())
        return "str";
    if (v.isNone())
        return "NoneType";
    if (v.kind == Val::Kind::Function)
        return "function";
    if (v.kind == Val::Kind::Static)
        return v.isStatic("func") ? "builtin_function_or_method" : v.staticText().str();
    const std::string record = recordClassName(v);
    return record.empty() ? describe(v) : record;
}

void TypedBuilder::checkHasAttribute(const Val &v, StringRef name) {
    const std::string className = classNameOf(v);
    const bool isUserClass = v.isPython() || !recordClasses(v).empty();
    if (!isUserClass && hostInfo().hasAttribute(className, name) == false)
        fail("AttributeError", "'" + className + "' object has no attribute '" + name + "'");
}

void TypedBuilder::checkArity(StringRef function, size_t count,
                              ArrayRef<std::pair<StringRef, Val>> named) {
    const StringRef module = function.split('.').first;
    if (!llvm::is_contained({"builtins", "math", "operator"}, module))
        return;
    std::vector<std::string> names;
    for (const auto &[name, value] : named)
        names.push_back(name.str());
    if (std::optional<std::string> refusal = hostInfo().argumentError(function.str(), count, names))
        fail("TypeError", *refusal);
}

//===-- Symbols

DimAttr TypedBuilder::freshSymbol(StringRef prefix) {
    return dimSymbol(ctx, (prefix + Twine(nextSymbol++)).str());
}

DimAttr TypedBuilder::bindSymbol(StringRef prefix, Value pyint) {
    DimAttr symbol = freshSymbol(prefix);
    SymbolOp::create(b, loc, b.getStringAttr(symbol.getName()), pyint);
    return symbol;
}

DimAttr TypedBuilder::toDim(const Val &v, StringRef wording) {
    const bool integral = v.weakFlag && isInteger(operandOf(strongSide(v)).dtype);
    if (v.weakFlag && (!integral || !isExactAsPython(v)))
        return unionSplit(v, [&](const Val &side) { return sizeVal(toDim(side, wording)); }).dim;
    if (v.weakFlag)
        return toDim(strongSide(v), wording);
    if (v.isPyInt())
        return v.dim;
    if (v.isScalar()) {
        OperandType operand = operandOf(v);
        if (operand.weak == PyKind::Bool ||
            (operand.weak == PyKind::Strong && isInteger(operand.dtype))) {
            if (std::optional<int64_t> known = v.constInt())
                return dimConst(*known);
            for (Operation *user : v.value.getUsers()) // cast before: reuse its symbol
                if (isa<CastOp>(user) && user->getBlock() == b.getInsertionBlock())
                    for (Operation *named : user->getUsers())
                        if (auto symbol = dyn_cast<SymbolOp>(named))
                            return dimSymbol(ctx, symbol.getName());
            return typed(CastOp::create(b, loc, PyIntType::get(ctx), v.value)).dim;
        }
    }
    if (v.isArray() && v.array().getRank() == 0 && isInteger(operandOf(v).dtype))
        return toDim(typed(read(v)));
    if (v.isArray())
        fail("TypeError", "only integer scalar arrays can be converted to a scalar index");
    fail("TypeError", wording.empty()
                          ? "'" + classNameOf(v) + "' object cannot be interpreted as an integer"
                          : wording.str());
}

//===-- Facts and guards

bool TypedBuilder::guardable(DimAttr e) const {
    bool known = true;
    dimSymbols(e, [&](StringRef name) { known &= hints.contains(name); });
    return known;
}

static int64_t lineOf(Location loc) {
    int64_t line = 0;
    loc->walk([&](Location l) {
        if (auto range = dyn_cast<FileLineColRange>(l); range && !line)
            line = range.getStartLine();
        return WalkResult::advance();
    });
    return line;
}

void TypedBuilder::addFact(SizeFact fact) {
    fact.addTo(facts);
    if (const int64_t line = lineOf(loc))
        fact.origin = "line " + std::to_string(line);
    sizeFacts.push_back(std::move(fact));
}

// The facts that contradict a requirement, and where they are from: "k == 512 because of ...".
std::vector<std::string> TypedBuilder::conflictNotes(StringRef kind, ArrayRef<DimAttr> args) const {
    if (kind != "eq" && kind != "ge" && kind != "broadcast" && kind != "broadcast_to")
        return {};
    llvm::SmallSetVector<DimAttr, 8> symbols;
    auto collect = [&](DimAttr e) {
        dimSymbols(e, [&](StringRef name) {
            if (facts.range(dimSymbol(ctx, name)).first >= 0)
                symbols.insert(dimSymbol(ctx, name));
        });
    };
    for (const SizeFact &fact : sizeFacts) {
        collect(fact.a);
        collect(fact.b);
    }
    llvm::for_each(args, collect);
    const SizeFact wanted{
        kind == "ge" ? SizeFact::GreaterEqual : SizeFact::Equal, args[0], args[1], {}};
    std::vector<std::string> notes;
    for (const SizeFact &fact : unsatCore(symbols.getArrayRef(), sizeFacts, wanted))
        notes.push_back(fact.note());
    return notes;
}

// Adds the guard, and the fact, if it holds in the compiling call and is not forbidden. `needed`:
// even if it is forbidden.
bool TypedBuilder::addGuard(StringRef pred, DimAttr a, DimAttr other, bool needed) {
    if (!guardable(a) || !guardable(other))
        return false;
    auto value = [&](StringRef name) -> std::optional<int64_t> { return hints.lookup(name); };
    std::optional<int64_t> left = dimEvaluate(a, value), right = dimEvaluate(other, value);
    if (!left || !right)
        return false;
    bool holds = pred == "==" ? *left == *right : pred == "!=" ? *left != *right : *left >= *right;
    auto same = [&](GuardAttr g) {
        return g.getPred() == pred && g.getLhs() == a && g.getRhs() == other;
    };
    if (!holds || (!needed && llvm::any_of(forbidden, same)))
        return false;
    if (llvm::none_of(guards, same)) {
        guards.push_back(GuardAttr::get(ctx, pred, a, other, lineOf(loc)));
    }
    addFact({pred == "=="   ? SizeFact::Equal
             : pred == "!=" ? SizeFact::NotEqual
                            : SizeFact::GreaterEqual,
             a,
             other,
             {}});
    return true;
}

bool TypedBuilder::assumeGreaterEqual(DimAttr a, DimAttr other) {
    Answer answer = facts.greaterEqual(a, other);
    return answer == Answer::Unknown ? addGuard(">=", a, other) : answer == Answer::Yes;
}

bool TypedBuilder::assumeEqual(DimAttr a, DimAttr other) {
    Answer answer = facts.equal(a, other);
    if (answer != Answer::Unknown)
        return answer == Answer::Yes;
    return addGuard("==", a, other) || assumeEqualUpToRenaming(a, other);
}

// Two expressions that are the same but for one entry symbol (the sizes of `x[i:k]` and `y[i:k]`)
// are equal where the two symbols are.
bool TypedBuilder::assumeEqualUpToRenaming(DimAttr a, DimAttr other) {
    llvm::SmallSetVector<DimAttr, 8> mine, theirs;
    dimSymbols(a, [&](StringRef name) { mine.insert(dimSymbol(ctx, name)); });
    dimSymbols(other, [&](StringRef name) { theirs.insert(dimSymbol(ctx, name)); });
    auto difference = [](const auto &symbols, const auto &others) {
        SmallVector<DimAttr> found;
        llvm::copy_if(symbols, std::back_inserter(found),
                      [&](DimAttr symbol) { return !others.contains(symbol); });
        return found;
    };
    const SmallVector<DimAttr> from = difference(mine, theirs), to = difference(theirs, mine);
    if (from.size() != 1 || to.size() != 1)
        return false;
    DimAttr renamed = dimSubstitute(
        a, [&](StringRef name) { return name == from[0].getName() ? to[0] : DimAttr(); });
    return renamed == other && addGuard("==", from[0], to[0]) &&
           facts.equal(a, other) == Answer::Yes;
}

bool TypedBuilder::assumeNotEqual(DimAttr a, DimAttr other) {
    Answer answer = facts.equal(a, other);
    return answer == Answer::Unknown ? addGuard("!=", a, other) : answer == Answer::No;
}

std::optional<int64_t> TypedBuilder::sizeHint(DimAttr e) {
    DimAttr known = facts.canonical(e);
    if (!guardable(known))
        return std::nullopt;
    return dimEvaluate(known, [&](StringRef name) { return std::optional(hints.lookup(name)); });
}

constexpr unsigned simpleWeight = 12; // of the sizes of one convolution, see dimIsHeavy

// Whether the symbol is a factor of the whole expression, as the number of images in a batch is.
static bool isFactor(DimAttr e, DimAttr symbol) {
    return dimConstant(e) == 0 && llvm::all_of(dimTerms(e), [&](const DimTerm &term) {
               return term.monomial == symbol ||
                      (term.monomial.getKind() == DimKind::Product &&
                       llvm::is_contained(term.monomial.getOperands(), symbol));
           });
}

// The entry symbol to specialise on, so that the expression becomes simpler: the one with the
// smallest hint; null: none.
static DimAttr symbolToSpecialise(DimAttr e, const llvm::StringMap<int64_t> &hints) {
    DimAttr chosen;
    int64_t least = 0;
    dimSymbols(e, [&](StringRef name) {
        auto hint = hints.find(name);
        if (hint == hints.end() || (chosen && hint->second >= least))
            return;
        DimAttr symbol = dimSymbol(e.getContext(), name);
        if (isFactor(e, symbol))
            return;
        chosen = symbol;
        least = hint->second;
    });
    return chosen;
}

DimAttr TypedBuilder::simpleSize(DimAttr e) {
    e = facts.canonical(e);
    if (syntheticHints || !dimIsHeavy(e))
        return e;
    while (dimWeight(e, simpleWeight + 1) > simpleWeight) {
        DimAttr symbol = symbolToSpecialise(e, hints);
        if (!symbol || !addGuard("==", symbol, dimConst(hints.lookup(symbol.getName()))))
            break;
        e = facts.canonical(e);
    }
    return e;
}

// A sum of arrays whose sizes are known only at run time would have a size that names them all.
Dims TypedBuilder::namedSizes(Dims dims) {
    for (DimAttr &dim : dims) {
        if (dimIsHeavy(dim))
            dim = simpleSize(dim);
        if (!dimIsHeavy(dim))
            continue;
        const auto [low, high] = facts.range(dim);
        dim = bindSymbol("p", SizeOp::create(b, loc, PyIntType::get(ctx), dim));
        addFact({SizeFact::GreaterEqual, dim, dimConst(std::max<int64_t>(low, 0)), {}});
        if (high < INT64_MAX)
            addFact({SizeFact::GreaterEqual, dimConst(high), dim, {}});
    }
    return dims;
}

Val TypedBuilder::withSimpleSizes(Val v) {
    ArrayType type = v.array();
    if (!type)
        return v;
    Dims dims = llvm::map_to_vector<4>(
        type.getDims(), [&](DimAttr dim) { return dimIsHeavy(dim) ? simpleSize(dim) : dim; });
    if (ArrayRef(dims) != type.getDims())
        v.value = CastOp::create(b, loc,
                                 ArrayType::get(ctx, dims, type.getDtype(), type.getLayout(),
                                                type.getReadonly(), type.getDevice()),
                                 v.value);
    return v;
}

std::optional<bool> TypedBuilder::decideEqual(DimAttr a, DimAttr other) {
    if (Answer answer = facts.equal(a, other); answer != Answer::Unknown)
        return answer == Answer::Yes;
    if (addGuard("==", a, other, /*needed=*/true))
        return true;
    if (addGuard("!=", a, other, /*needed=*/true))
        return false;
    return std::nullopt;
}

// Whether the facts refute a relation of np.require.
static bool neverHolds(const DimFacts &facts, StringRef kind, ArrayRef<DimAttr> args) {
    auto differ = [&](DimAttr a, DimAttr c) { return facts.equal(a, c) == Answer::No; };
    auto notOne = [&](DimAttr a) { return differ(a, dimConst(a.getContext(), 1)); };
    if (kind == "eq")
        return differ(args[0], args[1]);
    if (kind == "ge")
        return facts.less(args[0], args[1]) == Answer::Yes;
    if (kind == "broadcast_to" || kind == "broadcast")
        return differ(args[0], args[1]) && notOne(args[0]) &&
               (kind == "broadcast_to" || notOne(args[1]));
    return kind == "ne" && facts.equal(args[0], args[1]) == Answer::Yes;
}

// Where the relation fails in the compiling call, its negation becomes a guard: later guards hold
// in that call too, and would contradict the facts that follow from the requirement.
bool TypedBuilder::assumeFails(StringRef kind, ArrayRef<DimAttr> args) {
    if (syntheticHints)
        return false;
    const DimAttr one = dimConst(1);
    auto less = [&](DimAttr a, DimAttr c) { // a + 1 might be beyond 64 bits
        return addGuard(">=", c, a) && addGuard("!=", c, a);
    };
    auto differ = [&](DimAttr a, DimAttr c) { return addGuard("!=", a, c); };
    if (kind == "eq")
        return differ(args[0], args[1]);
    if (kind == "ne")
        return addGuard("==", args[0], args[1]);
    if (kind == "ge")
        return less(args[0], args[1]);
    if (kind == "index")
        return addGuard(">=", args[0], args[1]) || less(args[0], dimNeg(args[1]));
    if (kind == "broadcast" || kind == "broadcast_to")
        return differ(args[0], args[1]) && differ(args[0], one) &&
               (kind == "broadcast_to" || differ(args[1], one));
    return false;
}

void TypedBuilder::require(StringRef kind, ArrayRef<DimAttr> args, StringRef error,
                           const Twine &message, ArrayRef<DimAttr> payload) {
    const bool never = neverHolds(facts, kind, args);
    if (never || assumeFails(kind, args)) {
        const auto own = operandNotes;
        std::function<std::vector<std::string>()> withReasons = [&] {
            std::vector<std::string> notes = own ? own() : std::vector<std::string>();
            if (never)
                llvm::append_range(notes, conflictNotes(kind, args));
            return notes;
        };
        llvm::SaveAndRestore saved(operandNotes, withReasons);
        return require("false", {}, error, message, payload);
    }
    auto op = RequireOp::create(b, loc, b.getStringAttr(kind), dimArray(ctx, args),
                                b.getStringAttr(error), b.getStringAttr(message),
                                dimArray(ctx, payload.take_front(messageSizes)));
    std::vector<std::string> notes = operandNotes ? operandNotes() : std::vector<std::string>();
    if (!notes.empty())
        op.setNotesAttr(b.getStrArrayAttr(SmallVector<StringRef>(notes.begin(), notes.end())));
}

DimAttr TypedBuilder::checkedIndex(DimAttr i, DimAttr n, int64_t axis) {
    bool nonNegative = facts.greaterEqual(i, dimConst(0)) == Answer::Yes;
    bool negative = !nonNegative && facts.less(i, dimConst(0)) == Answer::Yes;
    bool below = nonNegative && facts.less(i, n) == Answer::Yes;
    bool above = negative && facts.greaterEqual(dimAdd(i, n), dimConst(0)) == Answer::Yes;
    if (!below && !above) {
        // A constant index is checked once, by a guard at the entry, where that is possible.
        bool guarded = i.isConst() && (nonNegative ? addGuard(">=", n, dimAdd(i, dimConst(1)))
                                                   : addGuard(">=", n, dimNeg(i)));
        if (!guarded)
            require("index", {i, n}, "IndexError",
                    "index {0} is out of bounds for axis " + Twine(axis) + " with size {1}",
                    {i, n});
    }
    return nonNegative ? i : negative ? dimAdd(i, n) : dimWrap(i, n);
}

void TypedBuilder::requireBytes(ArrayRef<DimAttr> dims, DType dtype) {
    constexpr int64_t addressSpace = int64_t(1) << 47; // a process has no more
    const auto holding = [&](int64_t bytes) { return dimConst(bytes / int64_t(itemSize(dtype))); };
    const DimAttr max = holding(INT64_MAX), available = holding(addressSpace), one = dimConst(1);
    const auto isKnown = [&](DimAttr dim) {
        return dim.isConst() ? dim.getValue() <= INT32_MAX
                             : facts.greaterEqual(max, dim) == Answer::Yes;
    };
    // A product of the sizes of arrays that exist cannot overflow.
    if (llvm::all_of(dims, isKnown) && llvm::any_of(dims, [](DimAttr d) { return !d.isConst(); }))
        return;
    SmallVector<std::pair<DimAttr, DimAttr>> unknown; // with the product of the preceding sizes
    DimAttr preceding = one;
    for (DimAttr dim : dims) { // 0 counts as 1, as in NumPy
        if (!assumeGreaterEqual(facts.canonical(dimFloorDiv(available, preceding)), dim))
            unknown.emplace_back(dim, preceding);
        preceding = facts.canonical(dimMul(preceding, dimMax(dim, one)));
    }
    for (auto [dim, product] : unknown)
        require("ge", {facts.canonical(dimFloorDiv(max, product)), dim}, "ValueError",
                "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum "
                "possible size.");
    for (auto [dim, product] : unknown)
        require("ge", {facts.canonical(dimFloorDiv(available, product)), dim}, "MemoryError",
                "Unable to allocate an array");
}
