#include "cli/remote/hosts/report_archive.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <zlib.h>

#include <array>

#include "base/border/refused_input.h"

namespace rv::remote {
namespace {

std::string zipped(const std::string& text) {
  z_stream stream{};
  REQUIRE(::deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(::deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

struct Entry {
  std::string name, content;
  char type = '0';
  std::string prefix = {};
};

std::string header(const Entry& entry, std::size_t size) {
  std::string block(512, '\0');
  const auto put = [&](std::size_t at, const std::string& text) { block.replace(at, text.size(), text); };
  put(0, entry.name);
  put(100, "0000600");
  put(124, fmt::format("{:011o}", size));
  put(148, "        ");
  block[156] = entry.type;
  put(257, std::string("ustar\00000", 8));
  put(345, entry.prefix);
  unsigned sum = 0;
  for (const unsigned char c : block) sum += c;
  put(148, fmt::format("{:06o}", sum));
  block[154] = '\0';
  return block;
}

std::string plain(const std::vector<Entry>& entries) {
  std::string tar;
  for (const auto& entry : entries) {
    tar += header(entry, entry.content.size()) + entry.content;
    tar.resize((tar.size() + 511) / 512 * 512);
  }
  return tar + std::string(1024, '\0');
}

std::string packed(const std::vector<Entry>& entries) {
  return zipped(plain(entries));
}

std::string refusal(const std::string& archive, ReportKind kind = ReportKind::sweep, const ArchiveLimits& limits = {}) {
  try {
    read_report_archive(archive, kind, limits);
  } catch (const RefusedInput& refused) {
    return refused.what();
  }
  return "";
}

}  // namespace

TEST_CASE("reports of an archive come with their names and contents") {
  const std::string long_line(3000, 'x');
  const auto reports = read_report_archive(
      packed({{"health", "", '5'}, {"health/err", "", '0'}, {"rv-health.n.1.jsonl", long_line, '0', "health"}}),
      ReportKind::acceptance);
  REQUIRE(reports.size() == 2);
  CHECK(reports[0].name.text() == "health/err");
  CHECK(reports[0].content.empty());
  CHECK(reports[1].name.text() == "health/rv-health.n.1.jsonl");
  CHECK(reports[1].content == long_line);
  CHECK(read_report_archive(packed({}), ReportKind::stress).empty());
}

TEST_CASE("an archive with anything but regular files and folders is refused") {
  CHECK(refusal(packed({{"health", "", '2'}})) == "the report \"health\", which is a symbolic link");
  CHECK(refusal(packed({{"a", "", '1'}})) == "the report \"a\", which is a hard link");
  CHECK(refusal(packed({{"a", "", '3'}})) == "the report \"a\", which is a device");
  CHECK(refusal(packed({{"a", "", '6'}})) == "the report \"a\", which is a FIFO");
  for (const char type : {'7', 'L', 'K', 'x', 'g', 'S', 'D'}) {
    CHECK(refusal(packed({{"a", "", type}})) == "the report \"a\", which is not a regular file");
  }
}

TEST_CASE("a name that leads out of the folder, hides or is not a report's is refused") {
  for (const char* const name :
       {"../a", "/a", "a/../../b", "a//b", "", ".ssh/x", "a/.x", "a/.", "a\nb", "a\x1b[2J", "1/2/3/4/5/6/7/8/9"}) {
    CHECK_MESSAGE(refusal(packed({{name, "x"}})).starts_with("the file \""), name);
    CHECK_MESSAGE(refusal(packed({{name, "", '5'}})).starts_with("the folder \""), name);
  }
  CHECK(refusal(packed({{"b", "x", '0', "../a"}})).starts_with("the file \"../a/b\""));
  CHECK(refusal(packed({{"health/authorized_keys", "x"}}), ReportKind::acceptance).starts_with("the file"));
  CHECK(refusal(packed({{"health/x.jsonl", "x"}}), ReportKind::stress).starts_with("the file"));
  CHECK(refusal(packed({{"a", "x"}, {"a", "y"}})) == "the report \"a\" twice");
}

TEST_CASE("an archive above a limit is refused before it is unpacked") {
  const ArchiveLimits limits{.file_bytes = 1U << 20U, .total_bytes = 4U << 20U, .entries = 3};
  CHECK(refusal(packed({{"a", std::string((1U << 20U) + 1, 'x')}}), ReportKind::sweep, limits) ==
        "the report \"a\", which is larger than 1 MiB");
  const std::string most(1U << 20U, 'x');
  CHECK(refusal(packed({{"a", most}, {"b", most}, {"c", most}}), ReportKind::sweep, limits).empty());
  CHECK(refusal(packed({{"a", most}, {"b", most}, {"c", most}, {"d", most}}), ReportKind::sweep,
                {.file_bytes = 1U << 20U, .total_bytes = 4U << 20U, .entries = 9}) ==
        "reports that are larger than 4 MiB when they are unpacked");
  CHECK(refusal(packed({{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}}), ReportKind::sweep, limits) ==
        "more than 3 reports");
}

TEST_CASE("a damaged archive is refused wherever it is cut or changed") {
  const std::string damage = "an archive of reports that is damaged";
  CHECK(refusal("") == damage);
  CHECK(refusal("no gzip") == damage);
  const auto tar = plain({{"a", "content"}});
  for (std::size_t size = 0; size < tar.size() - 512; size += 100)
    CHECK(refusal(zipped(tar.substr(0, size))) == damage);
  for (std::size_t at : {0U, 124U, 156U, 257U, 345U}) {
    auto changed = tar;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    CHECK(refusal(zipped(changed)) == damage);
  }
  auto archive = packed({{"a", "content"}});
  for (std::size_t size = 0; size < archive.size(); ++size) CHECK(refusal(archive.substr(0, size)) == damage);
}

}  // namespace rv::remote
