// The order of released rows: by the MD5 of the seed, the cells and the number of the copy, joined by chr(31).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "sfumato/md5.hpp"
#include "sfumato/narrow.hpp"

namespace sfumato {

/// The texts of a column's labels, one after the other; `ends` has one entry for each.
struct LabelTexts {
  std::string_view text;
  std::span<const std::uint64_t> ends;

  std::string_view operator[](std::int32_t i) const {
    if (i < 0 || static_cast<std::size_t>(i) >= ends.size()) throw std::out_of_range("there is no such label");
    const std::uint64_t begin = i ? ends[static_cast<std::size_t>(i) - 1] : 0;
    return text.substr(begin, ends[static_cast<std::size_t>(i)] - begin);
  }
};

/// Different rows that are printed, by the places of their labels; each has so many copies.
struct PrintedRows {
  std::string seed;
  std::vector<LabelTexts> columns;
  std::span<const std::int32_t> labels;  // of every column, row by row
  std::span<const std::int64_t> copies;

  /// What is hashed of a row, but for the number of the copy.
  void print(std::size_t row, std::string& text) const {
    text.assign(seed);
    text += '\x1f';
    for (std::size_t i = 0; i < columns.size(); ++i) {
      text += columns[i][labels[row * columns.size() + i]];
      text += '\x1f';
    }
  }
};

/// Hashes the copies of rows: all blocks that copies share once for all of them, and what is left for each.
class CopyHashes {
 public:
  CopyHashes(const PrintedRows& rows, std::uint64_t* keys) : rows_(rows), keys_(keys) {}

  /// The first eight bytes of the digest of every copy of these rows, the first byte the most significant.
  void hash(std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; row += md5_lanes) {
      const std::size_t some = std::min(md5_lanes, last - row);
      share(row, some);
      for (std::size_t lane = 0; lane < some; ++lane) add_copies(lane, rows_.copies[row + lane]);
    }
    short_.finish();
    long_.finish();
  }

 private:
  /// Ends of messages that have as many blocks, with the states before.
  template <std::size_t blocks>
  struct Batch {
    Md5State state = md5_start();
    std::array<std::array<char, blocks * md5_block>, md5_lanes> ends{};
    std::array<std::uint64_t*, md5_lanes> to{};
    std::size_t filled = 0;

    void add(const std::array<std::uint32_t, 4>& before, const char* end, std::uint64_t length, std::uint64_t* key) {
      for (std::size_t word = 0; word < 4; ++word) state[word][filled] = before[word];
      std::memcpy(ends[filled].data(), end, blocks * md5_block);
      const std::uint64_t bits = 8 * length;
      std::memcpy(ends[filled].data() + blocks * md5_block - 8, &bits, 8);
      to[filled] = key;
      if (++filled == md5_lanes) finish();
    }

    void finish() {
      std::array<const char*, md5_lanes> at;
      for (std::size_t block = 0; block < blocks; ++block) {
        for (std::size_t lane = 0; lane < md5_lanes; ++lane) at[lane] = ends[lane].data() + block * md5_block;
        md5_add(state, at);
      }
      for (std::size_t lane = 0; lane < filled; ++lane)
        *to[lane] = std::uint64_t{__builtin_bswap32(state[0][lane])} << 32 | __builtin_bswap32(state[1][lane]);
      filled = 0;
    }
  };

  /// The whole blocks at the start of some rows.
  void share(std::size_t row, std::size_t some) {
    std::size_t most = 0;
    for (std::size_t lane = 0; lane < some; ++lane) {
      rows_.print(row + lane, texts_[lane]);
      most = std::max(most, texts_[lane].size() / md5_block);
    }
    shared_ = md5_start();
    std::array<const char*, md5_lanes> at;
    for (std::size_t block = 0; block < most; ++block) {
      const Md5State before = shared_;
      for (std::size_t lane = 0; lane < md5_lanes; ++lane)
        at[lane] = is_whole(lane, block, some) ? texts_[lane].data() + block * md5_block : nothing_;
      md5_add(shared_, at);
      for (std::size_t lane = 0; lane < md5_lanes; ++lane)
        if (!is_whole(lane, block, some))
          for (std::size_t word = 0; word < 4; ++word) shared_[word][lane] = before[word][lane];
    }
  }

