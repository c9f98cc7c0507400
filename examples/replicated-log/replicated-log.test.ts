/** Searches for a lost entry, makes the failing plan small, and shows it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import {
  createWorld,
  describeWorldResult,
  drawPlan,
  shrinkWorld,
  viewHtml,
  type WorldOptions,
  type WorldPlan,
  worldPlans,
} from "orrery/sim";
import { describe, expect, it } from "vitest";
import { type Bug, client, file, type Log, replica, replicas } from "./log.ts";

const run = { untilMs: 20_000 };
const entryCount = 10;
const plans = {
  nodes: replicas,
  untilMs: 3_000,
  kinds: ["crash", "partition", "one-way-partition", "pause", "slow-link", "clogged-link", "slow-disk", "clock-drift"],
} as const;

function world({ seed, faults }: WorldPlan, bug?: Bug): WorldOptions<Log> {
  return {
    seed,
    faults,
    nodes: { ...Object.fromEntries(replicas.map((name) => [name, replica(bug)])), client: client(entryCount) },
    links: { latencyMsMin: 1, latencyMsMax: 10, lossPer10k: 200, duplicatePer10k: 200, resetPer10k: 100 },
    healMs: plans.untilMs,
    invariants: {
      "an acknowledged entry is on a majority of disks": (view) => {
        const disks = replicas.map((name) => new TextDecoder().decode(view.durable(name, file)).split("\n"));
        const lost = view
          .state("client")
          ?.find((entry, at) => entry !== undefined && disks.filter((lines) => lines[at] === entry).length < 2);
        return lost === undefined ? undefined : `'${lost}' is on fewer than two disks`;
      },
    },
    goals: {
      "all entries are acknowledged in the end": (view) => {
        const count = view.state("client")?.filter((entry) => entry !== undefined).length ?? 0;
        return count === entryCount ? undefined : `${count} of ${entryCount} are`;
      },
    },
  };
}

/** The first of a hundred seeds that fails. */
async function findFailing(bug: Bug): Promise<WorldOptions<Log>> {
  for (let seed = 1; seed <= 100; seed++) {
    const options = world(drawPlan(seed, plans), bug);
    if (!(await createWorld(options).run(run)).passed) {
      return options;
    }
  }
  return expect.fail("not found");
}

describe("the replicated log", () => {
  it("keeps what it acknowledged, whatever breaks", async () => {
    await fc.assert(
      fc.asyncProperty(worldPlans(fc, fc.constant, plans), async (plan) => {
        const result = await createWorld(world(plan)).run(run);
        expect(result.passed, describeWorldResult(result)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    // A message to one backup is lost, then one from the other: the first backup has a gap, and counts for the majority.
    { bug: "no-gap-check", atMost: 2 },
    // Nothing has to go wrong.
    { bug: "answers-before-sync", atMost: 0 },
  ] as const)("loses an entry with the bug $bug: found, made small and shown", async ({ bug, atMost }) => {
    const small = (await shrinkWorld(await findFailing(bug), run)) ?? expect.fail("not shrunk");
    expect(small.violation.name).toBe("an acknowledged entry is on a majority of disks");
    expect(small.result.faults.length + small.result.fates.length, describeWorldResult(small.result)).toBeLessThanOrEqual(atMost);
    const folder = mkdtempSync(join(tmpdir(), "replicated-log-"));
    const page = join(folder, `${bug}.html`);
    writeFileSync(page, await viewHtml(small.options, run));
    expect(readFileSync(page, "utf8")).toContain("<canvas");
    rmSync(folder, { recursive: true });
  });
});
