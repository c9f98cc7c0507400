/**
 * Nested JSON, JSON arrays and objects of several lines: types as DuckDB finds them, values as JSON.parse gives them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NestedValue } from "../../../../src/types/nested/nested-order.ts";
import { decodeNested, nestedSource } from "../../../../src/types/nested/nested.ts";
import { displayType, isNested, type Type } from "../../../../src/types/type.ts";
import { Folder, openFolder, read } from "./folder.ts";
import { openDuckDbFolder } from "./duckdb-folder.ts";

const oracle = openDuckDbFolder("json");

async function readJson(text: string | Folder, properties: Readonly<Record<string, string>> = {}) {
  const folder = typeof text === "string" ? new Folder().put("t.json", text) : text;
  const found = await read(openFolder(folder, properties), "t");
  const decoder = new TextDecoder();
  const rows = found.rows.map((row) =>
    row.map((value, index) => {
      const type = found.columns[index]?.type as Type;
      return !(value instanceof Uint8Array) ? value : isNested(type) ? decodeNested(type, nestedSource(value)) : decoder.decode(value);
    }),
  );
  return { types: found.types, rows, splits: found.splits };
}

const failure = (text: string): Promise<string> =>
  readJson(text).then(
    () => "no failure",
    (error: { readonly message: string }) => error.message,
  );

describe("types of nested values", () => {
  test.each<[string, string, readonly unknown[]]>([
    ["[1,2,null]", "array(bigint)", [1n, 2n, null]],
    ["[1,2.5]", "array(double)", [1, 2.5]],
    ["[]", "array(varchar)", []],
    ['["x","\\u00e4\\n"]', "array(varchar)", ["x", "ä\n"]],
    ["[[1],[],null]", "array(array(bigint))", [[1n], [], null]],
    ['["2024-01-31"]', "array(date)", [19753]],
    ['["2024-01-31T12:00:00Z"]', "array(timestamp(3) with time zone)", [(BigInt(Date.UTC(2024, 0, 31, 12)) * 1000n) << 64n]],
    ["[true,false]", "array(boolean)", [true, false]],
    ['[1,"x"]', "array(varchar)", ["1", "x"]],
    ['[1,[2],{"a":3}]', "array(varchar)", ["1", "[2]", '{"a":3}']],
    ['{"a":1,"B":"x"}', "row(a bigint, B varchar)", [1n, "x"]],
    ['{"a":{"b":[{"c":null}]}}', "row(a row(b array(row(c varchar))))", [[[[null]]]]],
    [
      '[{"a":1},{"b":2}]',
      "array(row(a bigint, b bigint))",
      [
        [1n, null],
        [null, 2n],
      ],
    ],
    ['{"a":1,"A":2}', "row(a bigint)", [2n]],
    ["{}", "map(varchar, varchar)", []],
    ['["31/01/2024"]', "array(varchar)", ["31/01/2024"]],
    ["[9223372036854775808]", "array(varchar)", ["9223372036854775808"]],
  ])("%s is %s", async (value, type, expected) => {
    const found = await readJson(`{"v": ${value}}\n{"v": null}\n{}\n`);
    expect([found.types, found.rows]).toEqual([[`v ${type}`], [[expected], [null], [null]]]);
  });

  test("what has no type in common is text, as it is written", async () => {
    const found = await readJson('{"v": [1, 2]}\n{"v": {"a":1}}\n{"v": "x"}\n{"v": 5}\n');
    expect(found.types).toEqual(["v varchar"]);
    expect(found.rows).toEqual([["[1, 2]"], ['{"a":1}'], ["x"], ["5"]]);
  });

  test("objects of very many keys are maps", async () => {
    const object = (offset: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 150 }, (_, key) => [`k${key + offset}`, key])));
    const found = await readJson(`{"v": ${object(0)}}\n{"v": ${object(150)}}\n{"v": {"x": 1, "x": 2}}\n`);
    expect(found.types).toEqual(["v map(varchar, bigint)"]);
    expect(found.rows.map(([map]) => (map as readonly unknown[]).length)).toEqual([150, 150, 1]);
    expect(found.rows[2]).toEqual([[["x", 2n]]]);
  });

  test("the shapes of all files of a table are united", async () => {
    const folder = new Folder().put("t/a.json", '{"v": {"a": 1}}\n').put("t/b.json", '{"v": {"b": [1.5]}}\n');
    const found = await readJson(folder);
    expect([found.types, found.rows]).toEqual([["v row(a bigint, b array(double))"], [[[1n, null]], [[null, [1.5]]]]]);
  });

  test("a value of another type after the sample is an error that names the line", async () => {
    const text = `${'{"v": [1]}\n'.repeat(20_000)}{"v": ["x"]}\n`;
    const found = read(openFolder(new Folder().put("t.json", text), { "files.sample-size": "64kB", "files.split-size": "50kB" }), "t");
    await expect(found).rejects.toMatchObject({ message: `t.json line 20001: column v: '["x"]' is no array(bigint)` });
  });

  test("a nested value has a greatest length", async () => {
    expect(await failure(`{"v": [${"1,".repeat(4_300_000)}1]}\n`)).toBe(
      "t.json line 1: column v: a nested value is longer than 8388608 bytes",
    );
  });

  test("deep values are text", async () => {
    const deep = `${"[".repeat(60)}1${"]".repeat(60)}`;
    const { types } = await readJson(`{"v": ${deep}}\n`);
    expect(types).toEqual([`v ${"array(".repeat(33)}varchar${")".repeat(33)}`]);
    expect(await failure(`{"v": ${"[".repeat(600)}1${"]".repeat(600)}}\n`)).toContain("nested deeper than 500");
  });
});

interface Kind {
  readonly duckdb: string;
  readonly value: fc.Arbitrary<unknown>;
}

const scalars: readonly Kind[] = [
  { duckdb: "BIGINT", value: fc.integer() },
  { duckdb: "VARCHAR", value: fc.constantFrom("", "a", "ü😀", 'q"\\', "a\nb") },
  { duckdb: "BOOLEAN", value: fc.boolean() },
  { duckdb: "DOUBLE", value: fc.constantFrom(0.5, -1.25, 1e-7) },
];

function kindOf(depth: number): fc.Arbitrary<Kind> {
  const scalar = fc.constantFrom(...scalars);
  const inner = depth === 0 ? scalar : fc.oneof(scalar, kindOf(depth - 1));
  return depth === 0
    ? scalar
    : fc.oneof(
        inner.map((element): Kind => ({ duckdb: `${element.duckdb}[]`, value: fc.array(fc.option(element.value), { maxLength: 3 }) })),
        fc.array(inner, { minLength: 1, maxLength: 3 }).map(
          (fields): Kind => ({
            duckdb: `STRUCT(${fields.map((field, index) => `f${index} ${field.duckdb}`).join(", ")})`,
            value: fc
              .tuple(...fields.map((field) => fc.option(field.value)))
              .map((values) => Object.fromEntries(values.map((value, index) => [`f${index}`, value]))),
          }),
        ),
      );
}

/** The value with a member of everything, so that its type is known. */
function fullValue(kind: string): unknown {
  if (kind.endsWith("[]")) {
    return [fullValue(kind.slice(0, -2))];
  }
  if (kind.startsWith("STRUCT(")) {
    const fields = new Map<string, unknown>();
    let depth = 0;
    let start = 7;
    for (let at = 7; at < kind.length; at++) {
      depth += kind[at] === "(" ? 1 : kind[at] === ")" ? -1 : 0;
      if ((kind[at] === "," && depth === 0) || at === kind.length - 1) {
        const [name, ...type] = kind.slice(start, at).trim().split(" ");
        fields.set(name as string, fullValue(type.join(" ")));
        start = at + 1;
      }
    }
    return Object.fromEntries(fields);
  }
  return { BIGINT: 1, VARCHAR: "text", BOOLEAN: true, DOUBLE: 0.25 }[kind];
}