  bool is_whole(std::size_t lane, std::size_t block, std::size_t some) const {
    return lane < some && (block + 1) * md5_block <= texts_[lane].size();
  }

  void add_copies(std::size_t lane, std::int64_t copies) {
    const std::string& text = texts_[lane];
    const std::size_t rest = text.size() % md5_block;
    char end[3 * md5_block] = {};  // zero behind the mark that ends the message
    std::memcpy(end, text.data() + text.size() - rest, rest);
    const std::array before{shared_[0][lane], shared_[1][lane], shared_[2][lane], shared_[3][lane]};
    for (std::int64_t copy = 0; copy < copies; ++copy) {
      char* stop = std::to_chars(end + rest, end + 2 * md5_block, copy).ptr;  // numbers only grow
      *stop = '\x80';
      const auto used = static_cast<std::size_t>(stop - end);
      if (used + 9 <= md5_block)
        short_.add(before, end, text.size() - rest + used, keys_++);
      else
        long_.add(before, end, text.size() - rest + used, keys_++);
    }
  }

  static constexpr char nothing_[md5_block] = {};
  const PrintedRows& rows_;
  std::uint64_t* keys_;  // of the next copy
  std::array<std::string, md5_lanes> texts_;
  Md5State shared_{};
  Batch<1> short_;
  Batch<2> long_;
};

/// Runs a piece of work for each number below `pieces`, on so many threads; the first exception is passed on.
template <class Work>
void in_threads(unsigned threads, std::size_t pieces, Work work) {
  std::vector<std::exception_ptr> faults(threads);
  std::vector<std::thread> crew;
  const auto share = [&](unsigned thread) {
    try {
      for (std::size_t piece = thread; piece < pieces; piece += threads) work(piece);
    } catch (...) {
      faults[thread] = std::current_exception();
    }
  };
  for (unsigned thread = 1; thread < threads; ++thread) crew.emplace_back(share, thread);
  share(0);
  for (std::thread& thread : crew) thread.join();
  for (const std::exception_ptr& fault : faults)
    if (fault) std::rethrow_exception(fault);
}

/// For every copy of every row, the key that orders it, and the number of its row, counted from `first` on.
inline void hash_copies(const PrintedRows& rows, std::int32_t first, std::span<std::uint64_t> keys,
                        std::span<std::int32_t> numbers, unsigned threads) {
  narrow<std::int32_t>(static_cast<std::uint64_t>(std::max(first, 0)) + rows.copies.size(), too_many_combinations);
  std::vector<std::size_t> begin(rows.copies.size() + 1);  // of the copies of each row
  for (std::size_t row = 0; row < rows.copies.size(); ++row) {
    if (rows.copies[row] < 0) throw std::invalid_argument("a row has no fewer than no copies");
    begin[row + 1] = begin[row] + static_cast<std::size_t>(rows.copies[row]);
  }
  if (rows.labels.size() != rows.copies.size() * rows.columns.size() || begin.back() != keys.size() ||
      keys.size() != numbers.size())
    throw std::invalid_argument("rows, copies and keys are not as many as each other");
  in_threads(threads, threads, [&](std::size_t piece) {
    const auto row_at = [&](std::size_t part) {
      const auto at = std::ranges::lower_bound(begin, begin.back() * part / threads);
      return part == threads ? rows.copies.size() : static_cast<std::size_t>(at - begin.begin());
    };
    const std::size_t from = row_at(piece), to = row_at(piece + 1);
    if (from >= to) return;
    CopyHashes(rows, keys.data() + begin[from]).hash(from, to);
    for (std::size_t row = from; row < to; ++row)
      std::fill(numbers.begin() + static_cast<std::ptrdiff_t>(begin[row]),
                numbers.begin() + static_cast<std::ptrdiff_t>(begin[row + 1]), first + static_cast<std::int32_t>(row));
  });
}

/// Keys that are spread evenly, as hashes are, sorted in place with what goes with them.
///
/// Their first eight bits put them in 256 parts, in place; and again, as long as a part is large. A small part is laid
/// out by as many of the next bits as there are keys in it, which leaves next to nothing to do.
class KeySort {
 public:
  KeySort(std::span<std::uint64_t> keys, std::span<std::int32_t> numbers) : keys_(keys), numbers_(numbers) {}

