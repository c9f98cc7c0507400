/** What differs between the databases: names, literals, comparisons, transactions, splits and values. */
import type { PageBuilder } from "../../../page/builder.ts";
import type { DatabaseConnection } from "../../../ports/databases.ts";
import type { DomainValue } from "../../../types/domain/range.ts";
import type { Type } from "../../../types/type.ts";
import type { Json, SortedColumn } from "../../table-metadata.ts";
import type { Relation, RemoteColumn, RemoteHandle } from "./remote-table.ts";

/** Appends the value that the database has written. Returns its size in bytes. */
export type AppendValue = (builder: PageBuilder, text: string) => number;

/** A part of a relation, in the order of its rows. */
export interface RemoteSplit {
  /** Condition of the part; absent: all rows. */
  readonly part?: string;
  /** ORDER BY of the part; absent: the database returns the rows in one order for one snapshot. */
  readonly order?: string;
  readonly rows?: number;
}

export interface RemoteDialect {
  quote(identifier: string): string;
  /** The column in the list of a SELECT, whose values `appender` reads. */
  selected(column: RemoteColumn): string;
  /** undefined if the database has no value that is equal. */
  literal(type: Type, value: DomainValue): string | undefined;
  /**
   * The column as an operand of `=` or of `<`. undefined if the database compares its values in another way than the engine. For a column
   * that is loose, `=` may hold for more values.
   */
  operand(column: RemoteColumn, comparison: "equality" | "order"): string | undefined;
  /** Whether values are equal in a GROUP BY if, and only if, they are in the engine. */
  isGroupKey(column: RemoteColumn): boolean;
  /** The column in an ORDER BY with the order of the engine; undefined if the database has another one. */
  sortKey(column: RemoteColumn): string | undefined;
  /** Further keys of an ORDER BY that give equal rows one order: places of the rows, or the columns that are read. */
  tieBreakers(relation: Relation, columns: readonly RemoteColumn[]): readonly string[];
  /** The column, which is loose, as an operand that is compared as the engine does; it uses no index. undefined if there is none. */
  exact?(column: RemoteColumn): string | undefined;
  /** An item of ORDER BY, if the database does not know NULLS FIRST and LAST. */
  ordered?(key: string, order: SortedColumn): string;
  /** Follows the pattern of LIKE, so that no character is an escape. Absent if LIKE is the engine's. */
  readonly likeSuffix?: string;
  /** True if the assignments of an UPDATE see the new values of those before them. */
  readonly assignsInOrder?: true;
  /** True if rows have no places: a pushed join then has no order. */
  readonly isUnordered?: true;
  /** An aggregate of the column, or of the rows, that is exactly the engine's, and the type of its result. */
  aggregate(name: string, column: RemoteColumn | undefined): { readonly sql: string; readonly remoteType: string } | undefined;
  /** Reads one column of the result, whose position in the pages is `channel`. The returned function throws QueryError. */
  appender(column: RemoteColumn, channel: number): AppendValue;
  /** Begins a transaction, and returns the name of its snapshot for other transactions. Absent if transactions cannot share one. */
  exportSnapshot?(connection: DatabaseConnection): Promise<string>;
  /** Statement that begins a transaction that reads, with the snapshot, if there is one. Empty, like those below, if there is none. */
  beginRead(snapshot: string | undefined): string;
  /** Settings of the transaction that reads the split. */
  readSettings(split: RemoteSplit): string;
  /** Statement that ends a transaction that reads. */
  readonly endRead: string;
  /** Divides the rows that meet the condition, in one snapshot. */
  splits(connection: DatabaseConnection, handle: RemoteHandle, condition: string | undefined): Promise<readonly RemoteSplit[]>;
}

/** Payload of a split. Plain JSON. */
export interface SplitPayload {
  readonly snapshot?: string;
  readonly part?: string;
  readonly order?: string;
  /** Condition of the filter above the scan. */
  readonly where?: string;
}

export function payloadOf(payload: Json): SplitPayload {
  return payload as unknown as SplitPayload;
}
