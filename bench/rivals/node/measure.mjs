// The protocol of bench/rivals/cpp/measure.h, for the rivals in JavaScript.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

export const MADE = 1000;

export function wrong(words) {
  console.error(`wrong: ${words}`);
  process.exit(1);
}

function usage() {
  console.error("usage: PROGRAM ANSWERS --name|--works|--check|WORK...");
  process.exit(2);
}

/// A global that the engine cannot prove to be unread.
export function keep(value) {
  globalThis.kept = value;
}

export const hex = (bytes) => Buffer.from(bytes).toString("hex");

export class Program {
  #name;
  #folder;
  #wanted;
  #works = new Map();
  #takes = [];

  constructor(name) {
    const found = createRequire(import.meta.url).resolve(name);
    const base = found.slice(0, found.lastIndexOf(`/node_modules/${name}/`));
    const { version } = JSON.parse(
      readFileSync(`${base}/node_modules/${name}/package.json`, "utf8"));
    this.#name = `Node ${name} ${version}`;
    [this.#folder, ...this.#wanted] = process.argv.slice(2);
    if (this.#wanted.length === 0) usage();
  }

  /// read throws for a text that it refuses.
  checked(family, { read, write, meaning }) {
    const lines = readFileSync(`${this.#folder}/${family}.tsv`, "utf8").trimEnd().split("\n");
    const ids = [];
    const texts = [];
    for (const line of lines) {
      const [kind, text, expected] = line.split("\t");
      let id;
      try {
        id = read(text);
      } catch (error) {
        if (kind !== "refuses") wrong(`${family} does not read ${text}: ${error.message}`);
        continue;
      }
      if (kind === "refuses") {
        this.#takes.push(`${family}\t${text}`);
        continue;
      }
      if (meaning(id) !== expected) wrong(`${family} misreads ${text}`);
      if (kind !== "both") continue;
      if (write(id) !== text) wrong(`${family} does not write ${text}`);
      ids.push(id);
      texts.push(text);
    }
    if (ids.length === 0) wrong(`no answers for ${family}`);
    return [ids, texts];
  }

  /// A work that makes something anew each time.
  repeat(work, step) {
    this.#works.set(work, (times) => {
      for (; times > 0; --times) keep(step());
    });
  }

  /// A work that goes round over items, so that no branch is learnt by heart.
  over(work, items, step) {
    this.#works.set(work, (times) => {
      for (let at = 0; times > 0; --times) {
        keep(step(items[at]));
        if (++at === items.length) at = 0;
      }
    });
  }

  run() {
    if (this.#wanted[0] === "--name") {
      console.log(this.#name);
    } else if (this.#wanted[0] === "--works") {
      for (const work of this.#works.keys()) console.log(work);
    } else if (this.#wanted[0] === "--check") {
      for (const line of this.#takes) console.log(`takes\t${line}`);
    } else {
      for (const work of this.#wanted) {
        const times = this.#works.get(work) ?? usage();
        console.log(`${work}\t${nanoseconds(times).toFixed(3)}`);
      }
    }
  }
}

/// Processor time of the whole process, in seconds.
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1e-6;
}

/// Of one operation: twice as many until they take long enough, so that the earlier ones warm up.
function nanoseconds(times) {
  const longEnough = 0.2;
  for (let count = 1000; ; count *= 2) {
    const began = processorTime();
    times(count);
    const seconds = processorTime() - began;
    if (seconds >= longEnough) return (seconds * 1e9) / count;
  }
}

export function checkUuids(texts, version) {
  for (const text of texts) {
    const shape = text.length === 36 && text[14] === version && "89ab".includes(text[19]);
    if (!shape) wrong(`not a UUID of version ${version}: ${text}`);
  }
  if (new Set(texts).size !== MADE) wrong("a UUID came twice");
}

export function checkRising(texts) {
  for (let i = 1; i < texts.length; ++i) {
    if (texts[i - 1] >= texts[i]) wrong("the IDs do not rise");
  }
}
