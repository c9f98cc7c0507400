/** Numbers of rows and distinct values that ANALYZE has left in sqlite_stat1 (https://www.sqlite.org/fileformat2.html, section 2.6.3). */
import type { ColumnStatistics } from "../spi.ts";
import { isSameName } from "./create-table.ts";
import type { OpenDatabase } from "./databases.ts";
import { indexedColumn } from "./index-columns.ts";
import { storedRows } from "./format/rows.ts";
import type { StoredTable } from "./schema.ts";

export interface AnalyzedTable {
  readonly rows: number;
  /** By column. */
  readonly columns: Readonly<Record<string, ColumnStatistics>>;
}

/** undefined if the table was not analysed. */
export async function analyzed({ pager, entries }: OpenDatabase, { name }: StoredTable): Promise<AnalyzedTable | undefined> {
  const entry = entries.find(({ type, name: other, root }) => type === "table" && other === "sqlite_stat1" && root > 0);
  if (entry === undefined) {
    return undefined;
  }
  let rows: number | undefined;
  const columns: Record<string, ColumnStatistics> = {};
  for await (const [table, index, stat] of storedRows(pager, { root: entry.root, isTable: true }, 3)) {
    if (typeof table !== "string" || typeof stat !== "string" || !isSameName(table, name)) {
      continue;
    }
    const [counted, perValue] = stat.split(" ").map(Number);
    if (counted === undefined || !Number.isFinite(counted)) {
      continue;
    }
    // A partial index has fewer rows.
    rows = Math.max(rows ?? 0, counted);
    const definition = entries.find((one) => one.type === "index" && one.name === index);
    const column = definition === undefined ? undefined : indexedColumn(definition.sql);
    if (column !== undefined && perValue !== undefined && perValue >= 1) {
      columns[column.toLowerCase()] = { distinctValues: Math.max(1, Math.round(counted / perValue)) };
    }
  }
  return rows === undefined ? undefined : { rows, columns };
}
