// SPDX-License-Identifier: BSD-2-Clause
// The fast search for the best step: bounds leave few candidates, and these are decided by the
// model and the full sum.
#pragma once

#include <atomic>
#include <memory>

#include "ballast/ganeti/score/sheet.hpp"
#include "fast_bounds.hpp"
#include "plain.hpp"

namespace ballast::ganeti::fast {

/// The best candidate so far; `order` counts an instance's candidates in the reference's order.
struct Best {
  StepChoice choice;
  std::size_t order = 0;
  double score = 0;
};

/// Works on one state, which may change between the calls as `moved` reports.
class FastFinder final : public StepFinder {
 public:
  /// Precondition: is_ordinary.
  FastFinder(const Cluster& cluster, const State& state, const Part& part,
             const BalanceOptions& options);

  StepChoice best(double current) override;
  void moved(InstanceId instance, const Placement& before) override;

 private:
  struct Candidate {
    double bound;
    MoveKind kind;
    NodeId target;
    std::size_t position;
  };
  /// Moves of one kind: of one instance, or of all instances of a block.
  struct Entry {
    double bound;
    MoveKind kind;
    std::size_t index;
    friend bool operator<(const Entry& a, const Entry& b) { return a.bound < b.bound; }
  };
  /// Neighbours among the movable, all of one box.
  struct Block {
    std::size_t begin;
    std::size_t end;
    std::int32_t box;
    std::array<double, kKinds> least;  ///< of what the bounds say of its instances
  };
  /// What a member of the team needs besides.
  struct Scratch {
    Best best;
    std::size_t work = 0;        ///< numbers looked at in this step, about
    std::int64_t irregular = 0;  ///< by how much their number has changed
    std::vector<Candidate> candidates;
    /// Candidates that wait for others to be confirmed together, and how many in a row have proved
    /// no better than what there was: where many are equal, all must be looked at.
    std::vector<std::pair<InstanceId, Candidate>> waiting;
    std::size_t equals = 0;
    std::vector<char> is_shared;  ///< by target: reserved memory is already there
    std::vector<std::size_t> shared;
    std::vector<double> source;
    std::vector<double> source_delta;
  };

  void make_blocks();
  void read_source(std::size_t index, Scratch& scratch);
  void count_irregular();
  void refresh(double current);
  void rebuild(double current);
  void follow();
  void set_block(Block& block) const;
  void note_work(std::size_t work);
  void set_changed_blocks();
  void search();
  void find_blocks();
  void open_block(const Entry& block);
  void look_at_instances();
  void lower_limit(double score);
  void try_first(const Entry& entry, Scratch& scratch);
  void search_entry(const Entry& entry, Scratch& scratch);
  void collect(const Entry& entry, Scratch& scratch) const;
  void mark_shared(const Movable& movable, MoveKind kind, Scratch& scratch) const;
  void set_source_changes(std::size_t index, MoveKind kind, Scratch& scratch) const;
  [[nodiscard]] double candidate_bound(std::size_t index, MoveKind kind, std::size_t position,
                                       const Scratch& scratch) const;
  [[nodiscard]] double reserved_part(std::size_t index, MoveKind kind, std::size_t position,
                                     const Scratch& scratch, double& failing) const;
  [[nodiscard]] bool has_room(const Movable& movable, MoveKind kind, std::size_t position) const;
  void confirm(InstanceId instance, const Candidate& candidate, Scratch& scratch);
  void confirm_waiting(Scratch& scratch);
  void take(InstanceId instance, const Candidate& candidate, double score, Scratch& scratch);
  void search_irregular(double current, Best& best) const;
  [[nodiscard]] bool has_excess() const;
  [[nodiscard]] std::size_t order_of(MoveKind kind, std::size_t position) const;

  const Cluster& cluster_;
  const State& state_;
  const BalanceOptions& options_;
  Team team_;
  Layout layout_;
  ScoreSheet sheet_;
  PlainFinder plain_;
  ArrayBuilder builder_;
  SourceReader reader_;
  std::vector<Movable> movable_;
  std::vector<SourcePlace> places_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> block_of_;     ///< movable -> block
  std::vector<std::size_t> changed_;      ///< movable instances to be read again
  std::int64_t irregular_ = 0;            ///< how many
  bool is_stale_ = true;                  ///< the bounds are to be rebuilt
  std::size_t usual_work_ = 0;            ///< of the first steps after a rebuild
  std::size_t excess_work_ = 0;           ///< more than usual, since then
  std::vector<std::int32_t> movable_of_;  ///< InstanceId -> index into movable_, -1: none
  Bounds bounds_;
  std::vector<double> spread_;
  std::vector<double> factor_;
  std::vector<double> squeeze_;
  std::vector<double> shift_;
  CandidateJob candidate_job_;
  double plain_part_ = 0;
  double tolerance_ = 0;
  double current_ = 0;  ///< the score before the step that is sought
  /// No candidate above this is the best. Members of the team lower it as they go: what they look
  /// at hangs on who was first, what they find does not.
  std::atomic<double> limit_ = 0;
  std::vector<Entry> open_blocks_;
  std::vector<Entry> instances_;
  std::vector<Scratch> scratch_;  ///< by member
};

}  // namespace ballast::ganeti::fast
