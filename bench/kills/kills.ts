/**
 * Processes of a cluster die while statements run: a worker or the coordinator gets SIGKILL, a worker is stopped and goes on, or all
 * workers are restarted one after the other. The seed draws who and when. Counts what clients see, and the time that it costs them.
 */
import { median, quantile, say, table } from "../figures.ts";
import { Processes, workerNames } from "./processes.ts";
import { type Outcome, pause, requestMs, run, type Statement, statementsOf } from "./statements.ts";

/**
 * worker and coordinator: SIGKILL and a new process. standby: SIGKILL of the active one of two coordinators. stop: SIGSTOP, and SIGCONT
 * later. restart: SIGTERM of one worker after the other.
 */
export const disturbances = ["worker", "coordinator", "standby", "stop", "restart"] as const;
export type Disturbance = (typeof disturbances)[number];

export interface KillsOptions {
  readonly what: Disturbance;
  readonly tries: number;
  /** TPC-H scale factor of the tables. */
  readonly scale: string;
  readonly seed: number;
  /** retry-policy of the cluster. */
  readonly policy: "NONE" | "QUERY" | "TASK";
  /** Names of the statements; all if empty. */
  readonly statements: readonly string[];
}

export interface Kill {
  readonly statement: string;
  readonly outcome: "exact" | "declared" | "wrong" | "hung";
  /** The statement was running when the process died. */
  readonly landed: boolean;
  /** Time beyond that of the undisturbed statement. */
  readonly addedMs: number;
  /** Part of it until the new process listens, which a busy machine makes long. */
  readonly startMs?: number;
  /** What was done to whom. */
  readonly strike: string;
  readonly detail: string;
}

const undisturbedRuns = 5;
/** Longer than the longest stop and the deadline of a request together. */
const hungMs = 2 * requestMs;
/** A process dies within this share of the undisturbed time. */
const momentShare = 0.9;
const stopSeconds = [5, 20, 60] as const;

