// SPDX-License-Identifier: BSD-2-Clause
// Answers of masters and daemons. The first byte chooses the reader, the rest are its documents,
// each behind a line "---"; what is read goes through the pipeline.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "ballast/ganeti/backend/luxi/luxi.hpp"
#include "ballast/ganeti/backend/mond/mond.hpp"
#include "ballast/ganeti/backend/rapi/rapi.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"

namespace {

using namespace ballast::ganeti;

constexpr std::string_view kBetween = "\n---\n";

/// Missing documents are empty.
std::array<std::string, 4> documents(std::string_view text) {
  std::array<std::string, 4> parts;
  for (std::string& part : parts) {
    const std::size_t end = text.find(kBetween);
    part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + kBetween.size());
  }
  return parts;
}

void use(ballast::Result<Snapshot> snapshot) {
  if (!snapshot) return;
  (void)write_text(snapshot->cluster, snapshot->state);
  (void)run_pipeline(*snapshot, {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto parts = documents({reinterpret_cast<const char*>(data) + 1, size - 1});
  switch (data[0]) {
    case 'R':
      use(read_rapi({parts[0], parts[1], parts[2], parts[3]}, false));
      break;
    case 'L':
      use(read_luxi({parts[0], parts[1], parts[2], parts[3]}, false));
      break;
    case 'M':
      (void)read_monitoring_file(parts[0], Collector::CpuAverage);
      (void)read_monitoring_answer(parts[0], Collector::XenCpuAverage);
      break;
    default:
      break;
  }
  return 0;
}
