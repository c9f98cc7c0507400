/**
 * Functions of texts and bytes that are longer than a piece: the results are those of all at once, and they yield in between.
 */
import { createHash, createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { QueryError } from "../../../../src/protocol/errors.ts";
import { scalarDefinitions } from "../../../../src/functions/registry/scalars.ts";
import type { HostValue } from "../../../../src/functions/registry/definition.ts";
import { xxHash64 } from "../../../support/functions/hashes.ts";
import { VARCHAR } from "../../../../src/types/type.ts";

const unitsAtOnce = 65_536;
/** Steps between two yields: a millisecond or two. */
const stepsMax = 4_000;

/** Runs an overload in steps; none of them is long. */
function run(signature: string, ...args: readonly HostValue[]): HostValue {
  const definition = scalarDefinitions.find(({ args: types, name }) => `${name}(${types.join(",")})` === signature);
  const steps = definition?.steps?.(args, { argTypes: args.map(() => VARCHAR), returnType: VARCHAR });
  if (steps === undefined) {
    throw new Error(`${signature} does not run in steps`);
  }
  for (;;) {
    const next = steps.next();
    if (next.done === true) {
      return next.value;
    }
    expect(next.value).toBeGreaterThan(0);
    expect(next.value).toBeLessThanOrEqual(stepsMax);
  }
}

/** Whether two long values of bytes are equal; the comparison of `expect` takes a second for some. */
function isSame(value: HostValue, expected: Uint8Array): boolean {
  return Buffer.from(value as Uint8Array).equals(expected);
}

function errorOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof QueryError ? error.message : String(error);
  }
}

/** A pair of surrogates lies across two pieces, and a sequence of several bytes does. */
const text = `${"ab1 /.".repeat(20_000).slice(0, unitsAtOnce - 1)}😀ß${"xyz".repeat(30_000)}é`;
const points = Array.from(text);
const bytes = Uint8Array.from(Buffer.from(text));

it("maps, cuts, pads and compares long texts as short ones", () => {
  expect(run("reverse(varchar(x))", text)).toBe(points.toReversed().join(""));
  expect(run("lpad(varchar,bigint,varchar)", "é", 200_001n, "😀a")).toBe(`${"😀a".repeat(100_000)}é`);
  expect(run("rpad(varchar,bigint,varchar)", text, BigInt(points.length - 1), "b")).toBe(points.slice(0, -1).join(""));
  expect(run("rpad(varchar,bigint,varchar)", text, BigInt(points.length + 3), "😀a")).toBe(`${text}😀a😀`);
  expect(run("translate(varchar,varchar,varchar)", text, "😀xa", "Yß")).toBe(
    text.replaceAll("😀", "Y").replaceAll("x", "ß").replaceAll("a", ""),
  );
  expect(run("replace(varchar,varchar,varchar)", text, "yzx", "😀")).toBe(text.replaceAll("yzx", "😀"));
  expect(run("replace(varchar,varchar,varchar)", text, "", "-")).toBe(`-${points.map((point) => `${point}-`).join("")}`);
  expect(run("split_part(varchar(x),varchar,bigint)", text, "yzx", 20_001n)).toBe(text.split("yzx")[20_000]);
  expect(run("split_part(varchar(x),varchar,bigint)", text, "yzx", 100_000n)).toBeNull();
  expect(run("split_part(varchar(x),varchar,bigint)", text, "", BigInt(unitsAtOnce))).toBe("😀");
  expect(run("split(varchar(x),varchar)", text, "z")).toEqual(text.split("z"));
  expect(run("hamming_distance(varchar,varchar)", text, text.replaceAll("y", "é"))).toBe(30_000n);
  expect(errorOf(() => run("hamming_distance(varchar,varchar)", text, `${text}a`))).toContain("must have the same length");
  expect(run("levenshtein_distance(varchar,varchar)", "", text)).toBe(BigInt(points.length));
  expect(run("levenshtein_distance(varchar,varchar)", "abc".repeat(300), "abd".repeat(300))).toBe(300n);
  const many = Array.from({ length: 5_000 }, (_, index) => (index % 3 === 0 ? null : String(index)));
  expect(run("concat_ws(varchar,array(varchar))", ", ", many)).toBe(many.filter((one) => one !== null).join(", "));
  expect(run("trim(varchar(x),varchar)", text, "ab1 /.é")).toBe(text.slice(unitsAtOnce - 1, -1));
  expect(run("rtrim(varchar(x),varchar)", "😀".repeat(100_000), "😀")).toBe("");
  expect(run("luhn_check(varchar)", "0".repeat(200_000) + "79927398713")).toBe(true);
  expect(
    run("split_to_map(varchar,varchar,varchar)", Array.from({ length: 20_000 }, (_, key) => `${key}=v`).join(","), ",", "="),
  ).toHaveLength(20_000);
});

it("reads and prints long geometries in pieces", () => {
  const positions = Array.from({ length: 20_000 }, (_, index) => `${index % 90} ${index / 1_000}`);
  for (const [kind, text] of [
    ["st_linefromtext(varchar)", `LINESTRING (${positions.join(", ")})`],
    ["st_polygon(varchar)", `POLYGON ((${[...positions, positions[0]].join(", ")}), (0 0, 1 0, 1 1, 0 0))`],
    ["st_geometryfromtext(varchar)", `GEOMETRYCOLLECTION (MULTIPOINT ((${positions.join("), (")})), POINT EMPTY)`],
  ] as const) {
    const printed = run("st_astext(Geometry)", run(kind, text)) as string;
    expect(printed.match(/[\d.]+ [\d.]+/g)).toHaveLength(text.match(/[\d.]+ [\d.]+/g)?.length as number);
    expect(run("st_astext(Geometry)", run(kind, printed.toLowerCase().replaceAll(",", " ,")))).toBe(printed);
    expect(errorOf(() => run(kind, text.slice(0, -1)))).toContain("Invalid WKT");
    expect(errorOf(() => run(kind, `${text} ;`))).toContain("Invalid WKT");
  }
});

