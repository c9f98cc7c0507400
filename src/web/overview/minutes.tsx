/** The charts as numbers: means of each of the last ten minutes. */
import type { JSX } from "preact";
import { history, historyRevision } from "../api/cluster-feed.ts";
import type { Minute } from "../api/cluster-history.ts";
import { type Column, DataTable } from "../components/data-table.tsx";
import { Empty } from "../components/empty.tsx";
import { charts } from "./charts.ts";

const columns: readonly Column<Minute>[] = [
  { key: "at", title: "Minute", render: ({ atSeconds }) => new Date(atSeconds * 1000).toTimeString().slice(0, 5) },
  ...charts.flatMap(({ lines, format }) =>
    lines.map(({ column, measure }) => ({
      key: measure,
      title: column,
      numeric: true,
      render: ({ means }: Minute) => format(means[measure] ?? undefined),
    })),
  ),
];

export function Minutes(): JSX.Element {
  void historyRevision.value;
  return (
    <DataTable
      caption="Means of each of the last ten minutes"
      columns={columns}
      rows={history.minutes()}
      keyOf={({ atSeconds }) => String(atSeconds)}
      empty={<Empty title="No values yet" />}
    />
  );
}