/** The value as JSON.parse would give it. */
function toJson(type: Type, value: NestedValue): unknown {
  if (value === null) {
    return null;
  }
  switch (type.kind) {
    case "array":
      return (value as readonly NestedValue[]).map((one) => toJson(type.element, one));
    case "row":
      return Object.fromEntries(
        type.fields.map((field, index) => [field.name, toJson(field.type, (value as readonly NestedValue[])[index] ?? null)]),
      );
    default:
      return typeof value === "bigint" ? Number(value) : value;
  }
}

const ours = (type: Type): string => {
  switch (type.kind) {
    case "array":
      return `${ours(type.element)}[]`;
    case "row":
      return `STRUCT(${type.fields.map((field) => `${field.name} ${ours(field.type)}`).join(", ")})`;
    default:
      return displayType(type).toUpperCase();
  }
};

test("nested values are found and read as DuckDB and JSON.parse do, on lines, in arrays and in several lines", async () => {
  const table = kindOf(3).chain((kind) => fc.tuple(fc.constant(kind), fc.array(fc.option(kind.value), { maxLength: 8 })));
  const layouts = ["lines", "array", "pretty array", "pretty objects"] as const;
  let files = 0;
  await fc.assert(
    fc.asyncProperty(table, fc.constantFrom(...layouts), async ([kind, values], layout) => {
      const objects = [fullValue(kind.duckdb), ...values].map((v) => ({ v }));
      const text =
        layout === "lines"
          ? objects.map((object) => `${JSON.stringify(object)}\n`).join("")
          : layout === "array"
            ? JSON.stringify(objects)
            : layout === "pretty array"
              ? JSON.stringify(objects, undefined, 2)
              : objects.map((object) => JSON.stringify(object, undefined, 2)).join("\n");
      const path = join(oracle.directory, `${files++}.json`);
      writeFileSync(path, text);
      const described = await oracle.connection.runAndReadAll(`SELECT column_type FROM (DESCRIBE SELECT * FROM read_json('${path}'))`);
      const found = await read(openFolder(new Folder().put("t.json", text)), "t");
      const type = found.columns[0]?.type as Type;
      expect(ours(type)).toBe(String(described.getRows()[0]?.[0]).replaceAll("HUGEINT", "BIGINT"));
      const rows = found.rows.map(([value]) =>
        value instanceof Uint8Array ? toJson(type, decodeNested(type as never, nestedSource(value))) : value,
      );
      expect(rows).toEqual(objects.map(({ v }) => v));
    }),
    { numRuns: 200 },
  );
});

