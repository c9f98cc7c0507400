/**
 * Listings of catalogs with broken entries.
 */
import { everythingVisible } from "../../../src/security/visibility.ts";
import { describe, expect, test } from "vitest";
import type { ConnectorMetadata, SchemaTableName } from "../../../src/connectors/spi.ts";
import { columnsOf, type ListedCatalog, schemasOf, tablesBySchema, viewOf } from "../../../src/connectors/shared/walk.ts";
import { type ErrorName, QueryError } from "../../../src/protocol/errors.ts";
import { addWarnings, partialResultWarning } from "../../../src/protocol/documents/warnings.ts";
import { BIGINT } from "../../../src/types/type.ts";

const all = { schema: () => true, named: [], table: () => true };

function fail(errorName: ErrorName, message: string): never {
  throw new QueryError(errorName, message);
}

function catalogOf(change: Partial<ConnectorMetadata>) {
  const warnings: string[] = [];
  const metadata: ConnectorMetadata = {
    listSchemas: async () => ["a", "b"],
    listTables: async (schema) => [`${schema}1`, `${schema}2`],
    getTable: async (name) => ({ name, columns: [{ name: "x", type: BIGINT }], handle: null }),
    ...change,
  };
  const catalog: ListedCatalog = {
    name: "c",
    metadata,
    onWarning: (message) => warnings.push(message),
    visibility: everythingVisible,
  };
  return { catalog, warnings };
}

async function listed(catalog: ListedCatalog): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const tables of tablesBySchema(catalog, all)) {
    names.push(...tables.map(({ schema, table }) => `${schema}.${table}`));
  }
  return names;
}

const table: SchemaTableName = { schema: "a", table: "t" };

describe("broken entries are omitted with a warning", () => {
  test("a catalog", async () => {
    const { catalog, warnings } = catalogOf({ listSchemas: async () => fail("CONNECTOR_ERROR", "the disk is gone") });
    expect(await schemasOf(catalog)).toEqual([]);
    expect(warnings).toEqual(["Catalog 'c' cannot be read: the disk is gone"]);
  });

  test("a schema", async () => {
    const { catalog, warnings } = catalogOf({ listTables: async (name) => (name === "a" ? fail("CONNECTOR_ERROR", "no folder") : ["t"]) });
    expect(await listed(catalog)).toEqual(["b.t"]);
    expect(warnings).toEqual(["Schema 'c.a' cannot be read: no folder"]);
  });

  test("a table and a view", async () => {
    const { catalog, warnings } = catalogOf({
      getTable: async () => fail("CONNECTOR_ERROR", "half a file"),
      getView: async () => fail("INVALID_VIEW", "stale"),
    });
    expect(await listed(catalog)).toEqual(["a.a1", "a.a2", "b.b1", "b.b2"]);
    expect(await columnsOf(catalog, table)).toEqual([]);
    expect(await viewOf(catalog, table)).toBeUndefined();
    expect(warnings).toEqual(["Table 'c.a.t' cannot be read: half a file", "Table 'c.a.t' cannot be read: stale"]);
  });
});

test("what ends every query ends a listing too", async () => {
  const { catalog, warnings } = catalogOf({ getTable: async () => fail("EXCEEDED_LOCAL_MEMORY_LIMIT", "too much") });
  await expect(columnsOf(catalog, table)).rejects.toMatchObject({ errorName: "EXCEEDED_LOCAL_MEMORY_LIMIT" });
  const broken = catalogOf({
    getTable: async () => {
      throw new TypeError("a bug");
    },
  });
  await expect(columnsOf(broken.catalog, table)).rejects.toThrow("a bug");
  expect([...warnings, ...broken.warnings]).toEqual([]);
});

test("a query keeps each warning once, and a hundred of them", () => {
  const one = partialResultWarning("one");
  const first = addWarnings([], [one, one]);
  expect(first).toEqual([{ warningCode: { code: 6, name: "PARTIAL_RESULT_WARNING" }, message: "one" }]);
  expect(addWarnings(first, [one])).toBe(first);
  const many = Array.from({ length: 500 }, (_, index) => partialResultWarning(String(index)));
  expect(addWarnings(first, many)).toEqual([one, ...many.slice(0, 99)]);
});
