/**
 * Faults inside a real process: a wrong clock and a disk that returns wrong bytes, controlled while the process runs.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { notActable } from "../../sim/replay/act/act.ts";
import { preloadUrl, type ProcessConditions } from "../../sim/replay/act/preload.ts";
import { calmCluster, user } from "../../scenarios/scenario.ts";

const scratch = mkdtempSync(join(tmpdir(), "orrery-act-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const well: ProcessConditions = { disk: {}, clock: { offsetMs: 0, driftPpm: 0 } };

/** Evaluates an expression in the process for each step, after changing its conditions. */
async function tell(steps: readonly (readonly [ProcessConditions, string])[]): Promise<unknown[]> {
  const program = join(scratch, "program.mjs");
  writeFileSync(
    program,
    `import { open } from "node:fs/promises";
     process.on("message", async ({ ask }) => { if (ask !== undefined) { process.send({ told: await eval(ask) }); } });
     process.channel.ref();
     process.send({ told: "ready" });`,
  );
  const [first] = steps;
  const child = spawn(process.execPath, ["--import", preloadUrl(first?.[0] ?? well), program], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  try {
    const told: unknown[] = [];
    await once(child, "message");
    for (const [conditions, ask] of steps) {
      child.send({ conditions });
      const answered = once(child, "message");
      child.send({ ask });
      const [message] = (await answered) as [{ readonly told: unknown }];
      told.push(message.told);
    }
    return told;
  } finally {
    child.kill("SIGKILL");
  }
}

const hour = 3_600_000;

describe("a process with a wrong clock", () => {
  it("steps by what it is told, in every way to ask for the date, and back", async () => {
    const ask =
      "[Date.now(), new Date().getTime(), Date.parse(new Date().toISOString()), new Date(7).getTime(), Date() === new Date(Date.now()).toString()]";
    const ahead = { ...well, clock: { offsetMs: hour, driftPpm: 0 } };
    const before = Date.now();
    const [first, second] = (await tell([
      [ahead, ask],
      [well, ask],
    ])) as [number[], number[]];
    const after = Date.now();
    for (const at of first.slice(0, 3)) {
      expect(at).toBeGreaterThanOrEqual(before + hour - 1);
      expect(at).toBeLessThanOrEqual(after + hour + 1);
    }
    for (const at of second.slice(0, 3)) {
      expect(at).toBeGreaterThanOrEqual(before - 1);
      expect(at).toBeLessThanOrEqual(after + 1);
    }
    expect([first[3], second[3]]).toEqual([7, 7]);
  });

  it("runs fast: between two looks at the true time its own goes on by that much more", async () => {
    const fast = { ...well, clock: { offsetMs: 0, driftPpm: 1_000_000 } };
    const look =
      "(() => { const a = process.hrtime.bigint(); const p = performance.now(); const b = process.hrtime.bigint(); return [Number(a) / 1e6, p, Number(b) / 1e6]; })()";
    const later = `new Promise((resolve) => setTimeout(() => resolve(${look}), 100))`;
    const [first, second] = (await tell([
      [fast, look],
      [fast, later],
    ])) as [[number, number, number], [number, number, number]];
    const own = second[1] - first[1];
    expect(own).toBeGreaterThanOrEqual(2 * (second[0] - first[2]) - 0.01);
    expect(own).toBeLessThanOrEqual(2 * (second[2] - first[0]) + 0.01);
    // A timer of 100 milliseconds on the process's own clock.
    expect(own).toBeGreaterThan(95);
  });
});

describe("a process with a bad disk", () => {
  it("reads other bytes than are there, and the right ones when it is well again", async () => {
    const path = join(scratch, "spilled");
    writeFileSync(path, Buffer.alloc(64));
    const read = `(async () => { const f = await open(${JSON.stringify(path)}, "r"); const b = new Uint8Array(64); await f.read(b, 0, 64, 0); await f.close(); return [...b].filter((byte) => byte !== 0).length; })()`;
    const bad = { ...well, disk: { corruptPercent: 100 } };
    expect(
      await tell([
        [well, read],
        [bad, read],
        [well, read],
      ]),
    ).toEqual([0, 1, 0]);
  });
});

describe("what cannot be acted out", () => {
  it("is named, and clocks, crowds, refusals and bad reads are not among it", () => {
    const span = { atNanos: 0, untilNanos: 1 };
    const plan = calmCluster("1", {
      users: [user("u1", [])],
      faults: [
        { ...span, kind: "clock-step", node: "w1", byMs: 5 },
        { ...span, kind: "clock-drift", node: "w1", byPpm: 5 },
        { ...span, kind: "overload-503", node: "w1", percent: 5 },
        { ...span, kind: "corrupt-reads", node: "w1", percent: 5 },
        { ...span, kind: "crowd", users: 5, sql: "SELECT 1" },
        { ...span, kind: "memory-pressure", node: "w1", bytes: 5 },
      ],
    });
    expect(notActable(plan).filter((left) => left.startsWith("fault "))).toEqual([
      "fault memory-pressure: the memory limit of a node is fixed when its process starts",
    ]);
  });
});
