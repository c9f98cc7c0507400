/** The results of a run: one tab for each statement, with its grid, chart, error or progress, and the exports. */
import type { ComponentType, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { addressOf } from "../../app/router.ts";
import { countText, durationText } from "../../components/format.ts";
import { StateBadge } from "../../components/state-badge.tsx";
import { showToast } from "../../components/toast.tsx";
import { type ExportFormat, exportResult } from "../export/download.ts";
import type { Execution, ExecutionState } from "../run/execution.ts";
import { Progress } from "../run/progress.tsx";
import type { TabSession } from "../run/tab-session.ts";
import { Grid } from "./grid.tsx";
import { ValueDialog } from "./value-dialog.tsx";
import { oneLine } from "./values.ts";

interface ResultsProps {
  readonly session: TabSession;
  /** Puts the cursor at the place of an error. */
  readonly onGoTo: (execution: Execution) => void;
}

export function Results({ session, onGoTo }: ResultsProps): JSX.Element {
  const executions = session.executions.value;
  const chosen = useSignal<Execution | undefined>(undefined);
  // The statement that runs or ran last is shown, until the user chooses another.
  const latest = executions.findLast((one) => one.version.value >= 0 && one.state !== "waiting") ?? executions[0];
  const current = chosen.value !== undefined && executions.includes(chosen.value) ? chosen.value : latest;
  useEffect(() => {
    chosen.value = undefined;
  }, [executions]);
  if (current === undefined) {
    return (
      <div class="sql-empty muted">
        <p>
          <kbd>Ctrl</kbd>+<kbd>Enter</kbd> runs the selection or the statement at the cursor, <kbd>Ctrl</kbd>+<kbd>Shift</kbd>+
          <kbd>Enter</kbd> all statements.
        </p>
      </div>
    );
  }
  return (
    <>
      {executions.length > 1 && (
        <div class="sql-result-tabs" role="group" aria-label="Results">
          {executions.map((one, index) => (
            <button
              key={index}
              type="button"
              class="small"
              aria-pressed={one === current}
              title={oneLine(one.sql, 300)}
              onClick={() => (chosen.value = one)}
            >
              <ResultMark execution={one} /> {index + 1}: {oneLine(one.sql, 28)}
            </button>
          ))}
        </div>
      )}
      <Result key={executions.indexOf(current)} execution={current} onGoTo={onGoTo} />
    </>
  );
}

const marks: Readonly<Record<ExecutionState, string>> = {
  waiting: "QUEUED",
  running: "RUNNING",
  finished: "FINISHED",
  failed: "FAILED",
  canceled: "CANCELED",
  limited: "FINISHED",
};

function ResultMark({ execution }: { readonly execution: Execution }): JSX.Element {
  void execution.version.value;
  const serverState = execution.state === "running" ? execution.results?.stats.state : undefined;
  return <StateBadge state={serverState ?? marks[execution.state]} />;
}

type Show = "grid" | "chart";

function Result({ execution, onGoTo }: { readonly execution: Execution; readonly onGoTo: (execution: Execution) => void }): JSX.Element {
  void execution.version.value;
  const show = useSignal<Show>("grid");
  const opened = useSignal<{ readonly value: unknown; readonly column: number } | undefined>(undefined);
  const isFailed = execution.state === "failed";
  const hasColumns = execution.columns.length > 0;
  const isPlan = execution.columns.length === 1 && execution.columns[0]?.name === "Query Plan";
  // A result of the same columns keeps the order, the widths and the chart.
  const shape = execution.columns.map(({ name, type: typeText }) => `${name} ${typeText}`).join("\n");
  const type = opened.value === undefined ? undefined : execution.types[opened.value.column];
  return (
    <section class="sql-result" aria-label="Result">
      <ResultHead execution={execution} show={show.value} onShow={(next) => (show.value = next)} isTable={hasColumns && !isPlan} />
      {isFailed && <ErrorNote execution={execution} onGoTo={onGoTo} />}
      <Notes execution={execution} />
      {!execution.isOver && <Progress execution={execution} />}
      {hasColumns && isPlan && <PlanText execution={execution} />}
      {hasColumns && !isPlan && (execution.rows.length > 0 || (execution.isOver && !isFailed)) && show.value === "grid" && (
        <Grid key={shape} execution={execution} label="Rows of the result" onOpen={(value, column) => (opened.value = { value, column })} />
      )}
      {hasColumns && !isPlan && show.value === "chart" && <LoadedChart key={shape} execution={execution} />}
      {opened.value !== undefined && type !== undefined && (
        <ValueDialog
          name={execution.columns[opened.value.column]?.name ?? ""}
          value={opened.value.value}
          type={type}
          onClose={() => (opened.value = undefined)}
        />
      )}
    </section>
  );
}

interface HeadProps {
  readonly execution: Execution;
  readonly show: Show;
  readonly onShow: (show: Show) => void;
  readonly isTable: boolean;
}

function ResultHead({ execution, show, onShow, isTable }: HeadProps): JSX.Element {
  const { queryId, rows, elapsedMs, results } = execution;
  const exportAs = (format: ExportFormat): void => {
    exportResult(execution, format).catch((error: unknown) => showToast(`The export failed: ${String(error)}`, "bad"));
  };
  return (
    <div class="sql-result-head">
      <ResultMark execution={execution} />
      <span class="number" role="status">
        {summary(execution)}
      </span>
      <span class="muted number">{durationText(elapsedMs * 1e6)}</span>
      {queryId !== undefined && <a href={addressOf(["queries", queryId])}>Query {queryId}</a>}
      {isTable && rows.length > 0 && (
        <span class="sql-result-tools">
          <span role="group" aria-label="Show">
            <button type="button" class="small" aria-pressed={show === "grid"} onClick={() => onShow("grid")}>
              Grid
            </button>
            <button type="button" class="small" aria-pressed={show === "chart"} onClick={() => onShow("chart")}>
              Chart
            </button>
          </span>
          <span role="group" aria-label="Export">
            {(["csv", "json", "parquet"] as const).map((format) => (
              <button key={format} type="button" class="small" disabled={!execution.isOver} onClick={() => exportAs(format)}>
                {{ csv: "CSV", json: "JSON", parquet: "Parquet" }[format]}
              </button>
            ))}
          </span>
        </span>
      )}
      {results?.warnings !== undefined && results.warnings.length > 0 && <span class="muted">{results.warnings.length} warnings</span>}
    </div>
  );
}

function summary({ state, rows, results, columns }: Execution): string {
  const updated = results?.updateCount === undefined ? "" : `: ${countText(results.updateCount)} rows`;
  if (state === "finished" && results?.updateType !== undefined) {
    return `${results.updateType}${updated}`;
  }
  return columns.length === 0 || state === "running" ? "" : `${countText(rows.length)} ${rows.length === 1 ? "row" : "rows"}`;
}

function Notes({ execution }: { readonly execution: Execution }): JSX.Element | null {
  const { state, rows, isDropped, results } = execution;
  const warnings = results?.warnings ?? [];
  return (
    <>
      {state === "limited" && (
        <p class="sql-note" role="status">
          The result has more than these {countText(rows.length)} rows. The rest was not fetched and the query was ended; Settings has the
          number of rows that are kept.
        </p>
      )}
      {isDropped && (
        <p class="sql-note">The rows of this statement were given up for those of later statements. Run it alone to see them.</p>
      )}
      {state === "canceled" && <p class="sql-note">The statement was canceled.</p>}
      {warnings.map(({ message }, index) => (
        <p class="sql-note" key={index}>
          {message}
        </p>
      ))}
    </>
  );
}

function ErrorNote({ execution, onGoTo }: { readonly execution: Execution; readonly onGoTo: (execution: Execution) => void }): JSX.Element {
  const { error, clientError } = execution;
  return (
    <div class="failure sql-error" role="alert">
      <span>
        {error !== undefined && <strong>{error.errorName} </strong>}
        {error?.message ?? clientError?.message}
      </span>
      {error?.errorLocation !== undefined && (
        <button type="button" class="small" onClick={() => onGoTo(execution)}>
          Go to the place
        </button>
      )}
    </div>
  );
}

/** Plans are text with indentation. */
function PlanText({ execution }: { readonly execution: Execution }): JSX.Element {
  return (
    <pre class="sql-plan" tabIndex={0} aria-label="Query plan">
      {execution.rows.map(([text]) => String(text)).join("\n")}
    </pre>
  );
}

function LoadedChart({ execution }: { readonly execution: Execution }): JSX.Element {
  const loaded = useSignal<{ readonly Chart: ComponentType<{ readonly execution: Execution }> } | undefined>(undefined);
  useEffect(() => {
    void import("../chart/chart.tsx").then(({ Chart }) => {
      loaded.value = { Chart };
    });
  }, []);
  const Chart = loaded.value?.Chart;
  return Chart === undefined ? (
    <p class="muted" role="status">
      Loading the chart…
    </p>
  ) : (
    <Chart execution={execution} />
  );
}
