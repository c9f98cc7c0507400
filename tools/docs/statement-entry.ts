/** What the page of the statements says of a kind of statement. */
import type { Statement } from "../../src/sql/ast/statements.ts";

export interface StatementEntry {
  readonly title: string;
  readonly syntax: string;
  readonly description: string;
  /** Statements of this kind, run in the order of the page: later ones find what earlier ones made. */
  readonly examples: readonly string[];
  /** Name of the error with which the examples fail, where no connector can do it. */
  readonly fails?: string;
}

export type StatementKind = Statement["kind"];

export type StatementEntries<K extends StatementKind> = Readonly<Record<K, StatementEntry>>;
