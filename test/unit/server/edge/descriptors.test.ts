import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { connectionShares, descriptorLimit } from "../../../../src/server/edge/descriptors.ts";

const limits = (soft: string): string => `Limit                     Soft Limit           Hard Limit           Units
Max processes             95999                95999                processes
Max open files            ${soft.padEnd(20)} 1048576              files
`;

describe("the limit of file descriptors", () => {
  it("is the system's soft one", () => {
    expect(descriptorLimit(() => limits("1024"))).toBe(1024);
    expect(descriptorLimit(() => limits("unlimited"))).toBe(Number.MAX_SAFE_INTEGER);
    expect(descriptorLimit(() => "nothing of the kind")).toBe(1024);
  });

  it("is asked of the runtime where the system has no /proc", () => {
    const open = Number(execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }));
    const asked = descriptorLimit(() => {
      throw new Error("no such file");
    });
    expect(asked).toBe(descriptorLimit());
    expect(asked).toBeGreaterThanOrEqual(open);
  });
});

describe("what connections have of it", () => {
  it("leaves descriptors for files and for other nodes, however many nodes share them", () => {
    for (const descriptors of [256, 1024, 4096, 65_536, Number.MAX_SAFE_INTEGER]) {
      for (const others of [0, 1, 2, 4]) {
        const shares = connectionShares(descriptors, others);
        expect(shares.first + others * shares.others, `${descriptors} ${others}`).toBeLessThanOrEqual(descriptors * 0.75);
        expect(shares.first).toBeGreaterThanOrEqual(Math.min(10_000, Math.floor(descriptors * 0.75 * 0.5)));
      }
    }
    expect(connectionShares(1024, 2)).toEqual({ first: 384, others: 192 });
  });
});
