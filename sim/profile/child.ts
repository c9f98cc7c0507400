/** The process that is profiled: it runs seeds as a sweep does, after others that warm it up. */
import { Session } from "node:inspector/promises";
import { serveQuestions } from "../pool.ts";
import { runPlan } from "../run.ts";
import { SharedState } from "../shared.ts";
import { drawRun } from "../draw/draw.ts";
import { Traps } from "../world/traps.ts";
import { attribute, sourcesByMap } from "./attribute.ts";

/** Flag that starts this program as such a child. */
export const profileWorkerFlag = "--profile-worker";

export type ProfileQuestion =
  | { readonly kind: "run"; readonly seed: number }
  | { readonly kind: "start" }
  /** Ends the profile. */
  | { readonly kind: "stop" };

export interface ProfileAnswer {
  readonly cpuMs: number;
  readonly violation?: string;
  /** Microseconds by name, in the answer that ends the profile. */
  readonly rooms?: ReadonlyMap<string, number>;
  readonly functions?: ReadonlyMap<string, number>;
  readonly total?: number;
}

const samplingMicros = 500;

export function serveProfile(): Promise<void> {
  const shared = new SharedState();
  const traps = new Traps();
  const session = new Session();
  session.connect();
  return serveQuestions<ProfileQuestion, ProfileAnswer>(async (question) => {
    const before = process.cpuUsage();
    const cpuMs = (): number => {
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    switch (question.kind) {
      case "run": {
        const { violations } = await runPlan(drawRun(String(question.seed)), { shared });
        return { cpuMs: cpuMs(), ...(violations[0] === undefined ? {} : { violation: violations[0].sentence }) };
      }
      case "start":
        await session.post("Profiler.enable");
        await session.post("Profiler.setSamplingInterval", { interval: samplingMicros });
        await session.post("Profiler.start");
        return { cpuMs: 0 };
      case "stop": {
        const { profile } = await session.post("Profiler.stop");
        return { cpuMs: 0, ...attribute(profile, sourcesByMap()) };
      }
    }
  }).finally(() => {
    session.disconnect();
    traps.release();
  });
}
