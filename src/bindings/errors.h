// Python exceptions from the compiler's errors and from error records of compiled code.
#pragma once

#include "bindings/python.h"
#include "compile.h"

namespace shapecast::bindings {

void raiseUserError(const UserError &error); // sets the exception
void raiseSite(const std::vector<ErrorSite> &sites, const runtime::ErrorRecord &record,
               bool places = true); // sets the exception; with the source lines, which take 0.1 ms
// An exception is set that compiled code raised there.
void addPlace(const std::vector<ErrorSite> &sites, const runtime::ErrorRecord &record);
void addNote(const std::string &text); // to the exception that is set
void raiseUnsupported(const std::string &message);

} // namespace shapecast::bindings
