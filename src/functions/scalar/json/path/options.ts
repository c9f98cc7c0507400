/**
 * Options of the SQL/JSON functions as plain JSON. The analyzer writes them; a plan carries them as a constant beside the path.
 */
import type { HostValue } from "../../../registry/definition.ts";

/** How a value is read or written: SQL value, JSON text without an encoding, or JSON text in the given encoding. */
export type Format = "SQL" | "JSON" | "UTF8" | "UTF16" | "UTF32";

export interface PassingOption {
  readonly name: string;
  readonly format: Format;
}

/** Options of every function that evaluates a path. The input is always JSON. */
export interface PathOptions {
  readonly input: Format;
  readonly passing: readonly PassingOption[];
}

export interface ExistsOptions extends PathOptions {
  readonly onError: "TRUE" | "FALSE" | "UNKNOWN" | "ERROR";
}

/**
 * DEFAULT takes the function's next lambda, that of ON EMPTY first. The lambda of ON EMPTY returns its value in a row, or NULL if its
 * evaluation failed.
 */
export type ValueBehavior = "ERROR" | "NULL" | "DEFAULT";

export interface ValueBehaviors {
  readonly onEmpty: ValueBehavior;
  readonly onError: ValueBehavior;
}

export interface ValueOptions extends PathOptions, ValueBehaviors {}

export type QueryBehavior = "ERROR" | "NULL" | "EMPTY ARRAY" | "EMPTY OBJECT";

export interface QueryClauses {
  readonly wrapper: "WITHOUT" | "CONDITIONAL" | "UNCONDITIONAL";
  readonly quotes: "KEEP" | "OMIT";
  readonly onEmpty: QueryBehavior;
  readonly onError: QueryBehavior;
  readonly output: Format;
}

export interface QueryOptions extends PathOptions, QueryClauses {}

export interface ConstructorOptions {
  /** Formats of the elements or member values. */
  readonly formats: readonly Format[];
  readonly nulls: "NULL" | "ABSENT";
  /** For objects only. */
  readonly uniqueKeys?: boolean;
  readonly output: Format;
}

/** `index` is the column's index in the table. */
export type TableColumn = { readonly index: number } & (
  | { readonly kind: "ordinality" }
  /** `defaults` is the index of the column's first lambda. */
  | ({ readonly kind: "value"; readonly path: string; readonly defaults: number } & ValueBehaviors)
  | ({ readonly kind: "query"; readonly path: string } & QueryClauses)
);

/** A path, the columns produced for each of its items, and its nested paths. */
export interface TablePath {
  readonly kind: "path";
  readonly path: string;
  readonly columns: readonly TableColumn[];
  readonly nested?: { readonly type: "OUTER" | "INNER"; readonly plan: TablePlan };
}

export type TablePlan = TablePath | { readonly kind: "UNION" | "CROSS"; readonly terms: readonly TablePlan[] };

export interface TableOptions extends PathOptions {
  readonly root: TablePath;
  readonly onError: "EMPTY" | "ERROR";
}

/** Cache of parsed options by their text. Options are constants of a plan, so there are few. */
export class KnownOptions<T, R> {
  readonly #known = new Map<string, R>();

  readonly #make: (options: T) => R;

  constructor(make: (options: T) => R) {
    this.#make = make;
  }

  get(text: HostValue | undefined): R {
    const key = text as string;
    let made = this.#known.get(key);
    if (made === undefined) {
      made = this.#make(JSON.parse(key) as T);
      if (this.#known.size >= knownMax) {
        this.#known.delete(this.#known.keys().next().value as string);
      }
      this.#known.set(key, made);
    }
    return made;
  }
}

const knownMax = 64;
