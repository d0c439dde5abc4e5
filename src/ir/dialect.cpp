// Registration of the np dialect: type, attribute and function syntax, the inliner's hooks.
#include "ir/np.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace shapecast::np;

#include "ir/NpDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/NpAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/NpTypes.cpp.inc"
#define GET_OP_CLASSES
#include "ir/NpOps.cpp.inc"

void NpDialect::initialize() {
    addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/NpAttrs.cpp.inc"
        >();
    addTypes<
#define GET_TYPEDEF_LIST
#include "ir/NpTypes.cpp.inc"
        >();
    addOperations<
#define GET_OP_LIST
#include "ir/NpOps.cpp.inc"
        >();
}

//===-- Helpers

StringRef shapecast::np::layoutText(Layout layout) {
    switch (layout) {
    case Layout::C:
        return "C";
    case Layout::F:
        return "F";
    case Layout::Inner:
        return "inner";
    case Layout::Strided:
        return "strided";
    }
    return "strided";
}

std::optional<Layout> shapecast::np::layoutFromText(StringRef text) {
    for (Layout layout : {Layout::C, Layout::F, Layout::Inner, Layout::Strided})
        if (text == layoutText(layout))
            return layout;
    return std::nullopt;
}

FlatSymbolRefAttr shapecast::np::calleeOf(Operation *op) {
    if (auto call = dyn_cast<CallOp>(op))
        return call.getCalleeAttr();
    auto closure = dyn_cast<ClosureOp>(op);
    return closure ? closure.getCalleeAttr() : FlatSymbolRefAttr();
}

void shapecast::np::setCallee(Operation *op, FlatSymbolRefAttr callee) {
    if (auto call = dyn_cast<CallOp>(op))
        call.setCalleeAttr(callee);
    else
        cast<ClosureOp>(op).setCalleeAttr(callee);
}

Type shapecast::np::anyTensor(MLIRContext *ctx) {
    return UnrankedTensorType::get(AnyType::get(ctx));
}

bool shapecast::np::isAny(Type type) {
    auto tensor = dyn_cast<UnrankedTensorType>(type);
    return tensor && isa<shapecast::np::AnyType>(tensor.getElementType());
}

bool shapecast::np::isPyScalar(Type type) {
    return isa<PyBoolType, PyIntType, PyWideIntType, PyFloatType, PyComplexType>(type);
}

bool shapecast::np::isNpScalar(Type type) { return isa<IntegerType, FloatType, ComplexType>(type); }

bool shapecast::np::isScalar(Type type) { return isPyScalar(type) || isNpScalar(type); }

Attribute shapecast::np::wideIntAttr(MLIRContext *ctx, const llvm::APInt &value) {
    return PyAttr::get(ctx, "wideint", toString(value, 10, /*Signed=*/true));
}

bool shapecast::np::isWideInt(Attribute attr) {
    auto integer = dyn_cast_or_null<PyAttr>(attr);
    return integer && integer.getKind() == "wideint";
}

llvm::APInt shapecast::np::wideInt(Attribute attr) {
    return {128, cast<PyAttr>(attr).getText(), 10};
}

RankedTensorType shapecast::np::valueType(ArrayRef<DimAttr> dims, Type dtype, StringAttr device) {
    SmallVector<int64_t> shape;
    for (DimAttr dim : dims)
        shape.push_back(dim.isConst() ? dim.getValue() : ShapedType::kDynamic);
    return RankedTensorType::get(shape, dtype, DimsAttr::get(dtype.getContext(), dims, device));
}

ArrayRef<DimAttr> shapecast::np::valueDims(Type tensor) {
    auto dims = dyn_cast_or_null<DimsAttr>(cast<RankedTensorType>(tensor).getEncoding());
    return dims ? dims.getDims() : ArrayRef<DimAttr>();
}

StringAttr shapecast::np::deviceOf(Type type) {
    if (auto array = dyn_cast<ArrayType>(type))
        return array.getDevice();
    auto tensor = dyn_cast<RankedTensorType>(type);
    auto dims = tensor ? dyn_cast_or_null<DimsAttr>(tensor.getEncoding()) : DimsAttr();
    return dims ? dims.getDevice() : StringAttr();
}

StringRef shapecast::np::deviceText(StringAttr device) {
    return device ? device.getValue() : "cpu";
}

ArrayAttr shapecast::np::dimArray(MLIRContext *ctx, ArrayRef<DimAttr> dims) {
    return ArrayAttr::get(ctx, SmallVector<Attribute>(dims.begin(), dims.end()));
}

SmallVector<DimAttr> shapecast::np::dimVector(ArrayAttr dims) {
    return llvm::map_to_vector(dims, [](Attribute a) { return cast<DimAttr>(a); });
}

//===-- Types and attributes