  void sort(unsigned threads) {
    if (keys_.size() <= few) return sort(0, keys_.size(), 64);
    const std::array<std::size_t, 257> begin = divide(0, keys_.size(), 56);
    in_threads(threads, 256,
               [&](std::size_t part) { KeySort(keys_, numbers_).sort(begin[part], begin[part + 1], 56); });
  }

 private:
  static constexpr std::size_t few = 1 << 16;
  using Pair = std::pair<std::uint64_t, std::int32_t>;

  /// The keys from first to last differ in their lowest `bits` alone.
  void sort(std::size_t first, std::size_t last, int bits) {
    if (last - first <= few || bits < 8) return lay_out(first, last, bits);
    const std::array<std::size_t, 257> begin = divide(first, last, bits - 8);
    for (std::size_t part = 0; part < 256; ++part) sort(begin[part], begin[part + 1], bits - 8);
  }

  void lay_out(std::size_t first, std::size_t last, int bits) {
    const int used = std::min(bits, static_cast<int>(std::bit_width(last - first)));
    const auto digit = [&](std::size_t i) { return (keys_[i] & low(bits)) >> (bits - used); };
    next_.assign((std::size_t{1} << used) + 1, 0);
    for (std::size_t i = first; i < last; ++i) ++next_[digit(i) + 1];
    for (std::size_t i = 1; i < next_.size(); ++i) next_[i] += next_[i - 1];
    pairs_.resize(last - first);
    for (std::size_t i = first; i < last; ++i) pairs_[next_[digit(i)]++] = {keys_[i], numbers_[i]};
    for (std::size_t begin = 0, end; begin < pairs_.size(); begin = end) {
      for (end = begin + 1; end < pairs_.size() && alike(pairs_[begin], pairs_[end], bits - used);) ++end;
      if (end > begin + 1) std::sort(pairs_.data() + begin, pairs_.data() + end);
    }
    for (std::size_t i = first; i < last; ++i) std::tie(keys_[i], numbers_[i]) = pairs_[i - first];
  }

  static bool alike(const Pair& one, const Pair& other, int below) {
    return below >= 64 || one.first >> below == other.first >> below;
  }

  static std::uint64_t low(int bits) { return bits < 64 ? (std::uint64_t{1} << bits) - 1 : ~std::uint64_t{0}; }

  /// Puts what has the same eight bits from `shift` up together, and says where each part begins.
  std::array<std::size_t, 257> divide(std::size_t first, std::size_t last, int shift) {
    std::array<std::size_t, 257> begin{}, next;
    for (std::size_t i = first; i < last; ++i) ++begin[(keys_[i] >> shift & 255) + 1];
    begin[0] = first;
    for (std::size_t part = 0; part < 256; ++part) begin[part + 1] += begin[part];
    next = begin;
    for (std::size_t part = 0; part < 256; ++part)
      while (next[part] < begin[part + 1]) {
        std::uint64_t key = keys_[next[part]];
        std::int32_t number = numbers_[next[part]];
        for (std::size_t home; (home = key >> shift & 255) != part;) {
          std::swap(key, keys_[next[home]]);
          std::swap(number, numbers_[next[home]++]);
        }
        keys_[next[part]] = key;
        numbers_[next[part]++] = number;
      }
    return begin;
  }

  std::span<std::uint64_t> keys_;
  std::span<std::int32_t> numbers_;
  std::vector<std::size_t> next_;  // places of what has the same digit
  std::vector<Pair> pairs_;
};

/// Sorts numbers by their keys, and says which different ones share a key: first and last place of each such run.
inline std::vector<std::pair<std::size_t, std::size_t>> sort_by_keys(std::span<std::uint64_t> keys,
                                                                     std::span<std::int32_t> numbers,
                                                                     unsigned threads) {
  if (keys.size() != numbers.size()) throw std::invalid_argument("keys and numbers are not as many as each other");
  KeySort(keys, numbers).sort(threads);
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  for (std::size_t first = 0, last; first < keys.size(); first = last) {
    for (last = first + 1; last < keys.size() && keys[last] == keys[first];) ++last;
    if (numbers[first] != numbers[last - 1]) runs.emplace_back(first, last);  // they are in order
  }
  return runs;
}

}  // namespace sfumato
