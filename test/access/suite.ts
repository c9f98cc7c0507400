/** Rights of users, over the simulated network and over real HTTP: what each may read, change, see and end. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Asker, type Fields, type Service, textOf } from "../support/service.ts";
import { cases, setup } from "./rules.ts";

export function defineAccess(world: string, start: () => Promise<Service>): void {
  describe(`rights over ${world}`, () => {
    let service: Service;
    const as = (user: string): Asker => new Asker(service, { "x-trino-user": user });

    beforeAll(async () => {
      service = await start();
      for (const sql of setup) {
        await as("root").rows(sql);
      }
      await as("bob").rows("CREATE VIEW memory.bobs.of_bob AS SELECT name FROM memory.hr.people");
    });

    afterAll(async () => {
      await service.stop();
    });

    it("are those of the rules, statement by statement", async () => {
      const wrong: unknown[] = [];
      for (const { answer, sql, user } of cases) {
        const { error, rows } = await as(user).answer(sql);
        const text = error === undefined ? "error: none" : `${error.errorName === "PERMISSION_DENIED" ? "" : "error: "}${error.message}`;
        const got = typeof answer === "string" ? text.replace(/line \d+:\d+: /, "") : error === undefined ? rows : text;
        if (JSON.stringify(got) !== JSON.stringify(answer)) {
          wrong.push({ user, sql, expected: answer, got });
        }
      }
      expect(wrong).toEqual([]);
    });

    it("of a view are its owner's, who may pass on only what the rules say", async () => {
      expect(await as("bob").rows("SELECT count(*) FROM memory.bobs.of_bob")).toEqual([[4]]);
      expect((await as("root").answer("SELECT name FROM memory.bobs.of_bob")).error?.message).toBe(
        "Access Denied: View owner does not have sufficient privileges: " +
          "View owner 'bob' cannot create view that selects from memory.hr.people",
      );
    });

    it("change nothing in the answer of a user who has them all", async () => {
      const sql = "SELECT region, count(*), min(name) FROM memory.hr.people GROUP BY region ORDER BY 1";
      expect(await as("root").rows(sql)).toEqual(await as("bob").rows(sql));
    });

    it("on queries: a query belongs to its user, and to those whom the rules allow", async () => {
      const id = textOf((await as("ann").chain("SELECT 'of ann'"))[0]?.["id"]);
      for (const [user, status] of [
        ["ann", 200],
        ["bob", 200],
        ["auditor", 200],
        ["root", 200],
        ["eve", 403],
        ["__proto__", 403],
      ] as const) {
        expect(`${user} ${(await as(user).ask("GET", `/v1/query/${id}`)).status}`).toBe(`${user} ${status}`);
        const listed = ((await as(user).json("GET", "/v1/query")) as Fields[]).map((query) => textOf(query["queryId"]));
        expect(`${user} ${listed.includes(id)}`).toBe(`${user} ${status === 200}`);
        const trimmed = ((await as(user).json("GET", "/ui/api/query")) as Fields[]).map((query) => textOf(query["queryId"]));
        expect(`${user} ${trimmed.includes(id)}`).toBe(`${user} ${status === 200}`);
      }
      for (const [user, count] of [
        ["ann", 1],
        ["bob", 1],
        ["auditor", 1],
      ] as const) {
        const sql = `SELECT count(*) FROM system.runtime.queries WHERE query_id = '${id}'`;
        expect(await as(user).rows(sql)).toEqual([[count]]);
      }
      const ofRoot = textOf((await as("root").chain("SELECT 'of root'"))[0]?.["id"]);
      const sql = `SELECT count(*) FROM system.runtime.queries WHERE query_id = '${ofRoot}'`;
      expect([await as("ann").rows(sql), await as("auditor").rows(sql)]).toEqual([[[0]], [[1]]]);
    });

    it("on queries: only those who may end one do", async () => {
      const endless = "SELECT count(*) FROM tpch.tiny.lineitem a JOIN tpch.tiny.lineitem b ON a.extendedprice + b.extendedprice = -1";
      const first = await as("ann").object("POST", "/v1/statement", endless);
      const id = textOf(first["id"]);
      const attempts: readonly (readonly ["DELETE" | "PUT", string])[] = [
        ["DELETE", `/v1/query/${id}`],
        ["PUT", `/v1/query/${id}/killed`],
        ["PUT", `/v1/query/${id}/preempted`],
        ["DELETE", `/v1/stage/${id}.0`],
        ["DELETE", `/v1/query/stage/${id}.1`],
      ];
      for (const user of ["bob", "eve", "root2", "anonymous"]) {
        for (const [method, path] of attempts) {
          const { status, text } = await as(user).ask(method, path);
          expect(`${user} ${method} ${status} ${text}`).toBe(`${user} ${method} 403 Access Denied: Cannot kill query`);
        }
      }
      const sql = `CALL system.runtime.kill_query(query_id => '${id}', message => 'no')`;
      expect((await as("bob").answer(sql)).error?.message).toMatch(/Cannot execute procedure/);
      expect(["QUEUED", "PLANNING", "STARTING", "RUNNING"]).toContain((await as("ann").object("GET", `/v1/query/${id}`))["state"]);
      expect((await as("auditor").ask("DELETE", `/v1/query/${id}`)).status).toBe(204);
      expect((await as("ann").object("GET", `/v1/query/${id}`))["state"]).toBe("FAILED");
    });

    it("on transactions: one is its user's alone", async () => {
      const headers = { "x-trino-transaction-id": "NONE" };
      const responses = await as("ann").ask("POST", "/v1/statement", "START TRANSACTION", headers);
      let answer = responses;
      for (
        let next = /"nextUri":"([^"]+)"/.exec(answer.text)?.[1];
        next !== undefined;
        next = /"nextUri":"([^"]+)"/.exec(answer.text)?.[1]
      ) {
        answer = await as("ann").ask("GET", next);
      }
      const id = String(answer.headers["x-trino-started-transaction-id"]);
      expect(await as("ann").rows("SELECT count(*) FROM system.runtime.transactions")).toEqual([[1]]);
      expect(await as("auditor").rows("SELECT count(*) FROM system.runtime.transactions")).toEqual([[0]]);
      expect((await as("bob").answer("SELECT 1", { "x-trino-transaction-id": id })).error?.errorName).toBe("UNKNOWN_TRANSACTION");
      expect(await as("ann").rows("SELECT 1", { "x-trino-transaction-id": id })).toEqual([[1]]);
    });

    it("of session properties are checked in headers too", async () => {
      const { error } = await as("ann").answer("SELECT 1", { "x-trino-session": "query_max_run_time=1h" });
      expect(error?.message).toBe("Access Denied: Cannot set system session property query_max_run_time");
    });

    it("are another user's only where the rules allow it", async () => {
      const statuses: number[] = [];
      for (const [from, to] of [
        ["root", "ann"],
        ["root", "eve"],
        ["ann", "bob"],
        ["bob", "root"],
      ] as const) {
        const headers = { "x-trino-original-user": from };
        statuses.push((await as(to).ask("POST", "/v1/statement", "SELECT 1", headers)).status);
      }
      expect(statuses).toEqual([200, 403, 403, 403]);
      expect(
        (await as("ann").answer("SET SESSION AUTHORIZATION root", { "x-trino-client-capabilities": "SESSION_AUTHORIZATION" })).error
          ?.message,
      ).toBe("Access Denied: User ann cannot impersonate user root");
    });
  });
}
