/**
 * The complete filter: places, labels, queries, words.
 */
import type { App } from "./app.ts";
import { h } from "./dom.ts";
import { openFilter } from "./model/filter.ts";
import { laneOrder } from "./drawing/scene.ts";

export function filterPane(app: App): readonly Node[] {
  const { filter, runs } = app;
  const places = [...new Set(runs.flatMap((run) => laneOrder(run).map((place) => run.columns.places[place] ?? "")))];
  const labels = [...new Set(runs.flatMap(({ messages }) => messages.labels))].sort();
  const queries = [...new Set(runs.flatMap((run) => run.queries))];
  const words = h("input", {
    id: "filter-words",
    type: "text",
    value: filter.expression,
    placeholder: "kind:lost -place:w3 task-update",
    spellcheck: "false",
    autocomplete: "off",
  });
  words.addEventListener("input", () => app.setFilter({ expression: words.value }));
  const trouble = h("input", { type: "checkbox", checked: filter.onlyTrouble });
  trouble.addEventListener("change", () => app.setFilter({ onlyTrouble: trouble.checked }));
  return [
    h("h2", {}, "Show only"),
    h("label", { class: "field", for: "filter-words" }, "entries with", words),
    select("messages with label", labels, filter.label, (label) => app.setFilter({ label })),
    select("entries of query", queries, filter.query, (query) => app.setFilter({ query })),
    h("label", { class: "check" }, trouble, "failures only"),
    h("h3", {}, "Places"),
    h("div", { class: "places" }, ...places.map((name) => placeBox(app, name))),
    h(
      "div",
      { class: "buttons" },
      h("button", { onclick: () => app.setFilter({ hiddenPlaces: new Set() }) }, "All places"),
      h("button", { onclick: () => app.setFilter(openFilter) }, "Reset"),
    ),
    h(
      "p",
      { class: "hint" },
      "All words must occur; a minus excludes. place: is an exact name; kind:, label:, query: and text: match parts. m17 is a message. The find field has the same syntax.",
    ),
  ];
}

function placeBox(app: App, name: string): HTMLElement {
  const box = h("input", { type: "checkbox", checked: !app.filter.hiddenPlaces.has(name) });
  box.addEventListener("change", () => {
    const hidden = new Set(app.filter.hiddenPlaces);
    if (box.checked) {
      hidden.delete(name);
    } else {
      hidden.add(name);
    }
    app.setFilter({ hiddenPlaces: hidden });
  });
  return h("label", { class: "check" }, box, name === "world" ? "faults" : name);
}

function select(name: string, values: readonly string[], chosen: string, choose: (value: string) => void): HTMLElement {
  const element = h(
    "select",
    {},
    h("option", { value: "" }, "any"),
    ...values.map((value) => h("option", { value, selected: value === chosen }, value)),
  );
  element.addEventListener("change", () => choose(element.value));
  return h("label", { class: "field" }, name, element);
}
