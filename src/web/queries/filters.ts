/** The filters of the Queries page: parameters of the page's address, which are those of `GET /v1/query`. Pure. */

/** States that people tell apart, and the states of the documents that each stands for. */
export const stateGroups: readonly { readonly title: string; readonly states: readonly string[] }[] = [
  { title: "Queued", states: ["queued", "waiting_for_resources"] },
  { title: "Planning", states: ["planning", "starting"] },
  { title: "Running", states: ["running", "finishing"] },
  { title: "Finished", states: ["finished"] },
  { title: "Failed", states: ["failed"] },
];

/** Value of the address parameter `state` for a group. */
export function statesOf(title: string): string {
  return stateGroups.find((group) => group.title === title)?.states.join(",") ?? "";
}

export const liveStates: string = ["Queued", "Planning", "Running"].map(statesOf).join(",");

export const errorTypes: readonly (readonly [string, string])[] = [
  ["USER_ERROR", "User error"],
  ["INTERNAL_ERROR", "Internal error"],
  ["INSUFFICIENT_RESOURCES", "Insufficient resources"],
  ["EXTERNAL", "External"],
];

export const sorts: readonly (readonly [string, string])[] = [
  ["-createTime", "Newest"],
  ["createTime", "Oldest"],
  ["-elapsedTime", "Elapsed"],
  ["-totalCpuTime", "CPU time"],
  ["-peakMemoryReservation", "Peak memory"],
  ["-rawInputPositions", "Rows read"],
  ["-rawInputDataSize", "Bytes read"],
  ["-queuedTime", "Queued time"],
  ["-endTime", "Ended last"],
  ["state", "State"],
  ["user", "User"],
  ["source", "Source"],
];

export const limits: readonly number[] = [50, 100, 500, 1000];
const defaultLimit = 100;
const defaultSort = "-createTime";
const previewLength = 240;

/** Parameters of the address that narrow the list. */
export const filterNames = ["search", "state", "user", "source", "errorType"] as const;
export type FilterName = (typeof filterNames)[number];

export interface Filters {
  readonly values: Readonly<Record<FilterName, string>>;
  readonly sort: string;
  readonly limit: number;
  /** The page continues behind this query; empty for the first page. */
  readonly after: string;
  /** Matches before this page, as the link to it said. */
  readonly from: number;
}

export function parseFilters(parameters: ReadonlyMap<string, string>): Filters {
  const limit = Number(parameters.get("limit"));
  const from = Number(parameters.get("from"));
  const after = parameters.get("after") ?? "";
  return {
    values: Object.fromEntries(filterNames.map((name) => [name, parameters.get(name) ?? ""])) as Record<FilterName, string>,
    sort: parameters.get("sort") ?? defaultSort,
    limit: Number.isInteger(limit) && limit >= 1 && limit <= 1000 ? limit : defaultLimit,
    after,
    from: after !== "" && Number.isSafeInteger(from) && from > 0 ? from : 0,
  };
}

/** Parameters of the address; defaults are left out, so that equal views have equal addresses. */
export function filterParameters({ values, sort, limit, after, from }: Filters): Readonly<Record<string, string | undefined>> {
  return {
    ...values,
    sort: sort === defaultSort ? undefined : sort,
    limit: limit === defaultLimit ? undefined : String(limit),
    after,
    from: from === 0 ? undefined : String(from),
  };
}

/** The request that answers the filters. */
export function listPath({ values, sort, limit, after }: Filters): string {
  const parameters = { ...values, sort, limit: String(limit), after, preview: String(previewLength) };
  return `v1/query?${new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== "")).toString()}`;
}

/** States of the parameter, in lower case. */
export function chosenStates(state: string): ReadonlySet<string> {
  return new Set(
    state
      .toLowerCase()
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== ""),
  );
}

/** The parameter after a click on a group: the group's states are added, or removed if all of them are chosen. */
export function toggleStates(state: string, states: readonly string[]): string {
  const chosen = chosenStates(state);
  const isWhole = states.every((one) => chosen.has(one));
  const rest = [...chosen].filter((one) => !states.includes(one));
  return (isWhole ? rest : [...rest, ...states]).join(",");
}
