/**
 * Draws which bounds of the engine a run shrinks. Swarm testing: most runs leave most knobs alone, so that each small bound meets large
 * ones. Some runs have all knobs at small values. Every knob has a stream of its own, so a new knob changes no other draw.
 */
import { type Knob, type KnobName, knobs, type KnobValues } from "../../src/ports/knobs.ts";
import type { Stream, StreamTree } from "../world/streams.ts";

export const knobNames: readonly KnobName[] = Object.keys(knobs) as KnobName[];

/** Out of `lots` runs, how many have no knob at all, and how many have every knob. */
const lots = 16;
const none = 4;
const all = 1;
/** One in this many knobs is live in the other runs. */
const oneIn = 4;

/** Knobs that shrink one part of the engine. A rare path may need several of them, so that in one run of this many they are all live. */
const familyOneIn = 10;
const families: readonly (readonly [family: string, members: RegExp])[] = [
  ["filters", /filter|bitmap|^broadcast-/],
  ["joins", /^join-|^dense-|semi-join|^row-store/],
  ["groups", /^group-|^aggregation-|^partial-/],
  ["sorts", /^sort-|^radix-|^top-n-|^window-/],
  ["spills", /^spill-|^revocable-/],
  ["patterns", /^pattern-/],
  ["tables", /^memory-|^dictionary-/],
  ["history", /^history-/],
  ["caches", /^cached-/],
];

/**
 * Knobs that multiply the events of a run, and each other. Where all knobs are small, these have the largest of their values: with the
 * smallest such a run had 110 times the events of one without knobs, and 18 times its CPU time.
 */
const multiplying: ReadonlySet<KnobName> = new Set(["page-rows", "memory-chunk-rows"]);

export function drawKnobs(tree: StreamTree): KnobValues {
  const lot = tree.stream("knobs").nextInt(lots, "how many");
  const values: Partial<Record<KnobName, number>> = {};
  const live = families.filter(([family]) => tree.stream(`knob family/${family}`).chance(1, familyOneIn, "live"));
  for (const name of knobNames) {
    const stream = tree.stream(`knobs/${name}`);
    const isLive = stream.chance(1, oneIn, "live");
    const value = drawValue(stream, knobs[name]);
    const hasFamily = live.some(([, members]) => members.test(name));
    if (lot >= none + all) {
      if (isLive || hasFamily) {
        values[name] = value;
      }
    } else if (lot >= none) {
      values[name] = multiplying.has(name) ? Math.max(...knobs[name].values) : value;
    }
  }
  return values;
}

/** Half of the draws are the minimum. */
function drawValue(stream: Stream, { values }: Knob): number {
  const other = stream.pick(values, "value");
  return stream.chance(1, 2, "minimum") ? (values[0] as number) : other;
}
