/** The coordinator's own state: what delays it, and its memory. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { ServerStatus } from "../../protocol/documents/info.ts";
import { cluster, followClosely, history, historyRevision } from "../api/cluster-feed.ts";
import { historySeconds } from "../api/cluster-history.ts";
import { usePoll } from "../api/poll.ts";
import { dataSizeText, delayText, nanosOf, spanText } from "../components/format.ts";
import { TimeChart } from "../components/time-chart.tsx";
import { Facts } from "./node-detail.tsx";

const delayMs = 2000;

/** What a delay of the event loop means for clients. */
function delaySentence(millis: number | undefined): string {
  if (millis === undefined) {
    return "This coordinator does not measure the delay of its event loop.";
  }
  if (millis < 20) {
    return "The coordinator answers at once.";
  }
  return millis < 200
    ? "The coordinator is busy: answers take noticeably longer."
    : "The coordinator is overloaded: heartbeats and answers to clients are late.";
}

export function CoordinatorCard(): JSX.Element {
  useEffect(followClosely, []);
  const status = usePoll<ServerStatus>("v1/status", delayMs).state.value.document;
  const delay = cluster.value.document?.eventLoopDelayMillis;
  return (
    <section class="coordinator card" aria-label="Coordinator">
      <div>
        <h2>Coordinator</h2>
        <p>{delaySentence(delay)}</p>
        {status !== undefined && (
          <Facts
            facts={[
              ["Event-loop delay", delayText(delay)],
              ["Node", status.nodeId],
              ["Address", status.externalAddress],
              ["Version", status.nodeVersion.version],
              ["Up", spanText(nanosOf(status.uptime) / 1e9)],
              ["Memory of queries", memoryOf(status)],
            ]}
          />
        )}
      </div>
      {delay !== undefined && (
        <TimeChart
          title="Event-loop delay"
          series={[{ label: "delay", color: "--chart-3", values: () => history.column("loopDelay") }]}
          times={() => history.times}
          revision={() => historyRevision.value}
          seconds={historySeconds}
          format={delayText}
          topMin={10}
        />
      )}
    </section>
  );
}

function memoryOf({ memoryInfo: { pools } }: ServerStatus): string {
  const all = Object.values(pools);
  const sum = (read: (pool: (typeof all)[number]) => number): number => all.reduce((total, pool) => total + read(pool), 0);
  return `${dataSizeText(sum(({ reservedBytes }) => reservedBytes))} of ${dataSizeText(sum(({ maxBytes }) => maxBytes))}`;
}
