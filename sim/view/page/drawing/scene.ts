/**
 * The layout of a run: lanes from top to bottom, positions of entries and legs on the current scale, and visibility. Drawing and hit tests
 * both use it.
 */
import type { Side } from "../model/diff.ts";
import type { BarKind } from "./bars.ts";
import type { FaultSpan, Life, Role, Run } from "../model/model.ts";
import { firstAtLeast, type Scale } from "./scale.ts";

export interface Lane {
  readonly place: number;
  readonly name: string;
  readonly role: Role;
  readonly top: number;
  readonly height: number;
  /** Y coordinate of the line of entries, at which messages begin and end. */
  readonly spine: number;
  /** Rows of the lane's bars, from the top. */
  readonly rows: readonly Row[];
}

export interface Row {
  readonly top: number;
  readonly height: number;
}

export interface FaultRow {
  readonly span: FaultSpan;
  readonly row: number;
  /** Start and end as positions. */
  readonly from: number;
  readonly to: number;
}

/** One incarnation of a place, and the silence after it. */
export interface LifeSpan {
  readonly life: Life;
  readonly from: number;
  readonly to: number;
  /** Start of the next incarnation, or the end of the run. */
  readonly next: number;
}

export interface Scene {
  readonly run: Run;
  /** Comparison with the other run; undefined if there is only one run. */
  readonly side: Side | undefined;
  /** Whether this is the lower of two runs. */
  readonly isSecond: boolean;
  readonly lanes: readonly Lane[];
  /** Lanes by place; undefined if hidden. */
  readonly laneOf: readonly (Lane | undefined)[];
  readonly faultRows: readonly FaultRow[];
  readonly lives: readonly LifeSpan[];
  readonly top: number;
  readonly height: number;
  readonly mask: Uint8Array;
  /** Positions by entry; `legFrom` and `legTo` by leg. */
  readonly at: Float64Array;
  readonly legFrom: Float64Array;
  readonly legTo: Float64Array;
  /** Maximum end of all legs up to this one; ascending, to find the first leg that reaches into a window. */
  readonly legReach: Float64Array;
  /** Positions of both ends of bars. */
  readonly barFrom: Float64Array;
  readonly barTo: Float64Array;
}

export interface Window {
  /** Positions at the left and right edge. */
  readonly from: number;
  readonly to: number;
}

export function entriesWithin(scene: Scene, { from, to }: Window): { readonly begin: number; readonly end: number } {
  return { begin: firstAtLeast(scene.at, from), end: firstAtLeast(scene.at, to) };
}

export function legsWithin(scene: Scene, { from, to }: Window): { readonly begin: number; readonly end: number } {
  return { begin: firstAtLeast(scene.legReach, from), end: firstAtLeast(scene.legFrom, to) };
}

/** Whether both ends are on a lane and at least one of them is shown. */
export function isLegShown(scene: Scene, leg: number): boolean {
  const { legs } = scene.run.messages;
  const last = legs.last[leg] ?? -1;
  return (
    (scene.mask[legs.first[leg] ?? 0] === 1 || (last !== -1 && scene.mask[last] === 1)) &&
    scene.laneOf[legs.fromPlace[leg] ?? 0] !== undefined &&
    scene.laneOf[legs.toPlace[leg] ?? 0] !== undefined
  );
}

export function positionsOf(run: Run, scale: Scale): Pick<Scene, "at" | "legFrom" | "legTo" | "legReach" | "barFrom" | "barTo"> {
  const { legs } = run.messages;
  const legFrom = scale.positionsOf(legs.from);
  const legTo = legs.to.map((nanos) => scale.positionOf(nanos));
  const legReach = new Float64Array(legs.count);
  let reach = Number.NEGATIVE_INFINITY;
  for (let leg = 0; leg < legs.count; leg++) {
    reach = Math.max(reach, legTo[leg] ?? 0, legFrom[leg] ?? 0);
    legReach[leg] = reach;
  }
  return {
    at: scale.positionsOf(run.columns.at),
    legFrom,
    legTo,
    legReach,
    barFrom: Float64Array.from(run.bars, ({ from }) => scale.positionOf(from)),
    barTo: Float64Array.from(run.bars, ({ to }) => scale.positionOf(to)),
  };
}

const roleOrder: readonly Role[] = ["world", "user", "coordinator", "worker"];

/** Places in the order of their lanes: faults, users, coordinators, workers; within a kind in natural order (w2 before w10). */
export function laneOrder(run: Run): readonly number[] {
  const { places } = run.columns;
  const order = new Intl.Collator("en", { numeric: true });
  return places
    .map((_, place) => place)
    .sort(
      (a, b) =>
        roleOrder.indexOf(run.roles[a] ?? "user") - roleOrder.indexOf(run.roles[b] ?? "user") ||
        order.compare(places[a] ?? "", places[b] ?? ""),
    );
}

const faultRowsMax = 10;
/** Height of the violation flags above the lanes of a run. */
export const flagsHeight = 24;

