/** DELETE and UPDATE as statements of a database, which changes the rows itself: nothing is read. */
import { physicalType } from "../../../types/type.ts";
import type { RowChange } from "../../pushdown.ts";
import type { TableMetadata } from "../../table-metadata.ts";
import type { RemoteDialect } from "./dialect.ts";
import { Conditions } from "./expressions.ts";
import { handleOf, type RemoteColumn, storedOf } from "./remote-table.ts";
import { relationSql } from "./select.ts";

type Assignment = RowChange["assignments"][number];

/** undefined if the database might change other rows, or give them other values. */
export function changeSql(dialect: RemoteDialect, table: TableMetadata, change: RowChange): string | undefined {
  const { columns, where: narrowed } = handleOf(table.handle);
  const relation = storedOf(table);
  const conditions = new Conditions(dialect, columns);
  const where = change.conditions.map((condition) => conditions.sql(condition));
  const set = change.assignments.map((assignment) => {
    const column = columns.find(({ name }) => name === assignment.column);
    return column && assignmentSql(dialect, column, assignment);
  });
  if (narrowed !== undefined || [...where, ...set].some((part) => part === undefined)) {
    return undefined;
  }
  const name = relationSql(dialect, relation);
  const begin = change.kind === "DELETE" ? `DELETE FROM ${name}` : `UPDATE ${name} SET ${set.join(", ")}`;
  return where.length === 0 ? begin : `${begin} WHERE ${where.join(" AND ")}`;
}

/** A column that is no operand may have another type in the database than its values here. */
function assignmentSql(dialect: RemoteDialect, column: RemoteColumn, { value: { type, value } }: Assignment): string | undefined {
  const name = dialect.quote(column.remoteName);
  if (value === null) {
    return `${name} = NULL`;
  }
  if (dialect.operand(column, "equality") === undefined) {
    return undefined;
  }
  const physical = physicalType(type);
  const isNumber = typeof value === "string" && (physical === "f64" || physical === "f32");
  const plain = isNumber ? Number(value) : typeof value === "string" && physical !== "bytes" ? BigInt(value) : value;
  const literal = dialect.literal(column.type, plain);
  return literal && `${name} = ${literal}`;
}
