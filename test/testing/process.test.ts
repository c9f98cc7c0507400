/** A process of its own: the examples in their runners, and nothing left open after `close`. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { runInNewContext, runInThisContext } from "node:vm";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../house/sources.ts";

const run = promisify(execFile);
/** A process that does not end by itself is killed, which fails the test. In milliseconds. */
const endMsMax = 120_000;

let folder = "";

async function bundled(name: string, source: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  const entry = join(folder, `${name}.ts`);
  writeFileSync(entry, source);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    // A package with native code, which users install for its connector, and leave out of bundles.
    external: ["@duckdb/node-api"],
    alias: { "orrery/testing": join(root, "src/testing/index.ts") },
    banner: { js: 'import { createRequire as bundledRequire } from "node:module"; const require = bundledRequire(import.meta.url);' },
  });
  return outfile;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-process-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("a process that uses orrery/testing", () => {
  it("ends by itself: no socket, timer or thread is left", async () => {
    const program = await bundled(
      "ends",
      `import { withCluster } from "orrery/testing";
      {
        await using cluster = await withCluster({ workers: 2, record: true });
        cluster.chaos({ fate: "never-answered", from: "client", path: "/v1/info" });
        void fetch(cluster.uri + "/v1/info").catch(() => undefined);
        cluster.slow("worker-1", { factor: 100, delayMs: 60_000 });
        void cluster.query("SELECT sum(quantity) FROM tpch.sf1.lineitem").catch(() => undefined);
        await cluster.kill("worker-2");
      }
      await withCluster({ http: false }, (cluster) => cluster.partition("worker-1"));
      console.log("closed");`,
    );
    const { stdout, stderr } = await run(process.execPath, [program], { timeout: endMsMax });
    expect(stdout).toBe("closed\n");
    expect(stderr).toBe("");
  });

  it("runs the example for node:test", async () => {
    const program = await bundled("example", `import ${JSON.stringify(join(root, "test/testing/examples/node-test.ts"))};`);
    const { stdout } = await run(process.execPath, ["--test", program], { timeout: endMsMax });
    expect(stdout).toMatch(/# pass [1-9]/);
    expect(stdout).toMatch(/# fail 0/);
  });

  it("has the symbols of `using` and `await using` in contexts that lack them, and leaves others alone", async () => {
    const file = join(root, "src/testing/dispose.ts");
    const { outputFiles } = await build({ entryPoints: [file], bundle: true, format: "iife", write: false });
    const code = outputFiles[0]?.text ?? "";
    const types = "[typeof Symbol.dispose, typeof Symbol.asyncDispose].join()";
    expect(runInNewContext(`${code}; ${types}`)).toBe("symbol,symbol");
    const kept = "const before = Symbol.asyncDispose;";
    expect(runInThisContext(`{ ${kept} ${code}; before === Symbol.asyncDispose }`)).toBe(true);
  });
});
