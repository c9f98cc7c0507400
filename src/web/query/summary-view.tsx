/** First tab: statement, counters, session, warnings. */
import type { ComponentChildren, JSX } from "preact";
import { bytesOf, countText, dataSizeText, shortCountText, shortSizeText, timestampText } from "../components/format.ts";
import type { QueryDetail } from "./model/documents.ts";
import { perSecond } from "./model/progress.ts";
import { StatementView } from "./statement/statement-view.tsx";

type Facts = readonly (readonly [name: string, value: ComponentChildren])[];

export function SummaryView({ query }: { readonly query: QueryDetail }): JSX.Element {
  const { warnings = [] } = query;
  return (
    <div class="summary">
      <StatementView text={query.query} error={query.failureInfo?.errorLocation} />
      <div class="summary-facts">
        {warnings.length > 0 && (
          <section class="card">
            <h2>Warnings</h2>
            <ul>
              {warnings.map(({ message }, index) => (
                <li key={index}>{message}</li>
              ))}
            </ul>
          </section>
        )}
        <FactList title="Other cluster" facts={otherCluster(query)} />
        <FactList title="Rows and bytes" facts={data(query)} />
        <FactList title="Time" facts={times(query)} />
        <FactList title="Session" facts={session(query)} />
        <FactList title="Session properties" facts={properties(query)} />
      </div>
    </div>
  );
}

function FactList({ title, facts }: { readonly title: string; readonly facts: Facts }): JSX.Element | null {
  const shown = facts.filter(([, value]) => value !== undefined && value !== "");
  return shown.length === 0 ? null : (
    <section class="card">
      <h2>{title}</h2>
      <dl class="fact-list">
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Of a query that another cluster runs. */
function otherCluster({ routedTo }: QueryDetail): Facts {
  const { cluster, infoUri, queryId } = routedTo ?? {};
  return [
    ["Cluster", cluster],
    [
      "Query there",
      infoUri === undefined ? (
        queryId
      ) : (
        <a href={infoUri} target="_blank" rel="noopener noreferrer">
          {queryId}
        </a>
      ),
    ],
  ];
}

function data(query: QueryDetail): Facts {
  const stats = query.queryStats;
  const bytes = bytesOf(stats.rawInputDataSize);
  const [rows, rate] = [perSecond(stats.rawInputPositions, query), perSecond(bytes, query)];
  const spilled = bytesOf(stats.spilledDataSize);
  return [
    ["Read", `${countText(stats.rawInputPositions)} rows, ${dataSizeText(bytes)}`],
    ["Rate", rows === undefined || rate === undefined || rows === 0 ? "" : `${shortCountText(rows)} rows/s, ${shortSizeText(rate)}/s`],
    ["Processed", `${countText(stats.processedInputPositions)} rows, ${stats.processedInputDataSize}`],
    ["Output", `${countText(stats.outputPositions)} rows, ${stats.outputDataSize}`],
    ["Columns", query.fieldNames.join(", ")],
    ["Memory now", stats.totalMemoryReservation],
    ["Peak memory", stats.peakMemoryReservation ?? ""],
    ["Spilled", spilled > 0 ? dataSizeText(spilled) : ""],
  ];
}

function times({ queryStats: stats }: QueryDetail): Facts {
  return [
    ["Created", timestampText(stats.createTime)],
    ["Ended", stats.endTime === undefined ? "" : timestampText(stats.endTime)],
    ["Elapsed", stats.elapsedTime],
    ["Queued", stats.queuedTime],
    ["Analysis and planning", stats.analysisTime],
    ["Execution", stats.executionTime ?? ""],
    ["CPU", stats.totalCpuTime],
    ["Scheduled", stats.totalScheduledTime],
    ["Blocked", stats.totalBlockedTime],
    ["Tasks", stats.totalTasks === 0 ? "" : `${countText(stats.completedTasks)} of ${countText(stats.totalTasks)} done`],
  ];
}

function session({ session: one, resourceGroupId = [], updateType }: QueryDetail): Facts {
  return [
    ["User", one.user],
    ["Principal", one.principal === one.user ? "" : (one.principal ?? "")],
    ["Source", one.source ?? ""],
    ["Catalog", one.catalog ?? ""],
    ["Schema", one.schema ?? ""],
    ["Time zone", one.timeZone ?? ""],
    ["Client", [one.userAgent, one.remoteUserAddress].filter((part) => part !== undefined).join(", ")],
    ["Client info", one.clientInfo ?? ""],
    ["Client tags", (one.clientTags ?? []).join(", ")],
    ["Trace token", one.traceToken ?? ""],
    ["Resource group", resourceGroupId.join(".")],
    ["Update", updateType ?? ""],
  ];
}

function properties({ session: { systemProperties = {}, catalogProperties = {} } }: QueryDetail): Facts {
  return [
    ...Object.entries(systemProperties),
    ...Object.entries(catalogProperties).flatMap(([catalog, own]) =>
      Object.entries(own).map(([name, value]) => [`${catalog}.${name}`, value] as const),
    ),
  ];
}
