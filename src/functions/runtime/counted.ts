/**
 * Bounds of results that are much larger than their arguments. Called before the result is made: it is refused beyond the largest size of
 * a value, and where the work of functions is limited.
 */
import { requireElements, requireValueBytes } from "../../types/value-size.ts";
import type { HostCall } from "../registry/definition.ts";

const bytesPerStep = 256;
const elementsPerStep = 8;

export function countBytes({ work }: HostCall, bytes: number): void {
  requireValueBytes(bytes);
  work?.count(Math.floor(bytes / bytesPerStep));
}

export function countElements({ work }: HostCall, elements: number): void {
  requireElements(elements);
  work?.count(Math.floor(elements / elementsPerStep));
}
