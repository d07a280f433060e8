#include "workers/ppo/iteration_log.h"

#include <fmt/format.h>

#include <cmath>

namespace rv::ppo {

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(seconds);
  return fmt::format("{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string gigabytes_text(double bytes) {
  return bytes < 1e8 ? fmt::format("{:.3f} GB", bytes / 1e9) : fmt::format("{:.1f} GB", bytes / 1e9);
}

std::string iteration_text(const IterationProgress& at, const Outcome& outcome,
                           const envs::Environments::Figures& figures) {
  const auto seconds = outcome.collection_seconds + outcome.learning_seconds;
  std::string text =
      fmt::format("{:#<80}\n{:^80}\n\n", "", fmt::format("Learning iteration {}/{}", at.iteration, at.iterations));
  const auto line = [&text](std::string_view name, const std::string& value) {
    text += fmt::format("{:>35} {}\n", name, value);
  };
  line("Computation:", fmt::format("{:.0f} steps/s (collection: {:.3f}s, learning {:.3f}s)", at.steps / seconds,
                                   outcome.collection_seconds, outcome.learning_seconds));
  line("Mean action noise std:", fmt::format("{:.3f}", outcome.mean_std));
  line("Mean value loss:", fmt::format("{:.4f}", outcome.value_loss));
  line("Mean surrogate loss:", fmt::format("{:.4f}", outcome.surrogate_loss));
  line("Mean entropy:", fmt::format("{:.4f}", outcome.entropy));
  line("Mean KL divergence:", fmt::format("{:.5f}", outcome.kl));
  line("Learning rate:", fmt::format("{:.2e}", outcome.rate));
  line("Mean step reward:", fmt::format("{:.5f}", outcome.step_reward));
  if (outcome.episodes > 0) {
    line("Mean reward:", fmt::format("{:.3f}", outcome.episode_reward));
    line("Mean episode length:", fmt::format("{:.2f}", outcome.episode_length));
  }
  const auto known = [&line](std::string_view name, double value) {
    if (!std::isnan(value)) line(name, fmt::format("{:.4f}", value));
  };
  known("Mean terrain level:", figures.mean_terrain_level);
  known("Mean tracking error:", figures.mean_tracking_error);
  known("Mean speed:", figures.mean_speed);
  text += fmt::format("{:-<80}\n", "");
  line("Total timesteps:", fmt::format("{:.0f}", at.total_steps));
  line("Iteration time:", fmt::format("{:.3f}s", seconds));
  line("Time elapsed:", clock_text(at.elapsed_seconds));
  const auto left = static_cast<double>(at.iterations - at.iteration);
  line("ETA:", clock_text(at.elapsed_seconds / static_cast<double>(at.done_here) * left));
  return text;
}

}  // namespace rv::ppo
