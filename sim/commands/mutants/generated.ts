/**
 * `npm run sim -- mutants --generated 500`: bugs drawn from the engine's syntax trees instead of the bank.
 */
import { writeFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { exitCodes } from "../../checkers/violation.ts";
import type { GeneratedResult } from "../../mutants/generated/measure-generated.ts";
import type { GeneratedReport } from "../../mutants/generated/report.ts";
import { type RoomName, roomNames } from "../../mutants/generated/rooms.ts";
import { StatusLine } from "../../status-line.ts";
import { listenForInterruption } from "./interruption.ts";

export interface GeneratedCommandOptions {
  readonly root: string;
  readonly count: number;
  readonly mutationSeed: number;
  readonly rooms: readonly RoomName[];
  readonly firstSeed: number;
  readonly seedsMax: number;
  /** Generated statements for a mutant of the data plane, after the other slices; 0 for seeds alone. */
  readonly fuzz: number;
  readonly jobs: number;
  readonly minutes?: number;
  readonly json?: string;
  readonly list: boolean;
}

export function parseRooms(text: string): readonly RoomName[] {
  return text.split(",").map((name) => {
    const room = roomNames.find((known) => known === name.trim());
    if (room === undefined) {
      throw new InvalidArgumentError(`'${name}' is none of ${roomNames.join(", ")}`);
    }
    return room;
  });
}

export async function runGenerated(options: GeneratedCommandOptions): Promise<number> {
  // The compiler is loaded only here: other commands, and the installed package, do without.
  const { drawSample } = await import("../../mutants/generated/generate.ts");
  if (!options.list) {
    return (await measureDrawn(options)) === undefined ? 130 : exitCodes.pass;
  }
  for (const { name, site, line, diff } of drawSample(options).mutants) {
    process.stdout.write(`${name} ${site.operator} ${site.path}:${line} ${site.place}\n${diff.replace(/^/gm, "    ")}\n`);
  }
  return exitCodes.pass;
}

/** Measures a sample and prints its report. Returns undefined if it was interrupted. */
export async function measureDrawn(options: GeneratedCommandOptions): Promise<GeneratedResult | undefined> {
  const { measureGenerated } = await import("../../mutants/generated/measure-generated.ts");
  const { firstSlices, statementsPerSlice } = await import("../../mutants/generated/plane-slices.ts");
  const { describeGenerated, generatedData } = await import("../../mutants/generated/report.ts");
  const interruption = listenForInterruption();
  const started = performance.now();
  const deadline = started + (options.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
  const status = new StatusLine();
  let [mutants, measured, found, changed] = [0, 0, 0, 0];
  const progress = (text: string): void =>
    status.show(() => `${measured}/${mutants} mutants, ${changed} changed a run, ${found} found; ${text}`);
  const reportOf = (result: GeneratedResult): GeneratedReport => ({ ...result, ...options, realMs: performance.now() - started });
  const save = (result: GeneratedResult): void => {
    if (options.json !== undefined) {
      writeFileSync(options.json, `${JSON.stringify(generatedData(reportOf(result)), null, 2)}\n`);
    }
  };
  try {
    const result = await measureGenerated({
      ...options,
      slicesMax: options.fuzz === 0 ? 0 : firstSlices.length + Math.ceil(options.fuzz / statementsPerSlice),
      isStopped: () => interruption.isStopped() || performance.now() >= deadline,
      onDrawn: (sample) => {
        mutants = sample.mutants.length;
        progress("");
      },
      onSeed: ({ name }, seeds) => progress(`${name}: seed ${seeds} of ${options.seedsMax}`),
      onSlice: ({ name }, slices) => progress(`${name}: slice ${slices}`),
      onMeasured: ({ detections, triggered }, done) => {
        measured = done;
        found += detections.length > 0 ? 1 : 0;
        changed += detections.length > 0 || triggered > 0 ? 1 : 0;
        progress("");
      },
      onGroup: save,
      onFuzzed: ({ detections }, done, all) => {
        found += detections.length;
        changed += detections.length;
        progress(`data plane alone: ${done} of ${all}`);
      },
    });
    status.clear();
    process.stdout.write(`${describeGenerated(reportOf(result))}\n`);
    save(result);
    return interruption.isStopped() ? undefined : result;
  } finally {
    interruption.close();
  }
}
