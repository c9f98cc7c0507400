/**
 * The picture of the shell in the documentation: the same sources draw the same picture, and it shows the story.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { terminalPicture } from "../../tools/docs/pictures/terminal-picture.ts";

function textsOf(svg: string): string {
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text).join("\n");
}

describe("the picture of the shell", () => {
  it("is the same each time, and well-formed", async () => {
    const picture = await terminalPicture();
    expect(await terminalPicture()).toBe(picture);
    expect(picture).not.toMatch(/[^\P{Cc}\n]/u);
    expect(picture.match(/<(text|g|svg|title)\b/g)).toHaveLength(picture.match(/<\/(text|g|svg|title)>/g)?.length ?? 0);
    expect(textsOf(picture)).toContain("shipinstruct");
  });

  it("in docs/images shows what the shell shows now", async () => {
    const kept = readFileSync(join(import.meta.dirname, "../../docs/images/shell.svg"), "utf8");
    // Counts of splits and bytes belong to the engine; `npm run docs -- pictures --only shell` draws them again.
    const withoutFigures = (svg: string): string =>
      textsOf(svg)
        .replaceAll(/\d+/g, "0")
        .replaceAll(/0(\.0)?(K|M|G|k|T)?B?\b/g, "0");
    expect(withoutFigures(kept)).toBe(withoutFigures(await terminalPicture()));
  });
});
