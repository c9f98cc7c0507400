/**
 * The panel beside the lanes: the selection with its causes and effects, the statements, the filter, the run, the comparison.
 */
import type { App, Place } from "./app.ts";
import { byId, h } from "./dom.ts";
import { filterPane } from "./filter-pane.ts";
import { detailOf } from "./model/format.ts";
import type { Run, Statement } from "./model/model.ts";
import { formatDuration } from "./drawing/scale.ts";
import { briefDetail, exactTime, kindOf, placeOf } from "./model/words.ts";

const tabs = ["entry", "statements", "filter", "run", "compare"] as const;
type Tab = (typeof tabs)[number];
const tabNames: Readonly<Record<Tab, string>> = {
  entry: "Entry",
  statements: "Statements",
  filter: "Filter",
  run: "Run",
  compare: "A / B",
};

/** Maximum number of lines; each is an element. */
const linesMax = 100;

export class Panel {
  readonly #app: App;
  readonly #box = byId("pane", HTMLDivElement);
  readonly #tabs = byId("tabs", HTMLDivElement);
  readonly #live = byId("live", HTMLDivElement);
  #tab: Tab;

  constructor(app: App) {
    this.#app = app;
    const isComparison = app.difference !== undefined;
    this.#tab = isComparison ? "compare" : "run";
    for (const tab of tabs) {
      if (tab !== "compare" || isComparison) {
        this.#tabs.append(
          h("button", { role: "tab", id: `tab-${tab}`, "aria-controls": "pane", onclick: () => this.show(tab) }, tabNames[tab]),
        );
      }
    }
    this.#tabs.addEventListener("keydown", (event) => {
      const buttons = [...this.#tabs.querySelectorAll("button")];
      const now = buttons.findIndex((button) => button === document.activeElement);
      const next = event.key === "ArrowRight" ? now + 1 : event.key === "ArrowLeft" ? now - 1 : -1;
      if (now !== -1 && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
        const button = buttons[(next + buttons.length) % buttons.length];
        button?.focus();
        button?.click();
        event.stopPropagation();
      }
    });
    let before: Place | undefined;
    app.listen((change) => {
      if (change === "select" && app.selected !== undefined && app.selected !== before) {
        // A selection switches the panel to the entry, unless the statements or the comparison are shown.
        if (this.#tab === "run" || this.#tab === "filter" || this.#tab === "entry") {
          this.#tab = "entry";
        }
        this.#say();
      }
      if (change === "select") {
        before = app.selected;
      }
      if (change !== "view" && !(this.#tab === "filter" && change === "data")) {
        this.#render();
      }
    });
    this.#render();
  }

  show(tab: Tab): void {
    this.#tab = tab;
    this.#render();
  }

  #say(): void {
    const { selected, runs } = this.#app;
    const run = selected && runs[selected.scene];
    if (selected !== undefined && run !== undefined) {
      this.#live.textContent = `${kindOf(run, selected.entry)} at ${placeOf(run, selected.entry)}: ${briefDetail(run, selected.entry)}`;
    }
  }

  #render(): void {
    for (const button of this.#tabs.querySelectorAll("button")) {
      const isShown = button.id === `tab-${this.#tab}`;
      button.setAttribute("aria-selected", String(isShown));
      button.tabIndex = isShown ? 0 : -1;
    }
    this.#box.setAttribute("aria-labelledby", `tab-${this.#tab}`);
    const scroll = this.#box.dataset["tab"] === this.#tab && this.#tab !== "entry" ? this.#box.scrollTop : 0;
    this.#box.dataset["tab"] = this.#tab;
    this.#box.replaceChildren(...this.#content());
    this.#box.scrollTop = scroll;
  }

  #content(): readonly Node[] {
    switch (this.#tab) {
      case "entry":
        return this.#entry();
      case "statements":
        return this.#app.runs.flatMap((run, scene) => this.#statements(run, scene));
      case "filter":
        return filterPane(this.#app);
      case "run":
        return this.#app.runs.flatMap((run, scene) => this.#run(run, scene));
      case "compare":
        return this.#compare();
    }
  }

  #entry(): readonly Node[] {
    const app = this.#app;
    const { selected, selection } = app;
    const run = selected && app.runs[selected.scene];
    if (selected === undefined || run === undefined || selection === undefined) {
      return [
        h("p", { class: "hint" }, "Click a mark, a message, a state or a fault; or step through the entries with the arrow keys."),
        h("p", { class: "hint" }, "Its facts, causes and effects appear here and on the lanes."),
      ];
    }
    const { entry, scene } = { entry: selected.entry, scene: selected.scene };
    const { columns, queries, query, messages } = run;
    const at = columns.at[entry] ?? 0;
    const queryId = queries[query[entry] ?? -1];
    const facts: (readonly [string, Node | string])[] = [
      ["time", exactTime(app, at)],
      ["event", `${columns.event[entry] ?? 0}, scheduled by ${columns.parent[entry] ?? 0}`],
    ];
    if (queryId !== undefined) {
      const label = app.emphasised === queryId ? "shown alone" : "show alone";
      facts.push(["query", h("span", {}, `${queryId} `, h("button", { class: "link", onclick: () => app.emphasise(queryId) }, label))]);
    }
    const side = app.scenes[scene]?.side;
    if (side !== undefined) {
      facts.push(["compared", this.#compared(selected, side.status[entry] ?? 0, side.partner[entry] ?? -1)]);
    }
    const message = messages.ofEntry[entry] ?? -1;
    const life = message === -1 ? [] : [...messages.entries.subarray(messages.start[message], messages.start[message + 1])];
    const chain = selection.chain.slice(1);
    return [
      h("h2", { class: run.trouble[entry] === 1 ? "bad" : "" }, `${kindOf(run, entry)} `, h("small", {}, `at ${placeOf(run, entry)}`)),
      h("p", { class: "detail" }, detailOf(columns, entry) || "(nothing more is said)"),
      h("dl", {}, ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      h(
        "div",
        { class: "buttons" },
        h("button", { onclick: () => app.toCause(), title: "To its cause: key [" }, "‹ Cause"),
        h("button", { onclick: () => app.toEffect(), title: "To its first effect: key ]" }, "Effect ›"),
        h(
          "button",
          {
            onclick: () => app.toggleCone(),
            "aria-pressed": String(app.showsCone),
            title: "Everything that happened before and after it: key C",
          },
          "Before / after",
        ),
      ),
      ...(life.length === 0
        ? []
        : [h("h3", {}, `Message m${columns.message[entry] ?? ""}`), this.#lines(scene, life, life[0] ?? entry, entry)]),
      h("h3", {}, chain.length === 0 ? "No earlier cause" : "Caused by"),
      this.#lines(scene, chain.slice(0, linesMax), entry, entry),
      ...(chain.length > linesMax ? [h("p", { class: "hint" }, `and ${chain.length - linesMax} more before`)] : []),
      h("h3", {}, selection.effects.length === 0 ? "No effects" : "Effects"),
      this.#lines(scene, selection.effects.slice(0, linesMax), entry, entry),
      ...(selection.effects.length > linesMax
        ? [h("p", { class: "hint" }, `and ${selection.effects.length - linesMax} or more after`)]
        : []),
    ];
  }

  #compared({ scene, entry }: Place, status: number, partner: number): Node | string {
    const app = this.#app;
    const other = app.runs[1 - scene];
    const here = app.runs[scene];
    if (status === 1 || partner === -1 || other === undefined || here === undefined) {
      return `only in ${scene === 0 ? "A" : "B"}`;
    }
    const by = (other.columns.at[partner] ?? 0) - (here.columns.at[entry] ?? 0);
    const words =
      status === 0 ? "equal in both" : `${formatDuration(Math.abs(by))} ${by > 0 ? "later" : "earlier"} in ${scene === 0 ? "B" : "A"}`;
    const go = (): void => app.select({ scene: 1 - scene, entry: partner }, { reveal: true });
    return h("span", {}, `${words} `, h("button", { class: "link", onclick: go }, "go there"));
  }

  #lines(scene: number, entries: readonly number[], origin: number, selected: number): HTMLElement {
    const app = this.#app;
    const run = app.runs[scene];
    return h(
      "ol",
      { class: "lines" },
      ...(run === undefined
        ? []
        : entries.map((entry) => {
            const offset = (run.columns.at[entry] ?? 0) - (run.columns.at[origin] ?? 0);
            return h(
              "li",
              {},
              h(
                "button",
                {
                  class: `line${entry === selected ? " selected" : ""}${run.trouble[entry] === 1 ? " trouble" : ""}`,
                  onclick: () => app.select({ scene, entry }, { reveal: true }),
                },
                h("span", { class: "time" }, `${offset < 0 ? "−" : "+"}${formatDuration(Math.abs(offset))}`),
                h("span", { class: "at" }, placeOf(run, entry)),
                h("span", { class: "words" }, h("b", {}, kindOf(run, entry)), ` ${briefDetail(run, entry)}`),
              ),
            );
          })),
    );
  }

  #statements(run: Run, scene: number): readonly Node[] {
    const app = this.#app;
    const title: HTMLElement[] = app.runs.length > 1 ? [h("h2", {}, `${scene === 0 ? "A" : "B"} · ${run.facts.name}`)] : [];
    // If there are very many, only those around the playhead.
    const now = run.statements.findIndex(({ submit }) => (run.columns.at[submit] ?? 0) >= app.playheadNanos);
    const first = Math.max(0, Math.min((now === -1 ? run.statements.length : now) - linesMax / 2, run.statements.length - linesMax));
    const items = run.statements.slice(first, first + linesMax).map((statement) => this.#statement(run, scene, statement));
    const left = run.statements.length - items.length;
    if (left > 0) {
      title.push(h("p", { class: "hint" }, `${items.length} around the playhead; ${left.toLocaleString("en")} more are before and after`));
    }
    return [
      ...title,
      items.length === 0 ? h("p", { class: "hint" }, "No user submitted a statement.") : h("ol", { class: "statements" }, ...items),
    ];
  }

  #statement(run: Run, scene: number, statement: Statement): HTMLElement {
    const app = this.#app;
    const { at } = run.columns;
    const id = run.queries[statement.query] ?? "";
    const isOk = /^\d+ rows$/.test(statement.ending);
    const from = at[statement.submit] ?? 0;
    const to = statement.end === -1 ? run.toNanos : (at[statement.end] ?? from);
    const choose = (): void => {
      if (id !== "" && app.emphasised !== id) {
        app.emphasise(id);
      }
      app.select({ scene, entry: statement.submit });
      app.zoomTo(from, to);
    };
    return h(
      "li",
      {},
      h(
        "button",
        {
          class: `statement${id !== "" && app.emphasised === id ? " selected" : ""}`,
          onclick: choose,
          "aria-pressed": String(id !== "" && app.emphasised === id),
        },
        h("span", { class: "statement-head" }, h("b", {}, statement.user), ` ${exactTime(app, from)} · ${formatDuration(to - from)}`),
        h("code", {}, statement.sql),
        h("span", { class: isOk ? "ending good" : "ending bad" }, statement.ending),
      ),
    );
  }

  #run(run: Run, scene: number): readonly Node[] {
    const app = this.#app;
    const { facts, columns, violations } = run;
    return [
      h("h2", {}, app.runs.length > 1 ? `${scene === 0 ? "A" : "B"} · ${facts.name}` : facts.name),
      ...violations
        .slice(0, linesMax)
        .map((violation) =>
          h(
            "button",
            { class: "violation", onclick: () => app.select({ scene, entry: violation.entry }, { reveal: true }) },
            h("b", {}, `VIOLATION ${violation.kind}`),
            ` at ${exactTime(app, violation.at)} [${violation.oracle}]`,
            h("span", {}, violation.sentence),
          ),
        ),
      h(
        "dl",
        {},
        ...(
          [
            ["entries", columns.count.toLocaleString("en")],
            ["events", facts.events.toLocaleString("en")],
            ["messages", run.messages.count.toLocaleString("en")],
            ["statements", run.statements.length.toLocaleString("en")],
            ["faults", String(run.faults.length)],
            ["simulated", formatDuration(run.toNanos - run.fromNanos)],
            ["fingerprint", facts.fingerprint],
          ] as const
        ).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
      ),
      ...(run.faults.length === 0
        ? []
        : [
            h("h3", {}, run.faults.length > linesMax ? `The first ${linesMax} of ${run.faults.length} faults` : "Faults"),
            this.#lines(
              scene,
              run.faults.slice(0, linesMax).map(({ entry }) => entry),
              0,
              -1,
            ),
          ]),
      ...(facts.resultText === "" ? [] : [h("h3", {}, "Result"), h("pre", {}, facts.resultText)]),
      h("h3", {}, "Plan"),
      h("pre", {}, facts.planText),
    ];
  }

  #compare(): readonly Node[] {
    const app = this.#app;
    const { difference } = app;
    const [a, b] = app.runs;
    if (difference === undefined || a === undefined || b === undefined) {
      return [];
    }
    const { counts } = difference;
    const total = Math.max(1, counts.same + counts.shifted + counts.onlyA + counts.onlyB);
    const row = (mark: string, name: string, count: number): HTMLElement =>
      h(
        "tr",
        {},
        h("td", {}, h("i", { class: `swatch ${mark}` }), name),
        h("td", {}, count.toLocaleString("en")),
        h("td", {}, `${((100 * count) / total).toFixed(1)} %`),
      );
    const sides = [
      { scene: 0, entry: difference.firstA },
      { scene: 1, entry: difference.firstB },
    ].filter(({ entry }) => entry !== -1);
    return [
      h("h2", {}, "Two runs"),
      h("dl", {}, h("dt", {}, "A"), h("dd", {}, a.facts.name), h("dt", {}, "B"), h("dd", {}, b.facts.name)),
      h(
        "table",
        { class: "counts" },
        row("same", "same entry, same time", counts.same),
        row("shifted", "same entry, other time", counts.shifted),
        row("only-a", "only in A", counts.onlyA),
        row("only-b", "only in B", counts.onlyB),
      ),
      difference.atNanos === undefined
        ? h("p", {}, "Both runs are equal, to the nanosecond.")
        : h(
            "div",
            {},
            h("h3", {}, `First difference at ${exactTime(app, difference.atNanos)}`),
            h("div", { class: "buttons" }, h("button", { onclick: () => app.firstDifference(), title: "Key D" }, "Go there")),
          ),
      ...sides.flatMap(({ scene, entry }) => [
        h("h3", {}, `First entry of ${scene === 0 ? "A" : "B"} that differs`),
        this.#lines(scene, [entry], 0, -1),
      ]),
      h(
        "p",
        { class: "hint" },
        "Entries are paired by content: the k-th of their kind at their place. Messages and queries are identified by their order, not by their ids.",
      ),
    ];
  }
}
