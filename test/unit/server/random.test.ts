import { describe, expect, it } from "vitest";
import { hexDigits } from "../../../src/ports/random.ts";
import { SystemRandom } from "../../../src/server/ports/random.ts";

/** Draws the words 0, 1, 2, ... and keeps the arrays that it filled. */
function counting(): { readonly random: SystemRandom; readonly filled: Uint32Array[] } {
  const filled: Uint32Array[] = [];
  let next = 0;
  const random = new SystemRandom((words) => {
    filled.push(words);
    for (let index = 0; index < words.length; index++) {
      words[index] = next++;
    }
  });
  return { random, filled };
}

describe("random streams of production", () => {
  it("take every bit from the system, and no bit twice, whatever the stream", () => {
    const { random } = counting();
    const drawn = Array.from({ length: 5000 }, (_, index) => random.stream(`stream ${index % 7}`).nextInt(2 ** 32));
    expect(drawn).toEqual(Array.from({ length: 5000 }, (_, index) => index));
  });

  it("leave no word that was drawn in memory", () => {
    const { random, filled } = counting();
    for (let index = 0; index < 10; index++) {
      random.stream("query-slug").nextText(1, hexDigits);
    }
    expect([...(filled[0] as Uint32Array).subarray(0, 12)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 11]);
  });

  it("differ between two nodes that ask for the same names", () => {
    const slug = (): string => new SystemRandom().stream("query-slug").nextText(32, hexDigits);
    expect(new Set(Array.from({ length: 100 }, slug)).size).toBe(100);
    expect(slug()).toMatch(/^[0-9a-f]{32}$/);
  });
});
