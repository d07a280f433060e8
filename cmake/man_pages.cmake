# The manual pages of the program RV, into the folder OUT: rv.1 and, for each command that it names, rv-COMMAND.1.
function(write_page command file)
  execute_process(COMMAND ${RV} --man-page ${command} OUTPUT_VARIABLE page COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${OUT}/${file} "${page}")
  set(page "${page}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${OUT})
write_page(rv rv.1)
string(REGEX MATCHALL "see .fBrv.-[a-z]+" commands "${page}")
foreach(command ${commands})
  string(REGEX REPLACE ".*-" "" command "${command}")
  write_page(${command} rv-${command}.1)
endforeach()
