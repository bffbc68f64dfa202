// The package uuid. What it makes is text; v4 is the crypto.randomUUID of Node.js.
import { parse, stringify, v4, v7 } from "uuid";

import { MADE, Program, checkRising, checkUuids, hex } from "./measure.mjs";

const program = new Program("uuid");
const [ids, texts] = program.checked("uuid", { read: parse, write: (id) => stringify(id), meaning: hex });
checkUuids(Array.from({ length: MADE }, () => v4()), "4");
const rising = Array.from({ length: MADE }, () => v7());
checkUuids(rising, "7");
checkRising(rising);

program.repeat("uuid4_text", () => v4());
program.repeat("uuid7_text", () => v7());
program.over("uuid_write", ids, (id) => stringify(id));
program.over("uuid_parse", texts, (text) => parse(text));
program.run();
