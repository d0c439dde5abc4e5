# Runs before project(): clang-22 unless the user chose a compiler, and one clear error when LLVM 22 is not installed.

set(SHAPECAST_LLVM_ROOT /usr/lib/llvm-22 CACHE PATH "Where LLVM and MLIR 22 are installed")

set(SHAPECAST_MISSING_LLVM
"shapecast needs LLVM and MLIR 22.1 with static libraries, clang-22 and lld-22.
  On Debian 12 or later, as root:
    apt-get update
    apt-get install llvm-22-dev libmlir-22-dev mlir-22-tools clang-22 lld-22 libzstd-dev zlib1g-dev \\
      ninja-build cmake ccache python3-dev python3-venv
  or run ./dev build, which does that itself.
  LLVM elsewhere: pass -DSHAPECAST_LLVM_ROOT=<prefix> (pip: -C cmake.define.SHAPECAST_LLVM_ROOT=<prefix>).")

if(NOT DEFINED MLIR_DIR AND NOT EXISTS "${SHAPECAST_LLVM_ROOT}/lib/cmake/mlir/MLIRConfig.cmake")
  message(FATAL_ERROR "No MLIRConfig.cmake under ${SHAPECAST_LLVM_ROOT}. ${SHAPECAST_MISSING_LLVM}")
endif()

if(NOT EXISTS "${SHAPECAST_LLVM_ROOT}/bin/ld.lld")
  message(FATAL_ERROR "No ld.lld under ${SHAPECAST_LLVM_ROOT}/bin. ${SHAPECAST_MISSING_LLVM}")
endif()

# clang is about 1.5 times faster than g++ on MLIR headers, and its precompiled headers save 2 to 7 s a file.
# Under pip, scikit-build-core sets CC and CXX to what Python itself was built with, so there they say nothing about the user's wish.
if(NOT DEFINED CMAKE_CXX_COMPILER AND (SKBUILD OR NOT DEFINED ENV{CXX}))
  if(NOT EXISTS "${SHAPECAST_LLVM_ROOT}/bin/clang++")
    message(FATAL_ERROR "No clang++ under ${SHAPECAST_LLVM_ROOT}/bin. ${SHAPECAST_MISSING_LLVM}")
  endif()
  set(CMAKE_C_COMPILER "${SHAPECAST_LLVM_ROOT}/bin/clang")
  set(CMAKE_CXX_COMPILER "${SHAPECAST_LLVM_ROOT}/bin/clang++")
endif()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Dev CACHE STRING "Dev (-O1, asserts), Debug (-O0 -g, for debuggers and clangd), Asan or Tsan (AddressSanitizer or ThreadSanitizer) or Release (-O2)" FORCE)
endif()
# The flags of these kinds must exist before project() reads the build type.
set(sanitizer_flags "-O1 -fno-omit-frame-pointer -gline-tables-only -shared-libsan")
set(CMAKE_CXX_FLAGS_ASAN "${sanitizer_flags} -fsanitize=address" CACHE STRING "")
set(CMAKE_C_FLAGS_ASAN "${sanitizer_flags} -fsanitize=address" CACHE STRING "")
set(CMAKE_CXX_FLAGS_TSAN "${sanitizer_flags} -fsanitize=thread" CACHE STRING "")
set(CMAKE_C_FLAGS_TSAN "${sanitizer_flags} -fsanitize=thread" CACHE STRING "")
set(CMAKE_CXX_FLAGS_DEV "-O1" CACHE STRING "")
set(CMAKE_C_FLAGS_DEV "-O1" CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "")