// Whether the next token is a symbol spelled like an integer type: `i3 x` or `i3 - 1 x`.
static bool startsWithSymbol(AsmParser &parser) {
    StringRef text(parser.getCurrentLocation().getPointer());
    if (!text.consume_front("i") || text.empty() || !llvm::isDigit(text.front()))
        return false;
    text = text.drop_while(llvm::isDigit).ltrim();
    return text.starts_with("x") || text.starts_with("+") || text.starts_with("-") ||
           text.starts_with("*");
}

static bool parseOptionalDevice(AsmParser &parser, StringAttr &device) {
    std::string text;
    if (failed(parser.parseOptionalString(&text)))
        return false;
    device = StringAttr::get(parser.getContext(), text);
    return true;
}

Type ArrayType::parse(AsmParser &parser) {
    SmallVector<DimAttr> dims;
    Type dtype;
    if (parser.parseLess())
        return {};
    while (true) {
        OptionalParseResult isType;
        if (!startsWithSymbol(parser))
            isType = parser.parseOptionalType(dtype);
        if (isType.has_value()) {
            if (failed(*isType))
                return {};
            break;
        }
        FailureOr<DimAttr> dim = parseDim(parser);
        if (failed(dim) || parser.parseKeyword("x"))
            return {};
        dims.push_back(*dim);
    }
    StringRef text;
    SMLoc at;
    if (parser.parseComma() || parser.getCurrentLocation(&at) || parser.parseKeyword(&text))
        return {};
    std::optional<Layout> layout = layoutFromText(text);
    if (!layout) {
        parser.emitError(at, "expected a layout: C, F, inner or strided");
        return {};
    }
    bool readonly = false;
    StringAttr device;
    while (!device && succeeded(parser.parseOptionalComma())) {
        if (parseOptionalDevice(parser, device))
            break;
        if (readonly || parser.parseKeyword("readonly"))
            return {};
        readonly = true;
    }
    if (parser.parseGreater())
        return {};
    return ArrayType::get(parser.getContext(), dims, dtype, *layout, readonly, device);
}

void ArrayType::print(AsmPrinter &printer) const {
    printer << "<";
    for (DimAttr dim : getDims()) {
        printDim(printer, dim);
        printer << " x ";
    }
    printer << getDtype() << ", " << layoutText(getLayout());
    if (getReadonly())
        printer << ", readonly";
    if (getDevice())
        printer << ", " << getDevice();
    printer << ">";
}

Attribute DimAttr::parse(AsmParser &parser, Type) {
    if (parser.parseLess())
        return {};
    FailureOr<DimAttr> dim = parseDim(parser);
    if (failed(dim) || parser.parseGreater())
        return {};
    return *dim;
}

void DimAttr::print(AsmPrinter &printer) const {
    printer << "<";
    printDim(printer, *this);
    printer << ">";
}

Attribute DimsAttr::parse(AsmParser &parser, Type) {
    SmallVector<DimAttr> dims;
    StringAttr device; // comes last
    auto element = [&]() -> ParseResult {
        if (device)
            return parser.emitError(parser.getCurrentLocation(), "a size follows the device");
        if (parseOptionalDevice(parser, device))
            return success();
        FailureOr<DimAttr> dim = parseDim(parser);
        if (succeeded(dim))
            dims.push_back(*dim);
        return failure(failed(dim));
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, element))
        return {};
    return DimsAttr::get(parser.getContext(), dims, device);
}

void DimsAttr::print(AsmPrinter &printer) const {
    printer << "<";
    llvm::interleaveComma(getDims(), printer, [&](DimAttr dim) { printDim(printer, dim); });
    if (getDevice())
        printer << ", " << getDevice();
    printer << ">";
}

LogicalResult DimsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                       function_ref<InFlightDiagnostic()> emitError) const {
    if (shape.size() != getDims().size())
        return emitError() << "#np.dims has " << getDims().size() << " sizes for a rank-"
                           << shape.size() << " value";
    return success();
}

Attribute ErrorSiteAttr::parse(AsmParser &parser, Type) {
    StringAttr error, message;
    LocationAttr at, caller;
    ArrayAttr notes;
    if (parser.parseLess() || parser.parseAttribute(error) || parser.parseComma() ||
        parser.parseAttribute(message) || parser.parseComma() || parser.parseAttribute(at) ||
        (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(notes)) ||
        (succeeded(parser.parseOptionalKeyword("caller")) && parser.parseAttribute(caller)) ||
        parser.parseGreater())
        return {};
    return ErrorSiteAttr::get(parser.getContext(), error, message, at, notes, caller);
}

void ErrorSiteAttr::print(AsmPrinter &printer) const {
    printer << "<" << getError() << ", " << getMessage() << ", " << Attribute(getAt());
    if (getNotes())
        printer << ", " << getNotes();
    if (getCaller())
        printer << " caller " << Attribute(getCaller());
    printer << ">";
}

