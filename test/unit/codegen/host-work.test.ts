/** Slices of long calls: an interrupted call goes on, and what is written for it again is given to its slice. */
import { expect, it } from "vitest";
import { HostWork, type LongCall, WorkReplay } from "../../../src/codegen/host-work.ts";

const draws = { get: () => 0n, set: () => undefined };

/** Slices of an outer call that writes arguments of `bytes` for an inner call of `steps` steps. */
function slicesOf({ bytes, steps }: { readonly bytes: number; readonly steps: number }): number {
  const work = new HostWork(100);
  const replay = new WorkReplay();
  const inner: LongCall<{ done: number }, number> = {
    begin: () => ({ done: 0 }),
    run: (frame, watch) => {
      while (frame.done < steps) {
        watch.step();
        frame.done++;
      }
      return frame.done;
    },
    draws,
    bytesOfFrame: () => 0,
    bytesOf: () => 0,
  };
  const outer: LongCall<null, number> = {
    begin: () => null,
    run: (_frame, watch) => {
      watch.step();
      work.wrote(bytes);
      return work.call(inner);
    },
    draws,
    bytesOfFrame: () => 0,
    bytesOf: () => 0,
  };
  for (let slices = 1; ; slices++) {
    if (work.slice(replay, () => work.call(outer)).result === steps) {
      return slices;
    }
  }
}

it("a slice is as much longer as was written again for the call that it goes on with", () => {
  expect(slicesOf({ bytes: 0, steps: 10_000 })).toBeGreaterThan(90);
  // 256 bytes count as a step: each slice but the first one has 1,000 steps more.
  expect(slicesOf({ bytes: 256_000, steps: 10_000 })).toBeLessThan(12);
});
