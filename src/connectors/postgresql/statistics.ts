/** Statistics that ANALYZE of PostgreSQL has left in pg_class and pg_stats. */
import type { DatabaseConnection, DatabaseValue } from "../../ports/databases.ts";
import type { Type } from "../../types/type.ts";
import type { Relation, RemoteColumn } from "../shared/remote/remote-table.ts";
import { countOf } from "../shared/remote/answers.ts";
import { dateOf } from "../shared/remote/text-values.ts";
import type { ColumnStatistics, TableStatistics } from "../spi.ts";
import { parseArray } from "./arrays.ts";
import { quoted } from "./dialect.ts";

type Stored = Extract<Relation, { readonly table: string }>;

export async function statisticsOf(
  connection: DatabaseConnection,
  { schema, table }: Stored,
  columns: readonly RemoteColumn[],
): Promise<TableStatistics> {
  // A partitioned table has the rows of its partitions. Before the first ANALYZE the number of rows is -1.
  const [counted] = await connection.query(
    `SELECT CASE WHEN c.relkind = 'p' THEN (SELECT sum(greatest(l.reltuples, 0)) FROM pg_partition_tree(c.oid) p JOIN pg_class l ON l.oid = p.relid WHERE p.isleaf)
       ELSE c.reltuples END
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ${quoted(schema)} AND c.relname = ${quoted(table)}`,
  );
  const rowCount = countOf(counted?.[0]);
  if (rowCount === undefined) {
    return { columns: {} };
  }
  const rows = await connection.query(
    `SELECT attname, null_frac, n_distinct, avg_width, histogram_bounds::text, most_common_vals::text FROM pg_stats
     WHERE schemaname = ${quoted(schema)} AND tablename = ${quoted(table)} ORDER BY inherited`,
  );
  const byName = new Map(columns.map((column) => [column.remoteName, column]));
  const found = rows.flatMap(([name, ...values]) => {
    const column = byName.get(String(name));
    return column === undefined ? [] : [[column.name, columnStatistics(column.type, values, rowCount)] as const];
  });
  return { rowCount, columns: Object.fromEntries(found) };
}

function columnStatistics(
  type: Type,
  [nulls, distinct, width, histogram, common]: readonly (DatabaseValue | undefined)[],
  rowCount: number,
): ColumnStatistics {
  const count = Number(distinct ?? 0);
  const fraction = Number(nulls ?? 0);
  // Negative: a fraction of the rows. Zero: unknown.
  const distinctValues = count < 0 ? Math.round(-count * rowCount) : count;
  const [bounds = [], frequent = []] = [histogram, common].map((text) => parseArray(text ?? "{}") ?? []);
  // Without a histogram there may be values that are neither frequent nor known, but if there are no others than the frequent ones.
  const isKnown = bounds.length > 0 || frequent.length >= distinctValues;
  const values = isKnown ? [...bounds, ...frequent].flatMap((item) => numberOf(type, item) ?? []) : [];
  return {
    nullsFraction: fraction >= 0 && fraction <= 1 ? fraction : 0,
    ...(Number.isFinite(distinctValues) && distinctValues !== 0 && { distinctValues }),
    averageBytes: countOf(width) ?? 0,
    ...(values.length > 0 && { low: values.reduce((a, b) => Math.min(a, b)), high: values.reduce((a, b) => Math.max(a, b)) }),
  };
}

/** In the unit of column statistics. */
function numberOf(type: Type, item: unknown): number | undefined {
  if (typeof item !== "string") {
    return undefined;
  }
  switch (type.kind) {
    case "smallint":
    case "integer":
    case "bigint":
    case "decimal":
    case "real":
    case "double": {
      const value = Number(item);
      return Number.isFinite(value) ? value : undefined;
    }
    case "date":
      return dateOf(item);
    default:
      return undefined;
  }
}
