// Python exceptions from the compiler's errors and from error records of compiled code.
#pragma once

#include "capture/python.h"
#include <string>
#include <vector>

namespace shapecast {
struct UserError;
struct ErrorSite;
struct Frame;
namespace runtime {
struct ErrorRecord;
}
} // namespace shapecast

namespace shapecast::bindings {

void raiseUserError(const UserError &error); // sets the exception
void raiseSite(const std::vector<ErrorSite> &sites, const runtime::ErrorRecord &record,
               bool withLocations = true); // sets the exception; its source lines take 0.1 ms
// The site's, and those of the calls that were left.
std::vector<Frame> framesOfError(const std::vector<ErrorSite> &sites,
                                 const runtime::ErrorRecord &record);
void addTraceback(const std::vector<Frame> &frames); // to the exception that is set
// Adds the site's traceback entries to the exception that is set.
void addLocation(const std::vector<ErrorSite> &sites, const runtime::ErrorRecord &record);
// Of the exception that is set, the traceback's frames of our own modules, down to a callee's.
void dropOwnFrames();
void addNote(const std::string &text); // to the exception that is set
void raiseUnsupported(const std::string &message);
std::string textOf(PyObject *object); // str(object) for messages; "?" where that fails

} // namespace shapecast::bindings
