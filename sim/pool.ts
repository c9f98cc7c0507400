/**
 * A pool of child processes that each answer one question at a time; sweeps and the shrinker use it to occupy all cores. If a child dies or
 * does not answer, the question is reported as lost and another child takes its place. The pool knows nothing of the questions.
 */
import { type ChildProcess, fork } from "node:child_process";

export type Answered<A> =
  | { readonly kind: "answer"; readonly answer: A }
  /** The child died while answering, or was killed because it did not answer in time. */
  | { readonly kind: "lost"; readonly reason: string };

export interface PoolOptions<A = never> {
  /** Program and arguments that start a child. A child answers every message with one message, and exits when it is disconnected. */
  readonly program: string;
  readonly flags: readonly string[];
  readonly size: number;
  /**
   * Real time after which a child counts as hung, in milliseconds. Choose it far beyond the usual duration, because the machine may be
   * busy.
   */
  readonly guardMs: number;
  /** Calls `expire` after `guardMs`; returns a function that cancels it. A timer if absent. */
  readonly guard?: (expire: () => void) => () => void;
  /** Number of answers after which a child is replaced, to release what it has accumulated. */
  readonly answersMax?: number;
  /** Whether a child with this answer is to be replaced. */
  readonly isWorn?: (answer: A) => boolean;
}

interface Member {
  readonly child: ChildProcess;
  answers: number;
}

const stderrCharsMax = 2_000;
/**
 * V8 flags of a child; none of them changes what it computes.
 * - One thread: each child keeps a core busy, and helper threads for compilation and garbage collection would take the other cores.
 * - A young generation that holds a whole run is rarely copied.
 * - A full garbage collection discards optimised code of functions that are created anew with their closures. It therefore waits until the
 *   heap has grown to several times its live size.
 * - A run executes much code that is called a few times only. Baseline code for it at once costs less than interpreting it.
 * - V8 counts the memories of nodes, 64 MiB each, as garbage that a collection might free. The initial size leaves room for all of them.
 * - Optimised code embeds hidden classes. A full collection between two runs finds no object of most of them. If it discarded them, the
 *   next run would create them anew, and the code would be compiled again. They are kept, as is bytecode that was not used for a while.
 * - No collection because the process seems idle: on a busy machine a child that waits for a core seems so.
 * - Node 20 has no mid-tier compiler. A run executes much code, most of it rarely, so triggering the optimising compiler as early as by
 *   default costs more than it saves.
 */
export const runtimeFlags: readonly string[] = [
  "--single-threaded",
  "--min-semi-space-size=16",
  "--max-semi-space-size=64",
  "--initial-old-space-size=1200",
  "--heap-growing-percent=700",
  "--retain-maps-for-n-gc=1000000",
  "--no-flush-bytecode",
  "--no-memory-reducer",
  "--always-sparkplug",
  ...(process.versions.node.startsWith("20.") ? ["--interrupt-budget=270000"] : []),
];

export class Pool<Q extends object, A> {
  readonly #options: PoolOptions<A>;
  readonly #idle: Member[] = [];
  readonly #waiting: ((member: Member | undefined) => void)[] = [];
  readonly #members = new Set<Member>();
  #closed = false;

  constructor(options: PoolOptions<A>) {
    this.#options = options;
  }

  get size(): number {
    return this.#options.size;
  }

  /** Sends a question. It may depend on the child that receives it, which is identified by an object of its own. */
  async ask(question: Q | ((child: object) => Q)): Promise<Answered<A>> {
    const member = await this.#take();
    if (member === undefined) {
      return { kind: "lost", reason: "it was cancelled" };
    }
    const answered = await this.#exchange(member, typeof question === "function" ? question(member) : question);
    const { answersMax = Number.POSITIVE_INFINITY, isWorn } = this.#options;
    if (answered.kind === "lost" || ++member.answers >= answersMax || isWorn?.(answered.answer) === true) {
      this.#dismiss(member);
    } else if (member.child.exitCode === null && member.child.signalCode === null) {
      this.#idle.push(member);
    }
    this.#hand();
    return answered;
  }

  /** Kills every child; open questions are lost. */
  close(): void {
    this.#closed = true;
    for (const member of this.#members) {
      member.child.kill("SIGKILL");
    }
    this.#members.clear();
    this.#hand();
  }

  #take(): Promise<Member | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#hand();
    });
  }

  #hand(): void {
    while (this.#waiting.length > 0) {
      if (this.#closed) {
        this.#waiting.shift()?.(undefined);
        continue;
      }
      const member = this.#idle.pop() ?? (this.#members.size < this.#options.size ? this.#start() : undefined);
      if (member === undefined) {
        return;
      }
      this.#waiting.shift()?.(member);
    }
  }

  #start(): Member {
    const child = fork(this.#options.program, [...this.#options.flags], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      execArgv: [...process.execArgv, ...runtimeFlags],
      // Preserves integers beyond 2^53.
      serialization: "advanced",
    });
    const member: Member = { child, answers: 0 };
    this.#members.add(member);
    // A child that dies while idle receives no further question.
    child.on("exit", () => {
      this.#members.delete(member);
      const place = this.#idle.indexOf(member);
      if (place >= 0) {
        this.#idle.splice(place, 1);
      }
    });
    return member;
  }

  #dismiss(member: Member): void {
    this.#members.delete(member);
    member.child.kill("SIGKILL");
  }

  #exchange({ child }: Member, question: Q): Promise<Answered<A>> {
    return new Promise((resolve) => {
      let said = "";
      const onError = (bytes: Buffer): void => {
        said = (said + bytes.toString("utf8")).slice(-stderrCharsMax);
      };
      const done = (answered: Answered<A>): void => {
        callOff();
        child.off("exit", onExit);
        child.off("error", onFailure);
        child.off("message", onMessage);
        child.stderr?.off("data", onError);
        resolve(answered);
      };
      const onExit = (code: number | null, signal: string | null): void => {
        const words =
          said
            .trim()
            .split("\n")
            .find((line) => line !== "") ?? "";
        done({ kind: "lost", reason: `the process that ran it ended with ${signal ?? code}${words === "" ? "" : `: ${words}`}` });
      };
      const onFailure = (error: Error): void => done({ kind: "lost", reason: error.message });
      const onMessage = (answer: unknown): void => done({ kind: "answer", answer: answer as A });
      const { guardMs, guard = timerOf(guardMs) } = this.#options;
      const callOff = guard(() => done({ kind: "lost", reason: `it did not end within ${Math.round(guardMs / 1000)} s` }));
      child.on("exit", onExit);
      child.on("error", onFailure);
      child.on("message", onMessage);
      child.stderr?.on("data", onError);
      child.send(question, (error) => {
        if (error !== null) {
          onFailure(error);
        }
      });
    });
  }
}

function timerOf(ms: number): (expire: () => void) => () => void {
  return (expire) => {
    const timer = setTimeout(expire, ms);
    return () => clearTimeout(timer);
  };
}

/** Main loop of a child: answers questions until it is disconnected. A question that throws ends it with the reason on stderr. */
export function serveQuestions<Q, A extends object>(answer: (question: Q) => Promise<A>): Promise<void> {
  // Ctrl-C on the terminal is handled by the parent, which reports its findings so far.
  process.on("SIGINT", () => undefined);
  return new Promise((resolve) => {
    process.on("message", (question) => {
      answer(question as Q).then(
        (found) => process.send?.(found),
        (error: unknown) => {
          process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
          process.exit(1);
        },
      );
    });
    process.on("disconnect", resolve);
  });
}
