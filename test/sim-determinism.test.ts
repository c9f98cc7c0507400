/** The same seed is the same run, to the letter, whatever the machine's zone and language: nothing of the place gets into a simulated world. */
import { describe, expect, it } from "vitest";
import { runProgram } from "./support/server-process.ts";

/** How long it really took differs. */
function withoutRealTime(output: string): string {
  return output.replaceAll(/ simulated in .*? s \(\d+x\)/g, " simulated");
}

/** Output with the exit code: a run that finds a fault finds it again. */
async function run(args: readonly string[], environment: Record<string, string>): Promise<string> {
  const { code, output } = await runProgram("sim", args, { environment });
  return `${output}exit ${code}`;
}

describe("npm run sim", () => {
  it("gives the same output in another time zone and locale", async () => {
    const [here, there] = await Promise.all([
      run(["--seed", "42"], { TZ: "UTC", LC_ALL: "C" }),
      run(["--seed", "42"], { TZ: "Pacific/Chatham", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" }),
    ]);
    expect(withoutRealTime(there)).toBe(withoutRealTime(here));
    expect(here).toMatch(/fingerprint\W+[0-9a-f]{8,}/);
  });

  it("gives another run for another seed", async () => {
    const fingerprint = async (seed: string): Promise<string | undefined> =>
      /fingerprint\W+([0-9a-f]{8,})/.exec(await run(["--seed", seed], {}))?.[1];
    const [one, other] = await Promise.all([fingerprint("1"), fingerprint("2")]);
    expect(one).toBeDefined();
    expect(one).not.toBe(other);
  });
});
