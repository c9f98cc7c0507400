/**
 * The rows of a client are the rows of the pages that the coordinator got for it, written from docs/interface.md (Task) and from the forms
 * of values in the published protocol (section 1.11 of the interface): numbers are numbers; decimals, dates, timestamps, intervals, NaN and
 * infinities are texts; bytes are base64; char is padded. Judged for queries whose root stage only gathers, and for columns whose type has
 * one form. Pages are read by the checkers' own reader.
 */
import { type JsonValue, stringifyJson } from "../../../../src/protocol/json.ts";
import { frameRowCount, columnsOf, type RawValue, splitFrames } from "../../protocol/frames.ts";
import { headerOf, type Observed } from "../../protocol/wire.ts";
import { askInside } from "../inside.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";
import { statementAnswer, type StatementAnswer } from "./answer.ts";

/** Bytes of pages that are kept for a query; a larger result is not judged. */
const keptBytesMax = 128 * 1024;
const dayMillis = 86_400_000;
const dayMicros = 86_400_000_000n;
const microsDigits = 6;

interface Result {
  /** Frames by task and buffer, by token. */
  readonly frames: Map<string, Uint8Array[]>;
  readonly tokens: Set<number>;
  readonly rows: (readonly JsonValue[])[];
  bytes: number;
}

interface Variable {
  readonly name: string;
}

interface Root {
  readonly kind: string;
  readonly outputs: readonly Variable[];
  readonly source?: { readonly kind: string; readonly fragmentIds?: readonly number[]; readonly outputs: readonly Variable[] };
}

interface Detail {
  readonly state: string;
  readonly outputStage?: {
    readonly plan: { readonly root: Root };
    readonly subStages?: readonly {
      readonly stageId: string;
      readonly state: string;
      readonly tasks?: readonly { readonly taskId: string }[];
    }[];
  };
}

/** Reads a value as text, or as a number whose text is compared. */
type Form = (raw: Uint8Array) => string;

class RowsOfPages implements Model {
  readonly notes = ["start"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #results = new Map<string, Result>();

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
  }

  note({ place }: Note): void {
    if (place === this.#coordinator) {
      this.#results.clear();
    }
  }

  observe(answer: Observed): void {
    const { from, to, task, request, response } = answer;
    if (task?.what === "results" && from === this.#coordinator && request.method === "GET" && response.status === 200) {
      this.#pages(answer, this.#results.get(task.queryId));
    } else if (to === this.#coordinator) {
      const said = statementAnswer(answer);
      if (said?.document !== undefined) {
        this.#statement(said);
      }
    }
  }

  #pages({ task, response }: Observed, result: Result | undefined): void {
    if (result === undefined || result.bytes > keptBytesMax) {
      return;
    }
    result.bytes += response.body.length;
    const key = `${task?.taskId ?? ""}/${task?.bufferId ?? 0}`;
    const frames = result.frames.get(key) ?? [];
    result.frames.set(key, frames);
    const token = Number(headerOf(response.headers, "x-engine-page-sequence-id"));
    splitFrames(response.body).forEach((frame, index) => {
      frames[token + index] ??= frame;
    });
  }

  #statement({ id, document = {}, isSubmission, token = -1 }: StatementAnswer): void {
    if (isSubmission && !this.#results.has(id)) {
      this.#results.set(id, { frames: new Map(), tokens: new Set(), rows: [], bytes: 0 });
    }
    const result = this.#results.get(id);
    if (result === undefined || result.tokens.has(token)) {
      return;
    }
    result.tokens.add(token);
    const { data, columns, nextUri, stats } = document;
    if (data !== undefined && "segments" in data) {
      this.#results.delete(id);
      return;
    }
    result.rows.push(...((data ?? []) as readonly (readonly JsonValue[])[]));
    if (nextUri !== undefined) {
      return;
    }
    this.#results.delete(id);
    if (stats?.state === "FINISHED" && columns !== undefined && result.bytes <= keptBytesMax && result.rows.length > 0) {
      const types = columns.map(({ type }) => type);
      void askInside(this.#context.node(this.#coordinator), `/v1/query/${id}`).then((told) => {
        if (told?.status === 200) {
          this.#judge(id, { types, result, detail: told.json() as Detail });
        }
      });
    }
  }

  #judge(
    id: string,
    { types, result, detail }: { readonly types: readonly string[]; readonly result: Result; readonly detail: Detail },
  ): void {
    const { plan, subStages = [] } = detail.outputStage ?? {};
    const root = plan?.root;
    const [stage] = subStages;
    const source = root?.source;
    if (root?.kind !== "Output" || source?.kind !== "RemoteSource" || source.fragmentIds?.length !== 1 || stage?.tasks === undefined) {
      return;
    }
    const places = root.outputs.map(({ name }) => source.outputs.findIndex((output) => output.name === name));
    const frames = stage.tasks.flatMap(({ taskId }) => result.frames.get(`${taskId}/0`) ?? []);
    // The number of rows is judged elsewhere: a stage that was cancelled, or an attempt before, gave others.
    if (places.includes(-1) || frames.reduce((sum, frame) => sum + frameRowCount(frame), 0) !== result.rows.length) {
      return;
    }
    const forms = types.map(formOf);
    const columns = frames.map((frame) => columnsOf(frame));
    const expected = columns.flatMap((given, page) =>
      Array.from({ length: frameRowCount(frames[page] as Uint8Array) }, (_, row) =>
        places.map((place, index) => told(given[place]?.[row] ?? null, forms[index])).join("|"),
      ),
    );
    const found = result.rows.map((row) => row.map((cell, index) => textOf(cell, types[index] ?? "", forms[index])).join("|"));
    const isOrdered = stage.tasks.length === 1;
    const [a, b] = isOrdered ? [found, expected] : [found.sort(), expected.sort()];
    const wrong = a.findIndex((row, index) => row !== b[index]);
    this.#context.check(wrong < 0, () => `${id} gave its client the row ${String(a[wrong])}; its pages have ${String(b[wrong])}`);
  }
}

