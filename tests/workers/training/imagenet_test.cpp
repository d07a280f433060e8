#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "tests/base/temporary_folder.h"
#include "tests/workers/counted_memory.h"
#include "tests/workers/error_of.h"
#include "tests/workers/pictures.h"
#include "workers/training/data/data_source.h"
#include "workers/training/data/imagenet_files.h"
#include "workers/training/data/read_ahead.h"

using namespace rv::tests;
using namespace rv::workers;

namespace {

/// Of one grey, by which it is known again.
std::string plain(int grey) {
  return jpeg(20, 16, 3, [grey](int, int) { return Colour{grey, grey, grey, 0}; });
}
/// The grey of a value that was normalised as red.
int grey_of(float value) {
  return static_cast<int>(std::lround((value * 0.229F + 0.485F) * 255));
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

std::string refusal(const std::filesystem::path& folder) {
  return error_of([&] { imagenet_files(folder); });
}

DataRequest request_of(const TemporaryFolder& folder) {
  DataRequest request{"imagenet", folder.path(), 3, 10, 8, 0, 0, 2, 1};
  request.threads = 3;
  return request;
}

}  // namespace

TEST_CASE("classes are numbered in the order of their folders' names, in the folder or its val") {
  for (const std::string place : {"", "val/", "ILSVRC/Data/CLS-LOC/val/"}) {
    const TemporaryFolder folder;
    folder.write(place + "n02/b.JPEG", "");
    folder.write(place + "n02/a.jpg", "");
    folder.write(place + "n01/c.PNG", "");
    folder.write(place + "n10/d.JPEG", "");
    folder.write(place + "n10/notes.txt", "");
    folder.write(place + ".cache/e.JPEG", "");
    const auto files = imagenet_files(folder.path());
    CHECK(files.classes == 3);
    CHECK(files.names == std::vector<std::string>{"n01/c.PNG", "n02/a.jpg", "n02/b.JPEG", "n10/d.JPEG"});
    CHECK(files.labels == std::vector<int>{0, 1, 1, 2});
  }
}

TEST_CASE("the flat folder of the archive takes its classes from each of the lists that people have") {
  const auto two = [](const TemporaryFolder& folder) {
    folder.write("val/ILSVRC2012_val_00000001.JPEG", "");
    folder.write("val/ILSVRC2012_val_00000002.JPEG", "");
  };
  const TemporaryFolder kaggle, caffe, kit;
  two(kaggle);
  kaggle.write("LOC_val_solution.csv",
               "ImageId,PredictionString\r\nILSVRC2012_val_00000002,n01440764 85 1 499 272 n01440764 1 2 3 4\r\n"
               "ILSVRC2012_val_00000003,n01443537 1 1 2 2\r\nILSVRC2012_val_00000001,n03995372 1 1 2 2\r\n");
  CHECK(imagenet_files(kaggle.path()).labels == std::vector<int>{2, 0});
  CHECK(imagenet_files(kaggle / "val").classes == 3);
  two(caffe);
  caffe.write("val/val.txt", "ILSVRC2012_val_00000001.JPEG 65\nILSVRC2012_val_00000002.JPEG 970\n");
  CHECK(imagenet_files(caffe.path()).labels == std::vector<int>{65, 970});
  CHECK(imagenet_files(caffe.path()).classes == 971);
  two(kit);
  kit.write("ILSVRC2012_devkit_t12/data/ILSVRC2012_validation_ground_truth.txt", "490\n361\n");
  CHECK(imagenet_files(kit.path()).labels == std::vector<int>{489, 360});
}

TEST_CASE("what is missing or wrong with the files is named, with the way out") {
  const TemporaryFolder folder;
  CHECK(says(refusal(folder.path()),
             "has no images of ImageNet; download them from https://www.image-net.org/download.php"));
  CHECK(says(refusal(folder / "nothing"), "/nothing has no images of ImageNet"));
  folder.write("train/n01/a.JPEG", "");
  CHECK(says(refusal(folder.path()), "has no val folder; to train on " + (folder / "train").string()));
  folder.write("ILSVRC2012_img_val.tar", "");
  CHECK(says(refusal(folder.path()), "ILSVRC2012_img_val.tar is still packed: mkdir "));
  folder.write("val/n01/a.JPEG", "");
  std::filesystem::create_directories(folder / "val" / "n02");
  CHECK(says(refusal(folder.path()), (folder / "val" / "n02").string() + " has no image"));

  const TemporaryFolder flat;
  flat.write("ILSVRC2012_val_00000003.JPEG", "");
  CHECK(says(refusal(flat.path()), "has 1 images and no folders by class, but no file with their labels: put LOC_val"));
  flat.write("ILSVRC2012_validation_ground_truth.txt", "1\n2\n");
  CHECK(says(refusal(flat.path()), "_ground_truth.txt does not list ILSVRC2012_val_00000003.JPEG"));
  flat.write("ILSVRC2012_validation_ground_truth.txt", "1\n0\n");
  CHECK(says(refusal(flat.path()), "_ground_truth.txt, line 2: \"0\" does not give the class of an image"));
  flat.write("val.txt", "ILSVRC2012_val_00000003.JPEG sixty\n");
  CHECK(says(refusal(flat.path()),
             "val.txt, line 1: \"ILSVRC2012_val_00000003.JPEG sixty\" does not give the class of an image"));
  flat.write("LOC_val_solution.csv", "ImageId,PredictionString\nILSVRC2012_val_00000003\n");
  CHECK(says(refusal(flat.path()), "LOC_val_solution.csv, line 2:"));
}

TEST_CASE("ImageNet's ranks see disjoint images, each once an epoch, whatever the threads") {
  const TemporaryFolder folder;
  for (int i = 0; i < 14; ++i) {
    folder.write("n0" + std::to_string(i % 2) + "/" + std::to_string(i) + ".JPEG", plain(10 + 17 * i));
  }
  auto request = request_of(folder);
  const auto first = data_source(request);
  request.rank = 1;
  request.threads = 1;
  const auto second = data_source(request);
  std::set<std::vector<int>> orders;
  for (int epoch = 0; epoch < 3; ++epoch) {
    std::map<int, int> seen;
    std::vector<int> order;
    for (int step = 2 * epoch; step < 2 * epoch + 2; ++step) {
      for (const auto* source : {&first, &second}) {
        const auto batch = (*source)->batch(step);
        REQUIRE(batch.values.size() == 3 * 8 * 8 * 3);
        for (std::size_t i = 0; i < 3; ++i) {
          const int image = (grey_of(batch.values[i * 8 * 8 * 3]) - 8) / 17;
          CHECK(batch.labels[i] == image % 2);
          ++seen[image];
          order.push_back(image);
        }
      }
    }
    // Two of the fourteen fill no step and are left out.
    CHECK(seen.size() == 12);
    orders.insert(order);
  }
  CHECK(orders.size() == 3);
  // A batch that is asked for again, or out of turn, is the same.
  request.rank = 0;
  const auto again = data_source(request);
  const CountedMemory counted;
  again->lie_in(counted.memory());
  for (int step = 0; step < 5; ++step) {
    const auto batch = again->batch(step);
    CHECK(counted.has(batch.values.data()));
    CHECK(batch.values == first->batch(step).values);
  }
  CHECK(again->batch(5).values == first->batch(5).values);
  CHECK(again->batch(1).values == first->batch(1).values);
  // Three that are read, one of each that is given up, and what is compared.
  CHECK(counted.places() <= 8);
  const auto figures = first->figures();
  REQUIRE(figures);
  CHECK(figures->threads == 3);
  CHECK(figures->images >= 6 * 3);
  CHECK(figures->per_second() > 0);
  request.classes = 1;
  CHECK_THROWS_WITH(data_source(request), "imagenet has 2 classes; --num-classes 1 are too few");
}

TEST_CASE("a damaged image ends the batch it is in, named, and no other") {
  const TemporaryFolder folder;
  for (int i = 0; i < 6; ++i) folder.write("n0/" + std::to_string(i) + ".JPEG", plain(40 * i));
  folder.write("n0/3.JPEG", plain(120).substr(0, 400));
  auto request = request_of(folder);
  request.world = 1;
  const auto source = data_source(request);
  std::string said;
  int whole = 0;
  for (int step = 0; step < 2; ++step) {
    const auto error = error_of([&] {
      source->batch(step);
      ++whole;
    });
    if (!error.empty()) said = error;
  }
  CHECK(whole == 1);
  CHECK(said.starts_with((folder / "n0/3.JPEG").string() + " is damaged or cut off ("));
  CHECK(said.ends_with("; unpack it again from the archive, or move it away to train without it"));
}

TEST_CASE("a limited number of batches is made ahead, and one that is not taken is abandoned") {
  std::mutex mutex;
  std::set<std::size_t> drawn;
  const auto all_drawn = [&](std::size_t below) {
    const std::lock_guard lock(mutex);
    return drawn.size() == below;
  };
  ReadAhead reader({1,
                    [](std::int64_t step) {
                      const auto first = static_cast<std::size_t>(step) * 4;
                      return std::vector<std::size_t>{first, first + 1, first + 2, first + 3};
                    },
                    [](std::size_t sample) { return static_cast<int>(sample) + 1; },
                    [&](std::size_t sample, float* to, int) {
                      *to = static_cast<float>(sample);
                      const std::lock_guard lock(mutex);
                      drawn.insert(sample);
                    }},
                   2, 3);
  CHECK(reader.take(0).values == std::vector<float>{0, 1, 2, 3});
  // The two after it come without being asked for, and then no more.
  while (!all_drawn(12)) std::this_thread::yield();
  CHECK(reader.take(1).labels == std::vector<int>{5, 6, 7, 8});
  while (!all_drawn(16)) std::this_thread::yield();
  CHECK(reader.take(10).values == std::vector<float>{40, 41, 42, 43});
}
