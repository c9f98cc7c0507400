/**
 * The cluster's totals, fetched for the whole page: the header shows them, and the Overview's charts keep their last ten minutes. Nothing
 * is fetched while the page is hidden; the charts then have a gap.
 */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Cluster, ServerInfo } from "./documents.ts";
import { Poll, type Polled } from "./poll.ts";

const closeDelayMs = 1000;
const farDelayMs = 3000;
const infoDelayMs = 15_000;

const readers = signal(0);
const clusterPoll = new Poll<Cluster>("v1/cluster", () => (readers.value > 0 ? closeDelayMs : farDelayMs));
const infoPoll = new Poll<ServerInfo>("v1/info", () => infoDelayMs);

export const cluster: ReadonlySignal<Polled<Cluster>> = clusterPoll.state;
export const serverInfo: ReadonlySignal<ServerInfo | undefined> = computed(() => infoPoll.state.value.document);

export function startFeed(): void {
  clusterPoll.start();
  infoPoll.start();
}

/** Fetches each second until the returned function is called: a page shows the totals as they change. */
export function followClosely(): () => void {
  readers.value++;
  clusterPoll.refresh();
  return () => {
    readers.value--;
  };
}
