/**
 * The code cache of a program: it gives back exactly what was kept, for the same program, and nothing when anything differs.
 */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cacheFolders, readCache, writeCache } from "../../../../src/server/start/code-cache.ts";

let root: string;
let folders: readonly string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "code-cache-"));
  folders = cacheFolders(join(root, "programs"), { XDG_CACHE_HOME: join(root, "user") });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const program = { name: "node", hash: "0123456789abcdef0123" };
const filesOf = (folder: string): readonly string[] => readdirSync(folder).map((name) => join(folder, name));

describe("a code cache", () => {
  it("gives back what was kept, only to the same build of the same program", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string({ minLength: 1, maxLength: 8 }), (bytes, other) => {
        const code = Buffer.from(bytes);
        expect(writeCache(folders, program, code)).toBe(true);
        expect(readCache(folders, program)).toEqual(code);
        expect(readCache(folders, { ...program, hash: `${Buffer.from(other).toString("hex").padEnd(16, "x")}` })).toBeUndefined();
        expect(readCache(folders, { ...program, name: "worker-thread" })).toBeUndefined();
        // The name of the file holds only the beginning of the hash.
        expect(readCache(folders, { ...program, hash: `${program.hash}4` })).toBeUndefined();
      }),
      { numRuns: 40 },
    );
  });

  it("is missing when any byte of it has changed or its end is lost", () => {
    writeCache(folders, program, Buffer.from("compiled code of a program"));
    const [file = ""] = filesOf(folders[0] as string);
    const whole = readFileSync(file);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, change, cuts) => {
        const damaged = Buffer.from(cuts ? whole.subarray(0, at) : whole);
        if (!cuts) {
          damaged[at] = (damaged[at] as number) ^ change;
        }
        writeFileSync(file, damaged);
        expect(readCache(folders, program)).toBeUndefined();
      }),
    );
    writeFileSync(file, whole);
    expect(readCache(folders, program)).toEqual(Buffer.from("compiled code of a program"));
  });

  it("is kept for the user where the program's folder is no folder that can be written", () => {
    mkdirSync(join(root, "programs"));
    writeFileSync(join(root, "programs", "cache"), "");
    expect(writeCache(folders, program, Buffer.from("code"))).toBe(true);
    expect(filesOf(join(root, "user", "orrery"))).toHaveLength(1);
    expect(readCache(folders, program)).toEqual(Buffer.from("code"));
  });

  it("is not read from a folder that others can write, nor written there", () => {
    const [first = ""] = folders;
    writeCache([first], program, Buffer.from("code"));
    chmodSync(first, 0o777);
    expect(readCache([first], program)).toBeUndefined();
    expect(writeCache([first], program, Buffer.from("code"))).toBe(false);
  });

  it("keeps the newest files of its folder and bounds their number", () => {
    const [first = ""] = folders;
    for (let build = 0; build < 40; build++) {
      writeCache([first], { name: "node", hash: `${build}`.padStart(16, "0") }, Buffer.from(`${build}`));
      for (const file of filesOf(first).filter((path) => path.includes(`${build}`.padStart(16, "0")))) {
        utimesSync(file, 1000 + build, 1000 + build);
      }
    }
    expect(filesOf(first)).toHaveLength(16);
    expect(readCache([first], { name: "node", hash: "39".padStart(16, "0") })).toEqual(Buffer.from("39"));
    expect(readCache([first], { name: "node", hash: "1".padStart(16, "0") })).toBeUndefined();
  });
});
