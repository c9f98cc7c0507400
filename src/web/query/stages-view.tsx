/** Stages as a table; tasks and operators of the chosen stage, or of all, below it. `?stage=2` is in the address. */
import { useMemo } from "preact/hooks";
import type { JSX } from "preact";
import { route, setParameters } from "../app/router.ts";
import { type Column, DataTable } from "../components/data-table.tsx";
import { Empty } from "../components/empty.tsx";
import { countText, dataSizeText, durationText } from "../components/format.ts";
import { StateBadge } from "../components/state-badge.tsx";
import { type QueryDetail, shortTaskId, stageNumber, stagesOf } from "./model/documents.ts";
import { type OperatorRow, operatorRows, type StageRow, stageRow, type TaskRow, taskRow } from "./model/stage-rows.ts";
import { skewAccuracy } from "./plan/node-card.tsx";

/** Longer tables have only the rows in view in the document. */
const wholeRowsMax = 60;
const rowHeight = 30;

type Numbered<Row> = readonly [
  key: string,
  title: string,
  value: (row: Row) => number,
  text: (value: number) => string,
  from?: "medium" | "wide",
];

function numbers<Row>(columns: readonly Numbered<Row>[]): readonly Column<Row>[] {
  return columns.map(([key, title, value, text, from]) => ({
    key,
    title,
    numeric: true,
    value,
    ...(from === undefined ? {} : { from }),
    render: (row: Row) => text(value(row)),
  }));
}

const stageColumns: readonly Column<StageRow>[] = [
  {
    key: "stage",
    title: "Stage",
    width: "56px",
    value: ({ number }) => number,
    render: ({ number }) => (
      <button type="button" class="link" onClick={() => setParameters({ stage: String(number) })} aria-label={`Tasks of stage ${number}`}>
        {number}
      </button>
    ),
  },
  { key: "state", title: "State", width: "96px", value: ({ state }) => state, render: ({ state }) => <StateBadge state={state} /> },
  {
    key: "root",
    title: "Does",
    from: "medium",
    value: ({ root }) => root,
    render: ({ root }) => (
      <span class="one-line" title={root}>
        {root}
      </span>
    ),
  },
  {
    key: "tasks",
    title: "Tasks",
    numeric: true,
    value: ({ tasks }) => tasks,
    render: ({ tasks, completedTasks }) => `${countText(completedTasks)}/${countText(tasks)}`,
  },
  {
    key: "drivers",
    title: "Splits",
    hint: "Completed drivers of all drivers",
    numeric: true,
    from: "medium",
    value: ({ drivers }) => drivers,
    render: ({ drivers, completedDrivers }) => `${countText(completedDrivers)}/${countText(drivers)}`,
  },
  ...numbers<StageRow>([
    ["rowsIn", "Rows in", (row) => row.rowsIn, countText],
    ["bytesIn", "Bytes in", (row) => row.bytesIn, dataSizeText, "wide"],
    ["rowsOut", "Rows out", (row) => row.rowsOut, countText],
    ["bytesOut", "Bytes out", (row) => row.bytesOut, dataSizeText, "wide"],
    ["cpu", "CPU", (row) => row.cpuNanos, durationText],
    ["scheduled", "Scheduled", (row) => row.scheduledNanos, durationText, "wide"],
    ["blocked", "Blocked", (row) => row.blockedNanos, durationText, "medium"],
    ["peak", "Peak memory", (row) => row.peakBytes, dataSizeText, "wide"],
  ]),
  {
    key: "skew",
    title: "Skew",
    hint: "CPU time of the busiest task over the average",
    numeric: true,
    from: "medium",
    value: ({ skew }) => skew,
    render: ({ skew }) => (skew === undefined ? "–" : <span data-accuracy={skewAccuracy(skew)}>{`${skew.toFixed(1)}×`}</span>),
  },
];

