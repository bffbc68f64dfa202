#include "store/sql_rows.h"

namespace mintmark::store {

SpaceMeta read_meta(SqlColumns& columns, const Nonce& store_id) {
  SpaceMeta meta;
  meta.store_id = store_id;
  columns.read(meta.incarnation);
  columns.read(meta.epoch);
  columns.read(meta.created_at);
  columns.read(meta.definition);
  meta.marks = columns.text() == "counter" ? Marks::counter : Marks::slots;
  columns.read(meta.slot_base);
  columns.read(meta.slot_count);
  columns.read(meta.layout_epoch);
  columns.read(meta.unit);
  columns.read(meta.horizon_max);
  columns.read(meta.skew);
  columns.read(meta.not_before);
  columns.read(meta.range_floor);
  columns.read(meta.engine_ident);
  if (columns.next_is_null()) {
    columns.skip(1);
  } else {
    columns.read(meta.suspect.emplace());
  }
  return meta;
}

}  // namespace mintmark::store
