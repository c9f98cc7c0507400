import type { Clock } from "./clock.ts";
import type { Network } from "./network.ts";
import type { FaultPoints } from "./points.ts";
import type { Random } from "./random.ts";
import type { Storage } from "./storage.ts";

/** Lines for people; never read back by the node. The simulator keeps them in its trace. */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
  warn(event: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
  error(event: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
}

/** Everything a node learns and does goes through these. */
export interface Ports {
  readonly clock: Clock;
  readonly network: Network;
  readonly random: Random;
  /** The node's own disk: spill files and the like. */
  readonly storage: Storage;
  /** A read-only view of a folder that a catalog names (`files.directory=...`). */
  openFolder(path: string): Storage;
  readonly log: Log;
  readonly points: FaultPoints;
  /** Much has just become garbage, outside the heap too: it is to be collected soon. Absent where nobody waits for it. */
  readonly collectGarbage?: () => void;
}
