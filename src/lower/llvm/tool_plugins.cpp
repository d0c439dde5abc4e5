#include "lower/llvm/tool_plugins.h"

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Debugging/DebugInfoSupport.h"
#include "llvm/ExecutionEngine/Orc/Debugging/ELFDebugObjectPlugin.h"
#include "llvm/ExecutionEngine/Orc/Debugging/PerfSupportPlugin.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderPerf.h"

#include <cstdlib>
#include <string_view>

using namespace llvm;

namespace shapecast {

bool toolsListen() {
    static const bool listen = [] {
        const char *text = std::getenv("SHAPECAST_PERF");
        return text && *text && std::string_view(text) != "0";
    }();
    return listen;
}

Error addToolPlugins(orc::ExecutionSession &session, orc::ObjectLinkingLayer &linker) {
    linker.addPlugin(std::make_unique<orc::DebugInfoPreservationPlugin>());
    linker.addPlugin(std::make_unique<orc::PerfSupportPlugin>(
        session.getExecutorProcessControl(),
        orc::ExecutorAddr::fromPtr(&llvm_orc_registerJITLoaderPerfStart),
        orc::ExecutorAddr::fromPtr(&llvm_orc_registerJITLoaderPerfEnd),
        orc::ExecutorAddr::fromPtr(&llvm_orc_registerJITLoaderPerfImpl), /*EmitDebugInfo=*/true,
        /*EmitUnwindInfo=*/false)); // code has frame pointers; LLVM prints a line for each record
    Error error = Error::success();
    auto debugger = std::make_unique<orc::ELFDebugObjectPlugin>(
        session, /*RequireDebugSections=*/false, /*AutoRegisterCode=*/true, error);
    if (!error)
        linker.addPlugin(std::move(debugger));
    return error;
}

} // namespace shapecast
