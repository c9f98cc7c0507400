import { expect, it } from "vitest";
import { remoteFailure } from "../../../../src/coordinator/routing/remote-failures.ts";
import type { StatementError } from "../../../../src/protocol/documents/statement.ts";

const error: StatementError = { message: "m", errorCode: 7, errorName: "HIVE_BAD_DATA", errorType: "EXTERNAL" };

it.each([
  ["HIVE_BAD_DATA", { errorName: "CONNECTOR_ERROR", message: "m", foreign: { code: 7, name: "HIVE_BAD_DATA", type: "EXTERNAL" } }],
  ["%_\\", { errorName: "CONNECTOR_ERROR", message: "m" }],
  ["", { errorName: "CONNECTOR_ERROR", message: "m" }],
  ["A B", { errorName: "CONNECTOR_ERROR", message: "m" }],
  ["A".repeat(101), { errorName: "CONNECTOR_ERROR", message: "m" }],
])("passes on the name of another cluster's error if it is one: %j", (errorName, expected) => {
  expect(remoteFailure({ ...error, errorName })).toEqual(expected);
});
