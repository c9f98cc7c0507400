/**
 * Resource groups as a model sees them: which groups a user's query is in, and what they allow. Written from docs/configuration.md,
 * "Resource groups". Knows what sim/draw/groups.ts draws: selectors by user, and the variable USER.
 */
import { parseDataSize, parseDurationMs } from "../../../src/protocol/units.ts";
import type { RunPlan } from "../../plan.ts";
import { numberProperty } from "../../properties.ts";
import { nanosPerMs } from "../../world/world.ts";

export interface Group {
  /** Names from the root on, with dots between them. */
  readonly id: string;
  readonly runningMax: number;
  readonly softMax: number;
  readonly queuedMax: number;
  readonly policy: string;
  readonly weight: number;
  /** Whether it also waits for memory, CPU time or scans. */
  readonly isMeasured: boolean;
  /** Of CPU time, in nanoseconds. */
  readonly cpu?: Quota | undefined;
  /** Of what scans read, in bytes. */
  readonly scan?: Quota | undefined;
}

/** What may be used before no query starts, and how much of it comes back in a nanosecond. */
export interface Quota {
  readonly hard: number;
  readonly perNano: number;
}

/** The groups of a user's queries, from the root to the leaf. */
export type GroupsOfUser = (user: string) => readonly [Group, ...Group[]];

function nanosOf(duration: string | undefined): number {
  return (parseDurationMs(duration ?? "") ?? Number.NaN) * nanosPerMs;
}

export function groupsOfUser({ properties, resourceGroups }: Pick<RunPlan, "properties" | "resourceGroups">): GroupsOfUser {
  const runningMax = numberProperty(properties, "query.max-concurrent-queries");
  const queuedMax = numberProperty(properties, "query.max-queued-queries");
  const global: Group = { id: "global", runningMax, softMax: runningMax, queuedMax, policy: "fair", weight: 1, isMeasured: false };
  if (resourceGroups === undefined) {
    return () => [global];
  }
  const quota = (hard: number | undefined, period: string | undefined): Quota | undefined =>
    hard === undefined ? undefined : { hard, perNano: hard / nanosOf(period) };
  return (user) => {
    const chosen = resourceGroups.selectors.find(({ user: pattern }) => pattern === undefined || new RegExp(`^(?:${pattern})$`).test(user));
    const chain: Group[] = [];
    let choices: (typeof resourceGroups)["rootGroups"] = resourceGroups.rootGroups;
    for (const name of chosen?.group.split(".") ?? []) {
      const found = choices.find((one) => one.name === name);
      if (found !== undefined) {
        chain.push({
          id: [...chain.slice(-1).map(({ id }) => id), name.replace("${USER}", user)].join("."),
          runningMax: found.hardConcurrencyLimit,
          softMax: found.softConcurrencyLimit ?? found.hardConcurrencyLimit,
          queuedMax: found.maxQueued,
          policy: found.schedulingPolicy ?? "fair",
          weight: found.schedulingWeight ?? 1,
          isMeasured: [found.softMemoryLimit, found.hardCpuLimit, found.hardPhysicalDataScanLimit].some((limit) => limit !== undefined),
          cpu: quota(found.hardCpuLimit === undefined ? undefined : nanosOf(found.hardCpuLimit), resourceGroups.cpuQuotaPeriod),
          scan: quota(parseDataSize(found.hardPhysicalDataScanLimit ?? ""), resourceGroups.physicalDataScanQuotaPeriod),
        });
      }
      choices = found?.subGroups ?? [];
    }
    const [root = global, ...others] = chain;
    return [root, ...others];
  };
}
