# prophet_program_by(NAME COMPILER compiler FLAGS flag... SOURCES source...): a program in libexec that another compiler than this
# build's makes. It is put into the global property PROPHET_OPENMP_PROGRAMS: what a built `prophet` finds beside it.
function(prophet_program_by name)
  cmake_parse_arguments(arg "" "COMPILER" "FLAGS;SOURCES" ${ARGN})
  set(program ${PROPHET_LIBEXEC_DIR}/${name})
  foreach(source ${arg_SOURCES})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET source PARENT_PATH directory)
    file(GLOB headers CONFIGURE_DEPENDS ${directory}/*.h)
    list(APPEND paths ${source})
    list(APPEND dependencies ${source} ${headers})
  endforeach()
  list(REMOVE_DUPLICATES dependencies)
  # As one file, in which the headers are read once, and which ccache knows.
  set(whole ${CMAKE_CURRENT_BINARY_DIR}/${name})
  list(TRANSFORM paths REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE includes)
  list(JOIN includes "" includes)
  file(GENERATE OUTPUT ${whole}.cpp CONTENT "${includes}")
  set(flags -std=c++20 -O2 -Wall -Wextra -I${PROJECT_SOURCE_DIR} ${arg_FLAGS} "$<$<BOOL:${PROPHET_WERROR}>:-Werror>")
  add_custom_command(OUTPUT ${program} BYPRODUCTS ${whole}.o
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROPHET_LIBEXEC_DIR}
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${arg_COMPILER} ${flags} -c ${whole}.cpp -o ${whole}.o
    COMMAND ${arg_COMPILER} ${flags} ${whole}.o -o ${program}
    DEPENDS ${dependencies} ${whole}.cpp COMMENT "Building ${name}" VERBATIM COMMAND_EXPAND_LISTS)
  add_custom_target(${name} ALL DEPENDS ${program})
  install(PROGRAMS ${program} DESTINATION ${PROPHET_LIBEXEC_SUBDIR})
  set_property(GLOBAL APPEND PROPERTY PROPHET_OPENMP_PROGRAMS ${name})
endfunction()
