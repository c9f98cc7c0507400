/** Files that a user opens in the Simulator page of the web interface: the same functions as in the browser, without one. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { drawRun } from "../../sim/draw/draw.ts";
import { survey } from "../../sim/replay/survey.ts";
import { readTape } from "../../sim/replay/tape.ts";
import { runPlan } from "../../sim/run.ts";
import { entryLine, footerLine, headerLine } from "../../sim/trace/trace.ts";
import type { ViewedRun } from "../../sim/view/facts.ts";
import { openRuns } from "../../sim/view/opened.ts";
import { pack, unpack } from "../../sim/view/page/model/format.ts";
import { buildRun, type Run } from "../../sim/view/page/model/model.ts";
import { projectRoot } from "../support/programs/server-process.ts";

const folder = join(projectRoot, "fixtures/field");
const names = readdirSync(folder);

function open(name: string): ViewedRun {
  const [run] = openRuns([{ name, bytes: new Uint8Array(readFileSync(join(folder, name))) }]);
  expect(run).toBeDefined();
  return run as ViewedRun;
}

function modelOf({ facts, entries }: ViewedRun): Run {
  return buildRun(unpack(pack(entries)), facts);
}

describe("opened files", () => {
  it.each(names)("shows every message of %s at both ends, and in order", (name) => {
    const viewed = open(name);
    const surveyed = survey(readTape(join(folder, name)));
    const run = modelOf(viewed);
    expect(run.columns.count).toBe(viewed.entries.length);
    expect(viewed.entries.every(({ atNanos }, index) => atNanos >= (viewed.entries[index - 1]?.atNanos ?? 0))).toBe(true);
    const lanes = new Set([...viewed.facts.users, ...viewed.facts.coordinators, ...viewed.facts.workers, "world"]);
    expect(viewed.entries.filter(({ place }) => !lanes.has(place))).toEqual([]);
    // The survey, which the replay relies on, matched the same messages.
    const { legs } = run.messages;
    const matched = surveyed.nodes.flatMap(({ inputs }) => inputs).filter(({ source }) => source !== undefined).length;
    const between = Array.from({ length: legs.count }, (_, leg) => leg).filter((leg) => {
      const places = [legs.fromPlace[leg], legs.toPlace[leg]];
      const ends = places.map((place) => run.roles[place ?? 0]);
      // A message from a node whose recording lost its end begins where it arrives.
      const isWhole = (legs.last[leg] ?? -1) !== -1 && legs.first[leg] !== legs.last[leg];
      return isWhole && !ends.includes("user") && ["arrived", "duplicated"].includes(fateOf(run, leg));
    });
    expect(between.length).toBe(matched);
    // No message arrives before it was sent.
    expect(between.filter((leg) => (legs.to[leg] ?? 0) < (legs.from[leg] ?? 0))).toEqual([]);
  });

  it("shows who died and what the clients saw", () => {
    const run = modelOf(open("worker-killed-while-producing.orrery-fixture"));
    expect(run.faults.map(({ text }) => text)).toEqual(["died w2"]);
    expect(run.faults[0]?.places.map((place) => run.columns.places[place])).toEqual(["w2"]);
    expect(run.lives.filter(({ ending }) => ending === "crash").map(({ place }) => run.columns.places[place])).toEqual(["w2"]);
    expect(run.statements.map(({ ending }) => ending).sort()).toEqual(["REMOTE_HOST_GONE", "ended"]);
    const frozen = modelOf(open("worker-frozen.orrery-fixture"));
    expect(frozen.faults.map(({ text }) => text.split(" ")[0])).toContain("froze");
  });

  it("shows a trace as the simulator wrote it", async () => {
    const plan = drawRun("7");
    const lines: string[] = [];
    const { fingerprint, events } = await runPlan(plan, { trace: (entry) => lines.push(entryLine(entry)) });
    const text = [headerLine(plan), ...lines, footerLine({ fingerprint, events }), ""].join("\n");
    const [run] = openRuns([{ name: "seven.jsonl", bytes: new TextEncoder().encode(text) }]);
    expect(run?.entries.map(entryLine)).toEqual(lines);
    expect(run?.facts).toMatchObject({ name: "trace seven.jsonl of seed 7", fingerprint, events });
  });

  it("says what is wrong with other files", () => {
    const reason = (...files: readonly (readonly [string, Uint8Array | string])[]): string => {
      try {
        openRuns(files.map(([name, bytes]) => ({ name, bytes: typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes })));
        return "";
      } catch (error) {
        return (error as Error).message;
      }
    };
    const fixture = new Uint8Array(readFileSync(join(folder, names[0] ?? "")));
    expect(reason(["a.png", "\x89PNG"])).toBe("a.png: the file is neither a trace, nor a fixture, nor a recording");
    expect(reason(["a.jsonl", ""])).toBe("a.jsonl: the file is empty");
    expect(reason(["a", '{"orreryTrace":1}\n'])).toMatch(/^a: not a trace of version/);
    expect(reason(["a", fixture.slice(0, fixture.length >> 1)])).toMatch(/^a: the fixture is damaged: /);
    expect(reason(["a", fixture], ["b", fixture], ["c", fixture])).toMatch(/^3 runs are too many/);
    expect(
      openRuns([
        { name: "a", bytes: fixture },
        { name: "b", bytes: fixture },
      ]),
    ).toHaveLength(2);
  });
});

function fateOf(run: Run, leg: number): string {
  const fates = ["arrived", "lost", "reset", "cut", "refused", "truncated", "duplicated", "never-answered"];
  return fates[run.messages.legs.fate[leg] ?? 0] ?? "";
}
