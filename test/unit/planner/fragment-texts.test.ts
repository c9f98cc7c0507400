/** A fragment is written once, as the JSON that it is. */
import { expect, it } from "vitest";
import { FragmentTexts } from "../../../src/planner/fragmenter/fragment-texts.ts";
import type { PlanFragment } from "../../../src/planner/fragmenter/fragment.ts";
import { stringifyJson } from "../../../src/protocol/json.ts";

it("writes a fragment once, with its 64-bit constants, and equal ones each for itself", () => {
  let reads = 0;
  const fragmentOf = (value: bigint): PlanFragment =>
    ({
      id: 1,
      get root() {
        reads++;
        return { kind: "Values", value };
      },
    }) as unknown as PlanFragment;
  const texts = new FragmentTexts();
  const [one, other] = [fragmentOf(9_007_199_254_740_993n), fragmentOf(1n)];
  const written = texts.textOf(one);
  const readsOfOne = reads;
  expect(texts.textOf(one)).toBe(written);
  expect(reads).toBe(readsOfOne);
  expect(written).toBe('{"id":1,"root":{"kind":"Values","value":9007199254740993}}');
  expect(texts.textOf(other)).toBe(stringifyJson({ id: 1, root: { kind: "Values", value: 1 } }));
});
