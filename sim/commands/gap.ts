/** `gap`: what the real transport does that the simulated one cannot. */
import type { Command } from "commander";
import { compare, describeComparisons } from "../gap/gap.ts";

export function addGapCommand(program: Command): void {
  program
    .command("gap")
    .description("compare the simulated transport with the real one, situation by situation, over loopback sockets")
    .action(async () => {
      const comparisons = await compare((done, of) => {
        if (process.stderr.isTTY) {
          process.stderr.write(`\r${done}/${of} situations\u001b[K${done === of ? "\r\u001b[K" : ""}`);
        }
      });
      process.stdout.write(`${describeComparisons(comparisons)}\n`);
    });
}
