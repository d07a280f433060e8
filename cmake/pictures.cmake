# libjpeg-turbo and libpng decode ImageNet's files. Both are linked into rv-train, so that it runs on nodes that lack them.
find_path(RV_JPEG_HEADERS jpeglib.h)
find_path(RV_PNG_HEADERS png.h)
find_library(RV_JPEG_LIBRARY libjpeg.a)
find_library(RV_PNG_LIBRARY NAMES libpng16.a libpng.a)
find_library(RV_Z_LIBRARY libz.a)
if(RV_JPEG_HEADERS AND RV_PNG_HEADERS AND RV_JPEG_LIBRARY AND RV_PNG_LIBRARY AND RV_Z_LIBRARY)
  set(RV_PICTURES ON)
  if(NOT TARGET rv_pictures)
    add_library(rv_pictures INTERFACE IMPORTED GLOBAL)
    set_target_properties(rv_pictures PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${RV_JPEG_HEADERS};${RV_PNG_HEADERS}"
                          INTERFACE_LINK_LIBRARIES "${RV_JPEG_LIBRARY};${RV_PNG_LIBRARY};${RV_Z_LIBRARY};m")
  endif()
else()
  set(RV_PICTURES OFF)
  message(STATUS "No static libjpeg-turbo and libpng (libjpeg62-turbo-dev, libpng-dev): rv-train is built without "
                 "--data-mode imagenet")
endif()
