# CLI11, compiled once: rv_cli11. Debian's is headers alone, with all functions in the classes, and every file that
# declares an option compiled them anew, for three seconds. GCC's own answer is a pair of pragmas (its manual, "C++
# Interface and Implementation Pragmas"): `interface` in a header leaves its classes' functions to the one file that says
# `implementation`. The headers are copied with that line in them, and the checks that they define anew in each file
# (CLI::ExistingFile and so on) become declarations. Other compilers and releases take CLI11 as it is.
add_library(rv_cli11 INTERFACE)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CLI11_VERSION VERSION_EQUAL 2.1.2)
  get_target_property(cli11_headers CLI11::CLI11 INTERFACE_INCLUDE_DIRECTORIES)
  file(GLOB headers ${cli11_headers}/CLI/*.hpp)
  foreach(header ${headers})
    file(READ ${header} text)
    string(REPLACE "#pragma once" "#pragma once\n#pragma interface" text "${text}")
    string(REGEX REPLACE "\nconst ([A-Za-z0-9:<>]+) ([A-Za-z0-9]+)(\\([^;]*\\))?;" "\nextern const \\1 \\2;" text "${text}")
    get_filename_component(name ${header} NAME)
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/cli11/CLI/${name} CONTENT "${text}" @ONLY)
  endforeach()
  add_library(rv_cli11_once STATIC ${CMAKE_CURRENT_LIST_DIR}/cli11.cpp)
  target_include_directories(rv_cli11_once SYSTEM PUBLIC ${CMAKE_CURRENT_BINARY_DIR}/cli11)
  target_compile_options(rv_cli11_once PRIVATE -Os -ffunction-sections)
  target_link_libraries(rv_cli11 INTERFACE rv_cli11_once)
else()
  target_link_libraries(rv_cli11 INTERFACE CLI11::CLI11)
endif()
