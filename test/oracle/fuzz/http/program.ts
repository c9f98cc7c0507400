/** The command `http` of `npm run fuzz`. */
import { StatusLine } from "../../../../sim/status-line.ts";
import { fuzzHttp } from "./http.ts";
import { textOf } from "./requests.ts";

export interface HttpProgramOptions {
  readonly seed: number;
  readonly requests: number;
  readonly from: number;
}

export async function runHttp({ seed, requests, from }: HttpProgramOptions): Promise<"clean" | "wrong" | "interrupted"> {
  const status = new StatusLine();
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.on("SIGINT", interrupt);
  try {
    const found = await fuzzHttp({
      seed,
      requests,
      from,
      isOver: () => interruption.signal.aborted,
      onProgress: (sent) => status.show(() => `${sent} requests, ${(sent / status.seconds).toFixed(0)} a second`),
    });
    status.clear();
    for (const { number, request, what } of found.failures) {
      process.stdout.write(
        `request ${number}: ${what}\n${textOf(request)}\n  again: npm run fuzz -- http --seed ${seed} --from ${number} --requests 1\n\n`,
      );
    }
    const counts = [...found.statuses].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, count]) => `${count} of ${code}`);
    process.stdout.write(
      `seed ${seed}, from ${from}: ${found.requests} requests, ${found.failures.length} failures; answers: ${counts.join(", ")}\n`,
    );
    return interruption.signal.aborted ? "interrupted" : found.failures.length === 0 ? "clean" : "wrong";
  } finally {
    process.off("SIGINT", interrupt);
  }
}
