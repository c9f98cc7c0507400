/**
 * DELETE, UPDATE and MERGE row by row: the changes are staged beside the target, with the values by which the rows are found again, and one
 * transaction makes them. A row that is not there any more as it was read is a conflict, and nothing changes.
 */
import type { DatabaseConnection } from "../../../ports/databases.ts";
import { QueryError } from "../../../protocol/errors.ts";
import type { StagedChange } from "../../pushdown.ts";
import type { Json, TableMetadata } from "../../table-metadata.ts";
import type { RemoteDialect } from "./dialect.ts";
import { handleOf, type RemoteColumn, storedOf } from "./remote-table.ts";
import { relationSql } from "./select.ts";
import { sinkColumn, sinksCondition, type WriteHandle } from "./staging.ts";

const changeColumn = "orrery_change";
/** Aliases in statements. */
const [target, staged] = ["t", "s"];

/** How a database joins the rows to change with the staged ones. */
export interface ChangeForms {
  /** The name by which columns of the target are qualified. */
  readonly qualifier: (target: string) => string;
  /** Equality of two values, or both are NULL. */
  readonly same: (one: string, other: string) => string;
  readonly deleteRows: (tables: StagedTables, where: string) => string;
  readonly updateRows: (tables: StagedTables, where: string, set: readonly (readonly [column: string, value: string])[]) => string;
  /** Runs a statement and returns how many rows it has found. */
  readonly count: (connection: DatabaseConnection, sql: string) => Promise<number>;
}

/** Quoted names. The alias of the staging table is `s`. */
interface StagedTables {
  readonly target: string;
  readonly staging: string;
}

/** PostgreSQL and DuckDB. */
export const joinedByUsing: Omit<ChangeForms, "count"> = {
  qualifier: () => target,
  same: (one, other) => `${one} IS NOT DISTINCT FROM ${other}`,
  deleteRows: (tables, where) => `DELETE FROM ${tables.target} AS ${target} USING ${tables.staging} AS ${staged} WHERE ${where}`,
  updateRows: (tables, where, set) => {
    const values = set.map(([column, value]) => `${column} = ${value}`).join(", ");
    return `UPDATE ${tables.target} AS ${target} SET ${values} FROM ${tables.staging} AS ${staged} WHERE ${where}`;
  },
};

/** A change with quoted names of the target and of the staging table. */
interface PreparedChange {
  readonly kind: StagedChange["kind"];
  readonly index: number;
  readonly values: readonly (readonly [column: string, staged: string])[];
}

/** Plain JSON. */
export interface ChangesHandle extends WriteHandle {
  readonly changes: readonly PreparedChange[];
  /** The first `keyCount` are the primary key. */
  readonly changedBy: readonly (readonly [column: string, staged: string])[];
  readonly keyCount: number;
}

export function changesOf(handle: Json): ChangesHandle {
  return handle as unknown as ChangesHandle;
}

/** The primary key, then the other columns whose values the database compares as they were read. */
export function columnsChangedBy(dialect: RemoteDialect, table: TableMetadata): readonly string[] | undefined {
  const { columns, relation } = handleOf(table.handle);
  const keys = "query" in relation ? [] : (relation.keys ?? []);
  if (keys.length === 0 || !keys.every((key) => isCompared(dialect, key))) {
    return undefined;
  }
  const others = columns.filter((column) => isCompared(dialect, column) && !keys.some(({ name }) => name === column.name));
  return [...keys, ...others].map(({ name }) => name);
}

/** Bytes and padded texts that are written back as they were read are equal, whatever the collation. */
function isCompared(dialect: RemoteDialect, column: RemoteColumn): boolean {
  const { kind } = column.type;
  return kind === "char" || kind === "varbinary" || dialect.operand(column, "equality") !== undefined;
}

