/**
 * A new process in a chosen environment, for one question.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import type { VerifyAnswer, VerifyQuestion } from "./child.ts";
import type { Surroundings } from "./surroundings.ts";

/** Real-time limit, far beyond the duration of a run. */
const guardMs = 15 * 60_000;
const stderrCharsMax = 4_000;
const warmUpSeed = "orrery/warm-up";

/** The program, and the arguments that start it as a child. */
export interface ChildProgram {
  readonly file: string;
  readonly args: readonly string[];
}

/** The process did not answer. */
export class VerifyProcessError extends Error {}

/** Removes variables that change the behaviour of Node, and those that identify people and places. */
function environmentOf({ environment = {}, bare = false }: Surroundings): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (!bare && value !== undefined && !/^(NODE_|LC_|LANG|TZ$)/.test(name)) {
      inherited[name] = value;
    }
  }
  return { ...inherited, TZ: "UTC", LC_ALL: "C", ...environment };
}

/** Keeps a core busy until the parent kills it or exits. */
const busyWork =
  "process.stdin.resume().on('end',()=>process.exit());" +
  "const spin=()=>{const end=Date.now()+20;while(Date.now()<end);setImmediate(spin)};spin()";

function keepBusy(): () => void {
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", busyWork], { stdio: ["pipe", "ignore", "ignore"] }),
  );
  return () => {
    for (const child of children) {
      child.kill("SIGKILL");
    }
  };
}

/** Throws VerifyProcessError with the end of the process's stderr if it does not answer. */
export async function askFresh(program: ChildProgram, question: VerifyQuestion, surroundings: Surroundings): Promise<VerifyAnswer> {
  const asked = surroundings.warm === true ? { ...question, warmUpSeed } : question;
  const rest = surroundings.busy === true ? keepBusy() : undefined;
  const child = spawn(surroundings.node ?? process.execPath, [...(surroundings.flags ?? []), program.file, ...program.args], {
    cwd: surroundings.folder ?? process.cwd(),
    env: environmentOf(surroundings),
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  try {
    return await answerOf(child, asked);
  } finally {
    child.kill("SIGKILL");
    rest?.();
  }
}

function answerOf(child: ChildProcess, question: VerifyQuestion): Promise<VerifyAnswer> {
  return new Promise((resolve, reject) => {
    let said = "";
    const fail = (what: string): void => {
      clearTimeout(guard);
      reject(new VerifyProcessError(said.trim() === "" ? what : `${what}: ${said.trim()}`));
    };
    const guard = setTimeout(() => fail(`no answer after ${guardMs / 60_000} minutes`), guardMs);
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-stderrCharsMax);
    });
    child.on("error", (error) => fail(error.message));
    // On "close" instead of "exit", because stderr is complete only then.
    child.on("close", (code, signal) => fail(`the process ended with ${signal ?? code}`));
    child.on("message", (answer) => {
      clearTimeout(guard);
      resolve(answer as VerifyAnswer);
    });
    child.send(question, (error) => {
      if (error !== null) {
        said += error.message;
      }
    });
  });
}
