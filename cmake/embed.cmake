# rv_embed(target NAME ns::symbol FILES …): files become a table of string literals in the build folder, so that the
# one binary carries its templates and its catalogue. A FILE of this folder, or with its whole path.
#
# Declares in <name>.h:  std::span<const rv::EmbeddedFile> rv::embedded::<name>();
function(rv_embed target)
  cmake_parse_arguments(ARG "" "NAME" "FILES" ${ARGN})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${ARG_NAME}_embedded.cpp)
  set(inputs "")
  foreach(file ${ARG_FILES})
    get_filename_component(file ${file} ABSOLUTE)
    list(APPEND inputs ${file})
  endforeach()
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DNAME=${ARG_NAME} "-DFILES=${inputs}" -P
            ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${inputs} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()
