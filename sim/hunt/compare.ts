/**
 * `hunt --compare`: plants bugs one at a time and measures how soon each strategy finds each. A bug counts as found when a run fails; the
 * engine as it is passes. The strategies take turns, so that all of them meet the same machine.
 */
import { writeFileSync } from "node:fs";
import { exitCodes } from "../checkers/violation.ts";
import { BranchWorkshop } from "../coverage/branches/program.ts";
import type { BranchAnswer, BranchQuestion } from "../coverage/branches/subject.ts";
import { loadBank, mutatedSources, projectRoot } from "../mutants/bank.ts";
import type { RoomName } from "../mutants/generated/rooms.ts";
import { Pool } from "../pool.ts";
import { StatusLine } from "../status-line.ts";
import { StreamTree } from "../world/streams.ts";
import { countedIn, Hunt, type Strategy, strategies } from "./hunt.ts";

export interface CompareOptions {
  /** Time for each strategy and bug. */
  readonly minutes: number;
  readonly mutants: number;
  /** Draws generated mutants; the bank's if absent. */
  readonly mutationSeed?: number;
  readonly huntSeed: string;
  readonly jobs: number;
  readonly json?: string;
}

interface Side {
  readonly strategy: Strategy;
  readonly found: boolean;
  readonly runs: number;
  readonly seconds: number;
  readonly oracle: string;
}

interface Compared {
  readonly mutant: string;
  readonly sides: readonly Side[];
}

interface Bug {
  readonly name: string;
  readonly sources: ReadonlyMap<string, string>;
}

/** Rooms whose bugs depend on the order of messages. */
const messageRooms: readonly RoomName[] = ["coordinator", "worker", "exchange", "buffers", "monitor"];

async function bugsOf(root: string, { mutants: count, mutationSeed, huntSeed }: CompareOptions): Promise<readonly Bug[]> {
  if (mutationSeed !== undefined) {
    // The installed package has no compiler.
    const { drawSample } = await import("../mutants/generated/generate.ts");
    const { mutants } = drawSample({ root, mutationSeed, count, rooms: messageRooms });
    return mutants.map(({ name, site, line, source }) => ({
      name: `${name} ${site.path}:${line} ${site.operator}`,
      sources: new Map([[site.path, source]]),
    }));
  }
  const bank = StreamTree.root(`compare/${huntSeed}`).stream("mutants").shuffle(loadBank(root)).slice(0, count);
  return bank.map((mutant) => ({ name: mutant.name, sources: mutatedSources(mutant, root) }));
}

/** Real-time limit for one run, in milliseconds; a planted bug may make a run endless. */
const runGuardMs = 60_000;

/** Returns the exit code. */
export async function compareStrategies(options: CompareOptions): Promise<number> {
  const { minutes, huntSeed, jobs, json } = options;
  const root = projectRoot();
  const chosen = await bugsOf(root, options);
  const workshop = new BranchWorkshop();
  const status = new StatusLine();
  let stopped = false;
  const interrupt = (): void => {
    stopped = true;
  };
  process.once("SIGINT", interrupt);
  const compared: Compared[] = [];
  try {
    const healthy = poolOf((await workshop.build({ root, name: "healthy", isCounted: false })).file, 1);
    for (const { name, sources } of chosen) {
      if (stopped) {
        break;
      }
      const counted = await workshop.build({ root, sources, name: "counted" });
      const plain = await workshop.build({ root, sources, name: "plain", isCounted: false });
      const sides: Side[] = [];
      for (const strategy of strategies) {
        status.show(() => `${compared.length}/${chosen.length} bugs; ${name} by ${strategy}`);
        const pool = poolOf((strategy === "hunt" ? counted : plain).file, jobs);
        sides.push(
          await look({
            strategy,
            huntSeed,
            seconds: minutes * 60,
            pool,
            healthy,
            isStopped: () => stopped,
            isCounted: countedIn(counted.branches),
          }),
        );
        pool.close();
      }
      compared.push({ mutant: name, sides });
      status.clear();
      process.stdout.write(`${describeBug({ mutant: name, sides })}\n`);
    }
    healthy.close();
  } finally {
    process.off("SIGINT", interrupt);
    status.clear();
    workshop.close();
  }
  process.stdout.write(`${describeComparison(compared, minutes).join("\n")}\n`);
  if (json !== undefined) {
    writeFileSync(json, `${JSON.stringify({ minutes, jobs, huntSeed, compared }, null, 1)}\n`);
  }
  return stopped ? 130 : exitCodes.pass;
}

type Subjects = Pool<BranchQuestion, BranchAnswer>;

function poolOf(program: string, size: number): Subjects {
  return new Pool({ program, flags: [], size, guardMs: runGuardMs });
}

async function look(options: {
  readonly strategy: Strategy;
  readonly huntSeed: string;
  readonly seconds: number;
  readonly pool: Subjects;
  readonly healthy: Subjects;
  readonly isStopped: () => boolean;
  readonly isCounted: (branch: number) => boolean;
}): Promise<Side> {
  const { strategy, huntSeed, seconds, pool, healthy, isStopped } = options;
  const status = new StatusLine();
  let found: { readonly run: number; readonly oracle: string; readonly seconds: number } | undefined;
  const hunt = new Hunt({
    seed: huntSeed,
    strategy,
    width: pool.size,
    forgetsReferences: true,
    isCounted: options.isCounted,
    ask: async (question) => {
      const answered = await pool.ask(question);
      const violation = answered.kind === "answer" ? answered.answer.violation : undefined;
      if (answered.kind === "answer" && (violation === undefined || violation.kind === "vacuous")) {
        return answered;
      }
      // A plan that fails without the bug as well says nothing about it.
      const twin = await healthy.ask(question);
      return twin.kind === "answer" && twin.answer.violation === undefined ? answered : twin;
    },
    isOver: () => found !== undefined || isStopped() || status.seconds >= seconds,
    onFailure: ({ violation, run }) => {
      found ??= { run, oracle: violation.oracle, seconds: status.seconds };
    },
  });
  await hunt.run();
  return found === undefined
    ? { strategy, found: false, runs: hunt.runs, seconds: status.seconds, oracle: "" }
    : { strategy, found: true, runs: found.run, seconds: found.seconds, oracle: found.oracle };
}

function describeBug({ mutant, sides }: Compared): string {
  const words = sides.map(
    ({ strategy, found, runs, seconds, oracle }) =>
      `${strategy} ${found ? `found [${oracle}] in` : "not found in"} ${runs} runs, ${seconds.toFixed(1)} s`,
  );
  return `${mutant}: ${words.join("; ")}`;
}

/** For each strategy: bugs found, and bugs found a minute of all its time. */
function describeComparison(compared: readonly Compared[], minutes: number): readonly string[] {
  return strategies.flatMap((strategy) => {
    const own = compared.flatMap(({ sides }) => sides.filter((side) => side.strategy === strategy));
    const found = own.filter((side) => side.found).length;
    const seconds = own.reduce((sum, side) => sum + side.seconds, 0);
    const runs = own.reduce((sum, side) => sum + side.runs, 0);
    return own.length === 0
      ? []
      : [
          `${strategy.padEnd(6)} found ${found} of ${own.length} within ${minutes} min each; ${((found * 60) / Math.max(1, seconds)).toFixed(2)} a minute; ${runs} runs in ${Math.round(seconds)} s`,
        ];
  });
}
