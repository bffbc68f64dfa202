/* The C interface of libmintmark: to make, read and explain IDs from any language that can call C.
 *
 * Why C: its calling convention is the one that every language speaks and that no compiler changes. So
 * what crosses this boundary is plain: integers, zero-ended texts, buffers of the caller, and handles of
 * which nobody sees the inside. Nothing throws, nothing is freed by the caller, no text has to be given back.
 *
 * The rules that hold for every function:
 *
 * - A function that can fail returns MINTMARK_OK or one of the other codes. If `error` is not NULL, it then
 *   says more: words for a person, the position of the first wrong character, the time to wait. On success
 *   it is left alone.
 * - A text that comes in as `text` and `length` need not end with a zero; MINTMARK_ZERO_ENDED says that it
 *   does. A text that comes in alone ends with a zero. A text that goes out always does.
 * - `out`, `size`, `needed`: at most `size` bytes are written to `out`, all or nothing. `needed`, if it is
 *   not NULL, gets the bytes that it takes, the zero of a text counted. With `out` NULL and `size` 0 that is
 *   all that happens, and the call succeeds; otherwise a `size` that is too small is
 *   MINTMARK_BUFFER_TOO_SMALL.
 * - Any thread may call any function at any time. Only mintmark_mint_close needs its handle for itself.
 * - Binary IDs are big-endian: they sort as the bytes do. Times count 100 ns since 1970-01-01T00:00:00Z.
 *
 * The names begin with mintmark_ because <fmtmsg.h> owns MM_OK. docs/reference/c.md is the tutorial.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What can go wrong; mintmark_strerror says it in words. The numbers never change their meaning; new ones may
 * come. */
enum mintmark_code {
  MINTMARK_OK = 0,

  /* Texts and values. */
  MINTMARK_WRONG_LENGTH = 1,
  MINTMARK_BAD_CHARACTER = 2,
  MINTMARK_VALUE_OVERFLOW = 3,
  MINTMARK_WRONG_VERSION = 4,
  MINTMARK_NOT_CANONICAL = 5,
  MINTMARK_BAD_LAYOUT = 6,
  MINTMARK_INVALID_ARGUMENT = 7,
  MINTMARK_UNKNOWN_KEY = 8,
  MINTMARK_NOT_SEALED = 9,

  /* Making IDs. */
  MINTMARK_NOT_READY = 20,
  MINTMARK_WINDOW_EXHAUSTED = 21,
  MINTMARK_NO_FREE_SLOT = 22,
  MINTMARK_SLOT_TAKEN = 23,
  MINTMARK_SEQUENCE_EXHAUSTED = 24,
  MINTMARK_CLOCK_BEHIND = 25,
  MINTMARK_CLOCK_AHEAD = 26,
  MINTMARK_CLOCK_UNVERIFIED = 27,
  MINTMARK_CLOCK_BEFORE_EPOCH = 28,
  MINTMARK_TIMESTAMP_OVERFLOW = 29,
  MINTMARK_RANGE_EXHAUSTED = 30,
  MINTMARK_KEY_SPACE_EXHAUSTED = 31,
  MINTMARK_STORE_UNAVAILABLE = 32,
  MINTMARK_STORE_REGRESSED = 33,
  MINTMARK_INCARNATION_CHANGED = 34,
  MINTMARK_EPOCH_MISMATCH = 35,
  MINTMARK_UNSAFE_STORE_CONFIG = 36,
  MINTMARK_LAYOUT_MISMATCH = 37,
  MINTMARK_FENCED = 38,
  MINTMARK_FORKED = 39,
  MINTMARK_ENTROPY_UNAVAILABLE = 40,
  MINTMARK_CLOSED = 41,

  /* Requests. */
  MINTMARK_UNKNOWN_SPACE = 60,
  MINTMARK_UNKNOWN_VERB = 61,
  MINTMARK_WRONG_TYPE = 62,
  MINTMARK_NOT_ALLOWED = 63,
  MINTMARK_TOO_MANY = 64,
  MINTMARK_OUTCOME_UNKNOWN = 65,

