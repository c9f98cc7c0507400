import { expect, it } from "vitest";
import { replaceTopDown } from "../../../../src/planner/plan/expression-tree.ts";
import { VARCHAR } from "../../../../src/types/type.ts";
import { analyzeExample } from "../../functions/analyzed.ts";
import { constant, createWorld, evaluate } from "./world.ts";

it("a NULL that a lambda reads is not treated as text, whatever bytes its memory held before", async () => {
  const world = createWorld();
  const { memory } = world;
  // Fills the freed memory with addresses of 2^31, which a wrong bounds check of an empty text would accept.
  const blocks = Array.from({ length: 400 }, () => memory.allocate(128 * 1024));
  for (const block of blocks) {
    memory.linear.u32.fill(0x8000_0000, block >>> 2, (block >>> 2) + 32 * 1024);
  }
  for (const block of blocks) {
    memory.free(block);
  }
  const sql = "cardinality(filter(ARRAY['xy', NULL, 'ab'], s -> any_match(ARRAY[4], e -> coalesce(s LIKE '%a%b%', false))))";
  const analyzed = await analyzeExample(sql, world);
  // Constants are folded as by the planner, so that the pattern is compiled.
  const folded = replaceTopDown(analyzed, (part) =>
    part.kind === "cast" && part.arg.kind === "constant" && part.type === VARCHAR ? constant(VARCHAR, part.arg.value) : undefined,
  );
  expect(evaluate(world, folded, world.wasm)).toBe("1");
  expect(evaluate(world, folded, world.interpreter)).toBe("1");
});
