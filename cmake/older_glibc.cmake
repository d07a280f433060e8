# The workers run on nodes with an older glibc than this machine's, and without its libstdc++: those that carry nothing but
# themselves to a node can't ask it for more. Three parts: libstdc++ is linked in; what glibc 2.28 lacks is the program's own
# (workers/older_glibc); and after linking, each symbol is taken with its newest version up to 2.28 (older_glibc.py).
set(RV_OLDEST_GLIBC 2.28)
# The newest glibc whose new symbol versions were looked at: 2.29 to 2.36 moved functions between libraries (2.34) and changed no
# arguments of what the workers use.
set(RV_REVIEWED_GLIBC 2.36)
find_program(RV_PYTHON3 python3)

# Why they are for this machine's libraries alone; empty: they are not.
function(rv_why_not_older_glibc out)
  set(${out} "" PARENT_SCOPE)
  if(NOT (CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_SYSTEM_NAME STREQUAL Linux AND CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64))
    set(${out} "that is made for GCC on x86-64 Linux" PARENT_SCOPE)
  elseif(RV_SANITIZE)
    set(${out} "the sanitizers' libraries are this machine's" PARENT_SCOPE)
  elseif(NOT RV_PYTHON3)
    set(${out} "there is no python3 to change what was linked" PARENT_SCOPE)
  else()
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_LINK_OPTIONS -static-libstdc++ -static-libgcc -l:libpthread.so.0 -l:libdl.so.2 -l:librt.so.1)
    check_cxx_source_compiles("#include <dlfcn.h>
                               #include <cstdio>
                               #include <sys/random.h>
                               int main() { dl_find_object found; std::puts(\"\"); return sizeof found == 0; }" RV_LINKS_FOR_OLDER_GLIBC)
    if(NOT RV_LINKS_FOR_OLDER_GLIBC)
      set(${out} "a static libstdc++ (libstdc++-dev) and glibc 2.35 or newer are needed for that" PARENT_SCOPE)
    endif()
  endif()
endfunction()

rv_why_not_older_glibc(why_not)
if(why_not STREQUAL "")
  set(older_glibc_default ON)
else()
  set(older_glibc_default OFF)
  message(STATUS "The workers are built for nodes with this machine's libraries: ${why_not}")
endif()
option(RV_OLDER_GLIBC "Build the workers for nodes with glibc ${RV_OLDEST_GLIBC} or newer" ${older_glibc_default})

if(RV_OLDER_GLIBC)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libc.so.6 OUTPUT_VARIABLE libc OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(libc_folder ${libc} DIRECTORY)
  set(RV_TAKE_OLDER ${RV_PYTHON3} ${PROJECT_SOURCE_DIR}/cmake/older_glibc.py --newest ${RV_OLDEST_GLIBC}
      --reviewed ${RV_REVIEWED_GLIBC} --libc ${libc_folder})
  add_library(rv_older_glibc OBJECT ${PROJECT_SOURCE_DIR}/workers/older_glibc/missing_functions.cpp
                                    ${PROJECT_SOURCE_DIR}/workers/older_glibc/start.cpp)
  target_link_libraries(rv_older_glibc PRIVATE rv_warnings)
endif()

# rv_for_older_glibc(program): links it so.
function(rv_for_older_glibc program)
  if(NOT RV_OLDER_GLIBC)
    return()
  endif()
  target_link_libraries(${program} PRIVATE rv_older_glibc)
  # Threads, dlopen and shared memory were libraries of their own until 2.34. What carried libraries need of the program
  # is seen by them; of libstdc++ and all others nothing is, so that a CUDA library keeps to its own.
  target_link_options(
    ${program} PRIVATE -static-libstdc++ -static-libgcc -Wl,--wrap=__libc_start_main -Wl,--push-state,--no-as-needed -l:libpthread.so.0
    -l:libdl.so.2 -l:librt.so.1 -Wl,--pop-state -Wl,--dynamic-list=${PROJECT_SOURCE_DIR}/cmake/older_glibc.exported)
  set_property(TARGET ${program} APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/older_glibc.py
                                                              ${PROJECT_SOURCE_DIR}/cmake/older_glibc.exported)
  add_custom_command(TARGET ${program} POST_BUILD COMMAND ${RV_TAKE_OLDER} $<TARGET_FILE:${program}> $<TARGET_FILE:${program}> VERBATIM)
endfunction()
