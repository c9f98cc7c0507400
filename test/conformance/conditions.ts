/** Statements with IF [NOT] EXISTS that race: none of them fails because another was faster, and the table has the rows of one. */
import { describe, expect, it } from "vitest";
import { clientOf, type Service } from "../support/service.ts";

const clients = ["1", "2", "3", "4"];

/** Each is sent by all clients at once. */
const races: readonly string[] = [
  "CREATE SCHEMA IF NOT EXISTS memory.race",
  "CREATE TABLE IF NOT EXISTS memory.race.plain (a bigint)",
  "ALTER TABLE IF EXISTS memory.race.plain ADD COLUMN IF NOT EXISTS b bigint",
  "ALTER TABLE IF EXISTS memory.race.plain DROP COLUMN IF EXISTS b",
  "CREATE TABLE IF NOT EXISTS memory.race.filled AS SELECT nationkey, name FROM tpch.tiny.nation",
  "CREATE TABLE IF NOT EXISTS memory.race.small AS SELECT 1 AS x",
  "DROP TABLE IF EXISTS memory.race.plain",
  "DROP TABLE IF EXISTS memory.race.small",
];

export function defineConditions(service: () => Service): void {
  describe("statements with IF [NOT] EXISTS that race", () => {
    it("succeed, whichever was first", async () => {
      for (const sql of races) {
        const answers = await Promise.all(clients.map((user) => clientOf(service(), "trino", { user }).answer(sql)));
        expect(
          answers.map(({ error }) => error?.message),
          sql,
        ).toEqual(clients.map(() => undefined));
        if (sql.includes("nation")) {
          const written = answers.map(({ rows }) => Number(rows[0]?.[0])).toSorted((a, b) => a - b);
          expect(written, sql).toEqual([0, 0, 0, 25]);
        }
      }
      const client = clientOf(service(), "trino");
      expect(await client.rows("SELECT count(*), count(DISTINCT nationkey) FROM memory.race.filled")).toEqual([[25, 25]]);
      await client.rows("DROP TABLE memory.race.filled");
      expect(await client.rows("SHOW TABLES FROM memory.race")).toEqual([]);
      const dropped = await Promise.all(
        clients.map((user) => clientOf(service(), "trino", { user }).answer("DROP SCHEMA IF EXISTS memory.race")),
      );
      expect(dropped.map(({ error }) => error?.message)).toEqual(clients.map(() => undefined));
    });
  });
}
