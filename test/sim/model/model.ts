/**
 * A model of the cluster with a few facts, and the commands of the test: a user's requests, deletions of tasks, crashes, and time. The
 * facts alone determine the allowed answers; a difference shrinks to a short list of commands.
 */
import fc from "fast-check";
import { expect } from "vitest";
import { noBody } from "../../../src/ports/network.ts";
import { parseJson, stringifyJson } from "../../../src/protocol/json.ts";
import { decodeUtf8, encodeUtf8 } from "../../../src/types/utf8.ts";
import type { SimulatedService } from "../../support/simulated-service.ts";

/** A statement and its expected rows as text, sorted, because most results are unordered. */
export interface Question {
  readonly sql: string;
  readonly rows: readonly string[];
}

interface Asked {
  readonly question: Question;
  /** Address and bytes of every answer so far; the last one can be requested again. */
  readonly answers: { readonly uri: string; readonly text: string }[];
  readonly rows: string[];
  nextUri: string | undefined;
  /** Simulated time of the last request for it, in milliseconds. */
  touchedMs: number;
  canceled: boolean;
}

/** The known state of the cluster. */
export interface Model {
  readonly asked: Asked[];
  readonly down: Set<string>;
  /** Something happened that may fail a statement. */
  troubled: boolean;
}

export interface Subject {
  readonly service: SimulatedService;
  readonly clientTimeoutMs: number;
}

type Command = fc.AsyncCommand<Model, Subject>;

interface StatementDocument {
  readonly id: string;
  readonly nextUri?: string;
  readonly data?: readonly unknown[];
  readonly columns?: readonly unknown[];
  readonly error?: { readonly errorName: string };
  readonly stats: { readonly state: string };
}

/** Errors allowed after a loss, a deleted task, a cancellation or a client timeout. */
const declared =
  /^(REMOTE_HOST_GONE|REMOTE_TASK_ERROR|REMOTE_TASK_MISMATCH|PAGE_TRANSPORT_ERROR|PAGE_TRANSPORT_TIMEOUT|TOO_MANY_REQUESTS_FAILED|NO_NODES_AVAILABLE|USER_CANCELED|ABANDONED_QUERY|ABANDONED_TASK|GENERIC_INSUFFICIENT_RESOURCES)$/;

export function sortedRows(rows: readonly unknown[]): string[] {
  return rows.map((row) => stringifyJson(row as never)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Resolves a command's number to a statement that has not ended. */
function pick(model: Model, number: number, holds: (asked: Asked) => boolean): Asked | undefined {
  const fitting = model.asked.filter(holds);
  return fitting[number % Math.max(1, fitting.length)];
}

function take(model: Model, subject: Subject, asked: Asked, uri: string, text: string): void {
  const document = parseJson(text) as unknown as StatementDocument;
  asked.touchedMs = subject.service.nowMs();
  asked.answers.push({ uri, text });
  asked.rows.push(...sortedRows(document.data ?? []));
  if (document.data !== undefined) {
    expect(document.columns, "data comes with columns").toBeDefined();
  }
  const previous = asked.nextUri;
  asked.nextUri = document.nextUri;
  if (document.nextUri !== undefined) {
    expect(tokenOf(document.nextUri)).toBe(previous === undefined ? tokenOf(document.nextUri) : tokenOf(previous) + 1);
    return;
  }
  if (document.error !== undefined) {
    expect(document.error.errorName).toMatch(declared);
    expect(model.troubled || asked.canceled, `${document.error.errorName} needs a cause`).toBe(true);
    return;
  }
  expect(document.stats.state).toBe("FINISHED");
  expect([...asked.rows].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))).toEqual(asked.question.rows);
}

function tokenOf(uri: string): number {
  return Number(/\/(\d+)(?:\?.*)?$/.exec(uri)?.[1] ?? "0");
}

async function ask(subject: Subject, method: "GET" | "POST" | "DELETE", uri: string, body = ""): Promise<{ status: number; text: string }> {
  const headers = { "x-presto-user": "model", "x-presto-catalog": "tpch", "x-presto-schema": "sf0.0028" };
  const response = await subject.service.request(method, uri, { headers, body: body === "" ? noBody : encodeUtf8(body) });
  return { status: response.status, text: decodeUtf8(response.body) };
}

