// Printer and parser of symbolic dimension expressions: `2 * s0 * s1 - s2 + 1`, `floordiv(s0, 2)`.
#include "ir/dim.h"

#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace shapecast::np {
namespace {

StringRef functionName(DimKind kind) {
    switch (kind) {
    case DimKind::FloorDiv:
        return "floordiv";
    case DimKind::Mod:
        return "mod";
    case DimKind::Min:
        return "min";
    case DimKind::Max:
        return "max";
    case DimKind::Bcast:
        return "bcast";
    case DimKind::Broadcast:
        return "broadcast";
    case DimKind::Wrap:
        return "wrap";
    default:
        return "";
    }
}

void printExpr(raw_ostream &os, DimAttr e);

// An operand of a product: only a sum needs parentheses.
void printAtom(raw_ostream &os, DimAttr e) {
    if (e.isSymbol()) {
        os << e.getName();
    } else if (e.isConst()) {
        os << e.getValue();
    } else if (StringRef name = functionName(e.getKind()); !name.empty()) {
        os << name << "(";
        llvm::interleaveComma(e.getOperands(), os,
                              [&](DimAttr operand) { printExpr(os, operand); });
        os << ")";
    } else {
        os << "(";
        printExpr(os, e);
        os << ")";
    }
}

uint64_t magnitude(int64_t value) { return value < 0 ? -static_cast<uint64_t>(value) : value; }

bool isNegative(DimAttr term) {
    return (term.getKind() == DimKind::Product || term.isConst()) && term.getValue() < 0;
}

// A term of a sum without its sign.
void printTerm(raw_ostream &os, DimAttr term) {
    if (term.isConst()) {
        os << magnitude(term.getValue());
        return;
    }
    if (term.getKind() != DimKind::Product)
        return printAtom(os, term);
    SmallVector<DimAttr> sums, others;
    for (DimAttr atom : term.getOperands())
        (atom.getKind() == DimKind::Sum ? sums : others).push_back(atom);
    uint64_t coefficient = magnitude(term.getValue());
    // A constant atom occurs only after an overflow; its coefficient must not be lost.
    bool showsCoefficient = coefficient != 1 || (!others.empty() && others.front().isConst());
    if (showsCoefficient && sums.empty())
        os << coefficient << " * ";
    // Sums that were not expanded go first: the parser multiplies from the left and must not expand
    // them either.
    sums.append(others);
    llvm::interleave(sums, [&](DimAttr atom) { printAtom(os, atom); }, [&] { os << " * "; });
    if (showsCoefficient && sums.front().getKind() == DimKind::Sum)
        os << " * " << coefficient;
}

// Positive terms, then negative ones, then the constant; the constant first where all terms are
// negative.
void printExpr(raw_ostream &os, DimAttr e) {
    SmallVector<DimAttr> terms, negative;
    if (e.getKind() == DimKind::Sum) {
        for (DimAttr operand : e.getOperands())
            (isNegative(operand) ? negative : terms).push_back(operand);
        bool first = terms.empty() && e.getValue() > 0;
        DimAttr constant = DimAttr::get(e.getContext(), DimKind::Const, e.getValue(), "", {});
        if (first)
            terms.push_back(constant);
        terms.append(negative);
        if (!first && e.getValue() != 0)
            terms.push_back(constant);
    } else {
        terms.push_back(e);
    }
    for (auto [i, term] : llvm::enumerate(terms)) {
        if (i == 0)
            os << (isNegative(term) ? "-" : "");
        else
            os << (isNegative(term) ? " - " : " + ");
        printTerm(os, term);
    }
}

// Recursive descent. After a term only `+ - *` continue it, so the `x` between an array's dims ends
// a dim.
class DimParser {
public:
    explicit DimParser(AsmParser &parser) : parser(parser) {}