  /* Of this interface alone. */
  MINTMARK_BUFFER_TOO_SMALL = 80,
  MINTMARK_OUT_OF_MEMORY = 81,
  MINTMARK_INTERNAL_ERROR = 82
};

/* More about a failure. The caller's, and written only when a function fails. */
typedef struct mintmark_error {
  size_t size;             /* set by the caller: sizeof(mintmark_error) */
  int code;                /* what the function returned */
  uint32_t position;       /* of the first wrong byte of a text, from 0; else 0 */
  uint32_t retry_after_us; /* after so many microseconds it is worth trying again; 0 when unknown */
  char detail[256];        /* words for a person, zero-ended, cut where they are longer */
} mintmark_error;

#define MINTMARK_ERROR_INIT \
  { sizeof(mintmark_error), MINTMARK_OK, 0, 0, "" }

/* "WrongLength" and so on, the same name as on every protocol of mintmark; "Ok" for MINTMARK_OK, "Unknown"
 * for a number that is no code. Constant text, as that of the next three. */
const char* mintmark_error_name(int code);
/* One sentence about what is wrong. */
const char* mintmark_strerror(int code);
/* What to do about it. */
const char* mintmark_error_remedy(int code);
/* What a caller can do, in one word: "bad_input", "not_found", "denied", "limited", "refused" (no ID can be
 * proven unique right now), "busy", "outcome_unknown", "broken"; "ok" for MINTMARK_OK. */
const char* mintmark_error_kind(int code);
/* 1 if the same call may succeed later without anybody acting, 0 otherwise. */
int mintmark_error_retryable(int code);

/* Of the library that runs, as "0.1.0". Constant text. */
const char* mintmark_version(void);

/* The wall clock, in 100 ns since 1970. */
int64_t mintmark_now(void);
#define MINTMARK_TICKS_PER_MS 10000
#define MINTMARK_TICKS_PER_SECOND 10000000

/* `length` of a text that ends with a zero. */
#define MINTMARK_ZERO_ENDED ((size_t)-1)
/* Room for the text of any ID, its zero included. */
#define MINTMARK_TEXT_SIZE 129
/* Room for the binary form of any ID of the catalogue. */
#define MINTMARK_BYTES_SIZE 20

/* A scheme is a kind of ID. Who can make IDs of one: */
enum mintmark_minting {
  MINTMARK_READS_ONLY = 0,   /* nobody: they are read */
  MINTMARK_MINTS_ALONE = 1,  /* mintmark_new: random bits make them unique */
  MINTMARK_MINTS_LEASED = 2  /* mintmark_mint_open: a store makes them unique */
};

/* How the texts and the bytes of a scheme sort. */
enum mintmark_order {
  MINTMARK_ORDER_NONE = 0,      /* by no time */
  MINTMARK_ORDER_BY_TICK = 1,   /* by time, within one unit of it in any order */
  MINTMARK_ORDER_MONOTONIC = 2  /* by time, and those of one maker rise strictly */
};

/* What is fixed about a scheme. */
typedef struct mintmark_scheme {
  size_t size;        /* set by the caller: sizeof(mintmark_scheme) */
  char name[32];      /* as every function takes it: "uuid7" */
  char title[64];     /* as written in prose: "UUIDv7" */
  uint32_t bits;      /* of the value */
  uint32_t bytes;     /* of the binary form */
  uint32_t text_size; /* room for the longest text, its zero included */
  int minting;        /* enum mintmark_minting */
  int order;          /* enum mintmark_order */
} mintmark_scheme;

/* The scheme of that name, or a Snowflake layout's ("discord"). Fails with UNKNOWN_SPACE. */
int mintmark_scheme_find(const char* name, mintmark_scheme* out, mintmark_error* error);
/* The scheme of that place in the catalogue, from 0; UNKNOWN_SPACE behind the last. */
int mintmark_scheme_at(size_t index, mintmark_scheme* out, mintmark_error* error);

