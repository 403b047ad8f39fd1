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
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-prog-name=llvm-profdata OUTPUT_VARIABLE own OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(IS_ABSOLUTE "${own}")
    set(PROPHET_LLVM_PROFDATA ${own} CACHE FILEPATH "The llvm-profdata of the compiler's LLVM")
  endif()
  find_program(PROPHET_LLVM_PROFDATA NAMES llvm-profdata-${major})
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -fprofile-generate)
  check_cxx_source_compiles("int main() {}" PROPHET_HAS_PROFILE_RUNTIME)
  if(NOT PROPHET_LLVM_PROFDATA)
    set(${reason} "there is no llvm-profdata-${major}" PARENT_SCOPE)
  elseif(NOT PROPHET_HAS_PROFILE_RUNTIME)
    set(${reason} "there is no libclang-rt-${major}-dev" PARENT_SCOPE)
    unset(PROPHET_HAS_PROFILE_RUNTIME CACHE) # it may be installed before the next time
  endif()
endfunction()

# prophet_guide_by_profile(LIBRARY PROGRAM): in a release, compiles LIBRARY for what the program of source PROGRAM does with
# it. LIBRARY is a unity build of one unit and has all its sources and properties. LIBRARY-trained is the program.
function(prophet_guide_by_profile library program)
  add_executable(${library}-trained EXCLUDE_FROM_ALL ${program})
  target_link_libraries(${library}-trained PRIVATE ${library})
  set_target_properties(${library}-trained PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR NOT PROPHET_PROFILE_GUIDED OR PROPHET_SANITIZE)
    return()
  endif()
  prophet_find_profile_tools(reason)
  if(reason)
    message(STATUS "${library} is not guided by a profile, which makes it slower: ${reason}")
    return()
  endif()
  set(profile ${CMAKE_CURRENT_BINARY_DIR}/${library}.profdata)
  set(result ${CMAKE_CURRENT_BINARY_DIR}/${library}.result)
  set(counts ${library}.profraw) # in a folder whose name may have a %, which LLVM would replace
  # Functions of one file are known by its name, which is the same in both builds but for its folder.
  set(names "SHELL:-mllvm -static-func-full-module-prefix=false")
  get_target_property(sources ${library} SOURCES)
  get_target_property(libraries ${library} LINK_LIBRARIES)
  add_library(${library}-counting STATIC EXCLUDE_FROM_ALL ${sources})
  target_compile_options(${library}-counting PRIVATE -fprofile-generate ${names})
  target_link_libraries(${library}-counting PUBLIC ${libraries})
  set_target_properties(${library}-counting PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  add_executable(${library}-training EXCLUDE_FROM_ALL ${program})
  target_compile_options(${library}-training PRIVATE -fprofile-generate)
  target_link_libraries(${library}-training PRIVATE ${library}-counting)
  target_link_options(${library}-training PRIVATE -fprofile-generate)
  set_target_properties(${library}-training PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  add_custom_command(OUTPUT ${profile} BYPRODUCTS ${result} WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${counts}
    COMMAND ${CMAKE_COMMAND} -E env LLVM_PROFILE_FILE=${counts} $<TARGET_FILE:${library}-training> > ${result}
    COMMAND ${PROPHET_LLVM_PROFDATA} merge -o ${profile} ${counts}
    DEPENDS ${library}-training COMMENT "Counting what ${library} does (not with -DPROPHET_PROFILE_GUIDED=OFF)" VERBATIM)
  add_custom_target(${library}-profile DEPENDS ${profile})
  add_dependencies(${library} ${library}-profile) # what is compiled depends on it, too, so that another profile counts
  target_compile_options(${library} PRIVATE -fprofile-use=${profile} ${names} "SHELL:-Xclang \"-fdepfile-entry=${profile}\"")
endfunction()
