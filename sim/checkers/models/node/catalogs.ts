/**
 * Catalogs of the nodes. Written from docs/connectors.md (Catalogs at run time) and docs/interface.md (Overload and shutdown):
 * - `GET /v1/catalog` lists the catalogs of a node once each, in the order of their names. DYNAMIC ones are those that were created at run
 *   time: on the coordinator by a statement that succeeded, on a worker by an assignment; each has the connector that it was created with.
 *   The others are STATIC, and the same on every node.
 * - The coordinator assigns to workers what was created, with one version for each creation, and takes away what was dropped.
 * - A worker announces its catalogs, and has announced an assignment when it answers it. One that has announced other catalogs than those
 *   of the cluster is told soon, unless it refused.
 */
import { nanosPerMs, nanosPerSecond } from "../../../world/world.ts";
import { readBody } from "../../protocol/bodies.ts";
import type { Observed } from "../../protocol/wire.ts";
import { askInside } from "../inside.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "../model.ts";

/** One in this many looks is at a node's list. */
const lookEvery = 6;
/** A worker that differs is told within its time-outs, retries and the next announcement. */
const toldNanos = 30 * nanosPerSecond;
const statement = /^\s*(CREATE|DROP)\s+CATALOG\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?"?([a-z0-9_]+)"?(?:\s+USING\s+"?(\w+)"?)?/i;
const change = / (?:PUT|DELETE) \/v1\/catalog\/([^/?]+)$/;

interface Catalog {
  readonly connector: string;
  /** Unknown on the coordinator before it is assigned. */
  version: string | undefined;
}

/** What one life of a node has. */
interface Held {
  readonly catalogs: Map<string, Catalog>;
  /** Names that the documents leave open: changes in progress (a count), and those that failed (infinite). */
  readonly unclear: Map<string, number>;
  /** Of a worker: what its last accepted announcement says. */
  announced: Announced | undefined;
  /** Since when the announcement differs from the cluster's catalogs, by the world's clock. */
  differsNanos: number | undefined;
}

interface Announced {
  readonly names: readonly string[];
  readonly versions: ReadonlyMap<string, string>;
}

interface Listed {
  readonly catalogName: string;
  readonly connectorName: string;
  readonly management: string;
}

class CatalogModel implements Model {
  readonly notes = ["start", "serve"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #places: readonly string[];
  readonly #held = new Map<string, Held>();
  /** Statements that change catalogs, by query, until they end. */
  readonly #statements = new Map<string, RegExpExecArray>();
  /** Ends of queries whose submission has not been answered. */
  readonly #early = new Map<string, string>();
  /** Static catalogs, of the first list. */
  #static: string | undefined;
  #looks = 0;

  constructor(context: Judged) {
    const { coordinator, workers } = context.plan;
    this.#context = context;
    this.#coordinator = coordinator.name;
    this.#places = [coordinator, ...workers].map(({ name }) => name);
  }

  note({ place, kind, detail }: Note): void {
    if (kind === "start") {
      this.#held.delete(place);
      if (place === this.#coordinator) {
        this.#statements.clear();
        this.#early.clear();
        for (const held of this.#held.values()) {
          held.announced = undefined;
          held.differsNanos = undefined;
        }
      }
      return;
    }
    const [, name] = place === this.#coordinator ? [] : (change.exec(detail) ?? []);
    if (name !== undefined) {
      this.#suspend(place, name, 1);
    }
  }

  observeTransition({ kind, id, to, place }: Transition): void {
    if (kind !== "query" || place !== this.#coordinator || (to !== "FINISHED" && to !== "FAILED")) {
      return;
    }
    const made = this.#statements.get(id);
    if (made === undefined) {
      this.#early.set(id, to);
    } else {
      this.#ended(id, made, to);
    }
  }

  observe(answer: Observed): void {
    const { to, path, request, response, json } = answer;
    if (path.startsWith("/v1/announcement/")) {
      if (to === this.#coordinator && response.status < 300) {
        this.#announced(path.split("/")[3] ?? "", request.method === "PUT" ? readBody(request.body).text() : undefined);
      }
    } else if (path.startsWith("/v1/catalog")) {
      const name = path.split("/")[3];
      if (name === undefined && request.method === "GET" && response.status === 200) {
        this.#list(to, json() as readonly Listed[]);
      } else if (name !== undefined && to !== this.#coordinator && path.split("/").length === 4) {
        this.#assigned(answer, name);
      }
    } else if (to === this.#coordinator && path.startsWith("/v1/statement") && request.body.length > 0 && response.status === 200) {
      this.#submitted(answer);
    }
  }

  look(): void {
    if (this.#looks++ % lookEvery !== 0) {
      return;
    }
    const place = this.#places[Math.floor(this.#looks / lookEvery) % this.#places.length] ?? "";
    const held = this.#of(place);
    const before = JSON.stringify([[...held.catalogs], [...held.unclear]]);
    void askInside(this.#context.node(place), "/v1/catalog").then((told) => {
      if (told?.status === 200 && before === JSON.stringify([[...held.catalogs], [...held.unclear]])) {
        this.#list(place, told.json() as readonly Listed[]);
      }
    });
    this.#checkTold();
  }

