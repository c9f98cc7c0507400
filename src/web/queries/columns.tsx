/** Columns of a list of queries; a key is the name under which the list resource sorts. */
import { isFinal, type ListedQuery } from "../api/documents.ts";
import type { Column } from "../components/data-table.tsx";
import { CancelButton } from "./cancel-button.tsx";
import { CpuCell, ElapsedCell, MemoryCell, ProgressCell, RowsCell, StateCell, StatementCell, UserCell } from "./cells.tsx";

/** Both lines of a row and its border. */
export const queryRowHeight = 46;

export function queryColumns(onCanceled: () => void): readonly Column<ListedQuery>[] {
  return [
    { key: "state", title: "State", width: "208px", sortable: true, render: (query) => <StateCell query={query} /> },
    { key: "query", title: "Statement", render: (query) => <StatementCell query={query} /> },
    { key: "user", title: "User", width: "120px", from: "medium", sortable: true, render: (query) => <UserCell query={query} /> },
    {
      key: "elapsedTime",
      title: "Elapsed",
      width: "92px",
      numeric: true,
      sortable: true,
      render: (query) => <ElapsedCell query={query} />,
    },
    {
      key: "totalCpuTime",
      title: "CPU",
      hint: "CPU time of all tasks",
      width: "86px",
      numeric: true,
      from: "wide",
      sortable: true,
      render: (query) => <CpuCell query={query} />,
    },
    {
      key: "peakMemoryReservation",
      title: "Memory",
      hint: "Most memory that was reserved at one time",
      width: "104px",
      numeric: true,
      from: "medium",
      sortable: true,
      render: (query) => <MemoryCell query={query} />,
    },
    {
      key: "rawInputPositions",
      title: "Rows",
      hint: "Rows that the scans read",
      width: "116px",
      numeric: true,
      from: "wide",
      sortable: true,
      render: (query) => <RowsCell query={query} />,
    },
    { key: "progress", title: "Progress", width: "140px", from: "medium", render: (query) => <ProgressCell query={query} /> },
    {
      key: "actions",
      title: "",
      label: "Actions",
      width: "74px",
      from: "medium",
      render: ({ queryId, state }) => !isFinal(state) && <CancelButton queryId={queryId} onCanceled={onCanceled} />,
    },
  ];
}
