/**
 * What a node tells of itself, to people, gateways and orchestrators, written from docs/interface.md (Node; Query and cluster; Overload
 * and shutdown), docs/operations.md and the published protocol:
 * - `/livez` lives. `/readyz` is ready exactly if `/v1/info` is not starting and the node is ACTIVE; otherwise it says 503 and when to ask.
 * - It is SHUTTING_DOWN from when it was told to, says whether it is the coordinator, and has been up since its start.
 * - Its memory is that of its accounts. The resource group counts the queries that the cluster counts.
 * - Only the coordinator monitors nodes: a worker lists none, and failed nodes are nodes.
 * - What a node does is the sum of what it does for each query; what nodes hold for a query is what its stages hold.
 */
import { parseDataSize, parseDuration } from "../../../../src/protocol/units.ts";
import { askInside, type Told } from "../inside.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

/** One in this many looks is at a node. */
const lookEvery = 6;
const roundingShare = 0.006;

interface Info {
  readonly coordinator: boolean;
  readonly starting: boolean;
  readonly uptime: string;
  readonly environment: string;
}

interface Status {
  readonly nodeId: string;
  readonly coordinator: boolean;
  readonly uptime: string;
  readonly environment: string;
  readonly externalAddress: string;
  readonly internalAddress: string;
  readonly heapUsed: number;
  readonly memoryInfo: { readonly pools: Readonly<Record<string, Readonly<Record<"maxBytes" | "reservedBytes" | "freeBytes", number>>>> };
}

interface Group {
  readonly state: string;
  readonly hardConcurrencyLimit: number;
  readonly maxQueuedQueries: number;
  readonly numQueuedQueries: number;
  readonly numRunningQueries: number;
  readonly runningQueries: readonly { readonly queryId: string; readonly state: string }[];
}

interface Work {
  readonly runningTasks?: number;
  readonly memoryReservation?: string;
}

interface Listed extends Work {
  readonly uri: string;
  readonly queries?: readonly (Work & { readonly queryId: string })[];
}

interface Stage {
  readonly stageId: string;
  readonly plan: { readonly partitioning: { readonly connectorHandle: { readonly partitioning: string } } };
  readonly stageStats: { readonly totalMemoryReservation: string };
  readonly subStages?: readonly Stage[];
}

interface Totals {
  readonly runningQueries: number;
  readonly queuedQueries: number;
  readonly blockedQueries: number;
  readonly activeWorkers: number;
  readonly totalAvailableProcessors: number;
}

function isTurnedAway({ header, status }: Told): boolean {
  return status === 503 && header("retry-after") !== undefined;
}

class NodeInfoModel implements Model {
  readonly notes = ["start", "log-info"];
  readonly #context: Judged;
  readonly #places: readonly string[];
  /** Places that were told to shut down. */
  readonly #leaving = new Set<string>();
  #looks = 0;

  constructor(context: Judged) {
    this.#context = context;
    this.#places = [context.plan.coordinator, ...context.plan.workers].map(({ name }) => name);
  }

  note({ place, kind, detail }: Note): void {
    if (kind === "start") {
      this.#leaving.delete(place);
    } else if (detail.startsWith("shutdown-started")) {
      this.#leaving.add(place);
    }
  }

  look(): void {
    if (this.#looks++ % lookEvery === 0) {
      const place = this.#places[Math.floor(this.#looks / lookEvery) % this.#places.length] ?? "";
      void this.#node(place);
    }
  }

