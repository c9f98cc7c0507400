/**
 * The catalogs of a node. Each configured catalog gets an instance of its connector, wrapped with information_schema. The catalog `system`
 * always exists.
 */
import type { KernelRuntime } from "../codegen/runtime.ts";
import type { CallAnswer, Connector, ConnectorContext, ConnectorFactory, FileCacheMeasures, Json } from "../connectors/spi.ts";
import { type CatalogConnector, withInformationSchema } from "../connectors/shared/information-schema.ts";
import type { BeanProvider } from "../connectors/jmx/beans.ts";
import { jmxConnectorFactory } from "../connectors/jmx/jmx.ts";
import type { SystemRuntime } from "../connectors/shared/runtime-tables.ts";
import { systemConnectorFactory } from "../connectors/system/system.ts";
import type { MemoryContext } from "../memory/memory.ts";
import { Frame } from "../page/frame.ts";
import { sleep, within } from "../ports/clock.ts";
import type { Ports } from "../ports/ports.ts";
import type { OwnedStorage } from "../ports/storage.ts";
import { assert, QueryError } from "../protocol/errors.ts";
import type { AccessControl } from "../security/access-control.ts";
import type { CatalogNodes } from "./service-directory.ts";
import { accessOf } from "../security/sql-standard/secured-access.ts";
import type { CatalogSecurity, Reader } from "../security/sql-standard/catalog-security.ts";
import { everythingVisible, nothingVisible, type Visibility, visibilityFor } from "../security/visibility.ts";

/** How often a node that leaves asks whether it may, how long it waits for an answer, and after how many failures it leaves. */
const handOverPollMs = 200;
const handOverAnswerMs = 1000;
const handOverFailuresMax = 5;

export interface CatalogConfig {
  readonly name: string;
  /** Properties, including `connector.name`. */
  readonly properties: Readonly<Record<string, string>>;
}

export interface CatalogFileCache extends FileCacheMeasures {
  readonly catalog: string;
}

const systemCatalog: CatalogConfig = Object.freeze({ name: "system", properties: { "connector.name": "system" } });

export interface CatalogsOptions {
  readonly catalogs: readonly CatalogConfig[];
  readonly factories: readonly ConnectorFactory[];
  readonly nodeId: string;
  readonly ports: Ports;
  /** Memory for data that outlives queries. Each catalog creates a child context. */
  readonly memory: MemoryContext;
  readonly runtime: KernelRuntime;
  readonly callNode: (catalog: string, nodeId: string, request: Json) => Promise<CallAnswer>;
  readonly nodes: CatalogNodes;
  /** Folder of a configured catalog on the coordinator's disk; undefined if catalogs do not survive the coordinator. */
  readonly catalogStorage: ((catalog: string) => OwnedStorage) | undefined;
  /** For catalogs of the connector `jmx`. */
  readonly beans: BeanProvider;
  /** Content of system.runtime; undefined on a worker. */
  readonly systemRuntime: () => SystemRuntime | undefined;
  /** The rights in force; undefined if all users may read and change everything. */
  readonly access: () => AccessControl | undefined;
}

export class Catalogs {
  readonly #options: CatalogsOptions;
  readonly #factories: readonly ConnectorFactory[];
  readonly #instances = new Map<string, CatalogConnector>();
  readonly #connectorNames = new Map<string, string>();
  readonly #memories = new Map<string, MemoryContext>();
  /** Sorted; undefined after a change. */
  #names: readonly string[] | undefined;
  #securities: ReadonlyMap<string, CatalogSecurity> | undefined;

