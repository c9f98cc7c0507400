/** DELETE and UPDATE as statements of a database, which changes the rows itself: nothing is read. */
import { physicalType, sameType } from "../../../types/type.ts";
import type { ConnectorExpression, RowChange } from "../../pushdown.ts";
import type { TableMetadata } from "../../table-metadata.ts";
import type { RemoteDialect } from "./dialect.ts";
import { Conditions } from "./expressions.ts";
import { handleOf, type RemoteColumn, storedOf } from "./remote-table.ts";
import { relationSql } from "./select.ts";

type Assignment = RowChange["assignments"][number];
type Constant = Extract<ConnectorExpression, { readonly kind: "constant" }>;

const integerOperators: ReadonlyMap<string, string> = new Map([
  ["$add", "+"],
  ["$subtract", "-"],
  ["$multiply", "*"],
]);
/** The product of decimals has more digits after the point, and would be rounded. */
const decimalOperators: ReadonlyMap<string, string> = new Map([
  ["$add", "+"],
  ["$subtract", "-"],
]);
/** Columns whose values the databases compute as the engine does; an unsigned one has no negative results. */
const integerColumn = /^(?:tinyint|smallint|mediumint|int|integer|bigint|int[248])$/i;
const decimalColumn = /^(?:numeric|decimal)$/i;

/** undefined if the database might change other rows, or give them other values. */
export function changeSql(dialect: RemoteDialect, table: TableMetadata, change: RowChange): string | undefined {
  const { columns, where: narrowed } = handleOf(table.handle);
  const relation = storedOf(table);
  const conditions = new Conditions(dialect, columns);
  const where = change.conditions.map((condition) => conditions.sql(condition));
  const values = new Values(dialect, columns);
  const set = change.assignments.map((assignment) => values.assigned(assignment));
  if (narrowed !== undefined || [...where, ...set].some((part) => part === undefined)) {
    return undefined;
  }
  if (dialect.assignsInOrder === true && readsAssigned(change.assignments)) {
    return undefined;
  }
  const name = relationSql(dialect, relation);
  const begin = change.kind === "DELETE" ? `DELETE FROM ${name}` : `UPDATE ${name} SET ${set.join(", ")}`;
  return where.length === 0 ? begin : `${begin} WHERE ${where.join(" AND ")}`;
}

/** Whether a new value depends on a column that another assignment changes. */
function readsAssigned(assignments: readonly Assignment[]): boolean {
  return assignments.some(({ column, value }) =>
    assignments.some((other) => other.column !== column && columnsOf(value).includes(other.column)),
  );
}

function columnsOf(value: ConnectorExpression): readonly string[] {
  return value.kind === "column" ? [value.name] : value.kind === "call" ? value.args.flatMap(columnsOf) : [];
}

class Values {
  readonly #dialect: RemoteDialect;
  readonly #columns: readonly RemoteColumn[];

  constructor(dialect: RemoteDialect, columns: readonly RemoteColumn[]) {
    this.#dialect = dialect;
    this.#columns = columns;
  }

  assigned({ column: name, value }: Assignment): string | undefined {
    const column = this.#column(name);
    const sql = column && this.#valueOf(column, value);
    return column && sql && `${this.#dialect.quote(column.remoteName)} = ${sql}`;
  }

  #valueOf(column: RemoteColumn, value: ConnectorExpression): string | undefined {
    switch (value.kind) {
      case "constant":
        return this.#constant(column, value);
      case "column":
        return this.#copied(column, value.name);
      case "call":
        return this.#computed(column, value);
    }
  }

  /** A column that is no operand may have another type in the database than its values here. */
  #constant(column: RemoteColumn, { value, type }: Constant): string | undefined {
    if (value === null) {
      return "NULL";
    }
    return this.#dialect.operand(column, "equality") === undefined ? undefined : this.#literal({ kind: "constant", type, value });
  }

  #literal({ type, value }: Constant): string | undefined {
    const physical = physicalType(type);
    const isNumber = typeof value === "string" && (physical === "f64" || physical === "f32");
    const plain = isNumber ? Number(value) : typeof value === "string" && physical !== "bytes" ? BigInt(value) : value;
    return plain === null ? undefined : this.#dialect.literal(type, plain);
  }

  #copied(target: RemoteColumn, name: string): string | undefined {
    const source = this.#column(name);
    const isSame = source !== undefined && source.remoteType === target.remoteType && sameType(source.type, target.type);
    return isSame ? this.#dialect.quote(source.remoteName) : undefined;
  }

  /**
   * One operation on integers of one type, or on decimals. The database computes it exactly, and checks the range of the column as the
   * engine checks that of the type; with a second one it might pass the range on the way, which is an error here only.
   */
  #computed(target: RemoteColumn, { args, name }: Extract<ConnectorExpression, { readonly kind: "call" }>): string | undefined {
    const isInteger = integerColumn.test(target.remoteType);
    const operator = (isInteger ? integerOperators : decimalOperators).get(name);
    if (operator === undefined || args.length !== 2 || !isNumeric(target)) {
      return undefined;
    }
    const operands = args.map((arg) => {
      const isKindred = isInteger ? sameType(arg.type, target.type) : arg.type.kind === "decimal" && scaleOf(arg) <= scaleOf(target);
      if (!isKindred || arg.kind === "call") {
        return undefined;
      }
      const source = arg.kind === "column" ? this.#column(arg.name) : undefined;
      return arg.kind === "constant"
        ? this.#literal(arg)
        : source && isNumeric(source)
          ? this.#dialect.quote(source.remoteName)
          : undefined;
    });
    return operands.every((operand) => operand !== undefined) ? operands.join(` ${operator} `) : undefined;
  }

  #column(name: string): RemoteColumn | undefined {
    return this.#columns.find((column) => column.name === name);
  }
}

function isNumeric({ remoteType }: RemoteColumn): boolean {
  return integerColumn.test(remoteType) || decimalColumn.test(remoteType);
}

function scaleOf({ type }: Pick<RemoteColumn, "type">): number {
  return type.kind === "decimal" ? type.scale : 0;
}
