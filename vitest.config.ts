import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/programs/longest-first.ts";
import { StallReporter } from "./test/support/programs/stall-reporter.ts";

/** File for the report that `npm test` reads. */
const report = process.env["TEST_REPORT"];

const tests = ["{test,examples}/**/*.test.ts"];
/**
 * Neither these files nor what they import keep state between two runs, but for caches: the engine has no state of modules, and the walls
 * hold that. Loading it for each file would cost a quarter of their time. Long files are not among them: these are dealt to the workers
 * beforehand, however long they take.
 */
const stateless = [
  "test/{access,operations}/**/*.test.ts",
  "test/sim/checkers/**/*.test.ts",
  "test/unit/{cli,client,codegen,connectors,coordinator,execution,functions,memory,monitor,page,planner,protocol,security,server,sql,types}/**/*.test.ts",
];
/** They replace functions of modules, or watch the process. */
const alone = ["test/unit/server/{clock,network}.test.ts"];

export default defineConfig({
  resolve: {
    alias: {
      // The examples name the package, as its users do. Jest's functions are those of vitest there.
      "orrery/connector/testing": fileURLToPath(new URL("src/testing/connector/index.ts", import.meta.url)),
      "orrery/connector": fileURLToPath(new URL("src/embedded/connector.ts", import.meta.url)),
      "orrery/sim": fileURLToPath(new URL("sim/index.ts", import.meta.url)),
      "orrery/testing": fileURLToPath(new URL("src/testing/index.ts", import.meta.url)),
      "@jest/globals": "vitest",
    },
  },
  test: {
    // Bounds for what hangs, however busy the machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "threads",
    setupFiles: ["test/support/programs/draw-setup.ts"],
    // More than cores: many files wait for processes, browsers and pauses of clients.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: "others", include: tests, exclude: [...configDefaults.exclude, ...stateless] } },
      { extends: true, test: { name: "alone", include: alone } },
      { extends: true, test: { name: "stateless", include: stateless, exclude: [...configDefaults.exclude, ...alone], isolate: false } },
    ],
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }], new StallReporter()],
  },
});
