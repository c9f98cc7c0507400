/** Planted violations of the model of rights. */
import { describe, expect, it } from "vitest";
import { rights } from "../../../../sim/checkers/models/rights.ts";
import { FabricatedRun } from "./fabricated.ts";

const id = "20260101_000000_00000_aaaaa";
const uri = (slug = "x5eed"): string => `/v1/statement/${id}/1?slug=${slug}`;
const canceled = { id, error: { errorName: "USER_CANCELED" } };

function submitted(): FabricatedRun {
  const sentHeaders = { "x-engine-user": "u1" };
  const body = { id, nextUri: `http://c:8080${uri()}` };
  return new FabricatedRun(rights).answer(1, "/v1/statement", { method: "POST", sent: "SELECT 1", sentHeaders, body });
}

const listed = (more: object = {}): object => ({ queryId: id, query: "SELECT 1", session: { user: "u1" }, ...more });
const listedAs = (element: object): readonly string[] => submitted().answer(2, "/v1/query", { from: "operator", body: [element] }).said;

describe("the model of rights", () => {
  it("accepts cancels by the client and by the query resource, and refusals", () => {
    expect(submitted().answer(2, uri(), { method: "DELETE", status: 204 }).answer(3, uri(), { body: canceled }).said).toEqual([]);
    expect(submitted().answer(2, `/v1/query/${id}`, { method: "DELETE", status: 204 }).answer(3, uri(), { body: canceled }).said).toEqual(
      [],
    );
    expect(submitted().answer(2, uri("other"), { method: "DELETE", status: 404 }).answer(3, uri(), { body: { id } }).said).toEqual([]);
    expect(listedAs(listed())).toEqual([]);
  });

  it("reports a query that is cancelled by nobody, or by a stranger", () => {
    expect(submitted().answer(3, uri(), { body: canceled }).said.join()).toContain("nobody with its slug asked");
    const stranger = submitted().answer(2, uri("other"), { method: "DELETE", status: 204 });
    expect(stranger.answer(3, uri(), { body: canceled }).said.join()).toContain("nobody with its slug asked");
    const refused = submitted()
      .transition(2, "query", id, "RUNNING -> FAILED")
      .answer(2, uri("other"), { from: "u2", method: "DELETE", status: 404 });
    expect(refused.said.join()).toContain("failed when u2 tried to cancel it");
    expect(listedAs(listed({ errorCode: { name: "USER_CANCELED" } })).join()).toContain("nobody with its slug asked");
    expect(listedAs(listed({ errorCode: { name: "ADMINISTRATIVELY_KILLED" } })).join()).toContain("nobody asked for that");
  });

  it("accepts a kill that a client asked for, and no other", () => {
    const ended = (kill: string, status: number): string =>
      submitted()
        .answer(2, `/v1/query/${id}/${kill}`, { method: "PUT", status })
        .answer(3, uri(), { body: { id, error: { errorName: "ADMINISTRATIVELY_KILLED" } } })
        .said.join();
    expect(ended("killed", 202)).toBe("");
    expect(ended("preempted", 202)).toContain("nobody asked for that");
    expect(ended("killed", 409)).toContain("nobody asked for that");
  });

  it("reports a slug that others learn", () => {
    expect(listedAs(listed({ self: "http://c:8080/?slug=x5eed" })).join()).toContain("told operator the slug");
    const other = submitted().answer(2, uri(), { body: { id, nextUri: `http://c:8080${uri("y5eed")}` } });
    expect(other.said.join()).toContain("the slug of another query");
  });

  it("reports a query that is listed with another user or statement", () => {
    expect(listedAs(listed({ session: { user: "u2" } })).join()).toContain("is listed as u2's");
    expect(listedAs(listed({ query: "SELECT 2" })).join()).toContain("SELECT 2");
  });
});
