/**
 * Who is in the cluster, as the coordinator says it. Written from docs/interface.md (Node), docs/configuration.md (discovery.max-age,
 * failure-detector.expiration-grace-interval) and the published protocol of announcements:
 * - The services are those of the coordinator and of each node whose last announcement it accepted, from then until the node withdraws it
 *   or it is too old: with the environment, pool, location and properties of that announcement. A list of one pool has those of that pool.
 * - A node's document has the address, version and role that the node announced, and its age is the time since this incarnation announced
 *   itself at this address. A node that is no longer announced is INACTIVE, without version and role, among the failed nodes, and is
 *   forgotten after the grace period.
 * - Services, the coordinator's first, and documents are in the order of their nodes' ids.
 * - Services and documents say the same state. Workers that announced a shutdown, or another version than the coordinator's, get no tasks.
 */
import { parseDuration } from "../../../../src/protocol/units.ts";
import { durationProperty } from "../../../properties.ts";
import { nanosPerMs, nanosPerSecond } from "../../../world/world.ts";
import { readBody } from "../../protocol/bodies.ts";
import type { Observed } from "../../protocol/wire.ts";
import { askInside } from "../inside.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

/** One in this many looks is at the lists. */
const lookEvery = 10;
const roundingShare = 0.006;
/** A timer that runs while a fault changes the speed of its clock keeps its old end; a node that computes is late. */
const clockShareMin = 0.7;
const lateNanos = 3 * nanosPerSecond;

interface Service {
  readonly type: string;
  readonly nodeId?: string;
  readonly pool?: string;
  readonly location?: string;
  readonly state?: string;
  readonly properties: Readonly<Record<string, string>>;
}

interface Announcement {
  readonly environment: string;
  readonly pool?: string;
  readonly location?: string;
  readonly services: readonly Service[];
}

interface ServiceList {
  readonly environment: string;
  readonly services: readonly Service[];
}

interface Listed {
  readonly nodeId: string;
  readonly uri: string;
  readonly age: string;
  readonly state: string;
  readonly nodeVersion?: string;
  readonly coordinator?: boolean;
}

interface Node {
  announcement: Announcement;
  readonly properties: Readonly<Record<string, string>>;
  /** By the coordinator's clock: the last announcement, the first one of this incarnation, and the withdrawal. */
  announcedNanos: number;
  sinceNanos: number;
  withdrawnNanos: number | undefined;
}

const announced = / (?:PUT|DELETE) \/v1\/announcement\//;

class Services implements Model {
  readonly notes = ["start", "serve"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #ageNanosMax: number;
  readonly #graceNanos: number;
  readonly #nodes = new Map<string, Node>();
  /** Announcements and withdrawals that the coordinator works on. */
  #inProgress = 0;
  #looks = 0;

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
    this.#ageNanosMax = durationProperty(context.plan.properties, "discovery.max-age") * nanosPerMs;
    this.#graceNanos = durationProperty(context.plan.properties, "failure-detector.expiration-grace-interval") * nanosPerMs;
  }

  note({ place, kind, detail }: Note): void {
    if (place !== this.#coordinator) {
      return;
    }
    if (kind === "start") {
      this.#nodes.clear();
      this.#inProgress = 0;
    } else if (announced.test(detail)) {
      this.#inProgress++;
    }
  }

  observe({ to, path, request, response, json }: Observed): void {
    const [, version, resource, name = ""] = to === this.#coordinator ? path.split("/") : [];
    if (version !== "v1" || (resource !== "announcement" && resource !== "service")) {
      return;
    }
    if (resource === "service") {
      if (response.status === 200) {
        this.#services(json() as ServiceList, name, path.split("/")[4]);
      }
      return;
    }
    this.#inProgress = Math.max(0, this.#inProgress - 1);
    if (response.status < 300 && request.method === "PUT") {
      this.#announced(name, readBody(request.body).json() as Announcement);
      if (response.status === 200) {
        this.#services(json() as ServiceList, "orrery", undefined);
      }
    } else if (response.status < 300 && request.method === "DELETE") {
      const known = this.#nodes.get(name);
      if (known !== undefined) {
        known.withdrawnNanos ??= this.#now;
      }
    }
  }

