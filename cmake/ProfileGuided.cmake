# Profile-guided releases: a library is built twice, and a training program runs the first build, so that the compiler
# knows what the second mostly does. What the library computes stays the same to the bit.

option(PROPHET_PROFILE_GUIDED "Compile the emulator of a release for what it does in a training program" ON)

# Why releases cannot be guided here; empty: they can.
function(prophet_find_profile_tools reason)
  set(${reason} "" PARENT_SCOPE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(${reason} "it takes Clang" PARENT_SCOPE)
    return()
  elseif(CMAKE_CROSSCOMPILING)
    set(${reason} "the training program is of another machine" PARENT_SCOPE)
    return()
  endif()
  string(REGEX MATCH "^[0-9]+" major ${CMAKE_CXX_COMPILER_VERSION})
  get_filename_component(own ${CMAKE_CXX_COMPILER} REALPATH)
  get_filename_component(own ${own} DIRECTORY)
  find_program(PROPHET_LLVM_PROFDATA NAMES llvm-profdata llvm-profdata-${major} HINTS ${own} /usr/lib/llvm-${major}/bin NO_DEFAULT_PATH)
  find_program(PROPHET_LLVM_PROFDATA NAMES llvm-profdata-${major})
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -fprofile-generate)
  check_cxx_source_compiles("int main() {}" PROPHET_HAS_PROFILE_RUNTIME)
  if(NOT PROPHET_LLVM_PROFDATA)
    set(${reason} "there is no llvm-profdata-${major}" PARENT_SCOPE)
  elseif(NOT PROPHET_HAS_PROFILE_RUNTIME)
    set(${reason} "there is no libclang-rt-${major}-dev" PARENT_SCOPE)
  endif()
endfunction()

# prophet_guide_by_profile(LIBRARY PROGRAM): in a release, compiles LIBRARY, whose sources are one unit, for what the
# program of source PROGRAM does with it. The target LIBRARY-trained is that program, with LIBRARY.
function(prophet_guide_by_profile library program)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR NOT PROPHET_PROFILE_GUIDED OR PROPHET_SANITIZE)
    return()
  endif()
  prophet_find_profile_tools(reason)
  if(reason)
    message(STATUS "${library} is not guided by a profile, which makes it slower by a quarter: ${reason}")
    return()
  endif()
  set(profile ${CMAKE_CURRENT_BINARY_DIR}/${library}.profdata)
  set(counts ${CMAKE_CURRENT_BINARY_DIR}/${library}.profraw)
  get_target_property(sources ${library} SOURCES)
  get_target_property(libraries ${library} LINK_LIBRARIES)
  set(result ${CMAKE_CURRENT_BINARY_DIR}/${library}.result)
  add_library(${library}-counting STATIC EXCLUDE_FROM_ALL ${sources})
  target_compile_options(${library}-counting PRIVATE -fprofile-generate)
  target_link_libraries(${library}-counting PUBLIC ${libraries})
  set_target_properties(${library}-counting PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  add_executable(${library}-training EXCLUDE_FROM_ALL ${program})
  target_link_libraries(${library}-training PRIVATE ${library}-counting)
  target_link_options(${library}-training PRIVATE -fprofile-generate)
  set_target_properties(${library}-training PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  add_custom_command(OUTPUT ${profile}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${counts}
    COMMAND ${CMAKE_COMMAND} -E env LLVM_PROFILE_FILE=${counts} $<TARGET_FILE:${library}-training> > ${result}
    COMMAND ${PROPHET_LLVM_PROFDATA} merge -o ${profile} ${counts}
    DEPENDS ${library}-training COMMENT "Counting what ${library} does" VERBATIM)
  add_custom_target(${library}-profile DEPENDS ${profile})
  add_dependencies(${library} ${library}-profile)
  target_compile_options(${library} PRIVATE -fprofile-use=${profile})
  add_executable(${library}-trained EXCLUDE_FROM_ALL ${program}) # prints the same
  target_link_libraries(${library}-trained PRIVATE ${library})
  set_target_properties(${library}-trained PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