function told(raw: RawValue, form: Form | undefined): string {
  return raw === null ? "NULL" : form === undefined ? "*" : form(raw);
}

function textOf(cell: JsonValue | undefined, type: string, form: Form | undefined): string {
  if (cell === null || cell === undefined) {
    return "NULL";
  }
  if (form === undefined) {
    return "*";
  }
  if (typeof cell === "number" && (type === "double" || type === "real")) {
    return numberText(type === "real" ? Math.fround(cell) : cell);
  }
  return typeof cell === "object" ? stringifyJson(cell) : String(cell);
}

function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Undefined for types whose form depends on the client, or is more than a few lines. */
function formOf(type: string): Form | undefined {
  const [, name = "", first, second = "0"] = /^([a-z ]+)(?:\((\d+)(?:, ?(\d+))?\))?$/.exec(type) ?? [];
  const isShown = first !== undefined && Number(first) <= microsDigits;
  const forms: Readonly<Record<string, Form>> = {
    boolean: (raw) => String(raw[0] !== 0),
    tinyint: integerText,
    smallint: integerText,
    integer: integerText,
    bigint: integerText,
    real: (raw) => numberText(viewOf(raw).getFloat32(0, true)),
    double: (raw) => numberText(viewOf(raw).getFloat64(0, true)),
    decimal: (raw) => decimalText(integerOf(raw), Number(second)),
    varchar: utf8,
    char: (raw) => utf8(raw) + " ".repeat(Math.max(0, Number(first) - Array.from(utf8(raw)).length)),
    varbinary: (raw) => btoa(String.fromCharCode(...raw)),
    date: (raw) => dateText(Number(integerOf(raw))),
    // A client that does not know precisions gets three digits, rounded; its type has no precision.
    ...(isShown ? { timestamp: (raw: Uint8Array) => timestampText(integerOf(raw), Number(first)) } : {}),
    "interval day to second": (raw) => dayIntervalText(integerOf(raw)),
    "interval year to month": (raw) => monthIntervalText(Number(integerOf(raw))),
  };
  return Object.hasOwn(forms, name) ? forms[name] : undefined;
}

/** Two's complement, little-endian, of any width. */
function integerOf(raw: Uint8Array): bigint {
  return BigInt.asIntN(
    raw.length * 8,
    raw.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n),
  );
}

function integerText(raw: Uint8Array): string {
  return String(integerOf(raw));
}

function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const sign = unscaled < 0n ? "-" : "";
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The years of the ISO calendar, with a sign beyond four digits. */
function dateText(days: number): string {
  const date = new Date(days * dayMillis);
  const year = date.getUTCFullYear();
  const sign = year < 0 ? "-" : year > 9999 ? "+" : "";
  return `${sign}${String(Math.abs(year)).padStart(4, "0")}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

function timestampText(micros: bigint, digits: number): string {
  const unit = 10n ** BigInt(microsDigits - digits);
  const rounded = ((micros + unit / 2n) / unit - (micros + unit / 2n < 0n && (micros + unit / 2n) % unit !== 0n ? 1n : 0n)) * unit;
  const ofDay = ((rounded % dayMicros) + dayMicros) % dayMicros;
  const clock = [3_600_000_000n, 60_000_000n, 1_000_000n].map((part, index) => two(Number((ofDay / part) % (index === 0 ? 24n : 60n))));
  const fraction =
    digits === 0
      ? ""
      : `.${String(ofDay % 1_000_000n)
          .padStart(microsDigits, "0")
          .slice(0, digits)}`;
  return `${dateText(Number((rounded - ofDay) / dayMicros))} ${clock.join(":")}${fraction}`;
}

function dayIntervalText(millis: bigint): string {
  const whole = millis < 0n ? -millis : millis;
  const [day, hour, minute, second] = [86_400_000n, 3_600_000n, 60_000n, 1000n].map((unit) => whole / unit) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const clock = [hour % 24n, minute % 60n, second % 60n].map((part) => two(Number(part))).join(":");
  return `${millis < 0n ? "-" : ""}${day} ${clock}.${String(whole % 1000n).padStart(3, "0")}`;
}

function monthIntervalText(months: number): string {
  const whole = Math.abs(months);
  return `${months < 0 ? "-" : ""}${Math.trunc(whole / 12)}-${whole % 12}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

function utf8(raw: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(raw);
}

function viewOf(raw: Uint8Array): DataView {
  return new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
}

export const rowsOfPages: ModelKind = {
  invariant: {
    name: "rows-of-pages",
    sentence:
      "The rows that a client receives are those of the pages that the coordinator received for its query, in the forms of their types.",
    kind: "wrong-result",
    checkedIn: "checkers/models/statement/rows-of-pages.ts",
  },
  create: (context) => new RowsOfPages(context),
};
