/**
 * The playground: a cluster of the real engine in the simulated world, in one page. The page holds everything; it sends no requests. Its
 * address holds the run.
 */
import { byId, h } from "../../view/page/dom.ts";
import type { Update } from "../player.ts";
import { defaultCluster, fromAddress, type Shared } from "../script.ts";
import { Controls } from "./controls.ts";
import { Engine } from "./engine.ts";
import { LiveRun } from "./live-run.ts";

function showFailure(message: string): void {
  const first = message.split("\n")[0] ?? "";
  byId("console", HTMLElement).prepend(h("p", { id: "engine-failure", role: "alert" }, first));
  document.getElementById("loading")?.remove();
}

function sharedRun(): Shared {
  return location.hash === ""
    ? { script: { cluster: defaultCluster, acts: [] }, atNanos: undefined, fingerprint: "" }
    : fromAddress(location.hash);
}

async function start(): Promise<void> {
  let latest: Update | undefined;
  let atRest = "";
  const live = new LiveRun({
    setPlaying: (isPlaying) => (isPlaying ? controls.play() : engine.order({ kind: "pause" })),
    seek: (atNanos) => engine.order({ kind: "seek", atNanos: Math.round(atNanos) }),
  });
  const onUpdate = (update: Update): void => {
    latest = update;
    controls.show(update);
    live.take(update);
    if (!update.isPlaying && !update.isReplaying && update.script.acts.length > 0) {
      // The address is always that of the run which is shown, so that a reload and a copy of it give the same.
      atRest = controls.address;
      history.replaceState(null, "", atRest);
    }
  };
  const open = (): void => {
    try {
      live.follow();
      engine.order({ kind: "open", ...sharedRun() });
    } catch (error) {
      showFailure(`This address holds no run: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const engine = await Engine.start({ onUpdate, onFailure: showFailure });
  const controls = new Controls({ order: (order) => engine.order(order), follow: () => live.follow() });
  addEventListener("hashchange", () => {
    if (location.href !== atRest) {
      open();
    }
  });
  open();
  // For tests and debugging.
  Object.assign(window, {
    orreryPlayground: { update: () => latest, order: (order: Parameters<typeof engine.order>[0]) => engine.order(order) },
  });
}

start().catch((error: unknown) => showFailure(error instanceof Error ? error.message : String(error)));
