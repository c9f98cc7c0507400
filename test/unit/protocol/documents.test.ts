import { describe, expect, it } from "vitest";
import { documents, findDocument } from "../../../src/protocol/documents/documents.ts";
import { failureDocument, failureFacts } from "../../../src/protocol/documents/fields.ts";
import { parseJson, stringifyJson } from "../../../src/protocol/json.ts";
import { columnDocument, typeTextsOf } from "../../../src/protocol/documents/statement.ts";
import { DOUBLE, INTERVAL_DAY_TO_SECOND, TIMESTAMP, VARCHAR, decimalType, varcharType } from "../../../src/types/type.ts";

describe("documents", () => {
  for (const entry of documents) {
    it(`${entry.direction} of ${entry.method} ${entry.pattern}: the example is valid and survives the wire`, () => {
      expect(entry.schema.parse(entry.example)).toEqual(entry.example);
      const back = parseJson(stringifyJson(entry.example));
      expect(entry.schema.parse(back)).toEqual(entry.example);
      expect(parseJson(stringifyJson(entry.example, 2))).toEqual(back);
    });
  }

  it("is found by path; a literal part wins over a name", () => {
    expect(findDocument("GET", "/v1/info/state?pretty", "response")?.pattern).toBe("/v1/info/state");
    expect(findDocument("GET", "http://localhost:8080/v1/task/q.0.0/status", "response")?.pattern).toBe("/v1/task/{taskId}/status");
    expect(findDocument("GET", "/v1/query/20140206_200000_00000_dk5x2", "response")?.pattern).toBe("/v1/query/{queryId}");
    expect(findDocument("DELETE", "/v1/query/x", "response")).toBeUndefined();
  });

  it("carries a failure there and back", () => {
    const facts = {
      errorName: "DIVISION_BY_ZERO",
      message: "line 1:8: Division by zero",
      location: { lineNumber: 1, columnNumber: 8 },
    } as const;
    expect(failureFacts(failureDocument(facts))).toEqual(facts);
    expect(failureFacts({ type: "x", message: "y", suppressed: [], stack: [] }).errorName).toBe("GENERIC_INTERNAL_ERROR");
  });
});

describe("column types", () => {
  const text = (type: Parameters<typeof columnDocument>[1], family: "engine" | "presto" | "trino", parametricDatetime = false) =>
    columnDocument("c", type, { family, typeTexts: typeTextsOf(family, parametricDatetime) });

  it("are spelled as each generation of clients expects", () => {
    expect(text(decimalType(10, 2), "presto").type).toBe("decimal(10,2)");
    expect(text(decimalType(10, 2), "trino").type).toBe("decimal(10, 2)");
    expect(text(TIMESTAMP, "presto").type).toBe("timestamp");
    expect(text(TIMESTAMP, "trino", true).type).toBe("timestamp(3)");
    expect(text(INTERVAL_DAY_TO_SECOND, "presto").type).toBe("interval day to second");
    expect(text(varcharType(5), "engine").type).toBe("varchar(5)");
  });

  it("give varchar one argument even when it is unbounded", () => {
    expect(text(VARCHAR, "trino").typeSignature).toEqual({ rawType: "varchar", arguments: [{ kind: "LONG", value: 2147483647 }] });
    expect(text(varcharType(5), "presto").typeSignature).toEqual({ rawType: "varchar", arguments: [{ kind: "LONG_LITERAL", value: 5 }] });
    expect(text(DOUBLE, "trino").typeSignature).toEqual({ rawType: "double", arguments: [] });
  });
});
