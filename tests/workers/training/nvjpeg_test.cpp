#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/workers/error_of.h"
#include "workers/devices/dynamic_library.h"
#include "workers/training/gpu/pictures/nvjpeg_lane.h"

using namespace rv::tests;
using namespace rv::workers;

namespace {

constexpr PlainJpeg jpeg{61, 47, true, 9};

/// The library that stands in (fake_nvjpeg.cpp), which does as it is instructed.
struct Fake {
  Fake() {
    setenv("CUDA_HOME", RV_FAKE_NVJPEG, 1);
    tell("");
    const DynamicLibrary library("libnvjpeg.so.13", "stand in for itself");
    library.find_if_there(notes, "fake_notes");
    library.find_if_there(objects, "fake_objects");
  }
  ~Fake() {
    unsetenv("CUDA_HOME");
    unsetenv("FAKE_NVJPEG");
  }
  Fake(const Fake&) = delete;
  Fake& operator=(const Fake&) = delete;

  static void tell(const char* words) { setenv("FAKE_NVJPEG", words, 1); }
  /// False: this machine has a true one, which the loader finds first.
  bool there() const { return notes != nullptr; }

  const char* (*notes)() = nullptr;
  int (*objects)() = nullptr;
};

std::shared_ptr<const NvjpegMethod> way(NvjpegBackend backend) {
  return std::make_shared<const NvjpegMethod>(std::make_shared<const NvjpegLibrary>(), backend);
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("nvJPEG's version and file are reported, and a version without chroma interpolation is refused") {
  const Fake fake;
  if (!fake.there()) return;
  const NvjpegLibrary library;
  CHECK(library.version == "13.0.0");
  CHECK(std::filesystem::path(library.file).filename() == "libnvjpeg.so.13");
  for (const auto* const version : {"version=12.0", "version=11.9"}) {
    Fake::tell(version);
    CHECK(says(error_of([] { const NvjpegLibrary old; }), "; from 12.1 on it interpolates chroma"));
  }
  Fake::tell("version=12.1");
  CHECK(NvjpegLibrary().version == "12.1.0");
}

TEST_CASE("a backend of nvJPEG is strict if possible, and reports why it is missing") {
  const Fake fake;
  if (!fake.there()) return;
  fake.notes();
  {
    const auto engines = way(NvjpegBackend::hardware);
    CHECK(engines->strict);
    CHECK(engines->engines == 8);
    CHECK(std::string(fake.notes()) == "nvjpegCreateEx:3:36 nvjpegDecoderCreate:3 ");
    Fake::tell("flags36=2");
    CHECK(!way(NvjpegBackend::hybrid)->strict);
    CHECK(says(fake.notes(), "nvjpegCreateEx:1:32 nvjpegDecoderCreate:1 "));
  }
  const auto refusal = [] { return error_of([] { way(NvjpegBackend::hardware); }); };
  Fake::tell("nvjpegCreateEx=7");
  CHECK(refusal() == "nvJPEG: nvjpegCreateEx: ARCH_MISMATCH (7)");
  Fake::tell("engines=0");
  CHECK(refusal() == "nvJPEG: nvjpegGetHardwareDecoderInfo reports no engine");
  Fake::tell("nvjpegDecoderCreate=9");
  CHECK(refusal() == "nvJPEG: nvjpegDecoderCreate: IMPLEMENTATION_NOT_SUPPORTED (9)");
  Fake::tell("nvjpegDecoderStateCreate=99");
  CHECK(error_of([] { NvjpegLane(way(NvjpegBackend::hybrid)); }) ==
        "nvJPEG: nvjpegDecoderStateCreate: a status unknown here (99)");
  CHECK(fake.objects() == 0);
}

TEST_CASE("a lane of nvJPEG calls in its order, and no further than to what fails") {
  const Fake fake;
  if (!fake.there()) return;
  {
    NvjpegLane engines(way(NvjpegBackend::hardware)), hybrid(way(NvjpegBackend::hybrid));
    unsigned char pixels = 0;
    const auto decoded = [&](NvjpegLane& lane, const char* words, const PlainJpeg& wanted = jpeg) {
      Fake::tell(words);
      fake.notes();
      return lane.decode("the bytes", wanted, &pixels, nullptr);
    };
    CHECK(decoded(hybrid, "").status == NvjpegStatus::success);
    CHECK(std::string(fake.notes()) == "parse:9 extents attach_pinned attach_device host transfer device:183 ");
    CHECK(decoded(engines, "").status == NvjpegStatus::success);
    CHECK(std::string(fake.notes()) ==
          "parse:9 extents supported attach_pinned attach_device host transfer device:183 ");
    // What the engines do not take leaves them as they were.
    const auto unsupported = decoded(engines, "unsupported=1");
    CHECK(unsupported.status == NvjpegStatus::jpeg_not_supported);
    CHECK(unsupported.usable);
    CHECK(std::string(fake.notes()) == "parse:9 extents supported ");
    const auto larger = decoded(hybrid, "", {62, 47, true, 9});
    CHECK(larger.status == NvjpegStatus::jpeg_not_supported);
    CHECK(std::string(fake.notes()) == "parse:9 extents ");
    const auto bad = decoded(hybrid, "parse=3");
    CHECK(bad.status == NvjpegStatus::bad_jpeg);
    CHECK(std::string(bad.call) == "nvjpegJpegStreamParse");
    CHECK(!bad.usable);
    CHECK(std::string(fake.notes()) == "parse:9 ");
    const auto failed = decoded(engines, "transfer=6");
    CHECK(failed.status == NvjpegStatus::execution_failed);
    CHECK(std::string(failed.call) == "nvjpegDecodeJpegTransferToDevice");
    CHECK(!failed.usable);
    CHECK(std::string(fake.notes()) == "parse:9 extents supported attach_pinned attach_device host transfer ");
  }
  CHECK(fake.objects() == 0);
}
