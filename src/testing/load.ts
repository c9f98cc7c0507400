/** Statements that make a table of JavaScript values. */

export type Cell = null | undefined | boolean | number | bigint | string | Date | Uint8Array | readonly Cell[];

/** Objects by column name, or arrays with `LoadOptions.columns`. */
export type Rows = readonly Readonly<Record<string, Cell>>[] | readonly (readonly Cell[])[];

export interface LoadOptions {
  /** Names of the columns, for rows that are arrays. */
  readonly columns?: readonly string[];
  /** SQL types by column, where the values do not say them: `{ price: "decimal(10,2)" }`. */
  readonly types?: Readonly<Record<string, string>>;
}

/** Rows of one statement; its text stays below the engine's limit. */
const rowsMax = 500;
const textLengthMax = 500_000;

/** Throws a TypeError for values without a SQL type. */
export function* loadStatements(table: string, rows: Rows, options: LoadOptions): Iterable<string> {
  const names = columnsOf(rows, options);
  const cells = rows.map((row) => names.map((name, index) => (isTuple(row) ? row[index] : row[name]) ?? null));
  const types = names.map((name, index) => {
    const type = options.types?.[name] ?? typeOf(cells.map((row) => row[index] ?? null));
    if (type === undefined) {
      throw new TypeError(`column '${name}' has no value that says its type; give it in 'types'`);
    }
    return type;
  });
  yield `CREATE TABLE ${table} (${names.map((name, index) => `${quoted(name)} ${types[index]}`).join(", ")})`;
  let batch: string[] = [];
  let length = 0;
  const insert = (): string => `INSERT INTO ${table} VALUES ${batch.join(", ")}`;
  for (const row of cells) {
    const text = `(${row.map((cell, index) => literal(cell, types[index] as string)).join(", ")})`;
    if (batch.length === rowsMax || (batch.length > 0 && length + text.length > textLengthMax)) {
      yield insert();
      batch = [];
      length = 0;
    }
    batch.push(text);
    length += text.length + 2;
  }
  if (batch.length > 0) {
    yield insert();
  }
}

function isTuple(row: Rows[number]): row is readonly Cell[] {
  return Array.isArray(row);
}

function columnsOf(rows: Rows, { columns, types = {} }: LoadOptions): readonly string[] {
  const found = new Set(columns ?? Object.keys(types));
  for (const row of columns === undefined ? rows : []) {
    if (isTuple(row)) {
      throw new TypeError("rows that are arrays need 'columns'");
    }
    Object.keys(row).forEach((name) => found.add(name));
  }
  if (found.size === 0) {
    throw new TypeError("a table without columns: give rows, 'columns' or 'types'");
  }
  return [...found];
}

function typeOf(cells: readonly Cell[]): string | undefined {
  const present = cells.filter((cell) => cell !== null && cell !== undefined);
  const [first] = present;
  switch (typeof first) {
    case "bigint":
      return "bigint";
    case "number":
      return present.every((cell) => typeof cell === "bigint" || (Number.isSafeInteger(cell) && !Object.is(cell, -0)))
        ? "bigint"
        : "double";
    case "boolean":
      return "boolean";
    case "string":
      return "varchar";
    case "object":
      if (first instanceof Date) {
        return "timestamp(3)";
      }
      if (first instanceof Uint8Array) {
        return "varbinary";
      }
      return arrayTypeOf(present as readonly (readonly Cell[])[]);
    default:
      return undefined;
  }
}

function arrayTypeOf(arrays: readonly (readonly Cell[])[]): string | undefined {
  const element = arrays.every((one) => Array.isArray(one)) ? typeOf(arrays.flat() as readonly Cell[]) : undefined;
  return element === undefined ? undefined : `array(${element})`;
}

function literal(cell: Cell, type: string): string {
  const text = bare(cell);
  // Literals of these types are what they look like; all others are cast, so that '1.50' is a decimal where the column is one.
  return cell === null || /^(bigint|boolean|varchar|timestamp\(3\))$/.test(type) ? text : `CAST(${text} AS ${type})`;
}

function bare(cell: Cell): string {
  if (cell === null || cell === undefined) {
    return "NULL";
  }
  switch (typeof cell) {
    case "boolean":
    case "bigint":
      return String(cell);
    case "number":
      return numberText(cell);
    case "string":
      return `'${cell.replaceAll("'", "''")}'`;
    case "object":
      return objectText(cell as Date | Uint8Array | readonly Cell[]);
    default:
      throw new TypeError(`a ${typeof cell} is no value of a column`);
  }
}

function numberText(cell: number): string {
  if (Object.is(cell, -0)) {
    return "-0e0";
  }
  if (Number.isSafeInteger(cell)) {
    return String(cell);
  }
  return Number.isFinite(cell) ? cell.toExponential() : cell > 0 ? "infinity()" : cell < 0 ? "-infinity()" : "nan()";
}

function objectText(cell: Date | Uint8Array | readonly Cell[]): string {
  if (cell instanceof Date) {
    return `TIMESTAMP '${cell.toISOString().replace("T", " ").replace("Z", "")}'`;
  }
  if (cell instanceof Uint8Array) {
    return `X'${Buffer.from(cell).toString("hex")}'`;
  }
  if (!Array.isArray(cell)) {
    throw new TypeError("an object is no value of a column; only Date, Uint8Array and arrays are");
  }
  return `ARRAY[${cell.map((element) => bare(element as Cell)).join(", ")}]`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
