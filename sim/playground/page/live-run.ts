/**
 * The run in the lanes while it is made: the entries so far, in the page that shows a run. The lanes are built anew as entries come, at
 * most for a part of the time.
 */
import { type Entry, pack, unpack } from "../../view/page/model/format.ts";
import { buildRun, type Run } from "../../view/page/model/model.ts";
import type { LiveRun as LiveRunHooks } from "../../view/page/app.ts";
import { type ShownRuns, showLive } from "../../view/page/show.ts";
import type { Update } from "../player.ts";
import { coordinatorName, readyNanos, workerNames } from "../script.ts";

/** Building takes at most one in this many milliseconds. */
const buildShare = 3;
const buildPauseMs = 60;
/** The window shows at least this much. */
const spanNanosMin = 10_000_000;

export class LiveRun {
  readonly #hooks: LiveRunHooks;
  readonly #entries: Entry[] = [];
  #shown: ShownRuns | undefined;
  #update: Update | undefined;
  #isBuildDue = false;
  #isScheduled = false;
  /** Whether the window follows the run; not once a person has chosen another window. */
  #follows = true;
  #isOwnChange = false;

  constructor(hooks: LiveRunHooks) {
    this.#hooks = hooks;
  }

  take(update: Update): void {
    this.#isBuildDue ||= this.#entries.length !== update.entriesKept || update.entries.length > 0;
    this.#entries.length = update.entriesKept;
    this.#entries.push(...update.entries);
    this.#update = update;
    this.#shown?.app.showPlaying(update.isPlaying);
    if (this.#isScheduled) {
      return;
    }
    if (this.#isBuildDue) {
      this.#build();
    } else {
      this.#movePlayhead();
    }
  }

  /** The window follows the run again. */
  follow(): void {
    this.#follows = true;
  }

  #watchWindow(app: ShownRuns["app"]): void {
    let { view, width } = app;
    app.listen(() => {
      if (!this.#isOwnChange && app.view !== view && app.width === width) {
        this.#follows = false;
      }
      ({ view, width } = app);
    });
  }

  #build(): void {
    const started = performance.now();
    this.#isBuildDue = false;
    const run = this.#run();
    if (this.#shown === undefined) {
      if (run.columns.count === 0) {
        return;
      }
      this.#shown = showLive([run], { live: this.#hooks });
      this.#watchWindow(this.#shown.app);
    } else {
      this.#isOwnChange = true;
      this.#shown.app.replaceRun(run);
      this.#isOwnChange = false;
    }
    this.#movePlayhead();
    this.#isScheduled = true;
    setTimeout(
      () => {
        this.#isScheduled = false;
        if (this.#isBuildDue) {
          this.#build();
        } else {
          this.#movePlayhead();
        }
      },
      Math.max(buildPauseMs, (performance.now() - started) * buildShare),
    );
  }

  #run(): Run {
    const { script, fingerprint, events } = this.#update as Update;
    const facts = {
      name: "Orrery playground",
      planText: `seed ${script.cluster.seed}, coordinator ${coordinatorName}, workers ${workerNames(script.cluster).join(", ")}`,
      resultText: "",
      fingerprint,
      events,
      users: ["you"],
      coordinators: [coordinatorName],
      workers: workerNames(script.cluster),
    };
    return buildRun(unpack(pack(this.#entries)), facts);
  }

  #movePlayhead(): void {
    const { app } = this.#shown ?? {};
    const update = this.#update;
    if (app === undefined || update === undefined) {
      return;
    }
    this.#isOwnChange = true;
    app.movePlayhead(update.nowNanos);
    if (this.#follows) {
      const fromNanos = update.script.acts[0]?.atNanos ?? readyNanos - spanNanosMin;
      app.zoomTo(fromNanos, Math.max(update.endNanos, fromNanos + spanNanosMin));
    }
    this.#isOwnChange = false;
  }
}
