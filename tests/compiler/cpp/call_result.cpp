// What a call of Python must return: written and read again.
#include "ir/call_result.h"

#include <cassert>

using namespace shapecast;
using np::CallResult;

int main() {
    CallResult result;
    result.add({.kind = CallResult::Kind::Tuple, .number = 3});
    result.add({CallResult::Kind::Array, DType::F64, 2});
    result.add({.kind = CallResult::Kind::List, .number = 1});
    result.add({CallResult::Kind::Int});
    result.add({.kind = CallResult::Kind::Object, .number = 17});

    CallResult::Reader reader(result.text());
    const CallResult::Node tuple = reader.next();
    assert(tuple.kind == CallResult::Kind::Tuple && tuple.number == 3);
    const CallResult::Node array = reader.next();
    assert(array.kind == CallResult::Kind::Array && array.dtype == DType::F64 && array.number == 2);
    const CallResult::Node list = reader.next();
    assert(list.kind == CallResult::Kind::List && list.number == 1);
    assert(reader.next().kind == CallResult::Kind::Int);
    const CallResult::Node object = reader.next();
    assert(object.kind == CallResult::Kind::Object && object.number == 17);

    CallResult never;
    never.add({CallResult::Kind::Never});
    assert(CallResult::isNever(never.text()) && !CallResult::isNever(result.text()));
    return 0;
}
