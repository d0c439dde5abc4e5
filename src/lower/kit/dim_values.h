// Values of symbols, and code for expressions over them, in the scopes of structured control flow.
#pragma once

#include "ir/np.h"

#include "llvm/ADT/ScopedHashTable.h"

namespace shapecast {

// The caller enters and leaves scopes as regions nest, and emits code in dominance order within a
// scope; so a value found in the table dominates the insertion point.
class DimValues {
    using Table = llvm::ScopedHashTable<mlir::Attribute, mlir::Value>;

public:
    // One region's scope; what was bound or computed in it is forgotten at its end.
    class Scope {
    public:
        explicit Scope(DimValues &values) : scope(values.table) {}

    private:
        Table::ScopeTy scope;
    };

    DimValues() : outermost(table) {}

    void bind(np::DimAttr symbol, mlir::Value value) { table.insert(symbol, value); }
    bool isBound(np::DimAttr symbol) const { return table.lookup(symbol) != nullptr; }
    // A new symbol that no program can name, bound to the value: for strides known at run time.
    np::DimAttr fresh(mlir::Value value, llvm::StringRef what);
    // The expression's i64 value. An unbound symbol is an error, reported at `loc`.
    mlir::Value emit(mlir::OpBuilder &builder, mlir::Location loc, np::DimAttr expr);
    // The same, and in `overflows` (i1) whether an operation of it overflows 64 bits; that stays
    // null where none can.
    mlir::Value emitChecked(mlir::OpBuilder &builder, mlir::Location loc, np::DimAttr expr,
                            mlir::Value &overflows);
    mlir::Value emitCheckedProduct(mlir::OpBuilder &builder, mlir::Location loc,
                                   llvm::ArrayRef<np::DimAttr> factors, mlir::Value &overflows);
    mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc, int64_t value);
    bool failed() const { return unbound; }

private:
    mlir::Value compute(mlir::OpBuilder &builder, mlir::Location loc, np::DimAttr expr);

    Table table;
    Table::ScopeTy outermost;
    int counter = 0;
    bool unbound = false;
};

// floor(a / b) and a - b * floor(a / b) for b != 0.
mlir::Value emitFloorDiv(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a,
                         mlir::Value b);
mlir::Value emitFloorMod(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a,
                         mlir::Value b);

} // namespace shapecast
