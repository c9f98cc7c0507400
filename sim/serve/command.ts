/**
 * `serve`: a simulated cluster behind a real HTTP door, for clients of any language and their tests.
 */
import { type Command, InvalidArgumentError } from "commander";
import { faultTexts } from "../../src/chaos/vocabulary.ts";
import { chaosHeader } from "../../src/chaos/header.ts";
import { exitCodes } from "../checkers/violation.ts";
import { describeFault } from "../faults/faults.ts";
import type { RunPlan } from "../plan.ts";
import { type ScenarioRegistry, unknownScenario } from "../scenario.ts";
import { calmed, calmPlan, serve, type Served } from "./serve.ts";
import { planOf } from "../subject.ts";
import { nanosPerSecond } from "../world/world.ts";

interface Options {
  readonly host: string;
  readonly port: number;
  readonly seed?: string;
  readonly scenario?: string;
  readonly workers?: number;
  readonly speed: number;
  readonly calm?: boolean;
  readonly quiet?: boolean;
}

function numberBetween(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= low && value <= high)) {
      throw new InvalidArgumentError(`expected a number from ${low} to ${high}`);
    }
    return value;
  };
}

function wholeNumberBetween(low: number, high: number): (text: string) => number {
  const parse = numberBetween(low, high);
  return (text) => {
    const value = parse(text);
    if (!Number.isInteger(value)) {
      throw new InvalidArgumentError(`expected a whole number from ${low} to ${high}`);
    }
    return value;
  };
}

const faultHelp = Object.entries(faultTexts)
  .map(([name, { effect }]) => `  ${name.padEnd(22)} ${effect}`)
  .join("\n");

export function addServeCommand(program: Command, scenarios: ScenarioRegistry): void {
  program
    .command("serve")
    .description("serve a simulated cluster over HTTP, with faults on demand")
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option("--port <port>", "port to listen on; 0 selects a free port and prints it", wholeNumberBetween(0, 65_535), 8080)
    .option("--seed <seed>", "draw cluster, links and faults from this seed; without it the cluster is calm")
    .option("--scenario <name>", "take cluster and faults from a scenario (--seed varies its timing)")
    .option("--workers <N>", "number of workers of a calm cluster (3)", wholeNumberBetween(1, 16))
    .option("--speed <factor>", "simulated seconds a second; 0: time passes only by POST /v1/chaos/advance", numberBetween(0, 1000), 1)
    .option("--calm", "without the faults of the seed or scenario: its draws decide rules only")
    .option("--quiet", "do not print the faults as they start")
    .addHelpText("after", `\nFaults on demand, by POST /v1/chaos or the request header ${chaosHeader}:\n${faultHelp}`)
    .action(async (options: Options) => {
      process.exitCode = await act(options, scenarios);
    });
}

function planFor({ calm, scenario, seed, workers = 3 }: Options, scenarios: ScenarioRegistry): RunPlan {
  if (scenario === undefined && seed === undefined) {
    return calmPlan("1", workers);
  }
  const subject =
    scenario === undefined
      ? { kind: "seed" as const, seed: seed ?? "1" }
      : { kind: "scenario" as const, name: scenario, seed: seed ?? "1" };
  const plan = planOf(subject, scenarios);
  return calm === true ? calmed(plan) : plan;
}

async function act(options: Options, scenarios: ScenarioRegistry): Promise<number> {
  if (options.scenario !== undefined && scenarios.find(options.scenario) === undefined) {
    process.stderr.write(`${unknownScenario(options.scenario, scenarios)}\n`);
    return exitCodes.usage;
  }
  const plan = planFor(options, scenarios);
  const ended = new Ended();
  let served: Served;
  try {
    served = await serve({
      plan,
      host: options.host,
      port: options.port,
      speed: options.speed,
      onFault: ({ atNanos, text }) => {
        if (options.quiet !== true) {
          process.stderr.write(`${(atNanos / nanosPerSecond).toFixed(3)} s: ${text}\n`);
        }
      },
      onFailure: (error) => ended.fail(error instanceof Error ? error : new Error(String(error))),
    });
  } catch (error) {
    process.stderr.write(`Cannot listen on ${options.host}:${options.port}: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodes.usage;
  }
  process.stderr.write(`${plan.workers.length} simulated workers, seed ${plan.seed}\n`);
  if (plan.faults.length > 0) {
    process.stderr.write(`Faults, again and again:\n${plan.faults.map((fault) => `  ${describeFault(fault)}\n`).join("")}`);
  }
  if (options.speed === 0) {
    process.stderr.write(`Time passes by: curl -d '{"seconds": 5}' ${served.uri}/v1/chaos/advance\n`);
  }
  process.stdout.write(`Simulated Orrery listens on ${served.uri}\n`);
  const error = await ended.wait();
  await served.close();
  if (error === undefined) {
    return exitCodes.pass;
  }
  process.stderr.write(`The simulated cluster has failed: ${error.stack ?? error.message}\n`);
  return exitCodes.crash;
}

/** Resolves with undefined at a signal, or with a failure of the world. */
class Ended {
  #resolve: (error: Error | undefined) => void = () => undefined;
  readonly #ended = new Promise<Error | undefined>((resolve) => {
    this.#resolve = resolve;
  });

  constructor() {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => this.#resolve(undefined));
    }
  }

  fail(error: Error): void {
    this.#resolve(error);
  }

  wait(): Promise<Error | undefined> {
    return this.#ended;
  }
}
