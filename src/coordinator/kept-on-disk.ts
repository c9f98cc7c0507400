/** What a coordinator keeps on its disk across restarts: queries that have ended, and queries whose clients may still ask. */
import type { Ports } from "../ports/ports.ts";
import { folderOf, type Storage } from "../ports/storage.ts";
import type { HistoryBounds } from "./history/history-index.ts";
import { historyFolder } from "./history/history-folder.ts";
import { QueryHistory } from "./history/query-history.ts";
import { journalFolder, QueryJournal } from "./recovery/query-journal.ts";

/** The directory of what catalogs keep, inside the one of the query history. */
const catalogFolder = "query-history/catalogs";

export interface KeptOnDisk {
  /** Without it, ended queries are kept in memory only. */
  readonly history?: QueryHistory | undefined;
  /** Without it, queries end with the coordinator. */
  readonly journal?: QueryJournal | undefined;
  /** The folder of a catalog that survives the coordinator. Without it, none does. */
  readonly catalogStorage?: ((catalog: string) => Storage) | undefined;
}

export interface KeptOnDiskConfig {
  /** query-history.enabled */
  readonly history?: HistoryBounds | undefined;
  /** query-recovery.enabled */
  readonly recoversQueries?: boolean;
  /** table-recovery.enabled */
  readonly recoversTables?: boolean;
}

export function keptOnDisk({ history, recoversQueries, recoversTables }: KeptOnDiskConfig, ports: Ports, incarnation: string): KeptOnDisk {
  const folder = (name: string): Ports & { readonly incarnation: string } => ({
    ...ports,
    incarnation,
    storage: folderOf(ports.storage, name),
  });
  return {
    history: history && new QueryHistory({ ...folder(historyFolder), bounds: history }),
    journal: recoversQueries === true ? new QueryJournal(folder(journalFolder)) : undefined,
    catalogStorage: recoversTables === true ? (catalog) => folderOf(ports.storage, `${catalogFolder}/${catalog}`) : undefined,
  };
}
