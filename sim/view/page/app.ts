/**
 * The state of the page and all operations on it. The parts of the page subscribe to changes and draw the state.
 */
import { axisHeight, gutter, type View } from "./drawing/brush.ts";
import { chainOf, coneOf, effectsOf } from "./model/causes.ts";
import { type Difference, differenceOf } from "./model/diff.ts";
import type { Selection } from "./drawing/overlay.ts";
import { detailOf } from "./model/format.ts";
import { type Filter, indexesOf, maskOf, matchExpression, openFilter } from "./model/filter.ts";
import type { Run } from "./model/model.ts";
import { firstAtLeast, Scale, type TimeFormat } from "./drawing/scale.ts";
import { faultRowsOf, layOut, lifeSpansOf, positionsOf, type Scene } from "./drawing/scene.ts";

/** `data`: what is shown or where; `select`: the selection; `view`: window and playhead. Each kind includes the following ones. */
export type Change = "data" | "select" | "view";

/** A run that is still being made: it plays itself, and goes to another time by itself. */
export interface LiveRun {
  readonly setPlaying: (isPlaying: boolean) => void;
  readonly seek: (nanos: number) => void;
}

export interface Place {
  readonly scene: number;
  readonly entry: number;
}

/** Gaps longer than this are shortened on the activity scale: silence between a crash and a restart, or seconds between bursts. */
const calmNanos = 2_000_000;
const effectsMax = 400;
const marginShare = 0.02;

export class App {
  runs: readonly Run[];
  readonly difference: Difference | undefined;
  live: LiveRun | undefined;
  scenes: readonly Scene[] = [];
  scaleKind: "activity" | "clock" = "activity";
  scale: Scale;
  view: View = { left: 0, perPx: 1 };
  width = 800;
  height = 400;
  scrollY = 0;
  filter: Filter = openFilter;
  findText = "";
  found: readonly Uint8Array[];
  foundPlaces: readonly Place[] = [];
  selected: Place | undefined;
  showsCone = false;
  /** Id of the highlighted query; empty for none. */
  emphasised = "";
  playheadNanos = 0;
  timeFormat: TimeFormat = "seconds";
  isPlaying = false;
  /** Indexes of visible entries, ascending, by scene. */
  shown: readonly Uint32Array[] = [];
  #selection: Selection | undefined;
  #layoutOnly: readonly Scene[] = [];
  readonly #listeners: ((change: Change) => void)[] = [];

  constructor(runs: readonly Run[]) {
    this.runs = runs;
    const [a, b] = runs;
    this.difference = a !== undefined && b !== undefined ? differenceOf(a, b) : undefined;
    this.found = runs.map(({ columns }) => new Uint8Array(columns.count));
    this.scale = this.#makeScale();
    this.#rebuild();
    this.playheadNanos = this.#fromNanos;
  }

  /** The run as it is known now. Window, filter and selection stay. */
  replaceRun(run: Run): void {
    const wasFitted = this.isFitted;
    const { selected } = this;
    const isKept = selected !== undefined && isSameEntry(this.runs[selected.scene], run, selected.entry);
    this.runs = [run];
    this.scale = this.#makeScale();
    this.selected = isKept ? selected : undefined;
    this.#rebuild();
    this.#select();
    if (wasFitted) {
      this.view = { left: this.scale.from - (this.scale.to - this.scale.from) * marginShare, perPx: this.#fittedPerPx };
    }
    this.#emit("data");
  }

  listen(listener: (change: Change) => void): void {
    this.#listeners.push(listener);
  }

  #emit(change: Change): void {
    for (const listener of this.#listeners) {
      listener(change);
    }
  }

