/** Cells of a query in a list. */
import type { JSX } from "preact";
import { isFinal, type ListedQuery } from "../api/documents.ts";
import { addressOf } from "../app/router.ts";
import {
  agoText,
  bytesOf,
  countText,
  dataSizeText,
  durationText,
  nanosOf,
  oneLine,
  pluralText,
  shortTimestampText,
  timestampText,
} from "../components/format.ts";
import { ProgressBar } from "../components/progress-bar.tsx";
import { StateBadge } from "../components/state-badge.tsx";

/** State, and below it what the query waits for or why it failed. */
export function StateCell({ query }: { readonly query: ListedQuery }): JSX.Element {
  const isCanceled = query.errorCode?.name === "USER_CANCELED";
  const below = belowState(query);
  return (
    <div class="two-lines">
      {isCanceled ? <StateBadge state="FAILED" text="Canceled" tone="neutral" /> : <StateBadge state={query.state} />}
      <span class="second" title={below}>
        {below}
      </span>
    </div>
  );
}

function belowState({ state, errorCode, waitReason, waitMessage, queryStats }: ListedQuery): string {
  if (state === "FAILED") {
    return errorCode?.name === "USER_CANCELED" ? "" : (errorCode?.name ?? "");
  }
  if (isFinal(state)) {
    return shortTimestampText(queryStats.endTime, Date.now());
  }
  return waitReason === "NONE" ? "" : (waitMessage ?? "");
}

/** The statement as a link to the query's page, and below it the query's id. */
export function StatementCell({ query }: { readonly query: ListedQuery }): JSX.Element {
  const text = oneLine(query.query);
  return (
    <div class="two-lines">
      <a class="statement" href={addressOf(["queries", query.queryId])} title={query.query}>
        {text === "" ? query.queryId : text}
      </a>
      <span class="second mono">{query.queryId}</span>
    </div>
  );
}

export function UserCell({ query: { session } }: { readonly query: ListedQuery }): JSX.Element {
  return (
    <div class="two-lines">
      <span class="cut" title={session.user}>
        {session.user}
      </span>
      <span class="second" title={session.source}>
        {session.source ?? ""}
      </span>
    </div>
  );
}

/** Elapsed time, and below it when the query was created. */
export function ElapsedCell({ query: { queryStats } }: { readonly query: ListedQuery }): JSX.Element {
  return (
    <div class="two-lines">
      <span>{durationText(nanosOf(queryStats.elapsedTime))}</span>
      <span class="second" title={timestampText(queryStats.createTime)}>
        {agoText(Date.parse(queryStats.createTime), Date.now())}
      </span>
    </div>
  );
}

export function CpuCell({ query: { queryStats } }: { readonly query: ListedQuery }): JSX.Element {
  return <>{durationText(nanosOf(queryStats.totalCpuTime))}</>;
}

/** Peak memory, and below it the memory that is reserved now. */
export function MemoryCell({ query: { queryStats, state } }: { readonly query: ListedQuery }): JSX.Element {
  return (
    <div class="two-lines">
      <span>{dataSizeText(bytesOf(queryStats.peakMemoryReservation))}</span>
      <span class="second">{isFinal(state) ? "" : `${dataSizeText(bytesOf(queryStats.totalMemoryReservation))} now`}</span>
    </div>
  );
}

/** Rows that the scans read, and below them their bytes. */
export function RowsCell({ query: { queryStats } }: { readonly query: ListedQuery }): JSX.Element {
  return (
    <div class="two-lines">
      <span>{countText(queryStats.rawInputPositions)}</span>
      <span class="second">{dataSizeText(bytesOf(queryStats.rawInputDataSize))}</span>
    </div>
  );
}

/** Progress, and below it the splits. A query that has ended has only the splits. */
export function ProgressCell({ query: { queryId, state, queryStats } }: { readonly query: ListedQuery }): JSX.Element {
  const { completedDrivers, totalDrivers, progressPercentage } = queryStats;
  if (isFinal(state)) {
    return <span class="muted small">{totalDrivers === 0 ? "" : pluralText(completedDrivers, "split")}</span>;
  }
  return (
    <div class="two-lines">
      <ProgressBar ratio={progressPercentage === undefined ? undefined : progressPercentage / 100} label={`Progress of ${queryId}`} />
      <span class="second">{totalDrivers === 0 ? "" : `${countText(completedDrivers)} of ${pluralText(totalDrivers, "split")}`}</span>
    </div>
  );
}
