/**
 * What a real run showed to the models, recorded once and shown to one model again and again: as it was, then each time with one planted
 * violation. A model must say nothing about the first and speak about each of the others.
 */
import { vi } from "vitest";
import { Facts } from "../../../../sim/checkers/facts.ts";
import type { ClientAnswer, Judged, ModelKind, Transition } from "../../../../sim/checkers/models/model.ts";
import { modelKinds, Models } from "../../../../sim/checkers/models/models.ts";
import { observed, type Observed } from "../../../../sim/checkers/protocol/wire.ts";
import type { RunPlan } from "../../../../sim/plan.ts";
import { runPlan } from "../../../../sim/run.ts";
import { decodeUtf8, encodeUtf8 } from "../../../../src/types/utf8.ts";

export interface RecordedNote {
  readonly place: string;
  readonly kind: string;
  readonly detail: string;
  readonly nowNanos: number;
}

export type Step =
  | { readonly note: RecordedNote }
  | { readonly answer: Observed }
  | { readonly transition: Transition }
  | { readonly client: Omit<ClientAnswer, "nowNanos"> };

export interface Recording {
  readonly plan: RunPlan;
  readonly steps: readonly Step[];
}

/** Runs a plan. The run must pass. */
export async function record(plan: RunPlan): Promise<Recording> {
  const steps: Step[] = [];
  let nowNanos = 0;
  const spies = [
    vi.spyOn(Facts.prototype, "note").mockImplementation(function (this: Facts, place, kind, detail, nanos) {
      nowNanos = nanos;
      steps.push({ note: { place, kind, detail, nowNanos } });
      return note.call(this, place, kind, detail, nanos);
    }),
    vi.spyOn(Models.prototype, "observe").mockImplementation(function (this: Models, answer) {
      nowNanos = answer.nowNanos;
      steps.push({ answer });
      return observe.call(this, answer);
    }),
    vi.spyOn(Models.prototype, "observeTransition").mockImplementation(function (this: Models, place, incarnation, change) {
      steps.push({ transition: { place, incarnation, ...change, nowNanos } });
      return observeTransition.call(this, place, incarnation, change);
    }),
    vi.spyOn(Models.prototype, "observeClient").mockImplementation(function (this: Models, name, request, response) {
      steps.push({ client: { user: name, request, response } });
      return observeClient.call(this, name, request, response);
    }),
  ];
  const { violations } = await runPlan(plan, {});
  for (const spy of spies) {
    spy.mockRestore();
  }
  if (violations.length > 0) {
    throw new Error(`the recorded run fails: ${violations.map(({ sentence }) => sentence).join("; ")}`);
  }
  return { plan, steps };
}

/**
 * Records a run, and by their paths the documents that the coordinator showed when a statement of a client had ended: the last ones, of
 * the paths that `pathsOf` names for the query.
 */
export async function recordWithDocuments(
  plan: RunPlan,
  pathsOf: (queryId: string) => readonly string[],
): Promise<{ readonly recording: Recording; readonly documents: ReadonlyMap<string, string> }> {
  const documents = new Map<string, string>();
  const keeper: ModelKind = {
    invariant: { name: "keeper", sentence: "Nothing is checked.", kind: "safety", checkedIn: "nowhere" },
    create: ({ node }) => ({
      observeClient: ({ response }) => {
        const text = decodeUtf8(response.body);
        const id = /"id":"([^"]+)"/.exec(text)?.[1] ?? "";
        for (const path of text.includes('"nextUri"') ? [] : pathsOf(id)) {
          const request = { method: "GET" as const, url: path, headers: {}, body: new Uint8Array(0) };
          const context = { remoteAddress: "test", baseUri: "http://c:8080", isAborted: () => false, onAbort: () => undefined };
          void node("c")
            ?.handle(request, context)
            .then(({ body }) => documents.set(path, decodeUtf8(body)));
        }
      },
    }),
  };
  const kinds = modelKinds as ModelKind[];
  kinds.push(keeper);
  try {
    return { recording: await record(plan), documents };
  } finally {
    kinds.pop();
  }
}

const { note } = Facts.prototype;
const { observe, observeClient, observeTransition } = Models.prototype;

