/**
 * What gateways ask of a coordinator, beside the list of its queries. Written from docs/operations.md (Resource groups), docs/interface.md
 * (Query and cluster) and the documents of Presto and Trino that gateways read:
 * - `/v1/cluster` and `/ui/api/stats` say the same: the sums of the live queries, one coordinator, the memory of the active nodes.
 * - Without a configuration there is one resource group, `global`, with the limits of the configuration. It runs the queries of the list
 *   that are neither QUEUED nor ended, and holds what they hold.
 * - `/ui/api/query` has the queries of the list with the same members under Trino's names, and the beginning of their texts.
 * All are asked in one event, so they agree exactly unless the list changes in it.
 */
import type { OrreryNode } from "../../../../src/node.ts";
import { parseDataSize, parseDuration } from "../../../../src/protocol/units.ts";
import { numberProperty } from "../../../properties.ts";
import { askInside, type Told } from "../inside.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

/** One in this many looks is at these documents. */
const lookEvery = 24;
const listUrl = "/v1/query";
const roundingShare = 0.006;
const previewLength = 300;
const ended = /^(?:FINISHED|FAILED)$/;

type Members = Readonly<Record<string, unknown>>;

interface Row {
  readonly queryId: string;
  readonly state: string;
  readonly query: string;
  readonly session: Members;
  readonly queryStats: Members;
  readonly resourceGroupId: readonly string[];
  readonly [name: string]: unknown;
}

interface Group {
  readonly id: readonly string[];
  readonly runningQueries: readonly Members[];
  readonly subGroups: readonly unknown[];
  readonly [name: string]: unknown;
}

interface Service {
  readonly nodeId: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** Trino's name of a member, and where the list of Presto has it. */
const trimmed: readonly (readonly [string, (row: Row) => unknown])[] = [
  ["state", ({ state }) => state],
  ["sessionUser", ({ session }) => session["user"]],
  ["sessionSource", ({ session }) => session["source"]],
  ["sessionPrincipal", ({ session }) => session["principal"]],
  ["resourceGroupId", ({ resourceGroupId }) => resourceGroupId.join("/")],
  ["errorType", ({ errorType }) => errorType],
  ["scheduled", ({ scheduled }) => scheduled],
  ["updateType", ({ updateType }) => updateType],
  ["queryTextPreview", ({ query }) => query.slice(0, previewLength)],
  ["peakTotalMemoryReservation", ({ queryStats }) => queryStats["peakMemoryReservation"]],
  ["peakUserMemoryReservation", ({ queryStats }) => queryStats["peakMemoryReservation"]],
  ["blockedReasons", ({ queryStats }) => (queryStats["blockedReasons"] as readonly string[] | undefined)?.join()],
  ...[
    "createTime",
    "endTime",
    "queuedTime",
    "elapsedTime",
    "executionTime",
    "totalDrivers",
    "queuedDrivers",
    "runningDrivers",
    "completedDrivers",
    "userMemoryReservation",
    "totalMemoryReservation",
    "totalCpuTime",
    "totalScheduledTime",
    "rawInputDataSize",
    "progressPercentage",
    "fullyBlocked",
  ].map((name): readonly [string, (row: Row) => unknown] => [name, ({ queryStats }) => queryStats[name]]),
];

class ClusterDocuments implements Model {
  readonly notes = ["log-info"];
  readonly #context: Judged;
  #looks = 0;
  /** Whether a query has begun to run again: after a loss, or by a fault point. */
  #hasRunAgain = false;

  constructor(context: Judged) {
    this.#context = context;
  }

  note({ detail }: Note): void {
    this.#hasRunAgain ||= /^query-attempt-(?:lost|given-up) /.test(detail);
  }

