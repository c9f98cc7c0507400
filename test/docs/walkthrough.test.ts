/** The walk-through of docs/simulator.md holds: with its bug its seed fails, as the page shows. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseDiff } from "../../sim/mutants/diff.ts";
import { measureAll } from "../../sim/mutants/measure.ts";
import { blocksOf } from "../../tools/docs/blocks.ts";
import { root } from "../house/sources.ts";

it("shrinks a seed that fails with the bug of the page", async () => {
  const text = readFileSync(join(root, "docs/simulator.md"), "utf8");
  const diff = blocksOf(text).find(({ language }) => language === "diff")?.text ?? "";
  const seed = Number(/^\$ npm run sim -- shrink (\d+)/m.exec(text)?.[1]);
  const { measurements } = await measureAll(
    [
      {
        name: "delivery/walk-through",
        family: "delivery",
        title: "The bug of the walk-through",
        story: "docs/simulator.md",
        imitates: "invented",
        origin: "invented",
        symptom: "delivery",
        difficulty: "easy",
        heldOut: false,
        patches: parseDiff(diff),
      },
    ],
    { root, firstSeed: seed, seedsMax: 1, detectionsMax: 1, jobs: 1 },
  );
  const [found] = measurements[0]?.detections ?? [];
  expect(found?.seed).toBe(String(seed));
  expect(text).toContain(found?.sentence);
});
