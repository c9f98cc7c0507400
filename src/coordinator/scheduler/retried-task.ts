/**
 * A task that is run again when it is lost (retry-policy TASK): to its stage one task with one life, on the nodes one after another
 * (remote-task.ts). A straggler has a second run beside the current one for a while. Which runs it needs is decided by task-recovery.ts.
 */
import type { FailureInfo, FilterDomains, ReplacedSource, TaskState } from "../../execution/task/api.ts";
import type { FilterDomain } from "../../execution/dynamic-filter/filter-domain.ts";
import { isEndedTask } from "../../execution/task/state.ts";
import { withoutFalls } from "../../protocol/counter-sums.ts";
import { assert } from "../../protocol/errors.ts";
import type { TaskDocument } from "../../protocol/documents/task.ts";
import type { Warning } from "../../protocol/documents/warnings.ts";
import type { RemoteTask } from "./remote-task.ts";
import type { ReportedDocument } from "./reported-document.ts";
import type { StageTask, TaskCounters } from "./stage-task.ts";

/** Longest wait for the document of a task that may have to run again, in milliseconds. */
const askWaitMs = 1000;

/** Makes a run of the task; `onChange` is called after every change of its state or counters. */
export type NewRun = (onChange: () => void) => RemoteTask;

export interface RetriedTaskOptions {
  /** The current run has failed. True if another one follows: the task has not failed then. */
  readonly onFailed: (failure: FailureInfo) => boolean;
  readonly onChange: () => void;
  /** The state of the second run has changed. */
  readonly onSecondChange: () => void;
}

export class RetriedTask implements StageTask {
  readonly #options: RetriedTaskOptions;
  #current: RemoteTask;
  readonly #former: RemoteTask[] = [];
  /** Runs beside the current one. */
  #second: RemoteTask | undefined;
  /** Its current run is lost, and the next one has not begun. */
  #isLost = false;
  /** What former runs have counted. */
  #counted: TaskCounters | undefined;
  /** Dynamic filters for its scans: each run gets the same. */
  #domains: FilterDomains | undefined;
  #ending: "cancel" | "abort" | undefined;
  /** It was ended while it was lost. */
  #final: TaskState | undefined;

  constructor(first: NewRun, options: RetriedTaskOptions) {
    this.#options = options;
    this.#current = this.#make(first);
  }

  get taskId(): string {
    return this.#current.taskId;
  }

  get nodeId(): string {
    return this.#current.nodeId;
  }

  get nodeUri(): string {
    return this.#current.nodeUri;
  }

  get runs(): number {
    return this.#former.length + 1;
  }

  /** Its consumers have all that it produces, or need no more, or it has failed. */
  get hasEnded(): boolean {
    return isEndedTask(this.state);
  }

  /** Nobody reads it, or its query is over. */
  get isEnding(): boolean {
    return this.#ending !== undefined;
  }

  /** Undefined if there is none. */
  get secondState(): TaskState | undefined {
    return this.#second?.state;
  }

  get state(): TaskState {
    return this.#final ?? (this.#isLost ? "RUNNING" : this.#current.state);
  }

  get failure(): FailureInfo | undefined {
    return this.#isLost || this.#final !== undefined ? undefined : this.#current.failure;
  }

