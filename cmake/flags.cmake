# Language level, warnings, linker and the compiler cache, the same for every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# RTTI stays on: Debian's LLVM has it, and a mismatch shows up as undefined typeinfo at load time.
add_compile_options(-Wall -Wextra -Wno-unused-parameter -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Without this a precompiled header carries its build time, and no two machines or runs agree on it.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>" -fcolor-diagnostics)
endif()

# -B: g++ knows no -fuse-ld=lld-22 and looks for ld.lld on the path.
add_link_options(-B${SHAPECAST_LLVM_ROOT}/bin -fuse-ld=lld LINKER:--gc-sections LINKER:--as-needed
  LINKER:--build-id=sha1) # the cache on disk tells builds apart by it
# What every call runs ([[gnu::hot]]) stands together. Spread over the library's 60 MB of code it took
# 5 to 15 ns more in one build than in the next, by where it came to lie (docs/internals/loops-and-vectors.md).
add_link_options(LINKER:-z,keep-text-section-prefix)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  # Every x86-64 processor lacks a fused multiply-add as far as the compiler knows; here it would use the one that there
  # is, and results would have other bits than NumPy's.
  add_compile_options(-ffp-contract=off)
endif()

string(TOLOWER "${CMAKE_BUILD_TYPE}" sanitizer)
if(sanitizer MATCHES "^(asan|tsan)$")
  # Python itself is not built with it: ./dev loads the run-time library first; programs find it here.
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libclang_rt.${sanitizer}-${CMAKE_SYSTEM_PROCESSOR}.so
    OUTPUT_VARIABLE sanitizer_library OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT EXISTS "${sanitizer_library}")
    message(FATAL_ERROR "No ${sanitizer} run time for ${CMAKE_CXX_COMPILER} (Debian: libclang-rt-22-dev).")
  endif()
  get_filename_component(sanitizer_directory "${sanitizer_library}" DIRECTORY)
  add_link_options("LINKER:-rpath,${sanitizer_directory}")
  string(TOUPPER "SHAPECAST_${sanitizer}" sanitizer_name)
  add_compile_definitions(${sanitizer_name})
endif()

option(SHAPECAST_CCACHE "Compile through ccache" ON)
# clangd and clang-tidy cannot read the precompiled header of another compiler.
set(with_pch ON)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(with_pch OFF)
endif()
option(SHAPECAST_PCH "Use a precompiled header" ${with_pch})
find_program(SHAPECAST_CCACHE_PROGRAM ccache)
mark_as_advanced(SHAPECAST_CCACHE_PROGRAM)
if(SHAPECAST_CCACHE AND SHAPECAST_CCACHE_PROGRAM)
  set(launcher "${CMAKE_SOURCE_DIR}/cmake/ccache.sh" "${CMAKE_SOURCE_DIR}")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
endif()
