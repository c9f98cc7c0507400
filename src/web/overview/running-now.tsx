/** The live queries that run longest. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { isFinal, type ListedQuery } from "../api/documents.ts";
import { usePoll } from "../api/poll.ts";
import { addressOf } from "../app/router.ts";
import { DataTable } from "../components/data-table.tsx";
import { Empty, FailureNote } from "../components/empty.tsx";
import { queryColumns } from "../queries/columns.tsx";
import { liveStates, listPath, parseFilters } from "../queries/filters.ts";

const shownMax = 5;
const delayMs = 1000;
const parameters = { state: liveStates, sort: "-elapsedTime" };
const path = listPath({ ...parseFilters(new Map(Object.entries(parameters))), limit: shownMax });

export function RunningNow(): JSX.Element {
  const poll = usePoll<readonly ListedQuery[]>(path, delayMs);
  const columns = useMemo(() => queryColumns(() => poll.refresh()).map((column) => ({ ...column, sortable: false })), [poll]);
  const { document, failure } = poll.state.value;
  const live = (document ?? []).filter(({ state }) => !isFinal(state));
  return (
    <section class="running-now" aria-labelledby="running-now">
      <div class="section-head">
        <h2 id="running-now">Longest running</h2>
        <a href={addressOf(["queries"], parameters)}>All live queries</a>
      </div>
      <FailureNote failure={failure} />
      <DataTable
        caption="Live queries that run longest"
        class="fixed"
        columns={columns}
        rows={live}
        keyOf={({ queryId }) => queryId}
        empty={document !== undefined && <Empty title="No query runs" />}
      />
    </section>
  );
}
