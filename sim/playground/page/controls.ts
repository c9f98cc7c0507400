/** The console of the playground: statement, time, nodes, links and acts. Shows an update, and turns what a person does into orders. */
import { byId, h } from "../../view/page/dom.ts";
import type { Order, Speed, Update } from "../player.ts";
import { defaultCluster, describeDeed, toAddress, workersMax } from "../script.ts";
import { examples } from "./examples.ts";
import { resultOf } from "./results.ts";

export interface ControlHooks {
  readonly order: (order: Order) => void;
  /** The lanes shall show the newest part of the run. */
  readonly follow: () => void;
}

const speeds: readonly { readonly name: string; readonly speed: Speed }[] = [
  { name: "1 : 200", speed: 5_000_000 },
  { name: "1 : 50", speed: 20_000_000 },
  { name: "1 : 10", speed: 100_000_000 },
  { name: "1 : 1", speed: 1_000_000_000 },
  { name: "fastest", speed: "fastest" },
];
const speedAtFirst = 1;
const nanosPerStep = 1_000;

function milliseconds(nanos: number): string {
  return `${(nanos / 1e6).toLocaleString("en", { minimumFractionDigits: 3, maximumFractionDigits: 3 })} ms`;
}

export class Controls {
  readonly #hooks: ControlHooks;
  #update: Update | undefined;
  #isSliding = false;
  /** The texts of the parts that were drawn last, so that elements that did not change keep the focus. */
  readonly #drawn = new Map<string, string>();

  constructor(hooks: ControlHooks) {
    this.#hooks = hooks;
    this.#listenToStatement();
    this.#listenToTime();
    this.#listenToRun();
  }

