/** The picture of the playground: a fixed run, opened by its address in a Chromium without a window. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { examples } from "../../../sim/playground/page/examples.ts";
import { type Act, defaultCluster, readyNanos, toAddress } from "../../../sim/playground/script.ts";
import { WebBrowser } from "../../../test/support/programs/web-browser.ts";
import { buildPlayground } from "../../playground/page.ts";

const nanosPerMs = 1_000_000;
const size = { width: 1160, height: 680 };

/** A worker is killed under a join, and the client is told. */
function address(): string {
  const sql = examples.find(({ name }) => name.includes("kill a worker"))?.sql ?? "";
  const acts: readonly Act[] = [
    { kind: "sql", atNanos: readyNanos, sql },
    { kind: "kill", atNanos: readyNanos + 148 * nanosPerMs, node: "w1" },
  ];
  return toAddress({ script: { cluster: defaultCluster, acts }, atNanos: readyNanos + 1_100 * nanosPerMs, fingerprint: "" });
}

/** docs/images/playground.png */
export async function takePlaygroundPicture(root: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-playground-"));
  const browser = await WebBrowser.start();
  try {
    const file = join(folder, "playground.html");
    writeFileSync(file, (await buildPlayground(root)).html);
    const { page } = await browser.open(`${pathToFileURL(file).href}#${address()}`, size);
    await page.locator("#result .state[data-state=FAILED]").waitFor();
    await page.screenshot({ path: join(root, "docs/images/playground.png") });
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