/** No request came within its timeout, so it may be gone. */
function isStale(asked: Asked, subject: Subject): boolean {
  return subject.service.nowMs() - asked.touchedMs >= subject.clientTimeoutMs;
}

class Submit implements Command {
  constructor(readonly question: Question) {}
  check = (): boolean => true;
  async run(model: Model, subject: Subject): Promise<void> {
    const { status, text } = await ask(subject, "POST", `${subject.service.uri}/v1/statement`, this.question.sql);
    expect(status).toBe(200);
    const asked: Asked = { question: this.question, answers: [], rows: [], nextUri: undefined, touchedMs: 0, canceled: false };
    model.asked.push(asked);
    take(model, subject, asked, "", text);
  }
  toString = (): string => `submit(${this.question.sql})`;
}

class Poll implements Command {
  constructor(readonly number: number) {}
  check = (model: Readonly<Model>): boolean => model.asked.some(({ nextUri }) => nextUri !== undefined);
  async run(model: Model, subject: Subject): Promise<void> {
    const asked = pick(model, this.number, ({ nextUri }) => nextUri !== undefined) as Asked;
    const uri = asked.nextUri as string;
    const stale = isStale(asked, subject);
    model.troubled ||= stale;
    const { status, text } = await ask(subject, "GET", uri);
    if (status === 200) {
      take(model, subject, asked, uri, text);
      return;
    }
    expect([404, 410], "only what was cancelled or forgotten is gone").toContain(status);
    expect(asked.canceled || stale, `${status} needs a cause`).toBe(true);
    asked.nextUri = undefined;
  }
  toString = (): string => `poll(${this.number})`;
}

