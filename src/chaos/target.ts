/** The cluster behind a chaos door: its time, and the nodes that it can end. */

/** Result of moving a simulated cluster's time. */
export interface Advanced {
  /** Simulated seconds that have passed. */
  readonly seconds: number;
  /** Requests that still wait for an answer. */
  readonly open: number;
}

export interface ChaosTarget {
  /** Decides the draws of rules. */
  readonly seed: string;
  /** Workers that can be killed. */
  readonly workers: readonly string[];
  /** Time since the door opened, in milliseconds of the cluster. */
  nowMs(): number;
  /** Waits in the cluster's time. */
  pause(delayMs: number): Promise<void>;
  /** Ends the worker as SIGKILL would. It starts again after a while. */
  killWorker(name: string): void;
  /** Ends the coordinator as SIGKILL would and starts it again. Resolves when it serves. Undefined if this cluster cannot do that. */
  readonly restartCoordinator: (() => Promise<void>) | undefined;
  /** Moves the time of a simulated cluster; undefined on a real one. */
  readonly advance: ((seconds: number, untilAnswered: boolean) => Promise<Advanced>) | undefined;
}
