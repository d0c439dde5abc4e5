#include "ops/builder/enum_numbers.h"

#include "ops/builder/elementwise.h"
#include "ops/builder/enum_values.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

Val shapecast::asNumPyValue(TypedBuilder &e, const Val &v) {
    if (!isValueMember(v))
        return v;
    const Val value = asValue(e, v);
    if (!value.isScalar() || value.weakFlag)
        return value;
    return castTo(e, value, value.isPyInt() ? DType::I64 : DType::F64);
}

Val shapecast::asNumPyValues(TypedBuilder &e, const Val &v) {
    return withMembers(e, v, [&](const Val &one) { return asNumPyValue(e, one); });
}

Val shapecast::asValueBeside(TypedBuilder &e, const Val &v, const Val &other) {
    return other.isArray() || (other.isScalar() && !isPy(other)) ? asNumPyValue(e, v)
                                                                 : asValue(e, v);
}
