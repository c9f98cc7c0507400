/** What the clauses of the SQL/JSON functions say, as plain JSON: it travels in plans as a constant beside the path. Written by the analyzer. */
import type { HostValue } from "../../../registry/definition.ts";

/** How a value is read or written: as SQL's own, as JSON text of that encoding, or as text that needs none. */
export type Format = "SQL" | "JSON" | "UTF8" | "UTF16" | "UTF32";

export interface PassingOption {
  readonly name: string;
  readonly format: Format;
}

/** Of every function that follows a path. The input comes as JSON. */
export interface PathOptions {
  readonly input: Format;
  readonly passing: readonly PassingOption[];
}

export interface ExistsOptions extends PathOptions {
  readonly onError: "TRUE" | "FALSE" | "UNKNOWN" | "ERROR";
}

/** DEFAULT is the next of the function's lambdas: first that of ON EMPTY. That one gives its value in a row, or NULL where its evaluation has failed. */
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
  /** Of the elements or of the members' values. */
  readonly formats: readonly Format[];
  readonly nulls: "NULL" | "ABSENT";
  /** Of an object. */
  readonly uniqueKeys?: boolean;
  readonly output: Format;
}

/** `index`: of the column among those of the table. */
export type TableColumn = { readonly index: number } & (
  | { readonly kind: "ordinality" }
  /** `defaults`: which of the lambdas is its first. */
  | ({ readonly kind: "value"; readonly path: string; readonly defaults: number } & ValueBehaviors)
  | ({ readonly kind: "query"; readonly path: string } & QueryClauses)
);

/** A path, the columns of each of its items, and what is nested in it. */
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

/** The options of a function's last calls: constants of a plan, of which there are few. */
export class KnownOptions<T, R> {
  readonly #known = new Map<string, R>();

  constructor(private readonly make: (options: T) => R) {}

  get(text: HostValue | undefined): R {
    const key = text as string;
    let made = this.#known.get(key);
    if (made === undefined) {
      made = this.make(JSON.parse(key) as T);
      if (this.#known.size >= knownMax) {
        this.#known.delete(this.#known.keys().next().value as string);
      }
      this.#known.set(key, made);
    }
    return made;
  }
}

const knownMax = 64;
