/**
 * The entries around the playhead as text. Only visible lines are elements.
 */
import { type App, lowerBound } from "./app.ts";
import { byId, h } from "./dom.ts";
import { firstAtLeast } from "./drawing/scale.ts";
import { briefDetail, exactTime, kindOf, placeOf } from "./model/words.ts";

const rowHeight = 21;

export class EntryList {
  readonly #app: App;
  readonly #box = byId("entries", HTMLDivElement);
  readonly #tall = byId("entries-tall", HTMLDivElement);
  readonly #title = byId("entries-title", HTMLSpanElement);
  readonly #rows: HTMLDivElement[] = [];
  #scene = 0;
  #isOwnScroll = false;
  #followed = -1;

  constructor(app: App) {
    this.#app = app;
    this.#box.addEventListener("scroll", () => {
      if (!this.#isOwnScroll) {
        this.#render();
      }
      this.#isOwnScroll = false;
    });
    this.#box.addEventListener("click", (event) => {
      const row = event.target instanceof Element ? event.target.closest("[data-entry]") : null;
      if (row instanceof HTMLElement) {
        app.select({ scene: this.#scene, entry: Number(row.dataset["entry"]) }, { reveal: true });
      }
    });
    this.#box.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        app.step(event.key === "ArrowDown" ? 1 : -1);
      }
    });
    new ResizeObserver(() => this.#render()).observe(this.#box);
    app.listen((change) => {
      if (change === "data") {
        this.#tall.style.setProperty("height", `${this.#shown.length * rowHeight}px`);
      }
      // Navigation does not move the playhead, and measuring the list is expensive.
      if (change !== "view" || app.playheadNanos !== this.#followed) {
        this.#followed = app.playheadNanos;
        this.follow();
      }
    });
    this.#tall.style.setProperty("height", `${this.#shown.length * rowHeight}px`);
    this.follow();
  }

  get #shown(): Uint32Array {
    return this.#app.shown[this.#scene] ?? new Uint32Array(0);
  }

  /** Line of the selected entry, or the first one at or after the playhead. */
  get #current(): number {
    const { selected, playheadNanos, runs } = this.#app;
    if (selected?.scene === this.#scene && runs[this.#scene]?.columns.at[selected.entry] === playheadNanos) {
      return lowerBound(this.#shown, selected.entry);
    }
    return lowerBound(this.#shown, firstAtLeast(runs[this.#scene]?.columns.at ?? new Float64Array(0), playheadNanos));
  }

  /** Scrolls the playhead's line into view. */
  follow(): void {
    const { selected, runs } = this.#app;
    const scene = selected?.scene ?? this.#scene;
    if (scene !== this.#scene) {
      this.#scene = scene;
      this.#tall.style.setProperty("height", `${this.#shown.length * rowHeight}px`);
    }
    const side = runs.length > 1 ? ` of ${this.#scene === 0 ? "A" : "B"}` : "";
    this.#title.textContent = `${this.#shown.length.toLocaleString("en")} entries${side} shown of ${(runs[this.#scene]?.columns.count ?? 0).toLocaleString("en")}`;
    const wanted = Math.max(0, this.#current * rowHeight - this.#box.clientHeight / 2 + rowHeight);
    const top = this.#current * rowHeight;
    if (top < this.#box.scrollTop + rowHeight || top > this.#box.scrollTop + this.#box.clientHeight - 2 * rowHeight) {
      this.#isOwnScroll = this.#box.scrollTop !== wanted;
      this.#box.scrollTop = wanted;
    }
    this.#render();
  }

  #render(): void {
    const app = this.#app;
    const run = app.runs[this.#scene];
    const shown = this.#shown;
    if (run === undefined) {
      return;
    }
    const first = Math.max(0, Math.floor(this.#box.scrollTop / rowHeight) - 2);
    const count = Math.min(shown.length - first, Math.ceil(this.#box.clientHeight / rowHeight) + 4);
    const current = this.#current;
    for (let slot = 0; slot < Math.max(count, this.#rows.length); slot++) {
      let row = this.#rows[slot];
      if (row === undefined) {
        row = h(
          "div",
          { class: "row", role: "option" },
          h("span", { class: "time" }),
          h("span", { class: "at" }),
          h("span", { class: "kind" }),
          h("span", { class: "words" }),
        );
        this.#rows.push(row);
        this.#tall.append(row);
      }
      row.hidden = slot >= count;
      const entry = shown[first + slot];
      if (entry === undefined || slot >= count) {
        continue;
      }
      row.dataset["entry"] = String(entry);
      row.style.setProperty("transform", `translateY(${(first + slot) * rowHeight}px)`);
      const isSelected = app.selected?.scene === this.#scene && app.selected.entry === entry;
      const status = app.scenes[this.#scene]?.side?.status[entry];
      const difference = status === 1 ? (this.#scene === 0 ? " only-a" : " only-b") : status === 2 ? " shifted" : "";
      row.className = `row${isSelected ? " selected" : ""}${first + slot === current ? " current" : ""}${run.trouble[entry] === 1 ? " trouble" : ""}${difference}`;
      row.setAttribute("aria-selected", String(isSelected));
      const [time, at, kind, words] = row.children as unknown as [HTMLElement, HTMLElement, HTMLElement, HTMLElement];
      time.textContent = exactTime(app, run.columns.at[entry] ?? 0).replace(" s", "");
      at.textContent = placeOf(run, entry);
      kind.textContent = kindOf(run, entry);
      words.textContent = briefDetail(run, entry);
    }
  }
}
