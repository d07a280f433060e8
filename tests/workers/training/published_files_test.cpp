#include "workers/training/data/published_files.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/base/temporary_folder.h"
#include "tests/workers/error_of.h"
#include "workers/training/data/image_files.h"
#include "workers/training/data/md5.h"

using namespace rv::tests;
using namespace rv::workers;

namespace {

std::string md5(std::string_view text) {
  Md5 sum;
  sum.add(text);
  return sum.digest();
}

}  // namespace

TEST_CASE("MD5 gives the sums that RFC 1321 lists, in however many pieces the text comes") {
  CHECK(md5("") == "d41d8cd98f00b204e9800998ecf8427e");
  CHECK(md5("a") == "0cc175b9c0f1b6a831c399e269772661");
  CHECK(md5("abc") == "900150983cd24fb0d6963f7d28e17f72");
  CHECK(md5("message digest") == "f96b697d7cb7938d525a2f31aaf161d0");
  CHECK(md5("abcdefghijklmnopqrstuvwxyz") == "c3fcd3d76192e4007dfb496cca67e13b");
  CHECK(md5("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") == "d174ab98d277d9f5a5611c2c9f419d9f");
  const std::string digits = "12345678901234567890123456789012345678901234567890123456789012345678901234567890";
  CHECK(md5(digits) == "57edf4a22be3c955ac49da2e2107b67a");
  for (std::size_t cut = 0; cut <= digits.size(); ++cut) {
    Md5 sum;
    sum.add(std::string_view(digits).substr(0, cut));
    sum.add(std::string_view(digits).substr(cut));
    CHECK(sum.digest() == "57edf4a22be3c955ac49da2e2107b67a");
  }
}

TEST_CASE("a file with a published name and length has the published bytes, or is named; another length is one's own") {
  const TemporaryFolder folder;
  const auto labels = folder / "train-labels-idx1-ubyte.gz";
  folder.write("train-labels-idx1-ubyte.gz", std::string(29515, 'x'));
  const auto said = error_of([&] { check_published(labels); });
  CHECK(said.starts_with(labels.string() + " is damaged: its MD5 is "));
  CHECK(said.find("instead of the published 25c81989df183df01b3e8a0aad5dffbe") != std::string::npos);
  folder.write("train-labels-idx1-ubyte.gz", std::string(29514, 'x'));
  CHECK(error_of([&] { check_published(labels); }).empty());
  CHECK(error_of([&] { check_published(folder / "nothing.gz"); }).empty());
  CHECK(error_of([&] { check_published(folder / "cifar-10-binary.tar.gz"); }).empty());
}

TEST_CASE("FashionMNIST's own files are checked before they are unpacked") {
  const TemporaryFolder folder;
  folder.write("train-images-idx3-ubyte.gz", "one's own");
  folder.write("train-labels-idx1-ubyte.gz", std::string(29515, 'x'));
  CHECK(error_of([&] { read_images("fashion_mnist", folder.path()); }).find("its MD5 is") != std::string::npos);
  CHECK(error_of([&] { read_images("fashion_mnist", folder.path(), false); }).find("is not a gzip file") !=
        std::string::npos);
}

TEST_CASE("CIFAR's archive beside its unpacked files is checked; an archive that is still packed is mentioned") {
  const TemporaryFolder folder;
  const auto archive = folder / "cifar-100-binary.tar.gz";
  folder.write("cifar-100-binary.tar.gz", "cut off");
  CHECK(error_of([&] { read_images("cifar100", folder.path()); }) ==
        (folder / "train.bin").string() + " is missing; " + archive.string() +
            " has 7 bytes instead of the published 168513733: download it again");
  folder.write("cifar-100-binary/train.bin", std::string(3074, '\1'));
  CHECK(read_images("cifar100", folder.path()).count() == 1);
  // As long as the published one, all of it a hole.
  std::filesystem::resize_file(archive, 168513733);
  CHECK(error_of([&] {
          read_images("cifar100", folder / "cifar-100-binary");
        }).starts_with(archive.string() + " is damaged"));
  CHECK(read_images("cifar100", folder.path(), false).count() == 1);
}
