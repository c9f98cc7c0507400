/** The page of one query, `#/queries/ID/TAB`. Fetches the detail about once a second until the query has ended. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ComponentType, JSX } from "preact";
import { fetchJson, request, RequestFailure } from "../api/request.ts";
import { usePoll } from "../api/poll.ts";
import { addressOf, navigate, route } from "../app/router.ts";
import { setTitle } from "../app/title.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { Empty, FailureNote, Loading } from "../components/empty.tsx";
import { oneLine } from "../components/format.ts";
import { ProgressBar } from "../components/progress-bar.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { type Tab, Tabs } from "../components/tabs.tsx";
import { showToast } from "../components/toast.tsx";
import { ErrorBanner, ErrorView } from "./error-view.tsx";
import { bugReport } from "./model/bug-report.ts";
import { hasOutdatedTasks, type QueryDetail } from "./model/documents.ts";
import { elapsedText, isEnded, progressOf, waitText } from "./model/progress.ts";
import { saveFile } from "./save-file.ts";
import { StagesView } from "./stages-view.tsx";
import { SummaryView } from "./summary-view.tsx";

const pollDelayMs = 1000;
/** The last documents of tasks arrive shortly after the end. That of a lost worker never does. */
const pollsAfterEndMax = 10;

type TabKey = "overview" | "plan" | "stages" | "timeline" | "error" | "json";
type TabView = ComponentType<{ readonly query: QueryDetail }>;

/** Tabs whose code is loaded when they are first opened. */
const lazyTabs: Readonly<Partial<Record<TabKey, () => Promise<TabView>>>> = {
  plan: async () => (await import("./plan/plan-view.tsx")).PlanView,
  timeline: async () => (await import("./timeline/timeline-view.tsx")).TimelineView,
  json: async () => (await import("./json/json-view.tsx")).JsonView,
};

export function Query(): JSX.Element {
  const [, id = ""] = route.value.path;
  return <OneQuery key={id} id={id} />;
}

function OneQuery({ id }: { readonly id: string }): JSX.Element {
  const afterEnd = useRef(0);
  const poll = usePoll<QueryDetail>(`v1/query/${encodeURIComponent(id)}`, (query) => {
    const isLast = isEnded(query) && (!hasOutdatedTasks(query) || ++afterEnd.current > pollsAfterEndMax);
    return isLast ? undefined : pollDelayMs;
  });
  const { document: query, failure } = poll.state.value;
  useEffect(
    () => setTitle(query === undefined ? `Query ${id}` : `${query.state.toLowerCase()} ${oneLine(query.query).slice(0, 40)}`),
    [query?.state, query?.query],
  );
  if (query === undefined) {
    if (failure?.status === 404 || failure?.status === 410) {
      return (
        <Empty title={`There is no query ${id}`}>
          <p>
            It may have been removed from the history. <a href="#/queries">All queries</a>
          </p>
        </Empty>
      );
    }
    return failure === undefined ? <Loading what="the query" /> : <FailureNote failure={failure} onRetry={() => poll.refresh()} />;
  }
  return (
    <div class="query-page">
      <Head query={query} refresh={() => poll.refresh()} />
      <FailureNote failure={failure} onRetry={() => poll.refresh()} />
      <Body query={query} />
    </div>
  );
}

function Head({ query, refresh }: { readonly query: QueryDetail; readonly refresh: () => void }): JSX.Element {
  const { ratio, words } = progressOf(query);
  const wait = waitText(query);
  const { state, errorCode, queryStats } = query;
  const isCanceled = errorCode?.name === "USER_CANCELED";
  return (
    <>
      <div class="page-head">
        <h1>
          <span class="visually-hidden">Query </span>
          <span class="query-id">{query.queryId}</span>
        </h1>
        <StateBadge state={state} {...(isCanceled ? { text: "Canceled", tone: "neutral" } : {})} />
        <Actions query={query} refresh={refresh} />
      </div>
      <div class="query-progress">
        {!isEnded(query) && <ProgressBar ratio={ratio} label="Progress of the query" />}
        <span class="query-times">
          {[`${elapsedText(query)} elapsed`, `CPU ${queryStats.totalCpuTime}`, words].filter((part) => part !== "").join(" · ")}
        </span>
      </div>
      {wait !== "" && (
        <p class="query-wait" role="status" data-reason={query.waitReason ?? "NONE"}>
          {wait}
        </p>
      )}
    </>
  );
}

