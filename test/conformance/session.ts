/**
 * Session headers of clients and their changes by statements, as in Presto and Trino.
 */
import { describe, expect, it } from "vitest";
import { type JsonValue, parseJson } from "../../src/protocol/json.ts";
import { type Asker, clientOf, type Fields, type Service } from "../support/service.ts";

export function defineSession(service: () => Service): void {
  describe("the session in headers (Presto's and Trino's)", () => {
    const client = (headers: Readonly<Record<string, string>> = {}, family = "trino"): Asker => clientOf(service(), family, headers);

    interface Ended {
      readonly headers: Fields;
      readonly document: Fields;
      readonly error: string | undefined;
    }

    const run = async (asker: Asker, sql: string): Promise<Ended> => {
      let answer = await asker.ask("POST", "/v1/statement", sql);
      for (;;) {
        expect(answer.status, answer.text).toBe(200);
        const document = parseJson(answer.text) as Fields;
        if (typeof document["nextUri"] !== "string") {
          const error = document["error"] as { readonly errorName: string; readonly message: string } | undefined;
          return { headers: answer.headers as Fields, document, error: error && `${error.errorName}: ${error.message}` };
        }
        answer = await asker.ask("GET", document["nextUri"]);
      }
    };

    it.each([
      ["nosuch=1", "INVALID_SESSION_PROPERTY: Session property 'nosuch' does not exist"],
      [
        "join_distribution_type=SOMETIMES",
        "INVALID_SESSION_PROPERTY: Invalid value [SOMETIMES]. Valid values: [BROADCAST, PARTITIONED, AUTOMATIC]",
      ],
      ["hash_partition_count=many", "INVALID_SESSION_PROPERTY: hash_partition_count must be an integer greater than or equal to 1: many"],
      ["hash_partition_count=0", "INVALID_SESSION_PROPERTY: hash_partition_count must be an integer greater than or equal to 1: 0"],
      ["enable_dynamic_filtering=maybe", "INVALID_SESSION_PROPERTY: Invalid value [maybe]. Valid values: [true, false]"],
      [
        "query_max_run_time=soon",
        "INVALID_SESSION_PROPERTY: query_max_run_time is invalid: duration is not a valid data duration string: soon",
      ],
      ["max_recursion_depth=1000", "INVALID_SESSION_PROPERTY: max_recursion_depth must be less than or equal to 100: 1000"],
      ["time_zone_id=Nowhere/Land", "INVALID_SESSION_PROPERTY: Time zone not supported: Nowhere/Land"],
      ["tpch.nosuch=1", "INVALID_SESSION_PROPERTY: Session property 'tpch.nosuch' does not exist"],
      ["nosuch.property=1", "NOT_FOUND: Session property catalog does not exist: nosuch"],
      ["__proto__=1", "INVALID_SESSION_PROPERTY: Session property '__proto__' does not exist"],
      ["join_distribution_type=broadcast", undefined],
      ["query_max_run_time=5m,hash_partition_count=2", undefined],
    ])("are held to what SET SESSION takes: %s", async (session, error) => {
      for (const family of ["engine", "presto", "trino"]) {
        // Independent of the statement.
        for (const sql of ["SELECT 1", "SHOW SCHEMAS FROM tpch"]) {
          expect((await run(client({ session }, family), sql)).error).toBe(error);
        }
      }
    });

    it.each(["nonsense", "a.b.c=1", "=1", "a=%zz"])("that are none are refused before there is a query: %s", async (session) => {
      const answer = await client({ session }).ask("POST", "/v1/statement", "SELECT 1");
      expect([answer.status, answer.text.startsWith("Invalid X-Trino-Session header")]).toEqual([400, true]);
    });

    it("rejects prepared statements that do not parse", async () => {
      for (const [family, name] of [
        ["engine", "X-Engine-"],
        ["presto", "X-Presto-"],
        ["trino", "X-Trino-"],
      ] as const) {
        const bad = client({ "prepared-statement": "good=SELECT+1,bad=SELECT+FROM+1" }, family);
        expect(await bad.ask("POST", "/v1/statement", "SELECT 1")).toMatchObject({
          status: 400,
          text: expect.stringMatching(new RegExp(`^Invalid ${name}Prepared-Statement header: line 1:\\d+: mismatched input`)) as string,
        });
        const good = client({ "prepared-statement": "good=SELECT+%3F+%2B+1" }, family);
        expect(await good.rows("EXECUTE good USING 41")).toEqual([[42]]);
      }
    });

    it("make another user of a client that can be one, until it is itself again", async () => {
      const able = { "client-capabilities": "SESSION_AUTHORIZATION" };
      for (const user of ["alice", "'alice'", '"alice"']) {
        const set = await run(client(able), `SET SESSION AUTHORIZATION ${user}`);
        expect(set.document).toMatchObject({ updateType: "SET SESSION AUTHORIZATION" });
        expect(set.headers["x-trino-set-authorization-user"]).toBe("alice");
      }
      // Trino's clients continue with these headers.
      const asAlice = client({ ...able, user: "alice", "original-user": "bob" });
      expect((await asAlice.chain("SELECT current_user")).flatMap(({ data }) => (data ?? []) as JsonValue[])).toEqual([["alice"]]);
      const id = String((await asAlice.chain("SELECT 1"))[0]?.["id"] as string);
      expect((await asAlice.object("GET", `/v1/query/${id}`))["session"]).toMatchObject({ user: "alice", originalUser: "bob" });
      const reset = await run(asAlice, "RESET SESSION AUTHORIZATION");
      expect(reset.document).toMatchObject({ updateType: "RESET SESSION AUTHORIZATION" });
      expect(reset.headers["x-trino-reset-authorization-user"]).toBe("true");
      expect((await run(client(), "SET SESSION AUTHORIZATION alice")).error).toBe(
        "NOT_SUPPORTED: SET SESSION AUTHORIZATION not supported by client",
      );
      const started = await run(client({ ...able, "transaction-id": "NONE" }), "START TRANSACTION");
      const inside = client({ ...able, "transaction-id": String(started.headers["x-trino-started-transaction-id"] as string) });
      expect((await run(inside, "SET SESSION AUTHORIZATION alice")).error).toBe(
        "GENERIC_USER_ERROR: Can't set authorization user in the middle of a transaction",
      );
    });

    it.each(["é", "à", "Ж é, =", "名前 😀"])(
      "name users and schemas of any script, which clients send back as they came: %s",
      async (name) => {
        for (const family of ["engine", "presto", "trino"]) {
          const able = client({ "client-capabilities": "SESSION_AUTHORIZATION" }, family);
          const set = await run(able, `SET SESSION AUTHORIZATION '${name}'`);
          expect(set.error).toBeUndefined();
          const user = String(set.headers[`x-${family}-set-authorization-user`] as string);
          expect(await client({ user }, family).rows("SELECT current_user")).toEqual([[name]]);
          expect((await run(able, `CREATE SCHEMA IF NOT EXISTS memory."${name}"`)).error).toBeUndefined();
          const used = await run(able, `USE memory."${name}"`);
          expect(used.error).toBeUndefined();
          const schema = String(used.headers[`x-${family}-set-schema`] as string);
          const [[told]] = (await client({ catalog: "memory", schema }, family).rows("SELECT current_schema")) as [[string]];
          expect(told).toBe(name.toLowerCase());
        }
      },
    );

    it("are not told names with control characters, which a header cannot hold", async () => {
      const able = client({ "client-capabilities": "SESSION_AUTHORIZATION,PATH" });
      expect((await run(able, "SET SESSION AUTHORIZATION U&'a\\000d\\000aX-Other: 1'")).error).toBe(
        "NOT_SUPPORTED: User name has control characters, which a header cannot hold",
      );
      expect((await run(able, 'CREATE SCHEMA IF NOT EXISTS memory."a\nb"')).error).toBeUndefined();
      expect((await run(able, 'USE memory."a\nb"')).error).toBe(
        "NOT_SUPPORTED: Schema name has control characters, which a header cannot hold",
      );
      expect((await run(able, 'SELECT * FROM memory."a\nb".nosuch')).error).toMatch(/^TABLE_NOT_FOUND/);
    });

    it.each([
      ["SET ROLE ALL", "system=ALL"],
      ["SET ROLE NONE", "system=NONE"],
      ["SET ROLE ALL IN tpch", "tpch=ALL"],
      ["SET ROLE NONE IN system", "system=NONE"],
    ])("take roles, those of the system where no catalog is named: %s", async (sql, header) => {
      for (const family of ["engine", "presto", "trino"]) {
        expect((await run(client({}, family), sql)).headers[`x-${family}-set-role`]).toBe(header);
      }
      expect((await run(client({ role: header }), "SELECT 1")).error).toBeUndefined();
    });

    it("know no role, and say so with empty tables", async () => {
      expect((await run(client(), "SET ROLE admin")).error).toBe("ROLE_NOT_FOUND: line 1:1: Role 'admin' does not exist");
      expect((await run(client(), "SHOW ROLES IN nosuch")).error).toMatch(/^CATALOG_NOT_FOUND: .*Catalog 'nosuch' does not exist/);
      // Also without a catalog in the session.
      const bare = clientOf(service(), "trino", { catalog: "", schema: "" });
      for (const [sql, column] of [
        ["SHOW ROLES", "Role"],
        ["SHOW ROLES IN memory", "Role"],
        ["SHOW CURRENT ROLES", "Role"],
        ["SHOW ROLE GRANTS", "Role Grants"],
      ] as const) {
        const chain = await bare.chain(sql);
        expect(chain.at(-1)).toMatchObject({ stats: { state: "FINISHED" }, columns: [{ name: column }] });
        expect(chain.some(({ data }) => data !== undefined)).toBe(false);
      }
      for (const table of ["roles", "applicable_roles", "enabled_roles", "role_authorization_descriptors"]) {
        for (const catalog of ["tpch", "memory", "system"]) {
          expect(await bare.rows(`SELECT * FROM ${catalog}.information_schema.${table}`)).toEqual([]);
        }
      }
    });

    it("leave a transaction by ROLLBACK, also after a COMMIT that failed", async () => {
      const started = await run(client({ "transaction-id": "NONE" }), "START TRANSACTION");
      const inside = client({ "transaction-id": String(started.headers["x-trino-started-transaction-id"] as string) });
      expect((await run(inside, "SELECT nosuch")).error).toMatch(/^COLUMN_NOT_FOUND/);
      expect((await run(inside, "COMMIT")).error).toMatch(/^TRANSACTION_ALREADY_ABORTED/);
      for (let turn = 0; turn < 2; turn++) {
        const { document, headers } = await run(inside, "ROLLBACK");
        expect(document).toMatchObject({ updateType: "ROLLBACK", stats: { state: "FINISHED" } });
        expect(headers["x-trino-clear-transaction-id"]).toBe("true");
      }
      expect((await run(inside, "COMMIT")).error).toMatch(/^UNKNOWN_TRANSACTION/);
      expect((await run(inside, "SELECT 1")).error).toMatch(/^UNKNOWN_TRANSACTION/);
    });

    it("decide how types are called in tables of metadata: to Presto's clients as in columns of results", async () => {
      const table = "memory.default.times";
      const types = "d decimal(10,2), t timestamp(3), z timestamp(3) with time zone, h time(3), m map(varchar,timestamp(3))";
      await client().rows(`CREATE TABLE ${table} (${types})`);
      const typesOf = async (asker: Asker, sql: string): Promise<unknown[]> => (await asker.rows(sql)).map((row) => row[0]);
      const ofResult = async (asker: Asker): Promise<unknown[]> => {
        const { columns = [] } = (await asker.chain(`SELECT * FROM ${table}`)).at(-1) as Fields;
        return (columns as Fields[]).map(({ type }) => type);
      };
      const presto = client({}, "presto");
      const spelled = ["decimal(10,2)", "timestamp", "timestamp with time zone", "time", "map(varchar,timestamp)"];
      expect(await ofResult(presto)).toEqual(spelled);
      const precise = ["decimal(10,2)", "timestamp(3)", "timestamp(3) with time zone", "time(3)", "map(varchar, timestamp(3))"];
      for (const [asker, expected] of [
        [presto, spelled],
        [client(), precise],
        [client({}, "engine"), precise],
        [client({ "client-capabilities": "PARAMETRIC_DATETIME" }), precise],
      ] as const) {
        expect((await asker.rows(`SHOW COLUMNS FROM ${table}`)).map((row) => row[1])).toEqual(expected);
        expect((await asker.rows(`DESCRIBE ${table}`)).map((row) => row[1])).toEqual(expected);
        const where = "table_schema = 'default' AND table_name = 'times' ORDER BY ordinal_position";
        expect(await typesOf(asker, `SELECT data_type FROM memory.information_schema.columns WHERE ${where}`)).toEqual(expected);
        const jdbc = "table_cat = 'memory' AND table_schem = 'default' AND table_name = 'times' ORDER BY ordinal_position";
        expect(await typesOf(asker, `SELECT type_name FROM system.jdbc.columns WHERE ${jdbc}`)).toEqual(expected);
      }
      expect(await typesOf(presto, "SELECT column_name FROM memory.information_schema.columns WHERE data_type = 'timestamp'")).toEqual([
        "t",
      ]);
      const prepared = client(
        { "prepared-statement": `q=${encodeURIComponent(`SELECT t, CAST(? AS timestamp) FROM ${table} WHERE t < ?`)}` },
        "presto",
      );
      expect((await prepared.rows("DESCRIBE OUTPUT q")).map((row) => row[4])).toEqual(["timestamp", "timestamp"]);
      await client().rows(`DROP TABLE ${table}`);
    });
  });
}
