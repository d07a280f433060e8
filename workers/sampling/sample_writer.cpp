#include "workers/sampling/sample_writer.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "shared/documents/json_dump.h"

namespace rv::workers {
namespace {

std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "we");
  if (file == nullptr) throw std::runtime_error(fmt::format("can't write {}: {}", path, std::strerror(errno)));
  return {file, std::fclose};
}

}  // namespace

std::string field(const std::optional<double>& value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : std::string();
}

SampleWriter::SampleWriter(const std::string& path, const std::string& header) : file_(opened(path)) {
  row(header);
}

void SampleWriter::row(const std::string& text) {
  std::fputs((text + "\n").c_str(), file_.get());
}

bool SampleWriter::flush() {
  return std::fflush(file_.get()) == 0 && std::ferror(file_.get()) == 0;
}

SourceWatch::SourceWatch(const std::string& path) : file_(opened(path)) {}

void SourceWatch::saw(const std::string& source, double time, const std::string& why) {
  const bool gone = !why.empty();
  auto& known = gone_[source];
  if (known == gone) return;
  known = gone;
  const nlohmann::ordered_json event{
      {"time", time}, {"event", gone ? "lost" : "back"}, {"source", source}, {"why", why}};
  say(json_dump(event));
}

void SourceWatch::say(const std::string& json) {
  std::fputs((json + "\n").c_str(), file_.get());
  std::fflush(file_.get());
}

}  // namespace rv::workers