  /** All addresses are asked in one event. */
  async #node(place: string): Promise<void> {
    const node = this.#context.node(place);
    if (node === undefined) {
      return;
    }
    const isLeaving = this.#leaving.has(place);
    const up = this.#context.localNanos(place);
    const { incarnation } = node;
    const { sizeBytes, reservedBytes } = node.accounts();
    const isCoordinator = place === this.#places[0];
    const urls = ["/v1/info", "/v1/info/state", "/v1/info/coordinator", "/v1/status", "/livez", "/readyz", "/v1/node", "/v1/node/failed"];
    const [info, state, role, status, live, ready, nodes, failed, group, totals] = (await Promise.all(
      [...urls, ...(isCoordinator ? ["/v1/resourceGroupState", "/v1/cluster"] : [])].map((url) => askInside(node, url)),
    )) as [Told, Told, Told, Told, Told, Told, Told, Told, Told | undefined, Told | undefined];
    if (isLeaving && [info, state, role, status, live, ready, nodes, failed].every(isTurnedAway)) {
      // The node is closing: what it had to do before it leaves is over.
      return;
    }
    this.#check(
      [info, state, status, live, nodes, failed].every((told) => told.status === 200),
      () =>
        `${place} answers ${urls.join()} with ${[info, state, role, status, live, ready, nodes, failed].map((told) => told.status).join()}`,
    );
    const [about, own, now] = [info.json() as Info, status.json() as Status, String(state.json())];
    this.#nodes(place, isCoordinator, [nodes, failed]);
    this.#ready(place, ready, now === "ACTIVE" && !about.starting);
    this.#state(place, now, { told: status.header("x-engine-node-state"), isLeaving });
    this.#check(
      about.coordinator === isCoordinator && own.coordinator === isCoordinator && role.status === (isCoordinator ? 200 : 404),
      () => `${place} says ${String(about.coordinator)}, ${String(own.coordinator)}, ${role.status} of whether it is the coordinator`,
    );
    const isUp = (text: string): boolean => Math.abs((parseDuration(text) ?? Number.NaN) - up) <= up * roundingShare + 10;
    this.#check(
      isUp(about.uptime) && isUp(own.uptime),
      () => `${place} is up for ${about.uptime}, ${own.uptime}; by its clock for ${up} ns`,
    );
    const life = status.header("x-engine-node-life");
    const isItself = own.externalAddress === place && own.internalAddress === place;
    this.#check(
      isItself && about.environment === own.environment && life === incarnation,
      () => `${place} calls itself ${own.externalAddress} of ${own.environment}, ${about.environment}, life ${String(life)}`,
    );
    const { general } = own.memoryInfo.pools;
    const isWhole = general?.reservedBytes === reservedBytes && general.freeBytes === sizeBytes - reservedBytes;
    this.#check(
      isWhole && general.maxBytes === sizeBytes && own.heapUsed === reservedBytes,
      () => `${place} says ${JSON.stringify(general)} of its memory, and has reserved ${reservedBytes} of ${sizeBytes} bytes`,
    );
    if (group?.status === 200 && totals?.status === 200) {
      const [resourceGroup] = group.json() as readonly Group[];
      this.#group(resourceGroup, totals.json() as Totals);
      const running = resourceGroup?.runningQueries ?? [];
      const queryId = running[Math.floor(this.#looks / lookEvery) % Math.max(1, running.length)]?.queryId;
      if (queryId !== undefined) {
        // Both are asked in one event, and speak of the same reports of tasks.
        const [detail, list] = await Promise.all([`/v1/query/${queryId}`, "/v1/node"].map((url) => askInside(node, url)));
        if (detail?.status === 200 && list?.status === 200) {
          const { outputStage } = detail.json() as { readonly outputStage: Stage | { readonly plan?: undefined } };
          this.#work(queryId, list.json() as readonly Listed[], outputStage.plan === undefined ? undefined : outputStage);
        }
      }
    }
  }

  #state(place: string, now: string, { told, isLeaving }: { readonly told: string | undefined; readonly isLeaving: boolean }): void {
    this.#check(
      told === now && (now === "SHUTTING_DOWN") === isLeaving,
      () => `${place} is ${now}, in its status ${String(told)}; it ${isLeaving ? "was" : "was not"} told to leave`,
    );
  }

  #nodes(place: string, isCoordinator: boolean, [nodes, failed]: readonly [Told, Told]): void {
    const [all, lost] = [nodes, failed].map((told) => told.json() as readonly Listed[]) as [readonly Listed[], readonly Listed[]];
    this.#check(
      isCoordinator || all.length + lost.length === 0,
      () => `${place} is a worker and lists ${all.length} nodes, ${lost.length} of them failed`,
    );
    const known = new Set(all.map(({ uri }) => uri));
    const stranger = lost.find(({ uri }) => !known.has(uri));
    this.#check(stranger === undefined, () => `${place} lists ${String(stranger?.uri)} among the failed nodes and not among the nodes`);
  }

  /** `root` is undefined for a query that has no stages yet, or never has any. */
  #work(queryId: string, nodes: readonly Listed[], root: Stage | undefined): void {
    for (const { uri, runningTasks = 0, memoryReservation = "0B", queries = [] } of nodes) {
      const tasks = queries.reduce((sum, query) => sum + (query.runningTasks ?? 0), 0);
      const isWhole = near(
        memoryReservation,
        queries.map((query) => query.memoryReservation ?? "0B"),
      );
      this.#check(
        tasks === runningTasks && isWhole && new Set(queries.map((query) => query.queryId)).size === queries.length,
        () => `${uri} has ${runningTasks} tasks and ${memoryReservation}, by query ${JSON.stringify(queries)}`,
      );
    }
    if (root === undefined || this.#context.troubled()) {
      return;
    }
    const stages = [root];
    for (const stage of stages) {
      stages.push(...(stage.subStages ?? []));
    }
    const held = stages
      .filter(({ plan }) => plan.partitioning.connectorHandle.partitioning !== "COORDINATOR")
      .map(({ stageStats }) => stageStats.totalMemoryReservation);
    const onNodes = nodes.flatMap(({ queries = [] }) => queries.filter((query) => query.queryId === queryId));
    const told = onNodes.map(({ memoryReservation = "0B" }) => memoryReservation);
    this.#check(
      Math.abs(bytesOf(told) - bytesOf(held)) <= (bytesOf(told) + bytesOf(held)) * roundingShare + held.length + told.length,
      () => `nodes hold ${told.join(" ")} for ${queryId}; its stages on workers hold ${held.join(" ")}`,
    );
  }

  #ready(place: string, { status, header }: Told, isReady: boolean): void {
    this.#check(
      isReady ? status === 200 : status === 503 && Number(header("retry-after")) > 0,
      () =>
        `${place} ${isReady ? "can" : "cannot"} run a query, and /readyz says ${status}, to be asked again after ${String(header("retry-after"))}`,
    );
  }

  #group(group: Group | undefined, totals: Totals): void {
    const { state, numQueuedQueries: queued = 0, numRunningQueries: running = 0 } = group ?? {};
    const { hardConcurrencyLimit = 0, maxQueuedQueries = 0, runningQueries = [] } = group ?? {};
    const expected = running < hardConcurrencyLimit ? "CAN_RUN" : queued < maxQueuedQueries ? "CAN_QUEUE" : "FULL";
    const isCounted = queued === totals.queuedQueries && running === totals.runningQueries && running <= hardConcurrencyLimit;
    this.#check(
      isCounted && state === expected,
      () => `the resource group is ${String(state)} with ${running} running, ${queued} queued; the cluster has ${JSON.stringify(totals)}`,
    );
    const odd = runningQueries.find((query) => /^(?:QUEUED|FINISHED|FAILED)$/.test(query.state));
    this.#check(
      odd === undefined,
      () => `${String(odd?.queryId)} is ${String(odd?.state)}, among the running queries of the resource group`,
    );
    const { blockedQueries, runningQueries: all, activeWorkers, totalAvailableProcessors: processors } = totals;
    this.#check(
      blockedQueries <= all && processors === activeWorkers,
      () => `the cluster has ${blockedQueries} blocked of ${all} queries, and ${processors} processors of ${activeWorkers} workers`,
    );
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + (parseDataSize(text) ?? Number.NaN), 0);
}

/** Sizes have two decimal places. */
function near(total: string, parts: readonly string[]): boolean {
  const [whole, sum] = [bytesOf([total]), bytesOf(parts)];
  return Math.abs(whole - sum) <= (whole + sum) * roundingShare + parts.length;
}

export const nodeInfo: ModelKind = {
  invariant: {
    name: "node-info",
    sentence:
      "What a node tells of itself agrees: live, ready, state, role, time since its start, memory; and the resource group with the cluster's totals. A worker lists no nodes.",
    kind: "safety",
    checkedIn: "checkers/models/node/node-info.ts",
  },
  create: (context) => new NodeInfoModel(context),
};
