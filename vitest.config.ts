import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { StallReporter } from "./test/support/programs/stall-reporter.ts";

/** File for the report that `npm test` reads. */
const report = process.env["TEST_REPORT"];

const tests = ["{test,examples}/**/*.test.ts"];
const checkers = "test/sim/checkers/**/*.test.ts";

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
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: "others", include: tests, exclude: [...configDefaults.exclude, checkers] } },
      // These files all import the engine and the simulator, and neither they nor what they import keep state between two runs.
      { extends: true, test: { name: "checkers", include: [checkers], isolate: false } },
    ],
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }], new StallReporter()],
  },
});
