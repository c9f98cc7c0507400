import { everythingVisible } from "../../../../src/security/visibility.ts";
import { describe, expect, test } from "vitest";
import type { Connector, Constraint, LikePattern } from "../../../../src/connectors/spi.ts";
import { jdbcTypeCode, charOctetLength, columnSize, decimalDigits, numericRadix } from "../../../../src/connectors/system/jdbc-types.ts";
import { systemConnectorFactory } from "../../../../src/connectors/system/system.ts";
import { Domain } from "../../../../src/types/domain/domain.ts";
import { TupleDomain } from "../../../../src/types/domain/tuple-domain.ts";
import { decodeUtf8 } from "../../../../src/types/utf8.ts";
import { regionNames } from "../../../../src/types/time/zones.ts";
import { readTable, tableOf, World } from "../world.ts";
import { BIGINT, type Type, VARCHAR } from "../../../../src/types/type.ts";

/** A catalog of two schemas with three tables each, the last a view; it records the calls that it gets. */
function catalog(name: string, asked: string[]): { readonly name: string; readonly connectorName: string; readonly connector: Connector } {
  const columns = [
    { name: "k", type: BIGINT },
    { name: "secret", type: VARCHAR, hidden: true },
    { name: "v", type: VARCHAR, comment: "text" },
  ];
  const isTable = (table: string): boolean => ["ta", "tb"].includes(table);
  const connector: Connector = {
    metadata: {
      listSchemas: async () => (asked.push(`${name}: schemas`), ["s1", "s2"]),
      listTables: async (schema) => (asked.push(`${name}.${schema}: tables`), ["ta", "tb", "w_x"]),
      getTable: async ({ schema, table }) => {
        asked.push(`${name}.${schema}.${table}`);
        return isTable(table) ? { name: { schema, table }, columns, handle: null, comment: `of ${table}` } : undefined;
      },
      getView: async ({ schema, table }) => {
        asked.push(`${name}.${schema}.${table}: view`);
        return isTable(table)
          ? undefined
          : { sql: "SELECT 1 AS one", columns: [{ name: "one", type: BIGINT }], owner: "o", security: "DEFINER" };
      },
    },
    getSplits: async () => [],
    createPageSource: () => {
      throw new Error("nobody reads it");
    },
  };
  return { name, connectorName: "fake", connector };
}

/** Names that are wanted of a column: these, or those of a pattern. */
type Names = readonly string[] | LikePattern;

function constraintOf(wanted: Readonly<Record<string, Names>>): Constraint {
  const entries = Object.entries(wanted);
  return {
    summary: TupleDomain.of(
      entries.map(([column, names]) => [column, "pattern" in names ? Domain.notNull(VARCHAR) : Domain.of(VARCHAR, names)] as const),
    ),
    patterns: new Map(entries.flatMap(([column, names]) => ("pattern" in names ? [[column, names] as const] : []))),
  };
}

interface Question {
  readonly table: string;
  readonly columns: readonly string[];
  readonly constraint?: Constraint;
}

async function ask({ columns, constraint, table }: Question) {
  const asked: string[] = [];
  const provider = {
    runtime: () => undefined,
    visibility: () => everythingVisible,
    catalogs: () => [catalog("a", asked), catalog("b", asked)],
  };
  const world = new World({ factory: systemConnectorFactory(provider) });
  const node = world.start("c");
  const found = await tableOf(node.connector, "jdbc", table);
  const read = columns.map((name) => found.columns.find((column) => column.name === name)).filter((column) => column !== undefined);
  const rows = await readTable(world, node, found, read, constraint);
  return { asked, rows: rows.map((row) => row.map((value) => (value instanceof Uint8Array ? decodeUtf8(value) : value))) };
}

