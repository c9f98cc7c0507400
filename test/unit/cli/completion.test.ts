import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Completion } from "../../../src/cli/completion/completion.ts";
import { Metadata } from "../../../src/cli/completion/metadata.ts";
import { editDistance, nearest } from "../../../src/cli/completion/nearest.ts";
import { Suggestions } from "../../../src/cli/completion/suggestions.ts";
import { Connection } from "../../../src/cli/connection.ts";
import { clientSession } from "../../../src/client/session.ts";
import { NetworkError } from "../../../src/ports/network.ts";
import { decodeUtf8 } from "../../../src/types/utf8.ts";
import { failure, HastyClock, json, results, ScriptedNetwork } from "../client/scripted.ts";

const tables: Readonly<Record<string, readonly string[]>> = {
  "tpch.tiny.nation": ["nationkey", "name", "regionkey", "comment"],
  "tpch.tiny.region": ["regionkey", "name"],
  "tpch.tiny.orders": ["orderkey", "order", "Total Price"],
  "tpch.sf1.part": ["partkey"],
  "memory.default.t": ["x"],
};

const names = Object.keys(tables).map((name) => name.split("."));

/** The answers of a server with these tables. */
function answer(sql: string): readonly (readonly string[])[] {
  const [, catalog = ""] = /FROM "(\w+)"/.exec(sql) ?? [];
  const [, schema = ""] = /table_schema = '(\w+)'/.exec(sql) ?? [];
  const [, table = ""] = /table_name = '(\w+)'/.exec(sql) ?? [];
  if (sql === "SHOW CATALOGS") {
    return [["memory"], ["tpch"]];
  }
  if (sql === "SHOW FUNCTIONS") {
    return [
      ["sum", "bigint", "bigint", "aggregate"],
      ["sum", "double", "double", "aggregate"],
      ["substr", "varchar", "varchar", "scalar"],
    ];
  }
  if (sql === "SHOW SESSION") {
    return [
      ["hash_partition_count", "100"],
      ["query_max_run_time", "100d"],
    ];
  }
  if (sql.startsWith("SHOW SCHEMAS")) {
    return [...new Set(names.filter(([first]) => first === catalog).map(([, second = ""]) => second))].map((name) => [name]);
  }
  return sql.includes("information_schema.columns")
    ? (tables[`${catalog}.${schema}.${table}`] ?? []).map((name) => [name, "bigint"])
    : names.filter(([first, second]) => first === catalog && second === schema).map(([, , third = ""]) => [third, "BASE TABLE"]);
}

const column = { name: "c", type: "varchar" };

function setUp(session = { catalog: "tpch", schema: "tiny" }) {
  const network = new ScriptedNetwork((request) => {
    const data = answer(decodeUtf8(request.body));
    return json(results({ columns: [column], ...(data.length === 0 ? {} : { data: data.map((row) => [...row]) }) }));
  });
  const clock = new HastyClock();
  const connection = new Connection({ server: "http://server", network }, clientSession("alice", session), { clock, submitRetryMsMax: 0 });
  const metadata = new Metadata(connection, clock);
  return {
    network,
    clock,
    metadata,
    completion: new Completion(metadata, () => connection.session),
    suggestions: new Suggestions(metadata, () => connection.session),
  };
}

/** Candidates at the bar. */
async function at(text: string, session?: { readonly catalog: string; readonly schema: string }): Promise<readonly string[]> {
  const cursor = text.indexOf("|");
  const { completion } = setUp(session);
  const { candidates } = await completion.complete(text.slice(0, cursor) + text.slice(cursor + 1), cursor);
  return candidates.map((candidate) => candidate.text);
}

