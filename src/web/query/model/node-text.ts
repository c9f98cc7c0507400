/** Title, one line and details of a plan node. Kinds that this build does not know are shown by their name. Pure. */
import { expressionText } from "./expression-text.ts";
import { type PlanNodeDocument, remoteStages } from "./documents.ts";

/** Chooses the color of the node. */
export type Category = "read" | "join" | "aggregate" | "sort" | "rows" | "exchange" | "write" | "other";

export interface NodeText {
  readonly title: string;
  /** The most important fact in a few words: the table, the criteria, the keys. */
  readonly line: string;
  readonly category: Category;
  /** Name and value, for the details. */
  readonly details: readonly (readonly [name: string, value: string])[];
}

type Loose = Readonly<Record<string, unknown>>;

function list(value: unknown): readonly Loose[] {
  return Array.isArray(value) ? value.filter((one): one is Loose => typeof one === "object" && one !== null) : [];
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function names(value: unknown): string {
  return list(value)
    .map(({ name }) => text(name))
    .join(", ");
}

function lower(value: unknown): string {
  return text(value).toLowerCase().replaceAll("_", " ");
}

function capital(value: string): string {
  return value.slice(0, 1).toUpperCase() + value.slice(1);
}

function orderText(value: unknown): string {
  return list(value)
    .map(({ variable, descending }) => `${text((variable as Loose | undefined)?.["name"])}${descending === true ? " desc" : ""}`)
    .join(", ");
}

function tableText(value: unknown): string {
  const { catalog, name } = (value ?? {}) as {
    readonly catalog?: unknown;
    readonly name?: { readonly schema?: unknown; readonly table?: unknown };
  };
  return [catalog, name?.schema, name?.table]
    .map(text)
    .filter((part) => part !== "")
    .join(".");
}

function criteriaText(value: unknown): string {
  return list(value)
    .map(({ left, right }) => `${expressionText(left)} = ${expressionText(right)}`)
    .join(" AND ");
}

function callsText(value: unknown): string {
  return list(value)
    .map(({ output, name, args, mask }) => {
      const call = `${text(name)}(${(Array.isArray(args) ? args : []).map((arg) => expressionText(arg)).join(", ")})`;
      return `${expressionText(output)} := ${call}${mask === undefined ? "" : ` FILTER (${expressionText(mask)})`}`;
    })
    .join("\n");
}

function assignmentsText(value: unknown): string {
  return list(value)
    .map(({ output, expression }) => `${expressionText(output)} := ${expressionText(expression)}`)
    .join("\n");
}

type Details = readonly (readonly [string, string])[];

function described(title: string, category: Category, line: string, details: Details = []): NodeText {
  return { title, category, line, details: details.filter(([, value]) => value !== "") };
}

const stepTitles: Readonly<Record<string, string>> = { PARTIAL: "Partial ", FINAL: "Final ", SINGLE: "" };

function stepped(node: PlanNodeDocument, name: string): string {
  const step = text(node["step"]);
  return capital(`${Object.hasOwn(stepTitles, step) ? stepTitles[step] : ""}${name}`);
}

export function nodeText(node: PlanNodeDocument): NodeText {
  return reading(node) ?? joining(node) ?? aggregating(node) ?? ordering(node) ?? rowwise(node) ?? writing(node) ?? unknown(node);
}

function reading(node: PlanNodeDocument): NodeText | undefined {
  switch (node.kind) {
    case "TableScan": {
      const table = tableText(node["table"]);
      return described("Table scan", "read", table, [
        ["Table", table],
        ["Call", text((node["table"] as Loose | undefined)?.["call"])],
        ["Columns", names(node["columns"])],
        ["Dynamic filters", filtersText(node["dynamicFilters"], node["remoteDynamicFilters"])],
      ]);
    }
    case "Values": {
      const rows = list(node["rows"]).length || (Array.isArray(node["rows"]) ? node["rows"].length : 0);
      return described("Values", "read", `${rows} ${rows === 1 ? "row" : "rows"}`, [["Columns", names(node["outputs"])]]);
    }
    case "RemoteSource": {
      const stages = remoteStages(node);
      const order = orderText(node["orderBy"]);
      const from = `from stage${stages.length === 1 ? "" : "s"} ${stages.join(", ")}`;
      return described(order === "" ? "Exchange" : "Merging exchange", "exchange", from, [
        ["Reads", from.replace(/^from /, "")],
        ["Columns", names(node["outputs"])],
        ["Order", order],
      ]);
    }
    case "TableFunction": {
      const { catalog, schema, name } = (node["function"] ?? {}) as Loose;
      return described("Table function", "rows", [catalog, schema, name].map(text).join("."), [["Columns", names(node["outputs"])]]);
    }
    default:
      return undefined;
  }
}

function filtersText(...filters: readonly unknown[]): string {
  return filters
    .flatMap(list)
    .map(({ id, variable }) => `${expressionText(variable)} by filter ${text(id)}`)
    .join("\n");
}

function joining(node: PlanNodeDocument): NodeText | undefined {
  const distribution = lower(node["distribution"]);
  switch (node.kind) {
    case "Join": {
      const criteria = criteriaText(node["criteria"]);
      const filter = node["filter"] === undefined ? "" : expressionText(node["filter"]);
      const title = criteria === "" ? (filter === "" ? "Cross join" : "Nested loop join") : `${capital(lower(node["type"]))} join`;
      return described(title, "join", criteria === "" ? filter : criteria, [
        ["Criteria", criteria],
        ["Filter", filter],
        ["Distribution", distribution],
        ["Columns", names(node["outputs"])],
      ]);
    }
    case "SemiJoin": {
      const line = `${expressionText(node["sourceKey"])} IN ${expressionText(node["filteringKey"])}`;
      return described("Semi join", "join", line, [
        ["Marks", expressionText(node["output"])],
        ["Criteria", line],
        ["Distribution", distribution],
        ["Build side", lower(node["build"])],
      ]);
    }
    case "Union":
      return described("Union", "join", `of ${list(node["sources"]).length} sources`, [["Columns", names(node["outputs"])]]);
    default:
      return undefined;
  }
}

function aggregating(node: PlanNodeDocument): NodeText | undefined {
  switch (node.kind) {
    case "Aggregation": {
      const keys = names(node["keys"]);
      return described(stepped(node, "aggregation"), "aggregate", keys === "" ? "of all rows" : `by ${keys}`, [
        ["Group by", keys],
        ["Aggregates", callsText(node["aggregates"])],
      ]);
    }
    case "GroupId":
      return described("Group id", "aggregate", `${(node["sets"] as readonly unknown[] | undefined)?.length ?? 0} grouping sets`, [
        [
          "Columns",
          list(node["columns"])
            .map(({ output }) => expressionText(output))
            .join(", "),
        ],
      ]);
    case "MarkDistinct":
      return described("Mark distinct", "aggregate", names(node["keys"]), [["Marker", expressionText(node["marker"])]]);
    case "Window":
      return described("Window", "aggregate", windowLine(node), [
        ["Partition by", names(node["partitionBy"])],
        ["Order by", orderText(node["orderBy"])],
        ["Functions", callsText(node["functions"])],
      ]);
    case "PatternRecognition":
      return described("Row pattern recognition", "aggregate", windowLine(node), [
        ["Partition by", names(node["partitionBy"])],
        ["Order by", orderText(node["orderBy"])],
        ["Rows", lower(node["rows"])],
        ["Labels", Array.isArray(node["labels"]) ? node["labels"].join(", ") : ""],
      ]);
    default:
      return undefined;
  }
}

function windowLine(node: PlanNodeDocument): string {
  const [partition, order] = [names(node["partitionBy"]), orderText(node["orderBy"])];
  return [partition === "" ? "" : `by ${partition}`, order === "" ? "" : `order ${order}`].filter((part) => part !== "").join(" ");
}

function ordering(node: PlanNodeDocument): NodeText | undefined {
  const order = orderText(node["orderBy"]);
  const count = text(node["count"]);
  switch (node.kind) {
    case "Sort":
      return described("Sort", "sort", order, [["Order by", order]]);
    case "TopN":
      return described(stepped(node, "top N"), "sort", `${count} by ${order}`, [
        ["Rows", `${count}${node["withTies"] === true ? " with ties" : ""}`],
        ["Order by", order],
      ]);
    case "Limit":
      return described(node["partial"] === true ? "Partial limit" : "Limit", "sort", `${count} rows`, [["Rows", count]]);
    case "Offset":
      return described("Offset", "sort", `${count} rows`, [["Rows", count]]);
    default:
      return undefined;
  }
}

function rowwise(node: PlanNodeDocument): NodeText | undefined {
  switch (node.kind) {
    case "Filter": {
      const predicate = expressionText(node["predicate"]);
      return described("Filter", "rows", predicate, [["Predicate", predicate]]);
    }
    case "Project": {
      const assignments = list(node["assignments"]);
      const line = assignments.map(({ output }) => expressionText(output)).join(", ");
      return described("Project", "rows", line, [["Assignments", assignmentsText(assignments)]]);
    }
    case "Unnest":
      return described("Unnest", "rows", expressionText(node["count"]), [["Repeats by", expressionText(node["count"])]]);
    case "EnforceSingleRow":
      return described("Enforce single row", "rows", "");
    case "Sample":
      return described("Sample", "rows", `${lower(node["method"])} ${Number(node["ratio"]) * 100}%`);
    case "AssignUniqueId":
      return described("Assign unique id", "rows", expressionText(node["idVariable"]));
    default:
      return undefined;
  }
}

function writing(node: PlanNodeDocument): NodeText | undefined {
  switch (node.kind) {
    case "Output": {
      const columns = Array.isArray(node["columnNames"]) ? node["columnNames"].map(String).join(", ") : "";
      return described("Output", "other", columns, [["Columns", columns]]);
    }
    case "TableWriter":
    case "TableFinish": {
      const table = tableText(node["target"]);
      return described(node.kind === "TableWriter" ? "Table writer" : "Table finish", "write", table, [
        ["Table", table],
        ["Statement", lower((node["target"] as Loose | undefined)?.["kind"])],
      ]);
    }
    default:
      return undefined;
  }
}

function unknown({ kind }: PlanNodeDocument): NodeText {
  return described(kind.replaceAll(/([a-z])([A-Z])/g, "$1 $2"), "other", "");
}
