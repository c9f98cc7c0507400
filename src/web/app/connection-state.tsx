/** Says in the header whether the page is live, and below it that the coordinator does not answer. */
import type { JSX } from "preact";
import { useSignal, useSignalEffect } from "@preact/signals";
import { cluster, serverInfo } from "../api/cluster-feed.ts";
import { connection, retryNow } from "../api/connection.ts";
import { pluralText, spanText } from "../components/format.ts";
import type { Tone } from "../components/state-badge.tsx";

export function ConnectionState(): JSX.Element {
  const { tone, text } = describe();
  return (
    <span class="badge connection" data-tone={tone} role="status" aria-label={`Connection: ${text}`}>
      <i aria-hidden="true" />
      {text}
    </span>
  );
}

function describe(): { readonly tone: Tone; readonly text: string } {
  switch (connection.value.state) {
    case "connecting":
      return { tone: "neutral", text: "Connecting" };
    case "silent":
      return { tone: "bad", text: "No answer" };
    case "answering":
      return serverInfo.value?.starting === true ? { tone: "wait", text: "Starting" } : { tone: "good", text: "Live" };
  }
}

export function ClusterName(): JSX.Element {
  const info = serverInfo.value;
  const workers = cluster.value.document?.activeWorkers;
  return (
    <span class="cluster-name number">
      {info !== undefined && <span title="Environment of the cluster">{info.environment}</span>}
      <span class="version">
        {info !== undefined && ` · ${info.nodeVersion.version}`}
        {workers !== undefined && ` · ${pluralText(workers, "worker")}`}
      </span>
    </span>
  );
}

/** A bar below the header while the coordinator does not answer. */
export function SilenceBar(): JSX.Element | null {
  const seconds = useSignal(0);
  useSignalEffect(() => {
    const { state, sinceMs } = connection.value;
    if (state !== "silent") {
      return undefined;
    }
    const count = (): void => {
      seconds.value = (performance.now() - sinceMs) / 1000;
    };
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  });
  if (connection.value.state !== "silent") {
    return null;
  }
  return (
    <div class="silence">
      <span role="alert">The coordinator does not answer.</span>
      <span class="number">The page shows what it knew {spanText(seconds.value)} ago and tries again.</span>
      <button type="button" class="small" onClick={retryNow}>
        Try now
      </button>
    </div>
  );
}
