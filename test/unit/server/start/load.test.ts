/**
 * Programs that are loaded with V8's code cache run alike with a cache, without one and with one that is damaged or of another build.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, expect, it } from "vitest";
import { projectRoot } from "../../../support/programs/server-process.ts";

let folder: string;
let cache: string;

/** As tools/programs/build.mjs writes it. */
function writePrograms(result: number): void {
  const programs = {
    program: `(function(module,exports,require,__filename,__dirname){
      module.exports = { twice: require("./library").twice(${result}), same: require("./library") === require("./library") };})`,
    library: `(function(module,exports,require,__filename,__dirname){ exports.twice = (value) => value * 2; })`,
  };
  const hashes = Object.entries(programs).map(([name, text]) => {
    writeFileSync(join(folder, `${name}.cjs`), text);
    return [name, createHash("sha256").update(text).digest("hex")];
  });
  writeFileSync(join(folder, "hashes.json"), JSON.stringify(Object.fromEntries(hashes)));
}

function run(): { readonly output: string; readonly files: ReadonlyMap<string, number> } {
  const source = `console.log(JSON.stringify(require(${JSON.stringify(join(folder, "load.cjs"))}).load("program")))`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", source], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: folder },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const names = statSync(cache, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(cache).sort();
  return { output: stdout.trim(), files: new Map(names.map((name) => [name, statSync(join(cache, name)).mtimeMs])) };
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "load-"));
  cache = join(folder, "cache");
  await build({
    entryPoints: [join(projectRoot, "src/server/start/load.ts")],
    outfile: join(folder, "load.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
  });
  writePrograms(21);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const answer = (value: number): string => JSON.stringify({ twice: value, same: true });

it("keeps the code of a program and of its libraries, and uses it again", () => {
  const first = run();
  expect(first.output).toBe(answer(42));
  expect([...first.files.keys()].map((name) => name.split("-")[0])).toEqual(["library", "program"]);
  // A cache that is used is not written again: the files are the same.
  expect(run()).toEqual(first);
});

it("runs another build of a program from its own text, although its length is the same", () => {
  run();
  writePrograms(34);
  expect(run().output).toBe(answer(68));
});

it("replaces a cache that is damaged", () => {
  const { files } = run();
  for (const name of files.keys()) {
    const bytes = readFileSync(join(cache, name));
    writeFileSync(join(cache, name), bytes.subarray(0, bytes.length >> 1));
  }
  const halves = new Map([...files.keys()].map((name) => [name, statSync(join(cache, name)).size]));
  expect(run().output).toBe(answer(42));
  for (const [name, bytes] of halves) {
    expect(statSync(join(cache, name)).size).toBeGreaterThan(bytes);
  }
});

it("runs without a cache where none can be written", () => {
  writeFileSync(cache, "");
  mkdirSync(join(folder, ".cache"));
  writeFileSync(join(folder, ".cache", "orrery"), "");
  expect(
    spawnSync(process.execPath, ["-e", `console.log(require(${JSON.stringify(join(folder, "load.cjs"))}).load("program").twice)`], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: folder },
    }).stdout.trim(),
  ).toBe("42");
});
