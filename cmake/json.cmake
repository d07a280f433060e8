# nlohmann/json: rv_json. Its literals ("…"_json) are inline functions that parse, so that every file that read the header
# instantiated the parser, for a third of a second, used or not. The header is copied without them. Other releases are
# taken as they are.
add_library(rv_json INTERFACE)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND nlohmann_json_VERSION VERSION_EQUAL 3.11.2)
  get_target_property(json_headers nlohmann_json::nlohmann_json INTERFACE_INCLUDE_DIRECTORIES)
  list(GET json_headers 0 json_headers)
  file(READ ${json_headers}/nlohmann/json.hpp text)
  string(REGEX REPLACE "JSON_HEDLEY_NON_NULL\\(1\\)\ninline nlohmann::json[a-z:_]* operator \"\" _json[^}]*}" "" text "${text}")
  string(REPLACE "#if JSON_USE_GLOBAL_UDLS" "#if 0" text "${text}")
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/json/nlohmann/json.hpp CONTENT "${text}" @ONLY)
  target_include_directories(rv_json SYSTEM INTERFACE ${CMAKE_CURRENT_BINARY_DIR}/json)
else()
  target_link_libraries(rv_json INTERFACE nlohmann_json::nlohmann_json)
endif()
