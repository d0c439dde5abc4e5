# Toolchain file: builds for 64-bit ARM Linux on an x86-64 machine (tools/arm64.sh, docs/internals/porting.md).
#
# SHAPECAST_ARM64_ROOT is a folder of unpacked arm64 packages: headers, libraries, a Python. Compiler, linker and
# tablegen are the host's; programs of the target run by SHAPECAST_ARM64_ROOT/../run.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(SHAPECAST_ARM64_ROOT "$ENV{SHAPECAST_ARM64_ROOT}" CACHE PATH "The root of arm64 packages")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SHAPECAST_ARM64_ROOT)
set(CMAKE_SYSROOT "${SHAPECAST_ARM64_ROOT}")
set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT -fuse-ld=lld) # for CMake's own tests; cmake/flags.cmake says the same
set(CMAKE_SHARED_LINKER_FLAGS_INIT -fuse-ld=lld)
set(CMAKE_MODULE_LINKER_FLAGS_INIT -fuse-ld=lld)
set(CMAKE_CROSSCOMPILING_EMULATOR "${SHAPECAST_ARM64_ROOT}/../run")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)

# LLVM's packages name their tools; those that are run are links to the host's.
set(MLIR_DIR "${SHAPECAST_ARM64_ROOT}/usr/lib/llvm-22/lib/cmake/mlir" CACHE PATH "")
