/**
 * Loops over values that may be many, as generators that yield the steps since the last time. A loop over few small values yields nothing.
 */
import type { HostValue } from "../../registry/definition.ts";
import type { InSteps } from "../steps.ts";

/** Elements of a loop, or nodes of its elements, between two yields, and nodes of a value that is encoded at once. */
export const elementsAtOnce = 2_048;
export const elementsPerStep = 4;
/** Work of looking for a value in a large set, or adding it, beyond that of an element of a loop. */
export const setNodes = 3;
/** Bytes of a text that are encoded or decoded at once: much less work than as many bytes of elements. */
export const textBytesAtOnce = 1 << 20;
const charactersPerNode = 32;
const bytesPerNode = 128;

/** What is left of a number of nodes after those of the values. */
function nodesLeft(values: readonly HostValue[], before: number): number {
  let left = before - values.length;
  for (let index = 0; index < values.length && left > 0; index++) {
    const value = values[index] as HostValue;
    if (typeof value === "string") {
      left -= Math.floor(value.length / charactersPerNode);
    } else if (value instanceof Uint8Array) {
      left -= Math.floor(value.length / bytesPerNode);
    } else if (Array.isArray(value)) {
      left = nodesLeft(value as readonly HostValue[], left);
    }
  }
  return left;
}

/** Whether encoding the value takes much longer than a call of a function. */
export function isLarge(value: HostValue): boolean {
  return typeof value === "string" ? value.length > textBytesAtOnce : Array.isArray(value) && nodesLeft(value, elementsAtOnce) <= 0;
}

/** How much work a value is where a loop looks at all of it: 1 for a number, at most about `elementsAtOnce`. */
export function nodesOf(value: HostValue | undefined): number {
  if (typeof value === "string") {
    return 1 + Math.floor(value.length / charactersPerNode);
  }
  if (value instanceof Uint8Array) {
    return 1 + Math.floor(value.length / bytesPerNode);
  }
  return Array.isArray(value) ? 1 + elementsAtOnce - nodesLeft(value, elementsAtOnce) : 1;
}

/** As nodesOf, for the elements of a loop: most are numbers. */
function weightOf(value: unknown): number {
  return typeof value === "object" || typeof value === "string" ? nodesOf(value as HostValue) : 1;
}

/** Ends when `visit` returns true. `more`: work of `visit` beyond that of an element, in nodes. */
export function* someInSteps<T>(values: readonly T[], visit: (value: T, index: number) => boolean, more = 0): InSteps<boolean> {
  let nodes = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as T;
    if (visit(value, index)) {
      return true;
    }
    nodes += weightOf(value) + more;
    if (nodes >= elementsAtOnce) {
      yield Math.ceil(nodes / elementsPerStep);
      nodes = 0;
    }
  }
  return false;
}

/** As Array.forEach. `more`: as for someInSteps. */
export function* eachInSteps<T>(values: readonly T[], visit: (value: T, index: number) => void, more = 0): InSteps<void> {
  let nodes = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as T;
    visit(value, index);
    nodes += weightOf(value) + more;
    if (nodes >= elementsAtOnce) {
      yield Math.ceil(nodes / elementsPerStep);
      nodes = 0;
    }
  }
}

/** As Array.forEach over the elements of each list. `more`: as for someInSteps. */
export function* eachOfLists<T>(lists: readonly (readonly T[])[], visit: (value: T) => void, more = 0): InSteps<void> {
  let nodes = 0;
  for (const list of lists) {
    nodes++;
    for (const value of list) {
      visit(value);
      nodes += weightOf(value) + more;
      if (nodes >= elementsAtOnce) {
        yield Math.ceil(nodes / elementsPerStep);
        nodes = 0;
      }
    }
  }
}

/** As Array.map. */
export function* mapInSteps<T, R>(values: readonly T[], map: (value: T, index: number) => R): InSteps<R[]> {
  const result: R[] = [];
  let nodes = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as T;
    result.push(map(value, index));
    nodes += weightOf(value);
    if (nodes >= elementsAtOnce) {
      yield Math.ceil(nodes / elementsPerStep);
      nodes = 0;
    }
  }
  return result;
}

/** As Array.filter. `more`: as for someInSteps. */
export function* filterInSteps<T>(values: readonly T[], keeps: (value: T, index: number) => boolean, more = 0): InSteps<T[]> {
  const result: T[] = [];
  let nodes = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as T;
    if (keeps(value, index)) {
      result.push(value);
    }
    nodes += weightOf(value) + more;
    if (nodes >= elementsAtOnce) {
      yield Math.ceil(nodes / elementsPerStep);
      nodes = 0;
    }
  }
  return result;
}

/** As Array.from({ length }). `nodes`: work of making an element. */
export function* fromInSteps<R>(length: number, make: (index: number) => R, nodes = 1): InSteps<R[]> {
  const result: R[] = [];
  const atOnce = Math.max(1, Math.floor(elementsAtOnce / nodes));
  for (let index = 0; index < length; index++) {
    result.push(make(index));
    if (result.length % atOnce === 0) {
      yield Math.ceil((atOnce * nodes) / elementsPerStep);
    }
  }
  return result;
}
