/**
 * Maps variables to columns of a page.
 */
import type { Variable } from "../../planner/plan/typed-expression.ts";
import type { Assignment, Ordering } from "../../planner/plan/node.ts";
import { assert } from "../../protocol/errors.ts";
import type { Type } from "../../types/type.ts";
import type { SortColumn } from "../operators/sort/sort-rows.ts";

export function identity(variables: readonly Variable[]): readonly Assignment[] {
  return variables.map((variable) => ({ output: variable, expression: variable }));
}

export function typesOf(variables: readonly Variable[]): readonly Type[] {
  return variables.map(({ type }) => type);
}

export function orderOf(orderBy: readonly Ordering[]): readonly SortColumn[] {
  return orderBy.map(({ descending, nullsFirst }) => ({ descending, nullsFirst }));
}

export function channelsOf(layout: readonly Variable[], variables: readonly Variable[]): readonly number[] {
  // By name, since a statement may have thousands of columns.
  const channels = new Map<string, number>();
  for (const [channel, { name }] of layout.entries()) {
    if (!channels.has(name)) {
      channels.set(name, channel);
    }
  }
  return variables.map(({ name }) => {
    const channel = channels.get(name);
    assert(channel !== undefined, `variable ${name} is not in the layout`);
    return channel;
  });
}

export function sideOf(
  probe: readonly Variable[],
  build: readonly Variable[],
  variable: Variable,
): { readonly side: "probe" | "build"; readonly channel: number } {
  const channel = probe.findIndex(({ name }) => name === variable.name);
  return channel >= 0 ? { side: "probe", channel } : { side: "build", channel: channelsOf(build, [variable])[0] as number };
}
