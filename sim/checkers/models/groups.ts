/**
 * Resource groups as a model sees them: which groups a user's query is in, and what they allow. Written from docs/configuration.md,
 * "Resource groups". Knows what sim/draw/groups.ts draws: selectors by user, and the variable USER.
 */
import type { RunPlan } from "../../plan.ts";
import { numberProperty } from "../../properties.ts";

export interface Group {
  /** Names from the root on, with dots between them. */
  readonly id: string;
  readonly runningMax: number;
  readonly softMax: number;
  readonly queuedMax: number;
  readonly policy: string;
  readonly weight: number;
}

/** The groups of a user's queries, from the root to the leaf. */
export type GroupsOfUser = (user: string) => readonly [Group, ...Group[]];

export function groupsOfUser({ properties, resourceGroups }: Pick<RunPlan, "properties" | "resourceGroups">): GroupsOfUser {
  const runningMax = numberProperty(properties, "query.max-concurrent-queries");
  const queuedMax = numberProperty(properties, "query.max-queued-queries");
  const global: Group = { id: "global", runningMax, softMax: runningMax, queuedMax, policy: "fair", weight: 1 };
  if (resourceGroups === undefined) {
    return () => [global];
  }
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
        });
      }
      choices = found?.subGroups ?? [];
    }
    const [root = global, ...others] = chain;
    return [root, ...others];
  };
}
