# Sets PROPHET_CILK_CXX to a clang++ that builds Cilk programs: the one that PROPHET_OPENCILK names, else one that is found. Nothing
# where there is none.
set(PROPHET_OPENCILK "" CACHE PATH "OpenCilk's clang++, or the folder that it is installed in; empty: look for it")

# Sets `result` to what is wrong with `compiler`; empty: it builds Cilk programs.
function(prophet_try_cilk compiler result)
  set(folder ${PROJECT_BINARY_DIR}/opencilk)
  file(WRITE ${folder}/probe.cpp
       "#include <cilk/cilk.h>\n#include <cilk/cilk_api.h>\n#include <version>\n"
       "static void halve(int &n) { n /= 2; }\n"
       "int main() {\n  int n = 1;\n  cilk_spawn halve(n);\n  cilk_sync;\n"
       "  cilk_for (int i = 0; i < n; ++i)\n    halve(n);\n  return __cilkrts_get_nworkers() < 1;\n}\n")
  execute_process(COMMAND ${compiler} -fopencilk -std=c++20 probe.cpp -o probe WORKING_DIRECTORY ${folder}
                  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(status EQUAL 0)
    set(said "")
  elseif(said STREQUAL "")
    set(said "${status}")
  endif()
  set(${result} "${said}" PARENT_SCOPE)
endfunction()

set(PROPHET_CILK_CXX "")
if(PROPHET_OPENCILK)
  set(candidates ${PROPHET_OPENCILK})
  if(IS_DIRECTORY ${PROPHET_OPENCILK})
    set(candidates ${PROPHET_OPENCILK}/bin/clang++)
  endif()
else()
  file(GLOB candidates /opt/opencilk*/bin/clang++ $ENV{HOME}/opencilk*/bin/clang++)
  find_program(in_path clang++ NO_CACHE)
  if(in_path)
    list(APPEND candidates ${in_path})
  endif()
endif()
foreach(candidate ${candidates})
  prophet_try_cilk(${candidate} wrong)
  if(wrong STREQUAL "")
    set(PROPHET_CILK_CXX ${candidate})
    message(STATUS "OpenCilk: ${candidate}")
    break()
  elseif(PROPHET_OPENCILK)
    message(FATAL_ERROR "${candidate}: builds no Cilk programs; set\nPROPHET_OPENCILK to OpenCilk's clang++, or leave it out:\n"
                        "${wrong}")
  endif()
endforeach()
if(NOT PROPHET_CILK_CXX)
  message(STATUS "No OpenCilk: Prophet will not run trees by it; PROPHET_OPENCILK says where its clang++ is")
endif()