describe("completion", () => {
  it.each<[string, readonly string[]]>([
    // Statements, and keywords in the case that is typed.
    ["sel|", ["select"]],
    ["SE|", ["SELECT", "SET"]],
    ["qu|", ["quit"]],
    ["select 1; sho|", ["show"]],
    ["select * from nation whe|", ["when", "where"]],
    // Relations.
    ["select * from na|", ["nation"]],
    ["select * from |", ["nation", "region", "orders", "tiny", "sf1", "memory", "tpch"]],
    ["select * from sf1.|", ["part"]],
    ["select * from tpch.|", ["tiny", "sf1"]],
    ["select * from memory.default.|", ["t"]],
    ["select * from nation n, re|", ["region"]],
    ["select * from nation join re|", ["region"]],
    ["insert into na|", ["nation"]],
    ["describe re|", ["region"]],
    ["with recent as (select 1 x) select * from rec|", ["recent"]],
    // Columns of the FROM clause, which may follow.
    ["select na| from nation", ["nationkey", "name", "nation", "natural"]],
    ["select n.na| from nation n", ["nationkey", "name"]],
    ["select nation.reg| from nation", ["regionkey"]],
    ["select | from region", ["regionkey", "name"]],
    ["select * from nation where reg|", ["regionkey"]],
    ["select * from nation n join region r on n.regionkey = r.|", ["regionkey", "name"]],
    ["select * from nation order by com|", ["comment"]],
    ["select o| from orders", ["orderkey", '"order"', "orders", "offset", "on", "only", "or", "order", "ordinality", "outer", "over"]],
    ['select "To| from orders', ['"Total Price"']],
    ['select "To|" from orders', ['"Total Price"']],
    ["select n.name| from nation nkey", []],
    ["select o.or|derkey from orders o", ["orderkey", '"order"']],
    ["select r.| from region r", ["regionkey", "name"]],
    [
      "select * from orders where exists (select 1 from nation n where n.nationkey = ord|)",
      ["orderkey", '"order"', "orders", "order", "ordinality"],
    ],
    ["select x| from (select nationkey xkey, name as xname from nation) s", ["xkey", "xname"]],
    ["select s.| from (select *, 1 as one from region) s", ["one", "regionkey", "name"]],
    ["with r (a, b) as (select * from region) select r.| from r", ["a", "b"]],
    ["select nation.| ", ["nationkey", "name", "regionkey", "comment"]],
    ["select 1 from region union select nat| from nation", ["nationkey", "nation", "natural"]],
    ["update nation set na|", ["nationkey", "name", "nation", "natural"]],
    // Functions end with a parenthesis.
    ["select su| from nation", ["sum(", "substr("]],
    ["select extract(year from na| from nation", ["nation"]],
    // Statements with words of their own.
    ["set session |", ["hash_partition_count", "query_max_run_time"]],
    ["reset session q|", ["query_max_run_time"]],
    ["use |", ["tiny", "sf1", "memory", "tpch"]],
    ["use memory.|", ["default"]],
    ["show schemas from |", ["memory", "tpch"]],
    ["show tables from t|", ["tiny", "tpch"]],
    ["show columns from na|", ["nation"]],
    // Nothing inside of strings and comments.
    ["select 'na|", []],
    ["select /* na|", []],
    // Commands of the shell.
    ["\\d na|", ["nation"]],
    ["\\d sf1.|", ["part"]],
    ["\\c t|", ["tiny", "tpch"]],
    ["\\dn |", ["memory", "tpch"]],
    ["\\tim|", ["\\timing"]],
    [".ta|", [".tables"]],
    ["\\i na|", []],
  ])("%s", async (text, expected) => {
    expect(await at(text)).toEqual(expected);
  });

  it("asks a server once, and again when names may have changed or a minute has passed", async () => {
    const { completion, network, clock, metadata } = setUp();
    await completion.complete("select * from nation where na", 29);
    const count = network.requests.length;
    await completion.complete("select * from nation where reg", 30);
    expect(network.requests).toHaveLength(count);
    metadata.forget();
    await completion.complete("select * from nation where reg", 30);
    expect(network.requests).toHaveLength(2 * count);
    await new Promise<void>((resolve) => void clock.timer("test", 61_000, resolve));
    await completion.complete("select * from nation where reg", 30);
    expect(network.requests).toHaveLength(3 * count);
  });

  it("a server that does not answer gives keywords, and is asked again later", async () => {
    const network = new ScriptedNetwork(() => new NetworkError("CONNECTION_REFUSED", "no"));
    const clock = new HastyClock();
    const connection = new Connection({ server: "http://server", network }, clientSession("alice"), { clock, submitRetryMsMax: 0 });
    const completion = new Completion(new Metadata(connection, clock), () => connection.session);
    expect((await completion.complete("select * from nation where nu", 29)).candidates).toEqual([{ text: "null" }, { text: "nulls" }]);
    const count = network.requests.length;
    await completion.complete("select * from nation where nu", 29);
    expect(network.requests.length).toBeGreaterThan(count);
  });

  it("never throws, whatever is typed, and replaces the word before the cursor only", async () => {
    const piece = fc.constantFrom(
      "select ",
      "from ",
      "nation",
      " n",
      ".",
      "(",
      ")",
      ",",
      "'",
      '"',
      "with ",
      "as ",
      "union ",
      "-- c\n",
      ";",
      "where ",
      "\u00e9",
      "\\d ",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 15 }), fc.nat(60), async (pieces, place) => {
        const text = pieces.join("");
        const cursor = Math.min(place, text.length);
        const { from } = await setUp().completion.complete(text, cursor);
        expect(from).toBeGreaterThanOrEqual(0);
        expect(from).toBeLessThanOrEqual(cursor);
      }),
      { numRuns: 300 },
    );
  });
});

