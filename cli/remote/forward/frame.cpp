#include "cli/remote/forward/frame.h"

#include "base/error.h"

namespace rv::forward {

namespace {

constexpr std::size_t header = 9;  // kind, channel, length of the payload
constexpr std::size_t longest_payload = 1 << 20;
constexpr std::size_t kept_chatter = 64 << 10;
constexpr std::string_view kinds = "hlcwaordtexq";

void append_number(std::string& out, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(number >> shift & 0xff);
}

std::uint32_t number_at(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
  return number;
}

}  // namespace

void append_frame(std::string& out, const Frame& frame) {
  out += static_cast<char>(frame.kind);
  append_number(out, frame.channel);
  append_number(out, static_cast<std::uint32_t>(frame.payload.size()));
  out += frame.payload;
  out += '\n';
}

void FrameReader::feed(std::string_view bytes) {
  if (greeted_) {
    held_ += bytes;
    return;
  }
  chatter_ += bytes;
  const std::size_t found = chatter_.find(greeting);
  if (found != std::string::npos) {
    greeted_ = true;
    held_ = chatter_.substr(found + greeting.size());
    chatter_.resize(found);
  } else if (chatter_.size() > kept_chatter) {
    chatter_.erase(0, chatter_.size() - kept_chatter);
  }
}

std::optional<Frame> FrameReader::next() {
  const std::string_view bytes = std::string_view(held_).substr(at_);
  if (bytes.size() >= header) {
    const std::uint32_t length = number_at(bytes.substr(5));
    if (kinds.find(bytes[0]) == std::string_view::npos || length > longest_payload) {
      throw Error("received invalid data over a forwarded connection", "forward the port again: rv forward");
    }
    if (bytes.size() > header + length) {
      Frame frame{.kind = static_cast<FrameKind>(bytes[0]),
                  .channel = number_at(bytes.substr(1)),
                  .payload = std::string(bytes.substr(header, length))};
      at_ += header + length + 1;
      return frame;
    }
  }
  held_.erase(0, at_);
  at_ = 0;
  return std::nullopt;
}

}  // namespace rv::forward
