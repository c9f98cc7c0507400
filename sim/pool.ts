/**
 * Child processes that answer questions, one at a time each: how a sweep and a shrinker use all cores. What a child dies of, or never answers, is told with
 * the question; another child takes its place. Knows nothing of what is asked.
 */
import { type ChildProcess, fork } from "node:child_process";

export type Answered<A> =
  | { readonly kind: "answer"; readonly answer: A }
  /** The child died of the question, or gave no answer in time and was killed. */
  | { readonly kind: "lost"; readonly reason: string };

export interface PoolOptions {
  /** The program and its arguments that make it a child: it answers every message with one, and ends when it is disconnected. */
  readonly program: string;
  readonly flags: readonly string[];
  readonly size: number;
  /** Real time after which a child hangs: far beyond what an answer takes, for the machine may be busy. */
  readonly guardMs: number;
  /** Calls `expire` after `guardMs`; returns how to call that off. A timer when absent. */
  readonly guard?: (expire: () => void) => () => void;
  /** A child is replaced after so many answers: whatever it has gathered goes with it. */
  readonly answersMax?: number;
}

interface Member {
  readonly child: ChildProcess;
  answers: number;
}

const stderrCharsMax = 2_000;
/**
 * Each child keeps its core busy by itself: threads that help it to compile and to collect garbage only take the others' cores away, and a young generation that holds a
 * whole run is seldom copied. Collections of the whole heap take optimised code with them, of every function that is made anew with what it closes over: they wait until
 * the heap has grown to several times what lives. Node 20 has no compiler between its simplest and its slowest one, and a run goes through so much code, most of it
 * seldom, that asking the slow one as early as it does by itself costs more than it saves. None of this changes what a child computes.
 */
const runtimeFlags = [
  "--single-threaded",
  "--min-semi-space-size=16",
  "--max-semi-space-size=64",
  "--initial-old-space-size=256",
  "--heap-growing-percent=700",
  ...(process.versions.node.startsWith("20.") ? ["--interrupt-budget=270000"] : []),
];

export class Pool<Q extends object, A> {
  readonly #options: PoolOptions;
  readonly #idle: Member[] = [];
  readonly #waiting: ((member: Member | undefined) => void)[] = [];
  readonly #members = new Set<Member>();
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#options.size;
  }

  /** A question may depend on which child it goes to, told by an object that is the child's alone. */
  async ask(question: Q | ((child: object) => Q)): Promise<Answered<A>> {
    const member = await this.#take();
    if (member === undefined) {
      return { kind: "lost", reason: "it was called off" };
    }
    const answered = await this.#exchange(member, typeof question === "function" ? question(member) : question);
    if (answered.kind === "lost" || ++member.answers >= (this.#options.answersMax ?? Number.POSITIVE_INFINITY)) {
      this.#dismiss(member);
    } else if (member.child.exitCode === null && member.child.signalCode === null) {
      this.#idle.push(member);
    }
    this.#hand();
    return answered;
  }

  /** Ends every child; questions that are open are lost. */
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
      // Whole numbers beyond 2^53 come through.
      serialization: "advanced",
    });
    const member: Member = { child, answers: 0 };
    this.#members.add(member);
    // Whoever dies between two questions is not asked the next one.
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
      const callOff = guard(() => done({ kind: "lost", reason: `there was no end of it after ${Math.round(guardMs / 1000)} s` }));
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

/** The whole life of a child: answers one question after the other until it is let go. A question that throws ends it with the reason on stderr. */
export function serveQuestions<Q, A extends object>(answer: (question: Q) => Promise<A>): Promise<void> {
  // The terminal's Ctrl-C is for the parent, which says what was found so far.
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
