// Reads the reports that a host sends. The input is the tar archive, packed here with the checksums that gzip and tar
// need, and also as it is.
#include "cli/remote/hosts/report_archive.h"

#include <zlib.h>

#include <array>
#include <cstdio>

#include "base/border/active_content.h"
#include "base/border/refused_input.h"
#include "tests/fuzz/target.h"

using namespace rv;

namespace {

constexpr std::size_t block = 512, checksum_at = 148, checksum_size = 8, size_at = 124, size_size = 12;
constexpr remote::ArchiveLimits limits{.file_bytes = 1U << 16U, .total_bytes = 1U << 18U, .entries = 50};

/// Sets each header's checksum, so that mutations reach what stands behind that check.
std::string with_checksums(std::string tar) {
  tar.resize((tar.size() + block - 1) / block * block, '\0');
  for (std::size_t at = 0; at + block <= tar.size();) {
    tar.replace(at + checksum_at, checksum_size, checksum_size, ' ');
    unsigned sum = 0;
    for (std::size_t i = 0; i < block; ++i) sum += static_cast<unsigned char>(tar[at + i]);
    std::array<char, checksum_size + 1> text{};
    std::snprintf(text.data(), text.size(), "%06o", sum);
    tar.replace(at + checksum_at, checksum_size, text.data(), checksum_size);
    const auto bytes = std::strtoull(tar.substr(at + size_at, size_size).c_str(), nullptr, 8);
    at += block + (std::min<unsigned long long>(bytes, tar.size()) + block - 1) / block * block;
  }
  return tar + std::string(2 * block, '\0');
}

std::string gzipped(const std::string& bytes) {
  z_stream stream{};
  std::string out(bytes.size() + 1000, '\0');
  // Stored blocks: nothing is searched for.
  if (::deflateInit2(&stream, Z_NO_COMPRESSION, Z_DEFLATED, 15 + 16, 1, Z_DEFAULT_STRATEGY) != Z_OK) return "";
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  ::deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

void read(std::string_view archive, ReportKind kind) {
  fuzz::read_or_refuse<RefusedInput>([&] {
    for (const auto& report : remote::read_report_archive(archive, kind, limits)) {
      is_made_here(kind, report.name);
      has_active_content(report.name.text(), report.content);
    }
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  read(text, ReportKind::sweep);
  const auto archive = gzipped(with_checksums(std::string(text)));
  for (const auto kind : {ReportKind::acceptance, ReportKind::stress, ReportKind::sweep}) read(archive, kind);
  return 0;
}
