import { connectorKit } from "orrery/connector/testing";
import { type Cluster, withCluster } from "orrery/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calendar } from "./calendar.ts";

describe("the rules of a connector", () => {
  const kit = connectorKit(calendar, { properties: { "calendar.from": "2023-11-20", "calendar.to": "2025-02-10" } });
  afterAll(kit.close);
  for (const { check, name } of kit.rules) {
    it(name, check);
  }
});

describe("the calendar", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await withCluster({ http: false, catalogs: { calendar, tpch: { "connector.name": "tpch" } } });
  });
  afterAll(() => cluster.close());

  it("knows weeks and leap days", async () => {
    const sql =
      "SELECT day, week, weekday, is_workday FROM calendar.default.days WHERE day IN (DATE '2024-02-29', DATE '2021-01-03', DATE '2024-12-30')";
    expect((await cluster.query(`${sql} ORDER BY day`)).rows).toEqual([
      ["2021-01-03", 53, "Sunday", false],
      ["2024-02-29", 9, "Thursday", true],
      ["2024-12-30", 1, "Monday", true],
    ]);
  });

  it("agrees with the engine's own functions", async () => {
    const wrong = `year <> year(day) OR quarter <> quarter(day) OR month <> month(day) OR week <> week(day)
      OR weekday <> date_format(day, '%W') OR unix_seconds <> to_unixtime(day)`;
    const { rows } = await cluster.query(`SELECT count(*), count_if(${wrong}) FROM calendar.default.days`);
    expect(rows).toEqual([[14_610n, 0n]]);
  });

  it("reads only the years that a condition needs", async () => {
    const { rows } = await cluster.query("EXPLAIN ANALYZE SELECT count(*) FROM calendar.default.days WHERE day >= DATE '2039-06-01'");
    expect(rows[0]?.[0] as string).toMatch(/Input: 365 rows/);
  });

  it("refuses a day that is none", async () => {
    const wrong = { connector: calendar, properties: { "calendar.from": "2025-02-30" } };
    await expect(withCluster({ http: false, catalogs: { wrong } })).rejects.toThrow(
      "Invalid value '2025-02-30' for property 'calendar.from'",
    );
  });
});
