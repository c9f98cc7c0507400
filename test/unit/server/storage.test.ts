import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StorageError } from "../../../src/ports/storage.ts";
import { CachedReads } from "../../../src/server/ports/cached-reads.ts";
import { OpenFiles } from "../../../src/server/ports/open-files.ts";
import { makeSpillFolder } from "../../../src/server/ports/spill-folders.ts";
import { FolderStorage } from "../../../src/server/ports/storage.ts";
import { decodeUtf8, encodeUtf8 } from "../../../src/types/utf8.ts";

let outside: string;
let root: string;
let storage: FolderStorage;

beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), "orrery-storage-"));
  root = join(outside, "root");
  mkdirSync(root);
  // A sibling directory whose path has ours as a prefix.
  mkdirSync(join(outside, "root2"));
  writeFileSync(join(outside, "root2", "secret"), "secret");
  writeFileSync(join(outside, "secret"), "secret");
  storage = new FolderStorage(root, { readOnly: false });
});

afterEach(() => {
  rmSync(outside, { recursive: true, force: true });
});

it("removes the spill folders of processes of this host that are dead, and no other", () => {
  const dead = Number(execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }));
  const others = [`orrery-other-${dead}-AbCdEf`, `orrery-here-${process.ppid}-AbCdEf`, `orrery-here-${dead}`, "orrery-AbCdEf"];
  for (const name of [`orrery-here-${dead}-AbCdEf`, ...others]) {
    mkdirSync(join(outside, "spills", name), { recursive: true });
  }
  const own = makeSpillFolder(join(outside, "spills"), "here");
  expect(readdirSync(join(outside, "spills")).toSorted()).toEqual([...others, basename(own)].toSorted());
});

async function kindOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "no error",
    (error: unknown) => (error instanceof StorageError ? error.kind : `not a StorageError: ${String(error)}`),
  );
}

/** A descriptor of the listing itself is gone when it is looked at. */
function leadsInto(link: string, folder: string): boolean {
  try {
    return readlinkSync(link).startsWith(folder);
  } catch {
    return false;
  }
}

const operations: readonly [string, (path: string) => Promise<unknown>][] = [
  ["list", (path) => storage.list(path)],
  ["stat", (path) => storage.stat(path)],
  ["read", (path) => storage.read(path, 0, 10)],
  ["write", (path) => storage.write(path, encodeUtf8("overwritten"))],
  ["append", (path) => storage.append(path, encodeUtf8("appended"))],
  ["rename from", (path) => storage.rename(path, "x")],
  ["rename to", (path) => storage.rename("there", path)],
  ["remove", (path) => storage.remove(path)],
  ["sync", (path) => storage.sync(path)],
];

