// Lines of a text: counted inside and outside quotation marks, 64 characters at a time; rows of CSV, copied.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfumato {

/// Line ends of a text that comes in blocks, and which of them end a blank line: the one before is as near as it can
/// be.
class Ends {
 public:
  explicit Ends(unsigned length) : length_(length) {}

  /// Those among the next characters, of which there are `some`; one bit each, the first is the lowest.
  void add(std::uint64_t ends, unsigned some) {
    const std::uint64_t one_before = ends << 1 | last_ >> 63;
    const std::uint64_t near = length_ > 1 ? one_before | ends << 2 | last_ >> 62 : one_before;
    all += std::popcount(ends);
    blank += std::popcount(ends & near);
    if (some) last_ = some < 64 ? (ends << (64 - some)) | last_ >> some : ends;
  }

  /// Whether the last character was one; the text starts as if it was.
  bool at_end() const { return last_ >> 63; }

  std::int64_t all = 0;
  std::int64_t blank = 0;

 private:
  unsigned length_;                              // characters of a line end; the last of them counts
  std::uint64_t last_ = std::uint64_t{1} << 63;  // the 64 characters before
};

/// Line ends outside quotation marks, and all of them.
class LineCounter {
 public:
  LineCounter(char end, std::optional<char> quote, unsigned length)
      : outside(length), everywhere(length), end_(end), quote_(quote) {}

  void add(std::string_view text) {
    for (std::size_t start = 0; start < text.size(); start += 64) {
      const auto some = static_cast<unsigned>(std::min<std::size_t>(64, text.size() - start));
      char word[64];
      std::memcpy(word, text.data() + start, some);
      std::memset(word + some, ~end_, 64 - some);  // no line end
      const std::uint64_t present = some < 64 ? (std::uint64_t{1} << some) - 1 : ~std::uint64_t{0};
      const std::uint64_t ends = places(word, end_);
      const std::uint64_t marks = quote_ ? places(word, *quote_) & present : 0;
      const std::uint64_t inside = odd_ ? ~before(marks) : before(marks);
      everywhere.add(ends, some);
      outside.add(ends & ~inside, some);
      odd_ ^= std::popcount(marks) & 1;
    }
  }

  Ends outside;
  Ends everywhere;

 private:
  /// Where a character stands: eight comparisons make eight bytes 0 or 1, one multiplication their bits.
  static std::uint64_t places(const char (&word)[64], char sought) {
    std::uint8_t same[64];
    for (int i = 0; i < 64; ++i) same[i] = word[i] == sought;
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) {
      std::uint64_t eight;
      std::memcpy(&eight, same + 8 * i, 8);
      bits |= (eight * 0x0102040810204080 >> 56) << 8 * i;
    }
    return bits;
  }

  /// Where an odd number of marks stands before: what is between an opening and a closing one.
  static std::uint64_t before(std::uint64_t marks) {
    for (int shift = 1; shift < 64; shift *= 2) marks ^= marks << shift;
    return marks << 1;
  }

  char end_;
  std::optional<char> quote_;
  bool odd_ = false;
};

/// Rows of a text, one after the other: they can be copied in any order, any number of times.
class TextRows {
 public:
  /// `begin` has one more entry than there are rows.
  TextRows(std::string text, std::vector<std::size_t> begin) : text_(std::move(text)), begin_(std::move(begin)) {
    if (begin_.empty() || begin_.back() > text_.size() || !std::ranges::is_sorted(begin_))
      throw std::invalid_argument("rows begin one after the other, inside the text");
  }

  std::size_t size() const { return begin_.size() - 1; }

  std::size_t bytes(std::span<const std::int32_t> order) const {
    std::size_t bytes = 0;
    for (const std::int32_t r : order) {
      if (static_cast<std::size_t>(r) >= size()) throw std::out_of_range("there is no such row");
      bytes += row(static_cast<std::size_t>(r)).size();
    }
    return bytes;
  }

  void copy(std::span<const std::int32_t> order, char* to) const {
    for (const std::int32_t r : order) {
      const std::string_view text = row(static_cast<std::size_t>(r));
      std::memcpy(to, text.data(), text.size());
      to += text.size();
    }
  }

 protected:
  std::string_view row(std::size_t i) const { return {text_.data() + begin_[i], begin_[i + 1] - begin_[i]}; }

  std::string text_;

 private:
  std::vector<std::size_t> begin_;
};

/// The rows of a CSV text that ends each by a line feed, the header apart.
class CsvRows : public TextRows {
 public:
  explicit CsvRows(std::string text) : CsvRows(text, rows_of(text)) {}

  std::string_view header() const { return {text_.data(), header_}; }

 private:
  CsvRows(std::string& text, std::vector<std::size_t> begin)
      : TextRows(std::move(text), begin), header_(begin.front()) {}

  static std::vector<std::size_t> rows_of(const std::string& text) {
    std::vector<std::size_t> begin;
    bool inside = false;  // of quotation marks; those in a cell are doubled
    for (std::size_t i = 0; i < text.size(); ++i) {
      inside ^= text[i] == '"';
      if (text[i] == '\n' && !inside) begin.push_back(i + 1);
    }
    if (begin.empty() || begin.back() != text.size())
      throw std::invalid_argument("a CSV text has a header and whole rows");
    return begin;
  }

  std::size_t header_;
};

}  // namespace sfumato
