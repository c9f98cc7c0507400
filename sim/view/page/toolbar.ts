/**
 * Title, search, switches and zoom, with their keyboard shortcuts.
 */
import type { App } from "./app.ts";
import { byId, h } from "./dom.ts";
import type { Group } from "./model/model.ts";
import type { Panel } from "./panel.ts";
import type { TimeFormat } from "./drawing/scale.ts";
import { exactTime } from "./model/words.ts";

const groupNames: Readonly<Record<Group, string>> = {
  messages: "Messages",
  heartbeats: "Heartbeats",
  timers: "Timers",
  logs: "Logs",
  states: "States",
  users: "Users",
  faults: "Faults",
  violations: "Violations",
};
const switchable: readonly Group[] = ["messages", "heartbeats", "timers", "logs", "states"];
const formatNames: Readonly<Record<TimeFormat, string>> = { seconds: "Seconds", clock: "hh:mm:ss", relative: "± playhead" };
const formats: readonly TimeFormat[] = ["seconds", "clock", "relative"];

export interface Tools {
  readonly app: App;
  readonly panel: Panel;
  readonly toggleTheme: () => void;
}

export function addToolbar(tools: Tools): void {
  const { app } = tools;
  const find = byId("find", HTMLInputElement);
  const count = byId("find-count", HTMLOutputElement);
  const title = app.runs.map(({ facts }) => facts.name).join("  against  ");
  byId("title", HTMLHeadingElement).textContent = title;
  document.title = `${title} · Orrery`;
  if (app.live === undefined) {
    verdict(app);
  }
  find.addEventListener("input", () => app.find(find.value));
  find.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      app.findNext(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      find.value = "";
      app.find("");
      byId("lanes", HTMLCanvasElement).focus();
    }
    event.stopPropagation();
  });
  const chips = switchable.map((group) => {
    const chip = h("button", { class: "chip", onclick: () => toggleGroup(app, group) }, groupNames[group]);
    byId("groups", HTMLDivElement).append(chip);
    return { group, chip };
  });
  const buttons: readonly (readonly [string, () => void])[] = [
    ["find-previous", () => app.findNext(-1)],
    ["find-next", () => app.findNext(1)],
    ["scale-activity", () => app.setScale("activity")],
    ["scale-clock", () => app.setScale("clock")],
    ["zoom-in", () => app.zoomBy(0.6)],
    ["zoom-out", () => app.zoomBy(1 / 0.6)],
    ["zoom-fit", () => app.fit()],
    ["play", () => app.setPlaying(!app.isPlaying)],
    ["previous", () => app.step(-1)],
    ["next", () => app.step(1)],
    ["time-format", () => app.setTimeFormat(formats[(formats.indexOf(app.timeFormat) + 1) % formats.length] ?? "seconds")],
    ["theme", tools.toggleTheme],
    ["help", () => byId("keys", HTMLDialogElement).showModal()],
    ["keys-close", () => byId("keys", HTMLDialogElement).close()],
  ];
  for (const [id, act] of buttons) {
    byId(id, HTMLButtonElement).addEventListener("click", act);
  }
  const refresh = (): void => {
    for (const { group, chip } of chips) {
      chip.setAttribute("aria-pressed", String(!app.filter.hiddenGroups.has(group)));
    }
    byId("scale-activity", HTMLButtonElement).setAttribute("aria-pressed", String(app.scaleKind === "activity"));
    byId("scale-clock", HTMLButtonElement).setAttribute("aria-pressed", String(app.scaleKind === "clock"));
    byId("play", HTMLButtonElement).textContent = app.isPlaying ? "❚❚" : "▶";
    byId("play", HTMLButtonElement).setAttribute("aria-label", app.isPlaying ? "Pause" : "Play");
    byId("time", HTMLOutputElement).textContent = exactTime(app, app.playheadNanos);
    byId("time-format", HTMLButtonElement).textContent = formatNames[app.timeFormat];
    const at = app.foundPlaces.findIndex(({ scene, entry }) => scene === app.selected?.scene && entry === app.selected.entry);
    count.textContent =
      app.findText === ""
        ? ""
        : app.foundPlaces.length === 0
          ? "none"
          : `${at === -1 ? "–" : (at + 1).toLocaleString("en")} / ${app.foundPlaces.length.toLocaleString("en")}`;
  };
  app.listen(refresh);
  refresh();
  addKeys(tools, find);
}

