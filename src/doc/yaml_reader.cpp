// SPDX-License-Identifier: BSD-2-Clause
// YAML by the events of yaml-cpp, which keeps places and the text of scalars; what that parser lets
// pass is refused here.
#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

#include "ballast/core/utf8.hpp"

#include "reader.hpp"
#include "yaml_checks.hpp"

namespace ballast::doc {
namespace {

constexpr std::size_t kTextPerNode = 100;  ///< bytes of text that weigh as much as a node

/// Carries an error of ours through the foreign parser.
struct Stop {
  Error error;
};

struct Anchor {
  Tree node;
  std::size_t weight = 0;
  std::size_t height = 0;
  bool complete = false;
};

/// A list or map whose end has not come yet.
struct Frame {
  Tree node;
  KeySet keys;
  std::vector<Tree> merged;  ///< values of `<<`, in their order
  std::string key;
  Position key_position;
  std::size_t key_offset = 0;
  std::size_t weight = 1;
  std::size_t height = 1;
  YAML::anchor_t anchor = 0;
  bool is_flow = false;
  bool has_key = false;
  bool is_merge = false;
};

class Builder : public YAML::EventHandler {
 public:
  explicit Builder(const Source& source) : source_(source) {}

  std::vector<Tree> take() { return std::move(documents_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    anchors_.clear();
    const bool is_first = documents_seen_++ == 0;
    // The parser leaves a "," where it stands, and would find an empty document there for ever.
    if (!is_first && offset(mark) <= last_start_) {
      stop(source_.error_at(offset(mark), "expected a document"));
    }
    last_start_ = offset(mark);
    check(check_document_start(source_, offset(mark), is_first));
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (expects_key()) stop(source_.error_at(offset(mark), "expected a key"));
    const bool follows_key = !frames_.empty() && frames_.back().has_key;
    if (follows_key && !frames_.back().is_flow && frames_.back().key_offset == offset(mark)) {
      stop(source_.error_at(offset(mark), "expected a colon behind the key"));
    }
    const bool is_written =
        std::string_view("~nN").find(char_at(offset(mark))) != std::string_view::npos;
    add(Tree(), follows_key && !is_written ? frames_.back().key_position : position(mark), anchor,
        1, 1);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (expects_key()) stop(source_.error_at(offset(mark), "expected a key that is a text"));
    const Anchor& target = anchors_.at(anchor);
    if (!target.complete)
      stop(source_.error_at(offset(mark), "expected an alias to something outside of itself"));
    if (frames_.size() + target.height > kMaxNesting)
      stop(too_deep(source_.place_at(offset(mark))));
    expand(target.weight, position(mark));
    Tree copy = target.node;
    const Position written = {static_cast<std::uint32_t>(copy.place().line),
                              static_cast<std::uint32_t>(copy.place().column)};
    add(std::move(copy), written, 0, target.weight, target.height);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    if (first_invalid_utf8(text) != std::string::npos)
      return OnScalar(mark, tag, anchor, with_whole_escapes(text));
    check(check_scalar(source_, offset(mark), tag == "?",
                       frames_.empty() || !frames_.back().is_flow));
    const bool is_key = expects_key();
    if (is_key) take_key(mark, tag, text);
    if (is_key && anchor == 0) return;
    auto node = resolve_tagged(tag, text);
    if (!node) stop(source_.error_at(offset(mark), node.error().message));
    const std::size_t weight = 1 + text.size() / kTextPerNode;
    if (!is_key) return add(std::move(*node), position(mark), anchor, weight, 1);
    node->set_origin(source_.file(), position(mark));
    keep(anchor, *node, position(mark), weight, 1);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    if (tag != "?" && tag != "!" && tag != "tag:yaml.org,2002:seq") refuse_tag(mark);
    open(Tree::list(), mark, anchor, style);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    if (tag != "?" && tag != "!" && tag != "tag:yaml.org,2002:map") refuse_tag(mark);
    open(Tree::map(), mark, anchor, style);
  }
  void OnMapEnd() override { close(); }

 private:
  [[noreturn]] static void stop(Error error) { throw Stop{std::move(error)}; }
  static void check(const Status& status) {
    if (!status) stop(status.error());
  }
  [[noreturn]] void refuse_tag(const YAML::Mark& mark) {
    stop(source_.error_at(offset(mark), "expected no tag, or one of the core schema that fits"));
  }

  static std::size_t offset(const YAML::Mark& mark) {
    return static_cast<std::size_t>(std::max(mark.pos, 0));
  }
  static Position position(const YAML::Mark& mark) {
    return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
  }
  [[nodiscard]] char char_at(std::size_t at) const {
    return at < source_.text().size() ? source_.text()[at] : ' ';
  }
  [[nodiscard]] bool expects_key() const {
    return !frames_.empty() && frames_.back().node.is_map() && !frames_.back().has_key;
  }

  /// What the anchors and aliases so far stand for grows by that.
  void expand(std::size_t weight, Position at) {
    expanded_ += weight;
    const std::size_t most = max_expansion(source_.text().size());
    if (expanded_ > most) stop(too_large(source_.place(at), most));
  }

  void take_key(const YAML::Mark& mark, const std::string& tag, const std::string& text) {
    Frame& frame = frames_.back();
    frame.is_merge = tag == "?" && text == "<<";
    if (!frame.is_merge && !frame.keys.add(frame.node.entries(), text)) {
      stop(duplicate_key(source_, text, position(mark), *frame.node.find(text)));
    }
    frame.key = text;
    frame.key_position = position(mark);
    frame.key_offset = offset(mark);
    frame.has_key = true;
  }

  void open(Tree node, const YAML::Mark& mark, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    if (expects_key()) {
      stop(source_.error_at(offset(mark),
                            "expected a key that is a text (or is a bracket not closed?)"));
    }
    if (frames_.size() >= kMaxNesting) stop(too_deep(source_.place_at(offset(mark))));
    node.set_origin(source_.file(), position(mark));
    Frame& frame = frames_.emplace_back();
    frame.node = std::move(node);
    frame.anchor = anchor;
    frame.is_flow = style == YAML::EmitterStyle::Flow;
    if (anchor != 0) declare(anchor);
  }

  Anchor& declare(YAML::anchor_t anchor) {
    if (anchors_.size() <= anchor) anchors_.resize(anchor + 1);
    return anchors_[anchor];
  }

  /// What aliases to the anchor stand for.
  void keep(YAML::anchor_t anchor, const Tree& node, Position start, std::size_t weight,
            std::size_t height) {
    expand(weight, start);
    declare(anchor) = Anchor{node, weight, height, true};
  }

  void close() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    for (const Tree& source : frame.merged) merge_into(frame, source);
    const Place place = frame.node.place();
    add(std::move(frame.node),
        {static_cast<std::uint32_t>(place.line), static_cast<std::uint32_t>(place.column)},
        frame.anchor, frame.weight, frame.height);
  }

