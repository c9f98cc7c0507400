/**
 * States of the aggregates that combine geometries: blocks of combined geometries, each preceded by its length (u32). Small blocks are
 * combined as they come, so that adding costs little; large ones wait for the result, which is made in steps.
 */
import { GEOMETRY } from "../../../types/type.ts";
import { allSteps, type InSteps } from "../../runtime/steps.ts";
import type { SketchImplementation, SketchWork } from "../../sketch/sketch-aggregate.ts";
import { convexHullInSteps } from "./convex-hull.ts";
import { eachWithinBound } from "./effort.ts";
import { readGeometry, writeWkb } from "./encoding/wkb.ts";
import type { Geometry } from "./geometry.ts";
import { unionInSteps } from "./unions.ts";

const lengthBytes = 4;
/** Two blocks of less bytes together are combined at once: about a thousand vertices. */
const smallBytes = 16_384;
const geometriesAtOnce = 64;
const stepsOfGeometries = 200;

type Combine = (geometries: readonly Geometry[]) => InSteps<Geometry>;

/** The block at the end of the state; the blocks before it end where it begins. */
interface Block {
  readonly begin: number;
  readonly bytes: Uint8Array;
}

function blocksOf(state: Uint8Array): readonly Block[] {
  const view = new DataView(state.buffer, state.byteOffset, state.byteLength);
  const blocks: Block[] = [];
  for (let begin = 0; begin < state.length; ) {
    const end = begin + lengthBytes + view.getUint32(begin, true);
    blocks.push({ begin, bytes: state.subarray(begin + lengthBytes, end) });
    begin = end;
  }
  return blocks;
}

/** The first bytes of the state and one more block. */
function withBlock(state: Uint8Array, kept: number, block: Uint8Array): Uint8Array {
  const result = new Uint8Array(kept + lengthBytes + block.length);
  result.set(state.subarray(0, kept));
  new DataView(result.buffer).setUint32(kept, block.length, true);
  result.set(block, kept + lengthBytes);
  return result;
}

function combining(name: string, combine: Combine): SketchImplementation {
  const combined = (values: readonly Uint8Array[], work: SketchWork): Uint8Array =>
    writeWkb(allSteps(eachWithinBound(work, combine(values.map((value) => readGeometry(value))))));
  return {
    name,
    returnType: GEOMETRY,
    rowTypes: [GEOMETRY],
    add: (given, rows, work) => {
      const state = given ?? new Uint8Array(0);
      const last = blocksOf(state).at(-1);
      const block = combined(
        rows.map(([value]) => value as Uint8Array),
        work,
      );
      return last !== undefined && last.bytes.length + block.length <= smallBytes
        ? withBlock(state, last.begin, combined([last.bytes, block], work))
        : withBlock(state, state.length, block);
    },
    merge: (state, other) => {
      const result = new Uint8Array(state.length + other.length);
      result.set(state);
      result.set(other, state.length);
      return result;
    },
    *result(state, work) {
      const geometries: Geometry[] = [];
      for (const { bytes } of blocksOf(state)) {
        geometries.push(readGeometry(bytes));
        if (geometries.length % geometriesAtOnce === 0) {
          yield stepsOfGeometries;
        }
      }
      return writeWkb(geometries.length === 1 ? (geometries[0] as Geometry) : yield* eachWithinBound(work, combine(geometries)));
    },
  };
}

export const hullSketch: SketchImplementation = combining("convex_hull_agg", (parts) =>
  convexHullInSteps({ kind: "GeometryCollection", parts }),
);
export const unionSketch: SketchImplementation = combining("geometry_union_agg", unionInSteps);
