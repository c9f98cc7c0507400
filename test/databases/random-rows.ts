/** Random rows whose values databases compare in different ways, and conditions on them. */
import fc from "fast-check";

const words = ["", "a", "A", "b", "B", "ab", "a b", "ä", "z", "Z", "_", "é", "😀", "'", '"', "\\", "%", "a\\", "\uffee"];

export const randomColumns =
  "id int, t text, v varchar(10), f double precision, n numeric(6,2), d date, ts timestamp, c char(2), b boolean, z timestamptz";

function sqlOf(value: string | null): string {
  return value === null ? "NULL" : `'${value.replaceAll("'", "''")}'`;
}

const row = fc.tuple(
  fc.option(fc.constantFrom(...words)),
  fc.option(fc.constantFrom("0", "-0", "1.5", "NaN", "Infinity", "-Infinity", "1e300")),
  fc.option(fc.integer({ min: -500, max: 500 })),
  fc.option(fc.integer({ min: 0, max: 30 })),
  fc.option(fc.constantFrom("a", "a ", "b", "B", "")),
  fc.option(fc.boolean()),
);

/** How a database writes the values of a row. */
interface Forms {
  readonly text: (value: string) => string;
  /** The text of a number, NaN or an infinity. */
  readonly double: (text: string) => string;
  readonly decimal: (text: string) => string;
  readonly char: (value: string) => string;
  readonly day: (days: number) => string;
  /** Days and seconds after 1969-12-20 23:59:59.999999. */
  readonly moment: (days: number, seconds: number) => string;
  /** A moment with a zone. */
  readonly instant: (text: string) => string;
}

function valuesAs(forms: Forms, { count, seed }: { readonly count: number; readonly seed: number }): string {
  const or = <T>(value: T | null, form: (value: T) => string): string => (value === null ? "NULL" : form(value));
  return fc
    .sample(row, { numRuns: count, seed })
    .map(([t, f, n, d, c, b], id) =>
      [
        id,
        or(t, forms.text),
        or(t, forms.text),
        or(f, forms.double),
        or(n, (hundredths) => forms.decimal((hundredths / 100).toFixed(2))),
        or(d, forms.day),
        or(d, (days) => forms.moment(days, n ?? 0)),
        or(c, forms.char),
        or(b, String),
        or(d, (days) => forms.instant(`2021-01-${String(days + 1).padStart(2, "0")} 00:00:0${days % 7}`)),
      ].join(", "),
    )
    .map((values) => `(${values})`)
    .join(",");
}

/** A list for VALUES of randomColumns. */
export function randomValues(count: number, seed: number): string {
  const forms: Forms = {
    text: sqlOf,
    double: sqlOf,
    decimal: (text) => text,
    char: sqlOf,
    day: (days) => `DATE '2024-01-01' + ${days}`,
    moment: (days, seconds) => `TIMESTAMP '1969-12-20 23:59:59.999999' + INTERVAL '${days} days ${seconds} seconds'`,
    instant: (text) => `TIMESTAMPTZ '${text}+00'`,
  };
  return valuesAs(forms, { count, seed });
}

/** The same columns and rows in SQL of the engine. */
export const randomColumnsOfEngine =
  "id integer, t varchar, v varchar(10), f double, n decimal(6, 2), d date, ts timestamp(6), c char(2), b boolean, z timestamp(6) with time zone";

export function randomValuesOfEngine(count: number, seed: number): string {
  const forms: Forms = {
    text: sqlOf,
    double: (text) => `DOUBLE '${text}'`,
    decimal: (text) => `CAST('${text}' AS decimal(6, 2))`,
    char: (value) => `CAST(${sqlOf(value)} AS char(2))`,
    day: (days) => `DATE '2024-01-01' + INTERVAL '${days}' DAY`,
    moment: (days, seconds) => `TIMESTAMP '1969-12-20 23:59:59.999999' + INTERVAL '${days}' DAY + INTERVAL '${seconds}' SECOND`,
    instant: (text) => `TIMESTAMP '${text} UTC'`,
  };
  return valuesAs(forms, { count, seed });
}

/** In SQL of MySQL, which has neither NaN nor infinities. */
export const randomColumnsOfMysql =
  "id int PRIMARY KEY, t text, v varchar(10), f double, n numeric(6, 2), d date, ts datetime(6), c char(2), b bit(1), z timestamp NULL";

export function randomValuesOfMysql(count: number, seed: number): string {
  const text = (value: string): string => sqlOf(value).replaceAll("\\", "\\\\");
  const forms: Forms = {
    text,
    double: (number) => (/^[NI-]/.test(number) && number !== "-0" ? "NULL" : `${number}e0`.replace(/(e\d+)e0$/, "$1")),
    decimal: (number) => number,
    char: text,
    day: (days) => `DATE '2024-01-01' + INTERVAL ${days} DAY`,
    moment: (days, seconds) => `TIMESTAMP '1969-12-20 23:59:59.999999' + INTERVAL ${days} DAY + INTERVAL ${seconds} SECOND`,
    instant: (text) => `TIMESTAMP '${text}'`,
  };
  return valuesAs(forms, { count, seed });
}

