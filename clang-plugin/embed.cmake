# Writes the bytes of INPUT as a C++ array to OUTPUT, named for NAME.
file(READ ${INPUT} bytes HEX)
string(LENGTH ${bytes} digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "(..)" "0x\\1," bytes ${bytes})
file(WRITE ${OUTPUT}
  "extern const unsigned char prophet${NAME}Bitcode[] = {${bytes}};\n"
  "extern const unsigned prophet${NAME}Size = ${size};\n")