class PollAgain implements Command {
  constructor(readonly number: number) {}
  #fits = (asked: Asked): boolean => asked.answers.length > 1 && !asked.canceled;
  check = (model: Readonly<Model>): boolean => model.asked.some(this.#fits);
  async run(model: Model, subject: Subject): Promise<void> {
    const asked = pick(model, this.number, this.#fits) as Asked;
    const stale = isStale(asked, subject);
    const { uri, text: first } = asked.answers.at(-1) as Asked["answers"][number];
    const { status, text } = await ask(subject, "GET", uri);
    asked.touchedMs = subject.service.nowMs();
    if (status === 200) {
      expect(text, "the same token gives the same bytes").toBe(first);
    } else {
      expect([404, 410]).toContain(status);
      expect(stale, `${status} needs a cause`).toBe(true);
    }
  }
  toString = (): string => `pollAgain(${this.number})`;
}

class PollOld implements Command {
  constructor(readonly number: number) {}
  check = (model: Readonly<Model>): boolean => model.asked.some(({ answers }) => answers.length > 2);
  async run(model: Model, subject: Subject): Promise<void> {
    const asked = pick(model, this.number, ({ answers }) => answers.length > 2) as Asked;
    const { uri } = asked.answers.at(-2) as Asked["answers"][number];
    expect([404, 410], "what was acknowledged is gone").toContain((await ask(subject, "GET", uri)).status);
  }
  toString = (): string => `pollOld(${this.number})`;
}

class Cancel implements Command {
  constructor(readonly number: number) {}
  check = (model: Readonly<Model>): boolean => model.asked.some(({ nextUri }) => nextUri !== undefined);
  async run(model: Model, subject: Subject): Promise<void> {
    const asked = pick(model, this.number, ({ nextUri }) => nextUri !== undefined) as Asked;
    const stale = isStale(asked, subject);
    const { status } = await ask(subject, "DELETE", asked.nextUri as string);
    expect(stale ? [204, 404, 410] : [204]).toContain(status);
    asked.canceled = true;
  }
  toString = (): string => `cancel(${this.number})`;
}

class DeleteTask implements Command {
  constructor(
    readonly worker: number,
    readonly number: number,
  ) {}
  check = (model: Readonly<Model>): boolean => model.asked.some(({ nextUri }) => nextUri !== undefined);
  async run(model: Model, { service }: Subject): Promise<void> {
    const name = service.workerNames[this.worker % service.workerNames.length] as string;
    if (model.down.has(name)) {
      return;
    }
    const uri = service.workerUris[service.workerNames.indexOf(name)] as string;
    const listed = parseJson(decodeUtf8((await service.request("GET", `${uri}/v1/task`)).body)) as unknown as readonly {
      readonly taskId: string;
    }[];
    const task = listed[this.number % Math.max(1, listed.length)];
    if (task !== undefined) {
      model.troubled = true;
      // Its query may just have ended and removed the task.
      expect([200, 404]).toContain((await service.request("DELETE", `${uri}/v1/task/${task.taskId}`)).status);
    }
  }
  toString = (): string => `deleteTask(w${this.worker}, ${this.number})`;
}

class Crash implements Command {
  constructor(readonly worker: number) {}
  check = (): boolean => true;
  run(model: Model, { service }: Subject): Promise<void> {
    const name = service.workerNames[this.worker % service.workerNames.length] as string;
    if (!model.down.has(name)) {
      model.down.add(name);
      model.troubled = true;
      service.cluster.crash(name);
    }
    return Promise.resolve();
  }
  toString = (): string => `crash(w${this.worker})`;
}

class Heal implements Command {
  check = ({ down }: Readonly<Model>): boolean => down.size > 0;
  run(model: Model, { service }: Subject): Promise<void> {
    for (const name of model.down) {
      service.cluster.restart(name);
    }
    model.down.clear();
    return Promise.resolve();
  }
  toString = (): string => "heal";
}

class Advance implements Command {
  constructor(readonly ms: number) {}
  check = (): boolean => true;
  run(_: Model, { service }: Subject): Promise<void> {
    return service.wait(this.ms);
  }
  toString = (): string => `advance(${this.ms} ms)`;
}

export function commands(questions: readonly Question[]): fc.Arbitrary<Iterable<Command>> {
  const number = fc.nat(5);
  return fc.commands(
    [
      fc.constantFrom(...questions).map((question) => new Submit(question)),
      number.map((which) => new Poll(which)),
      number.map((which) => new Poll(which)),
      number.map((which) => new PollAgain(which)),
      number.map((which) => new PollOld(which)),
      number.map((which) => new Cancel(which)),
      fc.tuple(fc.nat(1), number).map(([worker, which]) => new DeleteTask(worker, which)),
      fc.nat(1).map((worker) => new Crash(worker)),
      fc.constant(new Heal()),
      fc.constantFrom(5, 200, 3_000, 60_000).map((ms) => new Advance(ms)),
    ],
    { maxCommands: 40, size: "max" },
  );
}

/** Longer than every timeout that cleans up after a lost node or client, in milliseconds. */
const restMsMax = 1_500_000;

function leftovers({ cluster }: SimulatedService): readonly string[] {
  return cluster.names.flatMap((name) =>
    Object.entries(cluster.node(name)?.leftovers() ?? { down: 1 }).flatMap(([what, count]) =>
      count === 0 ? [] : [`${name} ${what}=${count}`],
    ),
  );
}

/** After healing, the cluster ends everything, frees everything and answers the next statement. */
export async function comesToRest(model: Model, subject: Subject, question: Question): Promise<void> {
  const { service } = subject;
  await new Heal().run(model, subject);
  let left = leftovers(service);
  for (let waitedMs = 0; left.length > 0 && waitedMs < restMsMax; waitedMs += 20_000) {
    await service.wait(20_000);
    left = leftovers(service);
  }
  expect(left).toEqual([]);
  const fresh: Model = { asked: [], down: new Set(), troubled: false };
  await new Submit(question).run(fresh, subject);
  for (let polls = 0; fresh.asked[0]?.nextUri !== undefined && polls < 100; polls++) {
    await new Poll(0).run(fresh, subject);
  }
  expect(fresh.asked[0]?.nextUri, "a plain statement ends").toBeUndefined();
}