/** The handle, and the list of a SELECT from the target, which is `t`, with columns of the types of the staging table. */
export function prepareChanges(
  dialect: RemoteDialect,
  table: TableMetadata,
  { changes, staging }: { readonly changes: readonly StagedChange[]; readonly staging: string },
): { readonly handle: ChangesHandle; readonly list: readonly string[] } {
  const { columns } = handleOf(table.handle);
  const remote = new Map(columns.map((column) => [column.name, dialect.quote(column.remoteName)]));
  const hasOld = changes.some(({ kind }) => kind !== "INSERT");
  const found = hasOld ? (columnsChangedBy(dialect, table) ?? []) : [];
  const written = columns.flatMap(({ name }) => (changes.some((change) => change.columns.includes(name)) ? [name] : []));
  const named = (names: readonly string[], prefix: string): readonly (readonly [string, string])[] =>
    names.map((name, index) => [remote.get(name) ?? dialect.quote(name), `${prefix}_${index}`] as const);
  const [changedBy, values] = [named(found, "old"), named(written, "new")];
  const relation = storedOf(table);
  const handle: ChangesHandle = {
    staging,
    target: relationSql(dialect, relation),
    columns: [changeColumn, ...[...changedBy, ...values].map(([, column]) => column)],
    changes: changes.map((change, index) => {
      return { kind: change.kind, index, values: values.filter((_, place) => change.columns.includes(written[place] ?? "")) };
    }),
    changedBy,
    keyCount: relation.keys?.length ?? 0,
  };
  return { handle, list: [`0 AS ${changeColumn}`, ...[...changedBy, ...values].map(([from, to]) => `${target}.${from} AS ${to}`)] };
}

/** Makes the changes of finished sinks: deletes, updates, inserts. The caller has begun a transaction, and ends it. */
export async function applyChanges(
  connection: DatabaseConnection,
  forms: ChangeForms,
  { handle, fragments }: { readonly handle: ChangesHandle; readonly fragments: readonly Json[] },
): Promise<void> {
  const { changes, staging } = handle;
  const rows = await connection.query(
    `SELECT ${changeColumn}, count(*) FROM ${staging} WHERE ${sinksCondition(sinkColumn, fragments)} GROUP BY ${changeColumn}`,
  );
  const counts = new Map(rows.map(([index, count]) => [Number(index), Number(count)]));
  for (const kind of ["DELETE", "UPDATE", "INSERT"] as const) {
    for (const change of changes) {
      const wanted = counts.get(change.index) ?? 0;
      if (change.kind === kind && wanted > 0) {
        await applyChange(connection, forms, { handle, fragments, change, wanted });
      }
    }
  }
}

async function applyChange(
  connection: DatabaseConnection,
  forms: ChangeForms,
  {
    change,
    fragments,
    handle,
    wanted,
  }: {
    readonly change: PreparedChange;
    readonly fragments: readonly Json[];
    readonly handle: ChangesHandle;
    /** Rows that the change was staged for. */
    readonly wanted: number;
  },
): Promise<void> {
  const { changedBy, keyCount } = handle;
  const own = `${sinksCondition(`${staged}.${sinkColumn}`, fragments)} AND ${staged}.${changeColumn} = ${change.index}`;
  const values = change.values.map(([column, value]) => [column, `${staged}.${value}`] as const);
  if (change.kind === "INSERT") {
    const [columns, list] = [values.map(([column]) => column), values.map(([, value]) => value)];
    await connection.query(
      `INSERT INTO ${handle.target} (${columns.join(", ")}) SELECT ${list.join(", ")} FROM ${handle.staging} AS ${staged} WHERE ${own}`,
    );
    return;
  }
  const matches = changedBy.map(([column, old], index) => {
    const [now, then] = [`${forms.qualifier(handle.target)}.${column}`, `${staged}.${old}`];
    return index < keyCount ? `${now} = ${then}` : forms.same(now, then);
  });
  const where = [own, ...matches].join(" AND ");
  const sql = change.kind === "DELETE" ? forms.deleteRows(handle, where) : forms.updateRows(handle, where, values);
  if ((await forms.count(connection, sql)) !== wanted) {
    throw new QueryError("TRANSACTION_CONFLICT", `Table ${handle.target} has changed since its rows were read`);
  }
}

/** Ends the transaction: with the work, or without any of it. */
export async function inTransaction<T>(connection: DatabaseConnection, work: () => Promise<T>): Promise<T> {
  await connection.query("BEGIN");
  try {
    const result = await work();
    await connection.query("COMMIT");
    return result;
  } catch (error) {
    // A connection that cannot say so has ended its transaction.
    await connection.query("ROLLBACK").catch(() => connection.close());
    throw error;
  }
}
