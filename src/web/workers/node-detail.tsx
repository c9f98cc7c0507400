/** One node: its heartbeat counters explained, its last failure, and the memory of its queries. */
import type { ComponentChildren, JSX } from "preact";
import type { ClusterNode, NodeQuery } from "../api/documents.ts";
import { addressOf } from "../app/router.ts";
import { type Column, DataTable } from "../components/data-table.tsx";
import { Empty } from "../components/empty.tsx";
import { bytesOf, countText, dataSizeText, nanosOf, percentText, spanText } from "../components/format.ts";
import { ProgressBar } from "../components/progress-bar.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { failureTypeText, lastResponseText, nodeName, nodeState, ratioSentence, stateSentence } from "./node-words.ts";

export function NodeDetail({ node }: { readonly node: ClusterNode }): JSX.Element {
  const name = nodeName(node);
  return (
    <section class="node-detail card" aria-label={`Node ${name}`}>
      <div class="section-head">
        <h2>{name}</h2>
        <a href={addressOf(["workers"])}>Close</a>
      </div>
      <div class="node-parts">
        <Monitor node={node} />
        <Failures node={node} />
        <MemoryByQuery node={node} />
      </div>
    </section>
  );
}

export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }): JSX.Element {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="number">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Monitor({ node }: { readonly node: ClusterNode }): JSX.Element {
  const state = nodeState(node);
  return (
    <div>
      <h3>Heartbeats</h3>
      <p>
        <StateBadge state={state} /> {stateSentence(state)} {ratioSentence(node)}
      </p>
      <Facts
        facts={[
          ["Recent requests", node.recentRequests.toFixed(2)],
          ["Recent successes", node.recentSuccesses.toFixed(2)],
          ["Recent failures", node.recentFailures.toFixed(2)],
          ["Failure ratio", percentText(node.recentFailureRatio)],
          ["Last request", lastResponseText(node.lastRequestTime, Date.now())],
          ["Last response", lastResponseText(node.lastResponseTime, Date.now())],
          ["Up", spanText(nanosOf(node.age) / 1e9)],
          ["Address", node.uri],
          ...(node.nodeVersion === undefined ? [] : ([["Version", node.nodeVersion]] as const)),
        ]}
      />
      <p class="muted small">
        Recent counters decay: after a minute a heartbeat counts 37%, after five minutes less than 1%. A node is not used while too large a
        part of its recent heartbeats failed.
      </p>
    </div>
  );
}

function Failures({ node: { lastFailureInfo, recentFailuresByType, recentFailures } }: { readonly node: ClusterNode }): JSX.Element {
  const types = Object.entries(recentFailuresByType).sort(([, a], [, b]) => b - a);
  return (
    <div>
      <h3>Failures</h3>
      {lastFailureInfo === undefined ? (
        <p class="muted">No heartbeat has failed since the node announced itself.</p>
      ) : (
        <>
          <p>
            Last: <b>{failureTypeText(lastFailureInfo.type)}</b>
          </p>
          <p class="failure-message">{lastFailureInfo.message}</p>
        </>
      )}
      {types.length > 0 && (
        <dl class="facts bars">
          {types.map(([type, count]) => (
            <div key={type}>
              <dt>{failureTypeText(type)}</dt>
              <dd>
                <ProgressBar
                  ratio={recentFailures === 0 ? 0 : count / recentFailures}
                  label={`${failureTypeText(type)}: part of the recent failures`}
                  tone="bad"
                  showText={false}
                />
                <span class="number">{count.toFixed(2)}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

const columns: readonly Column<NodeQuery>[] = [
  {
    key: "query",
    title: "Query",
    value: ({ queryId }) => queryId,
    render: ({ queryId }) => (
      <a class="mono small" href={addressOf(["queries", queryId])}>
        {queryId}
      </a>
    ),
  },
  {
    key: "tasks",
    title: "Tasks",
    numeric: true,
    value: ({ runningTasks }) => runningTasks,
    render: ({ runningTasks }) => countText(runningTasks),
  },
  {
    key: "memory",
    title: "Memory",
    numeric: true,
    value: ({ memoryReservation }) => bytesOf(memoryReservation),
    render: ({ memoryReservation }) => dataSizeText(bytesOf(memoryReservation)),
  },
];

function MemoryByQuery({ node: { queries } }: { readonly node: ClusterNode }): JSX.Element {
  return (
    <div>
      <h3>Memory by query</h3>
      <DataTable
        caption="Queries with tasks on this node"
        columns={columns}
        rows={queries ?? []}
        keyOf={({ queryId }) => queryId}
        sort={{ key: "memory", descending: true }}
        empty={<Empty title="No query has a task here" />}
      />
    </div>
  );
}
