/**
 * Draws which fault points of the engine are live in a run, and how often they fire. The two stages make each run take some rare paths
 * often and others never.
 */
import { faultPoints, type PointName } from "../../src/ports/points.ts";
import type { StreamTree } from "../world/streams.ts";

/** Number of firings per 1,000 passes. */
export type PointRatios = Readonly<Partial<Record<PointName, number>>>;

export const pointNames: readonly PointName[] = Object.keys(faultPoints) as PointName[];

const always = 1_000;
const wantedRatio = 400;
/** A task must emit the same output on every node and in every attempt, so these points are live for the whole run or not at all. */
const wholeRun: ReadonlySet<PointName> = new Set([
  "page-cut-early",
  "page-without-dictionary",
  "partial-aggregation-flushes-early",
  "top-rows-cut-early",
]);
/** A result that fits in one page cannot test the order of pages. One run in this many has small pages. */
const wholeRunOneIn: Readonly<Partial<Record<PointName, number>>> = {
  "page-cut-early": 3,
  "partial-aggregation-flushes-early": 5,
  "top-rows-cut-early": 2,
};
/** An error ends its query, so this point fires rarely. */
const rare: ReadonlySet<PointName> = new Set(["memory-reservation-fails"]);

export interface DrawnPressure {
  /** Buffers between tasks hold almost nothing; only results of several pages test this. */
  readonly isTight: boolean;
  /** A failing disk goes unnoticed unless it is used, so buffers spill pages that would fit in memory. */
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
