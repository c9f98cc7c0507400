/**
 * The 43 queries of ClickBench over a generated table of page views: the columns that they read, with ClickBench's types. Its own table has
 * 100 million rows of a real site; here the numbers of distinct values and the parts of empty strings are of the same order.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../test/support/programs/server-process.ts";
import type { ComparedQuery } from "../comparison.ts";
import { drawn, type Generated, skewed } from "./tables.ts";

export function clickBench(rows: number): Generated {
  return { title: "ClickBench", tables: [{ name: "hits", rows: hitsQuery(rows) }], queries: hitsQueries() };
}

/** One in `count` rows has `value`, the others `otherwise`. */
function sometimes(count: number, draw: number, value: string, otherwise: string): string {
  return `CASE WHEN ${drawn(count, draw)} = 0 THEN ${value} ELSE ${otherwise} END`;
}

function hitsQuery(rows: number): string {
  const [users, pages] = [Math.ceil(rows / 6), Math.ceil(rows / 5)];
  const phrase = `'поиск ' || ${skewed(pages, 1)} || ' купить'`;
  const host = `CASE WHEN p % 997 = 0 THEN 'www.google.com' WHEN p % 499 = 0 THEN 'google.example' ELSE 'site' || p % 3000 || '.example.ru' END`;
  const columns: readonly (readonly [name: string, type: string, value: string])[] = [
    ["WatchID", "BIGINT", "CAST(hash(i * 64 + 63) // 2 AS BIGINT)"],
    ["JavaEnable", "SMALLINT", drawn(2, 2)],
    ["Title", "VARCHAR", `'Страница ' || p || CASE WHEN p % 211 = 0 THEN ' Google' ELSE ' новости и объявления' END`],
    ["EventTime", "TIMESTAMP", `TIMESTAMP '2013-07-01 00:00:00' + to_seconds(${drawn(31 * 86_400, 3)})`],
    ["EventDate", "DATE", `DATE '2013-07-01' + CAST(${drawn(31 * 86_400, 3)} // 86400 AS INTEGER)`],
    ["CounterID", "INTEGER", `CASE WHEN p % 100 = 1 THEN 62 ELSE p % 6000 END`],
    ["ClientIP", "INTEGER", `${drawn(1_000_000_000, 5)} % ${Math.ceil(rows / 10)}`],
    ["RegionID", "INTEGER", skewed(9000, 6)],
    ["UserID", "BIGINT", `CAST(hash(${skewed(users, 7)}) // 2 AS BIGINT)`],
    ["URL", "VARCHAR", `'http://' || ${host} || '/section/' || p || '?page=' || p % 50 || '&sort=newest'`],
    ["Referer", "VARCHAR", sometimes(5, 8, "''", `'https://www.site' || ${skewed(5000, 9)} || '.example.com/' || ${drawn(pages, 10)}`)],
    ["IsRefresh", "SMALLINT", sometimes(8, 11, "1", "0")],
    ["ResolutionWidth", "SMALLINT", `1000 + ${drawn(20, 12)} * 40`],
    ["MobilePhone", "SMALLINT", sometimes(16, 13, `1 + ${drawn(80, 14)}`, "0")],
    ["MobilePhoneModel", "VARCHAR", sometimes(16, 13, `'model ' || ${drawn(160, 14)}`, "''")],
    ["TraficSourceID", "SMALLINT", `${drawn(12, 15)} - 1`],
    ["SearchEngineID", "SMALLINT", sometimes(8, 16, `1 + ${drawn(90, 17)}`, "0")],
    ["SearchPhrase", "VARCHAR", sometimes(8, 16, phrase, "''")],
    ["AdvEngineID", "SMALLINT", sometimes(60, 18, `1 + ${drawn(18, 19)}`, "0")],
    ["WindowClientWidth", "SMALLINT", `${drawn(1900, 20)}`],
    ["WindowClientHeight", "SMALLINT", `${drawn(1000, 21)}`],
    ["IsLink", "SMALLINT", sometimes(9, 22, "1", "0")],
    ["IsDownload", "SMALLINT", sometimes(90, 23, "1", "0")],
    ["DontCountHits", "SMALLINT", sometimes(20, 24, "1", "0")],
    ["RefererHash", "BIGINT", sometimes(20, 25, "3594120000172545465", "CAST(hash(i * 64 + 26) // 2 AS BIGINT)")],
    ["URLHash", "BIGINT", `CASE WHEN p % 100 = 1 AND p % 7 = 0 THEN 2868770270353813622 ELSE CAST(hash(p) // 2 AS BIGINT) END`],
  ];
  const selected = columns.map(([name, type, value]) => `CAST(${value} AS ${type}) AS ${name}`);
  return `SELECT ${selected.join(", ")} FROM (SELECT i, ${skewed(pages, 0)} AS p FROM range(${rows}) AS t(i))`;
}

/** q00 to q42, as ClickBench numbers them. Rows are compared where the query determines them. */
function hitsQueries(): readonly ComparedQuery[] {
  const text = readFileSync(join(projectRoot, "bench", "generated", "hits.sql"), "utf8");
  return text
    .split(";\n")
    .filter((sql) => sql.trim() !== "")
    .map((sql, index) => ({
      name: `q${String(index).padStart(2, "0")}`,
      sql,
      duckdb: sql.replaceAll("'$1'", String.raw`'\1'`),
      comparesRows: !/LIMIT|ORDER BY/.test(sql),
    }));
}
