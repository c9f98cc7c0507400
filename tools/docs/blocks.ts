/** Fenced blocks of Markdown, with the words behind their language. */

export interface Block {
  readonly language: string;
  /** Words behind the language, as in `sql fails=NOT_SUPPORTED`. */
  readonly words: readonly string[];
  readonly text: string;
  /** Number of the line that opens the block, from 1. */
  readonly line: number;
}

/** The line that opens a block, its text, the line that ends it. */
const fence = /^```([^\n`]*)\n([\s\S]*?)^```$/gm;

export function blocksOf(markdown: string): readonly Block[] {
  return [...markdown.matchAll(fence)].map((match) => {
    const [language = "", ...words] = (match[1] ?? "").trim().split(/\s+/);
    return { language, words, text: match[2] ?? "", line: markdown.slice(0, match.index).split("\n").length };
  });
}

/** `change` gives the new text of a block, or undefined to leave it. */
export async function replaceBlocks(markdown: string, change: (block: Block) => Promise<string | undefined>): Promise<string> {
  let changed = "";
  let from = 0;
  const blocks = blocksOf(markdown);
  for (const [index, match] of [...markdown.matchAll(fence)].entries()) {
    const block = blocks[index] as Block;
    const text = await change(block);
    if (text !== undefined) {
      const start = match.index + match[0].indexOf("\n") + 1;
      changed += markdown.slice(from, start) + text;
      from = start + block.text.length;
    }
  }
  return changed + markdown.slice(from);
}

/** Command lines of a `console` block, without their `$ `. A line that ends with a backslash goes on. */
export function commandsOf({ language, text }: Pick<Block, "language" | "text">): readonly string[] {
  const lines = text.replaceAll("\\\n", " ").split("\n");
  const commands = language === "console" ? lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2)) : lines;
  return commands.map((line) => line.replace(/\s+#\s.*$/, "").trim()).filter((line) => line !== "" && !line.startsWith("#"));
}