describe("JSON that is not on lines", () => {
  test("is one split, whatever its pieces are", async () => {
    const objects = Array.from({ length: 3000 }, (_, id) => ({ id, text: `{"[${id}]}`, list: [id, { a: id }] }));
    const pretty = JSON.stringify(objects, undefined, 1);
    const found = await readJson(pretty, { "files.split-size": "1kB", "files.sample-size": "64kB" });
    expect(found.splits).toBe(1);
    expect(found.types).toEqual(["id bigint", "text varchar", "list array(varchar)"]);
    expect(found.rows.length).toBe(3000);
    expect(found.rows[2999]?.slice(0, 2)).toEqual([2999n, '{"[2999]}']);
  });

  test.each([
    ["[]", "the file has no columns"],
    ['[{"a":1},\n{"a":2', "line 2: an object is not closed"],
    ['[{"a":1},x]', "line 1: expected a JSON object"],
    ['{"a":1}\nx\n', "line 2: expected one JSON object a line"],
    ['{"a":1}\n5\n{"a":', "line 2: expected one JSON object a line"],
    ["[1,tru]", "line 1: a value is no JSON"],
    ['[1,"x', "line 1: a value is not closed"],
    ["[1]\n2 3\n", "line 2: the value is followed by more text"],
    ['[{"a":1},,{"a":2}]', "line 1: expected a JSON object"],
    ['[{"a":1}\n{"a":tru}]', "line 2: a value is no JSON"],
    ['[{"a" 1}]', "line 1: expected ':' at character 7"],
  ])("%s", async (text, message) => {
    expect(await failure(text)).toContain(message);
  });

  test("has texts without quotes among other values, where DuckDB has JSON", async () => {
    const { rows, types } = await readJson('{"a":1}\n"x"\n[true]\n');
    expect([types, rows]).toEqual([["json varchar"], [['{"a":1}'], ["x"], ["[true]"]]]);
  });

  test.each([
    "1\n2\n",
    '"a"\n"b\\u00e4"\n',
    "true\n\n\nfalse",
    "null\n1.5\n",
    "[1,2]\n[3]\n[]\n",
    '[{"a":1}]\n[{"a":2},null]\n',
    "[1, 2,\n3 ,null]",
    '[\n "x",\n "y]"\n]\n',
    "[[1,2],[3],[],null]",
    '["a","b"]\n',
    "[null]",
    "[[[1]],[[2],[3]]]",
    'null\n{"a":1}\n{"a":null}\n',
    '[null, {"a":1}]',
    "5",
    '["2024-01-31","2024-02-01"]',
    '[{"a":1},5]',
    '[{"a":1},\n 5, [1,{"b":null}], null]',
    '{"a":1}\n5\n',
    '{"a":1}\n{"a":2}\n-1.5\n',
    '{"a":1}\n[1,2]\nnull\n3\n',
    '{"a":1}\n[{"a":2}]\n',
  ])("records %j are those of DuckDB", async (text) => {
    const path = join(oracle.directory, "plain.json");
    writeFileSync(path, text);
    const reader = await oracle.connection.runAndReadAll(`SELECT * FROM read_json_auto('${path}')`);
    const found = await readJson(text);
    expect(found.types.map((type) => type.replace(/ .*/, ""))).toEqual(reader.columnNames());
    const shown = (value: unknown): unknown =>
      typeof value === "bigint"
        ? String(value)
        : Array.isArray(value)
          ? value.map(shown)
          : value !== null && typeof value === "object"
            ? Object.values(value).map(shown)
            : value;
    const days = (value: unknown): unknown => new Date(Number(value) * 86_400_000).toISOString().slice(0, 10);
    const rows = found.types[0] === "json date" ? found.rows.map((row) => row.map(days)) : found.rows;
    expect(shown(rows)).toEqual(shown(reader.getRowsJson()));
  });

  test("values of several types are text, and many of them are many splits", async () => {
    expect(await readJson('1\n"x"\n[2]\n')).toEqual({ types: ["json varchar"], rows: [["1"], ["x"], ["[2]"]], splits: 1 });
    const text = Array.from({ length: 3000 }, (_, id) => `[${id}, ${id + 1}]\n`).join("");
    const found = await readJson(text, { "files.split-size": "10kB" });
    expect(found.splits).toBeGreaterThan(2);
    expect(found.rows[2999]).toEqual([[2999n, 3000n]]);
    const one = await readJson(`[${text.trim().replaceAll("\n", ",")}]`, { "files.split-size": "10kB", "files.sample-size": "4kB" });
    expect([one.splits, one.rows]).toEqual([1, found.rows]);
  });

  test("one object a line stays many splits", async () => {
    const text = Array.from({ length: 3000 }, (_, id) => `${JSON.stringify({ id, list: [id] })}\n`).join("");
    const found = await readJson(text, { "files.split-size": "10kB" });
    expect(found.splits).toBeGreaterThan(3);
    expect(found.rows.length).toBe(3000);
  });
});
