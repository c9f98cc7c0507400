/**
 * Statements that try every way to an error: each function of the registry, operator, pair of types of a cast, literal and clause, with
 * boundary and hostile values, wrong argument counts and wrong types. A family is a list of makers; each draws its statements from its own
 * random stream.
 */
import { aggregateDefinitions } from "../../../src/functions/registry/aggregates.ts";
import { collectionSignatures } from "../../../src/functions/aggregate/collections.ts";
import type { Signature } from "../../../src/functions/registry/definition.ts";
import { scalarDefinitions } from "../../../src/functions/registry/scalars.ts";
import { windowDefinitions } from "../../../src/functions/registry/windows.ts";
import { sqlTypeText, type Type } from "../../../src/types/type.ts";
import type { Random } from "../../oracle/fuzz/random.ts";
import { languageMakers } from "./language.ts";
import { argumentOf, typeOf } from "./patterns.ts";
import { routineMakers } from "./routines.ts";
import { anyType, hostileText, plainTypes, quoted, valueOf } from "./values.ts";

export type Maker = (random: Random) => string;

const scalars = scalarDefinitions.filter(({ name }) => !name.startsWith("$"));
const aggregates: readonly Signature[] = [...aggregateDefinitions, ...collectionSignatures];

function anyValue(random: Random): string {
  return valueOf(anyType(random), random);
}

function patternsOf({ args, variadic }: Signature, random: Random): readonly string[] {
  return variadic === true ? [...args, ...Array.from({ length: random.below(3) }, () => args.at(-1) as string)] : args;
}

function drawTypes(signature: Signature, random: Random): readonly Type[] {
  const variables = new Map<string, Type>();
  return patternsOf(signature, random).map((pattern) => typeOf(pattern, variables, random));
}

/** Arguments are constants, folded in planning, or columns, computed for rows. */
const fittingCalls: readonly Maker[] = scalars.map((signature) => (random) => {
  const args = drawTypes(signature, random).map((type) => argumentOf(type, random));
  const lambdas = args.some((arg) => arg.includes("->"));
  if (lambdas || args.length === 0 || random.chance(50)) {
    return `SELECT ${signature.name}(${args.join(", ")})`;
  }
  const columns = args.map((_, index) => `c${index}`).join(", ");
  return `SELECT ${signature.name}(${columns}) FROM (VALUES ROW(${args.join(", ")})) t (${columns})`;
});

/** Names of all functions. */
export const names = [...new Set([...scalars, ...aggregates, ...windowDefinitions].map(({ name }) => name))];

const strangeCalls: readonly Maker[] = [
  ...names,
  "try",
  "if",
  "coalesce",
  "nullif",
  "typeof",
  "grouping",
  "now",
  "constructor",
  '"__proto__"',
].map((name) => (random) => {
  const args = Array.from({ length: random.below(6) }, () =>
    random.chance(10) ? random.pick(["x -> x", "(x, y) -> x", "() -> 1", "*", "x", "?", "DISTINCT 1"]) : anyValue(random),
  );
  const behind = random.pick([
    "",
    "",
    "",
    " OVER ()",
    " FILTER (WHERE true)",
    " OVER (ORDER BY 1)",
    " IGNORE NULLS OVER ()",
    " WITHIN GROUP (ORDER BY 1)",
  ]);
  return `SELECT ${name}(${args.join(", ")})${behind}`;
});

function rowsOf(types: readonly Type[], random: Random): string {
  const rows = Array.from({ length: 1 + random.below(3) }, () => `ROW(${types.map((type) => valueOf(type, random)).join(", ")})`);
  return `(VALUES ${rows.join(", ")}) t (${types.map((_, index) => `c${index}`).join(", ")})`;
}

function aggregateCall({ name }: Signature, types: readonly Type[], random: Random): string {
  const args = types.map((type, index) =>
    type.kind === "function" ? argumentOf(type, random) : random.chance(80) ? `c${index}` : valueOf(type, random),
  );
  if (name === "listagg") {
    return `listagg(${args[0]}, ${quoted(hostileText(random))}) WITHIN GROUP (ORDER BY c0)`;
  }
  const order = random.chance(15) ? " ORDER BY c0" : "";
  const distinct = random.chance(15) ? "DISTINCT " : "";
  return `${name}(${distinct}${args.join(", ")}${order})`;
}

function overRows(types: readonly Type[], select: string, random: Random): string {
  const columns = types.map((type) => (type.kind === "function" ? ({ kind: "integer" } as Type) : type));
  return `SELECT ${select} FROM ${rowsOf(columns.length === 0 ? [{ kind: "integer" }] : columns, random)}`;
}

