/** The command `known` of `npm run fuzz`. */
import { projectRoot } from "../../../../sim/mutants/bank.ts";
import { StatusLine } from "../../../../sim/status-line.ts";
import { Random } from "../random.ts";
import { drawKnobs, knownFiles } from "./known.ts";
import { KnownAnswers } from "./known-answers.ts";

export interface KnownProgramOptions {
  readonly seed: number;
  /** Only files whose names contain the text. */
  readonly file: string;
}

export async function runKnown({ seed, file: part }: KnownProgramOptions): Promise<"clean" | "wrong" | "interrupted"> {
  const status = new StatusLine();
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.on("SIGINT", interrupt);
  const root = projectRoot();
  const known = new KnownAnswers(root);
  let [statements, failures] = [0, 0];
  try {
    // Bounds are drawn by the place among all files, so that one file has the same alone.
    const files = knownFiles(root)
      .map((file, index) => ({ file, knobs: drawKnobs(new Random(seed, index)) }))
      .filter(({ file: { kind, name } }) => `${kind}/${name}`.includes(part));
    for (const [index, { file, knobs }] of files.entries()) {
      statements += await known.check(file, {
        knobs,
        isOver: () => interruption.signal.aborted,
        onWrong: ({ place, sql, wrong }) => {
          failures++;
          status.clear();
          process.stdout.write(
            `${place}: ${wrong}\n  ${JSON.stringify(knobs)}\n  ${sql}\n  again: npm run fuzz -- known --seed ${seed} --file ${file.kind}/${file.name}\n\n`,
          );
          return true;
        },
      });
      if (interruption.signal.aborted) {
        return "interrupted";
      }
      status.show(() => `${index + 1} of ${files.length} files, ${statements} statements, ${failures} failures`);
    }
    status.clear();
    process.stdout.write(`seed ${seed}: ${statements} statements of ${files.length} files, ${failures} failures\n`);
    return failures === 0 ? "clean" : "wrong";
  } finally {
    known.close();
    process.off("SIGINT", interrupt);
  }
}
