/** `gap`: what the real transport does that the simulated one cannot. */
import type { Command } from "commander";
import { compare, describeComparisons } from "../gap/gap.ts";
import { StatusLine } from "../status-line.ts";

export function addGapCommand(program: Command): void {
  program
    .command("gap")
    .description("compare the simulated transport with the real one, situation by situation, over loopback sockets")
    .action(async () => {
      const status = new StatusLine();
      const comparisons = await compare((done, of) => {
        status.show(() => `${done}/${of} situations`);
      });
      status.clear();
      process.stdout.write(`${describeComparisons(comparisons)}\n`);
    });
}
