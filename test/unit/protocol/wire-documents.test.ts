/**
 * The golden wire documents of fixtures/documents equal the examples of the schemas byte for byte.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type DocumentEntry, documents } from "../../../src/protocol/documents/documents.ts";
import { parseJson, stringifyJson } from "../../../src/protocol/json.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../../fixtures/documents");

/** The response of `GET /v1/task/{taskId}/status` is in `get-v1-task-taskId-status.response.json`. */
function fileOf({ method, pattern, direction }: DocumentEntry): string {
  const path = pattern.replaceAll(/[{}]/g, "").replaceAll("/", "-");
  return `${method.toLowerCase()}${path}.${direction}.json`;
}

const golden = new Map(documents.map((entry) => [fileOf(entry), `${stringifyJson(entry.example, 2)}\n`]));

if (process.env["UPDATE_GOLDEN"] === "1") {
  for (const [file, text] of golden) {
    writeFileSync(join(folder, file), text);
  }
}

describe("golden wire documents", () => {
  it("are all there, and no others", () => {
    expect(readdirSync(folder).sort()).toEqual([...golden.keys()].sort());
  });

  it.each(documents.map((entry) => [fileOf(entry), entry] as const))("%s is the example of its schema, and fits it", (file, entry) => {
    const text = readFileSync(join(folder, file), "utf8");
    expect(text).toBe(golden.get(file));
    expect(entry.schema.safeParse(parseJson(text)).success).toBe(true);
  });
});