export function faultRowsOf(run: Run, scale: Scale): readonly FaultRow[] {
  const free: number[] = [];
  return run.faults.map((span) => {
    const gap = free.findIndex((until) => until <= span.from);
    const row = gap === -1 ? Math.min(free.length, faultRowsMax - 1) : gap;
    free[row] = Math.max(span.to, free[row] ?? 0);
    return { span, row, from: scale.positionOf(span.from), to: scale.positionOf(span.to) };
  });
}

export function lifeSpansOf(run: Run, scale: Scale): readonly LifeSpan[] {
  const next = new Map<number, number>();
  const end = scale.positionOf(run.toNanos);
  // From the last one backwards, so that each knows its successor.
  return run.lives
    .toReversed()
    .map((life) => {
      const from = scale.positionOf(life.from);
      const span = { life, from, to: scale.positionOf(life.to), next: next.get(life.place) ?? end };
      next.set(life.place, from);
      return span;
    })
    .toReversed();
}

/** Space of a lane besides its bars, the place of its entries, and the thickness of bars. */
interface Density {
  readonly base: number;
  readonly spine: number;
  readonly bars: number;
  readonly query: number;
  readonly bar: number;
  readonly faultsOf: (rows: number) => number;
}

/** From roomy to tight; the first density at which all lanes fit is used. */
const densities: readonly Density[] = [
  { base: 36, spine: 20, bars: 8, query: 14, bar: 7, faultsOf: (rows) => (rows > 6 ? 12 : 15) },
  { base: 26, spine: 15, bars: 6, query: 13, bar: 4, faultsOf: (rows) => (rows > 4 ? 11 : 13) },
  { base: 19, spine: 11, bars: 4, query: 4, bar: 3, faultsOf: (rows) => (rows > 6 ? 6 : 10) },
  { base: 14, spine: 8, bars: 3, query: 2, bar: 2, faultsOf: () => 4 },
];

/** Heights of the rows of bars, by lane. */
function rowHeights(run: Run, shown: readonly number[], density: Density, faultRows: number): readonly (readonly number[])[] {
  const kinds = new Map<number, BarKind[]>();
  for (const bar of run.bars) {
    const rows = kinds.get(bar.place) ?? [];
    rows[bar.row] = bar.kind;
    kinds.set(bar.place, rows);
  }
  return shown.map((place) =>
    run.roles[place] === "world"
      ? Array.from({ length: faultRows }, () => density.faultsOf(faultRows))
      : (kinds.get(place) ?? []).map((kind) => (kind === "query" ? density.query : density.bar)),
  );
}

/** Lays out the lanes of one run from `top` downwards. They share the available height, and take only what they need. */
export function layOut(
  run: Run,
  options: {
    readonly hiddenPlaces: ReadonlySet<string>;
    readonly top: number;
    readonly height: number;
    readonly faultRows: readonly FaultRow[];
  },
): Pick<Scene, "lanes" | "laneOf" | "top" | "height"> {
  const shown = laneOrder(run).filter((place) => !options.hiddenPlaces.has(run.columns.places[place] ?? ""));
  const faultRows = options.faultRows.reduce((most, { row }) => Math.max(most, row + 1), 0);
  const flags = run.violations.length > 0 ? flagsHeight : 0;
  const planned = densities.map((density) => {
    const wishes = rowHeights(run, shown, density, faultRows).map((heights, number) => {
      const place = shown[number] ?? 0;
      const isWorld = run.roles[place] === "world";
      return { place, heights, isWorld, need: (isWorld ? 16 : density.base) + heights.reduce((sum, height) => sum + height, 0) };
    });
    return { density, wishes, needed: flags + wishes.reduce((sum, { need }) => sum + need, 0) };
  });
  // The last density scrolls. If not even that fits, a roomier one is better to read.
  const chosen = planned.find(({ needed }) => needed <= options.height) ?? planned[shown.length > 40 ? 3 : 2];
  const { density, wishes, needed } = chosen ?? { density: densities[0] as Density, wishes: [], needed: 0 };
  const stretchable = wishes.filter(({ isWorld }) => !isWorld).length;
  const extra = stretchable === 0 ? 0 : Math.min(90, Math.max(0, (options.height - needed) / stretchable));
  const laneOf: (Lane | undefined)[] = run.columns.places.map(() => undefined);
  let top = options.top + flags;
  const lanes = wishes.map(({ place, heights, need, isWorld }) => {
    const height = Math.floor(need + (isWorld ? 0 : extra));
    const spine = top + (isWorld ? 7 : Math.round(density.spine + extra * 0.45));
    let rowTop = spine + (isWorld ? 5 : density.bars);
    const lane: Lane = {
      place,
      name: run.columns.places[place] ?? "",
      role: run.roles[place] ?? "user",
      top,
      height,
      spine,
      rows: heights.map((tall) => {
        const row = { top: rowTop, height: tall };
        rowTop += tall;
        return row;
      }),
    };
    laneOf[place] = lane;
    top += height;
    return lane;
  });
  return { lanes, laneOf, top: options.top, height: top - options.top };
}
