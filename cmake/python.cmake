# Python, NumPy's headers and pybind11, from the Python that runs the build (.venv under ./dev).

if(NOT SKBUILD AND NOT DEFINED Python_EXECUTABLE AND EXISTS "${CMAKE_SOURCE_DIR}/.venv/bin/python")
  set(Python_EXECUTABLE "${CMAKE_SOURCE_DIR}/.venv/bin/python")
endif()
if(CMAKE_CROSSCOMPILING) # CMake does not run the target's Python to find these
  execute_process(COMMAND "${Python_EXECUTABLE}" -c "import numpy, sysconfig; print(sysconfig.get_path('include'), numpy.get_include(), sysconfig.get_config_var('EXT_SUFFIX'), sep=';', end='')"
    OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
  list(POP_FRONT found Python_INCLUDE_DIR Python_NumPy_INCLUDE_DIR PYTHON_MODULE_EXTENSION)
  set(PYTHON_MODULE_DEBUG_POSTFIX "")
endif()
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module NumPy)

if(NOT DEFINED pybind11_DIR)
  execute_process(COMMAND "${Python_EXECUTABLE}" -m pybind11 --cmakedir
    OUTPUT_VARIABLE pybind11_DIR OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 3 CONFIG REQUIRED)
