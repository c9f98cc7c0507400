/**
 * The ports of a node in a program of someone else: the process's time, entropy and files, and no effect on the process. Spilled pages lie
 * in a temporary folder, which `close` removes.
 */
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Network } from "../ports/network.ts";
import { noPoints } from "../ports/points.ts";
import type { Log, Ports } from "../ports/ports.ts";
import { realDatabases } from "../server/databases/databases.ts";
import { RealClock } from "../server/ports/clock.ts";
import { RealOutbound } from "../server/ports/outbound.ts";
import { SystemRandom } from "../server/ports/random.ts";
import { makeSpillFolder } from "../server/ports/spill-folders.ts";
import { FolderStorage, openCatalogFolder } from "../server/ports/storage.ts";

export interface NodePorts {
  readonly ports: Ports;
  /** Cancels timers and removes the temporary folder. The network belongs to the node. */
  close(): void;
}

export interface NodePortsOptions {
  readonly network: Network;
  /** Folder for spilled pages; below the system's temporary folder if absent. */
  readonly spillFolder?: string | undefined;
  /** Replace single ports. */
  readonly given?: Partial<Ports> | undefined;
}

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function nodePorts({ network, spillFolder, given }: NodePortsOptions): NodePorts {
  const clock = given?.clock ?? new RealClock();
  const outbound = new RealOutbound();
  const folder = given?.storage === undefined ? makeSpillFolder(spillFolder ?? tmpdir()) : undefined;
  return {
    ports: {
      clock,
      network,
      random: new SystemRandom(),
      storage: new FolderStorage(folder ?? tmpdir(), { readOnly: folder === undefined }),
      openFolder: (path, options) => openCatalogFolder(path, options),
      databases: realDatabases,
      outbound,
      log: silent,
      points: noPoints,
      ...given,
    },
    close: () => {
      void outbound.close();
      if (clock instanceof RealClock && clock !== given?.clock) {
        clock.close();
      }
      if (folder !== undefined) {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
