/**
 * Fixtures recorded from real clusters with real faults: each replays with equal outputs, and shows what its story says.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { inferIncident } from "../../sim/replay/incident.ts";
import { planOf, neighbour } from "../../sim/replay/generalise.ts";
import { replayTape } from "../../sim/replay/replay.ts";
import { describeReplay } from "../../sim/replay/report.ts";
import { checkRest } from "../../sim/replay/rest.ts";
import { fieldStories } from "../../sim/replay/stories.ts";
import { entriesOf, survey } from "../../sim/replay/survey.ts";
import { replayableRun, type Tape } from "../../sim/replay/fixture.ts";
import { fixtureEnding, parseFixture, readTape, writeFixture } from "../../sim/replay/tape.ts";
import { KernelModuleCache } from "../../src/codegen/runtime.ts";
import { writeEntry } from "../../src/recording/copy.ts";
import { isInput, type RecordedEntry } from "../../src/recording/entries.ts";
import { hashBytes } from "../../src/recording/hash.ts";
import { MemoryRecording } from "../../src/recording/memory.ts";

const folder = "fixtures/field";
const modules = new KernelModuleCache();
const scratch = mkdtempSync(join(tmpdir(), "orrery-fixtures-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function fixturePath(name: string): string {
  return join(folder, `${name}${fixtureEnding}`);
}

/** The tape with one entry changed: the first one for which `change` returns another. */
function tampered(tape: Tape, change: (entry: RecordedEntry) => RecordedEntry): Tape {
  let done = false;
  const nodes = tape.nodes.map((node) => ({
    header: node.header,
    runs: node.runs.map((run) => {
      const copied = new MemoryRecording(1024 * 1024);
      for (const entry of entriesOf(run.read())) {
        const written = done ? entry : change(entry);
        done ||= written !== entry;
        writeEntry(copied.writer, written);
      }
      return { entriesBefore: run.entriesBefore, blocks: copied.blocks() };
    }),
  }));
  expect(done).toBe(true);
  const path = join(scratch, `tampered${fixtureEnding}`);
  writeFixture(path, { name: tape.name, story: tape.story, nodes });
  return readTape(path);
}

describe("fixtures from the field", () => {
  it("are the stories that are acted out, each small", () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(fixtureEnding));
    expect(files.sort()).toEqual(fieldStories.map(({ name }) => `${name}${fixtureEnding}`).sort());
    for (const file of files) {
      expect(statSync(join(folder, file)).size).toBeLessThan(300 * 1024);
    }
  });

  it.each(fieldStories.map(({ name }) => name))(
    "%s replays with every output as recorded (after an intended change of the engine: npm run sim -- act --fixtures)",
    async (name) => {
      const tape = readTape(fixturePath(name));
      const surveyed = survey(tape);
      const result = await replayTape(tape, { surveyed, modules });
      const report = describeReplay(result, surveyed).join("\n");
      expect(result.difference, report).toBeUndefined();
      expect(result.skipped).toEqual([]);
      expect(result.inputs).toBe(surveyed.order.length);
      expect(result.outputs).toBeGreaterThan(150);
      expect(result.matched).toBe(result.outputs);
      // Recorded failures occur again, in the same way.
      expect(report).not.toContain("NOT reproduced");
      expect(result.failures.length).toBeGreaterThanOrEqual(surveyed.failed.filter(({ errorName }) => errorName !== "").length);
      expect(fieldStories.find((story) => story.name === name)?.happened(inferIncident(tape, surveyed))).toBe(true);
    },
  );
});

