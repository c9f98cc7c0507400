/** What the counters of a node mean, in sentences. Pure. */
import type { ClusterNode } from "../api/documents.ts";
import { countText, percentText, spanText } from "../components/format.ts";

/** Name of a node: its id, or its address if the coordinator does not send ids. */
export function nodeName({ nodeId, uri }: Pick<ClusterNode, "nodeId" | "uri">): string {
  return nodeId ?? uri.replace(/^https?:\/\//, "");
}

/** State by the document, or by the heartbeats if the document has none. */
export function nodeState({ state, recentRequests, recentFailureRatio }: ClusterNode): string {
  return state ?? (recentRequests > 0 && recentFailureRatio > 0.9 ? "INACTIVE" : "ACTIVE");
}

type Counters = Pick<ClusterNode, "recentRequests" | "recentFailures" | "recentSuccesses" | "recentFailureRatio">;

/** The failure ratio: `2 of the 117 recent heartbeats failed (2%).` */
export function ratioSentence({ recentRequests, recentFailures, recentFailureRatio }: Counters): string {
  const requests = Math.round(recentRequests);
  if (recentRequests < 0.5) {
    return "No heartbeat was sent lately.";
  }
  if (recentFailures < 0.005) {
    return `All of the ${countText(requests)} recent heartbeats were answered.`;
  }
  if (recentFailureRatio >= 0.995) {
    return `None of the ${countText(requests)} recent heartbeats was answered.`;
  }
  const failures = recentFailures < 1 ? "Less than one" : countText(recentFailures);
  return `${failures} of the ${countText(requests)} recent heartbeats failed (${percentText(recentFailureRatio)}).`;
}

/** What the state means for queries. */
export function stateSentence(state: string): string {
  switch (state) {
    case "ACTIVE":
      return "The node answers and takes tasks.";
    case "SHUTTING_DOWN":
      return "The node finishes its tasks and takes no new ones.";
    case "INACTIVE":
      return "The node does not answer. Its tasks run again elsewhere, or their queries fail.";
    default:
      return "";
  }
}

/** `CONNECTION_REFUSED` in words. */
export function failureTypeText(type: string): string {
  return `${type.slice(0, 1)}${type.slice(1).toLowerCase().replaceAll("_", " ")}`;
}

/** When the node was last heard: `0.4 s ago` by clocks of browser and server that may differ, so never in the future. */
export function lastResponseText(timestamp: string | undefined, nowMs: number): string {
  if (timestamp === undefined) {
    return "never";
  }
  const seconds = Math.max(0, (nowMs - Date.parse(timestamp)) / 1000);
  return seconds < 2 ? "now" : `${spanText(seconds)} ago`;
}
