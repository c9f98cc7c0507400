/**
 * `npm run sim -- profile`: the cost of a seed, by room and by function.
 */
import { type Command, InvalidArgumentError } from "commander";
import { exitCodes } from "../../checkers/violation.ts";
import { Pool } from "../../pool.ts";
import { type ProfileAnswer, type ProfileQuestion, profileWorkerFlag } from "../../profile/child.ts";
import { StatusLine } from "../../status-line.ts";

interface Options {
  readonly seeds: { readonly from: number; readonly to: number };
  readonly warmUp: number;
  readonly top: number;
}

const guardMs = 600_000;
const shareMin = 0.005;

function parseSeeds(text: string): Options["seeds"] {
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(text) ?? [];
  if (from === undefined || to === undefined || Number(from) > Number(to)) {
    throw new InvalidArgumentError("expected A..B with A <= B, as in 1..100");
  }
  return { from: Number(from), to: Number(to) };
}

function parseCount(text: string): number {
  if (!/^\d{1,5}$/.test(text)) {
    throw new InvalidArgumentError("expected a whole number from 0 on");
  }
  return Number(text);
}

export function addProfileCommand(program: Command): void {
  program
    .command("profile")
    .description("profile seeds in one process, and report the CPU time of a seed by room and by function")
    .option("--seeds <A..B>", "seeds to profile", parseSeeds, { from: 101, to: 200 })
    .option("--warm-up <N>", "number of seeds that run before, without being profiled", parseCount, 100)
    .option("--top <N>", "number of functions to print", parseCount, 20)
    .action(async (options: Options) => {
      process.exitCode = await profile(options);
    });
}

async function profile({ seeds, warmUp, top }: Options): Promise<number> {
  const pool = new Pool<ProfileQuestion, ProfileAnswer>({ program: process.argv[1] ?? "", flags: [profileWorkerFlag], size: 1, guardMs });
  const status = new StatusLine();
  const interrupt = (): void => pool.close();
  process.once("SIGINT", interrupt);
  const ask = async (question: ProfileQuestion): Promise<ProfileAnswer> => {
    const answered = await pool.ask(question);
    if (answered.kind === "lost") {
      throw new Error(`The profile is lost: ${answered.reason}`);
    }
    return answered.answer;
  };
  try {
    const count = seeds.to - seeds.from + 1;
    for (let seed = 0; seed < warmUp; seed++) {
      status.show(() => `${seed}/${warmUp} seeds to warm up`);
      await ask({ kind: "run", seed: seeds.to + 1 + seed });
    }
    await ask({ kind: "start" });
    let cpuMs = 0;
    const failed: number[] = [];
    for (let seed = seeds.from; seed <= seeds.to; seed++) {
      status.show(() => `${seed - seeds.from}/${count} seeds`);
      const answer = await ask({ kind: "run", seed });
      cpuMs += answer.cpuMs;
      if (answer.violation !== undefined) {
        failed.push(seed);
      }
    }
    const answer = await ask({ kind: "stop" });
    status.clear();
    process.stdout.write(`${describe(answer, { count, cpuMs, warmUp, top }).join("\n")}\n`);
    if (failed.length > 0) {
      process.stderr.write(`Seeds that failed: ${failed.join(", ")}\n`);
    }
    return failed.length === 0 ? exitCodes.pass : exitCodes.safety;
  } finally {
    process.off("SIGINT", interrupt);
    pool.close();
  }
}

function describe(
  { rooms = new Map(), functions = new Map(), total = 0 }: ProfileAnswer,
  { count, cpuMs, warmUp, top }: { readonly count: number; readonly cpuMs: number; readonly warmUp: number; readonly top: number },
): readonly string[] {
  const sorted = (times: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
    [...times].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const row = ([name, micros]: readonly [string, number]): string => {
    const share = micros / Math.max(1, total);
    return `${((share * cpuMs) / count).toFixed(2).padStart(8)} ms ${(share * 100).toFixed(1).padStart(5)} %  ${name}`;
  };
  return [
    `A seed costs ${(cpuMs / count).toFixed(1)} ms of one core: ${count} seeds, after ${warmUp} to warm up, with the profiler on`,
    "by room:",
    ...sorted(rooms)
      .filter(([, micros]) => micros >= shareMin * total)
      .map(row),
    "by function:",
    ...sorted(functions).slice(0, top).map(row),
  ];
}
