/** docs/types.md: the SQL types. A type that is missing here does not compile. */
import { canCast, canCoerce } from "../../src/functions/registry/coercion.ts";
import {
  BIGINT,
  BOOLEAN,
  charType,
  DATE,
  decimalType,
  displayType,
  DOUBLE,
  INTEGER,
  INTERVAL_DAY_TO_SECOND,
  INTERVAL_YEAR_TO_MONTH,
  IPADDRESS,
  IPPREFIX,
  JSON_TYPE,
  REAL,
  SMALLINT,
  TIMESTAMP,
  TINYINT,
  type Type,
  type TypeKind,
  UUID,
  VARBINARY,
  VARCHAR,
} from "../../src/types/type.ts";
import type { DocsCluster } from "./cluster.ts";
import { code, page, table } from "./markdown.ts";

interface TypeEntry {
  /** As it is written in SQL; the kind where absent. */
  readonly written?: string;
  readonly values: string;
  readonly example: string;
}

type Kinds<K extends TypeKind> = Readonly<Record<K, TypeEntry>>;

const plain = {
  boolean: { values: "true and false", example: "true" },
  tinyint: { values: "Whole numbers of 8 bits", example: "TINYINT '-128'" },
  smallint: { values: "Whole numbers of 16 bits", example: "SMALLINT '32767'" },
  integer: { values: "Whole numbers of 32 bits", example: "2147483647" },
  bigint: { values: "Whole numbers of 64 bits", example: "9223372036854775807" },
  real: { values: "Floating point of 32 bits", example: "REAL '1.5'" },
  double: { values: "Floating point of 64 bits", example: "1.5E0" },
  decimal: { written: "decimal(p,s)", values: "Exact numbers of up to 38 digits", example: "DECIMAL '12.50'" },
  varchar: { written: "varchar, varchar(n)", values: "Text of up to n characters", example: "'text'" },
  char: { written: "char(n)", values: "Text padded with spaces to n characters", example: "CHAR 'abc'" },
  varbinary: { values: "Bytes; clients get Base64", example: "X'CAFE'" },
  json: { values: "JSON documents in canonical form", example: "JSON '{\"a\": 1}'" },
  uuid: { values: "UUIDs", example: "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'" },
} satisfies Partial<Kinds<TypeKind>>;

const times = {
  date: { values: "Days", example: "DATE '2026-01-31'" },
  time: { written: "time(p)", values: "Times of day with up to 12 digits of a second", example: "TIME '12:30:00.123'" },
  "time with time zone": { written: "time(p) with time zone", values: "Times of day with an offset", example: "TIME '12:30:00 +02:00'" },
  timestamp: {
    written: "timestamp(p)",
    values: "Date and time with up to 12 digits of a second",
    example: "TIMESTAMP '2026-01-31 12:30:00.123456'",
  },
  "timestamp with time zone": {
    written: "timestamp(p) with time zone",
    values: "Instants with a zone",
    example: "TIMESTAMP '2026-01-31 12:30:00 Europe/Paris'",
  },
  "interval day to second": { values: "Milliseconds", example: "INTERVAL '2' DAY" },
  "interval year to month": { values: "Months", example: "INTERVAL '3' MONTH" },
} satisfies Partial<Kinds<TypeKind>>;

const nested = {
  array: { written: "array(T)", values: "Lists of one type", example: "ARRAY[1, 2]" },
  map: { written: "map(K,V)", values: "Entries with unique keys", example: "map(ARRAY['a'], ARRAY[1])" },
  row: { written: "row(name T, ...)", values: "Fields of several types", example: "CAST(ROW(1, 'a') AS row(x bigint, y varchar))" },
} satisfies Partial<Kinds<TypeKind>>;

