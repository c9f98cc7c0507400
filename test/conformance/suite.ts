/**
 * The conformance suite of the interface for clients and nodes, run over the simulated network and over real HTTP. Each test names the
 * section of the interface, or the behavior of Presto, that it checks.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Headers } from "../../src/ports/network.ts";
import { type JsonValue, parseJson } from "../../src/protocol/json.ts";
import { Asker, type Fields, type Service, textOf } from "../support/service.ts";
import { defineConditions } from "./conditions.ts";
import { defineFamilies } from "./families.ts";
import { defineGateways } from "./gateways.ts";
import { defineSession } from "./session.ts";
import { defineSpooling } from "./spooling.ts";
import { defineLimits } from "./limits.ts";

/** Upper bound of attempts for conditions that are certain to occur; enough for the slowest machine. */
const attemptsMax = 5_000;

/** More than one response of a megabyte. */
const longStatement = "SELECT orderkey, linenumber, comment FROM tpch.tiny.lineitem ORDER BY orderkey, linenumber";

function stageStates(stage: Fields): string[] {
  return [textOf(stage["state"]), ...((stage["subStages"] ?? []) as Fields[]).flatMap(stageStates)];
}

export function defineConformance(world: string, start: () => Promise<Service>): void {
  describe(`the interface over ${world}`, () => {
    let service: Service;
    let engine: Asker;

    beforeAll(async () => {
      service = await start();
      engine = new Asker(service, {
        "x-engine-user": "ann",
        "x-engine-source": "conformance",
        "x-engine-catalog": "tpch",
        "x-engine-schema": "tiny",
      });
    });

    afterAll(async () => {
      await service.stop();
    });

    describe("statement (4.1)", () => {
      it("answers POST with a running query, its columns and nothing done yet (3)", async () => {
        const first = await engine.object("POST", "/v1/statement", "SELECT nationkey, name FROM nation");
        const stats = first["stats"] as Fields;
        const root = stats["rootStage"] as Fields;
        expect(first["id"]).toMatch(/^\d{8}_\d{6}_\d{5}_[a-z0-9]{5}$/);
        expect(first["columns"]).toMatchObject([
          { name: "nationkey", type: "bigint" },
          { name: "name", type: "varchar(25)" },
        ]);
        expect(stats["state"]).toBe("RUNNING");
        expect(root).toMatchObject({ stageId: "0", state: "SCHEDULED", done: false, totalSplits: 0, processedRows: 0 });
        expect((root["subStages"] as Fields[]).length).toBeGreaterThan(0);
        expect(stats).toMatchObject({
          nodes: 0,
          totalSplits: 0,
          queuedSplits: 0,
          completedSplits: 0,
          cpuTimeMillis: 0,
          processedRows: 0,
          processedBytes: 0,
        });
        expect(textOf(first["infoUri"])).toContain(`/v1/query/${textOf(first["id"])}`);
        expect(textOf(first["partialCancelUri"])).toContain("/v1/stage/");
        expect(textOf(first["nextUri"])).toContain(`/v1/statement/${textOf(first["id"])}/`);
        expect(first["data"]).toBeUndefined();
        await engine.ask("DELETE", textOf(first["nextUri"]));
      });

      it("ends with FINISHED, data and no nextUri (3)", async () => {
        const responses = await engine.chain("SELECT nationkey, name FROM nation ORDER BY nationkey");
        const last = responses.at(-1) as Fields;
        expect((last["stats"] as Fields)["state"]).toBe("FINISHED");
        expect(last["nextUri"]).toBeUndefined();
        expect(last["data"]).toBeDefined();
        const rows = responses.flatMap((response) => (response["data"] ?? []) as JsonValue[][]);
        expect(rows.length).toBe(25);
        expect(rows[24]).toEqual([24, "UNITED STATES"]);
      });

      it("repeats columns with every response that follows", async () => {
        for (const response of await engine.chain("SELECT 1 AS one")) {
          expect(response["columns"]).toMatchObject([
            { name: "one", type: "integer", typeSignature: { rawType: "integer", arguments: [] } },
          ]);
        }
      });

      it("answers the current token again with the same bytes, an older one with 410, a future one with 404", async () => {
        const first = await engine.object("POST", "/v1/statement", longStatement);
        const uri = textOf(first["nextUri"]);
        const once = await engine.ask("GET", uri);
        const twice = await engine.ask("GET", uri);
        expect(twice.text).toBe(once.text);
        const next = textOf((JSON.parse(once.text) as Fields)["nextUri"]);
        const afterNext = next.replace(/\/(\d+)(\?|$)/, (_, token: string, rest: string) => `/${Number(token) + 5}${rest}`);
        expect((await engine.ask("GET", afterNext)).status).toBe(404);
        expect((await engine.ask("GET", next)).status).toBe(200);
        expect((await engine.ask("GET", uri)).status).toBe(410);
        await engine.ask("DELETE", next);
      });

      it("gives every row of a long result exactly once, in order", async () => {
        const rows = await engine.rows(longStatement);
        expect(rows.length).toBe(60175);
        const keys = rows.map((row) => Number(row[0]) * 10 + Number(row[1]));
        expect(keys.every((key, index) => index === 0 || key > (keys[index - 1] as number))).toBe(true);
      });

      it("asks for the slug: a wrong or missing one is 404", async () => {
        const first = await engine.object("POST", "/v1/statement", longStatement);
        const uri = textOf(first["nextUri"]);
        const [path, query] = uri.split("?");
        expect(query).toMatch(/slug=/);
        expect((await engine.ask("GET", path as string)).status).toBe(404);
        expect((await engine.ask("GET", `${path}?slug=xwrong`)).status).toBe(404);
        expect((await engine.ask("DELETE", uri)).status).toBe(204);
      });

      it("takes PUT with an id and slug of the caller, once and again the same; another slug or a polled query is 409", async () => {
        const id = "20260101_000000_00001_abcde";
        const put = (slug: string): ReturnType<Asker["ask"]> => engine.ask("PUT", `/v1/statement/${id}?slug=${slug}`, "SELECT 1");
        const first = await put("xslug1");
        expect(first.status).toBe(200);
        const document = JSON.parse(first.text) as Fields;
        expect(document["id"]).toBe(id);
        expect(textOf(document["nextUri"])).toContain("slug=xslug1");
        const again = await put("xslug1");
        expect(again.status).toBe(200);
        expect((JSON.parse(again.text) as Fields)["nextUri"]).toBe(document["nextUri"]);
        expect((await put("xslug2")).status).toBe(409);
        expect((await engine.ask("GET", textOf(document["nextUri"]))).status).toBe(200);
        expect((await put("xslug1")).status).toBe(409);
      });

      it("cancels with DELETE: 204 in every state, again and after the end", async () => {
        const first = await engine.object("POST", "/v1/statement", longStatement);
        const uri = textOf(first["nextUri"]);
        const gone = await engine.ask("DELETE", uri);
        expect(gone.status).toBe(204);
        expect(gone.text).toBe("");
        expect((await engine.ask("DELETE", uri)).status).toBe(204);
        const last = await engine.object("GET", uri);
        expect((last["stats"] as Fields)["state"]).toBe("FAILED");
        expect(last["error"]).toMatchObject({
          errorName: "USER_CANCELED",
          errorCode: 3,
          errorType: "USER_ERROR",
          message: "Query was canceled",
        });
        const done = await engine.chain("SELECT 1");
        expect((await engine.ask("DELETE", textOf(done.at(-2)?.["nextUri"]))).status).toBe(204);
      });

      it("tells errors of a statement with status 200, code, name, type, message and location", async () => {
        const first = await engine.object("POST", "/v1/statement", "SELECT nosuch FROM nation");
        const responses = first["nextUri"] === undefined ? [first] : [first, await engine.object("GET", textOf(first["nextUri"]))];
        const last = responses.at(-1) as Fields;
        expect((last["stats"] as Fields)["state"]).toBe("FAILED");
        expect(last["error"]).toMatchObject({
          message: "line 1:8: Column 'nosuch' cannot be resolved",
          errorCode: 47,
          errorName: "COLUMN_NOT_FOUND",
          errorType: "USER_ERROR",
          errorLocation: { lineNumber: 1, columnNumber: 8 },
          failureInfo: { message: "line 1:8: Column 'nosuch' cannot be resolved", suppressed: [] },
        });
        expect(last["nextUri"]).toBeUndefined();
      });

      it("tells errors that come while it runs", async () => {
        const last = (await engine.chain("SELECT 1 / (nationkey - 3) FROM nation")).at(-1) as Fields;
        expect(last["error"]).toMatchObject({ errorName: "DIVISION_BY_ZERO", errorCode: 8, message: "Division by zero" });
      });

      it("refuses empty SQL and bad headers with 400 in plain text", async () => {
        const empty = await engine.ask("POST", "/v1/statement", "   ");
        expect(empty).toMatchObject({ status: 400, text: "SQL statement is empty" });
        expect(empty.headers["content-type"]).toBe("text/plain");
        const lonely = await new Asker(service, { "x-engine-user": "ann", "x-engine-schema": "tiny" }).ask(
          "POST",
          "/v1/statement",
          "SELECT 1",
        );
        expect(lonely).toMatchObject({ status: 400, text: "Schema is set but catalog is not" });
        expect((await engine.ask("POST", "/v1/statement", "SELECT 1", { "x-engine-session": "nonsense" })).status).toBe(400);
      });

      it("knows no statement that it was not given", async () => {
        expect((await engine.ask("GET", "/v1/statement/20200101_000000_00000_zzzzz/0?slug=x")).status).toBe(404);
        expect((await engine.ask("DELETE", "/v1/statement/20200101_000000_00000_zzzzz/0?slug=x")).status).toBe(404);
      });

      it("keeps 64 bits on the wire", async () => {
        expect(await engine.rows("SELECT 9223372036854775807, -9223372036854775807 - 1, DECIMAL '12345678901234567890.123'")).toEqual([
          [9223372036854775807n, -9223372036854775808n, "12345678901234567890.123"],
        ]);
      });

      it("speaks exactly application/json", async () => {
        const answer = await engine.ask("POST", "/v1/statement", "SELECT 1");
        expect(answer.headers["content-type"]).toBe("application/json");
      });
    });

    defineFamilies(() => service);
    defineSpooling(() => service);
    defineSession(() => service);
    defineGateways(() => service);
    defineLimits(() => service);
    defineConditions(() => service);

    describe("counters while it runs (2.3)", () => {
      it("adds up at the end", async () => {
        const last = (await engine.chain("SELECT orderstatus, count(*) FROM orders GROUP BY orderstatus")).at(-1) as Fields;
        const stats = last["stats"] as Fields;
        expect(stats["processedRows"]).toBe(15000);
        expect(stats["completedSplits"]).toBe(stats["totalSplits"]);
        expect(Number(stats["totalSplits"])).toBeGreaterThan(0);
        expect(Number(stats["nodes"])).toBeGreaterThan(0);
        expect(stats["queuedSplits"]).toBe(0);
        expect(stats["runningSplits"]).toBe(0);
        expect(new Set(stageStates(stats["rootStage"] as Fields))).toEqual(new Set(["FINISHED"]));
      });
    });

    it("begins with few of the splits of a very large table", async () => {
      const last = (await engine.chain("SELECT orderkey FROM tpch.sf100000.lineitem LIMIT 1")).at(-1) as Fields;
      expect(last["data"]).toEqual([[1]]);
      expect(Number((last["stats"] as Fields)["totalSplits"])).toBeLessThan(2_000);
    });

    describe("query (4.4)", () => {
      it("lists and details queries", async () => {
        const chain = await engine.chain("SELECT count(*) AS c FROM lineitem");
        const id = textOf(chain[0]?.["id"]);
        const list = (await engine.json("GET", "/v1/query")) as Fields[];
        expect(list.map((query) => query["queryId"])).toContain(id);
        const detail = await engine.object("GET", `/v1/query/${id}`);
        expect(detail).toMatchObject({
          queryId: id,
          state: "FINISHED",
          query: "SELECT count(*) AS c FROM lineitem",
          fieldNames: ["c"],
          session: { user: "ann", source: "conformance", catalog: "tpch", schema: "tiny" },
        });
        const stats = detail["queryStats"] as Fields;
        expect(stats["rawInputPositions"]).toBe(60175);
        expect(stats["outputPositions"]).toBe(1);
        expect(Number(stats["totalTasks"])).toBeGreaterThan(1);
        expect(stats["completedTasks"]).toBe(stats["totalTasks"]);
      });

      it("lists page by page, filtered, sorted and with the number of all matches", async () => {
        const source = "lists-page-by-page";
        for (const statement of ["VALUES 1", "VALUES 2", "SELECT nothing", "VALUES 'three'"]) {
          await engine.with({ "x-engine-source": source }).chain(statement);
        }
        const list = async (filter: string): Promise<{ ids: string[]; texts: string[]; total: number }> => {
          const response = await engine.ask("GET", `/v1/query?source=${source}&${filter}`);
          const elements = parseJson(response.text) as Fields[];
          return {
            ids: elements.map((query) => textOf(query["queryId"])),
            texts: elements.map((query) => textOf(query["query"])),
            total: Number(response.headers["x-total-count"]),
          };
        };
        const all = await list("");
        expect(all).toMatchObject({ texts: ["VALUES 1", "VALUES 2", "SELECT nothing", "VALUES 'three'"], total: 4 });
        const first = await list("limit=3&sort=-createTime");
        const second = await list(`limit=3&sort=-createTime&after=${first.ids[2]}`);
        expect([...first.ids, ...second.ids].toSorted()).toEqual(all.ids.toSorted());
        expect([first.total, second.total]).toEqual([4, 4]);
        expect(await list("state=failed&errorType=USER_ERROR")).toMatchObject({ texts: ["SELECT nothing"], total: 1 });
        expect(await list("search=THREE&preview=6&user=ann")).toMatchObject({ texts: ["VALUES"], total: 1 });
        expect(await list("user=nobody")).toMatchObject({ ids: [], total: 0 });
        for (const wrong of ["limit=many", "sort=luck", "state=LOST", "errorType=MINE", "preview=-1", "after=none"]) {
          const response = await engine.ask("GET", `/v1/query?${wrong}`);
          expect([response.status, response.text]).toEqual([400, expect.stringMatching(/^Parameter \w+ must be /)]);
        }
      });

      it("shows tasks with pipelines and operators from the real execution (2.5)", async () => {
        const chain = await engine.chain(
          "SELECT custkey, count(*) FROM orders WHERE totalprice > 1000 GROUP BY custkey ORDER BY 2 DESC, 1",
        );
        const detail = await engine.object("GET", `/v1/query/${textOf(chain[0]?.["id"])}`);
        const operators: Fields[] = [];
        const walk = (stage: Fields): void => {
          for (const task of (stage["tasks"] ?? []) as Fields[]) {
            for (const pipeline of (task["stats"] as Fields)["pipelines"] as Fields[]) {
              operators.push(...(pipeline["operatorSummaries"] as Fields[]));
            }
          }
          for (const child of (stage["subStages"] ?? []) as Fields[]) {
            walk(child);
          }
        };
        walk(detail["outputStage"] as Fields);
        const types = new Set(operators.map((operator) => operator["operatorType"]));
        for (const expected of ["ExchangeOperator", "HashAggregationOperator", "OrderByOperator", "TaskOutputOperator"]) {
          expect(types).toContain(expected);
        }
        const exchange = operators.find((operator) => operator["operatorType"] === "ExchangeOperator") as Fields;
        const clients = (exchange["info"] as Fields)["pageBufferClientStatuses"] as Fields[];
        expect(clients.length).toBeGreaterThan(0);
        expect(clients.every((client) => client["state"] === "closed")).toBe(true);
      });

      it("has the optimizer's estimates of each stage, and when its drivers ran", async () => {
        const statement = "SELECT n.name, count(*) FROM customer c JOIN nation n ON c.nationkey = n.nationkey GROUP BY 1";
        const chain = await engine.chain(statement);
        const detail = await engine.object("GET", `/v1/query/${textOf(chain[0]?.["id"])}`);
        const stages: Fields[] = [];
        const walk = (stage: Fields): void => {
          stages.push(stage);
          for (const child of stage["subStages"] as Fields[]) {
            walk(child);
          }
        };
        walk(detail["outputStage"] as Fields);
        const estimates = Object.assign({}, ...stages.map((stage) => (stage["plan"] as Fields)["estimates"])) as Record<string, Fields>;
        const pipelines = stages.flatMap((stage) =>
          (stage["tasks"] as Fields[]).flatMap((task) => (task["stats"] as Fields)["pipelines"] as Fields[]),
        );
        const scans = pipelines
          .map((pipeline) => (pipeline["operatorSummaries"] as Fields[])[0] as Fields)
          .filter(({ operatorType }) => /Scan/.test(textOf(operatorType)));
        const scanned = new Set(scans.map(({ planNodeId }) => estimates[textOf(planNodeId)]?.["outputRowCount"]));
        expect(scanned).toEqual(new Set([25, 1500]));
        const explained = (await engine.rows(`EXPLAIN (TYPE DISTRIBUTED) ${statement}`)).map(([text]) => textOf(text)).join("\n");
        for (const { outputRowCount } of Object.values(estimates)) {
          expect(explained).toContain(`{rows: ${Number(outputRowCount)} (`);
        }
        const drivers = pipelines.flatMap((pipeline) => pipeline["drivers"] as Fields[]);
        expect(new Set(drivers.map(({ driverId }) => driverId)).size).toBe(drivers.length);
        expect(
          pipelines.filter((pipeline) => Number(pipeline["completedDrivers"]) > 0 && (pipeline["drivers"] as Fields[]).length === 0),
        ).toEqual([]);
        for (const driver of drivers) {
          const times = [driver["createTime"], driver["startTime"], driver["endTime"]].map((time) => Date.parse(textOf(time)));
          expect(times).toEqual(times.toSorted((a, b) => a - b));
        }
      });

      it("cancels with DELETE and forgets what never was", async () => {
        const first = await engine.object("POST", "/v1/statement", longStatement);
        expect((await engine.ask("DELETE", `/v1/query/${textOf(first["id"])}`)).status).toBe(204);
        expect((await engine.object("GET", `/v1/query/${textOf(first["id"])}`))["state"]).toBe("FAILED");
        expect((await engine.ask("GET", "/v1/query/20200101_000000_00000_zzzzz")).status).toBe(410);
      });
    });

    describe("stage", () => {
      it("ends a stage early by partialCancelUri: the query ends with what it has", async () => {
        const first = await engine.object("POST", "/v1/statement", "SELECT comment FROM tpch.sf1.lineitem");
        expect((await engine.ask("DELETE", textOf(first["partialCancelUri"]))).status).toBe(204);
        let last = first;
        while (typeof last["nextUri"] === "string") {
          last = await engine.object("GET", last["nextUri"]);
        }
        expect((last["stats"] as Fields)["state"]).toBe("FINISHED");
      });
    });

    describe("task (4.2)", () => {
      it("knows no task that was not created, and creates none by asking", async () => {
        const worker = service.workerUris[0] as string;
        expect((await engine.ask("GET", `${worker}/v1/task/20200101_000000_00000_zzzzz.1.0`)).status).toBe(404);
        expect((await engine.ask("GET", `${worker}/v1/task/20200101_000000_00000_zzzzz.1.0/results/0/0`)).status).toBe(404);
        const tasks = (await engine.json("GET", `${worker}/v1/task`)) as Fields[];
        expect(tasks.map((task) => task["taskId"])).not.toContain("20200101_000000_00000_zzzzz.1.0");
      });

      it("answers 400 to an update that is not a valid document", async () => {
        const worker = service.workerUris[0] as string;
        expect((await engine.ask("POST", `${worker}/v1/task/20200101_000000_00000_zzzzz.1.0`, "{}")).status).toBe(400);
        expect((await engine.ask("POST", `${worker}/v1/task/20200101_000000_00000_zzzzz.1.0`, "no json")).status).toBe(400);
      });

      it("passes the build keys of a join's tasks to scans in other tasks (Trino's dynamicFilterDomains), and rejects invalid filters", async () => {
        const partitioned = engine.with({ "x-engine-session": "join_distribution_type=PARTITIONED,join_reordering_strategy=NONE" });
        const sql =
          "SELECT count(*), sum(l.linenumber) FROM lineitem l JOIN (SELECT * FROM orders WHERE orderkey < 100) o ON l.orderkey = o.orderkey";
        const [[plan] = []] = await partitioned.rows(`EXPLAIN ANALYZE ${sql}`);
        expect(textOf(plan)).toMatch(/Dynamic filters: [1-9]\d* rows filtered/);
        expect(textOf(plan)).toContain("dynamicFilterAssignments = {");
        const plain = engine.with({ "x-engine-session": "enable_dynamic_filtering=false" });
        expect(await partitioned.rows(sql)).toEqual(await plain.rows(sql));
        const worker = service.workerUris[0] as string;
        const update = {
          session: { user: "ann", timeZone: "UTC", startMillis: 0, properties: {} },
          sources: [],
          outputIds: { kind: "PARTITIONED", bufferCount: 1 },
          dynamicFilterDomains: { df_1: { kind: "INTEGERS", low: "1", high: "9" } },
        };
        const uri = `${worker}/v1/task/20200101_000000_00000_zzzzz.1.0`;
        expect((await engine.ask("POST", uri, JSON.stringify(update))).status).toBe(404);
        const bad = { ...update, dynamicFilterDomains: { df_1: { kind: "INTEGERS", low: "one" } } };
        expect((await engine.ask("POST", uri, JSON.stringify(bad))).status).toBe(400);
      });

      it("shows the tasks of a query that waits for its client, and deletes them for good", async () => {
        // No client polls, so the leaf tasks stay alive with full buffers.
        const first = await engine.object("POST", "/v1/statement", "SELECT comment FROM tpch.sf1.partsupp");
        const id = textOf(first["id"]);
        const tasks: Fields[] = [];
        for (let attempt = 0; attempt < attemptsMax && tasks.length === 0; attempt++) {
          await service.wait(20);
          for (const worker of service.workerUris) {
            const list = (await engine.json("GET", `${worker}/v1/task`)) as Fields[];
            tasks.push(
              ...list
                .filter((task) => textOf(task["taskId"]).startsWith(`${id}.`) && task["state"] === "RUNNING")
                .map((task) => ({ ...task, worker })),
            );
          }
        }
        const task = tasks[0] as Fields;
        const address = `${textOf(task["worker"])}/v1/task/${textOf(task["taskId"])}`;
        const final = await engine.object("DELETE", address);
        expect(final["state"]).toBe("ABORTED");
        expect((await engine.ask("GET", address)).status).toBe(404);
        const listed = (await engine.json("GET", `${textOf(task["worker"])}/v1/task`)) as Fields[];
        expect(listed.map((one) => one["taskId"])).not.toContain(task["taskId"]);
        let last = first;
        let rows = 0;
        while (typeof last["nextUri"] === "string") {
          last = await engine.object("GET", last["nextUri"]);
          rows += (last["data"] as readonly unknown[] | undefined)?.length ?? 0;
        }
        // The coordinator hears that somebody has aborted the task, or that the node does not have it: then the query runs again.
        const { state } = last["stats"] as Fields;
        const { message } = (last["error"] ?? {}) as Fields;
        expect([state, state === "FINISHED" ? rows : message]).toEqual(
          state === "FINISHED" ? [state, 800_000] : ["FAILED", "A task is in the ABORTED state but stage is live"],
        );
      });

      it("forgets every task of an ended query on every node", async () => {
        await engine.rows("SELECT custkey, count(*) FROM orders GROUP BY custkey");
        for (let attempt = 0; ; attempt++) {
          const left: string[] = [];
          for (const uri of [service.uri, ...service.workerUris]) {
            left.push(...((await engine.json("GET", `${uri}/v1/task`)) as Fields[]).map((task) => textOf(task["taskId"])));
          }
          if (left.length === 0) {
            break;
          }
          expect(attempt, `tasks left: ${left.join(", ")}`).toBeLessThan(attemptsMax);
          await service.wait(20);
        }
      });
    });

    describe("node (4.3)", () => {
      it("lists every worker with its counters", async () => {
        let nodes: Fields[] = [];
        for (let attempt = 0; attempt < attemptsMax; attempt++) {
          nodes = (await engine.json("GET", "/v1/node")) as Fields[];
          if (nodes.length === service.workerUris.length && nodes.every((node) => Number(node["recentSuccesses"]) > 0)) {
            break;
          }
          await service.wait(50);
        }
        expect(nodes.map((node) => textOf(node["uri"]).replace(/\/$/, "")).sort()).toEqual([...service.workerUris].sort());
        for (const node of nodes) {
          expect(Number(node["recentRequests"])).toBeGreaterThan(0);
          const failures = Number(node["recentFailures"]);
          const byType = Object.values(node["recentFailuresByType"] as Record<string, JsonValue>).reduce(
            (sum: number, count) => sum + Number(count),
            0,
          );
          expect(failures).toBeCloseTo(byType, 6);
          expect(Number(node["recentFailureRatio"])).toBeCloseTo(failures / Number(node["recentRequests"]), 6);
          expect(failures).toBe(0);
          expect(node["age"]).toMatch(/^\d+\.\d\d(ns|us|ms|s|m|h|d)$/);
        }
        const failed = (await engine.json("GET", "/v1/node/failed")) as Fields[];
        expect(failed).toEqual([]);
      });
    });

    describe("info and status", () => {
      it("says who it is and that it is ready", async () => {
        expect(await engine.object("GET", "/v1/info")).toMatchObject({ coordinator: true, starting: false });
        expect(await engine.json("GET", "/v1/info/state")).toBe("ACTIVE");
        expect((await engine.ask("GET", "/v1/info/coordinator")).status).toBe(200);
        expect((await engine.ask("GET", `${service.workerUris[0] as string}/v1/info/coordinator`)).status).toBe(404);
        expect((await engine.ask("HEAD", "/v1/status")).status).toBe(200);
        expect((await engine.object("GET", "/v1/status"))["coordinator"]).toBe(true);
        expect((await engine.ask("GET", "/readyz")).status).toBe(200);
        expect((await engine.ask("GET", "/livez")).status).toBe(200);
      });

      it("rejects states that cannot be set", async () => {
        const answer = await engine.ask("PUT", "/v1/info/state", '"ACTIVE"', { "content-type": "application/json" });
        expect(answer.status).toBe(400);
        expect(answer.text).toBe("Invalid state transition to ACTIVE");
      });

      it("answers 404 and 405 in plain text", async () => {
        expect((await engine.ask("GET", "/nowhere")).status).toBe(404);
        expect((await engine.ask("DELETE", "/v1/info")).status).toBe(405);
      });
    });

    describe("statements that change the session (Presto's, protocol 1.3)", () => {
      /** The headers of the last response, and its document. */
      const ask = async (sql: string, headers: Record<string, string> = {}): Promise<{ headers: Headers; document: Fields }> => {
        const asker = engine.with({ "x-engine-transaction-id": "NONE", ...headers });
        let answer = await asker.ask("POST", "/v1/statement", sql);
        for (;;) {
          const document = parseJson(answer.text) as Fields;
          if (typeof document["nextUri"] !== "string") {
            return { headers: answer.headers, document };
          }
          answer = await asker.ask("GET", document["nextUri"]);
        }
      };
      const begin = async (mode = ""): Promise<Record<string, string>> => {
        const { headers, document } = await ask(`START TRANSACTION${mode}`);
        expect(document).toMatchObject({ updateType: "START TRANSACTION", data: [[true]] });
        return { "x-engine-transaction-id": textOf(headers["x-engine-started-transaction-id"] as string) };
      };
      const errorOf = ({ document }: { readonly document: Fields }) => (document["error"] as Fields | undefined)?.["errorName"];

      it("starts a transaction that reads, and ends it", async () => {
        const inside = await begin(" ISOLATION LEVEL READ COMMITTED, READ WRITE");
        expect((await ask("SELECT count(*) FROM nation", inside)).document["data"]).toEqual([[25]]);
        expect(errorOf(await ask("START TRANSACTION", inside))).toBe("NOT_SUPPORTED");
        // The failed statement aborted the transaction.
        expect(errorOf(await ask("SELECT 1", inside))).toBe("TRANSACTION_ALREADY_ABORTED");
        const { headers, document } = await ask("ROLLBACK", inside);
        expect(document).toMatchObject({ updateType: "ROLLBACK", data: [[true]] });
        expect(headers["x-engine-clear-transaction-id"]).toBe("true");
        expect(errorOf(await ask("SELECT 1", inside))).toBe("UNKNOWN_TRANSACTION");
      });

      it("commits a transaction that was not aborted; it is over in either case", async () => {
        const kept = await begin();
        expect((await ask("COMMIT", kept)).headers["x-engine-clear-transaction-id"]).toBe("true");
        expect(errorOf(await ask("COMMIT", kept))).toBe("UNKNOWN_TRANSACTION");
        const failed = await begin();
        expect(errorOf(await ask("SELECT nosuch", failed))).toBe("COLUMN_NOT_FOUND");
        const commit = await ask("COMMIT", failed);
        expect(errorOf(commit)).toBe("TRANSACTION_ALREADY_ABORTED");
        expect(commit.headers["x-engine-clear-transaction-id"]).toBe("true");
      });

      it("refuses in a transaction what no connector can take back", async () => {
        expect(errorOf(await ask("CREATE TABLE memory.default.tx AS SELECT 1 AS a", await begin(" READ ONLY")))).toBe(
          "READ_ONLY_VIOLATION",
        );
        expect(errorOf(await ask("CREATE SCHEMA memory.tx", await begin()))).toBe("AUTOCOMMIT_WRITE_CONFLICT");
        // A procedure writes no table.
        expect(errorOf(await ask("CALL system.runtime.kill_query('nobody')", await begin()))).toBe("NOT_FOUND");
        expect((await ask("SHOW TABLES FROM memory.default LIKE 'tx'")).document["data"]).toBeUndefined();
        expect(errorOf(await ask("COMMIT"))).toBe("NOT_IN_TRANSACTION");
      });

      it("sets the path of a client that can keep one, and shows what the client sends of it", async () => {
        const path = { "x-engine-client-capabilities": "PATH" };
        const { headers, document } = await ask('SET PATH memory.default, "A b"', path);
        expect(document).toMatchObject({ updateType: "SET PATH", data: [[true]] });
        expect(headers["x-engine-set-path"]).toBe('memory.default, "A b"');
        expect((await ask("SELECT current_path", { ...path, "x-engine-path": "memory.default" })).document["data"]).toEqual([
          ["memory.default"],
        ]);
        expect(errorOf(await ask("SET PATH nope.x", path))).toBe("NOT_FOUND");
        expect(errorOf(await ask("SET PATH memory.default"))).toBe("NOT_SUPPORTED");
      });

      it("sets roles and tells of changed rows", async () => {
        expect((await ask("SET ROLE NONE")).headers["x-engine-set-role"]).toBe("system=NONE");
        await engine.rows("CREATE TABLE memory.default.changed AS SELECT nationkey AS k FROM nation");
        expect((await ask("UPDATE memory.default.changed SET k = k + 100 WHERE k < 5")).document).toMatchObject({
          updateType: "UPDATE",
          updateCount: 5,
        });
        expect((await ask("DELETE FROM memory.default.changed WHERE k < 20")).document).toMatchObject({
          updateType: "DELETE",
          updateCount: 15,
        });
        expect(await engine.rows("SELECT count(*), min(k), max(k) FROM memory.default.changed")).toEqual([[10, 20, 104]]);
        expect((await ask("CREATE VIEW memory.default.seen AS SELECT k FROM memory.default.changed")).document).toMatchObject({
          updateType: "CREATE VIEW",
          data: [[true]],
        });
        expect(await engine.rows("SELECT max(k) FROM memory.default.seen")).toEqual([[104]]);
        await engine.rows("DROP VIEW memory.default.seen");
        await engine.rows("DROP TABLE memory.default.changed");
      });
    });

    describe("data and definitions", () => {
      it("creates, fills, reads and drops a table kept by the workers", async () => {
        expect(await engine.rows("CREATE TABLE memory.default.t AS SELECT nationkey, name FROM nation")).toEqual([[25]]);
        expect(await engine.rows("INSERT INTO memory.default.t SELECT 100 + regionkey, name FROM region")).toEqual([[5]]);
        expect(await engine.rows("SELECT count(*), max(nationkey) FROM memory.default.t")).toEqual([[30, 104]]);
        const last = (await engine.chain("DROP TABLE memory.default.t")).at(-1) as Fields;
        expect(last).toMatchObject({ updateType: "DROP TABLE", data: [[true]] });
        await expect(engine.rows("SELECT * FROM memory.default.t")).rejects.toThrow("TABLE_NOT_FOUND");
      });

      it("tells how many rows an update wrote", async () => {
        const last = (await engine.chain("CREATE TABLE memory.default.u AS SELECT * FROM region")).at(-1) as Fields;
        expect(last).toMatchObject({ updateType: "CREATE TABLE", updateCount: 5 });
        await engine.rows("DROP TABLE memory.default.u");
      });

      it("kills a query by CALL: its client hears who did it and why (Presto's kill_query)", async () => {
        const target = await engine.object("POST", "/v1/statement", longStatement);
        const id = textOf(target["id"]);
        const killer = engine.with({ "x-engine-user": "bob" });
        const call = (await killer.chain(`CALL system.runtime.kill_query(query_id => '${id}', message => 'too big')`)).at(-1);
        expect(call).toMatchObject({ updateType: "CALL", data: [[true]], columns: [{ name: "result", type: "boolean" }] });
        // Rows already on their way to the client may still come; then the end.
        let last = target;
        for (let attempt = 0; last["error"] === undefined && attempt < attemptsMax; attempt++) {
          last = await engine.object("GET", textOf(last["nextUri"]));
        }
        expect(last["error"]).toMatchObject({
          errorName: "ADMINISTRATIVELY_KILLED",
          errorType: "USER_ERROR",
          errorCode: 38,
          message: "Query killed. Message: too big",
        });
        await expect(killer.rows(`CALL system.runtime.kill_query('${id}', 'again')`)).rejects.toThrow(
          `NOT_SUPPORTED: Target query is not running: ${id}`,
        );
        await expect(killer.rows("CALL system.runtime.kill_query('20200101_000000_00000_aaaaa')")).rejects.toThrow(
          "NOT_FOUND: Target query not found: 20200101_000000_00000_aaaaa",
        );
      });

      it("shows the cluster in system.runtime", async () => {
        const rows = await engine.rows("SELECT coordinator, state FROM system.runtime.nodes ORDER BY coordinator DESC");
        expect(rows).toEqual([[true, "active"], ...service.workerUris.map(() => [false, "active"])]);
      });
    });
  });
}
