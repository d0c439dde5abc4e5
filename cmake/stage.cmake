# Fills a staging package with links to python/shapecast, so that one source tree serves the dev and the release build.
# Usage: cmake -DFROM=python/shapecast -DTO=build/dev/python/shapecast -P stage.cmake

file(MAKE_DIRECTORY "${TO}")
file(GLOB sources RELATIVE "${FROM}" "${FROM}/*")
file(GLOB staged RELATIVE "${TO}" "${TO}/*")
foreach(name IN LISTS staged)
  if(IS_SYMLINK "${TO}/${name}" AND NOT EXISTS "${TO}/${name}")
    file(REMOVE "${TO}/${name}") # its source is gone
  endif()
endforeach()
foreach(name IN LISTS sources)
  if(NOT name STREQUAL "__pycache__" AND NOT IS_SYMLINK "${TO}/${name}")
    file(CREATE_LINK "${FROM}/${name}" "${TO}/${name}" SYMBOLIC)
  endif()
endforeach()
