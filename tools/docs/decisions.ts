/** docs/decisions/README.md: the list of the decisions, from their files. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { page, table } from "./markdown.ts";

export function decisionsPage(docs: string): string {
  const folder = join(docs, "decisions");
  const files = readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name));
  const rows = files.toSorted().map((file) => {
    const title = /^# (.*)$/m.exec(readFileSync(join(folder, file), "utf8"))?.[1] ?? file;
    return [String(Number(file.slice(0, 4))), `[${title}](${file})`];
  });
  return page("Decisions", [
    "Each page says what was decided, why, and what it costs. A decision names the files of its day. A new one takes the next number; then run `npm run docs`.",
    table(["Number", "Decision"], rows),
  ]);
}
