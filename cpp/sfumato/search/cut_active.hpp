// The classes of a cut that may still be divided, as offers, and the nodes of each in a row. What was written can be taken back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sfumato {

class CutActive {
 public:
  /// The bit that marks a node as locked; nodes are numbered below it.
  static constexpr std::uint32_t locked_bit = 1u << 31;

  explicit CutActive(std::size_t attributes) : width_(attributes) {}

  std::size_t size() const { return size_; }
  std::uint32_t operator[](std::size_t place) const { return offers_[place]; }
  std::uint32_t node(std::size_t place, std::size_t a) const { return rows_[place * width_ + a]; }

  /// Puts an offer into a place; the row of its nodes, which are still those of the one before.
  std::uint32_t* replace(std::size_t place, std::uint32_t offer) {
    written_.push_back({place, offers_[place]});
    before_.insert(before_.end(), row(place), row(place) + width_);
    offers_[place] = offer;
    return row(place);
  }

  /// Adds an offer; the row for its nodes.
  std::uint32_t* push(std::uint32_t offer) {
    if (size_ == offers_.size()) {
      offers_.push_back(offer);
      rows_.resize(rows_.size() + width_);
      return row(size_++);
    }
    return replace(size_++, offer);
  }

  /// The last one takes the place.
  void remove(std::size_t place) {
    std::uint32_t* const nodes = replace(place, offers_[--size_]);
    std::copy_n(row(size_), width_, nodes);
  }

  struct Mark {
    std::size_t size, written;
  };
  Mark mark() const { return {size_, written_.size()}; }

  /// To what was there at a mark.
  void back(const Mark& mark) {
    for (; written_.size() > mark.written; written_.pop_back()) {
      offers_[written_.back().place] = written_.back().offer;
      std::copy_n(before_.data() + (written_.size() - 1) * width_, width_, row(written_.back().place));
    }
    before_.resize(mark.written * width_);
    size_ = mark.size;
  }

 private:
  struct Written {
    std::size_t place;
    std::uint32_t offer;  // that was there
  };

  std::uint32_t* row(std::size_t place) { return rows_.data() + place * width_; }

  std::size_t width_, size_ = 0;
  std::vector<std::uint32_t> offers_, rows_;
  std::vector<Written> written_;
  std::vector<std::uint32_t> before_;  // rows that were there
};

}  // namespace sfumato
