/** Statements of this browser, and those that the server still knows of this user. */
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { fetchJson } from "../../api/request.ts";
import { addressOf } from "../../app/router.ts";
import type { ListedQuery } from "../../api/documents.ts";
import { agoText, countText, durationText } from "../../components/format.ts";
import { StateBadge } from "../../components/state-badge.tsx";
import { statementUser } from "../settings.ts";
import { metadataSource, workspace } from "../workspace.ts";
import { type HistoryEntry, matching } from "./history.ts";

interface HistoryPanelProps {
  readonly onOpen: (entry: { readonly sql: string; readonly catalog?: string; readonly schema?: string }) => void;
}

const shownMax = 100;

export function HistoryPanel({ onOpen }: HistoryPanelProps): JSX.Element {
  const space = workspace();
  const search = useSignal("");
  const from = useSignal<"browser" | "server">("browser");
  const version = space.historyVersion.value;
  const own = useMemo(() => space.history.entries(), [version]);
  const served = useServerQueries(from.value);
  const entries = from.value === "browser" ? own : served;
  const found = matching(entries, search.value);
  return (
    <div class="sql-history">
      <div class="sql-side-head">
        <input
          type="search"
          aria-label="Search statements"
          placeholder="Search statements"
          value={search.value}
          onInput={(event) => (search.value = event.currentTarget.value)}
        />
        <select
          aria-label="Statements of"
          value={from.value}
          onChange={(event) => (from.value = event.currentTarget.value === "server" ? "server" : "browser")}
        >
          <option value="browser">This browser</option>
          <option value="server">Server</option>
        </select>
      </div>
      <ul class="sql-history-list">
        {found.slice(0, shownMax).map((entry, index) => (
          <Entry key={`${entry.startedMs} ${index}`} entry={entry} onOpen={() => onOpen(entry)} />
        ))}
      </ul>
      {found.length === 0 && (
        <p class="muted sql-side-note">{entries.length === 0 ? "No statements yet" : "No statement has these words"}</p>
      )}
      {found.length > shownMax && <p class="muted sql-side-note">{countText(found.length - shownMax)} older ones match too</p>}
      {from.value === "browser" && own.length > 0 && (
        <button
          type="button"
          class="quiet small"
          onClick={() => {
            space.history.clear();
            space.historyVersion.value++;
          }}
        >
          Clear the history of this browser
        </button>
      )}
    </div>
  );
}

function Entry({ entry, onOpen }: { readonly entry: HistoryEntry; readonly onOpen: () => void }): JSX.Element {
  const { sql, state, startedMs, elapsedMs, queryId, rows } = entry;
  return (
    <li>
      <button type="button" class="sql-history-sql" title="Open in a tab" onClick={onOpen}>
        <code>{sql.length > 400 ? `${sql.slice(0, 400)}…` : sql}</code>
      </button>
      <span class="sql-history-facts">
        <StateBadge state={state === "limited" ? "FINISHED" : state.toUpperCase()} />
        <span class="muted number">
          {agoText(startedMs, Date.now())}
          {elapsedMs === undefined ? "" : `, ${durationText(elapsedMs * 1e6)}`}
          {rows === undefined ? "" : `, ${countText(rows)} rows`}
        </span>
        {queryId !== undefined && <a href={addressOf(["queries", queryId])}>Query</a>}
      </span>
    </li>
  );
}

/** The latest queries of the user, without the editor's own. */
function useServerQueries(from: "browser" | "server"): readonly HistoryEntry[] {
  const entries = useSignal<readonly HistoryEntry[]>([]);
  const user = statementUser.value;
  const version = workspace().historyVersion.value;
  useEffect(() => {
    if (from !== "server") {
      return undefined;
    }
    const abort = new AbortController();
    const path = `v1/query?${new URLSearchParams({ user, sort: "-createTime", limit: "500" }).toString()}`;
    fetchJson<readonly ListedQuery[]>(path, abort.signal).then(
      ({ document }) => {
        entries.value = document.filter(({ session }) => session.user === user && session.source !== metadataSource).map(entryOf);
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [from, user, version]);
  return entries.value;
}

function entryOf({ queryId, query, state, queryStats, session }: ListedQuery): HistoryEntry {
  const { catalog, schema } = session;
  return {
    sql: query,
    startedMs: Date.parse(queryStats.createTime),
    state,
    queryId,
    ...(catalog === undefined ? {} : { catalog }),
    ...(schema === undefined ? {} : { schema }),
  };
}
