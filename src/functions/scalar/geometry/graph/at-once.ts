/**
 * Operations of JSTS by the size of what they are given. Few positions take the operation of JSTS in one piece; for them generators cost as
 * much as a third of the work. More take its loops in steps. The results of both are the same.
 */
import BufferOp from "jsts/org/locationtech/jts/operation/buffer/BufferOp.js";
import DistanceOp from "jsts/org/locationtech/jts/operation/distance/DistanceOp.js";
import IsSimpleOp from "jsts/org/locationtech/jts/operation/IsSimpleOp.js";
import SnapIfNeededOverlayOp from "jsts/org/locationtech/jts/operation/overlay/snap/SnapIfNeededOverlayOp.js";
import RelateOp from "jsts/org/locationtech/jts/operation/relate/RelateOp.js";
import IsValidOp from "jsts/org/locationtech/jts/operation/valid/IsValidOp.js";
import type { InSteps } from "../../../runtime/steps.ts";
import { bufferInSteps } from "./buffering.ts";
import { type Nearest, nearestInSteps } from "./nearest.ts";
import { overlayInSteps } from "./overlaying.ts";
import { relateInSteps } from "./relating.ts";
import { nonSimpleInSteps, type ValidationError, validationErrorInSteps } from "./validity.ts";

/**
 * Positions of all arguments for which an operation is one piece. The longest one is an overlay of two lines of which each segment crosses
 * each one of the other line: 361 crossings, 5 to 9 ms.
 */
export const positionsAtOnceMax = 40;
/** The same for buffers: a curve around a position has 97. Twelve positions close together take up to 21 ms in a new process. */
export const bufferedAtOnceMax = 8;

/** An operation on geometries of JSTS. */
export interface Operation<Args extends readonly unknown[], Result> {
  readonly atOnce: (...args: Args) => Result;
  readonly inSteps: (...args: Args) => InSteps<Result>;
  readonly isSmall: (...args: Args) => boolean;
}

interface Counted {
  getNumPoints(): number;
}

function positionsOf(geometry: unknown): number {
  return (geometry as Counted).getNumPoints();
}

function arePairSmall(one: unknown, other: unknown): boolean {
  return positionsOf(one) + positionsOf(other) <= positionsAtOnceMax;
}

function isSmall(geometry: unknown): boolean {
  return positionsOf(geometry) <= positionsAtOnceMax;
}

/** Of geometries that are not collections. */
export const relation: Operation<readonly [one: unknown, other: unknown], unknown> = {
  atOnce: (one, other) => RelateOp.relate(one, other),
  inSteps: relateInSteps,
  isSmall: arePairSmall,
};

/** `code` is of OverlayOp. */
export const overlaying: Operation<readonly [one: unknown, other: unknown, code: number], unknown> = {
  atOnce: (one, other, code) => SnapIfNeededOverlayOp.overlayOp(one, other, code),
  inSteps: overlayInSteps,
  isSmall: arePairSmall,
};

export const buffering: Operation<readonly [geometry: unknown, distance: number, quadrantSegments: number], unknown> = {
  atOnce: (geometry, distance, quadrantSegments) => BufferOp.bufferOp(geometry, distance, quadrantSegments),
  inSteps: bufferInSteps,
  isSmall: (geometry) => positionsOf(geometry) <= bufferedAtOnceMax,
};

/** Of geometries that are not empty. */
export const nearness: Operation<readonly [one: unknown, other: unknown], Nearest> = {
  atOnce: (one, other) => {
    const op = new DistanceOp(one, other);
    return { positions: op.nearestPoints() as unknown as Nearest["positions"], distance: op.distance() as number };
  },
  inSteps: nearestInSteps,
  isSmall: arePairSmall,
};

export const validity: Operation<readonly [geometry: unknown], ValidationError | undefined> = {
  atOnce: (geometry) => {
    const op = new IsValidOp(geometry);
    return (op.isValid() as boolean) ? undefined : (op.getValidationError() as ValidationError);
  },
  inSteps: validationErrorInSteps,
  isSmall,
};

type NonSimple = { readonly x: number; readonly y: number } | undefined;

/** As nonSimpleInSteps. */
export const simplicity: Operation<readonly [geometry: unknown, isLinear: boolean, anyPosition: boolean], NonSimple> = {
  atOnce: (geometry) => {
    const op = new IsSimpleOp(geometry);
    return (op.isSimple() as boolean) ? undefined : (op.getNonSimpleLocation() as NonSimple);
  },
  inSteps: nonSimpleInSteps,
  isSmall,
};