describe("a folder", () => {
  it("appends to the file that has the name now, whatever became of the one before", async () => {
    const text = async (path: string): Promise<string> => Buffer.from(await storage.read(path, 0, 100)).toString();
    const append = (path: string, part: string): Promise<void> => storage.append(path, encodeUtf8(part));
    for (const part of ["a", "b"]) {
      await append("log/one", part);
    }
    expect(await text("log/one")).toBe("ab");
    await storage.rename("log/one", "log/two");
    await append("log/one", "c");
    await append("log/two", "d");
    expect([await text("log/one"), await text("log/two")]).toEqual(["c", "abd"]);
    await storage.write("log/one", encodeUtf8("e"));
    await append("log/one", "f");
    await storage.rename("log", "moved");
    await append("log/one", "g");
    expect([await text("moved/one"), await text("log/one")]).toEqual(["ef", "g"]);
    await storage.remove("log");
    await append("log/one", "h");
    expect(await text("log/one")).toBe("h");
    // Another process removes it.
    rmSync(join(root, "log"), { recursive: true });
    await append("log/one", "i");
    expect(await text("log/one")).toBe("i");
  });

  it.skipIf(process.platform !== "linux")("keeps few descriptors of files open", async () => {
    const count = (): number => readdirSync("/proc/self/fd").filter((name) => leadsInto(`/proc/self/fd/${name}`, root)).length;
    for (let number = 0; number < 30; number++) {
      await storage.append(`f${number}`, encodeUtf8("a"));
      await storage.append("f0", encodeUtf8("b"));
    }
    expect(count()).toBeLessThanOrEqual(8);
    expect(readFileSync(join(root, "f0"), "utf8")).toBe(`a${"b".repeat(30)}`);
    await storage.remove("");
    expect(count()).toBe(0);
  });

  it.each(operations)("is never left by %s", async (_name, operation) => {
    await storage.write("there", encodeUtf8("there"));
    const part = fc.constantFrom("..", ".", "a", "root", "root2", "secret", "", "%2e%2e", "..\\..");
    const leaving = fc.array(part, { maxLength: 6 }).map((parts) => ["..", ...parts].join("/"));
    const anyPath = fc.oneof(
      leaving.map((path) => `a/../${path}`),
      leaving,
      leaving.map((path) => `/${path}`),
      fc.constantFrom(outside, `${outside}/secret`, `${root}2/secret`, "../root2/secret", "/etc/passwd", "a\0/../../secret"),
    );
    await fc.assert(
      fc.asyncProperty(anyPath, async (path) => {
        const kind = await kindOf(operation(path));
        expect(["INVALID_PATH", "NOT_FOUND", "IO", "no error"]).toContain(kind);
        expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret");
        expect(readFileSync(join(outside, "root2", "secret"), "utf8")).toBe("secret");
        if (/^(\.\.|\/)/.test(path) && !path.includes("root")) {
          expect(kind).toBe("INVALID_PATH");
        }
        await storage.write("there", encodeUtf8("there"));
      }),
      { numRuns: 60 },
    );
  });

  it("gives exactly the bytes of a range, fewer only at the end", async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);
    await storage.write("deep/er/file", bytes);
    await fc.assert(
      fc.asyncProperty(fc.nat(1200), fc.nat(1200), async (offset, length) => {
        expect(await storage.read("deep/er/file", offset, length)).toEqual(bytes.slice(offset, offset + length));
      }),
      { numRuns: 60 },
    );
  });

  it("fills the buffer of an earlier read if it has room", async () => {
    await storage.write("file", encodeUtf8("0123456789"));
    const first = await storage.read("file", 0, 4);
    const second = await storage.read("file", 4, 4, first);
    expect([second.buffer, decodeUtf8(second)]).toEqual([first.buffer, "4567"]);
    const last = await storage.read("file", 8, 4, first);
    expect([last.buffer === first.buffer, decodeUtf8(last), decodeUtf8(first)]).toEqual([true, "89", "8967"]);
    expect(decodeUtf8(await storage.read("file", 0, 5, first))).toBe("01234");
    expect(decodeUtf8(first)).toBe("8967");
  });

  it("lists by name in code unit order, with sizes, and sees what a link points at", async () => {
    for (const name of ["b", "a", "B", "é", "a1", "a10", "a2"]) {
      await storage.write(name, encodeUtf8(name));
    }
    await storage.write("d/inner", encodeUtf8("12345"));
    symlinkSync(join(root, "gone"), join(root, "broken"));
    symlinkSync(join(root, "d", "inner"), join(root, "link"));
    const entries = await storage.list("");
    expect(entries.map((entry) => entry.name)).toEqual(["B", "a", "a1", "a10", "a2", "b", "d", "link", "é"]);
    expect(entries.find((entry) => entry.name === "d")).toMatchObject({ directory: true, sizeBytes: 0 });
    expect(entries.find((entry) => entry.name === "link")).toMatchObject({ directory: false, sizeBytes: 5 });
    expect(await storage.stat("d/inner")).toMatchObject({ name: "inner", directory: false, sizeBytes: 5 });
  });

  it("lists a long folder as a short one", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `file-${10 + index}`);
    for (const name of names) {
      writeFileSync(join(root, name), name);
    }
    symlinkSync("loop", join(root, "loop"));
    const entries = await storage.list("");
    expect(entries.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([...names.map((name) => [name, 7]), ["loop", 0]]);
    expect(entries.at(-1)?.problem).toContain("symbolic links");
  });

  it("lists what cannot be read, each with what is wrong with it, and reads nothing of it", async () => {
    await storage.write("file", encodeUtf8("abc"));
    symlinkSync("loop", join(root, "loop"));
    symlinkSync(join(root, "two"), join(root, "one"));
    symlinkSync(join(root, "one"), join(root, "two"));
    execFileSync("mkfifo", [join(root, "pipe")]);
    symlinkSync("/dev/zero", join(root, "zeros"));
    const tooMany = "ELOOP: too many symbolic links encountered";
    const entries = await storage.list("");
    expect(entries.map(({ name, problem }) => [name, problem])).toEqual([
      ["file", undefined],
      ["loop", tooMany],
      ["one", tooMany],
      ["pipe", "it is neither a file nor a directory"],
      ["two", tooMany],
      ["zeros", "it is neither a file nor a directory"],
    ]);
    // More pipes at once than there are threads: no read waits for a writer.
    await Promise.all(Array.from({ length: 16 }, () => storage.read("pipe", 0, 10)));
    expect(await kindOf(storage.read("loop", 0, 1))).toBe("IO");
    expect(await storage.read("file", 0, 10)).toEqual(encodeUtf8("abc"));
  });

  it("says what is missing and what is not a file", async () => {
    await storage.write("file", encodeUtf8("x"));
    expect(await kindOf(storage.list("nowhere"))).toBe("NOT_FOUND");
    expect(await kindOf(storage.stat("nowhere"))).toBe("NOT_FOUND");
    expect(await kindOf(storage.read("file/inner", 0, 1))).toBe("NOT_FOUND");
    expect(await kindOf(storage.rename("nowhere", "x"))).toBe("NOT_FOUND");
    expect(await kindOf(storage.read("", 0, 1))).toBe("IO");
    expect(await kindOf(storage.remove("nowhere"))).toBe("no error");
  });

  it("appends, replaces, renames into new folders and removes with all that is in it", async () => {
    await storage.append("d/log", encodeUtf8("one"));
    await storage.append("d/log", encodeUtf8("two"));
    await storage.sync("d/log");
    const before = await storage.stat("d/log");
    expect(await storage.read("d/log", 0, 100)).toEqual(encodeUtf8("onetwo"));
    await storage.rename("d/log", "e/f/log");
    expect(await kindOf(storage.stat("d/log"))).toBe("NOT_FOUND");
    await storage.write("e/f/log", encodeUtf8("longer than before"));
    expect((await storage.stat("e/f/log")).version).not.toBe(before.version);
    await storage.remove("e");
    expect(await kindOf(storage.read("e/f/log", 0, 1))).toBe("NOT_FOUND");
  });
});