function Actions({ query, refresh }: { readonly query: QueryDetail; readonly refresh: () => void }): JSX.Element {
  const [isCanceling, setCanceling] = useState(false);
  const cancel = async (): Promise<void> => {
    setCanceling(true);
    try {
      await request(`v1/query/${encodeURIComponent(query.queryId)}`, { method: "DELETE" });
      showToast("The query is being canceled");
    } catch (error) {
      showToast(error instanceof RequestFailure ? error.message : String(error), "bad");
    }
    setCanceling(false);
    refresh();
  };
  return (
    <div class="query-actions">
      {!isEnded(query) && (
        <button type="button" class="danger" disabled={isCanceling} onClick={() => void cancel()}>
          Cancel
        </button>
      )}
      <a class="button" href={addressOf(["editor"], { query: query.queryId })}>
        Run again
      </a>
      <CopyButton text={() => location.href} what="Link" />
      <button type="button" onClick={() => void download(query)} title="One file with statement, plan and counters, without secrets">
        Bug report
      </button>
    </div>
  );
}

/** What cannot be had is missing in the report, and says so. */
async function download(query: QueryDetail): Promise<void> {
  const ask = async (path: string): Promise<unknown> => {
    try {
      return (await fetchJson<unknown>(path)).document;
    } catch (error) {
      return `not available: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  const [info, cluster, nodes] = await Promise.all([ask("v1/info"), ask("v1/cluster"), ask("v1/node")]);
  const page = { userAgent: navigator.userAgent, createdAt: new Date().toISOString() };
  saveFile(`orrery-${query.queryId}.json`, JSON.stringify(bugReport({ query, info, cluster, nodes, page }), null, 1));
}

function Body({ query }: { readonly query: QueryDetail }): JSX.Element {
  const tabs: readonly Tab<TabKey>[] = [
    { key: "overview", title: "Overview" },
    { key: "plan", title: "Plan" },
    { key: "stages", title: "Stages" },
    { key: "timeline", title: "Timeline" },
    ...(query.failureInfo === undefined ? [] : [{ key: "error" as const, title: "Error" }]),
    { key: "json", title: "JSON" },
  ];
  const [, , wanted = "overview"] = route.value.path;
  const current = tabs.find(({ key }) => key === wanted)?.key ?? "overview";
  const select = (key: TabKey): void => navigate(addressOf(["queries", query.queryId, ...(key === "overview" ? [] : [key])]));
  return (
    <>
      <ErrorBanner query={query} isFull={current === "error"} />
      <Tabs label="Views of the query" tabs={tabs} current={current} onSelect={select}>
        <TabContent key={current} current={current} query={query} />
      </Tabs>
    </>
  );
}

function TabContent({ current, query }: { readonly current: TabKey; readonly query: QueryDetail }): JSX.Element {
  switch (current) {
    case "overview":
      return <SummaryView query={query} />;
    case "stages":
      return <StagesView query={query} />;
    case "error":
      return <ErrorView query={query} />;
    case "plan":
    case "timeline":
    case "json":
      return <LazyTab current={current} query={query} />;
  }
}

function LazyTab({ current, query }: { readonly current: TabKey; readonly query: QueryDetail }): JSX.Element {
  const [view, setView] = useState<{ readonly View: TabView }>();
  const [failure, setFailure] = useState("");
  useEffect(() => {
    let left = false;
    lazyTabs[current]?.().then(
      (View) => left || setView({ View }),
      (error: unknown) => left || setFailure(String(error)),
    );
    return () => {
      left = true;
    };
  }, [current]);
  if (failure !== "") {
    return <p role="alert">{`The view could not be loaded: ${failure}. Reload the page; the server may have been updated.`}</p>;
  }
  return view === undefined ? <Loading what="the view" /> : <view.View query={query} />;
}
