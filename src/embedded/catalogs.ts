/** Catalogs and properties that a program gives, checked. A mistake is a ConfigurationError that names what was meant. */
import { type CatalogConfig, engineProperties } from "../config.ts";
import { connectorFactories } from "../connectors/registry.ts";
import type { ConnectorFactory } from "../connectors/spi.ts";
import { ConfigurationError, unknownNameText } from "../server/properties.ts";

/** By catalog name: `connector.name` and the connector's own properties. */
export type Catalogs = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What a server without configuration has. */
const defaultCatalogs: Catalogs = {
  memory: { "connector.name": "memory" },
  tpcds: { "connector.name": "tpcds" },
  tpch: { "connector.name": "tpch" },
};

export function catalogConfigs(catalogs: Catalogs = defaultCatalogs, factories: readonly ConnectorFactory[]): readonly CatalogConfig[] {
  return Object.entries(catalogs)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, properties]) => {
      if (!/^[a-z0-9_]+$/.test(name)) {
        throw new ConfigurationError(`'${name}' is no name of a catalog: it is made of a-z, 0-9 and _`);
      }
      const connector = properties["connector.name"];
      if (connector === undefined) {
        throw new ConfigurationError(`catalog '${name}': property 'connector.name' is missing`);
      }
      const known = factories.map((factory) => factory.name);
      if (!known.includes(connector)) {
        throw new ConfigurationError(`catalog '${name}': ${unknownNameText("connector", connector, known)}`);
      }
      return { name, properties };
    });
}

/** The connectors of this build and those of the program, which may replace one of the same name. */
export function allFactories(own: readonly ConnectorFactory[] = []): readonly ConnectorFactory[] {
  const byName = new Map([...connectorFactories, ...own].map((factory) => [factory.name, factory]));
  return [...byName.values()];
}

export function checkProperties(properties: Readonly<Record<string, string>>): void {
  const known = engineProperties.map((one) => one.name);
  for (const name of Object.keys(properties)) {
    if (!known.includes(name)) {
      throw new ConfigurationError(unknownNameText("property", name, known));
    }
  }
}
