/** Rules: what they hit, and what clients and nodes see of it. */
import { connect } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Trino } from "trino-client";
import { Chaos, type ChaosMessage } from "../../src/testing/chaos.ts";
import { type ChaosRule, type Cluster, withCluster } from "../../src/testing/index.ts";

const message: ChaosMessage = {
  from: "coordinator",
  to: "worker-1",
  label: "task-update",
  method: "POST",
  path: "/v1/task/q.1.0?x=1",
  headers: { "x-engine-user": "bob" },
  leg: "request",
  ordinal: 1,
};
const places = ["client", "coordinator", "worker-1", "worker-2"];

function chaosOf(...rules: readonly ChaosRule[]): Chaos {
  const chaos = new Chaos({ places, seed: 7 });
  rules.forEach((rule) => chaos.add(rule));
  return chaos;
}

describe("a rule", () => {
  it.each<[Partial<Extract<ChaosRule, { fate: unknown }>>, boolean]>([
    [{}, true],
    [{ from: "coordinator", to: "worker-*" }, true],
    [{ from: "worker-*" }, false],
    [{ to: "work" + "er-2" }, false],
    [{ method: "GET" }, false],
    [{ path: "/v1/task/" }, true],
    [{ path: "/v1/statement" }, false],
    [{ path: /\.0\?x=1$/ }, true],
    [{ label: "task-update" }, true],
    [{ label: "task-status" }, false],
    [{ headers: { "X-Engine-User": "bob" } }, true],
    [{ headers: { "x-engine-user": /^al/ } }, false],
    [{ headers: { "x-engine-source": /./ } }, false],
    [{ leg: "answer" }, false],
  ])("that says %j hits a task update: %s", (wanted, hits) => {
    expect(chaosOf({ fate: "reset", ...wanted }).verdictOn(message).ruling !== undefined).toBe(hits);
  });

  it("hits at most `times`, and nothing before `after`", () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), fc.nat(60), (after, times, messages) => {
        const chaos = new Chaos({ places, seed: 1 });
        const fault = chaos.add({ fate: "lost", after, times });
        const struck = Array.from({ length: messages }, (_, index) => chaos.verdictOn({ ...message, ordinal: index }).ruling !== undefined);
        expect(struck.slice(0, after).includes(true)).toBe(false);
        expect(fault.hits).toBe(struck.filter((one) => one).length);
        expect(fault.hits).toBe(Math.max(0, Math.min(times, messages - after)));
      }),
    );
  });

  it("draws by the message's name: other traffic changes nothing", () => {
    const hitsOf = (others: boolean): readonly boolean[] => {
      const chaos = chaosOf({ fate: "lost", percent: 30 });
      return Array.from({ length: 2000 }, (_, ordinal) => {
        if (others) {
          chaos.verdictOn({ ...message, to: "worker-2", ordinal });
        }
        return chaos.verdictOn({ ...message, ordinal }).ruling !== undefined;
      });
    };
    const hits = hitsOf(false);
    expect(hitsOf(true)).toEqual(hits);
    const share = hits.filter((one) => one).length / hits.length;
    expect(share).toBeGreaterThan(0.25);
    expect(share).toBeLessThan(0.35);
  });

  it("adds delays up, and lets the first of other fates decide", () => {
    const chaos = chaosOf(
      { fate: "delayed", delayMs: 5 },
      { fate: "delayed", delayMs: 7 },
      { fate: "status", status: 429 },
      { fate: "lost" },
    );
    expect(chaos.verdictOn(message)).toMatchObject({ delayMs: 12, ruling: { status: 429 } });
    chaos.heal();
    expect(chaos.verdictOn(message)).toEqual({ delayMs: 0, ruling: undefined });
  });

  it("fires fault points, those of a whole run always or never", () => {
    const chaos = chaosOf({ point: "task-update-turned-away", at: "worker-1", times: 2 }, { point: "page-cut-early", percent: 50 });
    const points = chaos.pointsOf("worker-1");
    expect(Array.from({ length: 4 }, () => points.fires("task-update-turned-away"))).toEqual([true, true, false, false]);
    expect(chaos.pointsOf("worker-2").fires("task-update-turned-away")).toBe(false);
    const cut = Array.from({ length: 50 }, () => points.fires("page-cut-early"));
    expect(new Set(cut).size).toBe(1);
    expect(chaos.pointsOf("worker-2").fires("page-cut-early")).toBe(cut[0]);
  });

  it.each<[object, string]>([
    [{ fate: "delaid" }, "fate 'delaid' is not known; did you mean 'delayed'?"],
    [{ fate: "overtaken" }, "fate 'overtaken' is not known"],
    [{ fate: "delayed" }, "fate 'delayed' needs 'delayMs'"],
    [{ fate: "truncated", leg: "request" }, "fate 'truncated' cannot hit the leg 'request'"],
    [{ fate: "status", status: 99 }, "'status: 99' is not a number from 200 to 599"],
    [{ fate: "lost", percent: 101 }, "'percent: 101' is not a number from 0 to 100"],
    [{ fate: "lost", from: "workers" }, "'from: workers' matches no place of this cluster; it has client, coordinator, worker-1, worker-2"],
    [{ point: "task-update-turned" }, "fault point 'task-update-turned' is not known; did you mean 'task-update-turned-away'?"],
    [{ point: "page-cut-early", times: 1 }, "fires always or never"],
  ])("%j is refused", (rule, wanted) => {
    expect(() => chaosOf(rule as ChaosRule)).toThrow(wanted);
  });
});

