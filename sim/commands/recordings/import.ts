/**
 * `npm run sim -- import DIR`: converts the recordings of a real cluster to one fixture.
 */
import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { RecordingError } from "../../../src/recording/file.ts";
import { describeReplay, describeSurvey } from "../../replay/report.ts";
import { importTape } from "../../replay/import.ts";
import { fixtureEnding, readTape, writeFixture } from "../../replay/tape.ts";
import { exitCodes } from "../../checkers/violation.ts";
import { StatusLine } from "../../status-line.ts";

interface Options {
  readonly out?: string;
  readonly name?: string;
  readonly story?: string;
}

export function addImportCommand(program: Command): void {
  program
    .command("import")
    .description("merge the recordings of a cluster (npm start -- --record DIR) in causal order into one fixture that can be replayed")
    .argument("<dir>", "folder with the servers' recordings")
    .option("--out <fixture>", `file to write (default: fixtures/field/NAME${fixtureEnding})`)
    .option("--name <name>", "name of the fixture (default: name of the folder)")
    .option("--story <sentence>", "description of the incident", "")
    .action(async (folder: string, options: Options) => {
      try {
        process.exitCode = await importFolder(folder, options);
      } catch (error) {
        if (!(error instanceof RecordingError)) {
          throw error;
        }
        process.stderr.write(`Cannot import: ${error.message}\n`);
        process.exitCode = exitCodes.usage;
      }
    });
}

async function importFolder(folder: string, options: Options): Promise<number> {
  const tape = readTape(resolve(folder));
  const name = options.name ?? tape.name;
  const out = resolve(options.out ?? join("fixtures", "field", `${name}${fixtureEnding}`));
  const status = new StatusLine();
  const { surveyed, replayed, fixture } = await importTape(tape, {
    name,
    story: options.story ?? "",
    onProgress: status.showCount("inputs"),
  });
  status.clear();
  mkdirSync(dirname(out), { recursive: true });
  const bytes = writeFixture(out, fixture);
  process.stdout.write(`${[...describeSurvey(tape, surveyed), ...describeReplay(replayed, surveyed)].join("\n")}\n`);
  process.stdout.write(`fixture of ${(bytes / 1024).toFixed(1)} kB written to ${out}\n`);
  return replayed.difference === undefined ? exitCodes.pass : exitCodes.nondeterminism;
}