describe("a fixture that was tampered with", () => {
  const tape = readTape(fixturePath("worker-killed-while-producing"));

  it("is told at the first output that differs", async () => {
    let seen = 0;
    const changed = tampered(tape, (entry) => {
      if (entry.kind === "answer" && entry.body.length > 0 && ++seen === 3) {
        return { ...entry, body: { ...entry.body, hash: ((entry.body.hash ?? 0) ^ 1) >>> 0 } };
      }
      return entry;
    });
    const result = await replayTape(changed, { modules });
    expect(result.difference).toMatchObject({ nodeId: tape.nodes[0]?.header.nodeId });
    expect(result.difference?.recorded).toMatch(/^response to #/);
    expect(result.difference?.replayed).toMatch(/^response to #/);
    expect(result.difference?.recorded).not.toBe(result.difference?.replayed);
    expect(result.matched).toBeLessThan(result.outputs);
  });

  it("is told where a statement was changed", async () => {
    const changed = tampered(tape, (entry) =>
      entry.kind === "arrived" && entry.url === "/v1/statement" && entry.body.bytes !== undefined
        ? { ...entry, body: { ...entry.body, bytes: Buffer.from("SELECT 1") } }
        : entry,
    );
    const { difference } = await replayTape(changed, { modules });
    expect(difference?.nodeId).toBe("c");
  });

  it("is told where an input is missing", async () => {
    const copied = new MemoryRecording(1024 * 1024);
    const [first, ...others] = tape.nodes;
    const reader = replayableRun(first as Tape["nodes"][number])?.read();
    let fired = 0;
    let dropping = false;
    for (const entry of entriesOf(reader)) {
      dropping = isInput(entry) ? entry.kind === "fired" && ++fired === 2 : dropping;
      if (!dropping) {
        writeEntry(copied.writer, entry);
      }
    }
    const missing: Tape = {
      ...tape,
      nodes: [{ header: (first as Tape["nodes"][number]).header, runs: [{ entriesBefore: 0, read: () => copied.read() }] }, ...others],
    };
    const { difference } = await replayTape(missing, { modules });
    expect(difference?.nodeId).toBe(first?.header.nodeId);
  });

  it("is refused when its bytes are damaged", () => {
    const bytes = readFileSync(fixturePath("slow-disk"));
    bytes.writeUInt8(bytes.readUInt8(2000) ^ 0xff, 2000);
    expect(() => parseFixture(bytes)).toThrow("the fixture is damaged");
  });
});

describe("what a ring left behind its gap", () => {
  const header = readTape(fixturePath("slow-disk")).nodes[0]?.header as Tape["nodes"][number]["header"];
  const url = "/v1/statement/20260101_000000_00001_aaaaa/1?slug=s";

  /** The same page requested twice, after a gap of a hundred lost entries. */
  function left(bodies: readonly string[], announced: string): ReturnType<typeof checkRest> {
    const copied = new MemoryRecording(64 * 1024);
    const content = (text: string): { length: number; hash: number; bytes: Uint8Array } => ({
      length: text.length,
      hash: hashBytes(Buffer.from(text)),
      bytes: Buffer.from(text),
    });
    const asked = { atNanos: 1, kind: "arrived", cause: undefined, remoteAddress: "1", baseUri: "http://c", headers: {} } as const;
    for (const [id, body] of bodies.entries()) {
      writeEntry(copied.writer, { ...asked, id, method: "GET", url, body: content("") });
      writeEntry(copied.writer, { kind: "answer", id, status: 200, headers: {}, body: { ...content(body), bytes: undefined } });
    }
    writeEntry(copied.writer, { ...asked, id: 9, method: "PUT", url: "/v1/announcement/w1", body: content(announced) });
    return checkRest({ name: "", story: "", nodes: [{ header, runs: [{ entriesBefore: 100, read: () => copied.read() }] }] });
  }

  it("is held against what is always so", () => {
    const [good] = left(["same", "same"], "");
    expect(good).toMatchObject({ lost: 100, entries: 5, pages: 2, wrong: [] });
    const [bad] = left(["one", "other"], '{"nonsense":1}');
    expect(bad?.wrong).toEqual([
      `GET ${url} returned different bytes the second time`,
      expect.stringMatching(/^the request of PUT \/v1\/announcement\/w1 does not conform to its schema/),
    ]);
  });
});

describe("a fixture as a plan", () => {
  it("names what happened, and its neighbours differ in timing alone", () => {
    const tape = readTape(fixturePath("worker-killed-while-producing"));
    const { plan, incident, leftOut } = planOf(tape, survey(tape));
    expect(leftOut).toEqual([]);
    expect(plan.workers.map(({ name }) => name)).toEqual(["w1", "w2"]);
    expect(plan.faults.some((fault) => fault.kind === "crash" && fault.node === "w2")).toBe(true);
    expect(plan.users[0]?.statements[0]).toMatchObject({ behaviour: { kind: "slow" } });
    expect(plan.properties["sink.max-buffer-size"]).toBe("32768B");
    expect(incident.ends.length).toBeGreaterThan(0);
    expect(neighbour(plan, 0)).toBe(plan);
    expect(neighbour(plan, 3)).toEqual(neighbour(plan, 3));
    expect(neighbour(plan, 3).faults).not.toEqual(plan.faults);
    expect(neighbour(plan, 3).users.map((user) => user.statements.map(({ sql }) => sql))).toEqual(
      plan.users.map((user) => user.statements.map(({ sql }) => sql)),
    );
  });

  it("sees a reset that the server's network hid from the node", () => {
    const tape = readTape(fixturePath("connection-reset-in-mid-page"));
    const { fates } = inferIncident(tape, survey(tape));
    expect(fates.filter(({ kind }) => kind === "truncated").map(({ message }) => message)).toContain("c>w1 exchange-fetch #3 answer");
  });
});