const taskColumns: readonly Column<TaskRow>[] = [
  { key: "task", title: "Task", width: "70px", value: ({ id }) => id, render: ({ id }) => shortTaskId(id) },
  { key: "node", title: "Node", from: "medium", value: ({ node }) => node, render: ({ node }) => node },
  {
    key: "state",
    title: "State",
    value: ({ state }) => state,
    render: ({ state, note }) => <StateBadge state={state} {...(note === undefined ? {} : { title: note })} />,
  },
  {
    key: "drivers",
    title: "Splits",
    numeric: true,
    from: "medium",
    value: ({ drivers }) => drivers,
    render: ({ drivers, completedDrivers }) => `${countText(completedDrivers)}/${countText(drivers)}`,
  },
  ...numbers<TaskRow>([
    ["rowsIn", "Rows in", (row) => row.rowsIn, countText],
    ["rowsOut", "Rows out", (row) => row.rowsOut, countText],
    ["bytesOut", "Bytes out", (row) => row.bytesOut, dataSizeText, "wide"],
    ["elapsed", "Elapsed", (row) => row.elapsedNanos, durationText, "medium"],
    ["cpu", "CPU", (row) => row.cpuNanos, durationText],
    ["scheduled", "Scheduled", (row) => row.scheduledNanos, durationText, "wide"],
    ["blocked", "Blocked", (row) => row.blockedNanos, durationText, "wide"],
    ["memory", "Memory", (row) => row.memoryBytes, dataSizeText, "wide"],
    ["peak", "Peak", (row) => row.peakBytes, dataSizeText, "medium"],
    ["spilled", "Spilled", (row) => row.spilledBytes, dataSizeText, "wide"],
  ]),
];

const operatorColumns: readonly Column<OperatorRow>[] = [
  { key: "place", title: "Place", width: "70px", value: ({ key }) => key, render: ({ stage, pipeline }) => `${stage}.${pipeline}` },
  { key: "type", title: "Operator", value: ({ type }) => type, render: ({ type }) => <span class="one-line">{type}</span> },
  {
    key: "node",
    title: "Plan node",
    from: "medium",
    value: ({ node }) => node,
    render: ({ node, planNodeId }) => `${node}${planNodeId === "" ? "" : ` ${planNodeId}`}`,
  },
  ...numbers<OperatorRow>([
    ["rowsIn", "Rows in", ({ measure }) => measure.rowsIn + measure.buildRows, countText],
    ["rowsOut", "Rows out", ({ measure }) => measure.rowsOut, countText],
    ["bytesOut", "Bytes out", ({ measure }) => measure.bytesOut, dataSizeText, "wide"],
    ["wall", "Time", ({ measure }) => measure.wallNanos, durationText],
    ["cpu", "CPU", ({ measure }) => measure.cpuNanos, durationText, "medium"],
    ["blocked", "Wait", ({ measure }) => measure.blockedNanos, durationText, "medium"],
    ["memory", "Memory", ({ measure }) => measure.memoryBytes, dataSizeText, "wide"],
    ["tasks", "Tasks", (row) => row.tasks, countText, "wide"],
  ]),
];

function windowed(rows: number): { readonly rowHeight?: number; readonly class?: string } {
  return rows > wholeRowsMax ? { rowHeight, class: "limited" } : {};
}

export function StagesView({ query }: { readonly query: QueryDetail }): JSX.Element {
  const stages = useMemo(() => stagesOf(query), [query]);
  const wanted = route.value.parameters.get("stage");
  const chosen = stages.filter(({ stageId }) => wanted === undefined || String(stageNumber(stageId)) === wanted);
  const tasks = useMemo(() => chosen.flatMap((stage) => stage.tasks.map((task) => taskRow(task, stage))), [query, wanted]);
  const operators = useMemo(() => chosen.flatMap(operatorRows), [query, wanted]);
  if (stages.length === 0) {
    return <Empty title="The query has no stages">{query.state === "FAILED" && <p>It failed before it was planned.</p>}</Empty>;
  }
  const whose = wanted === undefined ? "of all stages" : `of stage ${wanted}`;
  return (
    <div class="stages">
      <DataTable
        caption="Stages"
        columns={stageColumns}
        rows={stages.map(stageRow)}
        keyOf={({ number }) => String(number)}
        sort={{ key: "stage", descending: false }}
      />
      <div class="query-section">
        <h2>{`Tasks ${whose}`}</h2>
        {wanted !== undefined && (
          <button type="button" onClick={() => setParameters({ stage: undefined })}>
            Show all stages
          </button>
        )}
      </div>
      <DataTable
        caption={`Tasks ${whose}`}
        columns={taskColumns}
        rows={tasks}
        keyOf={({ id }) => id}
        empty={<Empty title="No task has reported yet" />}
        {...windowed(tasks.length)}
      />
      <div class="query-section">
        <h2>{`Operators ${whose}`}</h2>
        <span class="muted">summed over tasks; place is stage and pipeline</span>
      </div>
      <DataTable
        caption={`Operators ${whose}`}
        columns={operatorColumns}
        rows={operators}
        keyOf={({ key }) => key}
        empty={<Empty title="No operator has started yet" />}
        {...windowed(operators.length)}
      />
    </div>
  );
}
