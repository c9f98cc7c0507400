/**
 * Boundary and hostile values of every type as SQL text, drawn from a seed.
 */
import { arrayType, decimalType, type Type, mapType, classifierType, qdigestType, rowType, sqlTypeText } from "../../../src/types/type.ts";
import { charType, varcharType } from "../../../src/types/type.ts";
import type { Random } from "../../oracle/fuzz/random.ts";

const integers: Readonly<Record<"tinyint" | "smallint" | "integer" | "bigint", readonly string[]>> = {
  tinyint: ["0", "1", "-1", "2", "7", "127", "-128"],
  smallint: ["0", "1", "-1", "10", "255", "32767", "-32768"],
  integer: ["0", "1", "-1", "2", "36", "37", "64", "100", "10001", "65536", "55296", "1114112", "2147483647", "-2147483648"],
  bigint: [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "16",
    "36",
    "37",
    "63",
    "64",
    "65",
    "1000",
    "10001",
    "55296",
    "1114111",
    "1114112",
    "2147483647",
    "2147483648",
    "-2147483649",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
  ],
};

const floating = [
  "0.0",
  "-0.0",
  "1.0",
  "-1.0",
  "0.5",
  "0.99",
  "2.0",
  "3.0",
  "255.0",
  "1E-30",
  "1E9",
  "9.3E18",
  "NaN",
  "Infinity",
  "-Infinity",
];

const texts: readonly string[] = [
  "",
  " ",
  "a",
  "b",
  "abc",
  "Abc dE",
  "é",
  "e\u0301",
  "😀",
  "ß",
  "\u0000",
  "\u2003x",
  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  "0",
  "1",
  "-1",
  "+7",
  "1.5",
  "1e5",
  "1e400",
  "1e999999999",
  "1E-999999999",
  "0e999999999",
  "-0",
  "0x1F",
  "9223372036854775808",
  "99999999999999999999999999999999999999999",
  ".",
  "1_000",
  "NaN",
  "Infinity",
  "-Infinity",
  "true",
  "f",
  "yes",
  "null",
  "undefined",
  "NULL",
  "none",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "length",
  "{}",
  "[]",
  "[1,2",
  '{"a":1,"a":2}',
  '{"__proto__":{"b":[1,null,"x"]}}',
  "[1e999]",
  '"\\ud800"',
  "[1, 2, 3]",
  '{"a":{"b":2}}',
  "$",
  "$.a",
  "$.a[0]",
  "$[",
  "$..*",
  "$.__proto__.b",
  "$['a",
  "lax $.a",
  "lax $..a",
  "strict $.a[*]?(@ > 1)",
  "lax $.a / 0",
  "POINT (1 1)",
  "POINT EMPTY",
  "POINT (1e308 -1e308)",
  "POINT (NaN Infinity)",
  "LINESTRING (0 0, 1 x)",
  "POLYGON ((0 0, 1 1, 1 0",
  "MULTIPOLYGON (((0 0, 1 1, 1 0, 0 0)), EMPTY)",
  "GEOMETRYCOLLECTION (POINT (1 1), GEOMETRYCOLLECTION EMPTY)",
  "CIRCULARSTRING (0 0, 1 1)",
  '{"type":"Point","coordinates":[1]}',
  '{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}',
  '{"type":"__proto__","coordinates":[]}',
  "_p~iF~ps|U_ulLnnqC",
  "T********",
  "FF*FF****x",
  "0123",
  "33333333333333333333333",
  "kernel=nosuch",
  "C=-1,gamma=x",
  "nu=Infinity",
  "__proto__=1",
  "strict $[0]",
  "(",
  "[a",
  "a{2,1}",
  "(?<n>a)(b)?",
  "\\",
  "a++",
  "(?=x)",
  "^.*$",
  "[\\d-z]",
  "x*",
  "$1",
  "${n}",
  "$9",
  "\\1",
  "(?<__proto__>a)",
  "%",
  "_",
  "%%a_",
  "\\%",
  "#",
  "a,b=c;a",
  "a:1,b:2",
  ",",
  "=",
  "k=v,k=w",
  "%d",
  "%s",
  "%5.2f",
  "%-",
  "%99$s",
  "%n%%",
  "%tY",
  "%,d",
  "%x",
  "%08.3e",
  "%b",
  "%c",
  "%q",
  "yyyy",
  "yyyy-MM-dd",
  "HH:mm:ss.SSS ZZ",
  "qqqq",
  "'",
  "%Y-%m-%d %H:%i:%s",
  "%D",
  "%",
  "EEEE",
  "ZZZ",
  "day",
  "month",
  "century",
  "millisecond",
  "WEEK",
  "quarter",
  "second",
  "UTC",
  "Europe/Paris",
  "Mars/Phobos",
  "+25:00",
  "-03:30",
  "+14:00",
  "GMT+1",
  "2020-03-29 02:30:00 Europe/Paris",
  "2020-02-29",
  "2020-02-30",
  "2020-13-01",
  "0000-01-01",
  "-0001-12-31",
  "99999-01-01",
  "2020-01-01 24:00:00",
  "2020-01-01T01:02:03.123456789Z",
  "2020-01-01 00:00:00 UTC",
  "25:00:00",
  "01:02:03.123456789012345",
  "01:02+01:00",
  "12:60",
  "1-2",
  "1 02:03:04.5",
  "3d",
  "1.5parsecs",
  "http://a:99999/p?q=1#f",
  "http://[::1]:80/?a=b&a",
  "://",
  "%zz",
  "%E9",
  "mailto:x",
  "http://h/a b",
  "127.0.0.1",
  "::ffff:1.2.3.4",
  "1.2.3",
  "10.0.0.0/33",
  "10.0.0.0/8",
  "::/129",
  "12151fd2-7586-11e9-8f9e-2a86e4085a59",
  "zz151fd2-7586",
  "1GB",
  "1.5XB",
  "10 kB",
  "-1B",
  "99999999999999999999999999YB",
  "B",
  "en",
  "xx",
  "__proto__",
  "NFC",
  "NFKD",
  "red",
  "#f00",
  "#ggg",
  "sha256",
  "ERROR",
];

