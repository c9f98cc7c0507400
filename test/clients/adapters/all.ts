/**
 * All clients of the suite, and Cube's drivers if they are installed.
 */
import type { ClientAdapter } from "./adapter.ts";
import { installedCubeDrivers } from "./cube.ts";
import { evidence } from "./evidence.ts";
import { lentoClient } from "./lento.ts";
import { prestoClients } from "./presto-client.ts";
import { prestoJsClient } from "./presto-js-client.ts";
import { prestoStreamClient } from "./presto-stream-client.ts";
import { trinoClient } from "./trino-client.ts";

export const clientAdapters: readonly ClientAdapter[] = [
  trinoClient,
  ...prestoClients,
  prestoJsClient,
  lentoClient,
  prestoStreamClient,
  ...evidence,
  ...installedCubeDrivers(),
];
