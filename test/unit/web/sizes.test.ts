/** The bundle of the web interface, built as the server serves it. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type PageSize, webSizes } from "../../../tools/docs/web/sizes.ts";
import { projectRoot } from "../../support/programs/server-process.ts";

const gzippedMax = 250_000;

describe("the size of the web interface", () => {
  let sizes: readonly PageSize[];

  beforeAll(() => {
    expect(spawnSync(process.execPath, ["build.mjs"], { cwd: projectRoot }).status).toBe(0);
    sizes = webSizes(join(projectRoot, "dist/web"));
  });

  it("stays below 250 kB gzip without the editor, and the run view, a document of its own, below 125 kB", () => {
    const pages = sizes.filter(({ page }) => page !== "editor" && page !== "run view");
    expect(pages.map(({ page }) => page).sort()).toEqual(["frame", "overview", "queries", "query", "simulator", "workers"]);
    expect(pages.reduce((sum, { gzipped }) => sum + gzipped, 0)).toBeLessThan(gzippedMax);
    expect(sizes.find(({ page }) => page === "run view")?.gzipped).toBeLessThan(gzippedMax / 2);
  });

  it("loads the editor and the run view only when they are opened", () => {
    const first = sizes.filter(({ page }) => page === "frame" || page === "overview").flatMap(({ files }) => files);
    expect(first.filter((name) => /^(editor|run-view)/.test(name))).toEqual([]);
    expect(sizes.find(({ page }) => page === "editor")?.gzipped).toBeGreaterThan(50_000);
  });

  it("counts every file once", () => {
    const files = sizes.flatMap((size) => size.files);
    expect(new Set(files).size).toBe(files.length);
  });
});