const aggregateCalls: readonly Maker[] = aggregates.map((signature) => (random) => {
  const types = drawTypes(signature, random);
  const call = aggregateCall(signature, types, random);
  return overRows(types, random.chance(20) ? `${call} OVER (${frame(random)})` : call, random);
});

function frame(random: Random): string {
  const bound = (direction: string): string =>
    random.pick(["UNBOUNDED", "CURRENT ROW", anyValue(random), "1", "c0"]).replace(/^(?!CURRENT)(.*)$/s, `$1 ${direction}`);
  const order = random.chance(80) ? "ORDER BY c0 " : "";
  return `${order}${random.pick(["ROWS", "RANGE", "GROUPS"])} BETWEEN ${bound("PRECEDING")} AND ${bound("FOLLOWING")}`;
}

const windowCalls: readonly Maker[] = windowDefinitions.map((signature) => (random) => {
  const types = drawTypes(signature, random);
  const args = types.map((type, index) => (random.chance(60) ? `c${index}` : valueOf(type, random)));
  return overRows(types, `${signature.name}(${args.join(", ")}) OVER (${random.chance(50) ? "ORDER BY c0" : frame(random)})`, random);
});

const casts: readonly Maker[] = plainTypes.flatMap((from) =>
  plainTypes.map(
    (to): Maker =>
      (random) =>
        `SELECT ${random.pick(["CAST", "CAST", "CAST", "TRY_CAST"])}(${valueOf(from, random)} AS ${sqlTypeText(to)})`,
  ),
);

const nestedCasts: readonly Maker[] = plainTypes.map((type) => (random) => {
  const into = anyType(random);
  return random.pick([
    `SELECT CAST(${anyValue(random)} AS ${sqlTypeText(into)})`,
    `SELECT CAST(ARRAY[${valueOf(type, random)}] AS array(${sqlTypeText(into)}))`,
    `SELECT CAST(JSON ${quoted(hostileText(random))} AS ${sqlTypeText(into)})`,
    `SELECT CAST(CAST(${valueOf(type, random)} AS json) AS ${sqlTypeText(into)})`,
    `SELECT CAST(MAP(ARRAY[${valueOf(type, random)}], ARRAY[${anyValue(random)}]) AS json)`,
  ]);
});

const binary = ["+", "-", "*", "/", "%", "=", "<>", "<", "<=", ">", ">=", "||", "AND", "OR", "IS DISTINCT FROM", "LIKE", "AT TIME ZONE"];
const shapes: readonly ((value: () => string, random: Random) => string)[] = [
  ...binary.map((sign) => (value: () => string) => `${value()} ${sign} ${value()}`),
  (value) => `-${value()}`,
  (value) => `+${value()}`,
  (value) => `NOT ${value()}`,
  (value) => `${value()} BETWEEN ${value()} AND ${value()}`,
  (value) => `${value()} IN (${value()}, ${value()})`,
  (value, random) => `${value()} LIKE ${quoted(hostileText(random))} ESCAPE ${quoted(hostileText(random))}`,
  (value) => `${value()} LIKE ${value()} ESCAPE ${value()}`,
  (value) => `(${value()})[${value()}]`,
  (value, random) => `(${value()}).${random.pick(["a", "x", '"__proto__"', "constructor"])}`,
  (value, random) => `EXTRACT(${random.pick(["YEAR", "DAY", "HOUR", "TIMEZONE_HOUR", "WEEK", "nosuch", "QUARTER"])} FROM ${value()})`,
  (value) => `CASE WHEN ${value()} THEN ${value()} ELSE ${value()} END`,
  (value) => `CASE ${value()} WHEN ${value()} THEN ${value()} END`,
  (value) => `TRY(${value()} / ${value()})`,
  (value) => `ARRAY[${value()}, ${value()}]`,
  (value) => `${value()} = ANY (SELECT ${value()})`,
  (value) => `${value()} < ALL (VALUES ${value()}, ${value()})`,
  (value) => `${value()} IN (SELECT ${value()})`,
  (value) => `POSITION(${value()} IN ${value()})`,
  (value) => `SUBSTRING(${value()} FROM ${value()} FOR ${value()})`,
  (value) => `TRIM(BOTH ${value()} FROM ${value()})`,
  (value, random) => `NORMALIZE(${value()}, ${random.pick(["NFC", "NFX"])})`,
  (value) => `ROW(${value()}, 1) = ROW(${value()}, 1)`,
  (value) => `IF(${value()}, ${value()}, ${value()})`,
  (value) => `COALESCE(${value()}, ${value()})`,
  (value) => `NULLIF(${value()}, ${value()})`,
];

