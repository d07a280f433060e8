#include <fmt/format.h>

#include <cmath>

#include "workers/training/network/network_builder.h"

namespace rv::workers {
namespace {

int basic_block(NetworkBuilder& to, const std::string& name, int in, int width, int stride) {
  int x = to.batch_norm(name + ".bn1", to.convolution(name + ".conv1", in, width, 3, stride), -1, true);
  x = to.convolution(name + ".conv2", x, width, 3, 1);
  int skip = in;
  if (stride != 1 || to.network().shape(in).c != width) {
    skip = to.convolution(name + ".downsample.0", in, width, 1, stride);
    skip = to.batch_norm(name + ".downsample.1", skip, -1, false);
  }
  return to.batch_norm(name + ".bn2", x, skip, true);
}

int bottleneck(NetworkBuilder& to, const std::string& name, int in, int width, int stride) {
  int x = to.batch_norm(name + ".bn1", to.convolution(name + ".conv1", in, width, 1, 1), -1, true);
  x = to.batch_norm(name + ".bn2", to.convolution(name + ".conv2", x, width, 3, stride), -1, true);
  x = to.convolution(name + ".conv3", x, 4 * width, 1, 1);
  int skip = in;
  if (stride != 1 || to.network().shape(in).c != 4 * width) {
    skip = to.convolution(name + ".downsample.0", in, 4 * width, 1, stride);
    skip = to.batch_norm(name + ".downsample.1", skip, -1, false);
  }
  return to.batch_norm(name + ".bn3", x, skip, true);
}

}  // namespace

Network resnet(int depth, int batch, int image_size, int classes) {
  NetworkBuilder to(fmt::format("resnet{}", depth));
  int x = to.convolution("conv1", to.image(batch, image_size), 64, 7, 2);
  x = to.max_pool(to.batch_norm("bn1", x, -1, true));
  const int blocks[2][4] = {{2, 2, 2, 2}, {3, 4, 6, 3}};
  for (int stage = 0; stage < 4; ++stage) {
    for (int block = 0; block < blocks[depth == 50][stage]; ++block) {
      const auto name = fmt::format("layer{}.{}", stage + 1, block);
      const int stride = stage > 0 && block == 0 ? 2 : 1;
      x = (depth == 50 ? bottleneck : basic_block)(to, name, x, 64 << stage, stride);
    }
  }
  x = to.mean_pool(x);
  const Beginning uniform{Beginning::Kind::uniform, 1 / std::sqrt(to.network().shape(x).c)};
  return to.finish(to.linear("fc", x, classes, uniform, uniform, false));
}

}  // namespace rv::workers
