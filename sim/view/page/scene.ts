/** A run laid out: lanes from top to bottom, positions of entries and legs on the scale at hand, and what of it is shown. What is drawn and what is hit both read this. */
import type { Side } from "./diff.ts";
import { rowsMax } from "./bars.ts";
import type { FaultSpan, Role, Run } from "./model.ts";
import { firstAtLeast, type Scale } from "./scale.ts";

export interface Lane {
  readonly place: number;
  readonly name: string;
  readonly role: Role;
  readonly top: number;
  readonly height: number;
  /** The line on which entries stand and at which messages begin and end. */
  readonly spine: number;
  /** Of the lane's first bar. */
  readonly barsTop: number;
  readonly barHeight: number;
}

export interface FaultRow {
  readonly span: FaultSpan;
  readonly row: number;
}

export interface Scene {
  readonly run: Run;
  /** How it compares with the other run; undefined when there is one run only. */
  readonly side: Side | undefined;
  /** The lower one of two. */
  readonly isSecond: boolean;
  readonly lanes: readonly Lane[];
  /** By place; undefined where it is hidden. */
  readonly laneOf: readonly (Lane | undefined)[];
  readonly faultRows: readonly FaultRow[];
  readonly top: number;
  readonly height: number;
  readonly mask: Uint8Array;
  /** Positions, by entry and by leg. */
  readonly at: Float64Array;
  readonly legFrom: Float64Array;
  readonly legTo: Float64Array;
  /** The largest end of all legs up to this one: ascending, to find the first leg that reaches into a window. */
  readonly legReach: Float64Array;
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

/** Both ends are on a lane and one of them is shown. */
export function isLegShown(scene: Scene, leg: number): boolean {
  const { legs } = scene.run.messages;
  const last = legs.last[leg] ?? -1;
  return (
    (scene.mask[legs.first[leg] ?? 0] === 1 || (last !== -1 && scene.mask[last] === 1)) &&
    scene.laneOf[legs.fromPlace[leg] ?? 0] !== undefined &&
    scene.laneOf[legs.toPlace[leg] ?? 0] !== undefined
  );
}

export function positionsOf(run: Run, scale: Scale): Pick<Scene, "at" | "legFrom" | "legTo" | "legReach"> {
  const { legs } = run.messages;
  const legFrom = scale.positionsOf(legs.from);
  const legTo = legs.to.map((nanos) => scale.positionOf(nanos));
  const legReach = new Float64Array(legs.count);
  let reach = Number.NEGATIVE_INFINITY;
  for (let leg = 0; leg < legs.count; leg++) {
    reach = Math.max(reach, legTo[leg] ?? 0, legFrom[leg] ?? 0);
    legReach[leg] = reach;
  }
  return { at: scale.positionsOf(run.columns.at), legFrom, legTo, legReach };
}

const roleOrder: readonly Role[] = ["world", "user", "coordinator", "worker"];

/** Places in the order of their lanes: faults, users, coordinators, workers; within a kind as a person counts. */
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

const faultRowHeight = 15;
const faultRowsMax = 6;

export function faultRowsOf(run: Run): readonly FaultRow[] {
  const free: number[] = [];
  return run.faults.map((span) => {
    const gap = free.findIndex((until) => until <= span.from);
    const row = gap === -1 ? Math.min(free.length, faultRowsMax - 1) : gap;
    free[row] = Math.max(span.to, free[row] ?? 0);
    return { span, row };
  });
}

/** Lanes of one run from `top` on. They share the height that is there, and take what they need when it is less. */
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
  const rowsOf = new Map<number, number>();
  for (const bar of run.bars) {
    rowsOf.set(bar.place, Math.max(rowsOf.get(bar.place) ?? 0, Math.min(bar.row + 1, 2 * rowsMax)));
  }
  const faultRows = options.faultRows.reduce((most, { row }) => Math.max(most, row + 1), 0);
  const crowded = shown.length > 24;
  const wishes = shown.map((place) => {
    const isWorld = run.roles[place] === "world";
    const rows = isWorld ? faultRows : (rowsOf.get(place) ?? 0);
    const barHeight = isWorld ? faultRowHeight : crowded ? 2 : rows > 5 ? 5 : 7;
    const bars = rows * barHeight;
    return { place, barHeight, need: (crowded && !isWorld ? 14 : 34) + bars, isWorld };
  });
  const needed = wishes.reduce((sum, { need }) => sum + need, 0);
  const stretchable = wishes.filter(({ isWorld }) => !isWorld).length;
  const extra = stretchable === 0 ? 0 : Math.min(90, Math.max(0, (options.height - needed) / stretchable));
  const laneOf: (Lane | undefined)[] = run.columns.places.map(() => undefined);
  let top = options.top;
  const lanes = wishes.map(({ place, barHeight, need, isWorld }) => {
    const height = Math.floor(need + (isWorld ? 0 : extra));
    const spine = top + (crowded && !isWorld ? 7 : Math.round(20 + (isWorld ? 0 : extra * 0.45)));
    const lane: Lane = {
      place,
      name: run.columns.places[place] ?? "",
      role: run.roles[place] ?? "user",
      top,
      height,
      spine,
      barsTop: spine + (crowded && !isWorld ? 4 : 8),
      barHeight,
    };
    laneOf[place] = lane;
    top += height;
    return lane;
  });
  return { lanes, laneOf, top: options.top, height: top - options.top };
}
