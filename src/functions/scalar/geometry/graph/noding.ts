/**
 * Intersections of all segments of many lines: MCIndexNoder of JSTS, with its loops in steps (graph/graphs.ts).
 */
import MCIndexNoder from "jsts/org/locationtech/jts/noding/MCIndexNoder.js";
import type { InSteps } from "../../../runtime/steps.ts";
import { countOperations, isPauseDue } from "../effort.ts";
import { eachOf, type JavaIterable } from "./graphs.ts";

interface Chain {
  getEnvelope(): unknown;
  getId(): number;
  computeOverlaps(other: Chain, action: unknown): void;
}

interface Noder {
  readonly _monoChains: JavaIterable<Chain>;
  readonly _index: { query(envelope: unknown): JavaIterable<Chain> };
  add(line: unknown): void;
}

/** `intersector` takes each pair of segments. */
export function* nodeInSteps(lines: JavaIterable<unknown>, intersector: { isDone(): boolean }): InSteps<void> {
  const noder = new MCIndexNoder() as unknown as Noder;
  const action = new MCIndexNoder.SegmentOverlapAction(intersector);
  yield* eachOf(lines, (line) => noder.add(line));
  for (const chains = noder._monoChains.iterator(); chains.hasNext(); ) {
    const chain = chains.next();
    for (const near = noder._index.query(chain.getEnvelope()).iterator(); near.hasNext(); ) {
      const other = near.next();
      if (other.getId() > chain.getId()) {
        chain.computeOverlaps(other, action);
      }
      if (intersector.isDone()) {
        return;
      }
      countOperations(1);
      if (isPauseDue()) {
        yield 1;
      }
    }
  }
}
