// Members of an Enum. Those of an IntEnum, a StrEnum or a class of (int, Enum) are numbers or
// strings, too: operations take their value, where they stay themselves when they are stored,
// returned and compared by `is`.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

bool isMember(const Val &v);      // one of them, or one of several
bool isValueMember(const Val &v); // the same, where all of them are their value
bool isTextMember(const Val &v);  // where that is a string
Val valueOfMember(TypedBuilder &e, const Val &member); // member.value
// The number or string that such a member is; of other values they themselves, and of tuples those
// of their items.
Val asValue(TypedBuilder &e, const Val &v);
Val asValues(TypedBuilder &e, const Val &v);
// The value with each such member in it, at any depth of tuples, as `convert` makes it.
Val withMembers(TypedBuilder &e, const Val &v, llvm::function_ref<Val(const Val &)> convert);
// Whether an operator of such a member and another value is that of its value; else Python's error
// names its class.
bool combinesAsValue(const Val &member, const Val &other);
// Whether one member that is its value is equal to a constant; none: that is known at run time.
std::optional<bool> equalsMember(TypedBuilder &e, const Val &member, const Val &other);
// The attribute of every member; none where it is none of Enum's.
std::optional<Val> memberAttribute(TypedBuilder &e, const Val &member, llvm::StringRef name);
// "9": of the member's class in _objects.py, and "5" of the member.
std::string classNumber(const Val &member);
std::string memberNumber(const Val &member);
llvm::StringRef valueWordOfMember(np::PyAttr member); // "=i1"

} // namespace shapecast
