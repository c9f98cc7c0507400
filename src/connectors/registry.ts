/**
 * The connectors of this build. The system connector shows the node itself and is made with systemConnectorFactory.
 */
import type { ConnectorFactory } from "./spi.ts";
import { blackholeConnectorFactory } from "./blackhole/blackhole.ts";
import { fakerConnectorFactory } from "./faker/faker.ts";
import { memoryConnectorFactory } from "./memory/memory.ts";
import { outsideConnectorFactories } from "./outside.ts";
import { tpcdsConnectorFactory } from "./tpcds/tpcds.ts";
import { tpchConnectorFactory } from "./tpch/tpch.ts";

/** By name. */
export const connectorFactories: readonly ConnectorFactory[] = Object.freeze(
  [
    blackholeConnectorFactory,
    fakerConnectorFactory,
    memoryConnectorFactory,
    tpcdsConnectorFactory,
    tpchConnectorFactory,
    ...outsideConnectorFactories,
  ].sort((one, other) => (one.name < other.name ? -1 : 1)),
);