const bytes = [
  "",
  "00",
  "ff",
  "c328",
  "f09f9880",
  "7b7d",
  "0000000000000001",
  "ffffffffffffffff",
  "80000000",
  "0123456789abcdef0123456789abcdef",
  "e0a0",
];

export function hostileText(random: Random): string {
  return random.pick(texts);
}

export function quoted(text: string): string {
  const literal = `'${text.replaceAll("'", "''")}'`;
  return /[^\x20-\x7e]/.test(text) ? `U&${literal.replaceAll("\\", "\\\\").replace(/[^\x20-\x7e]/gu, unicodeEscape)}` : literal;
}

function unicodeEscape(character: string): string {
  const code = (character.codePointAt(0) as number).toString(16);
  return code.length > 4 ? `\\+${code.padStart(6, "0")}` : `\\${code.padStart(4, "0")}`;
}

const dates = [
  "0001-01-01",
  "1582-10-10",
  "1969-12-31",
  "1970-01-01",
  "2000-02-29",
  "2020-03-29",
  "9999-12-31",
  "99999-12-31",
  "-0001-01-01",
  "5000000-01-01",
  "-4999999-01-01",
];
const times = ["00:00:00", "00:00:00.001", "02:30:00.5", "12:34:56.123456789012", "23:59:59", "23:59:59.999999999999"];
const zones = ["UTC", "Europe/Paris", "America/Sao_Paulo", "+14:00", "-14:00", "+05:45"];
const offsets = ["+00:00", "+14:00", "-14:00", "+05:45"];

const jsons = [
  "null",
  "1",
  "1e999",
  "1e-999999999",
  "1e999999999",
  '"x"',
  "[]",
  "[1, null, [2]]",
  '{"a": 1, "b": null}',
  '{"__proto__": [true]}',
  "123456789012345678901234567890",
];

