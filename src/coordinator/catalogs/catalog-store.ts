/**
 * Catalogs that are created at run time, cluster-wide. The coordinator keeps them in memory and assigns them to its workers. A worker
 * announces what it has, so a worker that joins late, restarts or misses a change is noticed in its next announcement and told again.
 *
 *   CREATE CATALOG -> this node -> PUT /v1/catalog/{catalog} to each active worker -> its announcement -> placement of tasks
 */
import type { CatalogStore } from "../../planner/statements/definition/catalogs.ts";
import type { CatalogDefinition } from "../../planner/planned.ts";
import type { Timer } from "../../ports/clock.ts";
import { type HttpRequest, NetworkError } from "../../ports/network.ts";
import type { Ports } from "../../ports/ports.ts";
import type { AssignedCatalog } from "../../protocol/documents/catalog.ts";
import { QueryError } from "../../protocol/errors.ts";
import { bareRequest, jsonRequest, responseText } from "../../protocol/http/http.ts";
import { RecentIds } from "../../protocol/recent-ids.ts";
import type { DynamicCatalogs } from "../../worker/dynamic-catalogs.ts";
import type { ClusterView, WorkerNode } from "../context.ts";

export interface CatalogStoreOptions {
  readonly ports: Pick<Ports, "clock" | "log" | "network">;
  readonly cluster: ClusterView;
  /** The catalogs of this node. */
  readonly catalogs: DynamicCatalogs;
  readonly has: (catalog: string) => boolean;
  readonly nodeId: string;
  readonly incarnation: string;
  readonly requestTimeoutMs: number;
}

/** Number of refusals that are remembered, so that a worker is not asked again and again. */
const refusalsMax = 1000;
/** Delay before a worker that could not be told is told again, in milliseconds. */
const retryMs = 2000;

interface Change {
  readonly key: string;
  readonly request: HttpRequest;
}

export class ClusterCatalogs implements CatalogStore {
  readonly #options: CatalogStoreOptions;
  readonly #definitions = new Map<string, AssignedCatalog>();
  /** Workers that are being told now, by node id. */
  readonly #telling = new Map<string, Promise<void>>();
  readonly #stopWatching: () => void;
  readonly #refusals = new RecentIds(refusalsMax);
  #ordinal = 0;
  #retry: Timer | undefined;
  #closed = false;

  constructor(options: CatalogStoreOptions) {
    this.#options = options;
    this.#stopWatching = options.cluster.onChange(() => void this.#tellAll());
  }

  has(name: string): boolean {
    return this.#options.has(name);
  }

  /** Resolves when every active worker has answered. A worker that refuses or does not answer gets no tasks that read the catalog. */
  async create({ connector, name, properties }: CatalogDefinition): Promise<void> {
    const { catalogs, incarnation } = this.#options;
    if (this.has(name)) {
      throw new QueryError("ALREADY_EXISTS", `Catalog '${name}' already exists`);
    }
    const version = `${incarnation}.${++this.#ordinal}`;
    catalogs.put({ name, connector, properties, version });
    this.#definitions.set(name, { version, connectorName: connector, properties });
    await this.#tellAll();
  }

  async drop(name: string): Promise<void> {
    if (!this.#options.catalogs.drop(name)) {
      throw new QueryError("CATALOG_NOT_FOUND", `Catalog '${name}' not found`);
    }
    this.#definitions.delete(name);
    await this.#tellAll();
  }

  close(): void {
    this.#closed = true;
    this.#stopWatching();
    this.#retry?.cancel();
    this.#retry = undefined;
  }

  async #tellAll(): Promise<void> {
    const { cluster, nodeId } = this.#options;
    const workers = cluster.activeWorkers().filter((worker) => worker.nodeId !== nodeId && this.#changesFor(worker).length > 0);
    await Promise.all(workers.map((worker) => this.#tell(worker)));
  }

  /** One worker is told by one loop at a time, so that changes reach it in order. */
  #tell(worker: WorkerNode): Promise<void> {
    const running = this.#telling.get(worker.nodeId);
    if (running !== undefined) {
      // The loop may have read the definitions before the change that the caller waits for.
      return running.then(() => this.#tell(this.#current(worker) ?? worker));
    }
    if (this.#closed || this.#changesFor(this.#current(worker) ?? worker).length === 0) {
      return Promise.resolve();
    }
    const telling = this.#sendChanges(worker).finally(() => this.#telling.delete(worker.nodeId));
    this.#telling.set(worker.nodeId, telling);
    return telling;
  }

  async #sendChanges(worker: WorkerNode): Promise<void> {
    const { log } = this.#options.ports;
    for (const { key, request } of this.#changesFor(worker)) {
      const refusal = await this.#send(request);
      if (refusal !== undefined) {
        log.warn("catalog-not-assigned", { nodeId: worker.nodeId, method: request.method, url: request.url, reason: refusal.reason });
        if (!refusal.isFinal) {
          this.#tellLater();
          return;
        }
        this.#refusals.add(key);
      }
    }
  }

  /** Undefined if the worker has made the change and announced it. */
  async #send(request: HttpRequest): Promise<{ readonly reason: string; readonly isFinal: boolean } | undefined> {
    const { network } = this.#options.ports;
    try {
      const response = await network.request(request, { timeoutMs: this.#options.requestTimeoutMs, label: "catalog-assignment" });
      const isFinal = response.status >= 400 && response.status < 500;
      return response.status === 204 ? undefined : { reason: `${response.status} ${responseText(response)}`, isFinal };
    } catch (error) {
      if (error instanceof NetworkError) {
        return { reason: error.message, isFinal: false };
      }
      throw error;
    }
  }

  #tellLater(): void {
    if (!this.#closed) {
      this.#retry ??= this.#options.ports.clock.timer("catalog-assignment", retryMs, () => {
        this.#retry = undefined;
        void this.#tellAll();
      });
    }
  }

  #current({ nodeId }: WorkerNode): WorkerNode | undefined {
    return this.#options.cluster.activeWorkers().find((worker) => worker.nodeId === nodeId);
  }

  /** Requests that bring the worker from what it announced to the catalogs of now. */
  #changesFor({ catalogVersions, incarnation, nodeId, uri }: WorkerNode): readonly Change[] {
    const announced = catalogVersions ?? new Map<string, string>();
    const address = (name: string): string => `${uri}/v1/catalog/${name}`;
    const keyOf = (name: string, version: string): string => [nodeId, incarnation, name, version].join(" ");
    const extra = [...announced].filter(([name]) => !this.#definitions.has(name));
    const missing = [...this.#definitions].filter(([name, { version }]) => announced.get(name) !== version);
    return [
      ...extra.map(([name, version]) => ({ key: keyOf(name, `-${version}`), request: bareRequest("DELETE", address(name)) })),
      ...missing.map(([name, definition]) => ({
        key: keyOf(name, definition.version),
        request: jsonRequest("PUT", address(name), definition),
      })),
    ].filter(({ key }) => !this.#refusals.has(key));
  }
}
