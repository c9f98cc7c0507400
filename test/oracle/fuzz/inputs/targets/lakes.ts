/**
 * Tables of Delta Lake and Iceberg with altered files of metadata, read by the files connector with their tables of metadata and older
 * versions: rows, or an error that names the table, without a read outside of its folder.
 */
import { Folder, openFolder } from "../../../../unit/connectors/files/folder.ts";
import { readTable } from "../../../../unit/connectors/world.ts";
import type { Random } from "../../random.ts";
import { drawByteEdit, edited, shownBytes, smallerBytes } from "../bytes.ts";
import { type FuzzTarget, judgedRefusal, type Verdict } from "../target.ts";
import { editJson } from "./json-edits.ts";
import { deltaFiles, icebergFiles, type LakeFiles } from "./lake-files.ts";

type Files = ReadonlyMap<string, Uint8Array>;

const decoder = new TextDecoder();
const refusals: ReadonlySet<string> = new Set([
  "FILE_BAD_DATA",
  "NOT_SUPPORTED",
  "FILE_NOT_FOUND",
  "NOT_FOUND",
  "TABLE_NOT_FOUND",
  "INVALID_ARGUMENTS",
]);
const about = {
  delta: ["t", "t$history", "t$properties", "t$partitions"],
  iceberg: ["t", "t$snapshots", "t$files", "t$manifests", "t$partitions", "t$refs"],
};

class LakeTarget implements FuzzTarget<Files> {
  readonly #kind: "delta" | "iceberg";
  readonly #source: LakeFiles;

  constructor(kind: "delta" | "iceberg", source: LakeFiles) {
    this.#kind = kind;
    this.#source = source;
  }

  draw(random: Random): Files {
    const files = new Map(this.#source.files);
    for (let left = 1 + random.below(3); left > 0; left--) {
      this.#edit(random, files);
    }
    return files;
  }

  #edit(random: Random, files: Map<string, Uint8Array>): void {
    const path = random.pick(this.#source.metadata);
    const bytes = files.get(path);
    if (bytes === undefined || bytes.length === 0) {
      return;
    }
    const kind = random.below(20);
    if (kind === 0) {
      files.delete(path);
    } else if (kind === 1) {
      files.set(
        path.replace(/\d+(?=\D*$)/, (digits) => String(random.pick([0, 1, 7, 10 ** 9])).padStart(digits.length, "0")),
        bytes,
      );
    } else if (kind < 5) {
      files.set(path, edited(bytes, drawByteEdit(random, bytes)));
    } else {
      files.set(path, this.#source.alter(random, path, bytes, editJson) ?? edited(bytes, drawByteEdit(random, bytes)));
    }
  }

  async run(files: Files): Promise<Verdict> {
    const folder = new Folder();
    for (const [path, bytes] of files) {
      folder.put(path, bytes);
    }
    const open = openFolder(folder);
    const { metadata } = open.node.connector;
    const outcomes = new Set<string>();
    for (const table of about[this.#kind]) {
      const failed = await judged(async () => {
        const found = await metadata.getTable({ schema: "default", table });
        if (found === undefined) {
          return "no table";
        }
        await metadata.getStatistics?.(found);
        const rows = await readTable(open.world, open.node, found);
        return rows.length === 0 ? "no rows" : "rows";
      });
      if (failed.fault !== undefined) {
        return { ...failed, fault: { ...failed.fault, detail: `${table}: ${failed.fault.detail}` } };
      }
      outcomes.add(failed.outcome);
    }
    const outside = folder.reads.find(({ path }) => !path.startsWith("t/") || path.includes(".."));
    return {
      outcome: [...outcomes].toSorted().join(" and "),
      ...(outside !== undefined && { fault: { kind: "reads outside of the table", detail: outside.path } }),
    };
  }

  *smaller(files: Files): Iterable<Files> {
    const { files: source } = this.#source;
    const changed = [...files].filter(([path, bytes]) => source.get(path) !== bytes);
    for (const [path, bytes] of changed) {
      const whole = source.get(path);
      const without = new Map(files);
      if (whole === undefined) {
        without.delete(path);
      } else {
        without.set(path, whole);
      }
      yield without;
      for (const smaller of smallerBytes(bytes)) {
        yield new Map(files).set(path, smaller);
      }
    }
    for (const [path, bytes] of source) {
      if (!files.has(path)) {
        yield new Map(files).set(path, bytes);
      }
    }
  }

  show(files: Files): string {
    const { files: source } = this.#source;
    const gone = [...source.keys()].filter((path) => !files.has(path)).map((path) => `${path}: removed`);
    const changed = [...files]
      .filter(([path, bytes]) => source.get(path) !== bytes)
      .map(([path, bytes]) => `${path}: ${path.endsWith(".json") ? decoder.decode(bytes).slice(0, 3000) : shownBytes(bytes)}`);
    return [...gone, ...changed].join("\n");
  }
}

async function judged(work: () => Promise<string>): Promise<Verdict> {
  try {
    return { outcome: await work() };
  } catch (error) {
    return judgedRefusal(error, {
      names: refusals,
      unlike: (errorName, message) => (errorName === "NOT_SUPPORTED" || /\bt\b/.test(message) ? undefined : "does not name the table"),
    });
  }
}

export async function openLake(kind: "delta" | "iceberg"): Promise<FuzzTarget<Files>> {
  return new LakeTarget(kind, await (kind === "delta" ? deltaFiles() : icebergFiles()));
}
