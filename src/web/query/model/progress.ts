/** How far a query is, and what it waits for, in words. Pure. */
import { countText, nanosOf, pluralText, spanText } from "../../components/format.ts";
import type { QueryDetail } from "./documents.ts";

export interface Progress {
  /** Between 0 and 1; undefined if it cannot be known. */
  readonly ratio: number | undefined;
  readonly words: string;
}

export function isEnded({ state }: Pick<QueryDetail, "state">): boolean {
  return state === "FINISHED" || state === "FAILED";
}

export function progressOf(query: QueryDetail): Progress {
  const { totalDrivers, completedDrivers, runningDrivers, queuedDrivers, progressPercentage } = query.queryStats;
  if (query.state === "FINISHED") {
    return { ratio: 1, words: totalDrivers === 0 ? "" : pluralText(totalDrivers, "split") };
  }
  const ratio = progressPercentage === undefined ? undefined : progressPercentage / 100;
  const words = totalDrivers === 0 ? "" : `${countText(completedDrivers)} of ${pluralText(totalDrivers, "split")}`;
  const live = query.state === "FAILED" ? "" : `, ${countText(runningDrivers)} running, ${countText(queuedDrivers)} queued`;
  return { ratio, words: words === "" ? "" : `${words}${live}` };
}

const stateWaits: Readonly<Record<string, string>> = {
  QUEUED: "The query waits for its turn.",
  WAITING_FOR_RESOURCES: "The query waits for workers.",
  DISPATCHING: "The query is being dispatched.",
  PLANNING: "The query is being planned.",
  STARTING: "The query is starting its tasks.",
  FINISHING: "The query is finishing.",
};

/** What the query waits for now; empty once it has ended. Older coordinators do not say it; their states say a little. */
export function waitText(query: QueryDetail): string {
  if (isEnded(query)) {
    return "";
  }
  const { waitMessage = "", state } = query;
  if (waitMessage === "") {
    return stateWaits[state] ?? "The query does not wait: its tasks are running.";
  }
  return /[.!?]$/.test(waitMessage) ? waitMessage : `${waitMessage}.`;
}

/** `1.27s` for short queries, `4 min 12 s` for long ones. */
export function elapsedText(query: QueryDetail): string {
  const { elapsedTime } = query.queryStats;
  const seconds = nanosOf(elapsedTime) / 1e9;
  return seconds < 60 ? elapsedTime : spanText(seconds);
}

/** Units a second, over the time of execution; undefined if nothing has run. */
export function perSecond(count: number, query: QueryDetail): number | undefined {
  const seconds = nanosOf(query.queryStats.executionTime) / 1e9;
  return seconds > 0 && Number.isFinite(count) ? count / seconds : undefined;
}
