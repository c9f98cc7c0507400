/** Makes the plan of a failing run smaller: faults and message fates by delta debugging, then times and numbers. */
import { simplerCounts, simplerTimes } from "../shrink/numbers.ts";
import { Search } from "../shrink/search.ts";
import type { MessageFate } from "../world/fates.ts";
import { nanosPerMs } from "../world/world.ts";
import type { WorldFault } from "./faults.ts";
import type { WorldOptions } from "./options.ts";
import { createWorld, type RunWorldOptions, type WorldResult, type WorldViolation } from "./world.ts";

export interface ShrinkWorldOptions {
  /** Ends the search after this many runs, with the smallest plan so far; 2,000 if absent. */
  readonly runsMax?: number;
  /** Called after each run. */
  readonly onRun?: (progress: { readonly runs: number; readonly faults: number; readonly fates: number }) => void;
}

export interface ShrunkWorld<S> {
  /** The options with the smallest failing plan. */
  readonly options: WorldOptions<S>;
  readonly result: WorldResult;
  readonly violation: WorldViolation;
  readonly runs: number;
}

/** What is shrunk. */
interface Plan {
  readonly faults: readonly WorldFault[];
  /** Undefined: as the links draw them. */
  readonly fates?: readonly MessageFate[];
}

interface Trial {
  readonly violation: WorldViolation | undefined;
  readonly events: number;
  readonly result: WorldResult;
}

type WorldSearch = Search<Plan, WorldViolation, Trial>;

const roundsMax = 4;
const runsMaxDefault = 2_000;

/** Returns undefined if the run does not fail. The result fails with the same invariant, goal or kind of crash. */
export async function shrinkWorld<S>(
  options: WorldOptions<S>,
  run: RunWorldOptions,
  { runsMax = runsMaxDefault, onRun }: ShrinkWorldOptions = {},
): Promise<ShrunkWorld<S> | undefined> {
  const withPlan = (plan: Plan): WorldOptions<S> => ({ ...options, ...plan });
  const attempt = async (plan: Plan, eventsMax: number | undefined, wanted: WorldViolation | undefined): Promise<Trial> => {
    const result = await createWorld(withPlan(plan)).run({ ...run, ...(eventsMax === undefined ? {} : { eventsMax }) });
    const { violation, events } = result;
    const isSame = wanted === undefined || (violation?.kind === wanted.kind && violation.name === wanted.name);
    return { violation: isSame ? violation : undefined, events, result };
  };
  const first: Plan = { faults: options.faults ?? [], ...(options.fates === undefined ? {} : { fates: options.fates }) };
  const original = await attempt(first, undefined, undefined);
  const { violation } = original;
  if (violation === undefined) {
    return undefined;
  }
  const enough = new AbortController();
  const search: WorldSearch = new Search(first, original, {
    signature: violation,
    signal: enough.signal,
    laboratory: { width: 1, try: ({ plan, signature, eventsMax }) => attempt(plan, eventsMax, signature) },
    onTrial: ({ runs, best }) => {
      onRun?.({ runs, faults: best.faults.length, fates: best.fates?.length ?? 0 });
      if (runs >= runsMax) {
        enough.abort();
      }
    },
  });
  if (first.fates === undefined) {
    await search.accepts({ ...first, fates: original.result.fates });
  }
  for (let adopted = -1, round = 0; adopted !== search.adopted && !search.isOver && round < roundsMax; round++) {
    adopted = search.adopted;
    await search.reduce(search.best.faults, (best, faults) => ({ ...best, faults }));
    await search.reduce(search.best.fates ?? [], (best, fates) => ({ ...best, fates }));
    await simplify(search);
  }
  const { result } = search.trial;
  return { options: withPlan(search.best), result, violation: search.trial.violation ?? violation, runs: search.runs + 1 };
}

async function simplify(search: WorldSearch): Promise<void> {
  for (let index = 0; index < search.best.faults.length; index++) {
    const members = Object.keys(search.best.faults[index] ?? {});
    for (const member of members) {
      const faults = search.best.faults;
      await search.first(
        simpler(faults[index] as WorldFault, member).map((fault) => ({
          ...search.best,
          faults: faults.map((one, at) => (at === index ? fault : one)),
        })),
      );
    }
  }
}

/** The fault with a simpler number under this name. */
function simpler(fault: WorldFault, member: string): readonly WorldFault[] {
  const value: unknown = (fault as unknown as Readonly<Record<string, unknown>>)[member];
  if (typeof value !== "number") {
    return [];
  }
  const candidates = member.endsWith("Ms") ? simplerTimes(value * nanosPerMs).map((nanos) => nanos / nanosPerMs) : simplerCounts(value);
  return candidates
    .map((number) => ({ ...fault, [member]: number }) as WorldFault)
    .filter(({ atMs, untilMs }) => atMs >= 0 && (untilMs === undefined || untilMs >= atMs));
}
