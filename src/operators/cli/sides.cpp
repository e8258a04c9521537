// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/operators/cli/sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "ballast/core/words.hpp"
#include "ballast/doc/edit.hpp"
#include "ballast/doc/merge.hpp"
#include "ballast/kube/documents.hpp"
#include "ballast/kube/object.hpp"
#include "ballast/operators/plan/fingerprint.hpp"

namespace ballast::operators {
namespace {

using doc::Tree;

class Loader {
 public:
  Loader(const CommonSettings& settings, std::string_view kind, const SideCodes& codes,
         Diagnostics& errors)
      : settings_(settings), kind_(kind), codes_(codes), errors_(errors) {}

  Sides load() {
    Sides sides;
    if (settings_.current.empty()) {
      complain(codes_.object, "--current", fmt::format("missing: expected the {}", kind_), {});
      return sides;
    }
    sides.current = selected(objects_of(settings_.current), settings_.current.front());
    sides.desired = wished(sides.current);
    for (const auto* files : {&settings_.kube, &settings_.nodes, &settings_.volumes})
      std::ranges::move(objects_of(*files), std::back_inserter(sides.objects));
    for (const std::string& assignment : settings_.sets) {
      const Status set = doc::set_path_below(sides.desired, {"spec"}, assignment);
      if (!set) complain(codes_.edit, "-", blamed_on(assignment, set.error().message), {});
    }
    return sides;
  }

 private:
  void complain(std::string_view code, std::string path, std::string message, Place place) {
    errors_.add(std::string(code), std::move(path), std::move(message), std::move(place));
  }

  std::vector<Tree> objects_of(const std::vector<std::string>& files) {
    std::vector<Tree> all;
    for (const std::string& file : files) {
      errors_.rank(file);
      auto documents = kube::load_documents(file);
      if (!documents) {
        Place place = documents.error().place;
        if (place.file.empty()) place.file = file;
        complain(codes_.file, "-", documents.error().message, std::move(place));
        continue;
      }
      std::ranges::move(kube::flatten_lists(std::move(*documents)), std::back_inserter(all));
    }
    return all;
  }

  [[nodiscard]] bool is_asked(const Tree& object) const {
    const auto fits = [&](const std::string& asked, std::string_view key) {
      const std::string said = text_at(object, {"metadata", key});
      return asked.empty() || said.empty() || asked == said;
    };
    return text_of(object.find("kind")) == kind_ && fits(settings_.name, "name") &&
           fits(settings_.name_space, "namespace");
  }

  /// Behind "no such object": the name that --name may have been meant to be.
  [[nodiscard]] std::string name_hint(const std::vector<Tree>& objects) const {
    std::vector<std::string> names;
    for (const Tree& object : objects) {
      if (text_of(object.find("kind")) == kind_)
        names.push_back(text_at(object, {"metadata", "name"}));
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    return settings_.name.empty() ? "" : did_you_mean(settings_.name, known);
  }

  Tree selected(std::vector<Tree> objects, const std::string& file) {
    const std::string hint = name_hint(objects);
    std::erase_if(objects, [this](const Tree& object) { return !is_asked(object); });
    if (objects.size() == 1) return std::move(objects.front());
    complain(codes_.object, "-",
             objects.empty() ? fmt::format("no such {}: expected one{}", kind_, hint)
                             : fmt::format("{} objects of kind {}: expected one, or --name that "
                                           "selects it",
                                           objects.size(), kind_),
             objects.empty() ? Place{file, 1, 1} : objects[1].place());
    return {};
  }

  Tree wished(const Tree& current) {
    if (settings_.desired.empty()) return current;
    std::vector<Tree> objects = objects_of(settings_.desired);
    const auto has_kind = [](const Tree& object) { return object.find("kind") != nullptr; };
    if (std::ranges::any_of(objects, has_kind))
      return selected(std::move(objects), settings_.desired.front());
    Tree whole = current;
    for (const Tree& patch : objects) whole = doc::merged(whole, patch);
    return whole;
  }

  const CommonSettings& settings_;
  std::string_view kind_;
  const SideCodes& codes_;
  Diagnostics& errors_;
};

}  // namespace

Sides load_sides(const CommonSettings& settings, std::string_view kind, const SideCodes& codes,
                 Diagnostics& errors) {
  return Loader(settings, kind, codes, errors).load();
}

std::string fingerprint(const Sides& sides) {
  Fingerprint print;
  for (const Tree* object : {&sides.current, &sides.desired}) print.line(doc::emit_json(*object));
  for (const Tree& object : sides.objects) print.line(doc::emit_json(object));
  return print.hex();
}

void fill_head(plan::Plan& plan, const Sides& sides, const CommonSettings& settings,
               const std::vector<Remark>& notes) {
  plan.system = plan::System::Kubernetes;
  plan.cluster = Value::map().set("name", text_at(sides.current, {"metadata", "name"}));
  if (auto space = text_at(sides.current, {"metadata", "namespace"}); !space.empty())
    plan.cluster.set("namespace", std::move(space));
  plan.options = recorded(settings);
  plan.now = kube::format_time(settings.now.value_or(system_clock()));
  plan.fingerprint = fingerprint(sides);
  for (const Remark& note : notes) plan.notes.push_back({note.code, note.text});
}

}  // namespace ballast::operators