it("encodes, decodes and hashes long bytes as short ones", () => {
  const base64 = Buffer.from(bytes).toString("base64");
  expect(run("to_base64(varbinary)", bytes)).toBe(base64);
  expect(isSame(run("from_base64(varchar)", base64), bytes)).toBe(true);
  expect(isSame(run("from_base64url(varbinary)", Uint8Array.from(Buffer.from(Buffer.from(bytes).toString("base64url")))), bytes)).toBe(
    true,
  );
  expect(errorOf(() => run("from_base64(varchar)", `${base64.slice(0, 65_534)}==${base64}`))).toBe("Illegal base64 text");
  expect(run("to_hex(varbinary)", bytes)).toBe(Buffer.from(bytes).toString("hex").toUpperCase());
  expect(isSame(run("from_hex(varchar)", Buffer.from(bytes).toString("hex")), bytes)).toBe(true);
  expect(errorOf(() => run("from_hex(varchar)", `${"ab".repeat(50_000)}x1`))).toBe("invalid hex character: x");
  const base32 = run("to_base32(varbinary)", bytes) as string;
  expect(isSame(run("from_base32(varchar)", base32), bytes)).toBe(true);
  // A pattern for trailing characters would compare each run of them anew.
  expect(errorOf(() => run("from_base32(varchar)", `${"=".repeat(4_000_000)}A`))).toBe("Illegal base32 text");
  expect(isSame(run("reverse(varbinary)", bytes), bytes.toReversed())).toBe(true);
  const broken = Uint8Array.from([...bytes.subarray(0, unitsAtOnce), 0xff, ...bytes]);
  expect(run("from_utf8(varbinary)", broken)).toBe(Buffer.from(broken).toString());
  expect(run("from_utf8(varbinary,bigint)", broken, 63n)).toBe(Buffer.from(broken).toString().replaceAll("\ufffd", "?"));
  for (const name of ["md5", "sha1", "sha256", "sha512"]) {
    expect(run(`${name}(varbinary)`, bytes)).toEqual(Uint8Array.from(createHash(name).update(bytes).digest()));
    expect(run(`hmac_${name}(varbinary,varbinary)`, bytes, bytes)).toEqual(Uint8Array.from(createHmac(name, bytes).update(bytes).digest()));
  }
  // Yields do not change it: xxHash64 is also checked against its reference elsewhere.
  expect(Buffer.from(run("xxhash64(varbinary)", bytes) as Uint8Array).readBigUInt64BE()).toBe(xxHash64(bytes));
});

const forms = ["NFC", "NFD", "NFKC", "NFKD"] as const;

it("normalizes a long text in pieces that are separable", () => {
  // Every character, after letters that combine with marks, vowels or consonants.
  const parts: string[] = [];
  for (let code = 0x20; code < 0x1_8000; code++) {
    if (code < 0xd800 || code > 0xdfff) {
      parts.push(String.fromCodePoint(code));
    }
  }
  for (const before of ["e", "\u1100", "\uac00", "か", "\u09c7", "\u{16d63}"]) {
    const all = before + parts.join(before);
    for (const form of forms) {
      expect(run("normalize(varchar,varchar)", all, form)).toBe(all.normalize(form));
    }
  }
  expect(errorOf(() => run("normalize(varchar)", `a${"\u0301\u0316".repeat(500_000)}`))).toBe(
    "Text has more than 4096 combining characters in a row",
  );
});

/** Functions that are not in steps, with what bounds their work on a text. */
const atOnce: readonly (readonly [bound: string, names: RegExp])[] = [
  [
    "patterns are bounded, names of units and zones are looked up, and dates are read from their beginning",
    /^\$?(date|date_trunc|date_add|date_diff|date_format|date_parse|format_datetime|parse_datetime|to_char|to_timestamp|to_date|at_timezone|with_timezone|from_unixtime|(long_)?timestamp_in_zone|time_in_offset|from_iso8601_(date|timestamp|timestamp_nanos))\(/,
  ],
  [
    "one pattern from the beginning",
    /^(parse_presto_data_size|parse_data_size|parse_duration|color|ip_prefix|contains|bing_tile|st_relate)\(/,
  ],
  ["words are bounded", /^word_stem\(/],
  ["one number", /^(from_big_endian|from_ieee754|from_base|codepoint)/],
  ["bytes are copied", /^(substr|lpad|rpad|json_format|concat_ws|render)\(/],
  [
    "geometries are bounded by their vertices",
    /^(st_geometryfromtext|st_geomfrombinary|st_linefromtext|st_polygon|from_geojson_geometry|geometry_from_geojson|from_encoded_polyline)\(/,
  ],
  [
    "patterns of the platform, some nanoseconds for a character",
    /^url_(extract_(protocol|host|path|query|fragment|port|parameter)|decode)\(/,
  ],
  ["looks at the beginning", /^is_json_scalar\(/],
  ["called with the arguments of other functions", /^(\$in_order|\$listagg|format)\(/],
];

it("leaves no function of texts or bytes that looks at all of them at once", () => {
  const whole = scalarDefinitions.filter(
    ({ args, emit, host, makeHost }) =>
      emit === undefined && (host ?? makeHost) !== undefined && args.some((arg) => /^(varchar|varbinary|json)/.test(arg)),
  );
  expect(whole.map(({ args, name }) => `${name}(${args.join(",")})`).filter((one) => !atOnce.some(([, names]) => names.test(one)))).toEqual(
    [],
  );
});
