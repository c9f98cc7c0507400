/**
 * `verify` finds nondeterminism and the first event with a difference: shown with nodes that leak host state, in a program of the test's
 * own.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawRun } from "../../sim/draw/draw.ts";
import { StreamTree } from "../../sim/world/streams.ts";
import { type TraceEntry, World } from "../../sim/world/world.ts";
import { runPlan } from "../../sim/run.ts";
import { firstEntryDifference, firstTextDifference, partedBetween } from "../../sim/verify/compare.ts";
import { findNodes, missingNodes } from "../../sim/verify/nodes.ts";
import { hostileSurroundings, type Surroundings } from "../../sim/verify/surroundings.ts";
import { describeDifference, verify } from "../../sim/verify/verify.ts";
import { entryLine } from "../../sim/trace/trace.ts";
import { leakInto, leakIntoHeader } from "../support/leak.ts";
import { projectRoot } from "../support/programs/server-process.ts";

const seed = "43";
/** Several whole runs in their own processes, on a possibly busy machine. */
const timeoutMs = 240_000;
const again: Surroundings = { name: "again" };
const elsewhere: Surroundings = { name: "elsewhere", environment: { TZ: "Pacific/Chatham" } };
let folder: string;
let saboteur: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-test-verify-"));
  saboteur = join(folder, "saboteur.mjs");
  await build({
    absWorkingDir: projectRoot,
    entryPoints: ["test/support/programs/verify-saboteur.ts"],
    outfile: saboteur,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["esbuild"],
    banner: { js: 'import { createRequire as bundledRequire } from "node:module"; const require = bundledRequire(import.meta.url);' },
    logLevel: "error",
  });
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The first event whose entries differ between two runs of one process, and the kind of that entry. */
async function firstDifferentEvent(ordinal: number, texts: readonly [string, string]): Promise<{ event: number; kind: string }> {
  const runs: TraceEntry[][] = [];
  for (const text of texts) {
    const entries: TraceEntry[] = [];
    await runPlan(drawRun(seed), {
      trace: (entry) => entries.push(entry),
      traceExtras: { bytes: true },
      sabotage: leakInto(ordinal, text),
    });
    runs.push(entries);
  }
  const [one = [], other = []] = runs;
  const index = one.findIndex((entry, place) => other[place] === undefined || entryLine(entry) !== entryLine(other[place]));
  const { event, kind } = one[index] as TraceEntry;
  return { event, kind };
}