/** mulberry32: the same draws for the same seed. */
function drawer(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Strike {
  readonly text: string;
  /**
   * Resolves when the disturbance is over, or when what follows does not depend on its end: with the time that a new process has taken to
   * start, if the statement waits for it.
   */
  readonly begin: (processes: Processes) => Promise<unknown>;
  /** Makes the cluster whole again. */
  readonly heal: (processes: Processes) => Promise<void>;
}

function drawStrike(what: Disturbance, number: number, draw: () => number): Strike {
  const victim = workerNames[Math.floor(draw() * workerNames.length)] as string;
  switch (what) {
    case "worker":
      return {
        text: `SIGKILL of ${victim}`,
        begin: (processes) => processes.killWorker(victim),
        heal: async (processes) => processes.startWorker(victim),
      };
    case "coordinator":
      return {
        text: "SIGKILL of the coordinator",
        begin: async (processes) => {
          await processes.killCoordinator();
          const began = performance.now();
          await processes.startCoordinator();
          return performance.now() - began;
        },
        heal: async () => undefined,
      };
    case "standby":
      return {
        text: "SIGKILL of the active coordinator",
        begin: (processes) => processes.killCoordinator(),
        heal: (processes) => processes.startStandby(),
      };
    case "stop": {
      const seconds = stopSeconds[number % stopSeconds.length] as number;
      let over: Promise<void> = Promise.resolve();
      return {
        text: `SIGSTOP of ${victim} for ${seconds} s`,
        begin: async (processes) => {
          processes.signalWorker(victim, "SIGSTOP");
          over = pause(seconds * 1_000).then(() => processes.signalWorker(victim, "SIGCONT"));
        },
        heal: () => over,
      };
    }
    case "restart":
      return {
        text: "restart of each worker",
        begin: async (processes) => {
          for (const name of workerNames) {
            await processes.shutDownWorker(name);
            processes.startWorker(name);
            await processes.complete();
          }
        },
        heal: async () => undefined,
      };
  }
}

interface Expected {
  readonly digest: string;
  readonly ms: number;
}

/** Calls back with each try. */
export async function disturb(options: KillsOptions, onKill: (kill: Kill) => void = () => undefined): Promise<readonly Kill[]> {
  const { policy, scale, seed, statements, tries, what } = options;
  const wanted = statementsOf(scale).filter(({ name }) => statements.length === 0 || statements.includes(name));
  if (wanted.length === 0) {
    throw new Error(`No statement ${statements.join(", ")}`);
  }
  const processes = await Processes.start({ policy, journal: what === "coordinator" || what === "standby", standby: what === "standby" });
  try {
    const expected = new Map<string, Expected>();
    for (const statement of wanted) {
      expected.set(statement.name, await undisturbed(processes, statement));
    }
    const draw = drawer(seed);
    const kills: Kill[] = [];
    for (let number = 0; number < tries; number++) {
      const statement = wanted[number % wanted.length] as Statement;
      const strike = drawStrike(what, Math.floor(number / wanted.length), draw);
      const isOneStatement = what !== "restart";
      const given = { statement, strike, run: String(number), share: draw(), expected: expected.get(statement.name) as Expected };
      for (const kill of isOneStatement ? [await struck(processes, given)] : await underLoad(processes, given)) {
        kills.push(kill);
        onKill(kill);
      }
    }
    return kills;
  } finally {
    await processes.stop();
  }
}

async function undisturbed(processes: Processes, statement: Statement): Promise<Expected> {
  const times: number[] = [];
  let digest = "";
  for (let number = 0; number < undisturbedRuns; number++) {
    const name = `undisturbed_${number}`;
    await prepare(processes, statement, name);
    const outcome = await run(processes.uri, statement.sql(name));
    await run(processes.uri, statement.after?.(name) ?? []);
    if (outcome.error !== undefined || (digest !== "" && digest !== outcome.digest)) {
      throw new Error(`${statement.name}, undisturbed: ${outcome.error ?? "other rows than before"}`);
    }
    digest = outcome.digest;
    times.push(outcome.ms);
  }
  return { digest, ms: median(times) };
}

async function prepare(processes: Processes, { before, name }: Statement, number: string): Promise<void> {
  const { error } = await run(processes.uri, before?.(number) ?? []);
  if (error !== undefined) {
    throw new Error(`${name}, before it is disturbed: ${error}`);
  }
}

interface Try {
  readonly statement: Statement;
  readonly strike: Strike;
  /** Distinguishes the tables of this try. */
  readonly run: string;
  /** Moment within the undisturbed time, from 0 to 1. */
  readonly share: number;
  readonly expected: Expected;
}

/** One statement, which is disturbed at a drawn moment. */
async function struck(processes: Processes, given: Try): Promise<Kill> {
  const { statement, strike, share, expected } = given;
  await prepare(processes, statement, given.run);
  let isOver = false;
  const running = judged(processes, given).finally(() => {
    isOver = true;
  });
  await pause(share * momentShare * expected.ms);
  const landed = !isOver;
  const startMs = await strike.begin(processes);
  const kill = await running;
  await strike.heal(processes);
  await processes.complete();
  await run(processes.uri, statement.after?.(given.run) ?? []);
  return { ...kill, landed, ...(typeof startMs === "number" && { startMs }) };
}

/** The statement again and again until the disturbance is over. Its tables are made anew each time. */
async function underLoad(processes: Processes, given: Try): Promise<readonly Kill[]> {
  const { statement, strike } = given;
  let isOver = false;
  const over = strike.begin(processes).finally(() => {
    isOver = true;
  });
  const kills: Kill[] = [];
  for (let number = 0; !isOver; number++) {
    const name = `${given.run}_${number}`;
    await run(processes.uri, statement.before?.(name) ?? []);
    kills.push(await judged(processes, { ...given, run: name }));
    await run(processes.uri, statement.after?.(name) ?? []);
  }
  await over;
  return kills;
}

async function judged(processes: Processes, { statement, strike, expected, run: name }: Try): Promise<Kill> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hung = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), hungMs);
  });
  const running = run(processes.uri, statement.sql(name)).catch(
    (error: unknown): Outcome => ({ digest: "", error: `no answer: ${String(error)}`, ms: 0 }),
  );
  const outcome = await Promise.race([running, hung]);
  clearTimeout(timer);
  const shared = { statement: statement.name, strike: strike.text, landed: true, addedMs: (outcome?.ms ?? hungMs) - expected.ms };
  if (outcome === undefined) {
    return { ...shared, outcome: "hung", detail: `no end after ${hungMs} ms` };
  }
  if (outcome.error !== undefined) {
    return { ...shared, outcome: outcome.error.startsWith("no answer") ? "wrong" : "declared", detail: outcome.error };
  }
  const isExact = outcome.digest === expected.digest;
  return { ...shared, outcome: isExact ? "exact" : "wrong", detail: isExact ? "" : "other rows" };
}

