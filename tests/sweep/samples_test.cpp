#include <doctest/doctest.h>

#include "reports/sweep/sample_summary.h"

namespace rv::sweep {

TEST_CASE("a table has all complete lines") {
  const SampleTable table("time,a,b\n1,5,\n2,7,x\n3,9");
  CHECK(table.rows() == 2);
  CHECK(table.numbers("a") == std::vector<double>{5, 7});
  CHECK(!table.number(0, "b"));
  CHECK(table.text(1, "b") == "x");
  CHECK(table.text(1, "c").empty());
}

TEST_CASE("peaks, throttled seconds and gaps come out of the samples") {
  const SampleFiles files{SampleTable("time,gpu,utilization_gpu_pct,memory_used_mib,temperature_c,throttle_reasons\n"
                                      "10,0,50,1000,60,none\n10,1,10,,50,none\n"
                                      "11,0,90,3000,80,software_power_cap+hardware_thermal\n11,1,20,,51,none\n"
                                      "13,0,70,2000,75,none\n"),
                          SampleTable("time,all_pct,core0_pct,core1_pct,load1\n10,20,40,0,1.5\n11,60,80,40,2\n"),
                          SampleTable("time,used_mib,oom_kills,late_ms\n10,100,3,\n11,300,3,\n13,200,4,700\n"),
                          SampleTable("time,cpu_pct,rss_mib,read_mib\n10,0,10,0\n11,250,30,4\n")};
  const auto summary = summarize(files,
                                 "{\"time\":12,\"event\":\"lost\",\"source\":\"gpu\",\"why\":\"driver gone\"}\n"
                                 "{\"time\":13,\"event\":\"back\",\"source\":\"gpu\",\"why\":\"\"}\n"
                                 "{\"time\":14,\"event\":\"lost\",\"source\":\"cgroup\",\"why\":\"hidden\"}\n");
  CHECK(summary["peak_gpu_util"] == 90);
  CHECK(summary["peak_vram_mib"] == 3000);
  CHECK(summary["peak_gpu_temp"] == 80);
  CHECK(summary["peak_cpu_util"] == 60);
  CHECK(summary["busiest_core_pct"] == 60);
  CHECK(summary["peak_ram_mib"] == 300);
  CHECK(summary["peak_process_cpu_pct"] == 250);
  CHECK(summary["read_mib"] == 4);
  CHECK(summary["samples"] == 3);
  CHECK(summary["late_samples"] == 1);
  CHECK(summary["latest_ms"] == 700);
  CHECK(!summary["peak_gpu_power"]);  // no such column: unknown
  REQUIRE(summary.throttled_s);
  CHECK(*summary.throttled_s == std::map<std::string, double>{{"hardware_thermal", 2}, {"software_power_cap", 2}});
  REQUIRE(summary.missing.size() == 2);
  CHECK(summary.missing[0].until == 13);
  CHECK(!summary.missing[1].until);
  CHECK(oom_kills(files.ram) == 1);
}

TEST_CASE("without the driver's word there are no throttled seconds, and without a counter no count") {
  const SampleFiles files{SampleTable("time,gpu,throttle_reasons\n1,0,\n2,0,\n"), SampleTable(""),
                          SampleTable("time,used_mib,oom_kills\n1,5,\n2,5,\n"), SampleTable("")};
  CHECK(!summarize(files, "").throttled_s);
  CHECK(!oom_kills(files.ram));
  const SampleFiles quiet{SampleTable("time,gpu,throttle_reasons\n1,0,none\n2,0,none\n"), SampleTable(""),
                          SampleTable(""), SampleTable("")};
  CHECK(summarize(quiet, "").throttled_s == std::map<std::string, double>());
}

}  // namespace rv::sweep
