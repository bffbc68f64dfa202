// The package ulid, by its monotonic factory. Its IDs are texts; reading one means turning it into a UUID.
import { monotonicFactory, ulidToUUID, uuidToULID } from "ulid";

import { MADE, Program, checkRising } from "./measure.mjs";

const program = new Program("ulid");
const [, texts] = program.checked("ulid", {
  read: ulidToUUID,
  write: uuidToULID,
  meaning: (uuid) => uuid.replaceAll("-", "").toLowerCase(),
});
const make = monotonicFactory();
checkRising(Array.from({ length: MADE }, () => make()));

program.repeat("ulid_text", () => make());
program.over("ulid_to_uuid", texts, (text) => ulidToUUID(text));
program.run();
