#include "workers/training/image_decoders.h"

#include <doctest/doctest.h>

#include "tests/workers/error_of.h"

using namespace rv::tests;
using namespace rv::workers;

TEST_CASE("GPUs decode if all ranks can and the host was not requested") {
  for (const std::string wish : {"auto", "nvjpeg"}) {
    CHECK(all_decode_on_gpus(wish, {""}, {"n1"}));
    CHECK(all_decode_on_gpus(wish, {"", ""}, {"n1", "n2"}));
  }
  CHECK(!all_decode_on_gpus("auto", {"", "libnvjpeg.so.13 is missing"}, {"n1", "n2"}));
  CHECK(!all_decode_on_gpus("host", {""}, {"n1"}));
  CHECK(!all_decode_on_gpus("host", {"it needs a GPU"}, {"n1"}));
}

TEST_CASE("requested nvJPEG that is not available is an error with the reason and the host") {
  CHECK(error_of([] { all_decode_on_gpus("nvjpeg", {"it needs a GPU"}, {"n1"}); }) ==
        "--decoder nvjpeg is not available: it needs a GPU; --decoder host works without it");
  CHECK(error_of([] {
          all_decode_on_gpus("nvjpeg", {"", "libnvjpeg.so.13 is missing"}, {"n1", "n2"});
        }) ==
        "--decoder nvjpeg is not available: rank 1 (host n2): libnvjpeg.so.13 is missing; --decoder host works without "
        "it");
}
