/** Workers: all nodes that the coordinator monitors, one of them in detail, and the coordinator itself. */
import type { JSX } from "preact";
import type { ClusterNode } from "../api/documents.ts";
import { usePoll } from "../api/poll.ts";
import { addressOf, route } from "../app/router.ts";
import { type Column, DataTable } from "../components/data-table.tsx";
import { Empty, FailureNote, Loading } from "../components/empty.tsx";
import { bytesOf, countText, dataSizeText, noValue, nanosOf, percentText, pluralText, spanText } from "../components/format.ts";
import { StateBadge } from "../components/state-badge.tsx";
import { CoordinatorCard } from "./coordinator-card.tsx";
import { NodeDetail } from "./node-detail.tsx";
import { failureTypeText, lastResponseText, nodeName, nodeState } from "./node-words.ts";

const delayMs = 1000;

export function Workers(): JSX.Element {
  const poll = usePoll<readonly ClusterNode[]>("v1/node", delayMs);
  const { document: nodes, failure } = poll.state.value;
  const chosen = route.value.path[1];
  const node = nodes?.find((one) => nodeName(one) === chosen);
  return (
    <div class="workers">
      <div class="page-head">
        <h1>Workers</h1>
        <span class="muted" role="status">
          {nodes !== undefined && summary(nodes)}
        </span>
      </div>
      <FailureNote failure={failure} />
      {nodes === undefined ? (
        <Loading what="the nodes" />
      ) : (
        <DataTable
          caption="Nodes of the cluster"
          columns={columns}
          rows={nodes}
          keyOf={nodeName}
          sort={{ key: "node", descending: false }}
          empty={<Empty title="No worker has announced itself">Queries wait until one does.</Empty>}
        />
      )}
      {node !== undefined && <NodeDetail node={node} />}
      {node === undefined && chosen !== undefined && nodes !== undefined && (
        <p class="muted" role="alert">
          No node is called {chosen}. It may have left the cluster.
        </p>
      )}
      <CoordinatorCard />
    </div>
  );
}

function summary(nodes: readonly ClusterNode[]): string {
  const silent = nodes.filter((node) => nodeState(node) === "INACTIVE").length;
  const leaving = nodes.filter((node) => nodeState(node) === "SHUTTING_DOWN").length;
  return [
    pluralText(nodes.length - silent - leaving, "active worker"),
    ...(silent === 0 ? [] : [`${countText(silent)} without answer`]),
    ...(leaving === 0 ? [] : [`${countText(leaving)} shutting down`]),
  ].join(", ");
}

/** A decaying counter: `115.99`. */
function decayingText(count: number): string {
  return count < 0.005 ? "0" : count.toFixed(count < 100 ? 2 : 1);
}

const columns: readonly Column<ClusterNode>[] = [
  {
    key: "node",
    title: "Node",
    value: nodeName,
    render: (node) => (
      <div class="two-lines">
        <a href={addressOf(["workers", nodeName(node)])}>{nodeName(node)}</a>
        <span class="second">{node.uri}</span>
      </div>
    ),
  },
  { key: "state", title: "State", value: nodeState, render: (node) => <StateBadge state={nodeState(node)} /> },
  {
    key: "tasks",
    title: "Tasks",
    numeric: true,
    value: ({ runningTasks }) => runningTasks,
    render: ({ runningTasks, queries }) => (
      <div class="two-lines">
        <span>{countText(runningTasks)}</span>
        <span class="second">{queries === undefined ? "" : pluralText(queries.length, "query", "queries")}</span>
      </div>
    ),
  },
  {
    key: "memory",
    title: "Memory",
    hint: "Reserved by the tasks of queries",
    numeric: true,
    value: ({ memoryReservation }) => (memoryReservation === undefined ? undefined : bytesOf(memoryReservation)),
    render: ({ memoryReservation }) => (memoryReservation === undefined ? noValue : dataSizeText(bytesOf(memoryReservation))),
  },
  {
    key: "requests",
    title: "Requests",
    hint: "Recent heartbeats; a heartbeat counts less the older it is",
    numeric: true,
    from: "medium",
    value: ({ recentRequests }) => recentRequests,
    render: ({ recentRequests }) => decayingText(recentRequests),
  },
  {
    key: "failures",
    title: "Failures",
    hint: "Recent heartbeats that failed",
    numeric: true,
    from: "medium",
    value: ({ recentFailures }) => recentFailures,
    render: ({ recentFailures }) => decayingText(recentFailures),
  },
  {
    key: "ratio",
    title: "Failure ratio",
    numeric: true,
    value: ({ recentFailureRatio }) => recentFailureRatio,
    render: ({ recentFailureRatio }) => (
      <span data-tone={recentFailureRatio > 0.1 ? "bad" : undefined}>{percentText(recentFailureRatio)}</span>
    ),
  },
  {
    key: "last-failure",
    title: "Last failure",
    from: "wide",
    value: ({ lastFailureInfo }) => lastFailureInfo?.type,
    render: ({ lastFailureInfo }) =>
      lastFailureInfo === undefined ? (
        <span class="muted">none</span>
      ) : (
        <span title={lastFailureInfo.message}>{failureTypeText(lastFailureInfo.type)}</span>
      ),
  },
  {
    key: "heard",
    title: "Last response",
    numeric: true,
    from: "medium",
    value: ({ lastResponseTime }) => lastResponseTime,
    render: ({ lastResponseTime }) => lastResponseText(lastResponseTime, Date.now()),
  },
  {
    key: "age",
    title: "Up",
    hint: "Time since the node announced itself",
    numeric: true,
    from: "wide",
    value: ({ age }) => nanosOf(age),
    render: ({ age }) => spanText(nanosOf(age) / 1e9),
  },
];
