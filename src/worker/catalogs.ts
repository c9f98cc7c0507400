/**
 * The catalogs of a node: each configured catalog gets an instance of its connector. Made by node.ts, which says how instances reach each other over the
 * network.
 */
import type { Connector, ConnectorContext, ConnectorFactory, Json } from "../connectors/connector.ts";
import type { MemoryContext } from "../page/memory.ts";
import type { Ports } from "../ports/ports.ts";
import { QueryError } from "../protocol/errors.ts";

export interface CatalogConfig {
  readonly name: string;
  /** With `connector.name`. */
  readonly properties: Readonly<Record<string, string>>;
}

type CatalogInstance = ReturnType<ConnectorFactory["create"]>;

export interface CatalogsOptions {
  readonly catalogs: readonly CatalogConfig[];
  readonly factories: readonly ConnectorFactory[];
  readonly nodeId: string;
  readonly ports: Ports;
  /** For what outlives queries; each catalog makes a child of it. */
  readonly memory: MemoryContext;
  readonly callNode: (catalog: string, nodeId: string, request: Json) => Promise<Json>;
  readonly workerNodes: () => readonly string[];
}

export class Catalogs {
  readonly #instances = new Map<string, CatalogInstance>();

  /** Throws CONFIGURATION_INVALID with the catalog and the property named. */
  constructor(options: CatalogsOptions) {
    const sorted = options.catalogs.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    try {
      for (const catalog of sorted) {
        this.#instances.set(catalog.name, this.#create(catalog, options));
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Sorted. */
  get names(): readonly string[] {
    return [...this.#instances.keys()];
  }

  /** Throws CATALOG_NOT_FOUND. */
  connector(name: string): Connector {
    const instance = this.#instances.get(name);
    if (instance === undefined) {
      throw new QueryError("CATALOG_NOT_FOUND", `Catalog '${name}' does not exist`);
    }
    return instance;
  }

  /** How the catalog's instance on this node answers calls of other nodes; undefined when it answers none. */
  callHandler(name: string): ((request: Json) => Promise<Json>) | undefined {
    const instance = this.#instances.get(name);
    return instance?.handleCall === undefined ? undefined : instance.handleCall.bind(instance);
  }

  close(): void {
    for (const instance of this.#instances.values()) {
      instance.close?.();
    }
    this.#instances.clear();
  }

  #create(catalog: CatalogConfig, options: CatalogsOptions): CatalogInstance {
    const { name, properties } = catalog;
    if (!/^[a-z0-9_]{1,128}$/.test(name)) {
      throw new QueryError("CONFIGURATION_INVALID", `Invalid catalog name '${name}': expected lower case letters, digits and '_'`);
    }
    if (this.#instances.has(name)) {
      throw new QueryError("CONFIGURATION_INVALID", `Catalog '${name}' is configured twice`);
    }
    const connectorName = properties["connector.name"];
    const factory = options.factories.find((one) => one.name === connectorName);
    if (factory === undefined) {
      const known = options.factories.map((one) => one.name).join(", ");
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
    const context: ConnectorContext = {
      catalog: name,
      nodeId: options.nodeId,
      ports: options.ports,
      memory: options.memory.child(`catalog ${name}`),
      callNode: (nodeId, request) => options.callNode(name, nodeId, request),
      workerNodes: options.workerNodes,
    };
    return factory.create(properties, context);
  }
}