/*
 * Making IDs without a store.
 *
 * uuid1 uuid4 uuid6 uuid7 ulid ksuid xid objectid pushid nanoid cuid2 typeid: random bits make them unique.
 * One maker in the process serves all threads: time-ordered IDs rise strictly over all of them. It is made
 * on first use. A forked child gets one of its own.
 *
 * Errors of all four: UNKNOWN_SPACE; INVALID_ARGUMENT, also for a scheme that is only read or needs a store;
 * BUFFER_TOO_SMALL, before anything is made; ENTROPY_UNAVAILABLE. Where a millisecond has no ID left they
 * wait for the next one.
 */

/* One text. `size` is at least the text_size of the scheme; MINTMARK_TEXT_SIZE always is. */
int mintmark_new(const char* scheme, char* out, size_t size, mintmark_error* error);
/* `count` texts, each with its zero, the next one `stride` bytes behind it. `stride` as `size` above. After a
 * failure none of them may be used. */
int mintmark_new_many(const char* scheme, size_t count, char* out, size_t stride,
                      mintmark_error* error);
/* `count` binary IDs without gaps: `size` is at least `count` times the bytes of the scheme. After a failure
 * none of them may be used. */
int mintmark_new_bytes(const char* scheme, size_t count, void* out, size_t size,
                       mintmark_error* error);
/* A TypeID with this prefix: up to 63 of a-z and `_`. `size` is at least its length and 28. */
int mintmark_new_typeid(const char* prefix, char* out, size_t size, mintmark_error* error);

/*
 * Reading IDs.
 *
 * It is strict: one text for one value. Errors of all that read a text: WRONG_LENGTH, BAD_CHARACTER,
 * VALUE_OVERFLOW, WRONG_VERSION, NOT_CANONICAL, each with error->position; UNKNOWN_SPACE for the scheme.
 */

/* Whether the text is an ID of the scheme. Allocates nothing where `error` is NULL. */
int mintmark_validate(const char* scheme, const char* text, size_t length, mintmark_error* error);
/* The binary form of a text. */
int mintmark_to_bytes(const char* scheme, const char* text, size_t length, void* out, size_t size,
                      size_t* needed, mintmark_error* error);
/* The canonical text of a binary form. A TypeID comes without its prefix, which is not among the bytes.
 * Two schemes of the same bits are converted by to_bytes of the one and to_text of the other. */
int mintmark_to_text(const char* scheme, const void* bytes, size_t count, char* out, size_t size,
                     size_t* needed, mintmark_error* error);

/* When the ID was made, as its text or its bytes say. INVALID_ARGUMENT for an ID without a time. */
int mintmark_time_of_text(const char* scheme, const char* text, size_t length, int64_t* time,
                          mintmark_error* error);
int mintmark_time_of_bytes(const char* scheme, const void* bytes, size_t count, int64_t* time,
                           mintmark_error* error);

/* The smallest and the largest binary ID of an instant, for a range over a key. INVALID_ARGUMENT for a scheme
 * that no time orders, VALUE_OVERFLOW and the like for a time that its IDs do not reach. */
int mintmark_floor(const char* scheme, int64_t time, void* out, size_t size, size_t* needed,
                   mintmark_error* error);
int mintmark_ceil(const char* scheme, int64_t time, void* out, size_t size, size_t* needed,
                  mintmark_error* error);

/* All that the text may be, likeliest first, as JSON: what `mintmark inspect --json` prints. With a scheme
 * only the reading as that one; NULL for any. */
int mintmark_inspect(const char* scheme, const char* text, size_t length, char* out, size_t size,
                     size_t* needed, mintmark_error* error);

/* The number in 8 big-endian bytes, and back: Snowflakes and their like. Neither fails. */
uint64_t mintmark_load_u64(const void* bytes);
void mintmark_store_u64(uint64_t value, void* bytes);

/*
 * Making IDs with a store.
 */

/* Makes the IDs of one space: a named ID namespace, of which the store grants this process worker numbers and
 * times, or blocks of numbers. A thread in the background renews the grants. */
typedef struct mintmark_mint mintmark_mint;

/* Flags of mintmark_mint_options. */
#define MINTMARK_PIN_WORKER 1 /* take the worker number `worker`, and no other */
#define MINTMARK_NO_WAIT 2    /* never wait: fail at once, with retry_after_us */

