#include "workers/training/checkpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "shared/system/descriptor.h"
#include "workers/devices/random_input.h"
#include "workers/system/checked_product.h"
#include "workers/system/regular_file.h"
#include "workers/system/whole_file.h"

namespace rv::workers {
namespace {

constexpr char magic[8] = {'r', 'v', 't', 'r', 'a', 'i', 'n', '2'};

std::uint64_t checksum(const std::string& bytes) {
  std::uint64_t sum = bytes.size();
  for (std::size_t i = 0; i < bytes.size(); ++i) sum += checksum_term(i, static_cast<unsigned char>(bytes[i]));
  return sum;
}

template <class T>
void put(std::string& bytes, const T* data, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(data), count * sizeof(T));
}

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  template <class T>
  bool take(T* data, std::size_t count) {
    const auto bytes = checked_product({count, sizeof(T)});
    if (!bytes || bytes_.size() - at_ < *bytes) return false;
    if (*bytes > 0) std::memcpy(data, bytes_.data() + at_, *bytes);
    at_ += *bytes;
    return true;
  }
  bool enough(std::uint64_t count, std::size_t size) const { return count <= (bytes_.size() - at_) / size; }
  std::size_t at() const { return at_; }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

/// Larger than the memory of any node.
constexpr std::uint64_t largest_state = std::uint64_t{1} << 40;

std::optional<Checkpoint> checkpoint_in(const std::filesystem::path& path) {
  std::string bytes;
  try {
    bytes = read_regular_file(path, largest_state);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
  Reader reader(bytes);
  Checkpoint checkpoint;
  char start[sizeof magic];
  std::uint64_t losses = 0, state = 0, sum = 0;
  if (!reader.take(start, sizeof start) || std::memcmp(start, magic, sizeof magic) != 0) return std::nullopt;
  if (!reader.take(&checkpoint.step, 1) || !reader.take(&checkpoint.batch, 1)) return std::nullopt;
  if (!reader.take(&losses, 1) || !reader.take(&state, 1)) return std::nullopt;
  if (checkpoint.step < 0 || checkpoint.batch < 0) return std::nullopt;
  if (!reader.enough(losses, sizeof(double)) || !reader.enough(state, sizeof(float))) return std::nullopt;
  checkpoint.epoch_losses.resize(losses);
  checkpoint.state.resize(state);
  if (!reader.take(checkpoint.epoch_losses.data(), losses) || !reader.take(checkpoint.state.data(), state)) {
    return std::nullopt;
  }
  const auto body = reader.at();
  if (!reader.take(&sum, 1) || sum != checksum(bytes.substr(0, body))) return std::nullopt;
  return checkpoint;
}

std::runtime_error failed(const std::string& what, const std::filesystem::path& path) {
  return std::runtime_error(fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(errno)));
}

}  // namespace

void save_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint, const std::string& name) {
  std::string bytes;
  put(bytes, magic, sizeof magic);
  put(bytes, &checkpoint.step, 1);
  put(bytes, &checkpoint.batch, 1);
  const std::uint64_t losses = checkpoint.epoch_losses.size(), state = checkpoint.state.size();
  put(bytes, &losses, 1);
  put(bytes, &state, 1);
  put(bytes, checkpoint.epoch_losses.data(), losses);
  put(bytes, checkpoint.state.data(), state);
  const auto sum = checksum(bytes);
  put(bytes, &sum, 1);

  std::filesystem::create_directories(folder);
  replace_file(folder / (name + ".checkpoint"), {bytes},
               {.stored = true, .keep_as = folder / (name + ".checkpoint.before")});
}

Loaded load_checkpoint(const std::filesystem::path& folder, const std::string& name) {
  const auto path = folder / (name + ".checkpoint"), before = folder / (name + ".checkpoint.before");
  const bool has_newest = std::filesystem::exists(path), has_before = std::filesystem::exists(before);
  if (!has_newest && !has_before) return {};
  if (has_newest) {
    if (auto newest = checkpoint_in(path)) return {std::move(newest), ""};
  }
  if (has_before) {
    if (auto old = checkpoint_in(before)) {
      return {std::move(old), fmt::format("{} is damaged or missing; using {}", path.string(), before.string())};
    }
  }
  throw std::runtime_error(fmt::format(
      "{} is damaged, and so is the checkpoint before it; move the folder away to start again", path.string()));
}

void log_step(const std::filesystem::path& folder, std::int64_t step) {
  const auto path = folder / "steps.log";
  const os::Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (file.number() < 0) throw failed("open", path);
  const auto line = fmt::format("step {}\n", step);
  const bool whole = write(file.number(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (!whole) throw failed("write", path);
}

}  // namespace rv::workers
