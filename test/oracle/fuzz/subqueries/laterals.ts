/**
 * JOIN LATERAL in both dialects. DuckDB supports no condition besides an equality there, so the condition moves inside.
 */
import type { Text } from "../dialects.ts";

interface ConditionalLateral {
  readonly alias: string;
  /** A query of one column, which becomes `c0`. */
  readonly body: Text;
  /** Over the left side and `c0`. */
  readonly condition: Text;
}

/** `join` is empty, INNER or LEFT. */
export function lateralOn(join: string, { alias, body, condition }: ConditionalLateral): Text {
  const filtered = `SELECT ${alias}.c0 FROM (${body.duckdb}) AS ${alias} (c0) WHERE ${condition.duckdb}`;
  return {
    engine: `${join}JOIN LATERAL (${body.engine}) AS ${alias} (c0) ON ${condition.engine}`,
    duckdb: `${join}JOIN LATERAL (${filtered}) AS ${alias} (c0) ON TRUE`,
  };
}
