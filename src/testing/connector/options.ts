/** What the checks of a connector are told. */

export interface ConnectorCheckOptions {
  /** Properties of the catalog, without connector.name. */
  readonly properties?: Readonly<Record<string, string>>;
  /**
   * Statements that make what is read, in each cluster: `CREATE TABLE IF NOT EXISTS default.t AS SELECT * FROM tpch.tiny.nation`. Names
   * without a catalog are those of the checked one, whose name is `checked`; `tpch` is there too.
   */
  readonly prepare?: readonly string[];
  /** Tables to read, as `schema.table`; all that the connector lists if absent. Small ones: each is read about thirty times. */
  readonly tables?: readonly string[];
  /** Schema in which a connector that can write gets a table; the first that it lists if absent. */
  readonly writesTo?: string;
  /** Names of properties whose values nobody may see, besides those with names like `password`, `secret` and `token`. */
  readonly secrets?: readonly string[];
  /** Rules that are not checked, each with the reason: `{ "what is written is read back": "rows are dropped on purpose" }`. */
  readonly except?: Readonly<Record<string, string>>;
  /** Longest wait for `blocked()`, and for what a cancelled write leaves to be gone, in milliseconds; 30 seconds if absent. */
  readonly patienceMs?: number;
}

/** A rule does not hold. The message says which table, what was expected and what was found. */
export class BrokenRule extends Error {
  override readonly name = "BrokenRule";
}

/** Throws BrokenRule unless the condition holds. */
export function mustHold(condition: boolean, problem: () => string): asserts condition {
  if (!condition) {
    throw new BrokenRule(problem());
  }
}