/* What is zero keeps its default. */
typedef struct mintmark_mint_options {
  size_t size;          /* set by the caller: sizeof(mintmark_mint_options) */
  const char* store;    /* URL: "sqlite:/var/lib/app/ids.db"; NULL for that of `config` */
  const char* space;    /* of `config`, or a scheme; NULL for the only one of `config`, or "snowflake" */
  const char* config;   /* text of a configuration file (TOML), not its path; NULL for none */
  const char* layout;   /* of a Snowflake: "discord", or "time:41 worker:10 seq:12 epoch=2020-01-01" */
  uint64_t worker;      /* with MINTMARK_PIN_WORKER */
  uint32_t horizon_ms;  /* the longest window, 20 to 60000; 0 for that of `config`, or 10000 */
  uint32_t flags;       /* MINTMARK_PIN_WORKER, MINTMARK_NO_WAIT */
} mintmark_mint_options;

#define MINTMARK_MINT_OPTIONS_INIT \
  { sizeof(mintmark_mint_options), NULL, NULL, NULL, NULL, 0, 0, 0 }

/* Opens the store, which is made if it is missing, and the space in it. The first grant is fetched in the
 * background. A scheme and a layout name the same space as on the command line, so that both share it.
 * Errors: INVALID_ARGUMENT, UNKNOWN_SPACE, STORE_UNAVAILABLE, LAYOUT_MISMATCH, UNSAFE_STORE_CONFIG,
 * INCARNATION_CHANGED, STORE_REGRESSED, ENTROPY_UNAVAILABLE; `*out` is NULL then. */
int mintmark_mint_open(const mintmark_mint_options* options, mintmark_mint** out,
                       mintmark_error* error);

/* Ends the thread and frees the handle; NULL is allowed. No other call with it may be under way. A forked
 * child may close its parent's handle: the parent keeps its own. */
void mintmark_mint_close(mintmark_mint* mint);

/* Waits until the space would give an ID, or for `timeout_ms` milliseconds. Fails with what is in the way;
 * earlier, where waiting cannot help. */
int mintmark_mint_wait(mintmark_mint* mint, uint32_t timeout_ms, mintmark_error* error);

/* Bytes of a binary ID of the space, and room for its longest text, the zero included. */
size_t mintmark_mint_bytes(const mintmark_mint* mint);
size_t mintmark_mint_text_size(const mintmark_mint* mint);

/*
 * Errors of all that make IDs: NOT_READY, WINDOW_EXHAUSTED, NO_FREE_SLOT, SLOT_TAKEN, SEQUENCE_EXHAUSTED,
 * CLOCK_BEHIND and the others of that group. Each is definite: no ID was made. They wait as long as the
 * policy of the space allows (on_full, on_clock_back) and up to a second for a first grant, unless the mint
 * was opened with MINTMARK_NO_WAIT. In a forked child every call fails with FORKED: open a mint there.
 */

/* One ID that is a number. INVALID_ARGUMENT for a space of others. */
int mintmark_mint_next_u64(mintmark_mint* mint, uint64_t* out, mintmark_error* error);
/* `count` of them, the fast way to many. `made`, if not NULL, gets how many are at the front of `out`: all of
 * them, or after a failure perhaps some, which are good. */
int mintmark_mint_fill_u64(mintmark_mint* mint, uint64_t* out, size_t count, size_t* made,
                           mintmark_error* error);
/* `count` binary IDs without gaps; `size` is at least `count` times mintmark_mint_bytes. `made` as above. The
 * bytes of a NanoID or CUID2 are its characters here. */
int mintmark_mint_fill_bytes(mintmark_mint* mint, size_t count, void* out, size_t size,
                             size_t* made, mintmark_error* error);
/* One text. `size` is at least mintmark_mint_text_size; MINTMARK_TEXT_SIZE always is. */
int mintmark_mint_next_text(mintmark_mint* mint, char* out, size_t size, mintmark_error* error);
/* `count` consecutive numbers, `*first` to `*last`, of a space of blocks. WRONG_TYPE for another space,
 * INVALID_ARGUMENT above its largest block. */
int mintmark_mint_take(mintmark_mint* mint, uint64_t count, uint64_t* first, uint64_t* last,
                       mintmark_error* error);

#ifdef __cplusplus
}
#endif
