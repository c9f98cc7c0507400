/**
 * The statement resource as the clients of each header family use it: the same statements with the headers of X-Engine, X-Presto and
 * X-Trino. docs/interface.md describes the differences; X-Engine must follow the interface literally.
 */
import { expect, describe, it } from "vitest";
import { type JsonValue, parseJson } from "../../src/protocol/json.ts";
import { type Asker, clientOf, type Fields, type Service, textOf } from "../support/service.ts";

interface Family {
  readonly name: string;
  /** POST answers QUEUED; columns and errors come with a GET. */
  readonly beginsQueued: boolean;
  /** The last answer has no rows. */
  readonly endsEmpty: boolean;
}

const families: readonly Family[] = [
  { name: "engine", beginsQueued: false, endsEmpty: false },
  { name: "presto", beginsQueued: true, endsEmpty: false },
  { name: "trino", beginsQueued: true, endsEmpty: true },
];

const longStatement = "SELECT orderkey, linenumber, comment FROM tpch.tiny.lineitem";

function stateOf(document: Fields | undefined): JsonValue | undefined {
  return (document?.["stats"] as Fields | undefined)?.["state"];
}

function rowsOf(chain: readonly Fields[]): JsonValue[][] {
  return chain.flatMap((document) => (document["data"] ?? []) as JsonValue[][]);
}

function errorOf(document: Fields | undefined): JsonValue | undefined {
  return (document?.["error"] as Fields | undefined)?.["errorName"];
}

