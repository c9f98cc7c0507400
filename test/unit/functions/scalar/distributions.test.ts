/** The distributions against values of a library of arbitrary precision: as many digits as a double has, but for what the method loses. */
import { describe, expect, it } from "vitest";
import { distributionDefinitions } from "../../../../src/functions/scalar/math/distributions.ts";
import { moreDistributionDefinitions } from "../../../../src/functions/scalar/math/more-distributions.ts";
import { distributionValues } from "./distribution-values.ts";

const functions = new Map([...distributionDefinitions, ...moreDistributionDefinitions].map(({ name, host }) => [name, host]));

/** Of the value; the binomial distribution is one less a share, as in Presto, and so exact to the last digits of 1. */
function allowedError(name: string, value: number): number {
  return name === "binomial_cdf" ? 2e-13 : 2e-11 * Math.abs(value);
}

describe("distributions", () => {
  it.each([...new Set(distributionValues.map(([name]) => name))])("%s has the digits of the exact value", (name) => {
    const host = functions.get(name) as (args: readonly unknown[]) => unknown;
    for (const [, args, value] of distributionValues.filter(([other]) => other === name)) {
      const error = Math.abs((host(args) as number) - value);
      expect(error, `${name}(${args.join(", ")})`).toBeLessThanOrEqual(allowedError(name, value));
    }
  });
});