describe("a read-only folder", () => {
  it("refuses every change and reads as usual", async () => {
    await storage.write("file", encodeUtf8("abc"));
    const view = new FolderStorage(root, { readOnly: true });
    for (const change of [
      view.write("file", encodeUtf8("x")),
      view.append("file", encodeUtf8("x")),
      view.rename("file", "other"),
      view.rename("file", "../out"),
      view.remove("file"),
      view.sync("file"),
    ]) {
      expect(await kindOf(change)).toBe("IO");
    }
    expect(await view.read("file", 1, 5)).toEqual(encodeUtf8("bc"));
    expect((await view.list("")).map((entry) => entry.name)).toEqual(["file"]);
  });

  it("refuses links that lead out of it, unless they are allowed", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "orrery-elsewhere-"));
    writeFileSync(join(elsewhere, "secret"), "x");
    await storage.write("in/file", encodeUtf8("abc"));
    symlinkSync(elsewhere, join(root, "folder"));
    symlinkSync(join(elsewhere, "secret"), join(root, "link"));
    symlinkSync("in/file", join(root, "own"));
    const view = new FolderStorage(root, { readOnly: true });
    const problems = (await view.list("")).map(({ name, problem }) => [name, problem]);
    const leadsOut = "it is a link that leads out of the folder of the catalog";
    expect(problems).toEqual([
      ["folder", leadsOut],
      ["in", undefined],
      ["link", leadsOut],
      ["own", undefined],
    ]);
    expect(await view.read("own", 0, 3)).toEqual(encodeUtf8("abc"));
    const works = [view.read("link", 0, 1), view.read("folder/secret", 0, 1), view.stat("folder/secret"), view.list("folder")];
    await Promise.all(works.map((work) => expect(work).rejects.toMatchObject({ kind: "INVALID_PATH", message: leadsOut })));
    const open = new FolderStorage(root, { readOnly: true, followsLinks: true });
    expect(await open.read("folder/secret", 0, 1)).toEqual(encodeUtf8("x"));
    rmSync(elsewhere, { recursive: true });
  });

  it("refuses a file that was read before and is a link now", async () => {
    const elsewhere = join(outside, "root2");
    writeFileSync(join(elsewhere, "secret"), "secret");
    writeFileSync(join(root, "file"), "plain");
    mkdirSync(join(root, "inner"));
    writeFileSync(join(root, "inner", "secret"), "inner");
    const view = new FolderStorage(root, { readOnly: true });
    for (const path of ["file", "inner/secret"]) {
      expect(await view.read(path, 0, 99)).toEqual(encodeUtf8(path === "file" ? "plain" : "inner"));
      expect((await view.stat(path)).sizeBytes).toBe(5);
    }
    rmSync(join(root, "file"));
    symlinkSync(join(elsewhere, "secret"), join(root, "file"));
    rmSync(join(root, "inner"), { recursive: true });
    symlinkSync(elsewhere, join(root, "inner"));
    const works = [view.read("file", 0, 1), view.stat("file"), view.read("inner/secret", 0, 1), view.list("file"), view.list("inner")];
    await Promise.all(works.map((work) => expect(work).rejects.toMatchObject({ kind: "INVALID_PATH" })));
    rmSync(join(root, "file"));
    writeFileSync(join(root, "file"), "again");
    expect(await view.read("file", 0, 99)).toEqual(encodeUtf8("again"));
  });

  it("may itself be a link", async () => {
    await storage.write("real/file", encodeUtf8("abc"));
    symlinkSync(join(root, "real"), join(root, "alias"));
    const view = new FolderStorage(join(root, "alias"), { readOnly: true });
    expect((await view.list("")).map(({ name, problem }) => [name, problem])).toEqual([["file", undefined]]);
    expect(await view.read("file", 0, 3)).toEqual(encodeUtf8("abc"));
  });

  it("does not tell where it is", async () => {
    const view = new FolderStorage(root, { readOnly: true });
    await expect(view.list("nowhere")).rejects.toMatchObject({ message: expect.not.stringContaining(root) });
  });
});