Attribute ProfileRowAttr::parse(AsmParser &parser, Type) {
    StringAttr kind, text;
    LocationAttr at;
    if (parser.parseLess() || parser.parseAttribute(kind) || parser.parseComma() ||
        parser.parseAttribute(text) || parser.parseComma() || parser.parseAttribute(at) ||
        parser.parseGreater())
        return {};
    return ProfileRowAttr::get(parser.getContext(), kind, text, at);
}

void ProfileRowAttr::print(AsmPrinter &printer) const {
    printer << "<" << getKind() << ", " << getText() << ", " << Attribute(getAt()) << ">";
}

// #np.guard<s0 >= 2, 3>: the predicate is a quoted string, since MLIR's lexer has no `>=` token.
Attribute GuardAttr::parse(AsmParser &parser, Type) {
    std::string pred;
    int64_t line = 0;
    if (parser.parseLess())
        return {};
    FailureOr<DimAttr> lhs = parseDim(parser);
    if (failed(lhs) || parser.parseString(&pred))
        return {};
    FailureOr<DimAttr> rhs = parseDim(parser);
    if (failed(rhs) || parser.parseComma() || parser.parseInteger(line) || parser.parseGreater())
        return {};
    return GuardAttr::get(parser.getContext(), pred, *lhs, *rhs, line);
}

void GuardAttr::print(AsmPrinter &printer) const {
    printer << "<";
    printDim(printer, getLhs());
    printer << " \"" << getPred() << "\" ";
    printDim(printer, getRhs());
    printer << ", " << getLine() << ">";
}

//===-- Operations

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type) {
    state.addAttribute(SymbolTable::getSymbolAttrName(), builder.getStringAttr(name));
    state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
    state.addRegion();
}

void FuncOp::removeCallAttributes() {
    removeSignatureAttr();
    removeHintsAttr();
    removeStridesAttr();
    removeAliasAttr();
    removeForbiddenGuardsAttr();
    removeFailedAssumptionsAttr();
    removeHiddenAttr();
    removeStatesAttr();
    removeStructureAttr();
    removeAnnotationsAttr();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
    auto makeType = [](Builder &builder, ArrayRef<Type> args, ArrayRef<Type> results,
                       function_interface_impl::VariadicFlag,
                       std::string &) { return builder.getFunctionType(args, results); };
    return function_interface_impl::parseFunctionOp(
        parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), makeType,
        getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
    function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                             getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                             getResAttrsAttrName());
}

CallInterfaceCallable CallOp::getCallableForCallee() { return getCalleeAttr(); }
void CallOp::setCalleeFromCallable(CallInterfaceCallable callee) {
    setCalleeAttr(cast<FlatSymbolRefAttr>(cast<SymbolRefAttr>(callee)));
}
Operation::operand_range CallOp::getArgOperands() { return getArgs(); }
MutableOperandRange CallOp::getArgOperandsMutable() { return getArgsMutable(); }

OpFoldResult ConstOp::fold(FoldAdaptor) { return getValue(); }

OpFoldResult CastOp::fold(FoldAdaptor) {
    return getValue().getType() == getResult().getType() ? OpFoldResult(getValue())
                                                         : OpFoldResult();
}

// `np.const 20.0 : !np.pyfloat`. Numbers print without their attribute's type (i64 and f64 always),
// so the parser goes by the literal's spelling: with a decimal point, an exponent or in hexadecimal
// (nan, inf) it is a float.
ParseResult ConstOp::parse(OpAsmParser &parser, OperationState &result) {
    const char *at = parser.getCurrentLocation().getPointer();
    StringRef text(at, strcspn(at, " \t\n:"));
    Builder &builder = parser.getBuilder();
    Attribute value;
    bool number = !text.empty() && (llvm::isDigit(text.front()) || text.front() == '-');
    bool isFloat =
        number && (text.starts_with("0x") || text.contains('.') || text.contains_insensitive('e'));
    Type attrType = !number   ? Type(builder.getNoneType())
                    : isFloat ? Type(builder.getF64Type())
                              : Type(builder.getI64Type());
    Type type = StaticType::get(builder.getContext());
    if (parser.parseAttribute(value, attrType) || parser.parseOptionalAttrDict(result.attributes))
        return failure();
    // MLIR's parser of dialect attributes has consumed the colon and the type after `#np.py<...>`.
    bool isDialect = text.starts_with("#");
    if (!isDialect && parser.parseColonType(type))
        return failure();
    result.addAttribute(getValueAttrName(result.name), value);
    result.addTypes(type);
    return success();
}

void ConstOp::print(OpAsmPrinter &printer) {
    printer << ' ';
    if (isa<FloatAttr, IntegerAttr>(getValue()) && !isa<BoolAttr>(getValue()))
        printer.printAttributeWithoutType(getValue());
    else
        printer << getValue();
    printer.printOptionalAttrDict((*this)->getAttrs(), {getValueAttrName()});
    printer << " : " << getType();
}
