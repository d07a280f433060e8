# One place for the language level and the warnings: a warning is an error everywhere.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2")  # asserts stay on: a broken contract must not run on
# For what waits for files, Slurm and GPUs, and computes little: it takes half of the room of -O2 and -Og, and compiles in three
# quarters of the time that -O2 takes.
set(RV_LIGHT "")
if(CMAKE_BUILD_TYPE STREQUAL Release)
  set(RV_LIGHT -Os)
endif()

find_program(RV_CCACHE ccache)
if(RV_CCACHE)
  # Precompiled headers take part only with what is said here: their macros and the time do not change what is built.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${RV_CCACHE})
endif()

set(RV_SANITIZE "" CACHE STRING "Sanitizers for everything, as -fsanitize= takes them: address,undefined or thread")
option(RV_FUZZ "Build the fuzz targets in tests/fuzz; needs clang and RV_SANITIZE" OFF)
if(RV_FUZZ AND NOT (RV_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL Clang))
  message(FATAL_ERROR "RV_FUZZ needs clang and sanitizers: -DCMAKE_CXX_COMPILER=clang++-14 -DRV_SANITIZE=address,undefined")
endif()
if(RV_SANITIZE)
  # No sanitizer has a static run time that a static program can use.
  set(RV_STATIC OFF CACHE BOOL "" FORCE)
  # Checked code takes twice as long to compile, and runs for seconds.
  set(RV_SANITIZE_LEVEL -O0 CACHE STRING "Optimisation of checked code: a long run of the fuzz targets is faster with -O1")
  set(CMAKE_CXX_FLAGS_RELEASE ${RV_SANITIZE_LEVEL})
  set(RV_LIGHT ${RV_SANITIZE_LEVEL})
  if(RV_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link) # libFuzzer follows which branches an input takes
  endif()
  add_compile_options(-fsanitize=${RV_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  option(RV_SANITIZE_LINES "Checked code knows its lines, which takes a seventh more time to compile" ON)
  if(RV_SANITIZE_LINES)
    add_compile_options(-g1)
  endif()
  # Checks of each access to an object: a null pointer (AddressSanitizer reports its use too), alignment, the dynamic type, the size.
  option(RV_SANITIZE_ACCESS "Check each access to an object, which takes a sixth more time to compile" ON)
  if(RV_SANITIZE MATCHES undefined AND NOT RV_SANITIZE_ACCESS)
    add_compile_options(-fno-sanitize=null,alignment,vptr,object-size)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    add_compile_options(-w -fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/tests/sanitizers.ignored) # warnings are GCC's affair
  else()
    # GCC 12 takes <regex> for uninitialized once its code is instrumented.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
  add_link_options(-fsanitize=${RV_SANITIZE})
endif()

add_library(rv_warnings INTERFACE)
target_compile_options(rv_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wconversion
                                             -Wno-sign-conversion -Werror)
target_include_directories(rv_warnings INTERFACE ${PROJECT_SOURCE_DIR})

# rv_folder(name PRECOMPILED set SOURCES… LINK libs…): one static library per folder, with the warnings, and with headers found
# from the root. The set is one of precompiled.cmake.
function(rv_folder name)
  cmake_parse_arguments(ARG "" "PRECOMPILED" "SOURCES;LINK" ${ARGN})
  add_library(rv_${name} STATIC ${ARG_SOURCES})
  rv_reuse(rv_${name} ${ARG_PRECOMPILED})
  target_link_libraries(rv_${name} PUBLIC ${ARG_LINK} PRIVATE rv_warnings)
  target_include_directories(rv_${name} PUBLIC ${PROJECT_SOURCE_DIR})
endfunction()
