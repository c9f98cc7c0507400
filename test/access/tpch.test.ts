/**
 * Row filters and masks against an oracle: for each query of TPC-H, a user with filters and masks gets the rows that a user without any
 * gets over copies of the tables that have been filtered and masked.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAccessRules } from "../../src/security/rules.ts";
import { Asker, textOf } from "../support/service.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";

interface Secured {
  readonly filter?: string;
  readonly masks?: Readonly<Record<string, string>>;
}

const tables: Readonly<Record<string, Secured>> = {
  customer: {
    filter: "c_nationkey IN (SELECT n_nationkey FROM nation WHERE n_regionkey <> 2)",
    masks: { c_phone: "CAST(reverse(c_phone) AS varchar(15))" },
  },
  lineitem: { filter: "l_orderkey % 7 <> 3 AND l_linenumber < 6", masks: { l_discount: "l_discount / 2" } },
  nation: {},
  orders: { filter: "current_user = 'ann' AND o_orderstatus <> 'P'", masks: { o_comment: "CAST('none' AS varchar(79))" } },
  part: { filter: "p_size < 45" },
  partsupp: { masks: { ps_supplycost: "IF(ps_suppkey % 2 = 0, 1e2, ps_supplycost)" } },
  region: {},
  supplier: {
    filter: "EXISTS (SELECT 1 FROM partsupp WHERE ps_suppkey = s_suppkey AND ps_availqty > 9000)",
    masks: { s_acctbal: "-s_acctbal" },
  },
};

const rules = parseAccessRules({
  tables: [
    { user: "root", privileges: ["SELECT", "INSERT", "DELETE", "UPDATE", "OWNERSHIP", "GRANT_SELECT"] },
    ...Object.entries(tables).map(([table, { filter, masks = {} }]) => ({
      user: "ann",
      catalog: "tpch",
      schema: "tiny",
      table,
      privileges: ["SELECT"],
      ...(filter === undefined ? {} : { filter, filter_environment: { user: "root" } }),
      columns: Object.entries(masks).map(([name, mask]) => ({ name, mask })),
    })),
    { user: "ann", catalog: "memory", schema: "views", privileges: ["SELECT", "OWNERSHIP"] },
  ],
});

const folder = fileURLToPath(new URL("../oracle/tpch/", import.meta.url));
const queries = readdirSync(folder).filter((name) => /^q\d\d\.sql$/.test(name));

describe("row filters and masks", () => {
  let service: LoopbackCluster;
  let ann: Asker;
  let root: Asker;
  let rowCount = 0;

  beforeAll(async () => {
    service = await startLoopbackCluster({
      access: rules,
      catalogs: [
        { name: "memory", properties: { "connector.name": "memory" } },
        { name: "tpch", properties: { "connector.name": "tpch", "tpch.column-naming": "STANDARD" } },
      ],
    });
    const as = (user: string, catalog: string, schema: string): Asker =>
      new Asker(service, { "x-trino-user": user, "x-trino-catalog": catalog, "x-trino-schema": schema });
    ann = as("ann", "tpch", "tiny");
    root = as("root", "memory", "secured");
    await root.rows("CREATE SCHEMA memory.secured");
    for (const [table, { filter = "true", masks = {} }] of Object.entries(tables)) {
      const columns = (await root.rows(`SHOW COLUMNS FROM tpch.tiny.${table}`)).map(([name]) => textOf(name));
      const shown = columns.map((name) => `${masks[name] ?? name} AS ${name}`).join(", ");
      const condition = filter.replace("current_user", "'ann'").replaceAll(/FROM (\w+)/g, "FROM tpch.tiny.$1");
      await root.rows(`CREATE TABLE ${table} AS SELECT ${shown} FROM tpch.tiny.${table} WHERE ${condition}`);
    }
  }, 600_000);

  afterAll(async () => {
    await service.stop();
  });

  it.each(queries)(
    "%s",
    async (name) => {
      const sql = readFileSync(join(folder, name), "utf8").trim().replace(/;$/, "");
      const [seen, expected] = [await ann.answer(sql), await root.answer(sql)];
      expect(seen.error).toBeUndefined();
      expect(rounded(seen.rows)).toEqual(rounded(expected.rows));
      rowCount += seen.rows.length;
    },
    120_000,
  );

  it("have left rows to compare", () => {
    expect(rowCount).toBeGreaterThan(500);
  });
});

/** Sums of doubles depend on the order of the rows, which the tables of the two users have not in common. */
function rounded(rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row.map((cell) => (typeof cell === "number" ? Number(cell.toPrecision(9)) : cell))));
}
