/**
 * Delivery: each page of a task's output reaches its one consumer once, in order and intact. Observed on the wire, at the producer: the
 * pages that each buffer served by token, the consumer's next requests, and the closing of buffers.
 */
import { readBody } from "./bodies.ts";
import { frameRowCount, sealOf, splitFrames } from "./frames.ts";
import { check, type Verdict } from "../violation.ts";
import { headerOf, type Observed, type TaskTarget } from "./wire.ts";

const oracle = "delivery";

/** One output buffer of one task instance. */
interface BufferStory {
  /** `place#life taskId `. */
  readonly name: string;
  readonly instanceId: string;
  /** Seal of each served frame, by token. */
  readonly seals: string[];
  /** Row count of each served frame, by token. */
  readonly rows: number[];
  /** Place of the consumer. */
  consumer: string | undefined;
  /** Tokens that a consumer may request: 0, and the ends of the responses that it received. */
  readonly steps: Set<number>;
  /** Tokens below this are acknowledged; `acknowledgedNanos` is the arrival time of that request. */
  acknowledged: number;
  acknowledgedNanos: number;
  /** Total number of frames, once a response declared the buffer complete. */
  total: number | undefined;
  totalEvent: number | undefined;
  /** The consumer or the coordinator closed the buffer, which may then declare itself complete at any token. */
  endedEarly: boolean;
  /** A DELETE with abort was answered before the buffer was complete. No consumer may see an end after that. */
  aborted: boolean;
  /** The buffer was closed before a response had declared it complete. */
  wasCut: boolean;
  /** The consumer has the first pages from a former run of the task. */
  isContinued: boolean;
}

/** Input buffers of a task, and whether the task must read all of them before it can end. */
interface Input {
  readonly locations: Set<string>;
  readsAll: boolean;
}

