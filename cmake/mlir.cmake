# Finds LLVM/MLIR 22 and rewires Debian's packages, which name the shared LLVM everywhere, to the static archives.

find_package(MLIR 22.1 CONFIG QUIET PATHS "${SHAPECAST_LLVM_ROOT}/lib/cmake/mlir" NO_DEFAULT_PATH)
if(NOT MLIR_FOUND)
  find_package(MLIR 22.1 CONFIG QUIET)
endif()
if(NOT MLIR_FOUND)
  # Again without QUIET, for CMake's own reasons: a wrong version, a missing libzstd.
  find_package(MLIR 22.1 CONFIG PATHS "${SHAPECAST_LLVM_ROOT}/lib/cmake/mlir")
  message(FATAL_ERROR "MLIR 22.1 was not found. ${SHAPECAST_MISSING_LLVM}")
endif()
message(STATUS "MLIR ${MLIR_VERSION} in ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

find_library(SHAPECAST_LIBZ_A libz.a)
find_library(SHAPECAST_LIBZSTD_A libzstd.a)
if(NOT SHAPECAST_LIBZ_A OR NOT SHAPECAST_LIBZSTD_A)
  message(FATAL_ERROR "libz.a or libzstd.a is missing. ${SHAPECAST_MISSING_LLVM}")
endif()

add_library(shapecast_llvm INTERFACE)
# The exported lists: LLVM_EXPORTED_TARGETS is empty in Debian's package, LLVM_AVAILABLE_LIBS is not.
foreach(target IN LISTS MLIR_EXPORTED_TARGETS LLVM_AVAILABLE_LIBS)
  if(TARGET ${target})
    get_target_property(libs ${target} INTERFACE_LINK_LIBRARIES)
    if(libs)
      list(TRANSFORM libs REPLACE "^LLVM$" "shapecast_llvm")
      list(FILTER libs EXCLUDE REGEX "libz3") # named by LLVMSupport, used by nothing that we reach
      list(TRANSFORM libs REPLACE "^ZLIB::ZLIB$" "${SHAPECAST_LIBZ_A}")
      list(TRANSFORM libs REPLACE "^zstd::libzstd_shared$" "${SHAPECAST_LIBZSTD_A}")
      set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libs}")
    endif()
  endif()
endforeach()

# Directory scope, before any mlir_tablegen(): it reads this property, not a target's.
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
