# nlohmann/json: rv_json. It is headers alone, and every file that reads or writes a value compiled the same functions anew: a
# fifth of all code that the compiler made. The headers are copied without the bodies of the larger ones (json_once.py), which
# are compiled here once. Other releases are taken as they are, and this one without Python.
add_library(rv_json INTERFACE)
if(RV_PYTHON3 AND nlohmann_json_VERSION VERSION_EQUAL 3.11.2)
  get_target_property(json_headers nlohmann_json::nlohmann_json INTERFACE_INCLUDE_DIRECTORIES)
  list(GET json_headers 0 json_headers)
  set(json_copy ${CMAKE_CURRENT_BINARY_DIR}/json)
  set(json_once ${CMAKE_CURRENT_LIST_DIR}/json_once.py)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${json_once})
  execute_process(COMMAND ${RV_PYTHON3} ${json_once} ${json_headers}/nlohmann ${json_copy}/nlohmann COMMAND_ERROR_IS_FATAL ANY)
  add_library(rv_json_once STATIC ${CMAKE_CURRENT_LIST_DIR}/json.cpp)
  set_property(TARGET rv_json_once PROPERTY POSITION_INDEPENDENT_CODE ON) # also for a shared library of the workers
  target_include_directories(rv_json_once SYSTEM PUBLIC ${json_copy})
  target_compile_options(rv_json_once PRIVATE -ffunction-sections)
  target_link_libraries(rv_json INTERFACE rv_json_once)
else()
  target_link_libraries(rv_json INTERFACE nlohmann_json::nlohmann_json)
endif()
