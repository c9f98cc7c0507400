/** What expressions of arrays, maps and rows share: lambdas over elements, fields, and NULL where the dialects differ. */
import { type Text, text, type } from "../dialects.ts";
import { BIGINT, type Expression, VARCHAR } from "./generated-expression.ts";
import type { ExpressionSource } from "./source.ts";

/** Keeps sums of elements far from overflow. */
export const elementMax = 1e9;

/** NULL if one of the parts is NULL, for the dialect that behaves differently. */
export function guarded(engine: string, parts: readonly Expression[], duckdb: string): Text {
  const nulls = parts.map((part) => `${part.text.duckdb} IS NULL`).join(" OR ");
  return { engine, duckdb: `CASE WHEN ${nulls} THEN NULL ELSE ${duckdb} END` };
}

/** The value, or a substitute if it is NULL. */
export function present(part: Expression, instead: string): Text {
  return text`coalesce(${part.text}, ${instead})`;
}

export interface Lambda {
  readonly engine: string;
  readonly duckdb: string;
  readonly body: Expression;
}

export function lambda(source: ExpressionSource, parameter: Expression, draw: (inside: ExpressionSource) => Expression): Lambda {
  const body = draw(source.inside([parameter]));
  return {
    engine: `${parameter.text.engine} -> ${body.text.engine}`,
    duckdb: `lambda ${parameter.text.duckdb}: ${body.text.duckdb}`,
    body,
  };
}

export function parameterOf(source: ExpressionSource, list: Expression): Expression {
  const name = `e${source.level}`;
  if (list.type.kind === "lists") {
    return { text: text`${name}`, type: type("holes"), bound: list.bound, exact: true, variable: true };
  }
  return list.type.kind !== "texts"
    ? { text: text`${name}`, type: BIGINT, bound: list.bound, exact: true, variable: true }
    : { text: text`${name}`, type: VARCHAR, bound: 0, exact: true, variable: true };
}

/** A boolean body in which unknown is false. */
export function predicate(source: ExpressionSource, list: Expression): Lambda {
  return lambda(source, parameterOf(source, list), (inside) => {
    const drawn = inside.condition(1);
    return { ...drawn, text: present(drawn, "false") };
  });
}

export function fieldOf(row: Expression, name: "a" | "b"): Text {
  return { engine: `(${row.text.engine}).${name}`, duckdb: `struct_extract(${row.text.duckdb}, '${name}')` };
}