  /** Throws CONFIGURATION_INVALID that names the catalog and the property. */
  constructor(options: CatalogsOptions) {
    this.#options = options;
    const withSystem = options.catalogs.some((one) => one.name === systemCatalog.name)
      ? options.catalogs
      : [...options.catalogs, systemCatalog];
    this.#factories = [...options.factories, jmxConnectorFactory(options.beans), this.#systemFactory(options)];
    const sorted = withSystem.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    try {
      for (const catalog of sorted) {
        this.#instances.set(catalog.name, this.#create(catalog, options.catalogStorage?.(catalog.name)));
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Catalog names, sorted. */
  get names(): readonly string[] {
    this.#names ??= [...this.#instances.keys()].toSorted();
    return this.#names;
  }

  /** Of the catalogs that keep rights themselves, by name. */
  get securities(): ReadonlyMap<string, CatalogSecurity> {
    this.#securities ??= new Map(
      this.names.flatMap((name) => {
        const security = this.#instances.get(name)?.metadata.security;
        return security === undefined ? [] : [[name, security] as const];
      }),
    );
    return this.#securities;
  }

  has(name: string): boolean {
    return this.#instances.has(name);
  }

  connectorName(name: string): string | undefined {
    return this.#connectorNames.get(name);
  }

  /** Throws CATALOG_NOT_FOUND. */
  connector(name: string): Connector {
    const instance = this.#instances.get(name);
    if (instance === undefined) {
      throw new QueryError("CATALOG_NOT_FOUND", `Catalog '${name}' does not exist on node ${this.#options.nodeId}`);
    }
    return instance;
  }

  /** A catalog that is made at run time. Throws CONFIGURATION_INVALID that names the catalog and the property. */
  add(catalog: CatalogConfig): void {
    this.#instances.set(catalog.name, this.#create(catalog, undefined));
    this.#names = undefined;
    this.#securities = undefined;
  }

  /** Removes the catalog. Returns a function that frees its instance, to be called once no task reads it any more. */
  remove(name: string): () => void {
    const instance = this.#instances.get(name);
    const memory = this.#memories.get(name);
    this.#instances.delete(name);
    this.#connectorNames.delete(name);
    this.#memories.delete(name);
    this.#names = undefined;
    this.#securities = undefined;
    return () => {
      instance?.close?.();
      memory?.close();
    };
  }

  /** The call handler of the catalog's instance on this node; undefined if it handles no calls. */
  callHandler(name: string): ((request: Json) => Promise<CallAnswer>) | undefined {
    const instance = this.#instances.get(name);
    return instance?.handleCall === undefined ? undefined : instance.handleCall.bind(instance);
  }

  /** Before this node leaves: waits until other nodes have what it alone has, at most as long as `leftMs` says. It asks repeatedly. */
  async handOver(leftMs: () => number): Promise<void> {
    const { clock, log } = this.#options.ports;
    for (const [catalog, instance] of this.#instances) {
      let failures = 0;
      let isOver = false;
      while (instance.handOver !== undefined && leftMs() > 0 && failures < handOverFailuresMax && !isOver) {
        const handing = instance.handOver().then(
          (answer) => {
            isOver = answer;
          },
          (error: unknown) => {
            failures++;
            log.warn("catalog-not-handed-over", { catalog, reason: error instanceof Error ? error.message : "unknown failure" });
          },
        );
        // One lost message does not cost the whole grace period, in which the data could still be copied. A late answer counts.
        await within(clock, "catalog-hand-over-end", handing, Math.min(handOverAnswerMs, leftMs()));
        if (!isOver) {
          await sleep(clock, "catalog-hand-over", Math.min(handOverPollMs, leftMs()));
        }
      }
    }
  }

  /** Of the catalogs that keep files on the node's disks, by name. */
  fileCaches(): readonly CatalogFileCache[] {
    return this.names.flatMap((catalog) => {
      const cache = this.#instances.get(catalog)?.fileCache;
      return cache === undefined ? [] : [{ catalog, ...cache.measures() }];
    });
  }

  /** Parts of tables that have yet to be copied to other nodes. */
  partsToCopy(): number {
    return [...this.#instances.values()].reduce((sum, instance) => sum + (instance.partsToCopy?.() ?? 0), 0);
  }

  close(): void {
    for (const instance of this.#instances.values()) {
      instance.close?.();
    }
    this.#instances.clear();
  }

  #systemFactory(options: CatalogsOptions): ConnectorFactory {
    return systemConnectorFactory({
      runtime: options.systemRuntime,
      visibility: (reader) => this.#visibilityFor(reader),
      catalogs: () =>
        [...this.#instances].map(([name, connector]) => ({ name, connectorName: this.#connectorNames.get(name) ?? "", connector })),
    });
  }

  #visibilityFor(reader: Reader | undefined): Visibility {
    const rules = this.#options.access();
    if (rules === undefined && this.securities.size === 0) {
      return everythingVisible;
    }
    const access = reader && accessOf(rules, this.securities, reader);
    return reader === undefined || access === undefined ? nothingVisible : visibilityFor(access, reader.user);
  }

  #create(catalog: CatalogConfig, catalogStorage: OwnedStorage | undefined): CatalogConnector {
    const { name, properties } = catalog;
    const factories = this.#factories;
    const options = this.#options;
    if (!/^[a-z0-9_]{1,128}$/.test(name)) {
      throw new QueryError("CONFIGURATION_INVALID", `Invalid catalog name '${name}': expected lower case letters, digits and '_'`);
    }
    if (this.#instances.has(name)) {
      throw new QueryError("CONFIGURATION_INVALID", `Catalog '${name}' is configured twice`);
    }
    const connectorName = properties["connector.name"];
    const factory = factories.find((one) => one.name === connectorName);
    if (factory === undefined) {
      const known = factories.map((one) => one.name).join(", ");
      const found = connectorName === undefined ? "property 'connector.name' is missing" : `there is no connector '${connectorName}'`;
      throw new QueryError("CONFIGURATION_INVALID", `Catalog '${name}': ${found}; connectors are ${known}`);
    }
    const unknown = Object.keys(properties).find((property) => property !== "connector.name" && !factory.properties.includes(property));
    if (unknown !== undefined) {
      const known = factory.properties.length === 0 ? "takes no properties" : `knows ${factory.properties.join(", ")}`;
      throw new QueryError(
        "CONFIGURATION_INVALID",
        `Catalog '${name}': unknown property '${unknown}'; connector '${factory.name}' ${known}`,
      );
    }
    const memory = options.memory.child(`catalog ${name}`);
    const context: ConnectorContext = {
      catalog: name,
      nodeId: options.nodeId,
      ports: options.ports,
      memory,
      runtime: options.runtime,
      callNode: async (nodeId, request) => jsonAnswer(await options.callNode(name, nodeId, request)),
      readNode: async (nodeId, request) => pageAnswer(await options.callNode(name, nodeId, request)),
      ...options.nodes,
      catalogStorage,
    };
    try {
      const instance = withInformationSchema(name, factory.create(properties, context), (reader) => this.#visibilityFor(reader));
      this.#connectorNames.set(name, factory.name);
      this.#memories.set(name, memory);
      return instance;
    } catch (error) {
      memory.close();
      throw error;
    }
  }
}

function jsonAnswer(answer: CallAnswer): Json {
  assert(!(answer instanceof Frame), "a call that asks for no page gets none");
  return answer;
}

function pageAnswer(answer: CallAnswer): Frame {
  if (!(answer instanceof Frame)) {
    throw new QueryError("GENERIC_INTERNAL_ERROR", "A catalog answered without a page");
  }
  return answer;
}
