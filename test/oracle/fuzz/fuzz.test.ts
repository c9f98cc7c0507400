/**
 * Generated statements in several worlds (worlds.ts). A short run of fixed seeds is part of every `npm test`; `ORRERY_FUZZ=seed:count` runs `count`
 * statements from another seed, and `ORRERY_FUZZ=seed:from-to` the same ones again.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Queries } from "./queries.ts";
import { Random } from "./random.ts";
import { drawTables } from "./tables.ts";
import { Worlds } from "./worlds.ts";

const wanted = /^(\d+):(?:(\d+)-)?(\d+)$/.exec(process.env["ORRERY_FUZZ"] ?? "1:150");
const seed = Number(wanted?.[1]);
const from = Number(wanted?.[2] ?? 0);
const to = Number(wanted?.[3]);
const statementsPerTables = 150;

let worlds: Worlds;

/** A long run shows what it finds at once. */
function tell(line: string): void {
  if (process.env["ORRERY_FUZZ"] !== undefined) {
    process.stdout.write(`${line}\n`);
  }
}

beforeAll(async () => {
  worlds = await Worlds.open();
});

afterAll(async () => {
  await worlds.close();
});

it(
  "generated statements agree everywhere",
  async () => {
    expect(wanted, "ORRERY_FUZZ=seed:count or ORRERY_FUZZ=seed:from-to").not.toBeNull();
    const wrong: string[] = [];
    const skipped = new Map<string, number>();
    let tablesOf = -1;
    for (let index = from; index < to && wrong.length < 20; index++) {
      const group = Math.floor(index / statementsPerTables);
      const tables = drawTables(new Random(seed, group));
      if (group !== tablesOf) {
        await worlds.useTables(tables);
        tablesOf = group;
      }
      const random = new Random(seed, 1_000_000 + index);
      const query = new Queries(random, tables).statement(1 + random.below(3));
      const verdict = await worlds.check(query);
      if (verdict.wrong !== undefined) {
        const report = `ORRERY_FUZZ=${seed}:${index}-${index + 1}\n  ${query.text.engine}\n  ${query.text.duckdb}\n  ${verdict.wrong}`;
        wrong.push(report);
        tell(report);
      }
      if (verdict.skipped !== undefined) {
        skipped.set(verdict.skipped, (skipped.get(verdict.skipped) ?? 0) + 1);
      }
    }
    tell(`${to - from} statements; not compared with the oracle: ${JSON.stringify([...skipped])}`);
    expect(wrong.join("\n\n")).toBe("");
    // The comparison is worth its name.
    const skips = [...skipped.values()].reduce((sum, count) => sum + count, 0);
    expect(skips).toBeLessThan((to - from) / 4 + 2);
  },
  24 * 3_600_000,
);