describe("a node that leaks", () => {
  it(
    "its time zone is found out in another zone and nowhere else, at the event where its answer differs",
    async () => {
      const expected = await firstDifferentEvent(2, ["", "Pacific/Chatham"]);
      const report = await verify({
        program: { file: saboteur, args: ["zone", "2"] },
        subject: { kind: "seed", seed },
        surroundings: [again, elsewhere],
        jobs: 2,
      });
      expect(report.runs.map(({ surroundings, verdict }) => [surroundings.name, verdict.kind])).toEqual([
        ["again", "same"],
        ["elsewhere", "different"],
      ]);
      const verdict = report.runs[1]?.verdict;
      if (verdict?.kind !== "different" || verdict.difference.kind !== "event") {
        throw new Error(`no event was found: ${JSON.stringify(verdict)}`);
      }
      expect(verdict.difference.event).toBe(expected.event);
      expect(verdict.difference.entries.a?.kind).toBe(expected.kind);
      const text = describeDifference(verdict.difference, elsewhere).join("\n");
      expect(text).toMatch(new RegExp(`^NONDETERMINISTIC at event ${expected.event} t=\\d+\\.\\d{9} c\\n`));
      expect(text).toMatch(
        /A \(plain.*\): event \d+ .* respond .* 200 \d+ bytes\n {2}B \(elsewhere\): event \d+ .* respond .* 200 \d+ bytes/,
      );
      expect(text).toMatch(/last common entry: event \d+ /);
      expect(text).toMatch(new RegExp(`last common hash [0-9a-f]{8}-[0-9a-f]{8} after event ${expected.event - 1}$`));
    },
    timeoutMs,
  );

  it(
    "an identifier of its process is found out by nothing but another process, in the bytes where it stands",
    async () => {
      const texts: readonly [string, string] = ["0".repeat(36), "1".repeat(36)];
      const expected = await firstDifferentEvent(1, texts);
      // Equal length: only the bytes differ.
      expect(expected.kind).toBe("bytes");
      const report = await verify({
        program: { file: saboteur, args: ["unique", "1"] },
        subject: { kind: "seed", seed },
        surroundings: [again],
        jobs: 1,
      });
      const verdict = report.runs[0]?.verdict;
      if (verdict?.kind !== "different" || verdict.difference.kind !== "event") {
        throw new Error(`no event was found: ${JSON.stringify(verdict)}`);
      }
      expect(verdict.difference.event).toBe(expected.event);
      const [title, a, b] = describeDifference(verdict.difference, again);
      expect(title).toMatch(/\(bytes, character \d+\)$/);
      expect(a).toMatch(/A \(plain.*\): bytes .*"leak":"[0-9a-f-]/);
      expect(b).toMatch(/B \(again\): bytes .*"leak":"[0-9a-f-]/);
      expect(a).not.toBe(b);
    },
    timeoutMs,
  );
});

it("an unused header is part of the fingerprint, and of the trace", async () => {
  const runs = [];
  for (const text of ["host-1", "host-2"]) {
    const lines: string[] = [];
    const { fingerprint } = await runPlan(drawRun(seed), {
      trace: (entry) => lines.push(entryLine(entry)),
      traceExtras: { bytes: true },
      sabotage: leakIntoHeader(1, text),
    });
    runs.push({ fingerprint, lines });
  }
  expect(runs[0]?.fingerprint).not.toBe(runs[1]?.fingerprint);
  const difference = firstEntryDifference(runs[0]?.lines ?? [], runs[1]?.lines ?? []);
  expect(difference?.a).toMatchObject({ kind: "headers" });
  expect(difference?.a?.detail).toContain('"x-served-by":"host-1"');
  expect(difference?.b?.detail).toContain('"x-served-by":"host-2"');
});

describe("a process that", () => {
  const answering = (body: string): string => `process.on("message", (question) => { ${body} });`;

  async function verdictOf(program: string): Promise<unknown> {
    const file = join(folder, "fake.mjs");
    writeFileSync(file, program);
    const subject = { kind: "seed", seed } as const;
    const { runs } = await verify({ program: { file, args: [] }, subject, surroundings: [again], jobs: 1 });
    return runs[0]?.verdict;
  }

  it("parts at another place every time is told as that", async () => {
    const verdict = await verdictOf(`
      import { writeFileSync } from "node:fs";
      ${answering(`
        if (question.window) writeFileSync(question.window.file, "");
        const digest = String(Math.random());
        process.send({ plan: "{}", checkpoints: [[100, digest]], events: 100, fingerprint: digest, outcome: "{}" });
      `)}`);
    expect(verdict).toMatchObject({ kind: "different", difference: { kind: "wandering", events: [100, 100, 100, 100] } });
  });

  it("draws another plan differs in the draw", async () => {
    const verdict = await verdictOf(
      answering(
        'process.send({ plan: JSON.stringify({ workers: process.pid }), checkpoints: [], events: 0, fingerprint: "f", outcome: "{}" });',
      ),
    );
    expect(verdict).toMatchObject({ kind: "different", difference: { kind: "plan" } });
  });

  it("says something else of the same run differs in what is said", async () => {
    const verdict = await verdictOf(
      answering('process.send({ plan: "{}", checkpoints: [], events: 0, fingerprint: "f", outcome: String(process.pid) });'),
    );
    expect(verdict).toMatchObject({ kind: "different", difference: { kind: "outcome" } });
  });

  it("dies is told with its last words", async () => {
    const dying = `import { existsSync, writeFileSync } from "node:fs"; const mark = new URL("./mark", import.meta.url);
      ${answering(`
        if (existsSync(mark)) { console.error("out of luck"); process.exit(7); }
        writeFileSync(mark, "");
        process.send({ plan: "{}", checkpoints: [], events: 0, fingerprint: "f", outcome: "{}" });
      `)}`;
    expect(await verdictOf(dying)).toEqual({ kind: "lost", reason: "the process ended with 7: out of luck" });
  });
});

describe("comparison", () => {
  const answer = (digests: readonly string[], events: number) => ({
    plan: "",
    outcome: "",
    events,
    fingerprint: digests.at(-1) ?? "",
    checkpoints: digests.map((digest, index) => [(index + 1) * 100, digest] as const),
  });

  it("names the last common digest and the first different one, also where one run is longer", () => {
    expect(partedBetween(answer(["a", "b"], 200), answer(["a", "b"], 200))).toBeUndefined();
    expect(partedBetween(answer(["a", "b", "c"], 300), answer(["a", "x", "y"], 300))).toEqual({
      lastSameEvent: 100,
      lastSameDigest: "a",
      firstDifferentEvent: 200,
    });
    expect(partedBetween(answer(["x"], 100), answer(["y"], 100))).toEqual({
      lastSameEvent: 0,
      lastSameDigest: undefined,
      firstDifferentEvent: 100,
    });
    expect(partedBetween(answer(["a"], 150), answer(["a", "b"], 260))).toMatchObject({ lastSameEvent: 100, firstDifferentEvent: 200 });
    expect(partedBetween({ ...answer(["a"], 150), fingerprint: "e" }, { ...answer(["a"], 150), fingerprint: "f" })).toMatchObject({
      lastSameEvent: 100,
      firstDifferentEvent: 150,
    });
  });

  it("finds the first difference of texts and entries", () => {
    expect(firstTextDifference("same", "same")).toBeUndefined();
    expect(firstTextDifference("abc1", "abc2")).toEqual({ index: 3, a: "abc1", b: "abc2" });
    expect(firstTextDifference("abc", "abcd\n")).toMatchObject({ index: 3, b: "abcd\\x0a" });
    const line = (event: number, detail: string): string => JSON.stringify([1, event, 0, "w1", "timer", detail]);
    expect(firstEntryDifference([line(1, "x")], [line(1, "x")])).toBeUndefined();
    expect(firstEntryDifference([line(1, "x"), line(2, "a")], [line(1, "x"), line(2, "b")])).toMatchObject({
      a: { event: 2, detail: "a" },
      b: { event: 2, detail: "b" },
      before: { event: 1, detail: "x" },
    });
    expect(firstEntryDifference([line(1, "x")], [])).toMatchObject({ a: { event: 1 }, b: undefined, before: undefined });
  });

  it("names the first draw that differs and why it was made", async () => {
    const drawn = async (branch?: { readonly atEvent: number; readonly seed: string }): Promise<readonly string[]> => {
      const lines: string[] = [];
      const streams = StreamTree.root("draws");
      const world = new World({ streams, branch, trace: (entry) => lines.push(entryLine(entry)), traceExtras: { draws: true } });
      const latency = streams.child("net").stream("link");
      const fates = streams.named("fates");
      for (let index = 1; index <= 4; index++) {
        world.at(index, "draw", () => {
          latency.between(0, 1_000_000_000, "latency");
          fates.of(`m${index}`).chance(1, 2, "lost");
        });
      }
      await world.run({ untilNanos: 100, eventsMax: 100, done: () => false });
      return lines;
    };
    const difference = firstEntryDifference(await drawn(), await drawn({ atEvent: 3, seed: "1" }));
    expect(difference?.a).toMatchObject({ event: 3, kind: "draw" });
    expect(difference?.a?.detail).toMatch(/^net\/link latency of 0\.\.1000000000: \d+$/);
    expect(difference?.before?.detail).toMatch(/^fates m2 lost of 1 in 2: (yes|no)$/);
  });
});

describe("surroundings", () => {
  it("are every single difference first, then mixtures, the same ones every time", () => {
    const nodes = [{ path: "/opt/node", version: "v24.0.0" }];
    const all = hostileSurroundings({ nodes, runs: undefined });
    expect(all.map(({ name }) => name)).toContain("Node v24.0.0");
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    const more = hostileSurroundings({ nodes, runs: all.length + 20 });
    expect(more).toEqual(hostileSurroundings({ nodes, runs: all.length + 20 }));
    expect(more.slice(0, all.length)).toEqual(all);
    for (const { flags = [] } of more) {
      const names = flags.map((flag) => flag.split("=")[0]);
      expect(new Set(names).size).toBe(names.length);
      expect(names.includes("--no-liftoff") && names.includes("--liftoff-only")).toBe(false);
    }
    expect(hostileSurroundings({ nodes, runs: 2 })).toHaveLength(2);
  });

  it("take Nodes from options, from ORRERY_NODES and from the PATH, and say which are missing", () => {
    const fake = join(folder, "node22");
    writeFileSync(fake, "#!/bin/sh\necho v22.99.0\n", { mode: 0o755 });
    const other = join(folder, "another");
    writeFileSync(other, "#!/bin/sh\necho v24.99.0\n", { mode: 0o755 });
    const [on22, on24] = [
      { path: fake, version: "v22.99.0" },
      { path: other, version: "v24.99.0" },
    ];
    expect(findNodes([], { PATH: folder })).toEqual([on22]);
    expect(findNodes([other, process.execPath], { PATH: folder })).toEqual([on22, on24]);
    expect(findNodes([], { ORRERY_NODES: `${other}:${fake}` })).toEqual([on22, on24]);
    expect(() => findNodes([join(folder, "none")], {})).toThrow("is not a working Node");
    const own = Number(process.versions.node.split(".")[0]);
    expect(missingNodes([])).toEqual([20, 22, 24].filter((major) => major !== own).map((major) => `Node ${major}`));
    expect(missingNodes([on22, on24])).toEqual([20].filter((major) => major !== own).map((major) => `Node ${major}`));
  });
});
