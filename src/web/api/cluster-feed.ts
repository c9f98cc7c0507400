/**
 * The cluster's totals, fetched for the whole page: the header shows them, and the Overview's charts keep their last ten minutes. Nothing
 * is fetched while the page is hidden; the charts then have a gap.
 */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { ClusterHistory } from "./cluster-history.ts";
import type { Cluster, ServerInfo } from "./documents.ts";
import { Poll, type Polled } from "./poll.ts";

const closeDelayMs = 1000;
const farDelayMs = 3000;
const infoDelayMs = 15_000;
const storageKey = "orrery.history";

let readers = 0;
const clusterPoll = new Poll<Cluster>("v1/cluster", () => (readers > 0 ? closeDelayMs : farDelayMs));
const infoPoll = new Poll<ServerInfo>("v1/info", () => infoDelayMs);

export const cluster: ReadonlySignal<Polled<Cluster>> = clusterPoll.state;
export const serverInfo: ReadonlySignal<ServerInfo | undefined> = computed(() => infoPoll.state.value.document);

export const history = new ClusterHistory();
/** Changes with each sample of the history. */
export const historyRevision = signal(0);

export function startFeed(): void {
  restoreHistory();
  let shown: Cluster | undefined;
  effect(() => {
    const { document } = cluster.value;
    if (document !== undefined && document !== shown) {
      shown = document;
      history.add(Date.now() / 1000, document);
      historyRevision.value = historyRevision.peek() + 1;
    }
  });
  addEventListener("pagehide", saveHistory);
  clusterPoll.start();
  infoPoll.start();
}

/** Fetches each second until the returned function is called: a page shows the totals as they change. */
export function followClosely(): () => void {
  readers++;
  clusterPoll.refresh();
  return () => {
    readers--;
  };
}

/** The history belongs to this tab and to this coordinator's address. */
function saveHistory(): void {
  try {
    sessionStorage.setItem(storageKey, history.save());
  } catch {
    // Without storage the charts begin anew.
  }
}

function restoreHistory(): void {
  try {
    history.restore(sessionStorage.getItem(storageKey) ?? "", Date.now() / 1000);
    sessionStorage.removeItem(storageKey);
  } catch {
    // As above.
  }
}
