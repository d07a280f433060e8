# Headers of others that nearly every file reads, parsed once for each set of compiler options (a precompiled header fits
# no other): much of a build goes into reading the standard library again and again. A file still includes what it
# uses: the linters read it without any of this.
option(RV_PRECOMPILED "Read the headers of others once, precompiled" ON)
set(CMAKE_PCH_WARN_INVALID ON)

if(RV_PRECOMPILED AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>) # what ccache needs to see through them
  # With precompiled headers in memory GCC's garbage collection takes a thirteenth of its time; by default it begins at 128 MB.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=524288>)
endif()

# rv_precompiled(name OPTIONS… LINK… HEADERS…): a set of precompiled headers for rv_reuse.
function(rv_precompiled name)
  cmake_parse_arguments(ARG "" "" "OPTIONS;LINK;HEADERS" ${ARGN})
  if(RV_PRECOMPILED)
    add_library(rv_precompiled_${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
    target_compile_options(rv_precompiled_${name} PRIVATE ${ARG_OPTIONS})
    target_link_libraries(rv_precompiled_${name} PRIVATE ${ARG_LINK} rv_warnings)
    target_precompile_headers(rv_precompiled_${name} PRIVATE ${ARG_HEADERS})
  endif()
endfunction()

# rv_reuse(target name): the target's files read this set of precompiled headers.
function(rv_reuse target name)
  if(RV_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM rv_precompiled_${name})
  endif()
endfunction()

# Only headers that are cheap for a file that does not use them. nlohmann/json and CLI11 are not: GCC instantiates what their
# inline functions use in each file that has read them, precompiled or not (0.4 and 3.5 seconds of a processor).
set(common_headers <algorithm> <array> <charconv> <chrono> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set> <span>
                   <sstream> <string> <string_view> <thread> <utility> <vector> <fmt/format.h>)
# clang instantiates them once, in the precompiled header, and reads of it what a file uses.
set(common_libraries rv_fmt)
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  list(APPEND common_headers <nlohmann/json.hpp>)
  list(APPEND common_libraries nlohmann_json::nlohmann_json)
endif()
rv_precompiled(light OPTIONS ${RV_LIGHT} LINK ${common_libraries} HEADERS ${common_headers})
rv_precompiled(fast LINK ${common_libraries} HEADERS ${common_headers})
