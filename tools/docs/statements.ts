/** docs/sql/statements.md: one entry for each kind of statement that the parser makes. */
import { parseStatement } from "../../src/sql/parser/parser.ts";
import { block, page } from "./markdown.ts";
import { statementEntries, statementGroups } from "./statement-entries.ts";
import type { StatementEntry } from "./statement-entry.ts";

/** Throws where an example is not a statement of its kind. */
function entryText(kind: string, entry: StatementEntry): string {
  for (const example of entry.examples) {
    const parsed = parseStatement(example).kind;
    if (parsed !== kind) {
      throw new Error(`The example of ${kind} is a ${parsed}: ${example}`);
    }
  }
  return [
    `### ${entry.title}`,
    entry.description,
    block("text", entry.syntax),
    block(entry.fails === undefined ? "sql" : `sql fails=${entry.fails}`, entry.examples.map((example) => `${example};`).join("\n")),
  ].join("\n\n");
}

/** Throws where a kind of statement is in no group. */
export function statementsPage(): string {
  const shown = new Set(statementGroups.flatMap(({ entries }) => Object.keys(entries)));
  const missing = Object.keys(statementEntries).filter((kind) => !shown.has(kind));
  if (missing.length > 0) {
    throw new Error(`No group of statements has ${missing.join(", ")}`);
  }
  return page("Statements", [
    "Square brackets hold what may be left out. A bar separates alternatives. `...` repeats what stands before it. A table is `table`, `schema.table` or `catalog.schema.table`.",
    "The examples run in the order of this page, in a session that begins in the schema `tpch.tiny`. The tests run all of them. Where an example fails, the text above it says why.",
    ...statementGroups.flatMap(({ title, note, entries }) => [
      `## ${title}`,
      ...(note === undefined ? [] : [note]),
      ...Object.entries(entries).map(([kind, entry]) => entryText(kind, entry)),
    ]),
  ]);
}
