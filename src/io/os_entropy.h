// The system's random bytes, pooled per thread.
//
// A getrandom(2) call of 16 bytes costs about 440 ns, so each thread keeps a pool: AES-128 in counter
// mode (key_stream.h), keyed by getrandom, with the key replaced at every refill and consumed bytes
// erased, so that a later look into memory tells nothing about IDs made before. The pool lies in a page
// that fork() wipes (protocol R11): a child never sees its parent's bytes. The first 4 KiB of a process
// come from getrandom itself, so that a short command never pays OpenSSL's start of about 2 ms where
// the CPU has no AES of its own.
#pragma once

#include "mintmark/base/entropy.h"

namespace mintmark::io {

/// The one source of the process. Thread-safe; each thread draws from its own pool.
[[nodiscard]] Entropy& os_entropy();

}  // namespace mintmark::io
