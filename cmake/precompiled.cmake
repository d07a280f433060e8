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

# rv_reuse(target name [for rv_together…]): what the target's files read first. (And how: together, cmake/together.cmake.)
function(rv_reuse target name)
  rv_together(${target} ${ARGN})
  if(RV_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM rv_precompiled_${name})
  endif()
endfunction()

set(std_headers <algorithm> <array> <charconv> <chrono> <cstdint> <filesystem> <functional> <map> <memory> <optional>
                <set> <span> <sstream> <string> <string_view> <thread> <utility> <vector>)
set(json_headers ${std_headers} <fmt/format.h> <nlohmann/json.hpp>)
rv_precompiled(light OPTIONS ${RV_LIGHT} LINK rv_fmt rv_json HEADERS ${json_headers})
# Apart: what CLI11's functions instantiate takes every file 0.7 seconds that has read them.
rv_precompiled(light_cli OPTIONS ${RV_LIGHT} LINK rv_fmt rv_cli11 rv_json HEADERS ${json_headers} <CLI/CLI.hpp>)
rv_precompiled(fast LINK rv_fmt rv_json HEADERS ${json_headers})
