/**
 * A query that runs again computes the same: the task of a partition emits the same pages with the same numbers in each attempt. Compared
 * on the wire, by the checksums of pages, which the checker of their delivery compares with their bytes. Tables of the system change by
 * themselves and are left out, and so are queries of which a user has ended a stage: what its readers get depends on when.
 */
import type { Facts } from "../facts.ts";
import { readBody } from "../protocol/bodies.ts";
import { check, type Verdict } from "../violation.ts";
import type { Observed } from "../protocol/wire.ts";

const oracle = "attempts";

/** Magic number, rows, columns, length of the body, checksum. */
const headerBytes = 24;
const lengthOffset = 12;
const changing = /"catalog":"system"|"information_schema"/;

interface Update {
  readonly partition?: number;
  readonly fragment?: object;
}

interface Seen {
  readonly taskId: string;
  readonly hash: number;
}

export class AttemptOracle {
  readonly #verdict: Verdict;
  readonly #facts: Facts;
  readonly #coordinator: string;
  /** Name of what a task computes, by task: the coordinator's incarnation, the query, the stage and the partition. */
  readonly #computed = new Map<string, string>();
  /** Queries that read tables of the system. */
  readonly #excluded = new Set<string>();
  /** Pages by what they are computed by, buffer and number. */
  readonly #pages = new Map<string, Seen>();

  constructor(verdict: Verdict, facts: Facts, coordinator: string) {
    this.#verdict = verdict;
    this.#facts = facts;
    this.#coordinator = coordinator;
  }

  observe({ request, response, task }: Observed): void {
    if (task?.what === "task" && request.method === "POST" && response.status === 200 && !this.#computed.has(task.taskId)) {
      this.#created(task.taskId, readBody(request.body));
    } else if (task?.what === "results" && request.method === "GET" && response.status === 200) {
      this.#given(task.taskId, `${task.bufferId}`, { body: response.body, token: task.token });
    }
  }

  #created(taskId: string, body: ReturnType<typeof readBody>): void {
    const [queryId = "", stage = "", number] = taskId.split(".");
    const { partition = Number(number), fragment } = body.json() as Update;
    const text = body.text();
    // A writer outputs the names of the parts that it has written.
    if (fragment !== undefined && !text.includes('"kind":"TableWriter"')) {
      this.#computed.set(taskId, `${this.#facts.livesOf(this.#coordinator)} ${queryId}.${stage}.${partition}`);
      if (changing.test(text)) {
        this.#excluded.add(queryId);
      }
    }
  }

  #given(taskId: string, bufferId: string, { body, token }: { readonly body: Uint8Array; readonly token: number }): void {
    const computed = this.#computed.get(taskId);
    const queryId = taskId.slice(0, taskId.indexOf("."));
    if (computed === undefined || this.#excluded.has(queryId) || this.#facts.hasEndedStages(queryId)) {
      return;
    }
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    for (let at = 0, page = token; at + headerBytes <= body.length; page++) {
      const end = at + headerBytes + view.getUint32(at + lengthOffset, true);
      const key = `${computed} ${bufferId} ${page}`;
      const hash = hashOf(body.subarray(at, at + headerBytes));
      const known = this.#pages.get(key);
      if (known === undefined) {
        this.#pages.set(key, { taskId, hash });
      } else if (known.taskId !== taskId) {
        check(
          this.#verdict,
          "nondeterminism",
          oracle,
          known.hash === hash,
          () => `page ${page} of buffer ${bufferId} of ${taskId} is another one than that of ${known.taskId}, which computed the same`,
        );
      }
      at = end;
    }
  }
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash;
}
