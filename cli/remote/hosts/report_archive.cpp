#include "cli/remote/hosts/report_archive.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/border/refused_input.h"
#include "base/text.h"

namespace rv::remote {
namespace {

constexpr std::size_t block = 512;

RefusedInput damaged() {
  return RefusedInput("an archive of reports that is damaged");
}

/// Inflates in pieces, never more than requested.
class Unzipped {
 public:
  Unzipped(std::string_view archive, std::size_t most) : left_(most), most_(most) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(archive.data()));  // zlib only reads it
    stream_.avail_in = static_cast<uInt>(archive.size());
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (archive.size() > most || ::inflateInit2(&stream_, gzip_only) != Z_OK) throw damaged();
  }
  ~Unzipped() { ::inflateEnd(&stream_); }
  Unzipped(const Unzipped&) = delete;
  Unzipped& operator=(const Unzipped&) = delete;

  void read(char* to, std::size_t size) {
    if (size > left_) {
      throw RefusedInput(fmt::format("reports that are larger than {} MiB when they are unpacked", most_ >> 20U));
    }
    left_ -= size;
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out > 0) {
      if (const int code = ::inflate(&stream_, Z_NO_FLUSH); code != Z_OK && stream_.avail_out > 0) throw damaged();
    }
  }

  /// Reads to the end, which has zeros and gzip's checksum only.
  void finish() {
    std::array<char, 4096> rest;
    for (int code = Z_OK; code != Z_STREAM_END;) {
      stream_.next_out = reinterpret_cast<Bytef*>(rest.data());
      stream_.avail_out = static_cast<uInt>(rest.size());
      code = ::inflate(&stream_, Z_NO_FLUSH);
      const std::size_t size = rest.size() - stream_.avail_out;
      const bool zeros = std::all_of(rest.data(), rest.data() + size, [](char c) { return c == '\0'; });
      if ((code != Z_OK && code != Z_STREAM_END) || size > left_ || !zeros) throw damaged();
      left_ -= size;
    }
  }

 private:
  z_stream stream_{};
  std::size_t left_, most_;
};

using Header = std::array<char, block>;

std::string_view field(const Header& header, std::size_t at, std::size_t size) {
  const std::string_view text(header.data() + at, size);
  return text.substr(0, text.find('\0'));
}

std::optional<std::size_t> octal(const Header& header, std::size_t at, std::size_t size) {
  auto text = field(header, at, size);
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.empty() || text.size() > 11) return std::nullopt;
  std::size_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '7') return std::nullopt;
    value = value * 8 + static_cast<std::size_t>(c - '0');
  }
  return value;
}

/// The sum of all bytes, with blanks in place of the sum itself.
bool is_intact(const Header& header) {
  constexpr std::size_t sum_at = 148, sum_size = 8;
  std::size_t sum = sum_size * ' ';
  for (std::size_t i = 0; i < block; ++i) {
    if (i < sum_at || i >= sum_at + sum_size) sum += static_cast<unsigned char>(header[i]);
  }
  return field(header, 257, 5) == "ustar" && octal(header, sum_at, sum_size) == sum;
}

std::string name_of(const Header& header) {
  const auto prefix = field(header, 345, 155);
  const std::string name(field(header, 0, 100));
  return prefix.empty() ? name : std::string(prefix) + "/" + name;
}

const char* kind_of(char type) {
  switch (type) {
    case '1':
      return "a hard link";
    case '2':
      return "a symbolic link";
    case '3':
    case '4':
      return "a device";
    case '6':
      return "a FIFO";
    default:
      return "not a regular file";
  }
}

std::string shown(std::string_view name) {
  constexpr std::size_t longest = 120;
  return one_line(name.substr(0, longest)) + (name.size() > longest ? "..." : "");
}

class Reader {
 public:
  Reader(std::string_view archive, ReportKind kind, const ArchiveLimits& limits)
      : bytes_(archive, limits.total_bytes), kind_(kind), limits_(limits) {}

  std::vector<Report> read() {
    Header header;
    for (std::size_t count = 0;; ++count) {
      bytes_.read(header.data(), block);
      if (std::all_of(header.begin(), header.end(), [](char c) { return c == '\0'; })) {
        bytes_.finish();
        return std::move(reports_);
      }
      if (count >= limits_.entries) throw RefusedInput(fmt::format("more than {} reports", limits_.entries));
      if (!is_intact(header)) throw damaged();
      take(header);
    }
  }

 private:
  void take(const Header& header) {
    constexpr std::size_t type_at = 156, size_at = 124, size_size = 12;
    const char type = header[type_at];
    auto name = name_of(header);
    const auto size = octal(header, size_at, size_size);
    if (type == '5') return check_folder(name, size);
    if (type != '0' && type != '\0') {
      throw RefusedInput(fmt::format("the report \"{}\", which is {}", shown(name), kind_of(type)));
    }
    const auto checked = ReportName::parse(kind_, name);
    if (!checked) throw RefusedInput(fmt::format("the file \"{}\", which is not the name of a report", shown(name)));
    if (!names_.insert(name).second) throw RefusedInput(fmt::format("the report \"{}\" twice", shown(name)));
    if (!size || *size > limits_.file_bytes) {
      throw RefusedInput(
          fmt::format("the report \"{}\", which is larger than {} MiB", shown(name), limits_.file_bytes >> 20U));
    }
    Report report{.name = *checked, .content = std::string(*size, '\0')};
    bytes_.read(report.content.data(), *size);
    std::array<char, block> padding;
    bytes_.read(padding.data(), (block - *size % block) % block);
    reports_.push_back(std::move(report));
  }

  /// Folders are made for the files in them: an entry of one is only checked.
  static void check_folder(std::string name, std::optional<std::size_t> size) {
    if (name.ends_with('/')) name.pop_back();
    if (!is_report_folder(name) || size.value_or(1) != 0) {
      throw RefusedInput(fmt::format("the folder \"{}\", which is not the name of a report", shown(name)));
    }
  }

  Unzipped bytes_;
  ReportKind kind_;
  ArchiveLimits limits_;
  std::set<std::string> names_;
  std::vector<Report> reports_;
};

}  // namespace

std::vector<Report> read_report_archive(std::string_view archive, ReportKind kind, const ArchiveLimits& limits) {
  return Reader(archive, kind, limits).read();
}

}  // namespace rv::remote
