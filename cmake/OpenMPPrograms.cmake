# Programs for each OpenMP runtime: clang's code calls libomp, GCC's libgomp. The compiler of this build makes its own, the
# other one is called directly.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(PROPHET_OWN_RUNTIME libomp)
  set(PROPHET_OTHER_RUNTIME libgomp)
  find_program(PROPHET_OTHER_CXX NAMES g++ DOC "GCC, for the programs that run libgomp")
else()
  set(PROPHET_OWN_RUNTIME libgomp)
  set(PROPHET_OTHER_RUNTIME libomp)
  find_program(PROPHET_OTHER_CXX NAMES clang++-19 clang++ HINTS ${PROPHET_LLVM_DIR}/bin
               DOC "Clang, for the programs that run libomp")
endif()

find_package(OpenMP COMPONENTS CXX)
if(NOT OpenMP_CXX_FOUND)
  message(STATUS "No OpenMP for ${CMAKE_CXX_COMPILER}: Prophet will not measure or run ${PROPHET_OWN_RUNTIME}")
endif()

if(PROPHET_OTHER_CXX AND NOT DEFINED PROPHET_OTHER_OPENMP)
  file(WRITE ${PROJECT_BINARY_DIR}/openmp/probe.cpp
       "#include <omp.h>\n#include <version>\nint main() { return omp_get_max_threads() < 1; }\n")
  execute_process(COMMAND ${PROPHET_OTHER_CXX} -std=c++20 -fopenmp probe.cpp -o probe
                  WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/openmp
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  string(COMPARE EQUAL "${status}" 0 works)
  set(PROPHET_OTHER_OPENMP ${works} CACHE INTERNAL "Whether PROPHET_OTHER_CXX builds OpenMP programs")
endif()
if(NOT PROPHET_OTHER_OPENMP)
  message(STATUS "No other compiler with OpenMP: Prophet will not measure or run ${PROPHET_OTHER_RUNTIME}")
endif()

# prophet_openmp_programs(NAME source...): NAME-libomp and NAME-libgomp, as far as there are compilers for them, in libexec. They
# are put into the global property PROPHET_OPENMP_PROGRAMS: what a built `prophet` finds beside it.
function(prophet_openmp_programs name)
  if(OpenMP_CXX_FOUND)
    set(own ${name}-${PROPHET_OWN_RUNTIME})
    add_executable(${own} ${ARGN})
    target_compile_options(${own} PRIVATE -O2)
    target_link_libraries(${own} PRIVATE OpenMP::OpenMP_CXX prophet-options)
    # Where libomp lies outside of the loader's directories it is found in the installed program, too.
    set_target_properties(${own} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROPHET_LIBEXEC_DIR}
                                            INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS ${own} RUNTIME DESTINATION ${PROPHET_LIBEXEC_SUBDIR})
    set_property(GLOBAL APPEND PROPERTY PROPHET_OPENMP_PROGRAMS ${own})
  endif()
  if(PROPHET_OTHER_OPENMP)
    set(other ${name}-${PROPHET_OTHER_RUNTIME})
    prophet_program_by(${other} COMPILER ${PROPHET_OTHER_CXX} FLAGS -fopenmp SOURCES ${ARGN})
  endif()
endfunction()
