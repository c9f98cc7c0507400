/** What the SQL editor completes at a position, written with the cursor as `|`. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keywordCandidates, nameCandidates } from "../../../../src/web/editor/completion/candidates.ts";
import { type CompletionContext, completionContext } from "../../../../src/web/editor/completion/context.ts";
import { Metadata, type MetadataRow } from "../../../../src/web/editor/completion/metadata.ts";

function at(marked: string): CompletionContext {
  const offset = marked.indexOf("|");
  return completionContext(marked.replace("|", ""), offset);
}

const tables: Readonly<Record<string, readonly string[]>> = {
  "tpch.tiny": ["nation", "region", "Mixed Case"],
  "files.default": ["sales", "select"],
};
const columns: Readonly<Record<string, readonly string[]>> = {
  nation: ["nationkey", "name", "regionkey"],
  region: ["regionkey", "name"],
  sales: ["day", "amount", "order"],
};

function answer(sql: string): readonly MetadataRow[] {
  const [, schema = ""] = /FROM (\S+)$/.exec(sql) ?? [];
  if (sql === "SHOW CATALOGS") {
    return [["files"], ["tpch"]];
  }
  if (sql.startsWith("SHOW SCHEMAS")) {
    return schema === "tpch" ? [["tiny"], ["sf1"]] : [["default"]];
  }
  if (sql.includes("information_schema.tables")) {
    const [, catalog, name] = /FROM (\w+)\.information_schema\.tables WHERE table_schema = '(\w+)'/.exec(sql) ?? [];
    return (tables[`${catalog}.${name}`] ?? []).map((table) => [table, "BASE TABLE"]);
  }
  if (sql.startsWith("SHOW COLUMNS")) {
    return (columns[schema.split(".")[2] ?? ""] ?? []).map((column) => [column, "bigint"]);
  }
  if (sql === "SHOW FUNCTIONS") {
    return [
      ["abs", "bigint", "bigint", "scalar", "true", "Absolute value"],
      ["abs", "double", "double", "scalar", "true", "Absolute value"],
    ];
  }
  return sql === "SHOW SESSION" ? [["query_max_run_time", "100.00d", "", "varchar", "Maximum run time"]] : [];
}

async function names(marked: string): Promise<readonly string[]> {
  const metadata = new Metadata(
    (sql) => Promise.resolve(answer(sql)),
    () => 0,
  );
  const found = await nameCandidates(at(marked), metadata, { catalog: "tpch", schema: "tiny" });
  return found.filter(({ kind }) => kind !== "function").map(({ text }) => text);
}

describe("completion of the SQL editor", () => {
  it.each([
    ["", "statement"],
    ["|", "statement"],
    ["SEL|", "statement"],
    ["EXPLAIN |", "statement"],
    ["EXPLAIN ANALYZE |", "statement"],
    ["SELECT |", "expression"],
    ["SELECT a|", "expression"],
    ["SELECT a |", "keyword"],
    ["SELECT a, |", "expression"],
    ["SELECT a FROM |", "relation"],
    ["SELECT a FROM t, |", "relation"],
    ["SELECT a FROM t JOIN |", "relation"],
    ["SELECT a FROM (|", "relation"],
    ["SELECT a FROM t WHERE |", "expression"],
    ["SELECT a FROM t wh|", "keyword"],
    ["SELECT a FROM t WHERE a = 'x|'", "none"],
    ["SELECT a FROM t WHERE a = 'x|", "none"],
    ["SELECT 1|", "none"],
    ["SELECT /* a | */ 1", "none"],
    ["SELECT 1 -- a |", "none"],
    ["SELECT CAST(a AS |", "type"],
    ["SELECT a AS |", "none"],
    ["SELECT EXTRACT(day FROM |", "expression"],
    ["SELECT a IS DISTINCT FROM |", "expression"],
    ["SELECT a FROM t WHERE a IN (|", "expression"],
    ["SELECT a FROM t WHERE a IN (SELECT b FROM |", "relation"],
    ["SELECT f(a, |", "expression"],
    ["SELECT a FROM t ORDER BY |", "expression"],
    ["INSERT INTO |", "relation"],
    ["UPDATE |", "relation"],
    ["DELETE FROM |", "relation"],
    ["DROP TABLE IF EXISTS |", "relation"],
    ["DESCRIBE |", "relation"],
    ["USE |", "schema"],
    ["SHOW TABLES FROM |", "schema"],
    ["SHOW SCHEMAS FROM |", "catalog"],
    ["SHOW COLUMNS FROM |", "relation"],
    ["SET SESSION |", "session"],
    ["RESET SESSION q|", "session"],
  ])("%s is a place for: %s", (marked, place) => {
    expect(at(marked === "" ? "|" : marked).place).toBe(place);
  });

  it("completes tables of the session, then schemas and catalogs, quoted where needed", async () => {
    expect(await names("SELECT * FROM |")).toEqual(["nation", "region", '"Mixed Case"', "tiny", "sf1", "files", "tpch"]);
    expect(await names("SELECT * FROM tpch.|")).toEqual(["tiny", "sf1"]);
    expect(await names("SELECT * FROM tiny.|")).toEqual(["nation", "region", '"Mixed Case"']);
    expect(await names("SELECT * FROM files.default.s|")).toEqual(["sales", '"select"']);
    expect(await names('SELECT * FROM "files"."default".|')).toEqual(["sales", '"select"']);
  });

  it("completes the columns of the relations in FROM, wherever the cursor stands", async () => {
    expect(await names("SELECT | FROM nation")).toEqual(["nationkey", "name", "regionkey", "nation"]);
    expect(await names("SELECT n.| FROM nation n")).toEqual(["nationkey", "name", "regionkey"]);
    expect(await names("SELECT N.| FROM nation AS n")).toEqual(["nationkey", "name", "regionkey"]);
    expect(await names("SELECT * FROM nation n JOIN region r ON n.regionkey = r.|")).toEqual(["regionkey", "name"]);
    expect(await names("SELECT tiny.nation.| FROM tpch.tiny.nation")).toEqual(["nationkey", "name", "regionkey"]);
    expect(await names("SELECT s.| FROM files.default.sales s")).toEqual(["day", "amount", '"order"']);
    expect(await names("UPDATE nation SET |")).toEqual(["nationkey", "name", "regionkey", "nation"]);
    expect(await names("DELETE FROM nation WHERE |")).toEqual(["nationkey", "name", "regionkey", "nation"]);
    expect(await names("SELECT x.| FROM nation")).toEqual([]);
  });

  it("knows subqueries, their aliases and stars, and what surrounds a correlated one", async () => {
    expect(await names("SELECT q.| FROM (SELECT name, nationkey AS k, count(*) FROM nation GROUP BY 1) q")).toEqual(["name", "k"]);
    expect(await names("SELECT q.| FROM (SELECT * FROM region) AS q")).toEqual(["regionkey", "name"]);
    expect(await names("SELECT q.| FROM (SELECT n.*, 1 one FROM nation n, region) q")).toEqual(["nationkey", "name", "regionkey", "one"]);
    expect(await names("SELECT q.| FROM (VALUES (1, 2)) q (a, b)")).toEqual(["a", "b"]);
    expect(await names("SELECT u.| FROM UNNEST(ARRAY[1]) AS u (element)")).toEqual(["element"]);
    expect(await names("SELECT * FROM nation n WHERE EXISTS (SELECT 1 FROM region r WHERE r.regionkey = n.|)")).toEqual([
      "nationkey",
      "name",
      "regionkey",
    ]);
    expect(await names("SELECT * FROM region UNION SELECT n.| FROM nation n")).toEqual(["nationkey", "name", "regionkey"]);
    expect(await names("SELECT n.| FROM region UNION SELECT 1 FROM nation n")).toEqual([]);
    expect(await names("SELECT r.| FROM (nation n CROSS JOIN region r)")).toEqual(["regionkey", "name"]);
  });

  it("knows the queries of WITH", async () => {
    const query = "WITH a AS (SELECT name FROM nation), b (x, y) AS (SELECT 1, 2), c AS (SELECT * FROM a)";
    expect((await names(`${query} SELECT * FROM |`)).slice(0, 3)).toEqual(["a", "b", "c"]);
    expect(await names(`${query} SELECT c.| FROM c`)).toEqual(["name"]);
    expect(await names(`${query} SELECT | FROM b`)).toEqual(["x", "y", "b"]);
    expect(await names("WITH RECURSIVE t (n) AS (SELECT 1) SELECT t.| FROM t")).toEqual(["n"]);
  });

  it("keeps the case of keywords and the quote of a name", async () => {
    expect(keywordCandidates(at("sel|")).map(({ text }) => text)).toContain("select");
    expect(keywordCandidates(at("SEL|")).map(({ text }) => text)).toContain("SELECT");
    expect(keywordCandidates(at("SELECT n.|"))).toEqual([]);
    expect(at('SELECT * FROM "Mix|')).toMatchObject({ place: "relation", isQuoted: true, prefix: "Mix", from: 14 });
    expect(await names("SET SESSION |")).toEqual(["query_max_run_time"]);
    expect(await names("USE |")).toEqual(["tiny", "sf1", "files", "tpch"]);
  });

  it("shows the signatures of a function", async () => {
    const metadata = new Metadata(
      (sql) => Promise.resolve(answer(sql)),
      () => 0,
    );
    const [found] = await nameCandidates(at("SELECT ab|"), metadata, { catalog: undefined, schema: undefined });
    expect(found).toMatchObject({ label: "abs", detail: "(bigint) → bigint" });
    expect(found?.info).toBe("abs(bigint) → bigint\nabs(double) → double\nAbsolute value");
  });

  it("fetches a list once, and again after a failure, a while or a change", async () => {
    let asked = 0;
    let nowMs = 0;
    let isFailing = true;
    const metadata = new Metadata(
      () => {
        asked++;
        return isFailing ? Promise.reject(new Error("no")) : Promise.resolve([["a"]]);
      },
      () => nowMs,
    );
    await expect(metadata.catalogs()).rejects.toThrow("no");
    isFailing = false;
    expect(await Promise.all([metadata.catalogs(), metadata.catalogs()])).toEqual([["a"], ["a"]]);
    expect(asked).toBe(2);
    nowMs = 200_000;
    await metadata.catalogs();
    expect(asked).toBe(3);
    metadata.clear();
    await metadata.catalogs();
    expect(asked).toBe(4);
  });

  it("a failure of the server leaves names out", async () => {
    const metadata = new Metadata(
      () => Promise.reject(new Error("no")),
      () => 0,
    );
    expect(await nameCandidates(at("SELECT | FROM nation"), metadata, { catalog: "tpch", schema: "tiny" })).toMatchObject([
      { text: "nation" },
    ]);
  });

  const piece = fc.constantFrom(
    ..."SELECT FROM WHERE WITH AS JOIN ON ( ) [ ] , . ; ' \" -- /* */ * = a b \"c d\" 1 'x' UNION VALUES LATERAL UNNEST UPDATE SET \n".split(
      " ",
    ),
  );
  it("any text at any position has a context within it", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(), (pieces, anywhere) => {
        const text = pieces.join(" ");
        const offset = anywhere % (text.length + 1);
        const { from, to, prefix, isQuoted } = completionContext(text, offset);
        expect(from).toBeLessThanOrEqual(offset);
        expect(to).toBeGreaterThanOrEqual(offset);
        expect(text.slice(from, offset).replaceAll('""', '"')).toBe((isQuoted ? '"' : "") + prefix);
      }),
      { numRuns: 500 },
    );
  });

  it("deep nesting takes linear time and no stack", () => {
    expect(completionContext(`SELECT ${"(".repeat(20_000)}`, 20_007).place).toBe("expression");
  });
});
