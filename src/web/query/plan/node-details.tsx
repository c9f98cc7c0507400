/** All about one plan node: its expressions, sums, and its work in each task. */
import { useEffect, useRef } from "preact/hooks";
import type { ComponentChildren, JSX } from "preact";
import { countText, dataSizeText, durationText } from "../../components/format.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import type { GraphNode } from "../model/plan-graph.ts";
import { shortTaskId } from "../model/documents.ts";
import type { Measure, TaskMeasure } from "../model/measures.ts";
import { skewAccuracy } from "./node-card.tsx";

const columns: readonly Column<TaskMeasure>[] = [
  {
    key: "task",
    title: "Task",
    value: ({ taskId }) => taskId,
    render: ({ taskId, nodeId }) => <span title={nodeId}>{shortTaskId(taskId)}</span>,
  },
  {
    key: "rows",
    title: "Rows in",
    numeric: true,
    value: ({ measure }) => measure.rowsIn + measure.buildRows,
    render: ({ measure }) => countText(measure.rowsIn + measure.buildRows),
  },
  {
    key: "out",
    title: "Rows out",
    numeric: true,
    value: ({ measure }) => measure.rowsOut,
    render: ({ measure }) => countText(measure.rowsOut),
  },
  {
    key: "time",
    title: "Time",
    numeric: true,
    value: ({ measure }) => measure.wallNanos,
    render: ({ measure }) => durationText(measure.wallNanos),
  },
  {
    key: "wait",
    title: "Wait",
    numeric: true,
    value: ({ measure }) => measure.blockedNanos,
    render: ({ measure }) => durationText(measure.blockedNanos),
  },
];

export function NodeDetails({ node, onClose }: { readonly node: GraphNode; readonly onClose: () => void }): JSX.Element {
  const { text, measures, fusedText, stage } = node;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [node.id]);
  return (
    <aside class="plan-details" aria-label={`Details of ${text.title}`} onKeyDown={(event) => event.key === "Escape" && onClose()}>
      <header>
        <h2 tabindex={-1} ref={heading}>
          {text.title} <span class="muted">{`node ${node.id}, stage ${stage}`}</span>
        </h2>
        <button type="button" class="quiet" aria-label="Close the details" onClick={onClose}>
          ✕
        </button>
      </header>
      {fusedText !== "" && <p class="muted">{`${capital(fusedText)}: it has no time, wait and memory of its own.`}</p>}
      {measures === undefined && fusedText === "" && node.document.kind !== "Output" && (
        <p class="muted">{`${capital(node.missingText)}.`}</p>
      )}
      <dl class="fact-list">
        <Rows node={node} />
        {measures !== undefined && <Sums total={measures.total} />}
        {measures !== undefined && (
          <Fact name="Operators">{measures.operatorTypes.map((type) => type.replace(/Operator$/, "")).join(", ")}</Fact>
        )}
      </dl>
      {text.details.length > 0 && (
        <dl class="fact-list long">
          {text.details.map(([name, value]) => (
            <Fact key={name} name={name}>
              <code>{value}</code>
            </Fact>
          ))}
        </dl>
      )}
      {measures !== undefined && measures.tasks.length > 1 && (
        <DataTable
          caption={`Tasks of ${text.title}`}
          columns={columns}
          rows={measures.tasks}
          keyOf={({ taskId }) => taskId}
          {...(measures.tasks.length > 50 ? { rowHeight: 30 } : {})}
        />
      )}
    </aside>
  );
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Rows({ node }: { readonly node: GraphNode }): JSX.Element {
  const { estimate, rowsOut, rowSkew, timeSkew } = node;
  return (
    <>
      <Fact name="Rows out">{rowsOut === undefined ? "not counted" : countText(rowsOut)}</Fact>
      {estimate !== undefined && (
        <Fact name="Estimated rows">
          {countText(estimate.estimatedRows)} <span data-accuracy={estimate.accuracy}>{estimate.words}</span>
        </Fact>
      )}
      {rowSkew !== undefined && (
        <Fact name="Skew of rows">
          <span data-accuracy={skewAccuracy(rowSkew)}>{`${rowSkew.toFixed(2)}×`}</span> <span class="muted">busiest task over average</span>
        </Fact>
      )}
      {timeSkew !== undefined && <Fact name="Skew of time">{`${timeSkew.toFixed(2)}×`}</Fact>}
    </>
  );
}

function Sums({ total }: { readonly total: Measure }): JSX.Element {
  return (
    <>
      <Fact name="Rows in">{`${countText(total.rowsIn)} · ${dataSizeText(total.bytesIn)}`}</Fact>
      {total.buildRows > 0 && <Fact name="Build rows">{countText(total.buildRows)}</Fact>}
      {total.filteredRows > 0 && <Fact name="Dropped by dynamic filters">{countText(total.filteredRows)}</Fact>}
      <Fact name="Time">{`${durationText(total.wallNanos)} · CPU ${durationText(total.cpuNanos)}`}</Fact>
      <Fact name="Wait">{durationText(total.blockedNanos)}</Fact>
      <Fact name="Memory now">{dataSizeText(total.memoryBytes)}</Fact>
    </>
  );
}
