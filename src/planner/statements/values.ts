/**
 * Wraps rows that the planner computes (SHOW, DESCRIBE, EXPLAIN) in a Values plan, so that they run like any query.
 */
import { BOOLEAN, VARCHAR, type Type } from "../../types/type.ts";
import { codePoints } from "../../types/utf8.ts";
import type { ConstantValue } from "../plan/typed-expression.ts";
import { constant } from "../plan/expression-tree.ts";
import { renumberNodes } from "../fragmenter/fragmenter.ts";
import { PlanIds } from "../plan/ids.ts";
import type { OutputNode } from "../plan/node.ts";
import { planWithoutTables } from "../plan-query.ts";
import type { PlannedQuery } from "../planned.ts";

export interface ShownColumn {
  readonly name: string;
  readonly type: Type;
}

export function varcharColumn(name: string): ShownColumn {
  return { name, type: VARCHAR };
}

export function booleanColumn(name: string): ShownColumn {
  return { name, type: BOOLEAN };
}

export function planRows(columns: readonly ShownColumn[], rows: readonly (readonly ConstantValue[])[]): PlannedQuery {
  const ids = new PlanIds();
  const outputs = columns.map((column) => ids.variable(column.name, column.type));
  const root: OutputNode = {
    kind: "Output",
    id: ids.node(),
    columnNames: columns.map((column) => column.name),
    outputs,
    source: {
      kind: "Values",
      id: ids.node(),
      outputs,
      rows: rows.map((row) => row.map((value, index) => constant(columns[index]?.type ?? VARCHAR, value))),
    },
  };
  return planWithoutTables(renumberNodes(root) as OutputNode);
}

/** Compiles the LIKE pattern of a SHOW statement. */
export function likeMatcher(pattern: string, escape?: string): (text: string) => boolean {
  let source = "";
  const characters = codePoints(pattern);
  for (let i = 0; i < characters.length; i += 1) {
    const character = characters[i] ?? "";
    if (character === escape && i + 1 < characters.length) {
      i += 1;
      source += escapeText(characters[i] ?? "");
    } else if (character === "%") {
      source += "[^]*";
    } else if (character === "_") {
      source += "[^]";
    } else {
      source += escapeText(character);
    }
  }
  const expression = new RegExp(`^${source}$`, "u");
  return (text) => expression.test(text);
}

function escapeText(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