const special = {
  ipaddress: { values: "IPv4 and IPv6 addresses", example: "IPADDRESS '10.0.0.1'" },
  ipprefix: { values: "Networks of addresses", example: "IPPREFIX '10.0.0.0/8'" },
  color: { values: "Colors of the [color functions](sql/functions/color.md)", example: "color('red')" },
  HyperLogLog: { values: "Sketches that count distinct values", example: "cardinality(approx_set(7))" },
  P4HyperLogLog: { values: "HyperLogLog in its dense form", example: "cardinality(CAST(approx_set(7) AS P4HyperLogLog))" },
  tdigest: { values: "Sketches of the distribution of doubles", example: "value_at_quantile(tdigest_agg(7), 0.5)" },
  qdigest: { written: "qdigest(T)", values: "Sketches of the distribution of numbers", example: "value_at_quantile(qdigest_agg(7), 0.5)" },
  setdigest: { values: "Sketches that compare sets", example: "cardinality(make_set_digest(7))" },
  Geometry: { values: "Shapes in the plane", example: "ST_GeometryFromText('POINT (1 2)')" },
  SphericalGeography: { values: "Shapes on the sphere, in degrees", example: "to_spherical_geography(ST_Point(1, 2))" },
  BingTile: { values: "Tiles of a map", example: "bing_tile('03')" },
  Classifier: { written: "Classifier(T)", values: "Models that `learn_classifier` gives", example: "" },
  Regressor: { values: "Models that `learn_regressor` gives", example: "" },
  unknown: { values: "The type of NULL", example: "NULL" },
  function: { values: "Lambda expressions; arguments of functions only", example: "reduce(ARRAY[1, 2], 0, (s, x) -> s + x, s -> s)" },
} satisfies Partial<Kinds<TypeKind>>;

/** Holds that every type has an entry. */
const all: Kinds<TypeKind> = { ...plain, ...times, ...nested, ...special };

async function typeTable(cluster: DocsCluster, kinds: readonly TypeKind[]): Promise<string> {
  const rows: string[][] = [];
  for (const kind of kinds) {
    const { written = kind, values, example } = all[kind];
    rows.push([code(written), values, code(example), code(example === "" ? "" : await cluster.value(`SELECT ${example}`))]);
  }
  return table(["Type", "Values", "Example", "Clients get"], rows);
}

function kindsOf(entries: Partial<Kinds<TypeKind>>): readonly TypeKind[] {
  return Object.keys(entries) as TypeKind[];
}

const integers: readonly Type[] = [TINYINT, SMALLINT, INTEGER, BIGINT];
const samples: readonly Type[] = [
  BOOLEAN,
  ...integers,
  decimalType(38, 0),
  REAL,
  DOUBLE,
  VARCHAR,
  charType(20),
  VARBINARY,
  JSON_TYPE,
  UUID,
  DATE,
  { kind: "time", precision: 3 },
  { kind: "time with time zone", precision: 3 },
  TIMESTAMP,
  { kind: "timestamp with time zone", precision: 3 },
  INTERVAL_DAY_TO_SECOND,
  INTERVAL_YEAR_TO_MONTH,
  IPADDRESS,
  IPPREFIX,
];

function coercionTable(): string {
  const list = (types: readonly Type[]): string => types.map((type) => code(displayType(type))).join(", ");
  return table(
    ["From", "Coerces to", "Casts to"],
    samples.map((from) => {
      const others = samples.filter((to) => to.kind !== from.kind);
      const coerced = others.filter((to) => canCoerce(from, to));
      return [code(displayType(from)), list(coerced), list(others.filter((to) => !coerced.includes(to) && canCast(from, to)))];
    }),
  );
}

export async function typesPage(cluster: DocsCluster): Promise<string> {
  return page("Types", [
    "Types, literals, coercions and overflow follow Presto. The connectors' own types are in [Connectors](connectors.md).",
    "## Basic types",
    await typeTable(cluster, kindsOf(plain)),
    "## Dates and times",
    await typeTable(cluster, kindsOf(times)),
    [
      "- Without a precision `timestamp` and `time` have three digits of a second.",
      "- Zones come from a table of the tz database in the engine ([decision 16](decisions/0016-zone-table-of-our-own.md)).",
      "- `SET TIME ZONE` or the client's header sets the zone of the session.",
    ].join("\n"),
    "## Arrays, maps and rows",
    await typeTable(cluster, kindsOf(nested)),
    "## Other types",
    await typeTable(cluster, kindsOf(special)),
    "## Coercion",
    "A value becomes the types of the second column by itself where a function, an operator or a column asks for it. `CAST` is needed for those of the third.",
    coercionTable(),
    "NULL becomes every type. Arrays, maps and rows become others when their parts do. `TRY_CAST` gives NULL where CAST fails.",
    "## Limits",
    [
      "- A value has at most 64 MB ([decision 38](decisions/0038-values-have-a-largest-size.md)).",
      "- `1 / 0` is DIVISION_BY_ZERO. Integers and decimals that overflow are NUMERIC_VALUE_OUT_OF_RANGE.",
      "- NaN is equal to nothing. As a key of a grouping it is one value ([decision 32](decisions/0032-values-as-trino-has-them.md)).",
    ].join("\n"),
  ]);
}
