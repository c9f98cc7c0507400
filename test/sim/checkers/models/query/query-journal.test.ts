/** Planted violations of the model of the journal of queries: answers that leave before what they depend on is on the disk. */
import { describe, expect, it } from "vitest";
import { queryJournal } from "../../../../../sim/checkers/models/query/query-journal.ts";
import { encodeUtf8 } from "../../../../../src/types/utf8.ts";
import { type FabricatedAnswer, FabricatedRun } from "../fabricated.ts";

const id = "20260101_000000_00000_aaaaa";
const path = "query-history/journal/1-a-000000.journal";
const query = `0000 {"kind":"query","id":"${id}","positions":[]}\n`;
const given = (token: number): string => `0000 {"kind":"given","id":"${id}","token":${token}}\n`;
const over = `0000 {"kind":"over","id":"${id}"}\n`;

/** A coordinator whose disk holds what the test has put there. */
class Coordinator {
  readonly disk = new Map<string, string>();
  readonly run: FabricatedRun;

  constructor(enabled = "true") {
    const context = {
      files: () => [...this.disk.keys()],
      fileBytes: (_: string, file: string) => encodeUtf8(this.disk.get(file) ?? ""),
    };
    this.run = new FabricatedRun(queryJournal, { properties: { "query-recovery.enabled": enabled } }, context);
  }

  wrote(...lines: readonly string[]): this {
    this.disk.set(path, `${this.disk.get(path) ?? ""}${lines.join("")}`);
    return this;
  }

  submitted(sentHeaders: FabricatedAnswer["sentHeaders"] = {}): this {
    this.run.answer(1, "/v1/statement", {
      method: "POST",
      sentHeaders: { "x-engine-user": "u1", ...sentHeaders },
      body: { id, nextUri: "n" },
    });
    return this;
  }

  polled(token: number, next: { readonly nextUri?: string } = { nextUri: "n" }): this {
    this.run.answer(token + 1, `/v1/statement/${id}/${token}?slug=s`, { body: { id, ...next } });
    return this;
  }

  get said(): string {
    return this.run.said.join();
  }
}

describe("the model of the journal of queries", () => {
  it("says nothing if each line is there before its answer", () => {
    const calm = new Coordinator()
      .wrote(query)
      .submitted()
      .wrote(given(1))
      .polled(1)
      .wrote(given(2))
      .polled(2)
      .polled(2)
      .polled(3, {})
      .wrote(over);
    expect([calm.said, calm.run.held]).toEqual(["", 11]);
  });

  it("speaks of a query that is answered without a record", () => {
    expect(new Coordinator().submitted().said).toContain("has no record of it");
  });

  it("speaks of a document whose line is not there, or only half", () => {
    expect(new Coordinator().wrote(query).submitted().polled(1).said).toContain(
      "token 1, and the journal on the disk does not have its line",
    );
    expect(new Coordinator().wrote(query, given(1).slice(0, -1)).polled(1).said).toContain("does not have its line");
  });

  it("speaks of lines that have left with their file", () => {
    const coordinator = new Coordinator().wrote(query).submitted();
    coordinator.disk.delete(path);
    expect(coordinator.wrote(given(1)).polled(1).said).toBe("");
    coordinator.disk.delete(path);
    expect(coordinator.polled(1).said).toContain("has no record of it");
  });

  it("speaks of a query that is over on the disk and goes on", () => {
    expect(new Coordinator().wrote(query, over).submitted().said).toContain("says that it is over");
  });

  it("speaks of a query whose client asks no more, and that is not over seven seconds later", () => {
    const forgotten = new Coordinator().wrote(query).submitted().polled(1, {});
    expect(forgotten.run.look(6_000).look(6_001).said).toEqual([]);
    Array.from({ length: 32 }, (_, index) => forgotten.run.look(7_100 + index));
    expect(forgotten.said).toContain("does not say that it is over");
    const told = new Coordinator().wrote(query).submitted().polled(1, {}).wrote(over);
    Array.from({ length: 32 }, (_, index) => told.run.look(7_100 + index));
    expect([told.said, told.run.held]).toEqual(["", 3]);
  });

  it("is silent where nothing is promised: no recovery, secrets, a failed query, a disk that fails, a shutdown", () => {
    expect(new Coordinator("false").submitted().said).toBe("");
    expect(new Coordinator().submitted({ "x-engine-extra-credential": "a=b" }).said).toBe("");
    const failed = new Coordinator();
    failed.run.transition(1, "query", id, "RUNNING -> FAILED");
    expect(failed.polled(1).said).toBe("");
    const sick = new Coordinator();
    sick.run.note(0, "world", "fault", "disk-errors c 30% of operations 0.000s..5.000s");
    expect(sick.submitted().said).toBe("");
    const leaving = new Coordinator();
    leaving.run.note(1, "c", "log-info", "shutdown-started {}");
    expect(leaving.submitted().said).toBe("");
  });

  it("speaks of a new query without a record once the disk has recovered, and not of one from before", () => {
    const fault = "full-disk c at 0 bytes 0.000s..5.000s";
    const recovered = (): Coordinator => {
      const coordinator = new Coordinator();
      coordinator.run.note(0, "world", "fault", fault);
      return coordinator;
    };
    const old = recovered().submitted();
    old.run.note(2, "world", "heal", fault);
    expect(old.polled(4).said).toBe("");
    const fresh = recovered();
    fresh.run.note(0, "world", "heal", fault);
    expect(fresh.submitted().said).toContain("the journal on the disk has no record of it");
    const torn = recovered();
    torn.run.note(0, "world", "heal", fault);
    expect(torn.wrote('0000 {"kind":"qu', query).submitted().said).toContain("has no record of it");
  });
});
