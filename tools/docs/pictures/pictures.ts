/** Pictures of the simulator's page, taken by a Chromium without a window. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findChromium, howToInstall } from "../../../test/support/programs/chromium.ts";
import { BrokenCopy } from "../broken-copy.ts";

const size = "1160,680";

function run(program: string, args: readonly string[], folder: string): void {
  const { status, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) {
    throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
  }
}

/** docs/images/view-run.png: the seed of the walk-through, with its bug. */
export function takePictures(root: string): void {
  const chromium = findChromium();
  if (chromium === undefined) {
    throw new Error(howToInstall);
  }
  const text = readFileSync(join(root, "docs/simulator.md"), "utf8");
  const seed = /^\$ npm run sim -- shrink (\d+)/m.exec(text)?.[1] ?? "";
  const copy = new BrokenCopy(root, text);
  try {
    const page = join(copy.folder(), "view.html");
    const picture = join(root, "docs/images/view-run.png");
    run(process.execPath, ["build.mjs", "sim", "view", seed, "--out", page], copy.folder());
    const flags = [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--hide-scrollbars",
      `--window-size=${size}`,
      "--virtual-time-budget=3000",
    ];
    run(chromium, [...flags, `--screenshot=${picture}`, `file://${page}`], copy.folder());
  } finally {
    copy.close();
  }
}