describe("system.jdbc asks connectors for nothing that its reader does not want", () => {
  test("columns of one table of one schema of one catalog", async () => {
    const { asked, rows } = await ask({
      table: "columns",
      columns: ["table_cat", "table_schem", "table_name", "column_name", "data_type", "ordinal_position", "remarks"],
      constraint: constraintOf({ table_cat: ["a"], table_schem: { pattern: "s2" }, table_name: { pattern: "t%" } }),
    });
    expect(rows).toEqual(
      ["ta", "tb"].flatMap((name) => [
        ["a", "s2", name, "k", -5n, 1n, null],
        ["a", "s2", name, "v", 12n, 2n, "text"],
      ]),
    );
    expect(asked).toEqual(["a: schemas", "a.s2: tables", "a.s2.ta", "a.s2.tb"]);
  });

  test("an escaped pattern is the name itself", async () => {
    const like = { pattern: "w$_x", escape: "$" };
    const { asked, rows } = await ask({
      table: "columns",
      columns: ["column_name"],
      constraint: constraintOf({ table_name: like, table_cat: ["b"] }),
    });
    expect(rows).toEqual([["one"], ["one"]]);
    expect(asked.filter((one) => one.includes("ta"))).toEqual(["b.s1: tables", "b.s2: tables"]);
  });

  test("names of tables without their types and comments", async () => {
    const constraint = constraintOf({ table_schem: ["s1"] });
    const { asked, rows } = await ask({ table: "tables", columns: ["table_cat", "table_name"], constraint });
    expect(rows).toEqual(["a", "b"].flatMap((name) => ["ta", "tb", "w_x"].map((table) => [name, table])));
    expect(asked).toEqual(["a: schemas", "a.s1: tables", "b: schemas", "b.s1: tables"]);
  });

  test("tables of one type, with their comments", async () => {
    const constraint = constraintOf({ table_type: ["TABLE"], table_cat: ["a"], table_schem: ["s1"] });
    const { rows } = await ask({ table: "tables", columns: ["table_name", "table_type", "remarks", "type_cat"], constraint });
    expect(rows).toEqual([
      ["ta", "TABLE", "of ta", null],
      ["tb", "TABLE", "of tb", null],
    ]);
  });

  test("schemas of a catalog that does not exist: no connector is called", async () => {
    const { asked, rows } = await ask({ table: "schemas", columns: ["table_schem"], constraint: constraintOf({ table_catalog: ["c"] }) });
    expect({ asked, rows }).toEqual({ asked: [], rows: [] });
  });

  test("catalogs and table types call no connector either", async () => {
    expect(await ask({ table: "catalogs", columns: ["table_cat"] })).toEqual({ asked: [], rows: [["a"], ["b"]] });
    expect(await ask({ table: "table_types", columns: ["table_type"] })).toEqual({ asked: [], rows: [["TABLE"], ["VIEW"]] });
  });
});

test("types have the codes and widths of section 9.4 of the reference", () => {
  const zone = Math.max(...regionNames.map((name) => name.length));
  const expected: readonly (readonly [Type, number, number | null, number | null, number | null, number | null])[] = [
    [{ kind: "boolean" }, 16, null, null, null, null],
    [{ kind: "bigint" }, -5, 19, null, 10, null],
    [{ kind: "integer" }, 4, 10, null, 10, null],
    [{ kind: "smallint" }, 5, 5, null, 10, null],
    [{ kind: "tinyint" }, -6, 3, null, 10, null],
    [{ kind: "real" }, 7, 24, null, 2, null],
    [{ kind: "double" }, 8, 53, null, 2, null],
    [{ kind: "decimal", precision: 12, scale: 2 }, 3, 12, 2, 10, null],
    [{ kind: "varchar", length: 25 }, 12, 25, null, null, 25],
    [{ kind: "varchar" }, 12, 2_147_483_647, null, null, 2_147_483_647],
    [{ kind: "char", length: 3 }, 1, 3, null, null, 3],
    [{ kind: "varbinary" }, -3, 2_147_483_647, null, null, 2_147_483_647],
    [{ kind: "date" }, 91, 14, null, null, null],
    [{ kind: "time", precision: 3 }, 92, 12, 3, null, null],
    [{ kind: "time with time zone", precision: 0 }, 2013, 14, 0, null, null],
    [{ kind: "timestamp", precision: 6 }, 93, 28, 6, null, null],
    [{ kind: "timestamp", precision: 0 }, 93, 21, 0, null, null],
    [{ kind: "timestamp with time zone", precision: 3 }, 2014, 27 + zone, 3, null, null],
    [{ kind: "array", element: { kind: "bigint" } }, 2003, null, null, null, null],
    [{ kind: "json" }, 2000, null, null, null, null],
  ];
  for (const [type, ...facts] of expected) {
    expect([jdbcTypeCode(type), columnSize(type), decimalDigits(type), numericRadix(type), charOctetLength(type)], type.kind).toEqual(
      facts,
    );
  }
});