/** What a client sees of one request: the status and the length of the body, or the code of the error. */
async function seen(cluster: Cluster, path = "/v1/info", headers: Record<string, string> = {}): Promise<string> {
  try {
    const response = await fetch(`${cluster.uri}${path}`, { headers, signal: AbortSignal.timeout(2000) });
    return `${response.status} ${(await response.text()).length > 0 ? "body" : "empty"}`;
  } catch (error) {
    const { name, cause } = error as Error & { readonly cause?: { readonly code?: string } };
    return cause?.code ?? name;
  }
}

describe("HTTP clients", () => {
  it("see statuses, resets and broken bodies, once each", async () => {
    await using cluster = await withCluster({
      chaos: [
        { fate: "status", path: "/v1/info", times: 1, status: 429, answerHeaders: { "retry-after": "7" }, answerBody: "later" },
        { fate: "reset", path: "/v1/info", times: 1 },
        { fate: "truncated", path: "/v1/info", times: 1 },
        { fate: "reset", leg: "answer", path: "/v1/info", times: 1 },
      ],
    });
    const response = await fetch(`${cluster.uri}/v1/info`);
    expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([429, "7", "later"]);
    expect(await seen(cluster)).toBe("ECONNRESET");
    expect(await seen(cluster)).toBe("UND_ERR_SOCKET");
    expect(await seen(cluster)).toBe("ECONNRESET");
    expect(await seen(cluster)).toBe("200 body");
  });

  it("wait for ever where nothing answers, and are told by a rule of the request's header", async () => {
    await using cluster = await withCluster({ workers: 1 });
    const rule = cluster.chaos({ fate: "never-answered", headers: { "x-test": "silent" } });
    const socket = connect(Number(new URL(cluster.uri).port), "127.0.0.1");
    const received: Buffer[] = [];
    socket.on("data", (bytes) => received.push(bytes));
    socket.write("GET /v1/info HTTP/1.1\r\nHost: x\r\nX-Test: silent\r\n\r\n");
    expect(await seen(cluster, "/v1/info", { "x-test": "other" })).toBe("200 body");
    while (rule.hits === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await seen(cluster)).toBe("200 body");
    expect(received).toEqual([]);
    socket.destroy();
  });

  it("get the same rows from a retried page: the published client of Trino against resets and 503", async () => {
    await using cluster = await withCluster({ workers: 2 });
    const rule = cluster.chaos({ point: "statement-answers-few-rows" });
    using delayed = cluster.chaos({ fate: "delayed", delayMs: 3, from: "client", percent: 50 });
    const client = Trino.create({ server: cluster.uri, catalog: "tpch", schema: "tiny" });
    let count = 0;
    for await (const { data = [] } of await client.query("SELECT name FROM customer")) {
      count += data.length;
    }
    expect(count).toBe(1500);
    expect(rule.hits).toBeGreaterThan(0);
    expect(delayed.hits).toBeGreaterThan(0);
  });
});

