/** Finds sub-plans that have the rows of another one, in the order of its tables. */
import { coverOf } from "../../../fragmenter/cover-subplans.ts";
import type { Variable } from "../../../plan/typed-expression.ts";
import { outputsOf, type PlanNode } from "../../../plan/node.ts";
import { outputNames } from "../../../plan/plan-tree.ts";
import type { JoinGraph } from "./join-graph.ts";

/** Relations of a graph that are matched with those of another one; as many can be matched in some hundred ways. */
const matchedRelationsMax = 6;

export interface SameRows {
  /** The first plan, with all columns of the second one. */
  readonly node: PlanNode;
  /** The columns of the second plan by their names. */
  readonly places: ReadonlyMap<string, Variable>;
}

/** Undefined if the plans do not have the same rows for certain. No expression of theirs may be non-deterministic. */
export function withSameRows(a: PlanNode, b: PlanNode): SameRows | undefined {
  const cover = coverOf(a, b, { areEqual: () => false, readBoth: () => undefined });
  const names = cover && outputNames(cover.node);
  return outputsOf(b).every((output) => names?.has(cover?.places.get(output.name)?.name ?? "") === true) ? cover : undefined;
}

export interface Matched {
  /** Relations of the first graph by their indexes, with all columns of those of the second one. */
  readonly matched: ReadonlyMap<number, PlanNode>;
  /** The columns of the second graph by their names. */
  readonly places: ReadonlyMap<string, Variable>;
}

/** Every way to find the relations of the second graph among the candidates of the first. */
export function* matchRelations(graph: JoinGraph, inner: JoinGraph, candidates: readonly number[]): Generator<Matched, void, void> {
  if (inner.relations.length > Math.min(candidates.length, matchedRelationsMax)) {
    return;
  }
  const options = inner.relations.map((relation) =>
    candidates.flatMap((at) => {
      const found = withSameRows(graph.relations[at] as PlanNode, relation);
      return found === undefined ? [] : [{ at, ...found }];
    }),
  );
  yield* choose(options, { matched: new Map(), places: new Map() });
}

type Option = SameRows & { readonly at: number };

function* choose([first, ...others]: readonly (readonly Option[])[], { matched, places }: Matched): Generator<Matched, void, void> {
  if (first === undefined) {
    yield { matched, places };
    return;
  }
  for (const option of first) {
    if (!matched.has(option.at)) {
      yield* choose(others, {
        matched: new Map([...matched, [option.at, option.node]]),
        places: new Map([...places, ...option.places]),
      });
    }
  }
}
