// SPDX-License-Identifier: BSD-2-Clause
// Assignments to paths, quantities and times: the first line is the text, the rest a document.
#include <cstdint>
#include <cstdlib>

#include "ballast/doc/edit.hpp"
#include "ballast/kube/object.hpp"
#include "ballast/kube/quantity.hpp"

using namespace ballast;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::string_view line = all.substr(0, all.find('\n'));
  if (const auto quantity = kube::parse_quantity(line)) {
    (void)kube::format_bytes(quantity->value());
    (void)kube::format_cpu(quantity->milli);
  }
  if (const auto time = kube::parse_time(line)) {
    const std::string text = kube::format_time(*time);
    if (text.size() == 20 && text.front() != '-' && kube::parse_time(text) != time) std::abort();
  }
  const auto documents = doc::parse_yaml(all.substr(std::min(line.size() + 1, all.size())), "f");
  if (!documents || documents->empty()) return 0;
  const doc::Tree before = documents->front();
  doc::Tree after = before;
  if (!doc::set_path(after, line) && !(after == before)) std::abort();
  if (doc::differences(before, after).empty() != (before == after)) std::abort();
  return 0;
}
