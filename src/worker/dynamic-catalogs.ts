/**
 * Catalogs of a node that were created at run time. They live in memory: after a restart a worker gets them again from its coordinator. A
 * version tells two catalogs of one name apart, so that an assignment can be repeated and a worker with an older catalog is noticed.
 */
import { QueryError } from "../protocol/errors.ts";
import type { CatalogList } from "../protocol/documents/catalog.ts";
import type { Catalogs } from "./catalogs.ts";

export interface DynamicCatalog {
  readonly name: string;
  /** `connector.name` */
  readonly connector: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly version: string;
}

/** Catalogs that one node takes at run time. */
const dynamicCatalogsMax = 1000;

export interface DynamicCatalogsOptions {
  readonly catalogs: Catalogs;
  /** Calls back once the tasks that run now have ended. */
  readonly afterTasks: (callback: () => void) => void;
}

export class DynamicCatalogs {
  readonly #options: DynamicCatalogsOptions;
  readonly #versions = new Map<string, string>();

  constructor(options: DynamicCatalogsOptions) {
    this.#options = options;
  }

  /** Versions by name. */
  get versions(): ReadonlyMap<string, string> {
    return this.#versions;
  }

  /** Property of the node's announcement; absent without such catalogs. */
  get announced(): { readonly catalogVersions?: string } {
    return this.#versions.size === 0
      ? {}
      : { catalogVersions: [...this.#versions].map(([name, version]) => `${name}=${version}`).join(",") };
  }

  /**
   * Adds the catalog, in place of one of the same name and another version. Throws ALREADY_EXISTS for the name of a catalog of the
   * configuration, and CONFIGURATION_INVALID.
   */
  put({ name, connector, properties, version }: DynamicCatalog): void {
    const { catalogs } = this.#options;
    const known = this.#versions.get(name);
    if (known === version) {
      return;
    }
    if (known === undefined && catalogs.has(name)) {
      throw new QueryError("ALREADY_EXISTS", `Catalog '${name}' already exists`);
    }
    if (known === undefined && this.#versions.size >= dynamicCatalogsMax) {
      throw new QueryError(
        "GENERIC_INSUFFICIENT_RESOURCES",
        `There are already ${dynamicCatalogsMax} catalogs that were created at run time`,
      );
    }
    this.drop(name);
    catalogs.add({ name, properties: { ...properties, "connector.name": connector } });
    this.#versions.set(name, version);
  }

  /** Returns false if there is no such catalog. Throws NOT_SUPPORTED for a catalog of the configuration. */
  drop(name: string): boolean {
    const { afterTasks, catalogs } = this.#options;
    if (!this.#versions.has(name)) {
      if (catalogs.has(name)) {
        throw new QueryError("NOT_SUPPORTED", `Catalog '${name}' is defined in the configuration and cannot be dropped`);
      }
      return false;
    }
    this.#versions.delete(name);
    afterTasks(catalogs.remove(name));
    return true;
  }

  /** All catalogs of the node, sorted by name. */
  list(): CatalogList {
    const { catalogs } = this.#options;
    return catalogs.names.map((name) => ({
      catalogName: name,
      connectorName: catalogs.connectorName(name) ?? "",
      management: this.#versions.has(name) ? "DYNAMIC" : "STATIC",
    }));
  }
}