function verdict(app: App): void {
  const box = byId("verdict", HTMLDivElement);
  const violations = app.runs.flatMap((run) => run.violations);
  const first = violations[0];
  if (app.difference !== undefined) {
    const same = app.difference.atNanos === undefined;
    box.append(
      h(
        "button",
        { class: same ? "verdict good" : "verdict differs", onclick: () => app.firstDifference(), title: "To the first difference: key D" },
        same ? "EQUAL" : "FIRST DIFFERENCE ›",
      ),
    );
  }
  if (first !== undefined) {
    const words = violations.length === 1 ? `FAIL ${first.kind} ›` : `FAIL ${first.kind} · ${violations.length} violations ›`;
    box.append(
      h("button", { class: "verdict bad", onclick: () => app.nextViolation(), title: `${first.sentence}\nTo the violation: key V` }, words),
    );
  } else if (app.difference === undefined) {
    // A recording has no checkers: the simulator gives every run a fingerprint.
    const isChecked = app.runs.every(({ facts }) => facts.fingerprint !== "");
    box.append(isChecked ? h("span", { class: "verdict good" }, "PASS") : h("span", { class: "verdict" }, "RECORDED"));
  }
}

function toggleGroup(app: App, group: Group): void {
  const hidden = new Set(app.filter.hiddenGroups);
  if (!hidden.delete(group)) {
    hidden.add(group);
  }
  app.setFilter({ hiddenGroups: hidden });
}

function addKeys({ app, panel, toggleTheme }: Tools, find: HTMLInputElement): void {
  const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    ArrowRight: (event) => (event.shiftKey ? app.panBy(120) : app.step(event.altKey ? 10 : 1)),
    ArrowLeft: (event) => (event.shiftKey ? app.panBy(-120) : app.step(event.altKey ? -10 : -1)),
    ArrowUp: () => (app.scrollMax > 0 ? app.scrollBy(-60) : app.zoomBy(0.75)),
    ArrowDown: () => (app.scrollMax > 0 ? app.scrollBy(60) : app.zoomBy(1 / 0.75)),
    Home: () => app.setPlayhead(Number.NEGATIVE_INFINITY, { follow: true }),
    End: () => app.setPlayhead(Number.POSITIVE_INFINITY, { follow: true }),
    PageDown: () => app.panBy(app.lanesWidth * 0.8),
    PageUp: () => app.panBy(-app.lanesWidth * 0.8),
    "+": () => app.zoomBy(0.6),
    "=": () => app.zoomBy(0.6),
    "-": () => app.zoomBy(1 / 0.6),
    0: () => app.fit(),
    " ": () => app.setPlaying(!app.isPlaying),
    "/": () => find.focus(),
    f: () => find.focus(),
    n: () => app.findNext(1),
    N: () => app.findNext(-1),
    v: () => app.nextViolation(),
    d: () => app.firstDifference(),
    "[": () => app.toCause(),
    "]": () => app.toEffect(),
    c: () => app.toggleCone(),
    h: () => toggleGroup(app, "heartbeats"),
    t: () => app.setScale(app.scaleKind === "activity" ? "clock" : "activity"),
    s: () => panel.show("statements"),
    l: toggleTheme,
    "?": () => byId("keys", HTMLDialogElement).showModal(),
    Escape: () => {
      app.select(undefined);
      if (app.emphasised !== "") {
        app.emphasise(app.emphasised);
      }
    },
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    const types = target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
    const presses = target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter");
    if (types || presses || event.ctrlKey || event.metaKey || byId("keys", HTMLDialogElement).open) {
      return;
    }
    const act = keys[event.key];
    if (act !== undefined) {
      event.preventDefault();
      act(event);
    }
  });
}
