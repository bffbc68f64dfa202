// The store on an engine of keys and values: which keys there are, and how a space comes to be.
//
//   store                          name `id`: the store's id, 32 hexadecimal digits
//   spaces/<space>                 name `meta`: the meta row; name `making`: while its rows are being made
//   spaces/<space>/marks           a name for each slot (00000, ...): its mark
//   items                          what put_new inserted
//
// Rows first, the meta row last (protocol 2.2), in as many writes as the engine needs. Whoever wants a space
// writes `making` before the first row; each row is made only while that stands, and the write of the meta
// row takes it away. So a space that somebody began and did not finish is finished by the next, and rows
// without a meta row and without `making` are the remains of one that was lost.
#pragma once

#include <memory>

#include "store/key_value.h"
#include "store/store.h"

namespace mintmark::store {

/// A store on an engine that is connected. Errors: those of KeyValue.
[[nodiscard]] Outcome<std::unique_ptr<Store>> open_key_value(std::unique_ptr<KeyValue> engine,
                                                             const Environment& environment,
                                                             BootInstant deadline);

}  // namespace mintmark::store
