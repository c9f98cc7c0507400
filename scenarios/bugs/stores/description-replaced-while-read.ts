import { drawSharedSteps, sharedStatement } from "../../../sim/workload/shared-table.ts";
import { StreamTree } from "../../../sim/world/streams.ts";
import { calmCluster, ms, second, user } from "../../scenario.ts";
import type { Bug } from "../bug.ts";

export const descriptionReplacedWhileRead: Bug = {
  scenario: {
    name: "description-replaced-while-read",
    story:
      "Two users write and read one table of an object store. Another cluster replaces the description of the table again and again between the question for its version and the next request. Readers read it again, and a commit that another one has overtaken is made again.",
    plan: (seed) => ({
      ...calmCluster(seed, {}),
      nanosPerWorkUnit: 500,
      store: { delayNanosMin: 2 * ms, delayNanosMax: 20 * ms, faultPercent: 0, replacedPercent: 10, pageKeys: 1_000 },
      users: ["s1", "s2"].map((name) =>
        user(
          name,
          drawSharedSteps(StreamTree.root(seed).child(name).stream("steps"), name, 6, "bucket.default.shared").map((shared) => ({
            sql: sharedStatement(shared),
            behaviour: { kind: "reads-all" },
            thinkNanos: 0,
            shared,
          })),
          second,
        ),
      ),
      healNanos: 6 * second,
      expect: { atLeast: { finished: 12 }, atMost: { unanswered: 0 } },
    }),
  },
  noticed: {
    kind: "wrong-result",
    oracle: "shared-tables",
    sentence: "s1 is told FILE_BAD_DATA in its read, and what the shared table is made of does not change",
  },
  cause:
    "src/connectors/shared/object-store/object-storage.ts asked for the version of a file, then for its bytes in that version. A file that was replaced between the two was an error, also in src/connectors/files/write/store/store-commits.ts, which reads the description to change it.",
  fixed: "2026-11-30",
};
