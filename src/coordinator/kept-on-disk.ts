/** What a coordinator keeps on its disk across restarts: queries that have ended, and queries whose clients may still ask. */
import type { Ports } from "../ports/ports.ts";
import { folderOf, type OwnedStorage } from "../ports/storage.ts";
import type { HistoryBounds } from "./history/history-index.ts";
import { historyFolder } from "./history/history-folder.ts";
import { QueryHistory } from "./history/query-history.ts";
import { Lease, type LeaseConfig } from "./lease/lease.ts";
import { leaseFolder, type LeaseOwner } from "./lease/lease-folder.ts";
import { leasedStorage } from "./lease/leased-storage.ts";
import { journalFolder, QueryJournal } from "./recovery/query-journal.ts";

/** The directory of what catalogs keep, inside the one of the query history. */
const catalogFolder = "query-history/catalogs";

export interface KeptOnDisk {
  /** Without it, ended queries are kept in memory only. */
  readonly history?: QueryHistory | undefined;
  /** Without it, queries end with the coordinator. */
  readonly journal?: QueryJournal | undefined;
  /** The folder of a catalog that survives the coordinator. Without it, none does. */
  readonly catalogStorage?: ((catalog: string) => OwnedStorage) | undefined;
  /** Without it, no other coordinator has the directory. */
  readonly lease?: Lease | undefined;
}

export interface KeptOnDiskConfig {
  readonly nodeId: string;
  /** query-history.enabled */
  readonly history?: HistoryBounds | undefined;
  /** query-recovery.enabled */
  readonly recoversQueries?: boolean;
  /** table-recovery.enabled */
  readonly recoversTables?: boolean;
  readonly lease?: LeaseConfig | undefined;
}

export function keptOnDisk(config: KeptOnDiskConfig, ports: Ports, incarnation: string): KeptOnDisk {
  const { history, recoversQueries, recoversTables } = config;
  const lease = config.lease && leaseOf(config.lease, config.nodeId, ports, incarnation);
  const storage = lease === undefined ? ports.storage : leasedStorage(ports.storage, lease);
  const folder = (name: string): Ports & { readonly incarnation: string; readonly storage: OwnedStorage } => ({
    ...ports,
    incarnation,
    storage: folderOf(storage, name),
  });
  return {
    lease,
    history: history && new QueryHistory({ ...folder(historyFolder), bounds: history }),
    journal: recoversQueries === true ? new QueryJournal(folder(journalFolder)) : undefined,
    catalogStorage: recoversTables === true ? (catalog) => folderOf(storage, `${catalogFolder}/${catalog}`) : undefined,
  };
}

function leaseOf({ durationMs, process }: LeaseConfig, nodeId: string, ports: Ports, incarnation: string): Lease {
  const { clock, log, network, storage } = ports;
  const owner = (): LeaseOwner => ({ nodeId, incarnation, uri: network.selfUri, process });
  return new Lease({ clock, log, storage: folderOf(storage, leaseFolder), durationMs, owner });
}
