/**
 * The documents that gateways and clients read from a coordinator besides statements. The readers here follow those programs:
 * trino-gateway's and presto-gateway's monitors, Presto's router, and the models of Ruby's clients, which raise an error if a member has an
 * unexpected shape.
 */
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/protocol/json.ts";
import { type Asker, clientOf, type Fields, type Service, textOf } from "../support/service.ts";

const slowStatement = "SELECT count(*) FROM tpch.sf1000.lineitem a JOIN tpch.sf1000.lineitem b ON a.orderkey = b.partkey";

/** What Ruby's models do with a member: `Struct.decode` of a Hash, `map` of an Array, `downcase` of a String, or nothing. */
type Shape = "hash" | "string" | readonly [Shape] | { readonly [name: string]: Shape } | { readonly "*": Shape };

const failure: Shape = { errorCode: { type: "string" }, errorLocation: "hash", suppressed: [{ suppressed: ["hash"] }] };
const operator: Shape = { info: "hash" };
const distribution: Shape = "hash";
const task: Shape = {
  taskStatus: { taskId: "string", state: "string", failures: [failure] },
  outputBuffers: { state: "string", type: "string", buffers: [{ pageBufferInfo: "hash" }] },
  stats: {
    blockedReasons: ["string"],
    pipelines: [
      {
        queuedTime: distribution,
        elapsedTime: distribution,
        blockedReasons: ["string"],
        operatorSummaries: [operator],
        drivers: [{ operatorStats: [operator], blockedReasons: ["string"] }],
      },
    ],
  },
};
const stage = (depth: number): Shape => ({
  stageId: "string",
  state: "string",
  plan: { root: "hash", partitioning: "hash", partitioningScheme: "hash", stageExecutionDescriptor: "hash", statsAndCosts: "hash" },
  stageStats: { getSplitDistribution: distribution, blockedReasons: ["string"], operatorSummaries: [operator] },
  tasks: [task],
  subStages: [depth === 0 ? "hash" : stage(depth - 1)],
  failureCause: failure,
});
const queryInfo: Shape = {
  session: { path: "hash", resourceEstimates: "hash", roles: { "*": "hash" } },
  state: "string",
  memoryPool: "string",
  queryStats: { blockedReasons: ["string"], operatorSummaries: [operator] },
  setRoles: { "*": "hash" },
  outputStage: stage(4),
  failureInfo: failure,
  errorType: "string",
  errorCode: { type: "string" },
  warnings: ["hash"],
  inputs: ["hash"],
  resourceGroupId: ["string"],
};

function isHash(value: JsonValue): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Paths at which a model would raise a TypeError. */
function misfits(value: JsonValue | undefined, shape: Shape, path: string): string[] {
  if (value === undefined || value === null) {
    return [];
  }
  if (shape === "string") {
    return typeof value === "string" ? [] : [`${path} is no String`];
  }
  if (Array.isArray(shape)) {
    const [inner] = shape as readonly [Shape];
    return Array.isArray(value) ? value.flatMap((one, index) => misfits(one, inner, `${path}[${index}]`)) : [`${path} is no Array`];
  }
  if (!isHash(value)) {
    return [`Can't convert ${path} to Hash`];
  }
  return shape === "hash"
    ? []
    : Object.entries(shape as Readonly<Record<string, Shape>>).flatMap(([name, inner]) =>
        name === "*"
          ? Object.entries(value).flatMap(([key, one]) => misfits(one, inner, `${path}.${key}`))
          : misfits(value[name], inner, `${path}.${name}`),
      );
}

