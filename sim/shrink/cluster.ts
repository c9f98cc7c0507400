/**
 * Simplifies the cluster: fewer workers with the first names, equal clocks, calm links, default properties, less data, shorter phases.
 */
import type { PlannedNode, RunPlan } from "../plan.ts";
import { calmLink } from "../world/fates.ts";
import { simplerCounts, simplerTimes } from "./numbers.ts";
import type { Search } from "./search.ts";

/** Members that every plan has; all others can be removed. */
const required: ReadonlySet<string> = new Set([
  "seed",
  "coordinator",
  "workers",
  "link",
  "fates",
  "properties",
  "schema",
  "users",
  "faults",
  "splitsPerNode",
  "nanosPerWorkUnit",
  "healNanos",
  "livenessNanos",
] satisfies readonly (keyof RunPlan)[]);

/** Members that say what restricted users may do. */
const rights: ReadonlySet<string> = new Set(["access", "userGroups"] satisfies readonly (keyof RunPlan)[]);

/** Removes a scenario's expectations and other optional members of a plan. */
export async function dropExtras(search: Search): Promise<void> {
  // Without the rules, statements that they restrict would have other rows.
  const isRestricted = search.best.users.some(({ statements }) => statements.some(({ restricted }) => restricted !== undefined));
  for (const name of Object.keys(search.best).filter((key) => !required.has(key) && !(isRestricted && rights.has(key)))) {
    await search.accepts(Object.fromEntries(Object.entries(search.best).filter(([key]) => key !== name)) as unknown as RunPlan);
  }
}

/** Removes each worker; its faults and messages move to another one if necessary. */
export async function reduceWorkers(search: Search): Promise<void> {
  await search.exhaust(function* (best) {
    for (const { name } of best.workers.length > 1 ? [...best.workers].reverse() : []) {
      const workers = best.workers.filter((worker) => worker.name !== name);
      const used = JSON.stringify([best.faults, best.fates]).includes(name);
      if (!used) {
        yield { ...best, workers };
      } else {
        for (const other of workers) {
          yield { ...renamed(best, name, other.name), workers };
        }
      }
    }
  });
  await search.accepts(firstNames(search.best));
}

/** Renames workers consecutively: w2 and w5 become w1 and w2; users likewise. */
function firstNames(plan: RunPlan): RunPlan {
  let found = plan;
  for (const [index, { name }] of plan.workers.entries()) {
    const wanted = `w${index + 1}`;
    if (name !== wanted) {
      found = {
        ...renamed(found, name, wanted),
        workers: found.workers.map((one) => (one.name === name ? { ...one, name: wanted } : one)),
      };
    }
  }
  for (const [index, { name }] of plan.users.entries()) {
    const wanted = `u${index + 1}`;
    // A user's table is named after the user, and rules name users, so such users keep their names.
    const isNamed = plan.access !== undefined || plan.users[index]?.statements.some(({ step }) => step !== undefined) === true;
    if (name !== wanted && !isNamed) {
      found = { ...renamed(found, name, wanted), users: found.users.map((one) => (one.name === name ? { ...one, name: wanted } : one)) };
    }
  }
  return found;
}

/** Renames a place in faults and message names. */
function renamed(plan: RunPlan, from: string, to: string): RunPlan {
  const swap = (value: unknown): unknown => {
    if (value === from) {
      return to;
    }
    return Array.isArray(value) ? [...new Set(value.map(swap))] : value;
  };
  const faults = plan.faults.map((fault) => Object.fromEntries(Object.entries(fault).map(([key, value]) => [key, swap(value)])));
  const message = (name: string): string =>
    name.replace(/^([^\s>]+)>([^\s>]+)/, (_, one: string, other: string) => `${String(swap(one))}>${String(swap(other))}`);
  const fates = plan.fates?.map((fate) => ({ ...fate, message: message(fate.message) }));
  return { ...plan, faults: faults as unknown as RunPlan["faults"], ...(fates === undefined ? {} : { fates }) };
}

export async function reduceData(search: Search): Promise<void> {
  const scale = (schema: string): number => (schema === "tiny" ? 0.01 : Number(/^sf(.*)$/.exec(schema)?.[1] ?? 0));
  const now = scale(search.best.schema);
  const smaller = ["sf0.0001", "sf0.0003", "sf0.001"].filter((schema) => scale(schema) < now);
  await search.first(smaller.map((schema) => ({ ...search.best, schema })));
  await search.first(
    [1, 2, 4].filter((count) => count < search.best.splitsPerNode).map((splitsPerNode) => ({ ...search.best, splitsPerNode })),
  );
}

export async function resetProperties(search: Search): Promise<void> {
  await search.reduce(Object.entries(search.best.properties), (best, kept) => ({ ...best, properties: Object.fromEntries(kept) }));
}

export async function stillClocks(search: Search): Promise<void> {
  const still = (node: PlannedNode): PlannedNode => ({ ...node, clockOffsetMs: 0, clockDriftPpm: 0 });
  const { coordinator, workers } = search.best;
  if (await search.accepts({ ...search.best, coordinator: still(coordinator), workers: workers.map(still) })) {
    return;
  }
  await search.accepts({ ...search.best, coordinator: still(coordinator) });
  for (const { name } of workers) {
    await search.accepts({ ...search.best, workers: search.best.workers.map((node) => (node.name === name ? still(node) : node)) });
  }
}

export async function calmLinks(search: Search): Promise<void> {
  const { link } = search.best;
  const unchanging = { ...calmLink, latencyNanosMin: 200_000, latencyNanosMax: 200_000 };
  const own = { ...calmLink, latencyNanosMin: link.latencyNanosMin, latencyNanosMax: link.latencyNanosMax };
  await search.first(
    [unchanging, calmLink, own]
      .filter((calm) => JSON.stringify(calm) !== JSON.stringify(link))
      .map((calm) => ({ ...search.best, link: calm })),
  );
}

export async function shortenPhases(search: Search): Promise<void> {
  const { healNanos } = search.best;
  const second = 1_000_000_000;
  const spans = [0, 1, 2, 5, 10].map((count) => count * second).filter((nanos) => nanos < healNanos);
  await search.first(
    [...spans, ...simplerTimes(healNanos)].filter((nanos) => nanos < healNanos).map((nanos) => ({ ...search.best, healNanos: nanos })),
  );
}

export async function roundWork(search: Search): Promise<void> {
  const { nanosPerWorkUnit } = search.best;
  const candidates = [1_000, 40, ...simplerCounts(nanosPerWorkUnit).filter((nanos) => nanos > 0)].filter(
    (nanos) => nanos < nanosPerWorkUnit,
  );
  await search.first(candidates.map((nanos) => ({ ...search.best, nanosPerWorkUnit: nanos })));
}

export async function plainSeed(search: Search): Promise<void> {
  if (search.best.seed !== "1") {
    await search.accepts({ ...search.best, seed: "1" });
  }
}
