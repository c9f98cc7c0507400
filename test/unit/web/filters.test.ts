import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chosenStates,
  filterNames,
  filterParameters,
  listPath,
  parseFilters,
  stateGroups,
  toggleStates,
} from "../../../src/web/queries/filters.ts";
import { queryStates } from "../../../src/protocol/documents/statement.ts";

const texts = fc.record(Object.fromEntries(filterNames.map((name) => [name, fc.string()])) as Record<string, fc.Arbitrary<string>>);
const filters = fc.record({
  values: texts as fc.Arbitrary<ReturnType<typeof parseFilters>["values"]>,
  sort: fc.constantFrom("-createTime", "user", "-elapsedTime"),
  limit: fc.integer({ min: 1, max: 1000 }),
  after: fc.constantFrom("", "20140206_200000_00000_dk5x2"),
  from: fc.nat(),
});

describe("filters of the queries", () => {
  it("reads from an address what it wrote into it", () => {
    fc.assert(
      fc.property(filters, (chosen) => {
        const whole = { ...chosen, from: chosen.after === "" ? 0 : chosen.from };
        const search = new URLSearchParams();
        for (const [name, value] of Object.entries(filterParameters(whole))) {
          search.set(name, value ?? "");
        }
        expect(parseFilters(new Map([...search].filter(([, value]) => value !== "")))).toEqual(whole);
      }),
    );
  });

  it("has a short address by default and ignores values that make no sense", () => {
    const plain = parseFilters(new Map());
    expect(Object.values(filterParameters(plain)).every((value) => value === undefined || value === "")).toBe(true);
    expect(listPath(plain)).toBe("v1/query?sort=-createTime&limit=100&preview=240");
    for (const limit of ["0", "-1", "many", "1e9", "1.5"]) {
      expect(parseFilters(new Map([["limit", limit]])).limit).toBe(100);
    }
    expect(parseFilters(new Map([["from", "7"]])).from).toBe(0);
  });

  it("sends every filter to the coordinator, whatever its text", () => {
    fc.assert(
      fc.property(filters, (chosen) => {
        const sent = new URL(listPath(chosen), "http://orrery").searchParams;
        for (const name of filterNames) {
          expect(sent.get(name) ?? "").toBe(chosen.values[name]);
        }
        expect(sent.get("limit")).toBe(String(chosen.limit));
        expect(sent.get("after") ?? "").toBe(chosen.after);
      }),
    );
  });

  it("has a group for every state, and a second click takes a group away", () => {
    expect(stateGroups.flatMap(({ states }) => states).sort()).toEqual(queryStates.map((state) => state.toLowerCase()).sort());
    fc.assert(
      fc.property(fc.subarray(stateGroups.map(({ states }) => states)), fc.constantFrom(...stateGroups), (chosen, { states }) => {
        const before = chosen
          .filter((one) => one !== states)
          .flat()
          .join(",");
        const once = toggleStates(before, states);
        expect(states.every((state) => chosenStates(once).has(state))).toBe(true);
        expect(toggleStates(once, states)).toBe(before);
      }),
    );
    expect(chosenStates(" RUNNING, ,failed")).toEqual(new Set(["running", "failed"]));
  });
});