const word = fc.constantFrom(...words).map((value) => sqlOf(value));
const operator = fc.constantFrom("=", "<", "<=", ">", ">=", "<>");
const day = fc.integer({ min: 1, max: 28 }).map((value) => String(value).padStart(2, "0"));

const atom = fc.oneof(
  fc.tuple(fc.constantFrom("t", "v"), operator, word).map((parts) => parts.join(" ")),
  fc
    .tuple(fc.constantFrom("t", "v"), fc.array(word, { minLength: 1, maxLength: 4 }))
    .map(([column, list]) => `${column} IN (${list.join(", ")})`),
  fc.tuple(operator, fc.constantFrom("0e0", "1.5e0", "nan()", "infinity()", "-1e300")).map(([sign, value]) => `f ${sign} ${value}`),
  fc.tuple(operator, fc.integer({ min: -500, max: 500 })).map(([sign, value]) => `n ${sign} DECIMAL '${(value / 100).toFixed(2)}'`),
  fc.tuple(operator, day).map(([sign, value]) => `d ${sign} DATE '2024-01-${value}'`),
  fc.tuple(operator, day).map(([sign, value]) => `ts ${sign} TIMESTAMP '1969-12-${value} 23:59:59.999999'`),
  fc.tuple(operator, day).map(([sign, value]) => `z ${sign} TIMESTAMP '2021-01-${value} 05:00:00 +05:00'`),
  fc.tuple(operator, fc.constantFrom("a", "a ", "B", "")).map(([sign, value]) => `c ${sign} CAST('${value}' AS char(2))`),
  fc.tuple(operator, fc.integer({ min: 0, max: 200 })).map(([sign, value]) => `${value} ${sign} id`),
  fc.constantFrom(
    "b",
    "NOT b",
    "b = false",
    "c IN ('a', 'zz')",
    "z IS NULL",
    "t IS NULL",
    "f IS NOT NULL",
    "t LIKE 'a%'",
    "v NOT LIKE '_'",
    "t LIKE 'a\\'",
  ),
);

/** Conjunctions. */
export function randomConditions(count: number, seed: number): readonly string[] {
  return fc.sample(
    fc.array(atom, { minLength: 1, maxLength: 3 }).map((atoms) => atoms.join(" AND ")),
    { numRuns: count, seed },
  );
}

const { condition } = fc.letrec<{ readonly condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    atom,
    fc.array(tie("condition"), { minLength: 2, maxLength: 3 }).map((parts) => `(${parts.join(" OR ")})`),
    fc.array(tie("condition"), { minLength: 2, maxLength: 2 }).map((parts) => `(${parts.join(" AND ")})`),
    tie("condition").map((part) => `NOT (${part})`),
  ),
}));

const ordering = fc.tuple(
  fc.constantFrom("t", "v", "f", "n", "d", "ts", "z"),
  fc.constantFrom("", " DESC"),
  fc.constantFrom("", " NULLS FIRST", " NULLS LAST"),
);
const everyAggregate =
  "count(*), count(t), count(f), min(t), max(v), min(n), max(n), sum(n), sum(id), min(d), max(d), min(ts), max(ts), min(z), min(id)";

const joinKeys = fc.constantFrom("a.t = b.v", "a.n = b.n", "a.d = b.d AND a.t = b.t", "a.ts = b.ts", "a.z = b.z", "a.id = b.id");

/** Joins of a large and a small part of a table of randomColumns. */
export function randomJoins(table: string, count: number, seed: number): readonly string[] {
  const statement = fc
    .tuple(condition, joinKeys, fc.integer({ min: 1, max: 5 }), fc.constantFrom("a.id, a.f, b.v", "count(*), sum(a.n), max(b.t)"))
    .map(
      ([where, keys, rows, list]) =>
        `SELECT ${list} FROM (SELECT * FROM ${table} WHERE ${where}) a JOIN (SELECT * FROM ${table} WHERE id <= ${rows}) b ON ${keys}`,
    );
  return fc.sample(statement, { numRuns: count, seed });
}

/** Statements over a table of randomColumns whose operations a database can take over. Their rows are in one order, or are to be sorted. */
export function randomStatements(table: string, count: number, seed: number): readonly string[] {
  const statement = fc.oneof(
    condition.map((where) => `SELECT ${everyAggregate} FROM ${table} WHERE ${where}`),
    fc
      .tuple(condition, fc.constantFrom("t", "n, d", "b", "c", "ts", "z", "v, b"))
      .map(([where, keys]) => `SELECT ${keys}, ${everyAggregate} FROM ${table} WHERE ${where} GROUP BY ${keys}`),
    fc
      .tuple(condition, ordering, fc.integer({ min: 1, max: 30 }))
      .map(
        ([where, [key, direction, nulls], limit]) =>
          `SELECT id, t, f FROM ${table} WHERE ${where} ORDER BY ${key}${direction}${nulls}, id LIMIT ${limit}`,
      ),
    condition.map((where) => `SELECT count(*) FROM (SELECT v FROM ${table} WHERE ${where} LIMIT 40)`),
    condition.map((where) => `SELECT DISTINCT t FROM ${table} WHERE ${where}`),
  );
  return fc.sample(statement, { numRuns: count, seed });
}
