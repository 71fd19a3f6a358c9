// MD5 of several messages at a time: one in each lane of a vector. R. Rivest, "The MD5 message-digest algorithm",
// RFC 1321, 1992. It puts rows in an order that anybody can repeat; nothing secret hangs on it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sfumato/wide.hpp"

namespace sfumato {

constexpr std::size_t md5_block = 64;  // bytes
constexpr std::size_t md5_lanes = 16;

/// The four words of the state of each lane.
using Md5State = std::array<std::array<std::uint32_t, md5_lanes>, 4>;

constexpr Md5State md5_start() {
  Md5State state{};
  for (std::size_t lane = 0; lane < md5_lanes; ++lane) {
    state[0][lane] = 0x67452301;
    state[1][lane] = 0xefcdab89;
    state[2][lane] = 0x98badcfe;
    state[3][lane] = 0x10325476;
  }
  return state;
}

namespace md5 {

// floor(2^32 |sin(i + 1)|), and how far step i turns: RFC 1321, Section 3.4.
constexpr std::uint32_t sine[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
constexpr int turn[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

using Lanes = std::uint32_t __attribute__((vector_size(4 * md5_lanes)));

/// Adds what the three others make of each other.
template <int round>
[[gnu::always_inline]] inline void mix(Lanes& a, const Lanes& b, const Lanes& c, const Lanes& d) {
  if constexpr (round == 0) a += d ^ (b & (c ^ d));
  if constexpr (round == 1) a += c ^ (d & (b ^ c));
  if constexpr (round == 2) a += b ^ c ^ d;
  if constexpr (round == 3) a += c ^ (b | ~d);
}

template <int step>
[[gnu::always_inline]] inline void steps(Lanes& a, Lanes& b, Lanes& c, Lanes& d, const Lanes (&words)[16]) {
  if constexpr (step < 64) {
    constexpr int round = step / 16;
    constexpr int word = (std::array{step, 5 * step + 1, 3 * step + 5, 7 * step})[round] % 16;
    constexpr int by = turn[round][step % 4];
    mix<round>(a, b, c, d);
    a += words[word] + sine[step];
    a = (a << by | a >> (32 - by)) + b;
    steps<step + 1>(d, a, b, c, words);
  }
}

}  // namespace md5

/// The state of each lane after one more block of its message.
SFUMATO_WIDE inline void md5_add(Md5State& state, const std::array<const char*, md5_lanes>& blocks) {
  static_assert(std::endian::native == std::endian::little);
  alignas(64) std::uint32_t words[16][md5_lanes];
  for (std::size_t lane = 0; lane < md5_lanes; ++lane)
    for (std::size_t word = 0; word < 16; ++word) std::memcpy(&words[word][lane], blocks[lane] + 4 * word, 4);
  md5::Lanes in[16], a, b, c, d;
  std::memcpy(in, words, sizeof in);
  std::memcpy(&a, state[0].data(), sizeof a);
  std::memcpy(&b, state[1].data(), sizeof b);
  std::memcpy(&c, state[2].data(), sizeof c);
  std::memcpy(&d, state[3].data(), sizeof d);
  const md5::Lanes before[4] = {a, b, c, d};
  md5::steps<0>(a, b, c, d, in);
  a += before[0], b += before[1], c += before[2], d += before[3];
  std::memcpy(state[0].data(), &a, sizeof a);
  std::memcpy(state[1].data(), &b, sizeof b);
  std::memcpy(state[2].data(), &c, sizeof c);
  std::memcpy(state[3].data(), &d, sizeof d);
}

}  // namespace sfumato
