/** A reader accepts what its schema accepts: of every document of the interface, as it is and after any one change. */
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { documents } from "../../../src/protocol/documents/documents.ts";
import { checked, compiledReader, withoutCycles } from "../../../src/protocol/documents/checked.ts";

/** Replacement values: one of each kind, and limits. */
const strangers: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  Number.NaN,
  2 ** 53,
  2n ** 62n,
  2n ** 63n,
  "",
  "FINISHED",
  "1.50ms",
  "12B",
  "2026-01-01T00:00:00.000Z",
  [],
  ["x"],
  [1],
  {},
  { kind: "x" },
];

/** The document with one value replaced, for every position and replacement, and with one member removed or added. */
function* variants(value: unknown): Generator<unknown> {
  yield* strangers;
  if (Array.isArray(value) && value.length > 0) {
    for (const variant of variants(value[0])) {
      yield value.with(0, variant);
    }
  } else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    yield { ...value, stranger: 1 };
    for (const [key, member] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
      for (const variant of variants(member)) {
        yield { ...value, [key]: variant };
      }
    }
  }
}

describe("readers of documents", () => {
  // Several documents have the same schema.
  const distinct = [...new Map(documents.map((entry) => [entry.schema, entry])).values()];

  it.each(distinct.map((entry) => ({ name: `${entry.method} ${entry.pattern} ${entry.direction}`, entry })))(
    "says of $name what its schema says",
    ({ entry: { schema, example } }) => {
      const reader = checked(schema);
      const accepts = (value: unknown): boolean => reader.safeParse(value).success;
      expect(accepts(example)).toBe(true);
      const verdicts = { accepted: 0, refused: 0 };
      for (const variant of variants(example)) {
        const right = schema.safeParse(variant).success;
        if (accepts(variant) !== right) {
          expect.fail(
            `the schema ${right ? "accepts" : "refuses"} ${String(JSON.stringify(variant, (_, member: unknown) => (typeof member === "bigint" ? `${member}n` : member)))}`,
          );
        }
        verdicts[right ? "accepted" : "refused"]++;
      }
      expect(verdicts.refused).toBeGreaterThan(5);
    },
  );

  it.each(distinct.map((entry) => ({ name: `${entry.method} ${entry.pattern} ${entry.direction}`, entry })))(
    "reads $name with generated code",
    ({ entry }) => {
      expect(() => z.compile(withoutCycles(entry.schema), { strict: true })).not.toThrow();
    },
  );

  it("parses what a schema with JSON values parses", () => {
    const schema = z.object({ id: z.string(), payload: z.json(), extra: z.record(z.string(), z.json()).optional() });
    const reader = compiledReader(schema);
    for (const payload of [null, 1, "x", [1, [{ a: [] }]], { a: { b: [true, null] } }, undefined, { a: undefined }, () => 1, [2n]]) {
      for (const value of [
        { id: "a", payload, stranger: 1 },
        { id: "a", payload: 1, extra: { one: payload, two: { three: payload } } },
      ]) {
        const [expected, found] = [schema.safeParse(value), reader.safeParse(value)];
        expect(found.success ? found.data : found.error.issues).toEqual(expected.success ? expected.data : expected.error.issues);
      }
    }
  });

  it("follows a schema that refers to itself", () => {
    const tree: z.ZodType<unknown> = z.lazy(() =>
      z.object({ name: z.string(), parts: z.array(tree).optional(), other: z.union([tree, z.int()]) }),
    );
    const reader = checked(tree);
    const nested = (leaf: unknown): unknown => ({
      name: "a",
      other: 1,
      parts: [{ name: "b", other: { name: "c", other: 2, parts: [leaf] } }],
    });
    expect(reader.safeParse(nested({ name: "d", other: 3 })).success).toBe(true);
    expect(reader.safeParse(nested({ name: 4, other: 3 })).success).toBe(false);
    expect(reader.safeParse(nested({ name: "d" })).success).toBe(false);
  });

  it("returns a valid document unchanged, and describes the error of an invalid one", () => {
    const reader = checked(z.object({ id: z.string(), count: z.int().optional() }));
    const document = { id: "a", stranger: 1 };
    expect(reader.safeParse(document)).toEqual({ success: true, data: document });
    const refused = reader.safeParse({ id: 1 });
    expect(refused.success ? [] : refused.error.issues[0]?.path).toEqual(["id"]);
  });

  it.each(distinct.map((entry) => ({ name: `${entry.method} ${entry.pattern} ${entry.direction}`, entry })))(
    "may hand on $name as it came, since its schema changes nothing",
    ({ entry: { schema, example } }) => {
      // Members that are not named are left out of what the schema gives, and nothing else.
      expect(example).toMatchObject(schema.parse(example) as object);
    },
  );
});
