// Serialises a module: MLIR's printer takes ten times as long. An attribute or type is written at
// its first use, and is a number from then on.
#include "ir/fingerprint.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace shapecast::np {
namespace {

class Writer {
public:
    explicit Writer(ModuleOp module) : state(module.getContext()) { operation(module); }
    Fingerprint result;

private:
    void number(uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            result.bytes.push_back(char(value | 0x80));
        result.bytes.push_back(char(value));
    }
    void text(StringRef text) {
        number(text.size());
        result.bytes.append(text);
    }
    // Whether it was written before; if so, writes its number.
    bool isKnown(const void *unique) {
        auto [entry, isNew] = known.try_emplace(unique, unsigned(known.size() + 1));
        number(isNew ? 0 : entry->second);
        return !isNew;
    }
    template <class Printable> void printed(Printable what) {
        std::string shown;
        llvm::raw_string_ostream stream(shown);
        what.print(stream, state);
        text(shown);
    }

    void type(Type type) {
        if (isKnown(type.getAsOpaquePointer()))
            return;
        printed(type);
    }

    void attribute(Attribute attr) {
        if (isKnown(attr.getAsOpaquePointer()))
            return;
        if (auto loc = dyn_cast<LocationAttr>(attr))
            return location(loc);
        if (auto string = dyn_cast<StringAttr>(attr)) {
            number(1);
            return text(string.getValue());
        }
        if (auto integer = dyn_cast<IntegerAttr>(attr);
            integer && integer.getType().isInteger(64)) {
            number(2);
            type(integer.getType());
            return number(uint64_t(integer.getValue().getZExtValue()));
        }
        if (auto list = dyn_cast<ArrayAttr>(attr)) {
            number(3);
            number(list.size());
            for (Attribute item : list)
                attribute(item);
            return;
        }
        if (auto entries = dyn_cast<DictionaryAttr>(attr)) {
            number(4);
            return dictionary(entries);
        }
        number(5);
        printed(attr);
    }

    void dictionary(DictionaryAttr entries) {
        number(entries.size());
        for (NamedAttribute entry : entries) {
            attribute(entry.getName());
            attribute(entry.getValue());
        }
    }

    void location(LocationAttr loc) {
        if (auto range = dyn_cast<FileLineColRange>(loc)) {
            number(6);
            number(fileNumber(range.getFilename().getValue()));
            for (unsigned part : {range.getStartLine(), range.getStartColumn(), range.getEndLine(),
                                  range.getEndColumn()})
                number(part);
        } else if (auto name = dyn_cast<NameLoc>(loc)) {
            number(7);
            attribute(name.getName());
            attribute(name.getChildLoc());
        } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
            number(8);
            attribute(call.getCallee());
            attribute(call.getCaller());
        } else if (auto fused = dyn_cast<FusedLoc>(loc)) {
            number(9);
            number(fused.getLocations().size());
            for (Location part : fused.getLocations())
                attribute(part);
            number(fused.getMetadata() ? 1 : 0);
            if (fused.getMetadata())
                attribute(fused.getMetadata());
        } else {
            number(10);
            printed(Attribute(loc));
        }
    }

    unsigned fileNumber(StringRef file) {
        for (auto [k, other] : llvm::enumerate(result.files))
            if (file == other)
                return unsigned(k);
        result.files.push_back(file.str());
        return unsigned(result.files.size() - 1);
    }

    void values(ValueRange range) {
        number(range.size());
        for (Value value : range)
            number(numbers.try_emplace(value, unsigned(numbers.size())).first->second);
    }

    void operation(Operation *op) {
        attribute(op->getName().getIdentifier());
        values(op->getOperands());
        values(op->getResults());
        for (Type result : op->getResultTypes())
            type(result);
        dictionary(op->getAttrDictionary()); // properties, too
        attribute(op->getLoc());
        number(op->getNumSuccessors());
        for (Block *successor : op->getSuccessors())
            number(blocks.try_emplace(successor, unsigned(blocks.size())).first->second);
        number(op->getNumRegions());
        for (Region &region : op->getRegions()) {
            number(region.getBlocks().size());
            for (Block &block : region)
                this->block(block);
        }
    }

    void block(Block &block) {
        number(blocks.try_emplace(&block, unsigned(blocks.size())).first->second);
        values(block.getArguments());
        for (BlockArgument argument : block.getArguments()) {
            type(argument.getType());
            attribute(argument.getLoc());
        }
        number(block.getOperations().size());
        for (Operation &op : block)
            operation(&op);
    }

    AsmState state;
    DenseMap<const void *, unsigned> known;
    DenseMap<Value, unsigned> numbers;
    DenseMap<Block *, unsigned> blocks;
};

} // namespace

Fingerprint fingerprintOf(ModuleOp module) { return std::move(Writer(module).result); }

bool isPortable(StringRef bytes) {
    return llvm::none_of(std::initializer_list<StringRef>{"np.object", "namedtuple", "dataclass",
                                                          "class instance", "frozen", "record:",
                                                          "_objects.instance", "pyfunc:", "ufunc:"},
                         [&](StringRef word) { return bytes.contains(word); });
}

} // namespace shapecast::np