const lookEvery = 10;

/** A change of the recording: other steps in place of one; undefined leaves it. */
export type Planted = (step: Step, index: number) => readonly Step[] | undefined;

export interface Heard {
  readonly said: readonly string[];
  readonly held: number;
  /** Number of steps that were changed. */
  readonly planted: number;
}

/** Shows a recording to a model. */
export function show(
  { plan, steps }: Recording,
  kind: ModelKind,
  planted: Planted = () => undefined,
  context: Partial<Judged> = {},
): Heard {
  const said: string[] = [];
  let held = 0;
  let count = 0;
  let nowNanos = 0;
  let answers = 0;
  const facts = new Facts();
  const verdict = {
    violate: (_: string, oracle: string, sentence: string) => said.push(`${oracle}: ${sentence}`),
    held: () => {
      held++;
    },
  };
  const now = (): number => nowNanos;
  const troubled = (): boolean => facts.anyTrouble();
  const views = { nowNanos: now, localNanos: now, files: () => [], fileBytes: () => undefined, node: () => undefined, troubled };
  const models = new Models(verdict, { plan, facts, ...views, ...context }, [kind]);
  steps.forEach((recorded, index) => {
    const changed = planted(recorded, index);
    count += changed === undefined ? 0 : 1;
    for (const step of changed ?? [recorded]) {
      if ("note" in step) {
        const { place, kind: what, detail } = step.note;
        nowNanos = step.note.nowNanos;
        facts.note(place, what, detail, nowNanos);
        models.note(place, what, detail);
      } else if ("answer" in step) {
        nowNanos = step.answer.nowNanos;
        models.observe(step.answer);
        if (++answers % lookEvery === 0) {
          models.look();
        }
      } else if ("client" in step) {
        models.observeClient(step.client.user, step.client.request, step.client.response);
      } else {
        const { place, incarnation, ...change } = step.transition;
        models.observeTransition(place, incarnation, change);
      }
    }
  });
  models.end();
  return { said, held, planted: count };
}

/** Adds notes after the first one for which `holds`, or puts them in its place. */
export function atNote(holds: (note: RecordedNote) => boolean, notes: (note: RecordedNote) => readonly RecordedNote[], skip = 0): Planted {
  let skipped = 0;
  return (step) => {
    if (!("note" in step) || !holds(step.note) || skipped++ !== skip) {
      return undefined;
    }
    return notes(step.note).map((one) => ({ note: one }));
  };
}

/** Changes the first answer for which `change` gives other members. */
export function once(change: (answer: Observed) => Partial<Observed> | undefined): Planted {
  let done = false;
  return (step) => {
    const other = done || !("answer" in step) ? undefined : change(step.answer);
    done ||= other !== undefined;
    return other === undefined || !("answer" in step) ? undefined : [{ answer: withMembers(step.answer, other) }];
  };
}

/** Changes the text of the first response whose method and address match, and in which `from` occurs. */
export function inResponse(address: RegExp, from: string | RegExp, to: string, skip = 0): Planted {
  let skipped = 0;
  return once(({ request, response, text }) => {
    if (!address.test(`${request.method} ${request.url}`) || !(response.headers["content-type"] ?? "").includes("json")) {
      return undefined;
    }
    const other = text().replace(from, to);
    return other === text() || skipped++ < skip ? undefined : { response: { ...response, body: encodeUtf8(other) } };
  });
}

/** The same for the text of a request. */
export function inRequest(address: RegExp, from: string | RegExp, to: string, skip = 0): Planted {
  let skipped = 0;
  return once(({ request }) => {
    if (!address.test(`${request.method} ${request.url}`)) {
      return undefined;
    }
    const text = decodeUtf8(request.body);
    const other = text.replace(from, to);
    return other === text || skipped++ < skip ? undefined : { request: { ...request, body: encodeUtf8(other) } };
  });
}

function withMembers(answer: Observed, other: Partial<Observed>): Observed {
  const { from, to, request, response, arrivedNanos, nowNanos, event } = { ...answer, ...other };
  return observed({ from, to, request, response, arrivedNanos }, { nowNanos, event });
}
