# The MLIR and LLVM libraries that are linked, one a line. Need another one: add its line here, nothing else.

set(SHAPECAST_MLIR_LIBS
  MLIRIR
  MLIRParser
  MLIRBytecodeReader
  MLIRBytecodeWriter
  MLIRPass
  MLIRAnalysis
  MLIRTransforms
  MLIRTransformUtils
  # dialects
  MLIRFuncDialect
  MLIRSCFDialect
  MLIRArithDialect
  MLIRMathDialect
  MLIRControlFlowDialect
  MLIRLLVMDialect
  MLIRNVVMDialect
  MLIRUBDialect
  # conversions to the LLVM dialect
  MLIRSCFToControlFlow
  MLIRArithToLLVM
  MLIRMathToLLVM
  MLIRFuncToLLVM
  MLIRControlFlowToLLVM
  MLIRUBToLLVM
  MLIRIndexToLLVM
  MLIRReconcileUnrealizedCasts
  # LLVM dialect to LLVM IR
  MLIRTargetLLVMIRExport
  MLIRLLVMToLLVMIRTranslation
  MLIRNVVMToLLVMIRTranslation
  MLIRBuiltinToLLVMIRTranslation)

set(SHAPECAST_OPT_LIBS # for the tool shapecast-opt only
  MLIROptLib)

set(SHAPECAST_TEST_LIBS # for tests/compiler/cpp only
  MLIRPresburger)

# LLVM component names, as llvm-config knows them.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(host aarch64)
else()
  set(host x86)
endif()
set(SHAPECAST_LLVM_COMPONENTS
  core support passes orcjit orcdebugging jitlink ${host}codegen ${host}asmparser ${host}desc ${host}info nvptxcodegen nvptxdesc nvptxinfo bitreader bitwriter irreader linker ipo target
  analysis targetparser)

llvm_map_components_to_libnames(shapecast_llvm_libs ${SHAPECAST_LLVM_COMPONENTS})
target_link_libraries(shapecast_llvm INTERFACE ${shapecast_llvm_libs})