describe("our own client", () => {
  it.each<ChaosRule>([
    { fate: "status", status: 503, from: "client", path: "/v1/statement", method: "GET", percent: 40 },
    { fate: "reset", from: "client", path: "/v1/statement", method: "GET", percent: 30 },
    { fate: "duplicated", from: "client", path: "/v1/statement", method: "GET", delayMs: 5 },
    { fate: "delayed", delayMs: 20, from: "client" },
    { fate: "truncated", from: "client", method: "GET", percent: 30 },
  ])("gets exact rows in spite of %j", async (rule) => {
    for (const http of [true, false]) {
      await using cluster = await withCluster({
        http,
        chaos: [rule, { point: "statement-answers-few-rows" }, { point: "page-cut-early" }],
      });
      const { rows } = await cluster.query("SELECT custkey FROM tpch.tiny.customer WHERE custkey <= 400 ORDER BY 1");
      expect(rows.map(([key]) => key)).toEqual(Array.from({ length: 400 }, (_, index) => BigInt(index + 1)));
    }
  });
});

describe("traffic between nodes", () => {
  const join = "SELECT count(*) AS n FROM tpch.tiny.orders o JOIN tpch.tiny.lineitem l ON o.orderkey = l.orderkey";
  const exact = [{ n: 60_175n }];

  it.each<ChaosRule>([
    { fate: "duplicated", from: "coordinator", to: "worker-*", delayMs: 2 },
    { fate: "delayed", from: "worker-1", to: "worker-2", delayMs: 30 },
    { fate: "reset", path: /\/results\//, percent: 30 },
    { fate: "reset", leg: "answer", path: /\/results\//, percent: 30 },
    { fate: "truncated", path: /\/results\//, percent: 30 },
    { fate: "status", status: 503, from: "coordinator", path: "/v1/task", percent: 20 },
    { point: "task-created-twice" },
    { point: "exchange-forgets-an-answer", percent: 50 },
  ])("may suffer %j: the result is the same", async (rule) => {
    await using cluster = await withCluster({ workers: 2 });
    const fault = cluster.chaos(rule);
    expect((await cluster.query(join, { session: { join_distribution_type: "PARTITIONED" } })).objects).toEqual(exact);
    expect(fault.hits).toBeGreaterThan(0);
  });

  it("ends in the declared error where it cannot go on", async () => {
    await using cluster = await withCluster({
      properties: { "exchange.max-error-duration": "300ms", "query.remote-task.max-error-duration": "300ms" },
    });
    cluster.chaos({ fate: "status", status: 500, path: /\/results\//, from: "coordinator" });
    await expect(cluster.query(join)).rejects.toMatchObject({ errorType: expect.stringMatching(/INTERNAL_ERROR|EXTERNAL/) as string });
    cluster.heal();
    expect((await cluster.query(join)).objects).toEqual(exact);
  });

  it("makes a query wait for a link that loses its answers, one way", async () => {
    await using cluster = await withCluster({ properties: { "failure-detector.heartbeat-timeout": "200ms" } });
    using cut = cluster.partition("worker-2", { from: ["coordinator"], oneWay: true });
    await cluster.untilActive(1);
    cut.heal();
    await cluster.untilActive(2);
    expect((await cluster.query(join)).objects).toEqual(exact);
  });
});