  static void merge_into(Frame& frame, const Tree& source) {
    for (const Tree& item : source.items()) merge_into(frame, item);
    for (const auto& [key, value] : source.entries()) {
      auto& entries = frame.node.entries();
      if (frame.keys.add(entries, key)) entries.emplace_back(key, value);
    }
  }

  void add(Tree node, Position start, YAML::anchor_t anchor, std::size_t weight,
           std::size_t height) {
    Frame* parent = frames_.empty() ? nullptr : &frames_.back();
    const bool is_value = parent != nullptr && parent->node.is_map();
    node.set_origin(source_.file(), start, is_value ? parent->key_position : Position{});
    if (anchor != 0) keep(anchor, node, start, weight, height);
    if (parent == nullptr) {
      if (!node.is_null()) documents_.push_back(std::move(node));
      return;
    }
    parent->weight += weight;
    parent->height = std::max(parent->height, height + 1);
    if (is_value) {
      add_value(*parent, std::move(node));
    } else {
      parent->node.items().push_back(std::move(node));
    }
  }

  void add_value(Frame& frame, Tree value) {
    frame.has_key = false;
    if (!frame.is_merge) {
      frame.node.entries().emplace_back(std::move(frame.key), std::move(value));
      return;
    }
    const bool is_map_list = value.is_list() && std::ranges::all_of(value.items(), &Tree::is_map);
    if (!value.is_map() && !is_map_list) {
      stop({fmt::format("{} behind the merge key: expected a mapping or a list of mappings",
                        to_string(value.kind())),
            value.key_place(), Fault::Input});
    }
    frame.merged.push_back(std::move(value));
  }

  const Source& source_;
  std::vector<Frame> frames_;
  std::vector<Anchor> anchors_;
  std::vector<Tree> documents_;
  std::size_t documents_seen_ = 0;
  std::size_t last_start_ = 0;  ///< of the document seen last
  std::size_t expanded_ = 0;
};

}  // namespace

Result<std::vector<Tree>> parse_yaml(std::string_view text, const std::string& file) {
  const Source source(text, file);
  if (const Status status = check_line_lengths(source); !status) return fail(status.error());
  if (const Status status = check_characters(source); !status) return fail(status.error());
  std::istringstream stream{std::string(source.text())};
  Builder builder(source);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Stop& stop) {
    return fail(stop.error);
  } catch (const YAML::Exception& exception) {
    const auto offset = exception.mark.is_null() ? source.text().size()
                                                 : static_cast<std::size_t>(exception.mark.pos);
    return fail(foreign_error(source, offset, exception.msg));
  }
  return builder.take();
}

}  // namespace ballast::doc
