/** Rows of the testing client whose values are not of their columns' types, as a cluster may pass them on. */
import { expect, it } from "vitest";
import { runQuery } from "../../../src/testing/query.ts";
import { HastyClock, json, results, ScriptedNetwork } from "./scripted.ts";

const element = { kind: "TYPE", value: { rawType: "bigint", arguments: [] } };

it.each([
  ["bigint", [], "text 3"],
  ["bigint", [], { a: 1 }],
  ["array", [element], "x"],
  ["row", [element], 5],
  ["map", [element, element], [1]],
  ["map", [element, element], { a: 1 }],
])("refuses what is no %s", async (rawType, args, value) => {
  const columns = [{ name: "c", type: rawType, typeSignature: { rawType, arguments: args } }];
  const network = new ScriptedNetwork([json(results({ columns, data: [[value]] }))]);
  const asked = runQuery("SELECT c", {}, { network, clock: new HastyClock(), server: "http://server" });
  await expect(asked).rejects.toMatchObject({ name: "ClientError", kind: "BAD_ANSWER" });
});
