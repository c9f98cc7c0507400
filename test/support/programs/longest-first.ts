/**
 * The order of the test files: the longest first, so that no worker is left alone with one of them at the end. A fresh checkout has no
 * durations of earlier runs, and the size of a file says little.
 */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The longest at the top; all others follow in the default order. Folders of test. */
export const longest: readonly string[] = [
  "oracle/oracle",
  "oracle/tpcds",
  "sim/scenarios",
  "sim/mutants",
  "unit/functions/hard-calls",
  "oracle/limits",
  "messages/hostile/hostile",
  "sim/determinism",
  "package/package",
  "oracle/routines",
  "clients/every-client",
  "oracle/tpch",
  "sim/mutants/generated",
  "judge/judge",
  "docs/commands",
  "databases/postgresql",
  "deploy/image",
  "sim/cluster-size",
  "browser/playground",
  "sim/verify",
  "databases/trino",
  "browser/web",
  "golden/tpch",
  "browser/editor",
  "sim/world/faults",
  "testing/cluster",
  "messages/situations",
  "end-to-end/server",
  "oracle/remote-dynamic-filters",
  "browser/query",
  "conformance/loopback",
  "end-to-end/worker-killed",
  "oracle/known-answers",
  "oracle/fuzz/fuzz",
  "databases/mysql",
  "oracle/routine-programs",
  "chaos/both-worlds",
  "messages/names",
  "sim/world/schedule",
  "browser/view",
  "sim/branch",
  "oracle/analyze",
  "conformance/simulated",
  "sim/inquiries",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const places = new Map(longest.map((name, index) => [`test/${name}.test.ts`, index]));
    const placeOf = ({ moduleId }: TestSpecification): number => places.get(relative(this.ctx.config.root, moduleId)) ?? places.size;
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
