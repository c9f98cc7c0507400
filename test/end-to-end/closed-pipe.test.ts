/** Programs whose reader has seen enough, as in `npm run sim -- --list-oracles | head -1`. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../support/programs/server-process.ts";

it.each(["--list-oracles", "--seeds 1..2 --jobs 1"])("sim %s ends quietly with its reader", (flags) => {
  const program = `'${process.execPath}' '${join(projectRoot, "build.mjs")}' sim ${flags}`;
  const { stdout, stderr } = spawnSync("bash", ["-c", `${program} | true; echo "\${PIPESTATUS[0]}"`], { encoding: "utf8" });
  expect(stderr).not.toContain("Error");
  expect(stdout.trim()).toBe("141");
});
