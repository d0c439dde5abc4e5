#include "ops/builder/infer_error.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

ErrorSiteAttr InferError::site(Builder b) const {
    SmallVector<Attribute> texts;
    for (const std::string &note : notes)
        texts.push_back(b.getStringAttr(note));
    return ErrorSiteAttr::get(b.getContext(), b.getStringAttr(exception), b.getStringAttr(message),
                              loc, b.getArrayAttr(texts), LocationAttr());
}

LogicalResult InferError::report() const {
    InFlightDiagnostic diagnostic = emitError(loc) << exception << ": " << message;
    for (const std::string &note : notes)
        diagnostic.attachNote() << note;
    return failure();
}
