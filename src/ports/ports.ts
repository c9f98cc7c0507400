import type { Clock } from "./clock.ts";
import type { Databases } from "./databases.ts";
import type { Knobs } from "./knobs.ts";
import type { Network } from "./network.ts";
import type { Outbound } from "./outbound.ts";
import type { FaultPoints } from "./points.ts";
import type { Random } from "./random.ts";
import type { Storage } from "./storage.ts";

/** Log lines for operators; the node never reads them. The simulator keeps them in its trace. */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
  warn(event: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
  error(event: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
}

export interface FolderAccess {
  readonly followsLinks?: boolean;
  readonly writable?: boolean;
}

/** A node's only access to the outside world. */
export interface Ports {
  readonly clock: Clock;
  readonly network: Network;
  readonly random: Random;
  /** The node's own disk, for spill files and similar data. */
  readonly storage: Storage;
  /**
   * A view of a directory that a catalog names (`files.directory=...`), read-only unless `writable`. Links that lead out of it are errors,
   * unless `followsLinks` allows them.
   */
  openFolder(path: string, options?: FolderAccess): Storage;
  /** Absent if the host reaches no databases. */
  readonly databases?: Databases;
  /** Absent if the host reaches no servers outside of the cluster. */
  readonly outbound?: Outbound;
  readonly log: Log;
  readonly points: FaultPoints;
  /** Bounds of the engine; the defaults if absent. */
  readonly knobs?: Knobs;
  /**
   * Hint that much memory has become garbage, also outside the heap, and should be collected soon. Absent if the platform does not use the
   * hint.
   */
  readonly collectGarbage?: () => void;
  /** Bytes of the thread's heap, and of what its objects hold outside of it, beyond those that the last `collectGarbage` left. */
  readonly garbageBytes?: () => number;
  /** Mean delay of the event loop beyond that of an idle one, in milliseconds. Absent if the platform does not measure it. */
  readonly eventLoopDelayMs?: () => number;
}
