/**
 * A situation in which a client of the statement protocol is judged: what it runs, what goes wrong, and what it must report. The harness
 * knows every row that it gave, and sees every request.
 */
import type { Rule } from "../../src/chaos/vocabulary.ts";
import type { PointName } from "../../src/ports/points.ts";
import type { HttpRequest } from "../../src/ports/network.ts";
import type { ScriptedAnswer } from "./script.ts";
import type { Tape } from "./tape.ts";

/** A value that a row must have. Numbers are doubles; integers and decimals keep every digit. */
export type Cell =
  | null
  | boolean
  | number
  | bigint
  | string
  | { readonly decimal: string }
  /** Bytes in base64. */
  | { readonly bytes: string }
  /** A date or time as the engine writes it. */
  | { readonly time: string }
  | { readonly pairs: readonly (readonly [string, Cell])[] }
  | readonly Cell[];

export type Expectation =
  /** All rows, in this order, and success. */
  | { readonly kind: "rows"; readonly rows: readonly (readonly Cell[])[] }
  /** A failure that the client reports. `rows` were sent before it. */
  | { readonly kind: "failure" }
  /** All rows and success, or a failure. Nothing in between. */
  | { readonly kind: "rows-or-failure"; readonly rows: readonly (readonly Cell[])[] }
  /** The client stops early: rows do not matter. */
  | { readonly kind: "stopped" };

/** What the client is asked to do. `cancel`: end the statement after its first row. `interrupt`: it receives SIGINT. */
export type Action = "read" | "cancel" | "interrupt";

/** Rules of the statement model that not every situation is judged by. */
export type ExtraRule = "leaves-query-running" | "polls-without-pause";

export interface Situation {
  readonly name: string;
  /** What happens, in a sentence. */
  readonly story: string;
  readonly group: string;
  /** A client that fails it gives wrong results or does harm. Otherwise it lacks a courtesy or convenience. */
  readonly must: boolean;
  readonly sql: string;
  /** Statements of the same session that the client runs first. */
  readonly setup?: readonly string[];
  readonly rules?: readonly Rule[];
  /** Fault points of the engine, in firings per 1,000 passes. */
  readonly points?: Readonly<Partial<Record<PointName, number>>>;
  /** Answers of a model server instead of a cluster. */
  readonly script?: (request: HttpRequest, step: { readonly token: number }) => ScriptedAnswer;
  readonly action?: Action;
  readonly expect: Expectation;
  /** The statement does not order its rows. */
  readonly anyOrder?: true;
  readonly extraRules?: readonly ExtraRule[];
  /** What else the tape must show; returns what is wrong. */
  readonly look?: (tape: Tape) => string | undefined;
  /** Simulated seconds a second; 1 if absent. */
  readonly speed?: number;
  /** Time after which the client counts as hanging, in real milliseconds. */
  readonly patienceMs?: number;
}

export function rowsOf(...values: readonly Cell[]): Expectation & { readonly kind: "rows" } {
  return { kind: "rows", rows: values.map((value) => [value]) };
}

export function orFailure({ rows }: { readonly rows: readonly (readonly Cell[])[] }): Expectation {
  return { kind: "rows-or-failure", rows };
}

export const failure: Expectation = { kind: "failure" };

/** Integers from 1 to `count`. */
export function counted(count: number): readonly bigint[] {
  return Array.from({ length: count }, (_, index) => BigInt(index + 1));
}