  #listenToStatement(): void {
    const sql = byId("sql", HTMLTextAreaElement);
    const select = byId("examples", HTMLSelectElement);
    sql.value = examples[0]?.sql ?? "";
    select.append(...examples.map(({ name }, index) => h("option", { value: index }, name)));
    select.addEventListener("change", () => {
      sql.value = examples[Number(select.value)]?.sql ?? "";
    });
    byId("statement", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#runStatement(sql.value);
    });
    sql.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.#runStatement(sql.value);
      }
    });
    byId("cancel", HTMLButtonElement).addEventListener("click", () => {
      const client = this.#update?.statements?.findLast(({ isOver }) => !isOver)?.client;
      if (client !== undefined) {
        this.#hooks.order({ kind: "act", deed: { kind: "cancel", client } });
        this.play();
      }
    });
  }

  #runStatement(sql: string): void {
    if (sql.trim() !== "") {
      this.#hooks.order({ kind: "act", deed: { kind: "sql", sql } });
      this.#hooks.follow();
      this.play();
    }
  }

  play(): void {
    this.#hooks.order({ kind: "play", speed: speeds[Number(byId("speed", HTMLSelectElement).value)]?.speed ?? "fastest" });
  }

  #listenToTime(): void {
    const { order } = this.#hooks;
    const speed = byId("speed", HTMLSelectElement);
    speed.append(...speeds.map(({ name }, index) => h("option", { value: index }, name)));
    speed.value = String(speedAtFirst);
    speed.addEventListener("change", () => {
      if (this.#update?.isPlaying === true) {
        this.play();
      }
    });
    byId("live-play", HTMLButtonElement).addEventListener("click", () =>
      this.#update?.isPlaying === true ? order({ kind: "pause" }) : this.play(),
    );
    byId("live-step", HTMLButtonElement).addEventListener("click", () => order({ kind: "step" }));
    const moment = byId("moment", HTMLInputElement);
    moment.addEventListener("input", () => {
      this.#isSliding = true;
      order({ kind: "seek", atNanos: Number(moment.value) * nanosPerStep });
    });
    moment.addEventListener("change", () => {
      this.#isSliding = false;
      order({ kind: "seek", atNanos: Number(moment.value) * nanosPerStep });
    });
  }

  #listenToRun(): void {
    const workers = byId("workers", HTMLSelectElement);
    workers.append(...Array.from({ length: workersMax }, (_, index) => h("option", {}, String(index + 1))));
    workers.value = String(defaultCluster.workers);
    const seed = byId("seed", HTMLInputElement);
    seed.value = defaultCluster.seed;
    byId("fresh", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      const script = { cluster: { seed: seed.value, workers: Number(workers.value) }, acts: [] };
      this.#hooks.follow();
      this.#hooks.order({ kind: "open", script, atNanos: undefined, fingerprint: "" });
    });
    byId("share", HTMLButtonElement).addEventListener("click", () => void this.#share());
  }

  /** The page's address with the run as it is now; empty without one. */
  get address(): string {
    if (this.#update === undefined) {
      return "";
    }
    const { script, nowNanos, fingerprint } = this.#update;
    return `${location.href.replace(/#.*/, "")}#${toAddress({ script, atNanos: nowNanos, fingerprint })}`;
  }

  async #share(): Promise<void> {
    const field = byId("address", HTMLInputElement);
    const copied = byId("copied", HTMLSpanElement);
    const { address } = this;
    field.value = address;
    byId("shared", HTMLParagraphElement).hidden = false;
    field.focus();
    field.select();
    history.replaceState(null, "", address);
    try {
      await navigator.clipboard.writeText(address);
      copied.textContent = "Copied";
    } catch {
      // Without the right to write the clipboard, the selected text is there to be copied.
      copied.textContent = "Copy it from here";
    }
  }

  show(update: Update): void {
    const statements = update.statements ?? this.#update?.statements ?? [];
    this.#update = { ...update, statements };
    this.#showTime(update);
    const last = statements.findLast(({ isOver }) => !isOver) ?? statements.at(-1);
    byId("cancel", HTMLButtonElement).disabled = last === undefined || last.isOver;
    this.#draw("result", JSON.stringify(last ?? null), () => (last === undefined ? [] : resultOf(last)));
    this.#draw("nodes", JSON.stringify(update.nodes), () => this.#nodes(update));
    this.#draw("links", JSON.stringify(update.links), () => this.#links(update));
    const { acts, cluster } = update.script;
    this.#draw("acts", JSON.stringify([acts, update.actsDone]), () => this.#acts(update));
    this.#draw("fresh", JSON.stringify(cluster), () => {
      byId("seed", HTMLInputElement).value = cluster.seed;
      byId("workers", HTMLSelectElement).value = String(cluster.workers);
      return undefined;
    });
  }

  #draw(id: string, text: string, content: () => readonly HTMLElement[] | undefined): void {
    if (this.#drawn.get(id) === text) {
      return;
    }
    this.#drawn.set(id, text);
    const focused = document.activeElement?.getAttribute("data-key");
    const elements = content();
    if (elements !== undefined) {
      byId(id, HTMLElement).replaceChildren(...elements);
    }
    if (focused !== null && focused !== undefined && document.activeElement === document.body) {
      document.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    }
  }

  #showTime({ isPlaying, nowNanos, endNanos, events, fingerprint, replay, isReplaying }: Update): void {
    byId("live-play", HTMLButtonElement).textContent = isPlaying ? "Pause" : "Play";
    byId("now", HTMLOutputElement).textContent = milliseconds(nowNanos);
    const moment = byId("moment", HTMLInputElement);
    moment.max = String(Math.ceil(endNanos / nanosPerStep));
    moment.setAttribute("aria-valuetext", milliseconds(nowNanos));
    if (!this.#isSliding) {
      moment.value = String(Math.round(nowNanos / nanosPerStep));
    }
    const words = byId("replay", HTMLParagraphElement);
    const count = events.toLocaleString("en");
    words.className = replay === undefined || isReplaying ? "" : replay.isSame ? "same" : "other";
    words.textContent = isReplaying
      ? `Replaying: ${count} events`
      : replay === undefined
        ? `${count} events, fingerprint ${fingerprint}`
        : replay.isSame
          ? `Replayed ${replay.events.toLocaleString("en")} events: the same fingerprint ${fingerprint}`
          : `Replayed ${replay.events.toLocaleString("en")} events: another fingerprint ${fingerprint}; another build made that run`;
  }

  #nodes({ nodes }: Update): readonly HTMLElement[] {
    return nodes.map(({ name, isUp }) => {
      const kind = isUp ? "kill" : "restart";
      const act = (): void => this.#hooks.order({ kind: "act", deed: { kind, node: name } });
      const label = isUp ? "Kill" : "Restart";
      return h(
        "li",
        { class: isUp ? "" : "down" },
        h("b", { title: name === "c" ? "The coordinator" : "A worker" }, name),
        h("button", { onclick: act, "data-key": `node ${name}`, "aria-label": `${label} ${name}` }, label),
      );
    });
  }

  #links({ links }: Update): readonly HTMLElement[] {
    return links.map(({ from, to, state }) => {
      const act = (): void => {
        const fault = byId("link-fault", HTMLSelectElement).value === "slow" ? "slow" : "cut";
        this.#hooks.order({ kind: "act", deed: { kind: state === "whole" ? fault : "join", from, to } });
      };
      const name = `${from} – ${to}`;
      const words = state === "whole" ? name : `${name} ${state}`;
      return h(
        "button",
        { onclick: act, "data-key": `link ${name}`, "data-state": state, "aria-pressed": String(state !== "whole") },
        words,
      );
    });
  }

  #acts({ script, actsDone }: Update): readonly HTMLElement[] {
    if (script.acts.length === 0) {
      return [h("li", { class: "hint" }, "Nothing has been done yet.")];
    }
    return script.acts.map((act, index) =>
      h(
        "li",
        { class: index < actsDone ? "" : "future" },
        h(
          "button",
          { onclick: () => this.#hooks.order({ kind: "seek", atNanos: act.atNanos }), title: "To this time" },
          h("span", { class: "time" }, milliseconds(act.atNanos)),
          h("span", { class: "what" }, describeDeed(act)),
        ),
      ),
    );
  }
}