describe("did you mean", () => {
  const error = (errorName: string, message: string, columnNumber = 8) => ({
    ...failure,
    errorName,
    message,
    errorLocation: { lineNumber: 1, columnNumber },
  });

  it.each([
    ["select nme from nation", error("COLUMN_NOT_FOUND", "line 1:8: Column 'nme' cannot be resolved"), "name"],
    ["select n.regionky from nation n", error("COLUMN_NOT_FOUND", "line 1:8: Column 'n.regionky' cannot be resolved"), "regionkey"],
    ["select * from natoin", error("TABLE_NOT_FOUND", "line 1:15: Table 'tpch.tiny.natoin' does not exist"), "nation"],
    ["select * from sf1.prat", error("TABLE_NOT_FOUND", "line 1:15: Table 'tpch.sf1.prat' does not exist"), "tpch.sf1.part"],
    ["select * from tinny.nation", error("SCHEMA_NOT_FOUND", "line 1:15: Schema 'tinny' does not exist"), "tiny"],
    ["select * from tcph.tiny.nation", error("CATALOG_NOT_FOUND", "line 1:15: Catalog 'tcph' does not exist"), "tpch"],
    ["select smu(1)", error("FUNCTION_NOT_FOUND", "line 1:8: Function 'smu' not registered"), "sum"],
    [
      "set session hash_partition_cont=1",
      error("INVALID_SESSION_PROPERTY", "Session property 'hash_partition_cont' does not exist"),
      "hash_partition_count",
    ],
    ["selct 1", error("SYNTAX_ERROR", "line 1:1: mismatched input 'selct'. Expecting: 'ALTER', <query>"), "SELECT"],
    ["select zzz from nation", error("COLUMN_NOT_FOUND", "line 1:8: Column 'zzz' cannot be resolved"), undefined],
    ["select 1/0", error("DIVISION_BY_ZERO", "Division by zero"), undefined],
  ])("%s", async (sql, found, meant) => {
    expect(await setUp().suggestions.suggest(sql, found)).toBe(meant);
  });

  it("the distance is a metric of insertions, removals, replacements and swaps", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
    fc.assert(
      fc.property(word, word, fc.nat(6), (one, other, at) => {
        const distance = editDistance(one, other);
        expect(distance).toBe(editDistance(other, one));
        expect(distance === 0).toBe(one === other);
        expect(distance).toBeLessThanOrEqual(Math.max(one.length, other.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(one.length - other.length));
        expect(editDistance(one, `${one.slice(0, at)}z${one.slice(at)}`)).toBe(1);
        const swapped = one.slice(0, at) + one.charAt(at + 1) + one.charAt(at) + one.slice(at + 2);
        expect(at + 1 >= one.length || editDistance(one, swapped) <= 1).toBe(true);
        expect(editDistance(one, other, 2) > 2).toBe(distance > 2);
      }),
    );
    expect(nearest("nmae", ["name", "nam", "comment"])).toEqual(["name"]);
    expect(nearest("x", ["name"])).toEqual([]);
  });
});
