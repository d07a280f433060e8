#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "workers/storage/large_file.h"
#include "workers/storage/small_files.h"
#include "workers/storage/visibility.h"

namespace rv::workers {
namespace {

/// Gone at its end.
class Place {
 public:
  Place() {
    std::string pattern = (std::filesystem::temp_directory_path() / "rv-storage-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path = pattern;
  }
  ~Place() { std::filesystem::remove_all(path); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  bool empty() const { return std::filesystem::is_empty(path); }
  std::string path;
};

TEST_CASE("a folder to measure has a plain name and an absolute path") {
  const auto folder = measured_folder_from("scratch=/scratch/a=b");
  CHECK(folder.label == "scratch");
  CHECK(folder.path == "/scratch/a=b");
  for (const auto* const wrong : {"", "scratch", "=/x", "scratch=", "scratch=x", "a b=/x", "a/b=/x"}) {
    CHECK_THROWS_AS(measured_folder_from(wrong), std::invalid_argument);
  }
}

TEST_CASE("sizes are whole numbers with a unit") {
  CHECK(bytes_from("4K") == 4096U);
  CHECK(bytes_from("256M") == std::uint64_t{256} << 20);
  CHECK(bytes_from("2T") == std::uint64_t{2} << 40);
  for (const auto* const wrong : {"", "0M", "4", "M", "4MB", "-4M", "1.5G", "99999999999T", "4 M"})
    CHECK_FALSE(bytes_from(wrong));
  CHECK(bytes_text(std::uint64_t{256} << 20) == "256M");
  CHECK(bytes_text((std::uint64_t{3} << 29)) == "1.5G");
  CHECK(bytes_text(17) == "17 bytes");
}

TEST_CASE("a folder's facts show whether only this machine can write there") {
  CHECK(FolderFacts{.type = "xfs"}.of_this_machine());
  CHECK_FALSE(FolderFacts{.type = "nfs4"}.of_this_machine());
  CHECK_FALSE(FolderFacts{}.of_this_machine());
}

TEST_CASE("a file that would leave less than a tenth free does not fit; uncounted inodes do not matter") {
  const MeasuredFolder folder{"scratch", "/s"};
  const FolderFacts facts{.type = "ext4", .free_bytes = 1000, .inodes = 100};
  CHECK(lack_of_room(folder, facts, 900, 90, 1).empty());
  CHECK(lack_of_room(folder, facts, 901, 90, 1).find("free some space there, or choose another folder") !=
        std::string::npos);
  const FolderFacts larger{.type = "ext4", .free_bytes = std::uint64_t{20} << 20};
  CHECK(lack_of_room(folder, larger, std::uint64_t{19} << 20, 90, 1).find("--io-size") != std::string::npos);
  CHECK(lack_of_room(folder, facts, 900, 91, 1).find("more files") != std::string::npos);
  CHECK_FALSE(lack_of_room(folder, facts, 500, 10, 2).empty());
  CHECK(lack_of_room(folder, {.type = "btrfs", .free_bytes = 1000}, 10, 1000000, 1).empty());
}

TEST_CASE("a large file has no name, is read as it was written, and a page that changed is found") {
  const Place place;
  const auto facts = folder_facts({"here", place.path});
  for (const bool direct : {true, false}) {
    LargeFile file(place.path, facts, direct);
    CHECK(place.empty());
    CHECK((direct || file.way() != "O_DIRECT"));
    const auto bytes = LargeFile::block + 3 * LargeFile::page;
    CHECK(file.write(bytes, 60).bytes == bytes);
    CHECK(file.read(60).bytes == bytes);
    // Each page once, however many ask.
    CHECK(file.read_pages(1, 60, 1).operations == bytes / LargeFile::page);
    CHECK(file.read_pages(4, 60, 2).operations == bytes / LargeFile::page);
    file.damage(5);
    CHECK_THROWS_AS(file.read(60), WrongPage);
    CHECK_THROWS_AS(file.read_pages(4, 60, 3), WrongPage);
  }
}

TEST_CASE("small files are all made, listed and removed, and their number can be one") {
  const Place place;
  for (const int most : {1, 40}) {
    const auto small = measure_small_files(place.path, most, 60);
    CHECK(small.created.operations == static_cast<std::uint64_t>(most));
    CHECK(small.listed.operations == small.created.operations);
    CHECK(small.removed.operations == small.created.operations);
    CHECK(place.empty());
  }
  CHECK(measure_small_files(place.path, 1000000, 0).created.operations == 1);
  CHECK_THROWS_AS(measure_small_files(place.path + "/none", 1, 1), std::runtime_error);
}

TEST_CASE("rv waits for twice the delay and some seconds") {
  CHECK(seconds_to_wait(0) == 5);
  CHECK(seconds_to_wait(900) == 7);
  CHECK(seconds_to_wait(30000) == 65);
}

}  // namespace
}  // namespace rv::workers
