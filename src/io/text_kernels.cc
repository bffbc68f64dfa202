// The kernels and the choice between them.

#include "io/text_kernels.h"

#include "mintmark/base/bytes.h"
#include "mintmark/text/alphabet.h"
#include "mintmark/text/kernel.h"
#include "mintmark/text/slice.h"
#if defined(__x86_64__)
#include "mintmark/text/x86.h"
#endif

namespace mintmark::io {

namespace {

constexpr std::size_t kIdBytes = 16;
constexpr std::size_t kUuidChars = 36;
constexpr std::size_t kUlidChars = 26;

// The batches of a text, once for each kernel: compiled with its attribute, so that the single is inlined
// and its constants stay in registers. A template cannot have its attribute as an argument.
#define MINTMARK_BATCHES(kChars, ...)                                                       \
  __VA_ARGS__ static void write_many(const std::byte* ids, std::size_t count, char after,   \
                                     char* out) {                                           \
    for (std::size_t i = 0; i < count; ++i, out += (kChars) + 1) {                          \
      write(ids + i * kIdBytes, out);                                                       \
      out[kChars] = after;                                                                  \
    }                                                                                       \
  }                                                                                         \
  __VA_ARGS__ static std::size_t read_many(const char* text, std::size_t count, char after, \
                                           std::byte* ids) {                                \
    std::size_t i = 0;                                                                      \
    for (; i < count; ++i, text += (kChars) + 1) {                                          \
      if (!read(text, ids + i * kIdBytes) || text[kChars] != after) break;                  \
    }                                                                                       \
    return i;                                                                               \
  }

struct PortableUuid {
  static void write(const std::byte* id, char* out) { kernel::write_uuid<kHexLower>(id, out); }
  static bool read(const char* text, std::byte* id) { return kernel::read_uuid(text, id); }
  MINTMARK_BATCHES(kUuidChars)
};

struct PortableUlid {
  static void write(const std::byte* id, char* out) {
    write_slices<kCrockford, kUlidChars>(load_be<U128>({id, kIdBytes}), {out, kUlidChars});
  }
  static bool read(const char* text, std::byte* id) {
    const auto value = parse_slices<kCrockford, 128>({text, kUlidChars});
    if (!value) return false;
    store_be({id, kIdBytes}, *value);
    return true;
  }
  MINTMARK_BATCHES(kUlidChars)
};

template <class Uuid, class Ulid>
constexpr TextKernel kKernel{
    .uuid = {&Uuid::write, &Uuid::read, &Uuid::write_many, &Uuid::read_many},
    .ulid = {&Ulid::write, &Ulid::read, &Ulid::write_many, &Ulid::read_many}};

constexpr const TextKernel& kPortable = kKernel<PortableUuid, PortableUlid>;

#if defined(__x86_64__)

using x86::ByteOrder;

#define MINTMARK_SSE4 [[gnu::target("sse4.1")]]
#define MINTMARK_AVX2 [[gnu::target("avx2")]]

/// The value and whether it is one. The kernels take three bits of a ULID's first character.
[[gnu::always_inline]] inline bool put_uuid(const x86::Read& read, std::byte* id) {
  x86::store(id, read.bytes);
  return read.valid;
}
[[gnu::always_inline]] inline bool put_ulid(const x86::Read& read, const char* text,
                                            std::byte* id) {
  x86::store(id, read.bytes);
  return read.valid & (*text <= '7');
}

struct Sse4Uuid {
  MINTMARK_SSE4 static void write(const std::byte* id, char* out) {
    x86::write_uuid<kHexLower>(x86::load(id), out);
  }
  MINTMARK_SSE4 static bool read(const char* text, std::byte* id) {
    return put_uuid(x86::read_uuid(text), id);
  }
  MINTMARK_BATCHES(kUuidChars, MINTMARK_SSE4)
};

struct Sse4Ulid {
  MINTMARK_SSE4 static void write(const std::byte* id, char* out) {
    x86::write_base32<kCrockford, ByteOrder::big>(x86::load(id), out);
  }
  MINTMARK_SSE4 static bool read(const char* text, std::byte* id) {
    return put_ulid(x86::read_base32<kCrockford, ByteOrder::big>(text), text, id);
  }
  MINTMARK_BATCHES(kUlidChars, MINTMARK_SSE4)
};

struct Avx2Uuid {
  MINTMARK_AVX2 static void write(const std::byte* id, char* out) {
    x86::write_uuid<kHexLower>(x86::load(id), out);
  }
  MINTMARK_AVX2 static bool read(const char* text, std::byte* id) {
    return put_uuid(x86::read_uuid_avx2(text), id);
  }
  MINTMARK_BATCHES(kUuidChars, MINTMARK_AVX2)
};

struct Avx2Ulid {
  MINTMARK_AVX2 static void write(const std::byte* id, char* out) {
    x86::write_base32_avx2<kCrockford, ByteOrder::big>(x86::load(id), out);
  }
  MINTMARK_AVX2 static bool read(const char* text, std::byte* id) {
    return put_ulid(x86::read_base32_avx2<kCrockford, ByteOrder::big>(text), text, id);
  }
  MINTMARK_BATCHES(kUlidChars, MINTMARK_AVX2)
};

#undef MINTMARK_SSE4
#undef MINTMARK_AVX2

#endif

#undef MINTMARK_BATCHES

}  // namespace

bool TextKernel::runs(Kind kind) {
#if defined(__x86_64__)
  switch (kind) {
    case Kind::portable:
      return true;
    case Kind::sse4:
      return __builtin_cpu_supports("sse4.1") != 0;
    case Kind::avx2:
      return __builtin_cpu_supports("avx2") != 0;
  }
  return false;
#else
  return kind == Kind::portable;
#endif
}

const TextKernel& TextKernel::of(Kind kind) {
  MINTMARK_CHECK(runs(kind));
#if defined(__x86_64__)
  if (kind == Kind::sse4) return kKernel<Sse4Uuid, Sse4Ulid>;
  if (kind == Kind::avx2) return kKernel<Avx2Uuid, Avx2Ulid>;
#endif
  return kPortable;
}

const TextKernel& TextKernel::best() {
  static const TextKernel& chosen = of(runs(Kind::avx2)   ? Kind::avx2
                                       : runs(Kind::sse4) ? Kind::sse4
                                                          : Kind::portable);
  return chosen;
}

}  // namespace mintmark::io
