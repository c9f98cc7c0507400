/** Attribution of a CPU profile's samples. */
import { expect, it } from "vitest";
import { attribute, type CpuProfile } from "../../../sim/profile/attribute.ts";

const callFrame = (functionName: string, url = "") => ({ functionName, url, lineNumber: 1, columnNumber: 1 });

const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: callFrame("(root)"), children: [2, 3, 5] },
    { id: 2, callFrame: callFrame("plan", "file:///a"), children: [4] },
    { id: 3, callFrame: callFrame("(garbage collector)") },
    { id: 4, callFrame: callFrame("valueOf") },
    { id: 5, callFrame: callFrame("(idle)") },
  ],
  samples: [2, 3, 4, 4, 5],
  timeDeltas: [10, 20, 30, 40, 50],
};

it("counts a function of V8 for the room that called it, whatever its name is, and no idle time", () => {
  const { rooms, functions, total } = attribute(profile, ({ url }) => (url === "" ? undefined : "src/planner/plan.ts:2"));
  expect([...rooms]).toEqual([
    ["src/planner", 80],
    ["garbage collection", 20],
  ]);
  expect([...functions]).toEqual([
    ["plan src/planner/plan.ts:2", 80],
    ["(garbage collector)", 20],
  ]);
  expect(total).toBe(100);
});
