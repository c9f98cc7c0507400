/** Statements and their rows, or Presto's error, as elements. */
import { h } from "../../view/page/dom.ts";
import type { ShownStatement } from "../clients.ts";

const numeric = /^(tinyint|smallint|integer|bigint|real|double|decimal)/;

export function resultOf(statement: ShownStatement): readonly HTMLElement[] {
  const { failure, state, isOver, rowCount, columns, fromNanos, toNanos, queryId, client } = statement;
  const ms = `${((toNanos - fromNanos) / 1e6).toFixed(1)} ms`;
  const count = `${rowCount.toLocaleString("en")} ${rowCount === 1 ? "row" : "rows"}`;
  const what = state === "FINISHED" && columns.length > 0 ? `${count} in ${ms}` : ms;
  const head = h("p", { class: "state", "data-state": state }, h("b", {}, state), ` · ${client} · ${what} ${queryId}`);
  if (failure !== undefined) {
    const { errorName, errorType, errorCode, message } = failure;
    const title = errorName === "" ? "No answer" : errorName;
    const kind = errorName === "" ? "" : ` ${errorType}, code ${errorCode}`;
    return [head, h("p", { class: "failed" }, h("b", {}, title), kind, h("br"), message)];
  }
  return columns.length === 0 || (rowCount === 0 && !isOver) ? [head] : [head, tableOf(statement)];
}

function tableOf({ columns, rows, rowCount }: ShownStatement): HTMLElement {
  const left = rowCount - rows.length;
  return h(
    "div",
    { class: "rows", tabindex: 0, role: "region", "aria-label": "Rows" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...columns.map(({ name, type }) => h("th", { scope: "col", title: type }, name)))),
      h(
        "tbody",
        {},
        ...rows.map((row) =>
          h(
            "tr",
            {},
            ...row.map((value, index) =>
              h("td", { class: value === null ? "null" : numeric.test(columns[index]?.type ?? "") ? "number" : "" }, value ?? "NULL"),
            ),
          ),
        ),
        left > 0 ? h("tr", {}, h("td", { class: "null", colspan: columns.length }, `and ${left.toLocaleString("en")} more`)) : undefined,
      ),
    ),
  );
}
