// Python exceptions from the compiler's errors and from error records of compiled code.
#pragma once

#include "capture/python.h"
#include <string>
#include <vector>

namespace shapecast {
struct UserError;
struct ErrorSite;
namespace runtime {
struct ErrorRecord;
}
} // namespace shapecast

namespace shapecast::bindings {

void raiseUserError(const UserError &error); // sets the exception
void raiseSite(const std::vector<ErrorSite> &sites, const runtime::ErrorRecord &record,
               bool withLocations = true); // sets the exception; its source lines take 0.1 ms
// Adds the site's traceback entries to the exception that is set.
void addLocation(const std::vector<ErrorSite> &sites, const runtime::ErrorRecord &record);
void addNote(const std::string &text); // to the exception that is set
void raiseUnsupported(const std::string &message);
std::string textOf(PyObject *object); // str(object) for messages; "?" where that fails

} // namespace shapecast::bindings
