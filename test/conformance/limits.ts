/**
 * Resource limits of a query (protocol 7): each of Presto's limits as a session property, enforced in both worlds with Presto's error.
 */
import { describe, expect, it } from "vitest";
import { type JsonValue, parseJson } from "../../src/protocol/json.ts";
import { parseDataSize, parseDuration } from "../../src/protocol/units.ts";
import { Asker, type Fields, type Service, textOf } from "../support/service.ts";

/** 3.6 billion comparisons without a match: minutes of simulated time, seconds of real time. */
const endless = "SELECT count(*) FROM lineitem a JOIN lineitem b ON a.extendedprice + b.extendedprice = -1";
const attemptsMax = 2_000;

interface Failure {
  readonly errorName: string;
  readonly errorCode: number;
  readonly errorType: string;
  readonly message: string;
}

export function defineLimits(service: () => Service): void {
  describe("limits of a query (protocol 7)", () => {
    const engine = (): Asker => new Asker(service(), { "x-engine-user": "ann", "x-engine-catalog": "tpch", "x-engine-schema": "tiny" });

    async function failure(sql: string, session: string): Promise<{ readonly error: Failure | undefined; readonly info: Fields }> {
      const responses = await engine().chain(sql, { "x-engine-session": session });
      const last = responses.at(-1) as Fields;
      return {
        error: last["error"] as unknown as Failure | undefined,
        info: await engine().object("GET", `/v1/query/${textOf(last["id"])}`),
      };
    }

    /** No worker has a task of the query left (design, section 8). */
    async function expectNoTasks(queryId: string): Promise<void> {
      for (const uri of service().workerUris) {
        let left: readonly Fields[] = [];
        for (let attempt = 0; attempt < attemptsMax; attempt++) {
          const tasks = parseJson((await engine().ask("GET", `${uri}/v1/task`)).text) as Fields[];
          left = tasks.filter((task) => textOf(task["taskId"]).startsWith(queryId));
          if (left.length === 0) {
            break;
          }
          await service().wait(10);
        }
        expect(left, uri).toEqual([]);
      }
    }

    const insufficient = { errorType: "INSUFFICIENT_RESOURCES" };

    it("query_max_execution_time and query_max_run_time end what runs on", async () => {
      const execution = await failure(endless, "query_max_execution_time=300ms");
      expect(execution.error).toMatchObject({
        ...insufficient,
        errorName: "EXCEEDED_TIME_LIMIT",
        errorCode: 131_075,
        message: "Query exceeded the maximum execution time limit of 300.00ms",
      });
      await expectNoTasks(textOf(execution.info["queryId"]));
      const run = await failure(endless, "query_max_run_time=300ms,query_max_execution_time=1d");
      expect(run.error).toMatchObject({ errorName: "EXCEEDED_TIME_LIMIT", message: "Query exceeded maximum time limit of 300.00ms" });
      await expectNoTasks(textOf(run.info["queryId"]));
    });

    it("query_max_cpu_time ends what computes on, and what has ended by then fails all the same", async () => {
      for (const [sql, limit] of [
        [endless, "200ms"],
        ["SELECT sum(extendedprice) FROM lineitem", "1ms"],
      ] as const) {
        const { error, info } = await failure(sql, `query_max_cpu_time=${limit}`);
        expect(error).toMatchObject({
          ...insufficient,
          errorName: "EXCEEDED_CPU_LIMIT",
          errorCode: 131_077,
          message: `Exceeded CPU limit of ${limit.replace("ms", ".00ms")}`,
        });
        const used = parseDuration(textOf((info["queryStats"] as Fields)["totalCpuTime"])) ?? 0;
        expect(used).toBeGreaterThan((parseDuration(limit) ?? 0) * 0.99);
        await expectNoTasks(textOf(info["queryId"]));
      }
      expect((await failure("SELECT sum(extendedprice) FROM lineitem", "query_max_cpu_time=1h")).error).toBeUndefined();
    });

    it("query_max_scan_physical_bytes ends what reads on, to the byte", async () => {
      const sql = "SELECT sum(extendedprice) FROM lineitem";
      const whole = await failure(sql, "query_max_scan_physical_bytes=1TB");
      expect(whole.error).toBeUndefined();
      const read = parseDataSize(textOf((whole.info["queryStats"] as Fields)["rawInputDataSize"])) ?? 0;
      // Sizes are rounded to two decimals.
      const [less, more] = [Math.floor(read * 0.99), Math.ceil(read * 1.01)];
      expect((await failure(sql, `query_max_scan_physical_bytes=${more}B`)).error).toBeUndefined();
      const { error, info } = await failure(sql, `query_max_scan_physical_bytes=${less}B`);
      expect(error).toMatchObject({ ...insufficient, errorName: "EXCEEDED_SCAN_LIMIT", errorCode: 131_081 });
      expect(error?.message).toMatch(/^Exceeded scan limit of [\d.]+\w+$/);
      await expectNoTasks(textOf(info["queryId"]));
    });

    it("query_max_memory and query_max_total_memory end what holds more on all workers together", async () => {
      for (const [name, kind, limit] of [
        ["query_max_memory", "user", "20kB"],
        ["query_max_total_memory", "total", "0.02MB"],
      ] as const) {
        const { error, info } = await failure(endless, `${name}=${limit}`);
        expect(error).toMatchObject({
          ...insufficient,
          errorName: "EXCEEDED_GLOBAL_MEMORY_LIMIT",
          errorCode: 131_073,
          message: `Query exceeded distributed ${kind} memory limit of ${limit}`,
        });
        expect(parseDataSize(textOf((info["queryStats"] as Fields)["peakMemoryReservation"]))).toBeGreaterThan(20_000);
        await expectNoTasks(textOf(info["queryId"]));
      }
      expect((await failure("SELECT sum(extendedprice) FROM lineitem", "query_max_memory=1GB")).error).toBeUndefined();
    });

    it("query_max_stage_count refuses a plan before it runs", async () => {
      const sql = "SELECT n.name, count(*) FROM nation n JOIN customer c ON n.nationkey = c.nationkey GROUP BY n.name";
      const { error } = await failure(sql, "query_max_stage_count=2");
      expect(error).toMatchObject({ errorName: "QUERY_HAS_TOO_MANY_STAGES", errorCode: 40 });
      expect(error?.message).toMatch(
        /^Number of stages in the query \(\d+\) exceeds the allowed maximum \(2\)\. If the query contains multiple CTEs /,
      );
      expect((await failure(sql, "query_max_stage_count=400")).error).toBeUndefined();
      // More stages than the warning threshold of 50, fewer than the maximum.
      const many = Array.from({ length: 40 }, (_, index) => `SELECT count(*) AS x FROM orders GROUP BY custkey % ${index + 2}`).join(
        " UNION ALL ",
      );
      const responses = await engine().chain(`SELECT sum(x) FROM (${many}) t`, { "x-engine-session": "query_max_stage_count=1000" });
      const last = responses.at(-1) as Fields;
      expect(last["error"]).toBeUndefined();
      const [warning] = last["warnings"] as Fields[];
      expect(warning).toMatchObject({ warningCode: { code: 1, name: "TOO_MANY_STAGES" } });
      expect(textOf(warning?.["message"])).toMatch(/^Number of stages in the query \(\d+\) exceeds the soft limit \(50\)\. /);
    });

    it("DELETE ends a loop of 60,000 x 60,000 rows", async () => {
      const first = await engine().object("POST", "/v1/statement", endless);
      const second = await engine().object("GET", textOf(first["nextUri"]));
      expect((second["stats"] as Fields)["state"]).toBe("RUNNING");
      expect((await engine().ask("DELETE", textOf(second["nextUri"]))).status).toBe(204);
      await expectNoTasks(textOf(first["id"]));
    });

    it("are listed by SHOW SESSION and rejected if invalid", async () => {
      const rows = await engine().rows("SHOW SESSION LIKE 'query_max%'", { "x-engine-session": "query_max_cpu_time=5m" });
      expect(rows.map((row: readonly JsonValue[]) => row.slice(0, 4))).toEqual([
        ["query_max_cpu_time", "5m", "1000000000.00d", "varchar"],
        ["query_max_execution_time", "100.00d", "100.00d", "varchar"],
        ["query_max_memory", "20GB", "20GB", "varchar"],
        ["query_max_run_time", "100.00d", "100.00d", "varchar"],
        ["query_max_scan_physical_bytes", "", "", "varchar"],
        ["query_max_stage_count", "100", "100", "integer"],
        ["query_max_total_memory", "40GB", "40GB", "varchar"],
      ]);
      for (const session of [
        "query_max_cpu_time=long",
        "query_max_scan_physical_bytes=1",
        "query_max_stage_count=0",
        "query_priority=0",
        "query_max_run_time=-1s",
      ]) {
        const responses = await engine().ask("POST", "/v1/statement", "SELECT 1", { "x-engine-session": session });
        const refused = responses.status === 400 || (parseJson(responses.text) as Fields)["error"] !== undefined;
        expect(refused, session).toBe(true);
      }
    });
  });
}
