/**
 * Lines of SQL text. NodePrinter is how the printers of JSON, row patterns, table functions and routines print the nodes inside of theirs:
 * printer/queries.ts hands it to them, so that they do not import it.
 */
import type { Expression, SortItem } from "../ast/expression-nodes.ts";
import type { AliasedRelation, Relation } from "../ast/relations.ts";

export interface NodePrinter {
  readonly expression: (node: Expression) => string;
  readonly sortItem: (node: SortItem) => string;
  /** A table's name, a query in its parentheses. */
  readonly relation: (node: Relation) => readonly string[];
  /** `AS a (x)` */
  readonly alias: (node: AliasedRelation) => string;
}

export function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** Presto's list layout: one item on each line, commas in front. */
export function itemLines(items: readonly string[]): readonly string[] {
  return items.map((item, index) => (index === 0 ? `  ${item}` : `, ${item}`));
}

export function prepend(text: string, lines: readonly string[]): readonly string[] {
  const [first = "", ...others] = lines;
  return [text + first, ...others];
}

export function append(lines: readonly string[], text: string): readonly string[] {
  return [...lines.slice(0, -1), (lines[lines.length - 1] ?? "") + text];
}
