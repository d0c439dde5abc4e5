// Python exceptions from the compiler's errors and from error records of compiled code.
#pragma once

#include "bindings/python.h"
#include "compile.h"

namespace shapecast::bindings {

void raiseUserError(const UserError &error); // sets the exception
void raiseSite(const std::vector<ErrorSite> &sites,
               const runtime::ErrorRecord &record); // sets the exception
// An exception is set that compiled code raised there.
void addPlace(const std::vector<ErrorSite> &sites, const runtime::ErrorRecord &record);
void raiseUnsupported(const std::string &message);

} // namespace shapecast::bindings
