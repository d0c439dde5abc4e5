#include "ir/call_structure.h"

using llvm::StringRef;

namespace shapecast::np {

void CallStructure::add(Kind kind, int64_t number) {
    add(kind);
    encoded += std::to_string(number) + ";";
}

void CallStructure::add(Kind kind, StringRef text) {
    add(kind);
    encoded += std::to_string(text.size()) + ":";
    encoded += text;
}

CallStructure::Node CallStructure::Reader::next() {
    Node node{Kind(rest.front()), 0, {}};
    rest = rest.drop_front();
    switch (node.kind) {
    case Kind::IntKey:
    case Kind::Range:
    case Kind::SameContainer:
    case Kind::Object:
    case Kind::SameObject:
        rest.consumeInteger(10, node.number);
        rest = rest.drop_front();
        break;
    case Kind::StringKey:
    case Kind::NamedTuple: {
        size_t size = 0;
        rest.consumeInteger(10, size);
        node.text = rest.substr(1, size);
        rest = rest.drop_front(1 + size);
        break;
    }
    default:
        break;
    }
    return node;
}

bool CallStructure::isPortable() const {
    for (Reader reader(encoded); !reader.atEnd();)
        if (const Kind kind = reader.next().kind;
            kind == Kind::Object || kind == Kind::SameObject || kind == Kind::NamedTuple)
            return false;
    return true;
}

} // namespace shapecast::np
