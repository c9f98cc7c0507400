/**
 * COPARTITION: groups table arguments that are partitioned together, and coerces their keys to common types.
 */
import { commonSuperType } from "../../../functions/registry/coercion.ts";
import type { QualifiedName, TableFunctionCall } from "../../../sql/ast/ast.ts";
import { sameType, type Type } from "../../../types/type.ts";
import type { Variable } from "../../plan/typed-expression.ts";
import type { Assignment } from "../../plan/node.ts";
import { extendProject } from "../../plan/plan-tree.ts";
import type { Analysis } from "../analysis.ts";
import { semanticError } from "../errors.ts";
import { coerce } from "../expression/functions.ts";
import type { PlannedArgument } from "./tables.ts";

export interface Copartitioned {
  readonly tables: readonly PlannedArgument[];
  /** Groups of indexes in `tables`. */
  readonly places: readonly (readonly number[])[];
}

export function copartition(call: TableFunctionCall, tables: readonly PlannedArgument[], analysis: Analysis): Copartitioned {
  const seen = new Set<number>();
  const all = [...tables];
  const places = call.copartitioned.map((names) => {
    const group = names.map((name) => placeOf(name, tables, seen));
    for (const [index, name] of names.entries()) {
      requirePartitioned(name, tables[group[index] as number] as PlannedArgument);
    }
    const coerced = coerceKeys(
      group.map((place) => tables[place] as PlannedArgument),
      names,
      analysis,
    );
    for (const [index, place] of group.entries()) {
      all[place] = coerced[index] as PlannedArgument;
    }
    return group;
  });
  return { tables: all, places };
}

function refuse(at: QualifiedName, message: string): Error {
  return semanticError("INVALID_COPARTITIONING", at, message);
}

function textOf(name: QualifiedName): string {
  return name.parts.map(({ value }) => value).join(".");
}

function placeOf(name: QualifiedName, tables: readonly PlannedArgument[], seen: Set<number>): number {
  const parts = name.parts.map(({ value }) => value.toLowerCase());
  const found = [...tables.keys()].filter((place) => {
    const { qualifier = [] } = tables[place] as PlannedArgument;
    return qualifier.length >= parts.length && parts.every((part, index) => qualifier[qualifier.length - parts.length + index] === part);
  });
  const [place] = found;
  if (place === undefined) {
    throw refuse(name, `No table argument found for name: ${textOf(name)}`);
  }
  if (found.length > 1) {
    throw refuse(name, `Ambiguous reference: multiple table arguments found for name: ${textOf(name)}`);
  }
  if (seen.has(place)) {
    throw refuse(name, `Multiple references to table argument: ${textOf(name)} in COPARTITION clause`);
  }
  seen.add(place);
  return place;
}

function requirePartitioned(name: QualifiedName, { syntax, partitionBy, qualifier = [] }: PlannedArgument): void {
  const table = qualifier.join(".");
  if (syntax.partitionBy === undefined) {
    throw refuse(name, `Table ${table} referenced in COPARTITION clause is not partitioned`);
  }
  if (partitionBy.length > 0) {
    return;
  }
  throw refuse(name, `No partitioning columns specified for table ${table} referenced in COPARTITION clause`);
}

function coerceKeys(group: readonly PlannedArgument[], names: readonly QualifiedName[], { ids }: Analysis): readonly PlannedArgument[] {
  const [first] = group as [PlannedArgument];
  const [name] = names as [QualifiedName];
  if (group.some(({ partitionBy }) => partitionBy.length !== first.partitionBy.length)) {
    throw refuse(name, "Numbers of partitioning columns in copartitioned tables do not match");
  }
  const types = first.partitionBy.map((key, index) => {
    const others = group.map(({ partitionBy }) => (partitionBy[index] as Variable).type);
    const common = others.reduce((a: Type | undefined, b) => (a === undefined ? undefined : commonSuperType(a, b)), key.type);
    if (common !== undefined) {
      return common;
    }
    throw semanticError("TYPE_MISMATCH", name, "Partitioning columns in copartitioned tables have incompatible types");
  });
  return group.map((table) => {
    const added: Assignment[] = [];
    const partitionBy = table.partitionBy.map((key, index) => {
      const type = types[index] as Type;
      if (sameType(key.type, type)) {
        return key;
      }
      const output = ids.variable(key.name, type);
      added.push({ output, expression: coerce(key, type) });
      return output;
    });
    return { ...table, partitionBy, node: extendProject(ids, table.node, added) };
  });
}
