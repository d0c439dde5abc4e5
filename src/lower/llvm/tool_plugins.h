// Profilers and debuggers learn of compiled code: perf by a jitdump file, gdb by its JIT interface.
#pragma once

namespace llvm {
class Error;
namespace orc {
class ExecutionSession;
class ObjectLinkingLayer;
} // namespace orc
} // namespace llvm

namespace shapecast {

// SHAPECAST_PERF=1 when the process first compiles. Code then has Python's lines (line_tables.h),
// frame pointers and unwind tables, and is apart from other code in the cache on disk.
bool toolsListen();

// Plugins of the linker, which tell both of each object that is linked. perf's file is
// jit-<pid>.dump in $JITDUMPDIR, or the home directory, in .debug/jit.
llvm::Error addToolPlugins(llvm::orc::ExecutionSession &session,
                           llvm::orc::ObjectLinkingLayer &linker);

} // namespace shapecast
