# cmake -DFROM=file -DTO=file.inc -P embed.cmake: the bytes of a file as the initialiser of a C array.
file(READ "${FROM}" bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(....................................................................................................)"
  "\\1\n" bytes "${bytes}")
file(WRITE "${TO}" "${bytes}\n")
