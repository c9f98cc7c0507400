/** A rule of the connector SPI, as a check. */
import { isDeepStrictEqual } from "node:util";
import type { Subject } from "../subject.ts";

export interface Rule {
  /** A sentence that says what holds. */
  readonly name: string;
  /** Throws BrokenRule if the rule does not hold. Returns why there is nothing to check; undefined if it was checked. */
  check(subject: Subject): Promise<string | undefined>;
}

export function sameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a) ?? "null"), JSON.parse(JSON.stringify(b) ?? "null"));
}

/** A text for a message, not too long. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
