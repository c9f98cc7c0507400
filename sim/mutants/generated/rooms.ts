/**
 * Rooms in which mutants are generated: the paths of each, and its weight in a sample. A path ends in `/` (a folder) or names a file.
 */

export const roomNames = [
  "coordinator",
  "worker",
  "exchange",
  "buffers",
  "monitor",
  "operators",
  "hash-tables",
  "optimizer",
  "analyzer",
] as const;
export type RoomName = (typeof roomNames)[number];

interface Room {
  readonly name: RoomName;
  readonly paths: readonly string[];
  /** Mutants of a sample, relative to the other rooms. */
  readonly weight: number;
  /** The fuzzer measures what the simulator has not found in this room. */
  readonly isFuzzed: boolean;
}

/** In order: a file belongs to the first room that has a path for it. */
export const rooms: readonly Room[] = [
  {
    name: "buffers",
    paths: ["src/execution/exchange/output-buffer.ts", "src/coordinator/results/result-buffer.ts", "src/execution/spill/", "src/memory/"],
    weight: 2,
    isFuzzed: false,
  },
  {
    name: "exchange",
    paths: [
      "src/execution/exchange/",
      "src/execution/operators/output/exchange-operators.ts",
      "src/execution/operators/output/output-operators.ts",
      "src/page/",
    ],
    weight: 3,
    isFuzzed: false,
  },
  { name: "coordinator", paths: ["src/coordinator/"], weight: 4, isFuzzed: false },
  { name: "worker", paths: ["src/worker/", "src/execution/task/", "src/execution/driver/"], weight: 3, isFuzzed: false },
  { name: "monitor", paths: ["src/monitor/"], weight: 2, isFuzzed: false },
  { name: "hash-tables", paths: ["src/execution/hash-table/"], weight: 2, isFuzzed: true },
  {
    name: "operators",
    paths: ["src/execution/operators/", "src/execution/expressions/", "src/execution/dynamic-filter/"],
    weight: 4,
    isFuzzed: true,
  },
  { name: "optimizer", paths: ["src/planner/optimizer/", "src/planner/fragmenter/", "src/planner/domain/"], weight: 3, isFuzzed: true },
  { name: "analyzer", paths: ["src/planner/analyzer/"], weight: 3, isFuzzed: true },
];

function isBelow(path: string, rule: string): boolean {
  return rule.endsWith("/") ? path.startsWith(rule) : path === rule;
}

/** Room of a source, by its path from the project's root. */
export function roomOf(path: string): Room | undefined {
  return rooms.find(({ paths }) => paths.some((rule) => isBelow(path, rule)));
}
