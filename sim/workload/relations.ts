/**
 * Relations that a generated query can read: tables, joins along keys and across small tables, VALUES, and queries in parentheses.
 */
import type { Stream } from "../world/streams.ts";
import { type Expression, expression, Expressions } from "./random-expressions.ts";
import { type Kind, workloadTable, type WorkloadTable, workloadTables } from "./tables.ts";

export interface Relation {
  readonly sql: string;
  readonly columns: readonly Expression[];
  /** Approximate number of rows, used to keep statements cheap. */
  readonly rows: number;
  /** Columns of a unique key; empty if there may be none. */
  readonly key: readonly string[];
}

/** Generates names that are unique in the statement. */
export class Names {
  #count = 0;

  next(prefix: string): string {
    this.#count++;
    return `${prefix}${this.#count}`;
  }
}

export function pickTable(stream: Stream, rowsMax: number): WorkloadTable {
  const fitting = workloadTables.filter((table) => table.rows <= rowsMax);
  let ticket = stream.nextInt(fitting.reduce((sum, table) => sum + table.weight, 0));
  for (const table of fitting) {
    ticket -= table.weight;
    if (ticket < 0) {
      return table;
    }
  }
  return workloadTable("region");
}

export function tableRelation(table: WorkloadTable, alias: string): Relation {
  return {
    sql: `${table.name} ${alias}`,
    rows: table.rows,
    key: table.key.map((name) => `${alias}.${name}`),
    columns: table.columns.map(({ name, kind, bound, isCoarse, words }) =>
      expression(`${alias}.${name}`, kind, bound, { isCoarse: isCoarse === true, words: words ?? [] }),
    ),
  };
}

const joinKinds = ["JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"] as const;

/**
 * Joins a table along its keys to parent tables. The result has no more rows than the first table, plus the rows that an outer join adds.
 */
export function drawJoin(stream: Stream, names: Names, options: { readonly tablesMax: number; readonly rowsMax: number }): Relation {
  const withParents = workloadTables.filter((table) => table.parents.length > 0 && table.rows <= options.rowsMax);
  const first = stream.pick(withParents);
  const members: { readonly table: WorkloadTable; readonly alias: string }[] = [{ table: first, alias: names.next("t") }];
  let joined = tableRelation(first, members[0]?.alias ?? "");
  const count = stream.between(2, options.tablesMax);
  while (members.length < count) {
    const edges = members.flatMap((member) => member.table.parents.map((parent) => ({ member, parent })));
    const { member, parent } = stream.pick(edges);
    const [here, tableName, there] = parent;
    const other = { table: workloadTable(tableName), alias: names.next("t") };
    const right = tableRelation(other.table, other.alias);
    const on = stream.chance(1, 2)
      ? `${member.alias}.${here} = ${other.alias}.${there}`
      : `${other.alias}.${there} = ${member.alias}.${here}`;
    const kind = stream.pick(joinKinds);
    // A redundant second key: the same number of rows, but other hashes.
    const divisor = stream.between(3, 60);
    const again = stream.chance(1, 3) ? ` AND ${other.alias}.${there} % ${divisor} = ${member.alias}.${here} % ${divisor}` : "";
    const columns = [...joined.columns, ...right.columns];
    const more = stream.chance(1, 4) && kind !== "FULL JOIN" ? ` AND ${new Expressions(stream, columns).condition(1)}` : "";
    // Sometimes writes the smaller side first; the planner chooses the build side.
    const flips = stream.chance(1, 4) && members.length === 1;
    joined = {
      sql: flips
        ? `${right.sql} ${kind} ${joined.sql} ON ${on}${again}${more}`
        : `${joined.sql} ${kind} ${right.sql} ON ${on}${again}${more}`,
      columns,
      rows: joined.rows + right.rows,
      key: [],
    };
    members.push(other);
  }
  return joined;
}

/** Small tables joined by arbitrary conditions, or by none. */
export function drawSmallJoin(stream: Stream, names: Names): Relation {
  const left = stream.chance(1, 3) ? drawValues(stream, names) : tableRelation(pickTable(stream, 30), names.next("t"));
  const right = stream.chance(1, 3) ? drawValues(stream, names) : tableRelation(pickTable(stream, 30), names.next("t"));
  const columns = [...left.columns, ...right.columns];
  const joined = { columns, rows: left.rows * right.rows, key: [] };
  const pairs = left.columns.flatMap((a) => right.columns.filter((b) => a.kind === b.kind).map((b) => [a.sql, b.sql] as const));
  const choice = stream.nextInt(8);
  if (choice === 0 || pairs.length === 0) {
    return { ...joined, sql: `${left.sql} CROSS JOIN ${right.sql}` };
  }
  const [a, b] = stream.pick(pairs);
  if (choice === 1) {
    return {
      ...joined,
      sql: `${left.sql} ${stream.pick(["JOIN", "LEFT JOIN"])} ${right.sql} ON ${a} ${stream.pick(["<", "<>", ">="])} ${b}`,
    };
  }
  const equal = choice === 2 ? `coalesce(${a}, ${b}) = ${b}` : `${a} = ${b}`;
  const kind = choice === 2 ? stream.pick(["JOIN", "LEFT JOIN"]) : stream.pick(joinKinds);
  return { ...joined, sql: `${left.sql} ${kind} ${right.sql} ON ${equal}` };
}

/** VALUES with some nulls. */
export function drawValues(stream: Stream, names: Names): Relation {
  const alias = names.next("v");
  const kinds: readonly Kind[] = ["bigint", "varchar", "date", "decimal", "boolean"];
  const columns = Array.from({ length: stream.between(1, 3) }, (_, index) => ({
    name: `c${index}`,
    kind: index === 0 ? ("bigint" as const) : stream.pick(kinds),
  }));
  const literals = new Expressions(stream, []);
  const typed: Readonly<Record<Kind, string>> = {
    bigint: "bigint",
    integer: "integer",
    varchar: "varchar",
    date: "date",
    decimal: "decimal(12, 2)",
    boolean: "boolean",
  };
  const rows = Array.from({ length: stream.between(1, 6) }, (_, row) =>
    columns.map(({ kind }) => {
      const value = stream.chance(1, 5) ? "NULL" : literals.literal(kind, expression("", kind, 25, { words: ["A", "F", "a", "1"] }));
      return row === 0 ? `CAST(${value} AS ${typed[kind]})` : value;
    }),
  );
  return {
    sql: `(VALUES ${rows.map((row) => `(${row.join(", ")})`).join(", ")}) ${alias} (${columns.map(({ name }) => name).join(", ")})`,
    rows: rows.length,
    key: [],
    columns: columns.map(({ name, kind }) => expression(`${alias}.${name}`, kind, 25, { isCoarse: true, words: ["A", "F", "a", "1"] })),
  };
}
