/** `orrery create-connector NAME`: writes a project with a connector, its tests and what compiles them. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { engineVersion } from "../config.ts";
import { parseArguments, usageCode } from "./command-line.ts";
import { connectorProject } from "./connector-project.ts";

/** 0 if the project was written, 1 if the folder has files or cannot be written, 2 for a wrong command line. */
export function createConnector(argv: readonly string[]): number {
  const command = new Command("orrery create-connector")
    .description("Writes a project with a connector of your own, its tests and a README. Nothing is downloaded.")
    .argument("<name>", "name of the connector: lower-case letters, digits and dashes")
    .option("--folder <folder>", "where to write it (the name)")
    .allowExcessArguments(false)
    .exitOverride();
  const ended = parseArguments(command, argv);
  if (ended !== undefined) {
    return ended;
  }
  const [name = ""] = command.args;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    process.stderr.write(
      `error: '${name}' is no name of a connector; it has lower-case letters, digits and dashes, such as my-connector\n`,
    );
    return usageCode;
  }
  const { folder = name } = command.opts<{ readonly folder?: string }>();
  try {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length > 0) {
      process.stderr.write(`error: the folder '${folder}' is not empty\n`);
      return 1;
    }
    for (const [file, text] of Object.entries(connectorProject(name, engineVersion))) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
  } catch (error) {
    process.stderr.write(`error: the folder '${folder}' cannot be written: ${(error as Error).message}\n`);
    return 1;
  }
  process.stdout.write(`${folder}: a connector and its tests. Next:\n\n  cd ${folder}\n  npm install\n  npm test\n`);
  return 0;
}