    FailureOr<DimAttr> sum() {
        FailureOr<DimAttr> left = term(succeeded(parser.parseOptionalMinus()));
        while (succeeded(left)) {
            bool minus = succeeded(parser.parseOptionalMinus());
            if (!minus && failed(parser.parseOptionalPlus()))
                return left;
            FailureOr<DimAttr> right = term(minus);
            if (failed(right))
                return failure();
            left = dimAdd(*left, *right);
        }
        return failure();
    }

private:
    FailureOr<DimAttr> term(bool negative) {
        FailureOr<DimAttr> left = factor(negative);
        while (succeeded(left) && succeeded(parser.parseOptionalStar())) {
            FailureOr<DimAttr> right = factor(succeeded(parser.parseOptionalMinus()));
            if (failed(right))
                return failure();
            left = dimMul(*left, *right);
        }
        return left;
    }

    // The sign is folded into a literal, since -2^63 has no positive counterpart.
    FailureOr<DimAttr> factor(bool negative) {
        APInt literal;
        OptionalParseResult isLiteral = parser.parseOptionalInteger(literal);
        if (isLiteral.has_value()) {
            if (failed(*isLiteral))
                return failure();
            literal = literal.sext(literal.getBitWidth() + 1);
            if (negative)
                literal.negate();
            if (!literal.isSignedIntN(64))
                return parser.emitError(parser.getCurrentLocation(), "size does not fit 64 bits");
            return dimConst(parser.getContext(), literal.getSExtValue());
        }
        FailureOr<DimAttr> atom = atomOrGroup();
        return succeeded(atom) && negative ? dimNeg(*atom) : atom;
    }

    FailureOr<DimAttr> atomOrGroup() {
        if (succeeded(parser.parseOptionalLParen())) {
            FailureOr<DimAttr> inner = sum();
            if (failed(inner) || parser.parseRParen())
                return failure();
            return inner;
        }
        SMLoc at = parser.getCurrentLocation();
        StringRef name;
        if (failed(parser.parseOptionalKeyword(&name)) || name == "x")
            return parser.emitError(at,
                                    "expected a size: a number, a symbol or a function of sizes");
        if (succeeded(parser.parseOptionalLParen()))
            return call(at, name);
        return dimSymbol(parser.getContext(), name);
    }

    FailureOr<DimAttr> call(SMLoc at, StringRef name) {
        SmallVector<DimAttr> args;
        do {
            FailureOr<DimAttr> arg = sum();
            if (failed(arg))
                return failure();
            args.push_back(*arg);
        } while (succeeded(parser.parseOptionalComma()));
        if (parser.parseRParen())
            return failure();
        if (name == "bcast" && args.size() == 1)
            return dimBcast(args[0]);
        using Binary = DimAttr (*)(DimAttr, DimAttr);
        Binary function = llvm::StringSwitch<Binary>(name)
                              .Case("floordiv", dimFloorDiv)
                              .Case("mod", dimMod)
                              .Case("min", dimMin)
                              .Case("max", dimMax)
                              .Case("broadcast", dimBroadcast)
                              .Case("wrap", dimWrap)
                              .Default(nullptr);
        bool isVariadic = name == "min" || name == "max" || name == "broadcast";
        if (!function || (isVariadic ? args.size() < 2 : args.size() != 2))
            return parser.emitError(at, "no such function of sizes: ")
                   << name << " of " << args.size();
        DimAttr result = args[0];
        for (DimAttr arg : ArrayRef<DimAttr>(args).drop_front())
            result = function(result, arg);
        return result;
    }

    AsmParser &parser;
};

} // namespace

std::string dimText(DimAttr e) {
    std::string text;
    llvm::raw_string_ostream os(text);
    printExpr(os, e);
    return text;
}

FailureOr<DimAttr> parseDim(AsmParser &parser) { return DimParser(parser).sum(); }

void printDim(AsmPrinter &printer, DimAttr dim) { printExpr(printer.getStream(), dim); }

} // namespace shapecast::np