  /** They do not fall when the task begins anew. */
  get counters(): TaskCounters | undefined {
    const current = this.#current.counters;
    if (this.#counted === undefined || current === undefined) {
      return current ?? this.#counted;
    }
    const { queuedDrivers, runningDrivers } = current;
    const completedDrivers = Math.max(this.#counted.completedDrivers, current.completedDrivers);
    const totalDrivers = queuedDrivers + runningDrivers + completedDrivers;
    return { ...withoutFalls(this.#counted, current), completedDrivers, totalDrivers };
  }

  get hasCounters(): boolean {
    return this.counters !== undefined;
  }

  get document(): TaskDocument | undefined {
    return this.reported?.read();
  }

  get reported(): ReportedDocument | undefined {
    return this.#current.reported ?? this.#former.at(-1)?.reported;
  }

  get warnings(): readonly Warning[] {
    return this.#current.warnings;
  }

  get waitsForMemory(): boolean {
    return !this.#isLost && this.#current.waitsForMemory;
  }

  get awaitsSplits(): boolean {
    return this.#current.awaitsSplits;
  }

  start(): Promise<boolean> {
    return this.#current.start();
  }

  filterOf(id: string): FilterDomain | undefined {
    return this.#isLost ? undefined : this.#current.filterOf(id);
  }

  giveFilters(domains: FilterDomains): void {
    this.#domains = domains;
    this.#current.giveFilters(domains);
    this.#second?.giveFilters(domains);
  }

  /** Tells the current run where its sources were run again. */
  replaceSources(sources: readonly ReplacedSource[]): void {
    this.#current.replaceSources(sources);
  }

  /** No consumer reads these buffers of the current run. */
  leaveBuffers(bufferIds: readonly number[]): void {
    this.#current.leaveBuffers(bufferIds);
  }

  /** Whether readers can have all pages of these buffers from the current run, because no page of them was given out for good. */
  async holdsAllOf(bufferIds: readonly number[]): Promise<boolean> {
    if (this.#isLost || isEndedTask(this.#current.state)) {
      return false;
    }
    if (!this.#current.hasCounters) {
      return true;
    }
    const document = await this.#current.ask(askWaitMs);
    return bufferIds.every((bufferId) => {
      const buffer = document?.outputBuffers.buffers.find((one) => one.bufferId === String(bufferId));
      return buffer !== undefined && !buffer.finished && buffer.pagesSent === 0;
    });
  }

  /** The current run is of no use any more, although its node may live. Resolves when it has ended, as far as that can be told. */
  async giveUp(): Promise<void> {
    this.#isLost = true;
    this.endSecond();
    await this.#current.end("abort");
  }

  /** Begins a second run; the consumers read the current one. */
  async runBeside(next: NewRun): Promise<void> {
    const second = this.#make(next);
    this.#second = second;
    const isStarted = await second.start();
    if (isStarted && this.#domains !== undefined && second === this.#second) {
      second.giveFilters(this.#domains);
    }
  }

  /** The second run is of no use any more. */
  endSecond(): void {
    const second = this.#second;
    this.#second = undefined;
    void second?.end("abort");
  }

  /** The second run takes the place of the current one, which is ended. Its consumers have yet to hear of it. */
  keepSecond(): void {
    const [former, second] = [this.#current, this.#second];
    assert(second !== undefined && !this.#isLost && this.#ending === undefined, "a second run takes the place of a run that is needed");
    this.#counted = this.counters;
    this.#former.push(former);
    this.#second = undefined;
    this.#current = second;
    void former.end("abort");
  }

  /** The former run is lost or given up. Another one takes its place, and is started. */
  async runAgain(next: NewRun): Promise<boolean> {
    this.endSecond();
    const former = this.#current;
    this.#former.push(former);
    this.#counted = this.counters;
    this.#current = this.#make(next);
    this.#isLost = false;
    void former.end("abort");
    if (this.#ending === "abort") {
      void this.#current.end("abort");
      return false;
    }
    // It was canceled because its consumers had read it. One of them is lost, and reads it again.
    this.#ending = undefined;
    this.#final = undefined;
    const current = this.#current;
    const isStarted = await current.start();
    if (this.#domains !== undefined && current === this.#current) {
      current.giveFilters(this.#domains);
    }
    return isStarted;
  }

  finishEarly(): void {
    this.#current.finishEarly();
  }

  async end(kind: "cancel" | "abort"): Promise<void> {
    if (this.#ending === undefined) {
      this.#ending = kind;
      if (this.#isLost) {
        this.#isLost = false;
        this.#final = kind === "cancel" ? "CANCELED" : "ABORTED";
        this.#options.onChange();
      }
    }
    this.endSecond();
    // Former runs are being ended already. A node that is lost need not be waited for.
    await this.#current.end(kind);
  }

  #make(next: NewRun): RemoteTask {
    const run: RemoteTask = next(() => this.#changed(run));
    return run;
  }

  #changed(run: RemoteTask): void {
    if (run === this.#second) {
      if (run.state === "FAILED") {
        this.endSecond();
      } else {
        this.#options.onSecondChange();
      }
      return;
    }
    if (run !== this.#current || this.#isLost) {
      return;
    }
    const { failure, state } = run;
    if (state === "FAILED" && failure !== undefined && this.#ending === undefined && this.#options.onFailed(failure)) {
      this.#isLost = true;
      return;
    }
    this.#options.onChange();
  }
}