export function defineFamilies(service: () => Service): void {
  describe.each(families)("statements of clients that speak X-$name", (family) => {
    const prefix = `x-${family.name}`;
    const client = (headers: Readonly<Record<string, string>> = {}): Asker => clientOf(service(), family.name, headers);

    /** All answers with their headers. */
    const follow = async (asker: Asker, sql: string): Promise<{ readonly documents: Fields[]; readonly headers: Fields[] }> => {
      const documents: Fields[] = [];
      const headers: Fields[] = [];
      let answer = await asker.ask("POST", "/v1/statement", sql);
      for (;;) {
        expect(answer.status).toBe(200);
        const document = parseJson(answer.text) as Fields;
        documents.push(document);
        headers.push(answer.headers as Fields);
        if (typeof document["nextUri"] !== "string") {
          return { documents, headers };
        }
        answer = await asker.ask("GET", document["nextUri"]);
      }
    };

    const expectChain = (chain: readonly Fields[]): void => {
      const last = chain.at(-1) as Fields;
      for (const document of chain.slice(0, -1)) {
        expect(document["nextUri"]).toBeTypeOf("string");
        expect(document["error"]).toBeUndefined();
        expect(stateOf(document)).not.toBe("FINISHED");
        if (["QUEUED", "PLANNING", "STARTING"].includes(textOf(stateOf(document)))) {
          expect(document["data"]).toBeUndefined();
        }
      }
      if (family.beginsQueued) {
        expect(Object.keys(chain[0] as Fields).sort()).toEqual(["id", "infoUri", "nextUri", "stats", "warnings"]);
        expect(chain[0]?.["stats"]).toMatchObject({ state: "QUEUED", queued: true, scheduled: false, totalSplits: 0, nodes: 0 });
      }
      if (stateOf(last) === "FINISHED") {
        expect(last["columns"]).toBeDefined();
        expect(last["data"] === undefined).toBe(family.endsEmpty || rowsOf(chain).length === 0);
      }
    };

    it("answers POST with a query that is alive", async () => {
      const first = await client().object("POST", "/v1/statement", longStatement);
      expect(stateOf(first)).toBe(family.beginsQueued ? "QUEUED" : "RUNNING");
      expect(first["columns"] === undefined).toBe(family.beginsQueued);
      expect(first["partialCancelUri"] === undefined).toBe(family.beginsQueued);
      expect(first["nextUri"]).toBeTypeOf("string");
      expect((await client().ask("DELETE", textOf(first["nextUri"]))).status).toBe(204);
    });

    it.each([
      ["SELECT 1", 1],
      ["SELECT nationkey, name FROM nation", 25],
      ["SELECT nationkey FROM nation WHERE nationkey < 0", 0],
      ["SELECT name FROM nation LIMIT 0", 0],
      ["VALUES 1, 2, NULL", 3],
      ["SHOW SCHEMAS FROM tpch LIKE 'none%'", 0],
      [longStatement, 60_175],
    ])("gives every row of %s once", async (sql, count) => {
      const chain = await client().chain(sql);
      expectChain(chain);
      expect(stateOf(chain.at(-1))).toBe("FINISHED");
      expect(rowsOf(chain).length).toBe(count);
      expect(chain.slice(family.beginsQueued ? 1 : 0).some(({ columns }) => columns !== undefined)).toBe(true);
    });

    it("gives small answers to a client that asks for them", async () => {
      const asker = client();
      let document = await asker.object("POST", "/v1/statement", "SELECT orderkey FROM orders");
      const chain = [document];
      while (typeof document["nextUri"] === "string") {
        document = await asker.object("GET", `${document["nextUri"]}&targetResultSize=1B`);
        chain.push(document);
      }
      expectChain(chain);
      expect(rowsOf(chain).length).toBe(15_000);
      expect(chain.filter(({ data }) => data !== undefined).length).toBeGreaterThan(1);
    });

    it.each([
      ["SELECT nosuch FROM nation", "COLUMN_NOT_FOUND"],
      ["SELEC 1", "SYNTAX_ERROR"],
      ["SELECT * FROM nosuch.s.t", "CATALOG_NOT_FOUND"],
      ["EXECUTE nosuch", "NOT_FOUND"],
      ["SET SESSION nosuch = 1", "INVALID_SESSION_PROPERTY"],
      ["COMMIT", "NOT_IN_TRANSACTION"],
    ])("tells what is wrong with %s where the family's clients look for it", async (sql, errorName) => {
      const chain = await client().chain(sql);
      expectChain(chain);
      expect(errorOf(chain.at(-1))).toBe(errorName);
      expect(stateOf(chain.at(-1))).toBe("FAILED");
      expect(chain.length > 1).toBe(family.beginsQueued);
      expect(rowsOf(chain)).toEqual([]);
    });

    it("tells errors that come while it runs", async () => {
      const chain = await client().chain("SELECT 1 / (nationkey - 3) FROM nation");
      expectChain(chain);
      expect(errorOf(chain.at(-1))).toBe("DIVISION_BY_ZERO");
    });

    it("ends statements without rows of their own with one true row, its update type and the header of the client's family", async () => {
      const { documents, headers } = await follow(client(), "USE tpch.sf1");
      expectChain(documents);
      expect(rowsOf(documents)).toEqual([[true]]);
      const index = documents.findIndex(({ data }) => data !== undefined);
      expect(documents[index]).toMatchObject({ updateType: "USE", columns: [{ name: "result", type: "boolean" }] });
      expect(headers[index]).toMatchObject({ [`${prefix}-set-catalog`]: "tpch", [`${prefix}-set-schema`]: "sf1" });
      expect(headers.at(-1)).toMatchObject({ [`${prefix}-set-catalog`]: "tpch", [`${prefix}-set-schema`]: "sf1" });
      for (const other of families.filter(({ name }) => name !== family.name)) {
        expect(Object.keys(headers.at(-1) as Fields).filter((name) => name.startsWith(`x-${other.name}-`))).toEqual([]);
      }
    });

    it("repeats in the last answer how many rows were written", async () => {
      const table = `memory.default.family_${family.name}`;
      const created = await client().chain(`CREATE TABLE ${table} AS SELECT * FROM region`);
      expectChain(created);
      expect(rowsOf(created)).toEqual([[5]]);
      expect(created.at(-1)).toMatchObject({ updateType: "CREATE TABLE", updateCount: 5 });
      expect((await client().chain(`DELETE FROM ${table} WHERE regionkey > 2`)).at(-1)).toMatchObject({ updateCount: 2 });
      expect((await client().chain(`DROP TABLE ${table}`)).at(-1)?.["updateType"]).toBe("DROP TABLE");
    });

    it("answers the last token again with the same bytes, and an older one with 410", async () => {
      const asker = client();
      const first = await asker.object("POST", "/v1/statement", "SELECT name FROM region");
      let before = textOf(first["nextUri"]);
      let answer = await asker.ask("GET", before);
      for (let next = parseJson(answer.text) as Fields; typeof next["nextUri"] === "string"; next = parseJson(answer.text) as Fields) {
        const earlier = before;
        before = next["nextUri"];
        answer = await asker.ask("GET", before);
        expect((await asker.ask("GET", earlier)).status).toBe(410);
      }
      expect((await asker.ask("GET", before)).text).toBe(answer.text);
      const behind = before.replace(/\/(\d+)\?/, (_, token: string) => `/${Number(token) + 1}?`);
      expect((await asker.ask("GET", behind)).status).toBe(404);
    });

    it("takes PUT twice before anybody polls, and not after", async () => {
      const id = `20260102_000000_00001_${family.name.padEnd(6, "x").slice(0, 5)}`;
      const put = (): ReturnType<Asker["ask"]> => client().ask("PUT", `/v1/statement/${id}?slug=xmine`, "SELECT nosuch");
      const first = await put();
      expect((await put()).text).toBe(first.text);
      const document = parseJson(first.text) as Fields;
      expect(document["id"]).toBe(id);
      expect(stateOf(document)).toBe(family.beginsQueued ? "QUEUED" : "FAILED");
      if (family.beginsQueued) {
        expect(errorOf(await client().object("GET", textOf(document["nextUri"])))).toBe("COLUMN_NOT_FOUND");
        expect((await put()).status).toBe(409);
      }
    });

    it("cancels, and says so in the next answer", async () => {
      const first = await client().object("POST", "/v1/statement", longStatement);
      const uri = textOf(first["nextUri"]);
      expect((await client().ask("DELETE", uri)).status).toBe(204);
      expect((await client().ask("DELETE", uri)).status).toBe(204);
      const last = await client().object("GET", uri);
      expect([stateOf(last), errorOf(last), last["nextUri"]]).toEqual(["FAILED", "USER_CANCELED", undefined]);
    });

    it("keeps prepared statements and session properties in the client's headers", async () => {
      const prepared = await follow(client(), "PREPARE p FROM SELECT name FROM nation WHERE nationkey = ?");
      const added = prepared.headers.at(-1)?.[`${prefix}-added-prepare`];
      const carrying = client({ "prepared-statement": textOf(added) });
      expect(await carrying.rows("EXECUTE p USING 7")).toEqual([["GERMANY"]]);
      const set = await follow(client(), "SET SESSION join_distribution_type = 'BROADCAST'");
      expect(set.headers.at(-1)?.[`${prefix}-set-session`]).toBe("join_distribution_type=BROADCAST");
    });
  });
}