  look(): void {
    const { plan } = this.#context;
    const node = this.#context.node(plan.coordinator.name);
    // Rules hide queries of others from a client without a name.
    if (this.#looks++ % lookEvery !== 0 || node === undefined || plan.access !== undefined) {
      return;
    }
    const ownBytes = node.accounts().sizeBytes;
    const urls = ["/v1/cluster", "/ui/api/stats", "/ui/api/query", "/v1/resourceGroupState", "/v1/service/orrery"];
    void this.#ask(node, urls).then(([before, ...told]) => {
      const after = told.pop();
      // A query may go on between two answers of one event.
      if (told.every((one): one is Told => one?.status === 200) && before?.status === 200 && before.text() === after?.text()) {
        const list = before.json();
        const [totals, stats, queries, groups, services] = told.map((one) => one.json());
        const rows = list as readonly Row[];
        this.#totals(rows, totals as Members, stats as Members);
        this.#capacity(totals as Members, (services as { readonly services: readonly (Service & Members)[] }).services, ownBytes);
        this.#trimmed(rows, queries as readonly Members[]);
        this.#groups(rows, groups as readonly Group[]);
      }
    });
  }

  /** The list of queries is asked for before and after the others. */
  async #ask(node: OrreryNode, urls: readonly string[]): Promise<(Told | undefined)[]> {
    const before = await askInside(node, listUrl);
    const told = await Promise.all(urls.map((url) => askInside(node, url)));
    return [before, ...told, await askInside(node, listUrl)];
  }

  #totals(rows: readonly Row[], totals: Members, stats: Members): void {
    this.#check(
      JSON.stringify(totals) === JSON.stringify(stats),
      () => `/v1/cluster says ${JSON.stringify(totals)}, /ui/api/stats ${JSON.stringify(stats)}`,
    );
    const live = rows.filter(({ state }) => !ended.test(state));
    const sums = [
      ["runningDrivers", "runningDrivers"],
      ["queuedDrivers", "queuedDrivers"],
      ["reservedMemory", "totalMemoryReservation"],
      ["totalInputRows", "rawInputPositions"],
      ["totalInputBytes", "rawInputDataSize"],
    ] as const;
    for (const [name, member] of sums) {
      const parts = live.map(({ queryStats }) => amount(queryStats[member]));
      const sum = total(parts);
      this.#check(
        Math.abs(Number(totals[name]) - sum) <= sum * roundingShare + parts.length,
        () => `${name} of the cluster is ${String(totals[name])}; its live queries have ${parts.join(" ")}`,
      );
    }
    const cpuNanos = total(live.map(({ queryStats }) => amount(queryStats["totalCpuTime"])));
    const blocked = live.filter(({ queryStats }) => queryStats["fullyBlocked"] === true).length;
    this.#check(
      Math.abs(Number(totals["totalCpuTimeSecs"]) - cpuNanos / 1e9) <= 1 + (cpuNanos / 1e9) * roundingShare &&
        totals["blockedQueries"] === blocked &&
        totals["activeCoordinators"] === 1 &&
        totals["adjustedQueueSize"] === totals["queuedQueries"] &&
        Number(totals["processedRows"]) >= Number(totals["totalInputRows"]) &&
        Number(totals["processedBytes"]) >= Number(totals["totalInputBytes"]),
      () => `the cluster says ${JSON.stringify(totals)}; its live queries have used ${cpuNanos} ns, and ${blocked} are blocked`,
    );
  }

  /** A node that announces no memory is as large as the coordinator. */
  #capacity(totals: Members, services: readonly (Service & Members)[], ownBytes: number): void {
    const workers = services.filter(({ properties, state }) => properties["coordinator"] === "false" && state === "ACTIVE");
    const bytes = ownBytes + total(workers.map(({ properties }) => Number(properties["memory"] ?? ownBytes)));
    this.#check(
      totals["memoryCapacity"] === bytes && totals["activeWorkers"] === workers.length,
      () =>
        `the cluster has ${String(totals["memoryCapacity"])} bytes on ${String(totals["activeWorkers"])} workers; announced are ${bytes} on ${workers.length}`,
    );
  }

  #trimmed(rows: readonly Row[], queries: readonly Members[]): void {
    const ids = queries.map(({ queryId }) => queryId).join();
    this.#check(
      ids === rows.map(({ queryId }) => queryId).join(),
      () => `/ui/api/query has ${ids}, and /v1/query ${rows.map(({ queryId }) => queryId).join()}`,
    );
    for (const [index, row] of rows.entries()) {
      const query = queries[index] ?? {};
      const odd = trimmed.find(([name, of]) => {
        const value = query[name];
        return (Array.isArray(value) ? value.join(name === "resourceGroupId" ? "/" : ",") : value) !== of(row);
      });
      this.#check(
        odd === undefined,
        () =>
          `${row.queryId} has ${odd?.[0] ?? ""} ${String(query[odd?.[0] ?? ""])} in /ui/api/query, ${String(odd?.[1](row))} in /v1/query`,
      );
    }
  }

  #groups(rows: readonly Row[], groups: readonly Group[]): void {
    const { properties, resourceGroups } = this.#context.plan;
    if (resourceGroups !== undefined) {
      return;
    }
    const [group, ...others] = groups;
    const runningMax = numberProperty(properties, "query.max-concurrent-queries");
    const expected: Members = {
      schedulingPolicy: "FAIR",
      schedulingWeight: 1,
      softConcurrencyLimit: runningMax,
      hardConcurrencyLimit: runningMax,
      maxQueuedQueries: numberProperty(properties, "query.max-queued-queries"),
      numEligibleSubGroups: 0,
    };
    const odd = Object.entries(expected).find(([name, value]) => group?.[name] !== value);
    this.#check(
      others.length === 0 && group?.id.join() === "global" && group.subGroups.length === 0 && odd === undefined,
      () =>
        `there are ${groups.length} resource groups, with ${String(odd?.[0])} ${String(group?.[odd?.[0] ?? ""])}, not ${String(odd?.[1])}`,
    );
    if (group === undefined) {
      return;
    }
    const running = rows.filter(({ state }) => state !== "QUEUED" && !ended.test(state));
    const told = new Map(group.runningQueries.map((query) => [query["queryId"], query]));
    const missing = running.find(({ queryId, query, queryStats, session, state }) => {
      const found = told.get(queryId);
      const isSame = found?.["state"] === state && found["user"] === session["user"] && found["createTime"] === queryStats["createTime"];
      return !isSame || found["query"] !== query.slice(0, previewLength);
    });
    this.#check(
      told.size === running.length && missing === undefined,
      () =>
        `the resource group runs ${JSON.stringify(group.runningQueries)}; the list has ${running.length} that run, and ${String(missing?.queryId)}`,
    );
    const [memory, held] = [
      amount(group["memoryUsage"]),
      total(running.map(({ queryStats }) => amount(queryStats["totalMemoryReservation"]))),
    ];
    const [cpu, used] = [amount(group["cpuUsage"]), total(running.map(({ queryStats }) => amount(queryStats["totalCpuTime"])))];
    this.#check(
      Math.abs(memory - held) <= (memory + held) * roundingShare + running.length &&
        // A query that runs again has used the time of its lost attempts too, and shows that of the one that runs.
        (this.#hasRunAgain || this.#context.troubled()
          ? cpu >= used - (cpu + used) * roundingShare - running.length
          : Math.abs(cpu - used) <= (cpu + used) * roundingShare + running.length),
      () => `the resource group uses ${memory} bytes and ${cpu} ns; its queries use ${held} and ${used}`,
    );
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

function total(parts: readonly number[]): number {
  return parts.reduce((sum, part) => sum + part, 0);
}

/** Bytes, nanoseconds, or a number as it is. */
function amount(value: unknown): number {
  if (typeof value === "number") {
    return value;
  }
  const text = String(value);
  return (text.endsWith("B") ? parseDataSize(text) : parseDuration(text)) ?? Number.NaN;
}

export const clusterDocuments: ModelKind = {
  invariant: {
    name: "cluster-documents",
    sentence:
      "The cluster's totals, its resource group and the list of Trino's interface say what the list of queries says: the same queries with the same members, their sums, the limits of the configuration and the memory of the active nodes.",
    kind: "safety",
    checkedIn: "checkers/models/query/cluster-documents.ts",
  },
  create: (context) => new ClusterDocuments(context),
};