  get #fromNanos(): number {
    return Math.min(...this.runs.map(({ fromNanos }) => fromNanos));
  }

  get #toNanos(): number {
    return Math.max(...this.runs.map(({ toNanos }) => toNanos));
  }

  get lanesWidth(): number {
    return Math.max(1, this.width - gutter);
  }

  #makeScale(): Scale {
    if (this.scaleKind === "clock") {
      return Scale.clock(this.#fromNanos, this.#toNanos);
    }
    // Periodic entries (heartbeats, timers) do not count as activity. Both runs share one scale, so that equal times are aligned.
    const times: number[] = [this.#fromNanos, this.#toNanos];
    for (const { columns, group } of this.runs) {
      for (let index = 0; index < columns.count; index++) {
        if (group[index] !== 1 && group[index] !== 2) {
          times.push(columns.at[index] ?? 0);
        }
      }
    }
    return Scale.activity(Float64Array.from(times).sort(), calmNanos);
  }

  /** Rebuilds masks, positions and lanes. */
  #rebuild(): void {
    this.#layoutOnly = this.runs.map((run, number) => ({
      run,
      side: number === 0 ? this.difference?.a : this.difference?.b,
      isSecond: number === 1,
      lanes: [],
      laneOf: [],
      faultRows: faultRowsOf(run, this.scale),
      lives: lifeSpansOf(run, this.scale),
      top: 0,
      height: 0,
      mask: maskOf(run, this.filter),
      ...positionsOf(run, this.scale),
    }));
    this.shown = this.#layoutOnly.map(({ mask }) => {
      const indexes = new Uint32Array(mask.length);
      let count = 0;
      for (let index = 0; index < mask.length; index++) {
        if (mask[index] === 1) {
          indexes[count++] = index;
        }
      }
      return indexes.slice(0, count);
    });
    this.#find();
    this.#layOut();
  }

  #layOut(): void {
    const gap = this.runs.length > 1 ? 22 : 0;
    const room = (this.height - axisHeight - gap * this.runs.length) / this.runs.length;
    let top = axisHeight + gap - this.scrollY;
    this.scenes = this.#layoutOnly.map((scene) => {
      const laid = {
        ...scene,
        ...layOut(scene.run, { hiddenPlaces: this.filter.hiddenPlaces, top, height: room, faultRows: scene.faultRows }),
      };
      top += laid.height + gap;
      return laid;
    });
  }

  get scrollMax(): number {
    const last = this.scenes.at(-1);
    return last === undefined ? 0 : Math.max(0, last.top + last.height + this.scrollY - this.height);
  }

  resize(width: number, height: number): void {
    const wasFitted = this.isFitted;
    const shownUnits = this.lanesWidth * this.view.perPx;
    this.width = width;
    this.height = height;
    this.view = { left: this.view.left, perPx: shownUnits / this.lanesWidth };
    this.#layOut();
    this.scrollBy(0);
    if (wasFitted) {
      this.fit();
    } else {
      this.#emit("view");
    }
  }

  /** Positions per pixel at which the whole run fits. */
  get #fittedPerPx(): number {
    return ((this.scale.to - this.scale.from) * (1 + 2 * marginShare)) / this.lanesWidth;
  }

  get isFitted(): boolean {
    return this.view.perPx >= this.#fittedPerPx * 0.999 || this.view.perPx === 1;
  }

  fit(): void {
    this.#look(this.scale.from - (this.scale.to - this.scale.from) * marginShare, this.#fittedPerPx);
  }

  #look(left: number, perPx: number): void {
    const fitted = this.#fittedPerPx;
    // Maximum zoom: one nanosecond is 20 pixels wide.
    const bounded = Math.min(fitted, Math.max(0.05, perPx));
    const span = bounded * this.lanesWidth;
    const margin = (this.scale.to - this.scale.from) * marginShare;
    const leftMin = this.scale.from - Math.max(margin, span * 0.3);
    const leftMax = this.scale.to - span + Math.max(margin, span * 0.3);
    this.view = {
      left: bounded === fitted ? this.scale.from - margin : Math.max(leftMin, Math.min(leftMax, left)),
      perPx: bounded,
    };
    this.#emit("view");
  }

  panBy(px: number): void {
    this.#look(this.view.left + px * this.view.perPx, this.view.perPx);
  }

  panTo(left: number): void {
    this.#look(left, this.view.perPx);
  }

  scrollBy(px: number): void {
    const next = Math.max(0, Math.min(this.scrollMax, this.scrollY + px));
    if (next !== this.scrollY) {
      this.scrollY = next;
      this.#layOut();
      this.#emit("view");
    }
  }

  /** A factor below 1 zooms in; the position at `x` stays fixed. */
  zoomBy(factor: number, x: number = gutter + this.lanesWidth / 2): void {
    const at = this.view.left + (x - gutter) * this.view.perPx;
    const perPx = Math.min(this.#fittedPerPx, Math.max(0.05, this.view.perPx * factor));
    this.#look(at - (x - gutter) * perPx, perPx);
  }

  zoomTo(fromNanos: number, toNanos: number): void {
    const from = this.scale.positionOf(fromNanos);
    const to = Math.max(this.scale.positionOf(toNanos), from + 1000);
    const perPx = ((to - from) * 1.2) / this.lanesWidth;
    this.#look(from - (to - from) * 0.1, perPx);
  }

  setScale(kind: "activity" | "clock"): void {
    const centre = this.scale.nanosAt(this.view.left + (this.lanesWidth / 2) * this.view.perPx);
    const zoom = this.view.perPx / this.#fittedPerPx;
    this.scaleKind = kind;
    this.scale = this.#makeScale();
    this.#rebuild();
    const perPx = this.#fittedPerPx * zoom;
    this.#look(this.scale.positionOf(centre) - (this.lanesWidth / 2) * perPx, perPx);
    this.#emit("data");
  }

  setFilter(change: Partial<Filter>): void {
    this.filter = { ...this.filter, ...change };
    this.#rebuild();
    this.scrollY = Math.min(this.scrollY, this.scrollMax);
    this.#layOut();
    this.#emit("data");
  }

  setTimeFormat(format: TimeFormat): void {
    this.timeFormat = format;
    this.#emit("data");
  }

  find(expression: string): void {
    this.findText = expression;
    this.#find();
    this.#emit("data");
  }

  #find(): void {
    const isEmpty = this.findText.trim() === "";
    this.found = this.runs.map((run) => (isEmpty ? new Uint8Array(run.columns.count) : matchExpression(run, this.findText)));
    this.foundPlaces = isEmpty
      ? []
      : this.runs.flatMap((_, scene) =>
          indexesOf(this.found[scene] ?? new Uint8Array(0), this.#layoutOnly[scene]?.mask ?? new Uint8Array(0)).map((entry) => ({
            scene,
            entry,
          })),
        );
  }

  /** Selects the next match after the playhead, wrapping around at the end. */
  findNext(step: 1 | -1): void {
    const { foundPlaces } = this;
    if (foundPlaces.length === 0) {
      return;
    }
    const now =
      this.selected === undefined
        ? -1
        : foundPlaces.findIndex(({ scene, entry }) => scene === this.selected?.scene && entry === this.selected.entry);
    let next: number;
    if (now !== -1) {
      next = (now + step + foundPlaces.length) % foundPlaces.length;
    } else {
      const later = foundPlaces.findIndex(({ scene, entry }) => (this.runs[scene]?.columns.at[entry] ?? 0) >= this.playheadNanos);
      next = later === -1 ? 0 : step === 1 ? later : (later - 1 + foundPlaces.length) % foundPlaces.length;
    }
    const place = foundPlaces[next];
    if (place !== undefined) {
      this.select(place, { reveal: true });
    }
  }

  get selection(): Selection | undefined {
    return this.#selection;
  }

  select(place: Place | undefined, options: { readonly reveal?: boolean } = {}): void {
    this.selected = place;
    this.#select();
    if (place !== undefined) {
      this.playheadNanos = this.runs[place.scene]?.columns.at[place.entry] ?? 0;
      if (options.reveal === true) {
        this.#reveal(place);
      }
    }
    this.#emit("select");
  }

  #select(): void {
    const { selected } = this;
    const run = selected && this.runs[selected.scene];
    this.#selection =
      selected === undefined || run === undefined
        ? undefined
        : {
            entry: selected.entry,
            chain: chainOf(run.cause, selected.entry),
            effects: effectsOf(run.cause, selected.entry, effectsMax),
            cone: this.showsCone ? coneOf(run, selected.entry) : undefined,
          };
  }

  toggleCone(): void {
    this.showsCone = !this.showsCone;
    this.#select();
    this.#emit("select");
  }

  emphasise(query: string): void {
    this.emphasised = this.emphasised === query ? "" : query;
    this.#emit("select");
  }

  /** Scrolls the entry into the window and zooms until it is distinguishable from its neighbours. */
  #reveal({ scene, entry }: Place): void {
    const laid = this.scenes[scene];
    const at = laid?.at[entry];
    if (laid === undefined || at === undefined) {
      return;
    }
    const shown = this.shown[scene] ?? new Uint32Array(0);
    const span = this.lanesWidth * this.view.perPx;
    const low = firstAtLeast(laid.at, this.view.left);
    const high = firstAtLeast(laid.at, this.view.left + span);
    let perPx = this.view.perPx;
    if (high - low > 1200) {
      const slot = lowerBound(shown, entry);
      const before = laid.at[shown[Math.max(0, slot - 40)] ?? 0] ?? at;
      const after = laid.at[shown[Math.min(shown.length - 1, slot + 40)] ?? 0] ?? at;
      perPx = Math.min(perPx, Math.max((after - before) / this.lanesWidth, 50_000 / this.lanesWidth));
    }
    if (perPx !== this.view.perPx || at < this.view.left + span * 0.05 || at > this.view.left + span * 0.95) {
      this.#look(at - (perPx * this.lanesWidth) / 2, perPx);
    }
    const lane = laid.laneOf[laid.run.columns.place[entry] ?? 0];
    if (lane !== undefined && (lane.top < axisHeight || lane.top + lane.height > this.height)) {
      this.scrollBy(lane.top - this.height / 2);
    }
  }

  setPlayhead(nanos: number, options: { readonly follow?: boolean } = {}): void {
    this.movePlayhead(nanos, options);
    this.live?.seek(this.playheadNanos);
  }

  movePlayhead(nanos: number, options: { readonly follow?: boolean } = {}): void {
    this.playheadNanos = Math.max(this.#fromNanos, Math.min(this.#toNanos, nanos));
    if (options.follow === true) {
      const at = this.scale.positionOf(this.playheadNanos);
      const span = this.lanesWidth * this.view.perPx;
      if (at < this.view.left || at > this.view.left + span * 0.92) {
        this.#look(at - span * 0.08, this.view.perPx);
        return;
      }
    }
    this.#emit("view");
  }

  setPlaying(isPlaying: boolean): void {
    this.showPlaying(isPlaying);
    this.live?.setPlaying(isPlaying);
  }

  showPlaying(isPlaying: boolean): void {
    this.isPlaying = isPlaying;
    this.#emit("view");
  }

  /** Moves from the selected entry, or the playhead, to the next visible entry. */
  step(by: number): void {
    const scene = this.selected?.scene ?? 0;
    const shown = this.shown[scene] ?? new Uint32Array(0);
    const at = this.runs[scene]?.columns.at ?? new Float64Array(0);
    let slot: number;
    if (this.selected !== undefined) {
      slot = lowerBound(shown, this.selected.entry);
      slot = shown[slot] === this.selected.entry ? slot + by : by > 0 ? slot : slot - 1;
    } else {
      const first = lowerBound(shown, firstAtLeast(at, this.playheadNanos));
      slot = by > 0 ? first : first - 1;
    }
    const entry = shown[Math.max(0, Math.min(shown.length - 1, slot))];
    if (entry !== undefined) {
      this.select({ scene, entry }, { reveal: true });
    }
  }

  /** Cycles through the violations of all runs; the first is the verdict. */
  nextViolation(): void {
    const all = this.runs.flatMap((run, scene) => run.violations.map(({ entry }) => ({ scene, entry })));
    const now = all.findIndex(({ scene, entry }) => scene === this.selected?.scene && entry === this.selected.entry);
    const next = all[(now + 1) % Math.max(1, all.length)];
    if (next !== undefined) {
      this.select(next, { reveal: true });
    }
  }

  firstDifference(): void {
    const { difference } = this;
    if (difference === undefined || difference.atNanos === undefined) {
      return;
    }
    const isA = difference.firstA !== -1 && this.runs[0]?.columns.at[difference.firstA] === difference.atNanos;
    const place = isA ? { scene: 0, entry: difference.firstA } : { scene: 1, entry: difference.firstB };
    this.select(place, { reveal: true });
  }

  toCause(): void {
    const { selected } = this;
    const cause = selected === undefined ? -1 : (this.runs[selected.scene]?.cause[selected.entry] ?? -1);
    if (selected !== undefined && cause >= 0) {
      this.select({ scene: selected.scene, entry: cause }, { reveal: true });
    }
  }

  toEffect(): void {
    const first = this.#selection?.effects[0];
    if (this.selected !== undefined && first !== undefined) {
      this.select({ scene: this.selected.scene, entry: first }, { reveal: true });
    }
  }
}

function isSameEntry(before: Run | undefined, after: Run, entry: number): boolean {
  const [a, b] = [before?.columns, after.columns];
  return a !== undefined && entry < b.count && a.at[entry] === b.at[entry] && detailOf(a, entry) === detailOf(b, entry);
}

/** Index of the first number that is at least `value`. */
export function lowerBound(numbers: Uint32Array, value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
