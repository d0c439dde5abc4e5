# Python, NumPy's headers and pybind11, from the Python that runs the build (.venv under ./dev).

if(NOT SKBUILD AND NOT DEFINED Python_EXECUTABLE AND EXISTS "${CMAKE_SOURCE_DIR}/.venv/bin/python")
  set(Python_EXECUTABLE "${CMAKE_SOURCE_DIR}/.venv/bin/python")
endif()
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module NumPy)

if(NOT DEFINED pybind11_DIR)
  execute_process(COMMAND "${Python_EXECUTABLE}" -m pybind11 --cmakedir
    OUTPUT_VARIABLE pybind11_DIR OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 3 CONFIG REQUIRED)
