/**
 * The production ports of one node.
 */
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { noPoints } from "../../ports/points.ts";
import type { Ports } from "../../ports/ports.ts";
import { realDatabases } from "../databases/databases.ts";
import { RealClock } from "./clock.ts";
import { garbageOfThread } from "./garbage.ts";
import { type LogLevel, processLog } from "../log.ts";
import { RealNetwork, type RealNetworkOptions } from "../transport/network.ts";
import { historyFolder } from "../../coordinator/history/history-folder.ts";
import { routedStorage } from "./routed-storage.ts";
import { RealOutbound } from "./outbound.ts";
import { SystemRandom } from "./random.ts";
import { makeSpillFolder } from "./spill-folders.ts";
import { FolderStorage, openCatalogFolder } from "./storage.ts";

export interface RealPorts extends Ports {
  readonly network: RealNetwork;
  readonly clock: RealClock;
  /** Root directory of `storage`. */
  readonly folder: string;
  /** Cancels timers, closes connections and removes the spill directory. */
  close(): Promise<void>;
}

export function realPorts(options: {
  readonly nodeId: string;
  readonly network: RealNetworkOptions;
  readonly logLevel: LogLevel;
  readonly spillFolder: string | undefined;
  /** Directory of the query history; absent if the node keeps none. */
  readonly historyFolder?: string | undefined;
}): RealPorts {
  const clock = new RealClock();
  const garbage = garbageOfThread();
  const network = new RealNetwork(options.network);
  const outbound = new RealOutbound();
  const parent = options.spillFolder ?? tmpdir();
  const folder = makeSpillFolder(parent);
  const own = new FolderStorage(folder, { readOnly: false });
  const historyDirectory = options.historyFolder;
  return {
    clock,
    network,
    folder,
    random: new SystemRandom(),
    storage:
      historyDirectory === undefined ? own : routedStorage(own, historyFolder, new FolderStorage(historyDirectory, { readOnly: false })),
    openFolder: (path, options) => openCatalogFolder(path, options),
    databases: realDatabases,
    outbound,
    log: processLog(options.nodeId, options.logLevel),
    points: noPoints,
    collectGarbage: garbage.collect,
    garbageBytes: garbage.bytes,
    eventLoopDelayMs: () => network.eventLoopDelayMs,
    async close() {
      clock.close();
      await network.close();
      await outbound.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
