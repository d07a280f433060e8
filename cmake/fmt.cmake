# fmt as a static library: Debian has its headers and a shared one.
add_library(rv_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)
get_target_property(fmt_headers fmt::fmt-header-only INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(rv_fmt SYSTEM PUBLIC ${fmt_headers})