/** Plan nodes that may end before all of their input has arrived: enough rows, or an empty side of a join. */
const endsEarly = /"kind":"(Limit|TopN|Join|SemiJoin|Values|TableWriter|TableFinish|EnforceSingleRow)"/;
const locationPattern = /"location":"http:\/\/([^:"]+):\d+\/v1\/task\/([^/"]+)\/results\/(\d+)"/g;

/** Part of a buffer's output that its consumer received, for the statistics oracle. */
export interface Delivered {
  readonly frames: number;
  readonly rows: number;
  /** The consumer received the end, and the buffer was not closed early. */
  readonly isWhole: boolean;
}

const replacedPattern = /"from":"(http:[^"]+)","to":"(http:[^"]+)"/g;
const locationParts = /^http:\/\/([^:]+):\d+\/v1\/task\/([^/]+)\/results\/(\d+)$/;
const fetched = / GET (\/v1\/task\/([^/]+)\/results\/\S+)$/;

export class DeliveryOracle {
  readonly #verdict: Verdict;
  readonly #incarnations: (place: string) => number;
  readonly #taskState: (place: string, taskId: string) => string | undefined;
  /** Instance id by `place#life taskId`; `#owners` is the reverse map. */
  readonly #instances = new Map<string, string>();
  readonly #owners = new Map<string, string>();
  /** Inputs by `place#life taskId`. */
  readonly #inputs = new Map<string, Input>();
  /** Buffers by `place#life taskId `, then by `bufferId`. */
  readonly #stories = new Map<string, Map<string, BufferStory>>();
  /** Deleted tasks by `place#life taskId `: whether they were aborted, and the event. Their buffers may never have answered before. */
  readonly #deleted = new Map<string, { readonly aborted: boolean; readonly event: number }>();
  /** Buffers by `place taskId bufferId` that have declared their end or were closed, in any incarnation of the place. */
  readonly #ended = new Set<string>();
  /** Tasks by `place#life taskId ` that are run again when they are lost, and those of them that are not the first run. */
  readonly #retried = new Set<string>();
  readonly #reruns = new Set<string>();
  /** Page requests that arrived after their task had produced all pages: place, path, time. */
  readonly #wholeWhenAsked = new Set<string>();
  /** Ends that are too early, unless the same event also closed the buffer; the response to the close may be made slightly later. */
  readonly #suspects: { readonly story: BufferStory; readonly sentence: string; readonly event: number }[] = [];

  constructor(
    verdict: Verdict,
    nodes: { readonly incarnations: (place: string) => number; readonly taskState: (place: string, taskId: string) => string | undefined },
  ) {
    this.#verdict = verdict;
    this.#incarnations = nodes.incarnations;
    this.#taskState = nodes.taskState;
  }

  /** Receives every note of the world. */
  note(place: string, kind: string, detail: string, nowNanos: number): void {
    if (kind !== "serve" || !detail.includes(" exchange-fetch ")) {
      return;
    }
    const [, path = "", taskId = ""] = fetched.exec(detail) ?? [];
    const state = this.#taskState(place, taskId);
    if (state === "FLUSHING" || state === "FINISHED") {
      this.#wholeWhenAsked.add(`${place} ${path} ${nowNanos}`);
    }
  }

  observe(answer: Observed): void {
    const { task, request, response } = answer;
    if (this.#suspects.length > 0) {
      this.checkSuspects(answer.event);
    }
    if (task === undefined) {
      return;
    }
    if (task.what === "results" && request.method === "GET") {
      if (response.status === 200 || response.status === 204) {
        this.#pages(answer, task);
      }
    } else if (task.what === "buffer" && request.method === "DELETE" && response.status < 300) {
      this.#end(answer, task);
    } else if (task.what === "task" && response.status === 200) {
      this.#document(answer, task);
    } else if (task.what === "acknowledge" && response.status < 300) {
      const story = this.#find(this.#key(answer.to, task));
      if (story !== undefined) {
        acknowledge(story, task.token, answer.nowNanos);
      }
    }
  }

  /**
   * Returns what the consumer received from the buffer at `http://host:port/v1/task/{taskId}/results/{bufferId}`, in the current or an
   * earlier incarnation of the producer.
   */
  delivered(place: string, taskId: string, bufferId: number, incarnation: number = this.#incarnations(place)): Delivered | undefined {
    const story = this.#find(`${place}#${incarnation} ${taskId} ${bufferId}`);
    return story === undefined
      ? undefined
      : {
          frames: story.seals.length,
          rows: story.rows.reduce((sum, rows) => sum + rows, 0),
          isWhole: story.total === story.seals.length && !story.wasCut && !story.isContinued,
        };
  }

  /** Checks the suspects of events before `now`. */
  checkSuspects(now: number): void {
    for (const { story, sentence, event } of this.#suspects.splice(0)) {
      if (event >= now) {
        this.#suspects.push({ story, sentence, event });
      } else {
        this.#check(story.endedEarly, () => sentence);
      }
    }
  }

  #key(place: string, task: TaskTarget): string {
    return `${place}#${this.#incarnations(place)} ${task.taskId} ${task.bufferId}`;
  }

  #pages(answer: Observed, task: TaskTarget): void {
    const { isSenderAlive = true, to, path, response } = answer;
    const name = `${to} buffer ${task.bufferId} of ${task.taskId}`;
    const instanceId = headerOf(response.headers, "x-engine-task-instance-id") ?? "";
    this.#instance(answer, task, instanceId);
    const story = this.#story(this.#key(to, task), instanceId);
    const token = Number(headerOf(response.headers, "x-engine-page-sequence-id"));
    const nextToken = Number(headerOf(response.headers, "x-engine-page-end-sequence-id"));
    const complete = headerOf(response.headers, "x-engine-buffer-complete") === "true";
    this.#continued(answer, story, task);
    if (isSenderAlive) {
      this.#consumer(story, answer, task, name);
    } else if (token > story.seals.length) {
      // It was under way for longer than its sender lived, which has read a former run of the task. The next reader asks on its own.
      return;
    }
    this.#check(token === task.token, () => `${name} was asked for page ${task.token} and answered about page ${token}`);
    let frames: readonly Uint8Array[];
    try {
      frames = splitFrames(response.body);
    } catch {
      this.#check(false, () => `${name} answered page ${token} with bytes that are no pages`);
      return;
    }
    this.#check(nextToken === token + frames.length, () => `${name} calls ${frames.length} pages ${token} to ${nextToken}`);
    this.#check(
      frames.length === 0 || !(token < story.acknowledged && answer.arrivedNanos > story.acknowledgedNanos),
      () => `${name} serves page ${token} again although everything below ${story.acknowledged} was acknowledged`,
    );
    acknowledge(story, token, answer.arrivedNanos);
    frames.forEach((frame, index) => this.#frame(story, token + index, frame, name));
    if (frames.length > 0) {
      story.steps.add(nextToken);
    }
    if (complete) {
      const state = this.#taskState(to, task.taskId) ?? "";
      // All pages existed when the request arrived; the task may have been ended while the response was read from disk.
      const wasWhole = this.#wholeWhenAsked.has(`${to} ${path} ${answer.arrivedNanos}`);
      this.#check(
        wasWhole || (!story.aborted && (story.endedEarly || (state !== "FAILED" && state !== "ABORTED"))),
        () => `${name} says that it is complete, and its task ${story.aborted ? "was aborted" : `is ${state}`}`,
      );
      this.#ended.add(`${to} ${task.taskId} ${task.bufferId}`);
      this.#inputEnded(story, answer, task);
      this.#complete(story, nextToken, { name, event: answer.event });
    }
    if (story.total !== undefined && !story.endedEarly) {
      this.#check(
        nextToken <= story.total,
        () => `${name} gives page ${nextToken - 1} after it had said that ${String(story.total)} are all`,
      );
    }
  }

  /** A task whose output ends by itself must have received the end of its input before. */
  #inputEnded(story: BufferStory, { to, event }: Observed, { taskId }: TaskTarget): void {
    const input = this.#inputs.get(`${to}#${this.#incarnations(to)} ${taskId}`);
    if (input?.readsAll !== true || story.endedEarly) {
      return;
    }
    const open = [...input.locations].find((location) => !this.#ended.has(location));
    if (open === undefined) {
      this.#verdict.held(oracle);
    } else {
      this.#suspects.push({
        story,
        sentence: `${to} says that all pages of ${taskId} were given, and was not told the end of ${open}`,
        event,
      });
    }
  }

  /** The consumer goes on with a task that was run again, behind the pages that it has. */
  #continued({ request }: Observed, story: BufferStory, { token }: TaskTarget): void {
    const isFirst = story.seals.length === 0 && story.total === undefined;
    if (isFirst && this.#reruns.has(story.name) && headerOf(request.headers, "x-engine-pages-digest") !== undefined) {
      story.isContinued = true;
      story.steps.add(token);
      story.seals.length = token;
    }
  }

  #consumer(story: BufferStory, { from }: Observed, { token }: TaskTarget, name: string): void {
    // The next run of a lost consumer begins with the first page, as long as the producer has it.
    const isNext = story.consumer === undefined || (this.#retried.has(story.name) && token === 0 && story.acknowledged === 0);
    story.consumer = isNext ? from : story.consumer;
    this.#check(story.consumer === from, () => `${name} belongs to ${String(story.consumer)}, and ${from} reads it`);
    this.#check(story.steps.has(token), () => `${from} asks ${name} for page ${token}, which does not follow what it was given`);
  }

  #frame(story: BufferStory, token: number, frame: Uint8Array, name: string): void {
    const seal = sealOf(frame);
    this.#check(seal !== undefined, () => `${name} page ${token} has a wrong checksum`);
    const known = story.seals[token];
    if (known === undefined) {
      this.#check(token === story.seals.length, () => `${name} serves page ${token} after ${story.seals.length} pages`);
      story.seals[token] = seal ?? "";
      story.rows[token] = frameRowCount(frame);
    } else {
      this.#check(known === seal, () => `${name} serves other bytes as page ${token} the second time`);
    }
  }

  #complete(story: BufferStory, total: number, { name, event }: { readonly name: string; readonly event: number }): void {
    if (story.endedEarly) {
      return;
    }
    if (total < story.seals.length) {
      const sentence = `${name} is complete after ${total} pages although it has served ${story.seals.length}`;
      this.#suspects.push({ story, sentence, event });
      return;
    }
    this.#check(
      story.total === undefined || story.total === total,
      () => `${name} is complete after ${total} pages, and before it was after ${String(story.total)}`,
    );
    story.total ??= total;
    story.totalEvent ??= event;
  }

  /** The consumer closed the buffer. From now on the buffer may declare itself complete at any token. */
  #end(answer: Observed, task: TaskTarget): void {
    this.#ended.add(`${answer.to} ${task.taskId} ${task.bufferId}`);
    endStory(this.#story(this.#key(answer.to, task), undefined), answer.event);
  }

  #document(answer: Observed, task: TaskTarget): void {
    const instanceId = /"taskInstanceId":"([^"]*)"/.exec(answer.text())?.[1];
    if (instanceId !== undefined) {
      this.#instance(answer, task, instanceId);
    }
    if (answer.request.method === "POST") {
      this.#input(answer, task);
    } else if (answer.request.method === "DELETE") {
      const prefix = `${answer.to}#${this.#incarnations(answer.to)} ${task.taskId} `;
      const aborted = /[?&]abort=true/.test(answer.request.url);
      this.#deleted.set(prefix, { aborted, event: answer.event });
      for (const [bufferId, story] of this.#stories.get(prefix) ?? []) {
        this.#ended.add(`${answer.to} ${task.taskId} ${bufferId}`);
        // A buffer that was already complete may still report its end.
        story.aborted = aborted && !story.endedEarly && story.total === undefined;
        endStory(story, answer.event);
      }
    }
  }

  #input({ to, request }: Observed, { taskId }: TaskTarget): void {
    const key = `${to}#${this.#incarnations(to)} ${taskId}`;
    const input = this.#inputs.get(key) ?? { locations: new Set(), readsAll: true };
    this.#inputs.set(key, input);
    const text = readBody(request.body).text();
    for (const [, place = "", producer = "", bufferId = ""] of text.matchAll(locationPattern)) {
      input.locations.add(`${place} ${producer} ${bufferId}`);
    }
    for (const [, from = "", next = ""] of text.matchAll(replacedPattern)) {
      const [before, after] = [bufferOf(from), bufferOf(next)];
      if (input.locations.delete(before) && !this.#ended.has(before)) {
        input.locations.add(after);
      }
    }
    if (text.includes('"retryPolicy":"TASK"')) {
      this.#retried.add(`${key} `);
      if (text.includes('"partition":')) {
        this.#reruns.add(`${key} `);
      }
    }
    input.readsAll &&= !endsEarly.test(text);
  }

  /** A task object keeps one instance id while its node runs, and no two tasks share one. */
  #instance({ to }: Observed, { taskId }: TaskTarget, instanceId: string): void {
    const place = `${to}#${this.#incarnations(to)} ${taskId}`;
    const known = this.#instances.get(place);
    const owner = this.#owners.get(instanceId);
    this.#check(instanceId !== "", () => `${place} has no instance id`);
    this.#check(
      known === undefined || known === instanceId,
      () => `${place} changed its instance id from ${String(known)} to ${instanceId}`,
    );
    this.#check(owner === undefined || owner === place, () => `${place} has the instance id of ${String(owner)}`);
    this.#instances.set(place, instanceId);
    this.#owners.set(instanceId, place);
  }

  #find(key: string): BufferStory | undefined {
    const [prefix, bufferId] = partsOf(key);
    return this.#stories.get(prefix)?.get(bufferId);
  }

  #story(key: string, instanceId: string | undefined): BufferStory {
    const known = this.#find(key);
    if (known !== undefined) {
      return known;
    }
    const [prefix, bufferId] = partsOf(key);
    const story: BufferStory = {
      name: prefix,
      instanceId: instanceId ?? "",
      seals: [],
      rows: [],
      consumer: undefined,
      steps: new Set([0]),
      acknowledged: 0,
      acknowledgedNanos: 0,
      total: undefined,
      totalEvent: undefined,
      endedEarly: false,
      wasCut: false,
      isContinued: false,
      aborted: false,
    };
    const stories = this.#stories.get(prefix) ?? new Map<string, BufferStory>();
    this.#stories.set(prefix, stories.set(bufferId, story));
    const deleted = this.#deleted.get(prefix);
    if (deleted !== undefined) {
      story.aborted = deleted.aborted;
      endStory(story, deleted.event);
    }
    return story;
  }

  #check(holds: boolean, sentence: () => string): void {
    check(this.#verdict, "safety", oracle, holds, sentence);
  }
}

/** `place#life taskId ` and `bufferId`. */
function partsOf(key: string): readonly [prefix: string, bufferId: string] {
  const end = key.lastIndexOf(" ") + 1;
  return [key.slice(0, end), key.slice(end)];
}

/** `place taskId bufferId` of an address. */
function bufferOf(location: string): string {
  return locationParts.exec(location)?.slice(1).join(" ") ?? "";
}

function acknowledge(story: BufferStory, token: number, nanos: number): void {
  if (token > story.acknowledged) {
    story.acknowledged = token;
    story.acknowledgedNanos = nanos;
  }
}

/** An end in the same event that also closes the buffer from outside is not an end by itself. */
function endStory(story: BufferStory, event: number): void {
  if (!story.endedEarly) {
    story.endedEarly = true;
    story.wasCut = story.total === undefined || story.totalEvent === event;
  }
}
