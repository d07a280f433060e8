#include "base/memory_size.h"

#include <doctest/doctest.h>

using rv::format_memory;
using rv::Mebibytes;
using rv::parse_memory;

TEST_CASE("memory is read with and without units") {
  CHECK(parse_memory("4096") == Mebibytes{4096});
  CHECK(parse_memory("40G") == Mebibytes{40960});
  CHECK(parse_memory("40gb") == Mebibytes{40960});
  CHECK(parse_memory("40GiB") == Mebibytes{40960});
  CHECK(parse_memory("512M") == Mebibytes{512});
  CHECK(parse_memory("1.5T") == Mebibytes{1536 * 1024});
  CHECK(parse_memory("2P") == Mebibytes{std::int64_t{2} << 30});
  CHECK(parse_memory("0") == Mebibytes{0});
}

TEST_CASE("a part of a mebibyte counts as a whole one") {
  CHECK(parse_memory("1K") == Mebibytes{1});
  CHECK(parse_memory("2048K") == Mebibytes{2});
  CHECK(parse_memory("0.3G") == Mebibytes{308});
}

TEST_CASE("text that is not an amount of memory is rejected") {
  for (const char* text : {"", "G", "-1", "+1", "1.", ".5G", "1.5.2G", "4X", "4Gx", "4 G", " 4G", "4GG", "1e3", "0x10",
                           "99999999999999999999", "9000000000000P", "1.0000001G"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_memory(text).has_value());
  }
}

TEST_CASE("memory is written in the largest unit that is exact") {
  CHECK(format_memory({256000}) == "250G");
  CHECK(format_memory({1500}) == "1500M");
  CHECK(format_memory({1024 * 1024}) == "1T");
  CHECK(format_memory({1536 * 1024}) == "1536G");
  CHECK(format_memory({0}) == "0M");
}

TEST_CASE("sbatch does not support petabytes") {
  CHECK(format_memory({std::int64_t{1} << 30}) == "1024T");
}