/** Literals of scalar types; those with a cast have no precision of their own. */
function literal(type: Type, random: Random): string {
  switch (type.kind) {
    case "boolean":
      return random.pick(["true", "false"]);
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
      return `CAST(${random.pick(integers[type.kind])} AS ${type.kind})`;
    case "real":
      return `REAL '${random.pick([...floating, "1.4E-45", "3.4028235E38"])}'`;
    case "double":
      return `DOUBLE '${random.pick([...floating, "4.9E-324", "1.7976931348623157E308"])}'`;
    case "decimal": {
      const digits = "9".repeat(type.precision);
      const whole = digits.slice(0, type.precision - type.scale);
      const nines = `${whole === "" ? "0" : whole}.${digits.slice(0, type.scale)}`;
      const values = ["0", "0.5", "-0.5", nines, `-${nines}`];
      const value = random.pick(values.filter((text) => type.scale < type.precision || !/^-?[1-9]/.test(text)));
      return `CAST(DECIMAL '${value}' AS ${sqlTypeText(type)})`;
    }
    case "varchar":
    case "char":
      // Longer than the buffers of functions.
      if (random.chance(2)) {
        return `CAST(rpad('', ${random.pick([5000, 70_000])}, ${quoted(random.pick(texts))} || 'x') AS ${sqlTypeText(type)})`;
      }
      return `CAST(${quoted(random.pick(texts))} AS ${sqlTypeText(type)})`;
    case "varbinary":
      return `X'${random.pick(bytes)}'`;
    case "date":
      return `CAST('${random.pick(dates)}' AS date)`;
    case "timestamp":
      return `CAST('${random.pick(dates.slice(0, 9))} ${random.pick(times)}' AS ${sqlTypeText(type)})`;
    case "timestamp with time zone":
      return `CAST('${random.pick(dates.slice(0, 7))} ${random.pick(times)} ${random.pick(zones)}' AS ${sqlTypeText(type)})`;
    case "time":
      return `CAST('${random.pick(times)}' AS ${sqlTypeText(type)})`;
    case "time with time zone":
      return `CAST('${random.pick(times)}${random.pick(offsets)}' AS ${sqlTypeText(type)})`;
    case "interval day to second":
      return `INTERVAL '${random.pick(["0", "1", "-1", "86400", "9223372036854775"])}' SECOND`;
    case "interval year to month":
      return `INTERVAL '${random.pick(["0", "1", "-1", "12", "2147483647", "-2147483647"])}' MONTH`;
    case "json":
      return `JSON ${quoted(random.pick(jsons))}`;
    case "uuid":
      return "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'";
    case "ipaddress":
      return `IPADDRESS '${random.pick(["0.0.0.0", "255.255.255.255", "::", "2001:db8::1"])}'`;
    case "ipprefix":
      return `IPPREFIX '${random.pick(["0.0.0.0/0", "255.255.255.255/32", "10.0.0.0/8", "::/0", "2001:db8::1/128"])}'`;
    case "Geometry":
      return `ST_GeometryFromText('${random.pick(["POINT EMPTY", "POINT (1e308 -1e308)", "LINESTRING (0 0)", "LINESTRING (0 0, 1 1, 0 1, 1 0)", "POLYGON ((5 5, 7 7))", "POLYGON ((0 0, 1 1, 0 1, 1 0))", "POLYGON ((0 0, 9 0, 9 9, 0 9), (1 1, 2 2, 2 1))", "MULTIPOINT (0 0, EMPTY)", "MULTILINESTRING (EMPTY, (0 0, 1 1))", "MULTIPOLYGON (((0 0, 2 0, 2 2)), ((1 0, 3 0, 3 3)))", "GEOMETRYCOLLECTION (POINT (0 0), POLYGON ((0 0, 2 0, 2 2)), LINESTRING (0 0, 1 1))"])}')`;
    case "SphericalGeography":
      return `to_spherical_geography(ST_GeometryFromText('${random.pick(["POINT (180 90)", "MULTIPOINT (0 0, 180 0)", "LINESTRING (0 90, 0 -90)", "POLYGON ((0 0, 0 0))", "POLYGON ((-135 85, -45 85, 45 85, 135 85))", "POINT EMPTY"])}'))`;
    case "Classifier":
      return `(SELECT learn_classifier(${type.element.kind === "bigint" ? "x" : "CAST(x AS varchar)"}, features(x)) FROM (VALUES 1, 2) t(x))`;
    case "Regressor":
      return "(SELECT learn_regressor(x, features(x)) FROM (VALUES 1, 2) t(x))";
    case "BingTile":
      return random.pick(["bing_tile('')", "bing_tile(8388607, 8388607, 23)", "bing_tile_at(0, 0, 10)"]);
    case "setdigest":
      return random.pick(["CAST(X'01' AS setdigest)", "(SELECT make_set_digest(x) FROM (VALUES 1, 2) t(x))"]);
    case "color":
      return random.pick(["color('red')", "rgb(1, 2, 255)"]);
    case "HyperLogLog":
      return random.pick(["empty_approx_set()", "CAST(X'00' AS HyperLogLog)", "(SELECT approx_set(x) FROM (VALUES 1, 2) t(x))"]);
    case "P4HyperLogLog":
      return random.pick(["CAST(empty_approx_set() AS P4HyperLogLog)", "CAST(X'ff' AS P4HyperLogLog)"]);
    case "tdigest":
      return random.pick(["CAST(X'00' AS tdigest)", "(SELECT tdigest_agg(x) FROM (VALUES 1e0, 2e0) t(x))"]);
    case "qdigest":
      return random.pick([
        `CAST(X'00' AS ${sqlTypeText(type)})`,
        `(SELECT qdigest_agg(CAST(x AS ${sqlTypeText(type.element)})) FROM (VALUES 1, 2) t(x))`,
      ]);
    case "unknown":
      return "NULL";
    case "array":
    case "map":
    case "row":
    case "function":
      throw new Error(`${type.kind} has parts`);
  }
}