  #of(place: string): Held {
    const known = this.#held.get(place);
    const held = known ?? { catalogs: new Map(), unclear: new Map(), announced: undefined, differsNanos: undefined };
    this.#held.set(place, held);
    return held;
  }

  #suspend(place: string, name: string, by: number): void {
    const { unclear } = this.#of(place);
    unclear.set(name, (unclear.get(name) ?? 0) + by);
  }

  #isClear(place: string, name: string): boolean {
    return (this.#of(place).unclear.get(name) ?? 0) <= 0;
  }

  #submitted({ request, json }: Observed): void {
    const made = statement.exec(readBody(request.body).text());
    if (made === null) {
      return;
    }
    const { id } = json() as { readonly id: string };
    const end = this.#early.get(id);
    if (this.#statements.has(id)) {
      return;
    }
    this.#statements.set(id, made);
    this.#suspend(this.#coordinator, made[2] ?? "", 1);
    if (end !== undefined) {
      this.#early.delete(id);
      this.#ended(id, made, end);
    }
  }

  #ended(_id: string, [, verb = "", name = "", connector = ""]: RegExpExecArray, to: string): void {
    const { catalogs } = this.#of(this.#coordinator);
    if (to === "FAILED") {
      // It may have been cancelled while workers were told.
      this.#suspend(this.#coordinator, name, Number.POSITIVE_INFINITY);
      return;
    }
    this.#suspend(this.#coordinator, name, -1);
    if (verb.toUpperCase() === "DROP") {
      catalogs.delete(name);
    } else if (!catalogs.has(name)) {
      catalogs.set(name, { connector, version: undefined });
    }
  }

  /** An assignment, or its end, that a worker has answered. */
  #assigned({ to, request, response, isSenderAlive = true }: Observed, name: string): void {
    this.#suspend(to, name, -1);
    const { announced, catalogs } = this.#of(to);
    const own = this.#of(this.#coordinator).catalogs.get(name);
    // What a former life of the coordinator has assigned is put right with the next announcement.
    const isClear = isSenderAlive && this.#isClear(this.#coordinator, name);
    if (response.status !== 204) {
      // It may have been made without the announcement.
      this.#suspend(to, name, Number.POSITIVE_INFINITY);
      return;
    }
    if (request.method === "DELETE") {
      this.#check(!isClear || own === undefined, () => `${to} is to drop ${name}, a catalog of the cluster`);
      catalogs.delete(name);
      this.#check(
        announced?.versions.has(name) !== true,
        () => `${to} has answered that ${name} is dropped, and announced ${JSON.stringify(announced?.names)}`,
      );
      return;
    }
    const { version, connectorName } = readBody(request.body).json() as { readonly version: string; readonly connectorName: string };
    if (isClear) {
      this.#check(
        own?.connector === connectorName,
        () => `${to} is to have ${name} of ${connectorName}; created was ${String(own?.connector)}`,
      );
      this.#check(
        (own?.version ?? version) === version,
        () => `${to} is to have ${name} of version ${version}, others have ${String(own?.version)}`,
      );
      if (own !== undefined) {
        own.version = version;
      }
    }
    catalogs.set(name, { connector: connectorName, version });
    this.#check(
      announced === undefined || announced.versions.get(name) === version,
      () => `${to} has answered that it has ${name} of version ${version}, and announced ${String(announced?.versions.get(name))}`,
    );
  }

  /** `text` is undefined for a withdrawal. */
  #announced(place: string, text: string | undefined): void {
    if (!this.#places.includes(place)) {
      return;
    }
    const held = this.#of(place);
    const { connectorIds, catalogVersions = "" } = propertiesOf(text);
    held.announced =
      connectorIds === undefined
        ? undefined
        : {
            names: connectorIds.split(","),
            versions: new Map(
              catalogVersions
                .split(",")
                .filter((entry) => entry !== "")
                .map((entry) => entry.split("=") as [string, string]),
            ),
          };
    const { announced } = held;
    const odd = [...(announced?.versions.keys() ?? [])].find((name) => announced?.names.includes(name) !== true);
    this.#check(odd === undefined, () => `${place} announces a version of ${String(odd)}, and not the catalog`);
    if (announced !== undefined && this.#static !== undefined) {
      const own = announced.names.filter((name) => !announced.versions.has(name)).toSorted();
      this.#check(
        own.join() === this.#static,
        () => `${place} announces the catalogs ${own.join()}; of the configuration are ${this.#static}`,
      );
    }
  }

  #list(place: string, listed: readonly Listed[]): void {
    const names = listed.map(({ catalogName }) => catalogName);
    const isOrdered = names.every((name, index) => index === 0 || name > (names[index - 1] ?? ""));
    this.#check(isOrdered, () => `${place} lists the catalogs ${names.join()}, not in their order`);
    const { catalogs } = this.#of(place);
    const dynamic = new Map(listed.filter(({ management }) => management === "DYNAMIC").map((one) => [one.catalogName, one.connectorName]));
    for (const name of new Set([...catalogs.keys(), ...dynamic.keys()])) {
      this.#check(
        !this.#isClear(place, name) || dynamic.get(name) === catalogs.get(name)?.connector,
        () => `${place} lists ${name} of ${String(dynamic.get(name))}; it was given one of ${String(catalogs.get(name)?.connector)}`,
      );
    }
    const fixed = listed.filter(({ catalogName }) => !dynamic.has(catalogName));
    const odd = fixed.find(({ management, connectorName }) => management !== "STATIC" || connectorName === "");
    this.#check(odd === undefined, () => `${place} lists ${JSON.stringify(odd)}`);
    const connectors = ["memory", "system", "tpch"].map((name) => fixed.find(({ catalogName }) => catalogName === name)?.connectorName);
    this.#check(connectors.join() === "memory,system,tpch", () => `${place} lists ${JSON.stringify(fixed)}`);
    const own = fixed
      .map(({ catalogName }) => catalogName)
      .toSorted()
      .join();
    this.#static ??= own;
    this.#check(own === this.#static, () => `${place} has the catalogs ${own} of the configuration, other nodes have ${this.#static}`);
  }

  /** A worker that lacks a catalog of the cluster, or has another one, does not stay so. */
  #checkTold(): void {
    const { node, nowNanos, facts } = this.#context;
    const { catalogs, unclear } = this.#of(this.#coordinator);
    const active =
      node(this.#coordinator)
        ?.cluster?.activeWorkers()
        .map(({ nodeId }) => nodeId) ?? [];
    for (const place of this.#places.slice(1)) {
      const held = this.#of(place);
      const { announced } = held;
      const isOpen =
        announced === undefined || !active.includes(place) || [...held.unclear.values(), ...unclear.values()].some((count) => count > 0);
      const isEqual =
        isOpen || (announced.versions.size === catalogs.size && [...catalogs.keys()].every((name) => announced.versions.has(name)));
      held.differsNanos = isEqual ? undefined : (held.differsNanos ?? nowNanos());
      const { differsNanos } = held;
      this.#context.check(
        differsNanos === undefined ||
          nowNanos() - differsNanos <= toldNanos ||
          facts.hitSince(place, differsNanos) ||
          facts.troubledSince(this.#coordinator, place, differsNanos),
        () =>
          `${place} has the catalogs ${[...(announced?.versions.keys() ?? [])].join()} for ${ms(nowNanos() - (differsNanos ?? 0))} ms; the cluster has ${[...catalogs.keys()].join()}`,
        "liveness",
      );
    }
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

function propertiesOf(text: string | undefined): { readonly connectorIds?: string; readonly catalogVersions?: string } {
  if (text === undefined) {
    return {};
  }
  const { services } = JSON.parse(text) as { readonly services: readonly { readonly properties: Readonly<Record<string, string>> }[] };
  return services[0]?.properties ?? {};
}

function ms(nanos: number): string {
  return (nanos / nanosPerMs).toFixed(0);
}

export const catalogs: ModelKind = {
  invariant: {
    name: "catalogs",
    sentence:
      "A node lists its catalogs in order, each with its connector: those of the configuration, which all nodes share, and those that were created at run time; workers are assigned what was created, with one version, announce it before they answer, and lose what was dropped.",
    kind: "safety",
    checkedIn: "checkers/models/node/catalogs.ts",
  },
  create: (context) => new CatalogModel(context),
};