const operators: readonly Maker[] = shapes.flatMap((shape) =>
  [false, true].map(
    (same): Maker =>
      (random) => {
        const type = anyType(random);
        return `SELECT ${shape(() => (same ? valueOf(type, random) : anyValue(random)), random)}`;
      },
  ),
);

/** Each pair of scalar types with an arithmetic operator and a comparison. */
const pairs: readonly Maker[] = plainTypes.flatMap((left) =>
  plainTypes.map(
    (right): Maker =>
      (random) =>
        `SELECT ${valueOf(left, random)} ${random.pick(binary)} ${valueOf(right, random)}`,
  ),
);

const literalTypes = [...new Set(plainTypes.map(({ kind }) => kind.replace(" with time zone", "")))].filter((kind) => !kind.includes(" "));
const fields = ["YEAR", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND"];
const literals: readonly Maker[] = [
  ...[...literalTypes, "array", "map", "row", "nosuch", "constructor", "__proto__", "varchar(3)"].map(
    (type): Maker =>
      (random) =>
        `SELECT ${type} ${quoted(hostileText(random))}`,
  ),
  ...fields.map(
    (field): Maker =>
      (random) =>
        `SELECT INTERVAL ${random.pick(["", "-", "+"])}${quoted(hostileText(random))} ${field}`,
  ),
  ...fields.map(
    (field): Maker =>
      (random) =>
        `SELECT INTERVAL ${quoted(random.pick(["1", "1-2", "1 2", "1:2:3.4", "", " 5 ", "99999999999999999999", "1.5"]))} ${field} TO ${random.pick(fields)}`,
  ),
  ...[
    "0x",
    "0b2",
    "1e",
    "1e999",
    "9".repeat(40),
    `0.${"9".repeat(40)}`,
    "X'0'",
    "X'zz'",
    "U&'\\d800'",
    "U&'\\+110000'",
    "U&'\\zz'",
    "''''",
    "1a",
    "$",
    "`a`",
    "1.2.3",
    "'",
    '"',
  ].map(
    (text): Maker =>
      () =>
        `SELECT ${text}`,
  ),
];

const types = [
  "decimal(0)",
  "decimal(39)",
  "decimal(5,6)",
  "decimal(-1)",
  "char(0)",
  "char(65537)",
  "varchar(0)",
  "varchar(9999999999)",
  "timestamp(13)",
  "time(13)",
  "time(13) with time zone",
];
const moreTypes = [
  "array",
  "array(1)",
  "map(integer)",
  "map(array(nosuch), integer)",
  "row()",
  "row(a)",
  "qdigest(varchar)",
  "function(integer)",
  "bigint(3)",
  "double(2)",
  "interval year to day",
  "constructor",
  "__proto__",
  '"a b"',
  "date(3)",
  "unknown",
  "array(unknown)",
  "map(HyperLogLog, integer)",
  "char(3.5)",
  "decimal('x')",
];
const typeNames: readonly Maker[] = [...types, ...moreTypes].map(
  (type) => (random) =>
    random.pick([
      `SELECT CAST(${anyValue(random)} AS ${type})`,
      `CREATE TABLE memory.default.strange (a ${type})`,
      `SELECT TRY_CAST(NULL AS ${type})`,
    ]),
);

const properties = [
  "enable_dynamic_filtering",
  "hash_partition_count",
  "join_distribution_type",
  "max_recursion_depth",
  "query_max_run_time",
  "time_zone_id",
  "nosuch",
  "__proto__",
  "constructor",
  "memory.__proto__",
  "a.b.c",
];

type Shape = (value: () => string, random: Random) => string;

const clauses: readonly Shape[] = [
  (value) => `SELECT x FROM (VALUES 1) t (x) WHERE ${value()}`,
  (value) => `SELECT count(*) FROM (VALUES 1) t (x) HAVING ${value()}`,
  (value) => `SELECT 1 FROM (VALUES 1) t (x) JOIN (VALUES 1) u (y) ON ${value()}`,
  (value) => `SELECT 1 FROM (VALUES 1) t (x) FULL JOIN (VALUES 1) u (y) ON ${value()} = ${value()}`,
  (value) => `SELECT x FROM (VALUES ${value()}) t (x) JOIN (VALUES ${value()}) u (x) USING (x)`,
  (value) => `SELECT x FROM (VALUES ${value()}) t (x) ORDER BY x`,
  (value) => `SELECT x FROM (VALUES 1) t (x) ORDER BY ${value()}`,
  (value) => `SELECT count(*) FROM (VALUES ${value()}, ${value()}) t (x) GROUP BY x`,
  (value) => `SELECT 1 FROM (VALUES 1) t (x) GROUP BY ${value()}`,
  (value) => `SELECT DISTINCT x FROM (VALUES ${value()}) t (x)`,
  (value) => `SELECT 1 LIMIT ${value()}`,
  (value) => `SELECT 1 OFFSET ${value()} ROWS`,
  (value) => `SELECT 1 FETCH FIRST ${value()} ROWS ONLY`,
  (value) => `SELECT 1 FROM (VALUES 1) t (x) TABLESAMPLE BERNOULLI (${value()})`,
  (value) => `SELECT * FROM UNNEST(${value()}) t (a)`,
  (value) => `SELECT * FROM UNNEST(${value()}, ${value()}) WITH ORDINALITY`,
  (value) => `SELECT ${value()} UNION SELECT ${value()}`,
  (value) => `SELECT ${value()} EXCEPT ALL SELECT ${value()}`,
  (value) => `VALUES ${value()}, ${value()}`,
  (value) => `VALUES (${value()}, 1), (${value()}, 2)`,
  (value) => `SELECT x.* FROM (VALUES ROW(${value()})) t (x)`,
  (value) => `SELECT (${value()}).*`,
  (value, random) => `SELECT max(x) OVER (${frame(random).replaceAll("c0", "x")}) FROM (VALUES ${value()}) t (x)`,
  (value) => `SELECT rank() OVER (PARTITION BY ${value()} ORDER BY ${value()})`,
  (value) => `SELECT count(DISTINCT x) FILTER (WHERE ${value()}) FROM (VALUES ${value()}) t (x)`,
  (value) => `SELECT array_agg(x ORDER BY ${value()}) FROM (VALUES 1) t (x)`,
  (value) => `SELECT grouping(${value()}) FROM (VALUES 1) t (x) GROUP BY CUBE (x)`,
  (value) => `SELECT (SELECT x FROM (VALUES ${value()}, ${value()}) t (x))`,
  (value) => `SELECT ${value()} IN (SELECT x FROM (VALUES ${value()}) t (x))`,
  (value, random) => `SET SESSION ${random.pick(properties)} = ${value()}`,
  (value) => `SET TIME ZONE ${value()}`,
  (value) => `EXECUTE IMMEDIATE 'SELECT ? + ?' USING ${value()}, ${value()}`,
  (value, random) => `EXECUTE IMMEDIATE ${quoted(hostileText(random))} USING ${value()}`,
  (value) => `CALL system.runtime.kill_query(${value()}, ${value()})`,
  (value) => `CALL system.runtime.kill_query(query_id => ${value()}, nosuch => ${value()})`,
  (value) => `CREATE TABLE memory.default.strange (a bigint) WITH (a = ${value()})`,
  (value) => `CREATE TABLE memory.default.hostile AS SELECT ${value()} AS x`,
  (value) => `INSERT INTO memory.default.target VALUES (${value()}, ${value()})`,
  (value) => `INSERT INTO memory.default.target (b, nosuch) VALUES (${value()}, ${value()})`,
  (value) => `UPDATE memory.default.target SET a = ${value()} WHERE ${value()}`,
  (value) => `DELETE FROM memory.default.target WHERE ${value()}`,
  (value) => `EXPLAIN (TYPE IO) SELECT a FROM memory.default.target WHERE a = ${value()}`,
  (value) => `PREPARE p FROM SELECT ${value()}`,
  (_, random) => `SHOW TABLES FROM memory.default LIKE ${quoted(hostileText(random))} ESCAPE ${quoted(hostileText(random))}`,
  (_, random) => `SHOW FUNCTIONS LIKE ${quoted(hostileText(random))}`,
  (_, random) => `SELECT "${hostileText(random).replaceAll('"', '""')}" FROM (VALUES 1) t (x)`,
  (_, random) => `SELECT * FROM "${hostileText(random).replaceAll('"', '""')}"."${hostileText(random).replaceAll('"', '""')}"."x"`,
  (_, random) => `SHOW COLUMNS FROM "${hostileText(random).replaceAll('"', '""')}"`,
  (_, random) => `USE "${hostileText(random).replaceAll('"', '""')}"."${hostileText(random).replaceAll('"', '""')}"`,
  (value) => `WITH RECURSIVE r (x) AS (SELECT ${value()} UNION ALL SELECT ${value()} FROM r) SELECT * FROM r`,
  (value) => `SELECT * FROM (VALUES 1) t (x), LATERAL (SELECT x + ${value()})`,
  (value) => `SELECT listagg(${value()}, ${value()}) WITHIN GROUP (ORDER BY ${value()})`,
  (value) => `SHOW STATS FOR (SELECT ${value()})`,
  (value) => `DESCRIBE OUTPUT ${value()}`,
];

const clauseMakers: readonly Maker[] = clauses.map(
  (shape) => (random) =>
    shape(
      () =>
        random.chance(20)
          ? random.pick(["x", "NULL", "?", "-1", "x -> x", "sum(x)", "rank() OVER ()", "(SELECT 1)", "99999999999999999999"])
          : anyValue(random),
      random,
    ),
);

/** Statements with tokens removed, doubled or swapped. */
const whole = [
  "WITH a (x, y) AS (SELECT 1, 'b'), b AS (TABLE a) SELECT DISTINCT x, count(*) AS c FROM a JOIN b USING (x) WHERE x IN (1, 2) AND y LIKE '%' GROUP BY ROLLUP (x) HAVING count(*) > 1 ORDER BY x DESC NULLS FIRST OFFSET 1 LIMIT 5",
  "SELECT CASE WHEN a > 1 THEN CAST(a AS varchar(5)) ELSE 'x' END, rank() OVER (PARTITION BY b ORDER BY c ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM memory.default.t AS u (a, b, c) WINDOW w AS (ORDER BY a)",
  "INSERT INTO memory.default.target (a, b) VALUES (1, 'x'), (2, INTERVAL '1' DAY)",
  "CREATE TABLE IF NOT EXISTS memory.default.t (a bigint COMMENT 'x', b array(row(x integer))) WITH (p = 1)",
  "SELECT * FROM UNNEST(ARRAY[1, 2], MAP(ARRAY[1], ARRAY[2])) WITH ORDINALITY AS t (a, b, c, d) CROSS JOIN LATERAL (SELECT a + 1) TABLESAMPLE SYSTEM (10)",
  "EXPLAIN ANALYZE VERBOSE SELECT EXTRACT(YEAR FROM DATE '2020-01-01'), a.b[1].c, x -> x + 1, TRIM(LEADING 'x' FROM y), NOT EXISTS (SELECT 1)",
  "ALTER TABLE IF EXISTS a.b.c RENAME COLUMN x TO y",
  "GRANT SELECT, INSERT ON TABLE a.b TO USER c WITH GRANT OPTION",
  "START TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY",
  "MERGE INTO t USING s ON t.a = s.a WHEN MATCHED AND s.b > 1 THEN UPDATE SET b = s.b WHEN NOT MATCHED THEN INSERT (a, b) VALUES (s.a, s.b)",
].map((text) => text.match(/'[^']*'|\w+|\s+|->|<=|>=|<>|[^\w\s]/g) as string[]);

const broken: readonly Maker[] = whole.map((tokens) => (random) => {
  const copy = [...tokens];
  for (let change = 0; change <= random.below(2); change++) {
    const at = random.below(copy.length);
    const other = random.pick(random.pick(whole));
    copy.splice(at, random.below(3), ...random.pick([[], [other], [other, " ", other], ["'"], ["\u0000"], ["😀"], ["__proto__"], ["))"]]));
  }
  return copy.join("");
});

export interface Family {
  readonly name: string;
  readonly makers: readonly Maker[];
  /** Statements per maker. */
  readonly rounds: number;
}

export const families: readonly Family[] = [
  { name: "functions, with arguments that fit", makers: fittingCalls, rounds: 6 },
  { name: "functions, with numbers and types of arguments that do not", makers: strangeCalls, rounds: 4 },
  { name: "aggregates", makers: aggregateCalls, rounds: 12 },
  { name: "window functions", makers: windowCalls, rounds: 25 },
  { name: "casts, each type to each", makers: casts, rounds: 1 },
  { name: "casts of what has parts", makers: nestedCasts, rounds: 10 },
  { name: "operators", makers: operators, rounds: 12 },
  { name: "operators, each pair of types", makers: pairs, rounds: 1 },
  { name: "literals", makers: literals, rounds: 12 },
  { name: "types", makers: typeNames, rounds: 3 },
  { name: "clauses and statements", makers: clauseMakers, rounds: 20 },
  { name: "functions written in SQL", makers: routineMakers, rounds: 60 },
  { name: "SQL/JSON, row patterns, table functions, MERGE", makers: languageMakers, rounds: 40 },
  { name: "broken syntax", makers: broken, rounds: 60 },
];
