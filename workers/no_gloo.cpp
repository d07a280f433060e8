// Stands in for communicator_gloo.cpp in a build without gloo; the worker says so before a rank starts.
#include "workers/communicator.h"

namespace rv::workers {

std::unique_ptr<Communicator> gloo_communicator(Peer&) {
  return nullptr;
}

bool built_with_gloo() {
  return false;
}

}  // namespace rv::workers
