/** Draws which points of the engine are live in a run, and how often they fire: in two stages, so that each run walks some seldom paths often and others not at all. */
import { faultPoints, type PointName } from "../../src/ports/points.ts";
import type { StreamTree } from "../world/streams.ts";

/** Of 1,000 passes. */
export type PointRatios = Readonly<Partial<Record<PointName, number>>>;

export const pointNames: readonly PointName[] = Object.keys(faultPoints) as PointName[];

const always = 1_000;
const wantedRatio = 400;
/** What a task emits must be the same whoever runs it and how often: these hold for a whole run or not at all. */
const wholeRun: ReadonlySet<PointName> = new Set([
  "page-cut-early",
  "page-without-dictionary",
  "partial-aggregation-flushes-early",
  "top-rows-cut-early",
]);
/** What fits one page tells nothing of the order of pages: one run in so many has small ones. */
const wholeRunOneIn: Readonly<Partial<Record<PointName, number>>> = {
  "page-cut-early": 3,
  "partial-aggregation-flushes-early": 5,
  "top-rows-cut-early": 2,
};
/** An error is the end of its query: not too often. */
const rare: ReadonlySet<PointName> = new Set(["memory-reservation-fails"]);

export interface DrawnPressure {
  /** Next to nothing fits between two tasks, which only several pages can notice. */
  readonly isTight: boolean;
  /** A disk that nobody uses may fail unnoticed: pages go there that need not. */
  readonly disksFail: boolean;
}

export function drawPoints(tree: StreamTree, { isTight, disksFail }: DrawnPressure): PointRatios {
  const stream = tree.stream("points");
  const live: [PointName, number][] = [];
  for (const name of pointNames) {
    const drawn = stream.chance(1, wholeRun.has(name) ? (wholeRunOneIn[name] ?? 12) : 4, name);
    const ratio = stream.pick([20, 100, 400], "ratio");
    const isWanted = (isTight && name === "page-cut-early") || (disksFail && name === "buffer-spills-early");
    if (drawn || isWanted) {
      live.push([name, liveRatio(name, isWanted ? wantedRatio : ratio)]);
    }
  }
  return Object.fromEntries(live);
}

/** `ratio` where nothing else is said of the point. */
export function liveRatio(name: PointName, ratio: number): number {
  return wholeRun.has(name) ? always : rare.has(name) ? 2 : ratio;
}
