import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { StallReporter } from "./test/support/programs/stall-reporter.ts";

/** File for the report that `npm test` reads. */
const report = process.env["TEST_REPORT"];

const tests = ["{test,examples}/**/*.test.ts"];
/** Neither these files nor what they import keep state between two runs: the engine has no state of modules, and the walls hold that. */
const stateless = [
  "test/sim/checkers/**/*.test.ts",
  "test/unit/{codegen,connectors,coordinator,execution,functions,memory,monitor,page,planner,protocol,security,sql,types}/**/*.test.ts",
];

export default defineConfig({
  resolve: {
    alias: {
      // The examples name the package, as its users do. Jest's functions are those of vitest there.
      "orrery/sim": fileURLToPath(new URL("sim/index.ts", import.meta.url)),
      "orrery/testing": fileURLToPath(new URL("src/testing/index.ts", import.meta.url)),
      "@jest/globals": "vitest",
    },
  },
  test: {
    // Bounds for what hangs, however busy the machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: "threads",
    // More than cores: many files wait for processes, browsers and pauses of clients.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: "others", include: tests, exclude: [...configDefaults.exclude, ...stateless] } },
      { extends: true, test: { name: "stateless", include: stateless, isolate: false } },
    ],
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }], new StallReporter()],
  },
});
