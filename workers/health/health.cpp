#include "workers/health/health.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "shared/documents/json_integer.h"
#include "workers/health/fabric.h"
#include "workers/health/xid_action.h"

namespace rv::workers {
namespace {

/// `one` for 1, else `more`; the number replaces `{}`.
std::string counted(std::uint64_t number, const char* one, const char* more) {
  return fmt::format(fmt::runtime(number == 1 ? one : more), number);
}

class Judge {
 public:
  Judge(const Device& device, const GpuReadings& now, const std::optional<GpuReadings>& before)
      : device_(device), now_(now), before_(before) {}

  /// Makes a measurement of these readings; `judge` adds errors to `wrong_`.
  template <class Rule>
  void about(const char* name, const std::vector<const char*>& readings, Rule judge) {
    Measurement m;
    m.suite = "health";
    m.name = name;
    m.device = device_;
    bool any = false;
    for (const auto* const reading : readings) {
      const auto value = now_[reading];
      any = any || value.has_value();
      m.params[reading] = value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json("not available");
    }
    wrong_.clear();
    warning_.clear();
    if (any) judge();
    if (!warning_.empty()) m.params["warning"] = warning_;
    m.verdict = !any ? Verdict::skip : wrong_.empty() ? Verdict::pass : Verdict::fail;
    m.reason = !any ? "not_available" : fmt::format("{}", fmt::join(wrong_, "; "));
    all_.push_back(std::move(m));
  }

  void not_zero(const char* reading, const char* words) { not_zero(reading, words, words); }

  /// `one`: the text for a reading of 1. `{}` in `more` becomes the reading.
  void not_zero(const char* reading, const char* one, const char* more) {
    if (or_zero(reading) != 0) wrong_.push_back(counted(or_zero(reading), one, more));
  }

  /// Like not_zero, but the measurement passes and the text becomes a parameter.
  void warn_not_zero(const char* reading, const char* words) { warn_not_zero(reading, words, words); }

  void warn_not_zero(const char* reading, const char* one, const char* more) {
    if (or_zero(reading) == 0) return;
    if (!warning_.empty()) warning_ += "; ";
    warning_ += counted(or_zero(reading), one, more);
  }

  /// Counters that were reset (by a reboot or a GPU reset) have no known growth.
  void grown(const char* reading, const char* words) {
    if (!before_) return;
    const auto value = now_[reading];
    const auto old = (*before_)[reading];
    if (value && old && *value > *old) wrong_.push_back(fmt::format("{} {} more than before", *value - *old, words));
  }

  void say(std::string finding) { wrong_.push_back(std::move(finding)); }
  std::uint64_t or_zero(const char* reading) const { return now_[reading].value_or(0); }
  std::optional<std::uint64_t> operator[](const char* reading) const { return now_[reading]; }
  std::vector<Measurement> take() { return std::move(all_); }

