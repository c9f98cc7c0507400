/** Every TypeScript block of docs/testing.md runs as it stands. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transform } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { messageFates } from "../../src/ports/fates.ts";
import { type Cluster, withCluster } from "../../src/testing/index.ts";
import { blocksOf } from "../../tools/docs/blocks.ts";
import { readPages } from "../docs/pages.ts";

const page = readPages().find(({ path }) => path.endsWith("docs/testing.md"))?.text ?? "";
const blocks = blocksOf(page).filter(({ language }) => language === "ts");
const folder = mkdtempSync(join(tmpdir(), "orrery-page-"));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

type Body = (names: Readonly<Record<string, unknown>>) => Promise<void>;

async function bodyOf(text: string): Promise<Body> {
  const imported = /^import .*$/gm;
  const { code } = await transform(
    `export async function body({ cluster, withCluster, expect, test, folder }) {{${text.replaceAll(imported, "")}\n}}`,
    {
      loader: "ts",
      target: "node20",
      format: "esm",
    },
  );
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { readonly body: Body };
  return module.body;
}

describe("docs/testing.md", () => {
  it.each(blocks.map(({ line, text }) => [line, text] as const))("line %i runs", async (_line, text) => {
    const body = await bodyOf(text);
    const tests: (() => Promise<void>)[] = [];
    const test = (_name: string, run: () => Promise<void>): void => void tests.push(run);
    const needsCluster = !text.includes("withCluster");
    const use = async (cluster: Cluster | undefined): Promise<void> => {
      await body({ cluster, withCluster, expect, test, folder });
      for (const run of tests) {
        await run();
      }
    };
    await (needsCluster ? withCluster({}, use) : use(undefined));
  });

  it("names every fate, every option and every operation of a cluster", async () => {
    for (const fate of Object.keys(messageFates).filter((name) => name !== "overtaken")) {
      expect(page).toContain(`| \`${fate}\` |`);
    }
    await withCluster({ http: false, workers: 0 }, (cluster) => {
      const names = Object.getOwnPropertyNames(Object.getPrototypeOf(cluster)).filter(
        (name) => !["constructor", "workers", "uriOf", "activeWorkers"].includes(name),
      );
      expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
    });
  });
});
