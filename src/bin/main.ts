/**
 * The program `orrery`: chooses a program by the first argument. Each is loaded only when it is chosen.
 *
 *   orrery                  the server
 *   orrery cli              the shell
 *   orrery "SELECT ..."     a statement in an engine of this process
 */
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";
import { choose, isKnownProgram, type ProgramName, programs, usage } from "./choice.ts";
import { usageCode } from "./command-line.ts";

/** From Node 22 on, compiled code is kept in the system's temporary folder: later starts skip most of the compilation. */
function keepCompiledCode(): void {
  const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
  enableCompileCache?.();
}

/** Programs of their own take their arguments from the process, and start copies of themselves by their own path. */
async function start(file: string, args: readonly string[], load?: () => Promise<unknown>): Promise<void> {
  const { href } = new URL(file, import.meta.url);
  process.argv = [process.argv[0] ?? "", fileURLToPath(href), ...args];
  await (load?.() ?? import(href));
}

async function run(program: ProgramName, args: readonly string[]): Promise<void> {
  switch (program) {
    case "server":
      return start("./server.js", args);
    case "worker":
      return start("./worker.js", args);
    case "sim":
      return start("./sim.js", args, () => import("../../sim/main.ts"));
    case "cli": {
      const { main } = await import("../cli/main.ts");
      process.exitCode = await main(args);
      return;
    }
    case "query": {
      const { query } = await import("./query.ts");
      process.exitCode = await query(args);
      return;
    }
    case "create-connector": {
      const { createConnector } = await import("./create-connector.ts");
      process.exitCode = createConnector(args);
      return;
    }
    case "healthcheck": {
      const { healthcheck } = await import("./healthcheck.ts");
      process.exitCode = await healthcheck(args);
      return;
    }
    case "help": {
      const [about = ""] = args;
      if (isKnownProgram(about) && about !== "help") {
        return run(about, ["--help"]);
      }
      process.stdout.write(usage());
      return;
    }
    case "version": {
      const { engineVersion } = await import("../config.ts");
      process.stdout.write(`${engineVersion}\n`);
    }
  }
}

keepCompiledCode();
const choice = choose(process.argv.slice(2));
if ("problem" in choice) {
  process.stderr.write(`${choice.problem}\nPrograms: ${Object.keys(programs).join(", ")}. See: orrery --help\n`);
  process.exitCode = usageCode;
} else {
  await run(choice.program, choice.args);
}