 private:
  const Device& device_;
  const GpuReadings& now_;
  const std::optional<GpuReadings>& before_;
  std::vector<std::string> wrong_;
  std::string warning_;
  std::vector<Measurement> all_;
};

}  // namespace

std::vector<Measurement> judge_health(const Device& device, const GpuReadings& now,
                                      const std::optional<GpuReadings>& before, bool expect_empty) {
  Judge judge(device, now, before);
  judge.about("ecc",
              {"ecc_enabled", "ecc_pending_change", "ecc_corrected_volatile", "ecc_uncorrected_volatile",
               "ecc_corrected_aggregate", "ecc_uncorrected_aggregate"},
              [&] {
                judge.not_zero("ecc_uncorrected_volatile",
                               "1 uncorrected error since the driver started; reset the GPU",
                               "{} uncorrected errors since the driver started; reset the GPU");
                judge.not_zero("ecc_pending_change", "a change of the ECC mode takes effect after a reset");
                judge.grown("ecc_uncorrected_aggregate", "uncorrected errors");
                judge.grown("ecc_corrected_volatile", "corrected errors");
              });
  judge.about(
      "remapped_rows",
      {"remapped_rows_corrected", "remapped_rows_uncorrected", "remap_pending", "remap_failed", "retirement_pending",
       "remap_banks_max", "remap_banks_high", "remap_banks_partial", "remap_banks_low", "remap_banks_none"},
      [&] {
        // A bank without spare rows can't repair its next uncorrectable error (NVIDIA GPU Memory Error Management).
        judge.not_zero("remap_banks_none", "1 memory bank has no spare row left: replace the GPU",
                       "{} memory banks have no spare row left: replace the GPU");
        judge.warn_not_zero("remap_banks_low", "1 memory bank has few spare rows left",
                            "{} memory banks have few spare rows left");
        judge.not_zero("remap_failed", "a row could not be remapped: replace the GPU");
        // NVIDIA's Xid catalogue (Xid 63): work may continue until the next reset.
        judge.warn_not_zero("remap_pending", "a row is remapped at the next reset of the GPU");
        judge.not_zero("retirement_pending", "a page is retired at the next reset of the GPU");
        judge.grown("remapped_rows_uncorrected", "rows remapped after uncorrected errors");
      });
  judge.about("recovery_action", {"recovery_action"}, [&] {
    if (judge.or_zero("recovery_action") != 0) judge.say(recovery_action_text(judge.or_zero("recovery_action")));
  });
  judge.about("nvlink",
              {"nvlinks_active", "nvlinks_inactive", "nvlink_speed_mbps", "nvlink_replays", "nvlink_recoveries",
               "nvlink_crc_errors"},
              [&] {
                if (judge.or_zero("nvlinks_active") > 0)
                  judge.not_zero("nvlinks_inactive", "1 NVLink is down", "{} NVLinks are down");
                for (auto& finding : nvlink_findings(now)) judge.say(std::move(finding));
                judge.grown("nvlink_replays", "replays");
                judge.grown("nvlink_recoveries", "recoveries");
                // The link itself corrects CRC errors, and some occur under any load: two healthy H200 counted about 20
                // per second at full bandwidth. An error that it could not correct immediately is a replay or a
                // recovery.
              });
  judge.about("fabric", {"fabric_state", "fabric_status", "fabric_clique", "fabric_health_mask"}, [&] {
    for (auto& finding : fabric_findings(now)) judge.say(std::move(finding));
  });
  judge.about("pcie", {"pcie_generation", "pcie_generation_most", "pcie_width", "pcie_width_most", "pcie_replays"},
              [&] {
                // An idle GPU lowers the PCIe generation to save power, but not the width.
                const auto width = judge["pcie_width"], most = judge["pcie_width_most"];
                if (width && most && *width < *most) judge.say(fmt::format("x{}, but x{} is possible", *width, *most));
                judge.grown("pcie_replays", "PCIe replays");
              });
  judge.about("throttling", {"throttle_bits"}, [&] {
    for (const auto& reason : throttle_reasons()) {
      if (!reason.benign && (judge.or_zero("throttle_bits") & reason.bit) != 0) judge.say(reason.name);
    }
  });
  judge.about("clocks", {"clock_sm_mhz", "clock_sm_most_mhz", "clock_memory_mhz", "power_mw", "power_limit_mw"}, [] {});
  judge.about("temperature", {"temperature_c"}, [&] {
    // The slowdown temperature of data-centre GPUs is between 87 and 95 °C.
    if (judge.or_zero("temperature_c") >= 87) judge.say(fmt::format("{} °C", judge.or_zero("temperature_c")));
  });
  judge.about("leftovers", {"compute_processes", "memory_used_bytes", "memory_total_bytes"}, [&] {
    if (!expect_empty) return;
    judge.not_zero("compute_processes", "processes on the GPU: {}");
    // The driver itself reserves several hundred megabytes.
    const auto used = judge.or_zero("memory_used_bytes");
    if (used > std::uint64_t{2} << 30) judge.say(fmt::format("{} MiB of memory are in use", used >> 20));
  });
  judge.about("modes", {"persistence", "mig", "mig_pending_change"},
              [&] { judge.not_zero("mig_pending_change", "a change of the MIG mode takes effect after a reset"); });
  return judge.take();
}

Measurement judge_xids(const XidLog& log) {
  Measurement m;
  m.suite = "health";
  m.name = "xid";
  m.device.model = "host";
  if (!log.readable) {
    m.verdict = Verdict::skip;
    m.reason = "not_available";
    m.params["detail"] = log.reason;
    return m;
  }
  std::vector<std::string> bad;
  m.params["xids"] = nlohmann::ordered_json::array();
  for (const auto& xid : log.xids) {
    const auto meaning = meaning_of(xid);
    m.params["xids"].push_back({{"pci_bus_id", xid.pci_bus_id},
                                {"code", xid.code},
                                {"nvswitch", xid.nvswitch},
                                {"text", xid.text},
                                {"meaning", meaning.text},
                                {"action", words_of(meaning.action)}});
    if (!is_finding(meaning.action)) continue;
    bad.push_back(fmt::format("{} {} on {}: {}{}{}", xid.nvswitch ? "SXID" : "XID", xid.code, xid.pci_bus_id,
                              meaning.text, meaning.text.empty() ? "" : "; ", words_of(meaning.action)));
  }
  m.verdict = bad.empty() ? Verdict::pass : Verdict::fail;
  m.reason = fmt::format("{}", fmt::join(bad, "; "));
  return m;
}

nlohmann::ordered_json to_json(const GpuReadings& readings) {
  nlohmann::ordered_json json = {
      {"uuid", readings.uuid}, {"model", readings.model}, {"pci_bus_id", readings.pci_bus_id}};
  json["numbers"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : readings.numbers) json["numbers"][name] = value;
  json["texts"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : readings.texts) json["texts"][name] = value;
  return json;
}

GpuReadings readings_from_json(const nlohmann::ordered_json& json) {
  GpuReadings readings;
  readings.uuid = json.at("uuid").get<std::string>();
  readings.model = json.value("model", "");
  readings.pci_bus_id = json.value("pci_bus_id", "");
  for (const auto& [name, value] : json.at("numbers").items())
    readings.numbers[name] = integer_of<std::uint64_t>(value);
  // Reports of earlier versions don't have this member.
  if (!json.contains("texts")) return readings;
  for (const auto& [name, value] : json["texts"].items()) readings.texts[name] = value.get<std::string>();
  return readings;
}

}  // namespace rv::workers
