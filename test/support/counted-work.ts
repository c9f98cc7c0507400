/**
 * Work of a statement in a simulated cluster that is counted, not timed.
 */
import type { JsonValue } from "../../src/protocol/json.ts";
import type { Asker } from "./service.ts";
import type { SimulatedService } from "./simulated-service.ts";

export const countedNames = ["requests", "bytes", "exchanged-rows", "allocations", "kernel-steps"] as const;
export type CountedName = (typeof countedNames)[number];
export type Counted = Readonly<Record<CountedName, number>>;

/** Requests between nodes on behalf of queries. */
const taskPath = "/v1/task/";

interface Stage {
  readonly tasks: readonly {
    readonly stats: {
      readonly pipelines: readonly {
        readonly operatorSummaries: readonly { readonly operatorType: string; readonly outputPositions: number }[];
      }[];
    };
  }[];
  readonly subStages: readonly Stage[];
}

/** Runs the statement alone in the cluster. Throws its error. */
export async function workOf({ cluster }: SimulatedService, asker: Asker, sql: string): Promise<Counted> {
  const nodes = cluster.names.flatMap((name) => cluster.node(name) ?? []);
  const allocations = (): number => nodes.reduce((sum, { memoryUse }) => sum + memoryUse.allocations, 0);
  const steps = (): number => nodes.reduce((sum, { interpretedWork }) => sum + interpretedWork.steps, 0);
  const before = { allocations: allocations(), steps: steps() };
  const sent = { requests: 0, bytes: 0 };
  cluster.network.observer = ({ request, response }) => {
    if (request.url.startsWith(taskPath)) {
      sent.requests += 1;
      sent.bytes += request.body.length + response.body.length;
    }
  };
  const responses = await asker.chain(sql);
  cluster.network.observer = undefined;
  const { id, error } = responses.at(-1) as Record<string, JsonValue>;
  if (error !== undefined) {
    throw new Error(JSON.stringify(error));
  }
  const counted = { allocations: allocations() - before.allocations, "kernel-steps": steps() - before.steps };
  const { outputStage } = (await asker.object("GET", `/v1/query/${id as string}`)) as unknown as { readonly outputStage: Stage };
  return { ...sent, "exchanged-rows": exchangedRows(outputStage), ...counted };
}

function exchangedRows(stage: Stage): number {
  const own = stage.tasks
    .flatMap(({ stats }) => stats.pipelines.flatMap(({ operatorSummaries }) => operatorSummaries))
    .filter(({ operatorType }) => operatorType === "ExchangeOperator" || operatorType === "MergeOperator");
  return stage.subStages.reduce(
    (sum, one) => sum + exchangedRows(one),
    own.reduce((sum, { outputPositions }) => sum + outputPositions, 0),
  );
}

/** Reads the file that the test wrote: a table with the names in its first line. */
export function readCounts(text: string): ReadonlyMap<string, Counted> {
  const [names = [], ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  return new Map(
    rows.map(([query = "", ...figures]) => [
      query,
      Object.fromEntries(figures.map((figure, index) => [names[index + 1] ?? "", Number(figure)])) as Record<CountedName, number>,
    ]),
  );
}