/** Says each try, and the table at the end, also after Ctrl-C. */
export async function measureKills(options: KillsOptions): Promise<void> {
  const { policy, scale, seed, tries, what } = options;
  say(`A coordinator and ${workerNames.length} workers, ${what}: scale ${scale}, retry-policy ${policy}, seed ${seed}, ${tries} tries`);
  const kills: Kill[] = [];
  const report = (): void => say(reportOf(kills));
  process.once("exit", report);
  await disturb(options, (kill) => {
    kills.push(kill);
    const { addedMs, detail, landed, outcome, startMs, statement, strike } = kill;
    const start = startMs === undefined ? "" : `, ${startMs.toFixed(0)} ms of it until the new process listens`;
    const time = `${addedMs < 0 ? "" : "+"}${addedMs.toFixed(0)} ms${start}`;
    say(`${kills.length} ${statement}, ${strike}${landed ? "" : " after its end"}: ${outcome}, ${detail === "" ? time : detail}`);
  });
  process.off("exit", report);
  report();
}

function reportOf(kills: readonly Kill[]): string {
  const names = [...new Set(kills.map(({ statement }) => statement))];
  const lines = names.map((name) =>
    lineOf(
      name,
      kills.filter(({ statement }) => statement === name),
    ),
  );
  const errors = new Map<string, number>();
  for (const { detail, outcome } of kills) {
    if (outcome === "declared") {
      const name = detail.slice(0, detail.indexOf(":"));
      errors.set(name, (errors.get(name) ?? 0) + 1);
    }
  }
  return [
    table([["statement", "tried", "landed", "exact", "declared", "wrong", "hung", "added ms p50", "p99"], ...lines, lineOf("all", kills)]),
    ...startLines(kills),
    ...[...errors].map(([name, count]) => `declared ${name}: ${count}`),
  ].join("\n");
}

/** What a restart costs beside the start of a process. */
function startLines(kills: readonly Kill[]): readonly string[] {
  const landed = kills.filter((kill) => kill.landed && kill.outcome === "exact" && kill.startMs !== undefined);
  if (landed.length === 0) {
    return [];
  }
  const starts = landed.map(({ startMs = 0 }) => startMs);
  const rests = landed.map(({ addedMs, startMs = 0 }) => addedMs - startMs);
  const text = (values: readonly number[]): string =>
    `p50 ${quantile(values, 0.5).toFixed(0)}, p99 ${quantile(values, 0.99).toFixed(0)} ms`;
  return [`until the new process listens: ${text(starts)}; from then on: ${text(rests)}`];
}

function lineOf(name: string, kills: readonly Kill[]): readonly string[] {
  const count = (wanted: Kill["outcome"]): string => String(kills.filter(({ outcome }) => outcome === wanted).length);
  const added = kills.filter(({ landed, outcome }) => landed && outcome === "exact").map(({ addedMs }) => addedMs);
  const ms = (q: number): string => (added.length === 0 ? "-" : quantile(added, q).toFixed(0));
  const landed = kills.filter((kill) => kill.landed).length;
  const outcomes = (["exact", "declared", "wrong", "hung"] as const).map(count);
  return [name, String(kills.length), String(landed), ...outcomes, ms(0.5), ms(0.99)];
}
