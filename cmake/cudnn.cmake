# cuDNN is loaded at run time; its headers alone are needed to build.
set(RV_CUDNN OFF)
if(RV_CUDA)
  find_path(RV_CUDNN_HEADERS cudnn.h HINTS ${CUDAToolkit_INCLUDE_DIRS} /usr/include)
  if(RV_CUDNN_HEADERS)
    set(RV_CUDNN ON)
  else()
    message(STATUS "No cudnn.h: rv-train's models are built for the CPU only; install libcudnn9-dev-cuda-13, or give "
                   "-DRV_CUDNN_HEADERS=FOLDER")
  endif()
endif()