  look(): void {
    const node = this.#context.node(this.#coordinator);
    if (this.#looks++ % lookEvery !== 0 || node === undefined || this.#inProgress > 0) {
      return;
    }
    const workers = node.cluster?.activeWorkers().map(({ nodeId }) => nodeId) ?? [];
    const pool = ["general", "other"][Math.floor(this.#looks / lookEvery) % 2] ?? "";
    const urls = ["/v1/service/orrery", "/v1/node", "/v1/node/failed", `/v1/service/presto/${pool}`];
    // All are asked in one event, and judged by what was announced when they were asked.
    const nodes = new Map([...this.#nodes].map(([name, known]) => [name, { ...known }]));
    const nowNanos = this.#now;
    void Promise.all(urls.map((url) => askInside(node, url))).then((told) => {
      const [services, listed, failed, inPool] = told.map((one) => (one?.status === 200 ? one.json() : undefined));
      if (services === undefined || listed === undefined || failed === undefined || inPool === undefined) {
        return;
      }
      const then = { nodes, nowNanos };
      this.#services(services as ServiceList, "orrery", undefined, then);
      this.#services(inPool as ServiceList, "presto", pool, then);
      this.#documents(
        listed as readonly Listed[],
        { failed: failed as readonly Listed[], services: services as ServiceList, workers },
        then,
      );
    });
  }

  get #now(): number {
    return this.#context.localNanos(this.#coordinator);
  }

  #announced(name: string, announcement: Announcement): void {
    const nowNanos = this.#now;
    const known = this.#nodes.get(name);
    const properties = announcement.services[0]?.properties ?? {};
    const isSame = known?.properties["life"] === properties["life"] && addressOf(known?.properties) === addressOf(properties);
    const left = known === undefined ? undefined : this.#leftNanos(known);
    // A node that may have been forgotten meanwhile is new, or is not; then its age says nothing.
    const isForgotten = left === undefined || nowNanos - left >= this.#graceNanos * clockShareMin;
    const since = isSame && known !== undefined && (left === undefined || !isForgotten) ? known.sinceNanos : nowNanos;
    const isUnclear = isSame && left !== undefined && isForgotten;
    this.#nodes.set(name, {
      announcement,
      properties,
      announcedNanos: nowNanos,
      sinceNanos: isUnclear ? Number.NaN : since,
      withdrawnNanos: undefined,
    });
  }

  /** Time at which the announcement was withdrawn, or may have become too old. */
  #leftNanos({ announcedNanos, withdrawnNanos }: Node, nowNanos: number = this.#now): number | undefined {
    const old = announcedNanos + this.#ageNanosMax * clockShareMin;
    return withdrawnNanos ?? (nowNanos >= old ? old : undefined);
  }

  /** Whether the node is announced; undefined if the documents leave it open. */
  #isAnnounced({ announcedNanos, withdrawnNanos }: Node, nowNanos: number): boolean | undefined {
    const ageNanos = nowNanos - announcedNanos;
    if (withdrawnNanos !== undefined) {
      return false;
    }
    const isOld = ageNanos > this.#ageNanosMax / clockShareMin + lateNanos && !this.#wasHit(ageNanos);
    return ageNanos < this.#ageNanosMax * clockShareMin ? true : isOld ? false : undefined;
  }

  #services(
    { environment, services }: ServiceList,
    type: string,
    pool: string | undefined,
    { nodes, nowNanos } = { nodes: this.#nodes as ReadonlyMap<string, Node>, nowNanos: this.#now },
  ): void {
    const where = `the services of ${type}${pool === undefined ? "" : `/${pool}`}`;
    const isKnownType = /^(?:orrery|presto|trino)$/.test(type);
    const expected = new Map(
      [...nodes].filter(([, { announcement }]) => isKnownType && (pool ?? poolOf(announcement)) === poolOf(announcement)),
    );
    for (const [name, known] of expected) {
      const count = services.filter(({ nodeId }) => nodeId === name).length;
      const isAnnounced = this.#isAnnounced(known, nowNanos);
      this.#check(
        count === ((isAnnounced ?? count > 0) ? 1 : 0),
        () => `${where} have ${name} ${count} times, ${ms(nowNanos - known.announcedNanos)} ms after its announcement`,
      );
    }
    this.#ordered(
      where,
      services.filter(({ nodeId }) => nodeId !== this.#coordinator),
    );
    for (const { nodeId = "", properties, location, ...service } of services) {
      const known = expected.get(nodeId);
      const isOwn = nodeId === this.#coordinator;
      this.#check(
        (known !== undefined || isOwn) && service.type === type && (pool ?? service.pool) === service.pool,
        () => `${where} have ${nodeId} of ${service.type}/${String(service.pool)}`,
      );
      if (known !== undefined) {
        const { announcement } = known;
        const isTrue =
          environment === announcement.environment &&
          service.pool === poolOf(announcement) &&
          location === announcement.location &&
          sameMembers(properties, known.properties);
        this.#check(
          isTrue,
          () => `${where} say ${JSON.stringify({ environment, location, properties })}; ${nodeId} said ${JSON.stringify(announcement)}`,
        );
        // One that leaves is not ACTIVE.
        this.#check(
          known.properties["state"] !== "SHUTTING_DOWN" || service.state !== "ACTIVE",
          () => `${nodeId} announced that it is SHUTTING_DOWN, and is ${String(service.state)} in ${where}`,
        );
      } else if (isOwn) {
        this.#check(
          properties["coordinator"] === "true" && addressOf(properties) === `http://${nodeId}:8080`,
          () => `the coordinator says ${JSON.stringify(properties)} of itself`,
        );
      }
    }
    this.#check(
      services.some(({ nodeId }) => nodeId === this.#coordinator) === (isKnownType && (pool ?? "general") === "general"),
      () => `${where} do not have the coordinator exactly if they are of its pool`,
    );
  }

  #ordered(where: string, nodes: readonly { readonly nodeId?: string }[]): void {
    const ids = nodes.map(({ nodeId = "" }) => nodeId);
    this.#check(
      ids.every((id, index) => index === 0 || (ids[index - 1] ?? "") < id),
      () => `${where} are ${ids.join()}, not in the order of their ids`,
    );
  }

  #documents(
    listed: readonly Listed[],
    others: { readonly failed: readonly Listed[]; readonly services: ServiceList; readonly workers: readonly string[] },
    { nodes, nowNanos }: { readonly nodes: ReadonlyMap<string, Node>; readonly nowNanos: number },
  ): void {
    const { failed, services, workers } = others;
    const states = new Map(services.services.map(({ nodeId, state }) => [nodeId, state]));
    this.#ordered("the node documents", listed);
    this.#ordered("the failed nodes", failed);
    for (const [name, known] of nodes) {
      const [document, ...more] = listed.filter(({ nodeId }) => nodeId === name);
      const isAnnounced = this.#isAnnounced(known, nowNanos) ?? states.has(name);
      const goneNanos = nowNanos - (this.#leftNanos(known, nowNanos) ?? nowNanos);
      const isForgotten = goneNanos > this.#graceNanos / clockShareMin + this.#ageNanosMax + lateNanos && !this.#wasHit(goneNanos);
      const mayBeForgotten = !isAnnounced && goneNanos >= this.#graceNanos * clockShareMin;
      const isCoordinator = known.properties["coordinator"] === "true";
      this.#check(
        more.length === 0 && (isCoordinator || (document === undefined ? mayBeForgotten : !isForgotten)),
        () => `${name} has ${more.length + (document === undefined ? 0 : 1)} node documents, ${ms(goneNanos)} ms after it left`,
      );
      if (document !== undefined) {
        this.#document(name, document, { known, isAnnounced, state: states.get(name), nowNanos });
        this.#check(
          isAnnounced || failed.some(({ nodeId }) => nodeId === name),
          () => `${name} is not announced, and not among the failed nodes`,
        );
      }
    }
    const version = services.services.find(({ nodeId }) => nodeId === this.#coordinator)?.properties["node_version"];
    const odd = workers.find((name) => {
      const known = nodes.get(name);
      return known !== undefined && (known.properties["state"] === "SHUTTING_DOWN" || known.properties["node_version"] !== version);
    });
    this.#check(odd === undefined, () => `${String(odd)} gets tasks; it announced ${JSON.stringify(nodes.get(odd ?? "")?.properties)}`);
    const idle = [...states].find(([name = "", state]) => (state === "ACTIVE") !== workers.includes(name) && name !== this.#coordinator);
    this.#check(idle === undefined, () => `${String(idle?.join(" is "))} in the services; ${workers.join()} get tasks`);
  }

  #document(
    name: string,
    { age, coordinator, nodeVersion, state, uri }: Listed,
    now: { readonly known: Node; readonly isAnnounced: boolean; readonly state: string | undefined; readonly nowNanos: number },
  ): void {
    const { isAnnounced, known, nowNanos } = now;
    const { properties, sinceNanos } = known;
    const isTrue = isAnnounced
      ? nodeVersion === properties["node_version"] && coordinator === false && uri === addressOf(properties) && state === now.state
      : nodeVersion === undefined && coordinator === undefined && state === "INACTIVE";
    this.#check(
      isTrue,
      () =>
        `${name} at ${uri} is ${state}, of version ${String(nodeVersion)}, coordinator ${String(coordinator)}; it ${isAnnounced ? "announced" : "has left"} ${JSON.stringify(properties)} and is ${String(now.state)} in the services`,
    );
    const expected = nowNanos - sinceNanos;
    const told = parseDuration(age) ?? Number.NaN;
    this.#check(
      Number.isNaN(sinceNanos) || Math.abs(told - expected) <= expected * roundingShare + nanosPerMs,
      () => `${name} has the age ${age}; its incarnation announced itself ${ms(expected)} ms ago`,
    );
  }

  /** Whether a fault kept the coordinator from working in this time. */
  #wasHit(nanos: number): boolean {
    return this.#context.facts.hitSince(this.#coordinator, this.#context.nowNanos() - nanos - lateNanos);
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

function poolOf({ pool = "general" }: Announcement): string {
  return pool;
}

function addressOf(properties: Readonly<Record<string, string>> | undefined): string | undefined {
  return properties?.["http"]?.replace(/\/+$/, "");
}

function sameMembers(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

function ms(nanos: number): string {
  return (nanos / nanosPerMs).toFixed(0);
}

export const services: ModelKind = {
  invariant: {
    name: "services",
    sentence:
      "The coordinator lists the nodes that are announced, with what they announced, until they withdraw it or it is too old; their documents have the same state, the announced version and address, and the age of the incarnation; a node that left is INACTIVE, and forgotten after the grace period.",
    kind: "safety",
    checkedIn: "checkers/models/node/services.ts",
  },
  create: (context) => new Services(context),
};
