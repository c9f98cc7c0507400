/**
 * The same seed produces exactly the same run, whatever the machine's time zone and locale: nothing of the host reaches a simulated world.
 */
import { describe, expect, it } from "vitest";
import { runProgram } from "../support/programs/server-process.ts";

/** A seed that takes a third of the time of others. */
const light = "43";

/** Removes real durations, which differ. */
function withoutRealTime(output: string): string {
  return output.replaceAll(/ simulated in .*? s \(\d+x\)/g, " simulated");
}

/** Output with the exit code: a run with a violation finds it again. */
async function run(args: readonly string[], environment: Record<string, string>): Promise<string> {
  const { code, output } = await runProgram("sim", args, { environment });
  return `${output}exit ${code}`;
}

describe("npm run sim", () => {
  it("gives the same output in another time zone and locale", async () => {
    const [here, there] = await Promise.all([
      run(["--seed", light], { TZ: "UTC", LC_ALL: "C" }),
      run(["--seed", light], { TZ: "Pacific/Chatham", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" }),
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

describe("npm run sim -- --seeds", () => {
  it("refuses a scenario or a plan, which it would not run", async () => {
    const { code, errors } = await runProgram("sim", ["--seeds", "1..2", "--scenario", "worker-crash"]);
    expect([code, errors]).toEqual([2, "--seeds draws the plans of its seeds; give --scenario without it\n"]);
  });
});

describe("npm run sim -- verify", () => {
  it("finds a seed the same in hostile surroundings, and says which Nodes were not there", async () => {
    const { code, output } = await runProgram("sim", ["verify", "42", "--runs", "3", "--jobs", "1"], { environment: { ORRERY_NODES: "" } });
    expect(output).toMatch(/^verify seed 42, 3 times against a plain run on Node v/);
    expect(output.match(/^ {2}same /gm)).toHaveLength(3);
    expect(output).toMatch(/PASS 3 runs, all equal\n$/);
    expect(code).toBe(0);
  });

  it("says what is wrong with what it is given", async () => {
    const nothing = await runProgram("sim", ["verify"]);
    expect([nothing.code, nothing.errors]).toEqual([2, "Nothing to run: give a seed, --scenario or --trace\n"]);
    const noNode = await runProgram("sim", ["--seed", "42", "--verify", "--node", "/nowhere/node"]);
    expect(noNode.code).toBe(2);
    expect(noNode.errors).toContain("/nowhere/node is not a working Node");
    const noEvent = await runProgram("sim", ["branch", light, "--at", "9999999", "--jobs", "1"]);
    expect(noEvent.code).toBe(2);
    expect(noEvent.errors).toMatch(/^The run has \d+ events; --at must be one of them/);
  });
});

describe("a token that a run printed", () => {
  it("runs it again, looks at its event, and refuses to be another run", async () => {
    const printed = await runProgram("sim", ["--seed", light, "--quiet", "--branch", "200:1"]);
    const token = /^token +(sim:v2:\S+)/m.exec(printed.output)?.[1] ?? "";
    const fingerprint = (output: string): string | undefined => /fingerprint (\S+)$/m.exec(output)?.[1];
    const again = await runProgram("sim", ["--token", `${token}:@200`, "--quiet", "--branch", "200:1"]);
    expect(again.code).toBe(printed.code);
    expect(fingerprint(again.output)).toBe(fingerprint(printed.output));
    expect(again.output).toMatch(/^event 200:\n( {4}event \d+ .*\n)+ {2}> /m);
    const withoutBranch = await runProgram("sim", ["--token", token]);
    expect(withoutBranch.code).toBe(2);
    expect(withoutBranch.errors).toContain("Give the options of that run");
    const otherProgram = token.replace(/-[0-9a-f]{8}:/, "-00000000:");
    expect((await runProgram("sim", ["--token", otherProgram, "--branch", "200:1"])).code).toBe(2);
    const forced = await runProgram("sim", ["--token", otherProgram, "--branch", "200:1", "--force", "--quiet"]);
    expect(fingerprint(forced.output)).toBe(fingerprint(printed.output));
  });
});

describe("npm run sim -- branch", () => {
  it("tells how other ends of a run come out, each with its command", async () => {
    const { code, output } = await runProgram("sim", ["branch", light, "--at", "300", "--n", "3"]);
    expect(output).toMatch(/^original run: PASS, \d+ events\n299 events are equal in all tails; 3 of 3 tails are distinct\n/);
    expect(output).toMatch(/PASS 3 tails\n$/);
    expect(code).toBe(0);
  });
});
