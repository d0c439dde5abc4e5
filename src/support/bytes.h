// Serialisation of numbers and strings.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <bit>
#include <cstring>
#include <string>
#include <vector>

namespace shapecast {

class ByteWriter {
public:
    std::string bytes;
    void number(uint64_t value) { bytes.append(reinterpret_cast<const char *>(&value), 8); }
    void real(double value) { number(std::bit_cast<uint64_t>(value)); }
    void text(llvm::StringRef text) {
        number(text.size());
        bytes.append(text.data(), text.size());
    }
    template <class Items, class Write> void list(const Items &items, Write write) {
        number(items.size());
        for (const auto &item : items)
            write(item);
    }
    void texts(const std::vector<std::string> &items) {
        list(items, [&](const std::string &item) { text(item); });
    }
};

// Reads what ByteWriter wrote; from other bytes zeros and empty strings, and ok() is false.
class ByteReader {
public:
    explicit ByteReader(llvm::StringRef bytes) : rest(bytes) {}
    bool ok() const { return isGood; }
    uint64_t number() {
        uint64_t value = 0;
        const llvm::StringRef taken = take(8);
        if (isGood)
            std::memcpy(&value, taken.data(), 8);
        return value;
    }
    double real() { return std::bit_cast<double>(number()); }
    llvm::StringRef text() { return take(number()); }
    template <class Item, class Read> std::vector<Item> list(Read read) {
        std::vector<Item> items;
        for (uint64_t count = number(); isGood && items.size() < count;)
            items.push_back(read());
        return items;
    }
    std::vector<std::string> texts() {
        return list<std::string>([&] { return text().str(); });
    }

private:
    llvm::StringRef take(uint64_t size) {
        isGood &= size <= rest.size();
        if (!isGood)
            return {};
        const llvm::StringRef taken = rest.take_front(size);
        rest = rest.drop_front(size);
        return taken;
    }
    llvm::StringRef rest;
    bool isGood = true;
};

} // namespace shapecast
