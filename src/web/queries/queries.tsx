/** Queries: search, filters, order and page are in the address; the coordinator answers them. */
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { isFinal, type ListedQuery } from "../api/documents.ts";
import { type Poll, usePoll } from "../api/poll.ts";
import { addressOf, route, setParameters } from "../app/router.ts";
import { DataTable } from "../components/data-table.tsx";
import { Empty, FailureNote, Loading } from "../components/empty.tsx";
import { countText } from "../components/format.ts";
import { parseSort, sortText } from "../components/table-keys.ts";
import { queryColumns, queryRowHeight } from "./columns.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { filterParameters, type Filters, filterNames, listPath, parseFilters } from "./filters.ts";

/** A long list changes less often than a short one, because each answer is larger. */
function delayMs(queries: readonly ListedQuery[]): number {
  const isLive = queries.some(({ state }) => !isFinal(state));
  return queries.length > 200 ? 2000 : isLive ? 1000 : 2000;
}

export function Queries(): JSX.Element {
  const filters = parseFilters(route.value.parameters);
  const poll = usePoll<readonly ListedQuery[]>(listPath(filters), delayMs);
  const { list, total, isStale } = useLastList(poll);
  const { failure } = poll.state.value;
  const columns = useMemo(() => queryColumns(() => poll.refresh()), [poll]);
  const change = (changes: Partial<Filters>): void => setParameters(filterParameters({ ...filters, after: "", from: 0, ...changes }));
  return (
    <div class="queries fill-page">
      <div class="page-head">
        <h1>Queries</h1>
        <span class="muted number" role="status">
          {list !== undefined && rangeText(filters, list.length, total)}
        </span>
      </div>
      <FilterBar filters={filters} queries={list ?? []} onChange={change} />
      <FailureNote failure={failure} onRetry={() => poll.refresh()} />
      {list === undefined ? (
        <Loading what="the queries" />
      ) : (
        <div class={isStale ? "list stale" : "list"}>
          <DataTable
            caption="Queries"
            columns={columns}
            rows={list}
            keyOf={({ queryId }) => queryId}
            sort={parseSort(filters.sort)}
            onSort={(sort) => change({ sort: sortText(sort) })}
            rowHeight={queryRowHeight}
            empty={<NoQueries filters={filters} />}
          />
        </div>
      )}
      {list !== undefined && <Pages filters={filters} list={list} total={total} />}
    </div>
  );
}

/** The list of the address, or until it is there that of the address before. */
function useLastList(poll: Poll<readonly ListedQuery[]>): {
  readonly list: readonly ListedQuery[] | undefined;
  readonly total: number | undefined;
  readonly isStale: boolean;
} {
  const { document, headers } = poll.state.value;
  const last = useRef<{ readonly list: readonly ListedQuery[]; readonly total: number | undefined } | undefined>(undefined);
  if (document !== undefined) {
    const total = headers?.get("x-total-count");
    last.current = { list: document, total: total === null || total === undefined ? undefined : Number(total) };
  }
  return { list: last.current?.list, total: last.current?.total, isStale: document === undefined };
}

function rangeText({ from }: Filters, shown: number, total: number | undefined): string {
  if (shown === 0) {
    return "";
  }
  const range = `${countText(from + 1)}–${countText(from + shown)}`;
  return total === undefined ? range : `${range} of ${countText(Math.max(total, from + shown))}`;
}

function NoQueries({ filters }: { readonly filters: Filters }): JSX.Element {
  const isFiltered = filterNames.some((name) => filters.values[name] !== "") || filters.after !== "";
  return isFiltered ? (
    <Empty title="No query matches">
      <a href={addressOf(["queries"])}>Show all queries</a>
    </Empty>
  ) : (
    <Empty title="No queries yet">
      <p>
        Run one in the <a href={addressOf(["editor"])}>SQL editor</a>, with the shell or with any Presto or Trino client.
      </p>
    </Empty>
  );
}

interface PagesProps {
  readonly filters: Filters;
  readonly list: readonly ListedQuery[];
  readonly total: number | undefined;
}

function Pages({ filters, list, total }: PagesProps): JSX.Element | null {
  const last = list.at(-1)?.queryId;
  const hasMore = last !== undefined && total !== undefined && total > filters.from + list.length;
  if (!hasMore && filters.after === "") {
    return null;
  }
  const pageAt = (after: string, from: number): string => addressOf(["queries"], filterParameters({ ...filters, after, from }));
  return (
    <nav class="pages" aria-label="Pages of the list">
      {filters.after !== "" && (
        <a class="button" href={pageAt("", 0)}>
          First page
        </a>
      )}
      {hasMore && (
        <a class="button" href={pageAt(last, filters.from + list.length)}>
          Next {countText(Math.min(filters.limit, total - filters.from - list.length))}
        </a>
      )}
    </nav>
  );
}
