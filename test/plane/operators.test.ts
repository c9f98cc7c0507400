/** Every operator alone, on random pages in random cuts, against a naive evaluation; `npm run fuzz -- operators` is the long run. */
import { expect, it } from "vitest";
import { Random } from "../oracle/fuzz/random.ts";
import { drawPlan } from "./draw.ts";
import { growth, memoryKinds } from "./memory.ts";
import { allKinds, checkKind } from "./program.ts";

const casesPerKind = 8;
/** A case of memory runs a plan twice, over many pages. */
const memoryCases = 2;

it.each(allKinds)("%s", async (kind) => {
  for (let number = 0; number < (memoryKinds.has(kind) ? memoryCases : casesPerKind); number++) {
    expect(await checkKind(kind, 1, number), `seed 1, case ${number}`).toBeUndefined();
  }
});

it("speaks of an operator that keeps what has passed it", async () => {
  const plans = await Promise.all(Array.from({ length: 12 }, (_, number) => drawPlan(new Random(1, number), "sort")));
  const sorted = plans.find(({ tables }) => tables.every(({ rows }) => rows.length >= 12));
  expect(sorted && (await growth(sorted, new Random(1, 0)))).toContain("for 24 pages of each table, and");
});
