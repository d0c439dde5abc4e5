#include "ir/call_result.h"

namespace shapecast::np {
namespace {

using Kind = CallResult::Kind;

bool hasDtype(Kind kind) { return kind == Kind::Array || kind == Kind::Scalar; }
bool hasNumber(Kind kind) {
    return kind == Kind::Tuple || kind == Kind::List || kind == Kind::Array || kind == Kind::Object;
}

int64_t takeNumber(llvm::StringRef &rest) {
    int64_t number = 0;
    rest.consumeInteger(10, number);
    rest = rest.drop_front(); // the space
    return number;
}

} // namespace

void CallResult::add(const Node &node) {
    encoded += {char(node.kind), ' '};
    if (hasDtype(node.kind))
        encoded += std::to_string(int(node.dtype)) + " ";
    if (hasNumber(node.kind))
        encoded += std::to_string(node.number) + " ";
}

CallResult::Node CallResult::Reader::next() {
    Node node{Kind(rest.front())};
    rest = rest.drop_front(2);
    if (hasDtype(node.kind))
        node.dtype = DType(takeNumber(rest));
    if (hasNumber(node.kind))
        node.number = takeNumber(rest);
    return node;
}

} // namespace shapecast::np