describe("reads from the cache of the system", () => {
  const piece = 262_144;

  let turns: (() => void)[] = [];
  const onNextTurn = (callback: () => void): void => void turns.push(callback);

  beforeEach(() => {
    turns = [];
  });

  /** Reads of a file whose pieces take the given times; those after them take none. */
  function reads(timesMs: readonly number[]): CachedReads {
    let nowMs = 0;
    let calls = 0;
    const read = (_file: number, target: Uint8Array, position: number): number => {
      nowMs += timesMs[calls++] ?? 0;
      target.fill(position / piece + 1);
      return target.length;
    };
    return new CachedReads({ nowMs: () => nowMs, read, onNextTurn });
  }

  it("fill the whole target while they are fast", () => {
    const target = new Uint8Array(2 * piece + 1);
    expect(reads([]).fill(3, target, 0)).toBe(target.length);
    expect([target[0], target[piece], target[2 * piece]]).toEqual([1, 2, 3]);
  });

  it("leave to the pool what comes after a slow piece", () => {
    expect(reads([0, 9]).fill(3, new Uint8Array(4 * piece), 0)).toBe(2 * piece);
  });

  it("pause after a slow one, for twice as long after each that is slow again, until one is fast", () => {
    const cached = reads([9, 9, 0, 9]);
    const filled = Array.from({ length: 20 }, () => cached.fill(3, new Uint8Array(1), 0));
    expect(filled.join("")).toBe(["1", "0000", "1", "00000000", "1", "1", "0000"].join(""));
  });

  it("leave what is beyond 8 MB in one turn of the event loop to the pool", () => {
    const cached = reads([]);
    const target = new Uint8Array(4 * 1024 * 1024 + 1);
    expect([1, 2, 3].map(() => cached.fill(3, target, 0))).toEqual([target.length, target.length, 0]);
    expect(turns.length).toBe(1);
    turns[0]?.();
    expect(cached.fill(3, target, 0)).toBe(target.length);
  });

  it("end with the file", () => {
    writeFileSync(join(root, "file"), "abcdef");
    const file = openSync(join(root, "file"), "r");
    const target = new Uint8Array(8);
    const read = (at: number, bytes: Uint8Array, position: number): number => readSync(at, bytes, 0, bytes.length, position);
    expect(new CachedReads({ nowMs: () => 0, read, onNextTurn }).fill(file, target, 2)).toBe(4);
    closeSync(file);
    expect(decodeUtf8(target.subarray(0, 4))).toBe("cdef");
  });
});

