/**
 * A child process that runs seeds with one planted program, one after the other. A child that dies or hangs is replaced for the next seed.
 */
import { type ChildProcess, fork } from "node:child_process";
import { runtimeFlags } from "../pool.ts";
import type { Question, SeedRun } from "./subject.ts";

export type Asked =
  | { readonly kind: "run"; readonly run: SeedRun }
  | { readonly kind: "died"; readonly reason: string; readonly hangs: boolean };

const stderrBytesMax = 4096;

export class SubjectProcess {
  readonly #file: string;
  #running: { readonly child: ChildProcess } | undefined;
  #stderr = "";

  constructor(file: string) {
    this.#file = file;
  }

  /** `guardMs` is real time; choose it far beyond the duration of a run. */
  ask(question: Question, guardMs: number): Promise<Asked> {
    this.#running ??= { child: this.#start() };
    const { child } = this.#running;
    return new Promise((resolve) => {
      const done = (asked: Asked): void => {
        clearTimeout(guard);
        child.off("message", onMessage);
        child.off("exit", onExit);
        child.off("error", onError);
        if (asked.kind === "died") {
          this.close();
        }
        resolve(asked);
      };
      const onMessage = (run: unknown): void => done({ kind: "run", run: run as SeedRun });
      const onExit = (code: number | null, signal: string | null): void =>
        done({
          kind: "died",
          hangs: false,
          reason: `the process ended with ${code ?? signal ?? "nothing"}: ${this.#stderr.trim().split("\n")[0] ?? ""}`,
        });
      const onError = (error: Error): void => done({ kind: "died", hangs: false, reason: error.message });
      const guard = setTimeout(
        () => done({ kind: "died", hangs: true, reason: `the run did not end within ${Math.round(guardMs / 1000)} s` }),
        guardMs,
      );
      child.on("message", onMessage);
      child.on("exit", onExit);
      child.on("error", onError);
      child.send(question, (error) => {
        if (error !== null) {
          onError(error);
        }
      });
    });
  }

  close(): void {
    this.#running?.child.kill("SIGKILL");
    this.#running = undefined;
  }

  #start(): ChildProcess {
    const child = fork(this.#file, [], { stdio: ["ignore", "ignore", "pipe", "ipc"], execArgv: [...runtimeFlags] });
    this.#stderr = "";
    // A child in an endless loop does not notice that its parent is gone.
    const onParentExit = (): void => void child.kill("SIGKILL");
    process.once("exit", onParentExit);
    child.once("exit", () => process.off("exit", onParentExit));
    child.stderr?.on("data", (bytes: Buffer) => {
      this.#stderr = (this.#stderr + bytes.toString("utf8")).slice(0, stderrBytesMax);
    });
    return child;
  }
}
