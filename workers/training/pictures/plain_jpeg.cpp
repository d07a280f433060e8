#include "workers/training/pictures/plain_jpeg.h"

namespace rv::workers {
namespace {

// Markers of ITU-T T.81, table B.1: https://www.w3.org/Graphics/JPEG/itu-t81.pdf
constexpr unsigned int baseline_frame = 0xc0, extended_frame = 0xc1, progressive_frame = 0xc2, huffman_tables = 0xc4,
                       first_restart = 0xd0, last_restart = 0xd7, end_of_image = 0xd9, scan_begins = 0xda,
                       quantisation_tables = 0xdb, restart_interval = 0xdd, first_application = 0xe0, adobe = 0xee,
                       last_application = 0xef, comment = 0xfe;

unsigned int byte(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

std::size_t two_bytes(std::string_view bytes, std::size_t at) {
  return std::size_t{byte(bytes, at)} << 8 | byte(bytes, at + 1);
}

class Parts {
 public:
  explicit Parts(std::string_view bytes) : bytes_(bytes) {}

  std::optional<PlainJpeg> read() {
    if (!bytes_.starts_with("\xff\xd8")) return std::nullopt;
    at_ = 2;
    while (const auto mark = take_mark()) {
      if (*mark == end_of_image) return whole();
      const auto segment = take_segment();
      if (!segment || !understand(*mark, *segment)) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  /// Reads a marker, which any number of 0xff bytes may precede.
  std::optional<unsigned int> take_mark() {
    if (at_ >= bytes_.size() || byte(bytes_, at_) != 0xff) return std::nullopt;
    while (at_ < bytes_.size() && byte(bytes_, at_) == 0xff) ++at_;
    if (at_ >= bytes_.size()) return std::nullopt;
    return byte(bytes_, at_++);
  }

  /// Reads a segment of the given length, which includes the length itself.
  std::optional<std::string_view> take_segment() {
    if (bytes_.size() - at_ < 2) return std::nullopt;
    const auto length = two_bytes(bytes_, at_);
    if (length < 2 || length > bytes_.size() - at_) return std::nullopt;
    const auto segment = bytes_.substr(at_ + 2, length - 2);
    at_ += length;
    return segment;
  }

  bool understand(unsigned int mark, std::string_view segment) {
    switch (mark) {
      case baseline_frame:
      case extended_frame:
      case progressive_frame:
        return understand_frame(mark, segment);
      case scan_begins:
        return understand_scan(segment) && pass_compressed_data();
      case restart_interval:
        restarts_ = segment.size() == 2 && two_bytes(segment, 0) > 0;
        return segment.size() == 2;
      case adobe:
        // The last byte of Adobe's segment is 0 for red, green and blue, else YCbCr.
        if (segment.starts_with("Adobe") && segment.size() >= 12 && byte(segment, 11) == 0) says_rgb_ = true;
        return true;
      case huffman_tables:
      case quantisation_tables:
      case comment:
        return true;
      default:
        return mark >= first_application && mark <= last_application;
    }
  }

  bool understand_frame(unsigned int mark, std::string_view segment) {
    if (colours_ > 0 || segment.size() < 6 || byte(segment, 0) != 8) return false;
    baseline_ = mark == baseline_frame;
    jpeg_.height = two_bytes(segment, 1);
    jpeg_.width = two_bytes(segment, 3);
    colours_ = byte(segment, 5);
    if (jpeg_.height == 0 || jpeg_.width == 0 || segment.size() != 6 + 3 * std::size_t{colours_}) return false;
    // Fields of each colour: its name, horizontal and vertical sampling, and the number of its table.
    const auto name = [&](std::size_t colour) { return byte(segment, 6 + 3 * colour); };
    const auto samples = [&](std::size_t colour) { return byte(segment, 7 + 3 * colour); };
    if (colours_ == 1) return samples(0) == 0x11;
    if (colours_ != 3 || samples(1) != 0x11 || samples(2) != 0x11) return false;
    if (name(0) == 'R' && name(1) == 'G' && name(2) == 'B') return false;
    return samples(0) == 0x11 || samples(0) == 0x21 || samples(0) == 0x22;
  }

  bool understand_scan(std::string_view segment) {
    if (colours_ == 0 || segment.empty()) return false;
    const auto count = byte(segment, 0);
    if (segment.size() != 4 + 2 * std::size_t{count}) return false;
    ++scans_;
    all_in_one_ = scans_ == 1 && count == colours_;
    return true;
  }

  /// Skips to the next marker that is not part of the data; restart markers must be announced and in order.
  bool pass_compressed_data() {
    unsigned int restart = first_restart;
    while (true) {
      at_ = bytes_.find('\xff', at_);
      if (at_ == std::string_view::npos || at_ + 1 >= bytes_.size()) return false;
      const auto next = byte(bytes_, at_ + 1);
      if (next == 0xff) {
        ++at_;
      } else if (next == 0) {
        at_ += 2;
      } else if (next >= first_restart && next <= last_restart) {
        if (!restarts_ || next != restart) return false;
        restart = restart == last_restart ? first_restart : restart + 1;
        at_ += 2;
      } else {
        return true;
      }
    }
  }

  std::optional<PlainJpeg> whole() {
    if (scans_ == 0 || (colours_ == 3 && says_rgb_)) return std::nullopt;
    jpeg_.baseline = baseline_ && all_in_one_;
    jpeg_.bytes = at_;
    return jpeg_;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  PlainJpeg jpeg_;
  unsigned int colours_ = 0;
  int scans_ = 0;
  bool baseline_ = false, all_in_one_ = false, restarts_ = false, says_rgb_ = false;
};

}  // namespace

std::optional<PlainJpeg> plain_jpeg(std::string_view bytes) {
  return Parts(bytes).read();
}

}  // namespace rv::workers
