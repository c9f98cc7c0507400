/** Planted violations of the model of access control: nodes that show, refuse and end what the rules do not say. */
import { describe, expect, it } from "vitest";
import { access } from "../../../../sim/checkers/models/access.ts";
import { parseAccessRules } from "../../../../src/security/rules.ts";
import { type FabricatedAnswer, FabricatedRun } from "./fabricated.ts";

const id = "20260101_000000_00000_aaaaa";
const rules = parseAccessRules({
  queries: [
    { user: "r1", queryOwner: "r2", allow: ["view"] },
    { user: "r2", queryOwner: "r[13]", allow: ["kill"] },
    { user: "r.*", queryOwner: ".*", allow: [] },
    { user: "r1", allow: ["execute"] },
    { user: "anonymous", allow: ["view"] },
  ],
});
const as = (user: string, more: FabricatedAnswer = {}): FabricatedAnswer => ({ ...more, sentHeaders: { "x-trino-user": user } });

/** A query of the owner is there. */
function run(owner: string, hasRules = true): FabricatedRun {
  const fabricated = new FabricatedRun(access, hasRules ? { access: rules } : {});
  return fabricated.answer(1, "/v1/statement", as(owner, { method: "POST", body: { id } }));
}

const detail = (owner: string, user: string, status: number): readonly string[] =>
  run(owner).answer(2, `/v1/query/${id}`, as(user, { status, body: status === 200 ? { queryId: id } : "" })).said;
const cancel = (owner: string, user: string, status: number): readonly string[] =>
  run(owner).answer(2, `/v1/query/${id}`, as(user, { method: "DELETE", status })).said;

describe("the model of access control", () => {
  it.each([
    ["r1", "r1", 200],
    ["r2", "r1", 200],
    ["r3", "r1", 403],
    ["r2", "r3", 403],
    ["r1", "r2", 403],
    ["u1", "r1", 403],
    // No rule is for u1, so nothing is allowed.
    ["r1", "u1", 403],
    ["r1", "u1", 410],
  ])("accepts a document of %s for %s with status %i", (owner, user, status) => {
    expect(detail(owner, user, status)).toEqual([]);
  });

  it("accepts ends by those who may, and refusals", () => {
    expect([...cancel("r1", "r2", 204), ...cancel("r3", "r2", 204), ...cancel("r1", "r1", 204), ...cancel("u1", "r2", 403)]).toEqual([]);
  });

  it("reports a document that the rules do not allow", () => {
    expect(detail("r3", "r1", 200).join()).toContain(`r1, who may not view ${id} of r3, was answered 200`);
    // The first rule that matches decides: the second one is about kills alone.
    expect(detail("r1", "r2", 200).join()).toContain("r2, who may not view");
    // A pattern is of the whole name.
    expect(detail("r22", "r1", 200).join()).toContain("of r22");
    // A client that names no user has rules too.
    expect(run("r3").answer(2, `/v1/query/${id}`, { status: 403 }).said.join()).toContain("anonymous, who may view");
  });

  it("reports a refusal of what the rules allow", () => {
    expect(detail("r2", "r1", 403).join()).toContain("r1, who may view");
    expect(detail("r1", "r1", 403).join()).toContain("r1, who may view");
    expect(cancel("r1", "r2", 403).join()).toContain("r2, who may kill");
  });

  it("reports an end by somebody who has no right to it", () => {
    expect(cancel("r2", "r1", 204).join()).toContain(`r1, who may not kill ${id} of r2, was answered 204`);
    const killed = run("r2").answer(2, `/v1/query/${id}/killed`, as("r1", { method: "PUT", status: 202 }));
    expect(killed.said.join()).toContain("who may not kill");
    for (const path of [`/v1/stage/${id}.1`, `/v1/query/stage/${id}.1`]) {
      const stage = (user: string, status: number): string =>
        run("r2")
          .answer(2, path, as(user, { method: "DELETE", status }))
          .said.join();
      expect(stage("r1", 204)).toContain("who may not kill");
      expect(stage("r1", 403) + stage("r2", 204)).toBe("");
    }
    // A cancel of a query that has ended changes nothing.
    const ended = run("r2").transition(2, "query", id, "FINISHING -> FINISHED");
    expect(ended.answer(3, `/v1/query/${id}`, as("r1", { method: "DELETE", status: 204 })).said).toEqual([]);
    const restarted = run("r2").note(2, "c", "start", "life 2");
    expect(restarted.answer(3, `/v1/query/${id}`, as("r1", { method: "DELETE", status: 204 })).said).toEqual([]);
  });

  it.each(["/v1/query", "/v1/query?limit=3", "/ui/api/query"])("reports an entry of %s that its reader may not see", (path) => {
    const listed = (owner: string): readonly string[] =>
      run(owner).answer(2, path, as("r1", { body: [{ queryId: id, session: { user: owner }, sessionUser: owner }] })).said;
    expect(listed("r2")).toEqual([]);
    expect(listed("r3").join()).toContain(`listed ${id} of r3 for r1`);
  });

  it("reports a running query of a resource group that its reader may not see", () => {
    const group = (owner: string): string =>
      run(owner)
        .answer(2, "/v1/resourceGroupState", as("r1", { body: [{ runningQueries: [{ queryId: id, user: owner }] }] }))
        .answer(3, "/v1/resourceGroupState/global", as("r1", { body: { runningQueries: [{ queryId: id, user: owner }] } }))
        .said.join();
    expect(group("r2")).toBe("");
    expect(group("r3")).toContain(`/v1/resourceGroupState listed ${id} of r3 for r1`);
    expect(group("r3")).toContain(`/v1/resourceGroupState/global listed ${id}`);
  });

  it("says nothing without rules", () => {
    expect(run("r3", false).answer(2, `/v1/query/${id}`, as("r1", { body: { queryId: id } })).said).toEqual([]);
  });
});