it("keeps few files open, and each of them has the bytes that were appended to it", async () => {
  const operation = fc.record({
    file: fc.nat(4),
    bytes: fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 3 }),
    isAwaited: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(operation, { maxLength: 30 }), async (openMax, operations) => {
      const files = new OpenFiles(undefined, openMax);
      const folder = mkdtempSync(join(root, "open-"));
      const opened = Array.from({ length: 5 }, (_, index) => files.open(join(folder, String(index))));
      const expected = opened.map((): number[] => []);
      const running: Promise<unknown>[] = [];
      for (const { file, bytes, isAwaited } of operations) {
        const own = expected[file] as number[];
        const appended = opened[file]?.append(bytes) as Promise<void>;
        own.push(...bytes.flatMap((part) => [...part]));
        const read = appended.then(() => opened[file]?.read(0, new Uint8Array(1_000)));
        const length = own.length;
        const wanted = own.slice();
        running.push(read.then((found) => expect([...(found as Uint8Array)].slice(0, length)).toEqual(wanted)));
        await (isAwaited ? read : undefined);
        expect(files.openCount).toBeLessThanOrEqual(openMax);
      }
      await Promise.all(running);
      opened.forEach((file) => file.close());
      expect(files.openCount).toBe(0);
    }),
    { numRuns: 30 },
  );
});

it("a file that is kept open is made in a folder that is made for it, and its errors are those of a storage", async () => {
  const file = storage.openFile("spill/q.0.0/0");
  await file.append([encodeUtf8("ab"), encodeUtf8("c")]);
  await file.append([encodeUtf8("d")]);
  expect(decodeUtf8(await file.read(1, 10))).toBe("bcd");
  file.close();
  expect(() => storage.openFile("../outside")).toThrow(StorageError);
  expect(await kindOf(storage.openFile("spill").append([encodeUtf8("x")]))).toBe("IO");
  expect(await kindOf(storage.openFile("missing").read(0, 1))).toBe("NOT_FOUND");
});
