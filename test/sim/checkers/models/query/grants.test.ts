/** Planted violations of the model of a catalog that keeps rights. */
import { describe, expect, it } from "vitest";
import { grants } from "../../../../../sim/checkers/models/grants/grants.ts";
import type { PlannedStatement } from "../../../../../sim/plan.ts";
import { type GrantStep, grantStatement } from "../../../../../sim/workload/grants.ts";
import { FabricatedRun } from "../fabricated.ts";

const usual: GrantStep = { action: "use", table: "default.t", privilege: "SELECT", party: "u:v2", role: "clerk", option: false, set: "" };
const steps = {
  create: { ...usual, action: "create" },
  grant: { ...usual, action: "grant" },
  revoke: { ...usual, action: "revoke" },
  drop: { ...usual, action: "drop" },
  read: usual,
} as const satisfies Record<string, GrantStep>;
type Name = keyof typeof steps;

const statements = Object.values(steps).map(
  (granting): PlannedStatement => ({ sql: grantStatement(granting, "vault"), behaviour: { kind: "reads-all" }, thinkNanos: 0, granting }),
);
const users = ["v1", "v2"].map((name) => ({ name, startNanos: 0, statements }));

type Properties = Readonly<Record<string, string>>;

/** One statement after the other, or at the same time; the tests write their moments. */
class Story {
  readonly run: FabricatedRun;
  readonly #names = new Map<string, { readonly user: string; readonly name: Name }>();
  #ms = 0;

  constructor(properties: Properties = {}) {
    this.run = new FabricatedRun(grants, { vault: true, users, properties });
  }

  begins(id: string, user: string, name: Name): this {
    this.#names.set(id, { user, name });
    this.run.note(this.#ms, user, "submit", grantStatement(steps[name], "vault"));
    this.run.transition(this.#ms++, "query", id, "QUEUED -> PLANNING");
    return this;
  }

  isPlanned(id: string): this {
    this.run.transition(this.#ms++, "query", id, "PLANNING -> RUNNING");
    return this;
  }

  ends(id: string, to: "FINISHED" | "FAILED", errorName?: string): this {
    this.run.transition(this.#ms++, "query", id, `${errorName === "PERMISSION_DENIED" ? "PLANNING" : "RUNNING"} -> ${to}`);
    return this.#answered(id, errorName);
  }

  #answered(id: string, errorName: string | undefined): this {
    const { name, user } = this.#names.get(id) as { user: string; name: Name };
    const sent = grantStatement(steps[name], "vault");
    const body = { id, ...(errorName === undefined ? {} : { error: { errorName } }) };
    this.run.answer(this.#ms++, "/v1/statement", { from: user, method: "POST", sent, sentHeaders: { "x-engine-user": user }, body });
    return this;
  }

  does(id: string, user: string, name: Name, errorName?: string): this {
    this.begins(id, user, name);
    return errorName === "PERMISSION_DENIED"
      ? this.ends(id, "FAILED", errorName)
      : this.isPlanned(id).ends(id, errorName === undefined ? "FINISHED" : "FAILED", errorName);
  }

  restarts(): this {
    this.run.note(this.#ms++, "c", "start", "life 2");
    return this;
  }

  get said(): string {
    return this.run.end(this.#ms).said.join();
  }
}

const denied = "PERMISSION_DENIED";
const wrong = "no order of the changes of rights explains it";

describe("the model of grants", () => {
  it("accepts what owners and grantees may do, and refusals of the others", () => {
    const story = new Story()
      .does("q1", "v1", "create")
      .does("q2", "v2", "read", denied)
      .does("q3", "v1", "grant")
      .does("q4", "v2", "read");
    expect(story.does("q5", "v2", "grant", denied).does("q6", "v1", "revoke").does("q7", "v2", "read", denied).said).toBe("");
    expect(story.run.held).toBeGreaterThan(8);
  });

  it("reports a right that nobody gave, one that was taken back, and one that is refused", () => {
    const begun = (): Story => new Story().does("q1", "v1", "create");
    expect(begun().does("q2", "v2", "read").said).toContain(wrong);
    expect(begun().does("q2", "v1", "grant").does("q3", "v1", "revoke").does("q4", "v2", "read").said).toContain(wrong);
    expect(begun().does("q2", "v1", "grant").does("q3", "v2", "read", denied).said).toContain(wrong);
    expect(begun().does("q2", "v1", "grant").does("q3", "v2", "grant").said).toContain(wrong);
  });

  it("reports a table that has the grants of its predecessor", () => {
    const story = new Story().does("q1", "v1", "create").does("q2", "v1", "grant").does("q3", "v1", "drop").does("q4", "v1", "create");
    expect(story.does("q5", "v2", "read").said).toContain(wrong);
  });

  it("lets statements of the same time come in any order, and only those", () => {
    const begun = (): Story => new Story().does("q1", "v1", "create").begins("q2", "v1", "grant").isPlanned("q2");
    const reads = (errorName?: string): Story => begun().does("q3", "v2", "read", errorName).ends("q2", "FINISHED");
    expect(reads().said).toBe("");
    expect(reads(denied).said).toBe("");
    expect(reads().does("q4", "v2", "read", denied).said).toContain(wrong);
    // Once somebody has seen the change, it has happened.
    expect(begun().does("q3", "v2", "read").does("q4", "v2", "read", denied).ends("q2", "FINISHED").said).toContain(wrong);
  });

  it("lets a change that failed have happened or not", () => {
    const failed = (errorName?: string): string =>
      new Story().does("q1", "v1", "create").does("q2", "v1", "grant", "USER_CANCELED").does("q3", "v2", "read", errorName).said;
    expect(failed()).toBe("");
    expect(failed(denied)).toBe("");
  });

  it("reports what is said not to be there, or to be there already", () => {
    expect(new Story().does("q1", "v1", "create").does("q2", "v1", "create", "TABLE_ALREADY_EXISTS").said).toBe("");
    expect(new Story().does("q1", "v1", "create", "TABLE_ALREADY_EXISTS").said).toContain(wrong);
    expect(new Story().does("q1", "v1", "create").does("q2", "v1", "read", "TABLE_NOT_FOUND").said).toContain(wrong);
  });

  it("expects rights to survive the coordinator exactly if the tables do", () => {
    const later = (properties: Properties, errorName?: string): string =>
      new Story(properties).does("q1", "v1", "create").does("q2", "v1", "grant").restarts().does("q3", "v2", "read", errorName).said;
    const kept = { "table-recovery.enabled": "true" };
    expect(later(kept)).toBe("");
    expect(later(kept, denied)).toContain(wrong);
    expect(later({}, "TABLE_NOT_FOUND")).toBe("");
    expect(new Story().does("q1", "v1", "create").does("q2", "v1", "drop").restarts().does("q3", "v1", "drop").said).toContain(wrong);
  });
});
