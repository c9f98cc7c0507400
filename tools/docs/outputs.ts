/**
 * Output that pages show. A block `console output` is run line by line in the project; a block `console output bug` in a copy of it, in
 * which the page's `diff` is applied. What the commands print takes the place of what the block shows.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Block, commandsOf, replaceBlocks } from "./blocks.ts";
import { BrokenCopy } from "./broken-copy.ts";

const columnsMax = 180;
const linesMax = 60;
const pages = ["README.md", "docs/simulator.md"];

/** `only` chooses the blocks whose text holds it. */
export async function refreshOutputs(root: string, only: string): Promise<void> {
  for (const path of pages) {
    const file = join(root, path);
    const text = readFileSync(file, "utf8");
    const copy = new BrokenCopy(root, text);
    try {
      const refreshed = await replaceBlocks(text, async (block) => {
        if (block.language !== "console" || !block.words.includes("output") || !block.text.includes(only)) {
          return undefined;
        }
        return printed(block, block.words.includes("bug") ? copy.folder() : root);
      });
      writeFileSync(file, refreshed);
    } finally {
      copy.close();
    }
  }
}

function printed(block: Block, folder: string): string {
  return `${commandsOf(block)
    .map((command) => `$ ${command}\n${output(command, folder)}`)
    .join("\n\n")}\n`;
}

/** What a command prints, without the lines of npm, long lines cut. */
function output(command: string, folder: string): string {
  process.stderr.write(`$ ${command}\n`);
  const { stdout, stderr } = spawnSync("sh", ["-c", command], { cwd: folder, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
  const lines = `${stdout}${stderr}`
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("> ") && !line.startsWith("npm "))
    .map((line) => (line.length > columnsMax ? `${line.slice(0, columnsMax)} ...` : line).trimEnd());
  while (lines[0] === "") {
    lines.shift();
  }
  return (lines.length > linesMax ? [...lines.slice(0, linesMax), "..."] : lines).join("\n");
}
