/**
 * What may lie about unused, which is nothing: `npm test` runs knip twice.
 * - All sources: an export that no other file imports, a file that nothing reaches, a package that nothing imports.
 * - With --production, without tests: an export that only tests use. What its own file uses too may be exported for a unit test.
 */
import type { KnipConfig } from "knip";

const isProduction = process.argv.includes("--production");

const config: KnipConfig = {
  // An exclamation mark makes an entry or a folder part of production.
  entry: [
    "src/server/{programs,start/load,threads/worker-thread,security/password-thread}.ts!",
    "src/cli/main.ts!",
    // What the package exports, and its program.
    "src/bin/main.ts!",
    "src/client/index.ts!",
    "src/embedded/{index,connector}.ts!",
    "src/testing/{index,connector/index}.ts!",
    "sim/index.ts!",
    "tools/package/build.mjs!",
    "sim/main.ts!",
    // The page that shows a run: bundled for the browser when it is asked for.
    "sim/view/page/main.ts!",
    // The same page in the web interface, bundled with it.
    "sim/view/page/embedded.ts!",
    // The playground, and its thread with the engine: bundled by tools/playground.
    "sim/playground/page/{main,worker}.ts!",
    "src/web/main.tsx!",
    "bench/main.ts!",
    "tools/time-zones.mjs!",
    "tools/docs/main.ts!",
    "tools/playground/main.ts!",
    "test/oracle/fuzz/main.ts",
    // Bundled with a mutated engine by `sim -- mutants --generated`.
    "test/oracle/fuzz/run/mutant-subject.ts",
    "test/run.ts",
    // Run by node:test in test/testing/process.test.ts.
    "test/testing/examples/node-test.ts",
    // Run as a program of its own by test/sim/verify.test.ts.
    "test/support/programs/verify-saboteur.ts",
  ],
  project: ["{src,sim,scenarios,bench,tools}/**/*.{ts,tsx,mjs}!", "{test,examples}/**/*.ts", "*.{mjs,ts}"],
  // A type that an exported function of its file names belongs to that function's signature.
  ignoreExportsUsedInFile: isProduction ? true : { interface: true, type: true },
  ignoreDependencies: [
    // Of the example for jest, which vitest runs.
    "@jest/globals",
    // Its program is run from node_modules/.bin (test/support/programs/coverage-report.ts).
    "c8",
    // Checks signatures in test/support/stores/s3-server.ts, loaded by createRequire.
    "aws4",
    // Clients without modules: loaded by createRequire (test/clients).
    "@evidence-dev/trino",
    "lento",
    "presto-client",
    "presto-client-ts",
    "presto-stream-client",
  ],
  // Programs of the operating system.
  ignoreBinaries: ["ldd", "mariadb", "mariadb-install-db", "mariadbd", "mkfifo", "openssl", "script", "systemd-analyze", "taskset", "unshare"],
};

export default config;
