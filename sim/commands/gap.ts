/**
 * `gap`: differences between the real transport and the simulated one.
 */
import type { Command } from "commander";
import { compare, describeComparisons } from "../gap/gap.ts";
import { StatusLine } from "../status-line.ts";

export function addGapCommand(program: Command): void {
  program
    .command("gap")
    .description("compare the simulated transport with real loopback sockets, situation by situation")
    .action(async () => {
      const status = new StatusLine();
      const comparisons = await compare((done, of) => {
        status.show(() => `${done}/${of} situations`);
      });
      status.clear();
      process.stdout.write(`${describeComparisons(comparisons)}\n`);
    });
}
