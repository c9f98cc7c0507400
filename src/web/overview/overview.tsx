/** Overview: the cluster's totals now and over the last ten minutes, and the queries that run longest. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { cluster, followClosely, history, historyRevision } from "../api/cluster-feed.ts";
import { historySeconds } from "../api/cluster-history.ts";
import type { Cluster } from "../api/documents.ts";
import { addressOf, route, setParameters } from "../app/router.ts";
import { FailureNote } from "../components/empty.tsx";
import { countText, shortSizeText } from "../components/format.ts";
import type { Tone } from "../components/state-badge.tsx";
import { TimeChart } from "../components/time-chart.tsx";
import { statesOf } from "../queries/filters.ts";
import { charts } from "./charts.ts";
import { Minutes } from "./minutes.tsx";
import { RunningNow } from "./running-now.tsx";

export function Overview(): JSX.Element {
  useEffect(followClosely, []);
  const { document, failure } = cluster.value;
  const isNumbers = route.value.parameters.get("view") === "numbers";
  return (
    <div class="overview">
      <div class="page-head">
        <h1>Overview</h1>
        <div class="switch" role="group" aria-label="Last ten minutes as">
          <button type="button" aria-pressed={!isNumbers} onClick={() => setParameters({ view: undefined })}>
            Charts
          </button>
          <button type="button" aria-pressed={isNumbers} onClick={() => setParameters({ view: "numbers" })}>
            Numbers
          </button>
        </div>
      </div>
      <FailureNote failure={failure} />
      <Tiles document={document} />
      {isNumbers ? <Minutes /> : <Charts document={document} />}
      <RunningNow />
    </div>
  );
}

interface Tile {
  readonly title: string;
  readonly value: string;
  readonly tone: Tone;
  readonly href: string;
  readonly hint: string;
}

function queriesAt(title: string): string {
  return addressOf(["queries"], { state: statesOf(title) });
}

/** Before the first answer the tiles stand without values, so that nothing moves when it comes. */
function tilesOf(document: Partial<Cluster>): readonly Tile[] {
  const { runningQueries, queuedQueries, blockedQueries, finishedQueries, failedQueries } = document;
  const { activeWorkers, runningDrivers, reservedMemory, memoryCapacity } = document;
  const capacity = memoryCapacity === undefined ? "" : ` of ${shortSizeText(memoryCapacity)}`;
  return [
    { title: "Running", value: countText(runningQueries), tone: "busy", href: queriesAt("Running"), hint: "Queries that run now" },
    { title: "Queued", value: countText(queuedQueries), tone: "wait", href: queriesAt("Queued"), hint: "Queries that wait for admission" },
    {
      title: "Blocked",
      value: countText(blockedQueries),
      tone: "warn",
      href: queriesAt("Running"),
      hint: "Running queries all of whose drivers wait",
    },
    {
      title: "Finished",
      value: countText(finishedQueries),
      tone: "good",
      href: queriesAt("Finished"),
      hint: "Since the coordinator was started",
    },
    { title: "Failed", value: countText(failedQueries), tone: "bad", href: queriesAt("Failed"), hint: "Since the coordinator was started" },
    { title: "Workers", value: countText(activeWorkers), tone: "neutral", href: addressOf(["workers"]), hint: "Workers that answer" },
    {
      title: "Splits",
      value: countText(runningDrivers),
      tone: "neutral",
      href: queriesAt("Running"),
      hint: "Splits that are processed now",
    },
    {
      title: "Memory",
      value: shortSizeText(reservedMemory),
      tone: "neutral",
      href: addressOf(["workers"]),
      hint: `Reserved by queries${capacity}`,
    },
  ];
}

function Tiles({ document }: { readonly document: Cluster | undefined }): JSX.Element {
  return (
    <ul class="tiles card">
      {tilesOf(document ?? {}).map(({ title, value, tone, href, hint }) => (
        <li key={title}>
          <a href={href} title={hint} data-tone={tone}>
            <span class="tile-title">
              <i aria-hidden="true" />
              {title}
            </span>
            <b class="number">{value}</b>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Charts({ document }: { readonly document: Cluster | undefined }): JSX.Element {
  return (
    <div class="charts">
      {charts.map(({ title, lines, format, topMin, isBytes, noteOf }) => {
        const note = document === undefined ? undefined : noteOf?.(document);
        return (
          <TimeChart
            key={title}
            title={title}
            series={lines.map(({ label, color, measure }) => ({ label, color, values: () => history.column(measure) }))}
            times={() => history.times}
            revision={() => historyRevision.value}
            seconds={historySeconds}
            format={format}
            topMin={topMin}
            isBytes={isBytes === true}
            {...(note === undefined ? {} : { note })}
          />
        );
      })}
    </div>
  );
}