/** An expression of exactly this type. */
export function valueOf(type: Type, random: Random): string {
  if (random.chance(10)) {
    return type.kind === "unknown" ? "NULL" : `CAST(NULL AS ${sqlTypeText(type)})`;
  }
  const parts = (inner: Type): string => Array.from({ length: random.below(4) }, () => valueOf(inner, random)).join(", ");
  switch (type.kind) {
    case "array":
      return `CAST(ARRAY[${parts(type.element)}] AS ${sqlTypeText(type)})`;
    case "map": {
      const [key, value, other] = [valueOf(type.key, random), valueOf(type.value, random), valueOf(type.value, random)];
      return random.pick([
        `CAST(MAP() AS ${sqlTypeText(type)})`,
        `MAP(CAST(ARRAY[${key}] AS array(${sqlTypeText(type.key)})), CAST(ARRAY[${value}] AS array(${sqlTypeText(type.value)})))`,
        `map_from_entries(ARRAY[ROW(${key}, ${value}), ROW(${valueOf(type.key, random)}, ${other})])`,
      ]);
    }
    case "row":
      return `CAST(ROW(${type.fields.map((field) => valueOf(field.type, random)).join(", ")}) AS ${sqlTypeText(type)})`;
    default:
      return literal(type, random);
  }
}

const plain: readonly Type[] = [
  ...(["boolean", "tinyint", "smallint", "integer", "bigint", "real", "double", "varchar", "varbinary", "date"] as const).map(
    (kind): Type => ({ kind }),
  ),
  ...(
    [
      "json",
      "uuid",
      "ipaddress",
      "ipprefix",
      "color",
      "HyperLogLog",
      "P4HyperLogLog",
      "tdigest",
      "setdigest",
      "Geometry",
      "SphericalGeography",
      "BingTile",
      "unknown",
    ] as const
  ).map((kind): Type => ({ kind })),
  { kind: "interval day to second" },
  { kind: "interval year to month" },
  decimalType(3, 1),
  decimalType(18, 0),
  decimalType(18, 18),
  decimalType(38, 0),
  decimalType(38, 38),
  varcharType(2),
  charType(3),
  ...[0, 3, 6, 9, 12].flatMap((precision): Type[] => [
    { kind: "timestamp", precision },
    { kind: "timestamp with time zone", precision },
    { kind: "time", precision },
    { kind: "time with time zone", precision },
  ]),
  qdigestType({ kind: "bigint" }),
  qdigestType({ kind: "double" }),
  classifierType({ kind: "bigint" }),
  classifierType({ kind: "varchar" }),
  { kind: "Regressor" },
];

/** Every kind of type; nested types contain any of them. */
export const plainTypes: readonly Type[] = plain;

export function anyType(random: Random, depth = 2): Type {
  if (depth === 0 || random.chance(70)) {
    return random.pick(plain);
  }
  switch (random.below(3)) {
    case 0:
      return arrayType(anyType(random, depth - 1));
    case 1:
      return mapType(anyType(random, 0), anyType(random, depth - 1));
    default:
      return rowType([
        { name: "a", type: anyType(random, depth - 1) },
        { name: "__proto__", type: anyType(random, depth - 1) },
      ]);
  }
}
