# spdlog as a static library on fmt's (fmt.cmake): rv_spdlog. Debian has its headers, which every file that logs compiled anew, and
# a shared library.
add_library(rv_spdlog STATIC ${CMAKE_CURRENT_LIST_DIR}/spdlog.cpp)
get_target_property(spdlog_headers spdlog::spdlog_header_only INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(rv_spdlog SYSTEM PUBLIC ${spdlog_headers})
target_compile_definitions(rv_spdlog PUBLIC SPDLOG_COMPILED_LIB SPDLOG_FMT_EXTERNAL)
target_compile_options(rv_spdlog PRIVATE ${RV_LIGHT} -ffunction-sections)
target_link_libraries(rv_spdlog PUBLIC rv_fmt)