export function defineGateways(service: () => Service): void {
  describe("what gateways and clients read beside statements", () => {
    const client = (headers: Readonly<Record<string, string>> = {}, family = "trino"): Asker => clientOf(service(), family, headers);

    it.each(["/v1/cluster", "/ui/api/stats"])("sums up the cluster at %s in whole numbers", async (path) => {
      const first = await client().object("POST", "/v1/statement", slowStatement);
      const next = textOf(first["nextUri"]);
      let stats: Fields = {};
      for (let attempt = 0; attempt < 500 && Number(stats["runningQueries"] ?? 0) === 0; attempt++) {
        stats = await client().object("GET", path);
        await service().wait(10);
      }
      for (const name of ["runningQueries", "blockedQueries", "queuedQueries", "activeWorkers", "runningDrivers"]) {
        expect(stats[name], name).toSatisfy(Number.isInteger);
      }
      expect(stats).toMatchObject({
        queuedQueries: 0,
        activeWorkers: service().workerUris.length,
        activeCoordinators: 1,
      });
      expect(Number(stats["runningQueries"])).toBeGreaterThan(0);
      expect(Number(stats["blockedQueries"])).toBeLessThanOrEqual(Number(stats["runningQueries"]));
      expect(Number(stats["memoryCapacity"])).toBeGreaterThan(0);
      await client().ask("DELETE", next);
    });

    it("counts queries and their input since the start, and never less than before", async () => {
      const cluster = (): Promise<Fields> => client().object("GET", "/v1/cluster");
      const before = await cluster();
      await client().chain("SELECT sum(quantity) FROM lineitem");
      await client().chain("SELECT nothing");
      const after = await cluster();
      const grown = (name: string): number => Number(after[name]) - Number(before[name]);
      expect([grown("finishedQueries"), grown("failedQueries")]).toEqual([1, 1]);
      expect(grown("processedRows")).toBeGreaterThanOrEqual(60_175);
      expect(grown("processedBytes")).toBeGreaterThan(0);
    });

    it("says what a query waits for: the client, and who works for it meanwhile", async () => {
      const first = await client().object("POST", "/v1/statement", "SELECT comment FROM tpch.sf1.lineitem");
      const id = textOf(first["id"]);
      let detail: Fields = {};
      for (let attempt = 0; attempt < 5_000 && detail["waitReason"] !== "CLIENT"; attempt++) {
        detail = await client().object("GET", `/v1/query/${id}`);
        await service().wait(10);
      }
      expect(detail["waitMessage"]).toMatch(
        /^Waiting for the client: the result buffer is full \(\d\.\d\dMB\) and the client has not fetched for [\d.]+\w+$/,
      );
      const [listed] = (await client().json("GET", "/v1/query?limit=1&sort=-createTime&state=RUNNING")) as Fields[];
      expect(listed).toMatchObject({ queryId: id, waitReason: "CLIENT" });
      const nodes = (await client().json("GET", "/v1/node")) as Fields[];
      expect(nodes.map((node) => node["coordinator"])).toEqual(service().workerUris.map(() => false));
      expect(new Set(nodes.map((node) => node["state"]))).toEqual(new Set(["ACTIVE"]));
      const working = nodes.flatMap((node) => node["queries"] as Fields[]).filter((query) => query["queryId"] === id);
      expect(working.length).toBeGreaterThan(0);
      expect(working.every((query) => Number(query["runningTasks"]) > 0)).toBe(true);
      await client().ask("DELETE", `/v1/query/${id}`);
      const ended = await client().object("GET", `/v1/query/${id}`);
      expect([ended["state"], "waitReason" in ended, "waitMessage" in ended]).toEqual(["FAILED", false, false]);
    });

    it("lets a gateway log in and list queries by state with their users", async () => {
      const login = await client().ask("POST", "/ui/login", "username=gateway&password=", {
        "content-type": "application/x-www-form-urlencoded",
      });
      expect(login.status).toBe(204);
      const chain = await client({ source: "a gateway's client" }).chain("SELECT 1");
      const ended = (await client().json("GET", "/ui/api/query?state=FINISHED")) as Fields[];
      expect(ended.find(({ queryId }) => queryId === chain[0]?.["id"])).toMatchObject({
        sessionUser: "bob",
        sessionSource: "a gateway's client",
        state: "FINISHED",
        queryTextPreview: "SELECT 1",
      });
      expect(await client().json("GET", "/ui/api/query?state=QUEUED")).toEqual([]);
      const basic = (await client().json("GET", "/v1/query?state=FINISHED")) as Fields[];
      expect(basic.find(({ queryId }) => queryId === chain[0]?.["id"])).toMatchObject({
        session: { user: "bob" },
        resourceGroupId: ["global"],
      });
    });

    it("shows its one resource group", async () => {
      const group = await client().object("GET", "/v1/resourceGroupState/global");
      expect(group).toMatchObject({ id: ["global"], state: "CAN_RUN", numQueuedQueries: 0, subGroups: [] });
      expect(await client().json("GET", "/v1/resourceGroupState")).toMatchObject([{ id: ["global"], hardConcurrencyLimit: 1000 }]);
      expect((await client().ask("GET", "/v1/resourceGroupState/nosuch")).status).toBe(404);
    });

    it("gives queries in the shapes that models of clients decode", async () => {
      const role = { role: "system=ALL,tpch=ROLE%7Badmin%7D" };
      const estimate = { "resource-estimate": "CPU_TIME=5m,PEAK_MEMORY=16MB" };
      const told = {
        ...role,
        ...estimate,
        "trace-token": "trace-7",
        language: "de-AT",
        "time-zone": "Europe/Paris",
        "client-capabilities": "PATH",
      };
      for (const [family, sql] of [
        ["engine", "SELECT regionkey, count(*) FROM nation GROUP BY 1 ORDER BY 1"],
        ["presto", "SELECT n.name FROM nation n JOIN region r ON n.regionkey = r.regionkey"],
        ["trino", "SELECT 1 / (nationkey - 3) FROM nation"],
        ["trino", "SELECT nosuch"],
        ["trino", "SET ROLE NONE"],
      ] as const) {
        const [first] = await client(told, family).chain(sql);
        const info = await client().object("GET", `/v1/query/${textOf(first?.["id"])}`);
        expect(misfits(info, queryInfo, "QueryInfo"), sql).toEqual([]);
        expect(info).toMatchObject({
          session: {
            traceToken: "trace-7",
            locale: "de_AT",
            clientCapabilities: ["PATH"],
            clientTransactionSupport: false,
            resourceEstimates: { cpuTime: "5.00m", peakMemory: "16MB" },
            roles: { system: { type: "ALL" }, tpch: { type: "ROLE", role: "admin" } },
          },
          resourceGroupId: ["global"],
          clearTransactionId: false,
        });
        expect(Number.isInteger((info["session"] as Fields)["timeZoneKey"])).toBe(true);
      }
    });

    it("names failures as the classes of Presto and Trino do", async () => {
      const typeOf = async (family: string, sql: string): Promise<unknown> => {
        const chain = await client({}, family).chain(sql);
        const info = await client().object("GET", `/v1/query/${textOf(chain[0]?.["id"])}`);
        const { error } = chain.at(-1) as Fields;
        const { type } = (error as Fields)["failureInfo"] as Fields;
        expect((info["failureInfo"] as Fields)["type"]).toBe(type);
        return type;
      };
      expect(await typeOf("trino", "SELEC 1")).toBe("io.trino.sql.parser.ParsingException");
      expect(await typeOf("trino", "SELECT nosuch FROM nation")).toBe("io.trino.spi.TrinoException");
      expect(await typeOf("trino", "SELECT 1 / 0")).toBe("io.trino.spi.TrinoException");
      expect(await typeOf("presto", "SELEC 1")).toBe("com.facebook.presto.sql.parser.ParsingException");
      expect(await typeOf("presto", "SELECT nosuch FROM nation")).toBe("com.facebook.presto.sql.analyzer.SemanticException");
      expect(await typeOf("presto", "SELECT 1 / (nationkey - 3) FROM nation")).toBe("com.facebook.presto.spi.PrestoException");
      expect(await typeOf("engine", "SELECT nosuch FROM nation")).toBe("COLUMN_NOT_FOUND");
    });
  });
}
