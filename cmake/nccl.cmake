# NCCL is loaded at run time; its header alone is needed to build.
set(RV_NCCL OFF)
if(RV_CUDA)
  find_path(RV_NCCL_HEADERS nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS} /usr/include)
  if(RV_NCCL_HEADERS)
    set(RV_NCCL ON)
  else()
    message(STATUS "No nccl.h: rv-collective and rv-train are built without GPUs (rv-compute and rv-health have them); "
                   "install libnccl-dev, or give -DRV_NCCL_HEADERS=FOLDER")
  endif()
endif()
