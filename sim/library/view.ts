/** The page that shows a run, for a world of anybody's programs. */
import { pageOf } from "../view/html.ts";
import type { Entry } from "../view/page/model/format.ts";
import { describeWorldFault } from "./faults.ts";
import type { WorldOptions } from "./options.ts";
import { createWorld, type RunWorldOptions, type WorldResult } from "./world.ts";

/** Runs the world and returns one self-contained page that shows the run: lanes, messages, faults, causes. */
export async function viewHtml<S>(options: WorldOptions<S>, run: RunWorldOptions & { readonly name?: string }): Promise<string> {
  const entries: Entry[] = [];
  const result = await createWorld({
    ...options,
    onEntry: (entry) => {
      entries.push(entry);
      options.onEntry?.(entry);
    },
  }).run(run);
  const nodes = Object.keys(options.nodes);
  return pageOf([
    {
      entries,
      facts: {
        name: run.name ?? `seed ${result.seed}`,
        planText: [`nodes: ${nodes.join(", ")}`, ...result.faults.map(describeWorldFault)].join("\n"),
        resultText: describeWorldResult(result),
        fingerprint: result.fingerprint,
        events: result.events,
        users: [],
        coordinators: [],
        workers: nodes,
        nodeWord: "node",
      },
    },
  ]);
}

/** A few lines for a terminal: the verdict first, then what is needed to run it again. */
export function describeWorldResult({ passed, violation, fingerprint, events, simulatedMs, seed, faults, fates }: WorldResult): string {
  const verdict =
    violation === undefined
      ? "PASS"
      : `FAIL ${violation.kind} ${violation.name} at ${violation.atMs.toFixed(3)} ms, event ${violation.event}: ${violation.sentence}`;
  return [
    verdict,
    `seed ${seed}: ${events} events, ${simulatedMs.toFixed(3)} ms simulated, fingerprint ${fingerprint}`,
    ...faults.map((fault) => `fault: ${describeWorldFault(fault)}`),
    ...(passed ? [] : fates.map(({ message, kind }) => `message: ${message} ${kind}`)),
  ].join("\n");
}
