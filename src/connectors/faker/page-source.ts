/** Pages of generated rows. A value depends on the seed, the table, the column and the number of the row. */
import type { MemoryContext } from "../../memory/memory.ts";
import { PageBuilder } from "../../page/builder.ts";
import type { Page } from "../../page/page.ts";
import { utcKey, zonedMoment } from "../../types/time/zones.ts";
import type { Type } from "../../types/type.ts";
import { encodeUtf8 } from "../../types/utf8.ts";
import { appendConstantValue } from "../shared/constant-value.ts";
import type { PageSource } from "../spi.ts";
import { type GeneratedColumn, isFloating, isText, rangeOf, unitOf } from "./columns.ts";
import { Draws, hashOf } from "./draws.ts";
import { parseExpression, sentence } from "./expressions.ts";

/** Rows of a page: fewer than the engine's, because texts are long. */
const pageRowsMax = 4096;
const probabilityUnits = 0x1_0000_0000;

export interface FakerPageOptions {
  readonly columns: readonly GeneratedColumn[];
  /** Seed and name of the table. */
  readonly name: string;
  /** Numbers of the rows, from 0. */
  readonly from: number;
  readonly to: number;
  readonly memory: MemoryContext;
}

type Append = (builder: PageBuilder, column: number, draws: Draws, row: number) => number;

export class FakerPageSource implements PageSource {
  readonly #options: FakerPageOptions;
  readonly #columns: readonly { readonly hash: number; readonly append: Append; readonly nulls: number }[];
  readonly #draws = new Draws();
  readonly #pageRows: number;
  #builder: PageBuilder | undefined;
  #next: number;
  #closed = false;
  completedBytes = 0;

  constructor(options: FakerPageOptions) {
    const { columns, name, from, memory } = options;
    this.#options = options;
    this.#next = from;
    this.#pageRows = Math.min(pageRowsMax, memory.knobs.value("page-rows"));
    this.#columns = columns.map((column) => ({
      hash: hashOf(`${name}/${column.name}`),
      append: appenderOf(column),
      nulls: Math.round(column.nullProbability * probabilityUnits),
    }));
  }

  get finished(): boolean {
    return this.#closed || this.#next >= this.#options.to;
  }

  blocked(): undefined {
    return undefined;
  }

  nextPage(): Page | undefined {
    if (this.finished) {
      return undefined;
    }
    const { columns, memory, to } = this.#options;
    this.#builder ??= new PageBuilder(
      columns.map(({ type }) => type),
      memory,
      this.#pageRows,
    );
    const builder = this.#builder;
    builder.reset();
    const end = Math.min(to, this.#next + this.#pageRows);
    if (columns.length === 0) {
      builder.appendRows(end - this.#next);
    }
    for (let row = this.#next; row < end; row++) {
      this.#columns.forEach(({ append, hash, nulls }, index) => {
        this.#draws.start(hash, row);
        if (this.#draws.next() < nulls) {
          builder.appendNull(index);
          this.completedBytes++;
        } else {
          this.completedBytes += append(builder, index, this.#draws, row);
        }
      });
    }
    this.#next = end;
    return builder.build();
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#builder?.close();
    }
  }
}

/** Appends a value and returns its bytes. */
function appenderOf(column: GeneratedColumn): Append {
  const { allowed, type } = column;
  if (allowed !== undefined) {
    return (builder, index, draws) => {
      appendConstantValue(builder, index, type, draws.pick(allowed));
      return 8;
    };
  }
  if (isText(type)) {
    return textAppender(column);
  }
  if (isFloating(type)) {
    return floatingAppender(column);
  }
  switch (type.kind) {
    case "boolean":
      return (builder, index, draws) => {
        builder.appendBoolean(index, draws.below(2) === 1);
        return 1;
      };
    case "uuid":
    case "ipaddress":
      return (builder, index, draws) => {
        builder.appendBytes(
          index,
          Uint8Array.from({ length: 16 }, () => draws.below(256)),
        );
        return 16;
      };
    default:
      return integerAppender(column);
  }
}

function textAppender({ generator, type }: GeneratedColumn): Append {
  const generate = generator === undefined ? sentence : parseExpression(generator);
  const length = type.kind === "varchar" || type.kind === "char" ? (type.length ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  return (builder, index, draws) => {
    const text = generate(draws).slice(0, length);
    if (type.kind === "varbinary") {
      builder.appendBytes(index, encodeUtf8(text));
    } else {
      builder.appendString(index, text);
    }
    return text.length;
  };
}

function floatingAppender({ min, max, step }: GeneratedColumn): Append {
  const low = Number(min ?? 0);
  const high = Number(max ?? (min === undefined ? 1 : Math.max(low + 1, low * 2)));
  return (builder, index, draws, row) => {
    const value = step === undefined ? low + draws.fraction() * (high - low) : low + row * Number(step);
    builder.appendDouble(index, value);
    return 8;
  };
}

function integerAppender({ type, min, max, step }: GeneratedColumn): Append {
  const unit = unitOf(type);
  const [least, greatest] = rangeOf(type) as readonly [bigint, bigint];
  const [low, high] = [min === undefined ? least : BigInt(min), max === undefined ? greatest : BigInt(max)];
  const [first, last] = [ceiling(low, unit), floor(high, unit)];
  const start = min === undefined ? 0n : first * unit;
  // Steps begin again when the next value would leave the range.
  const stride = step === undefined ? undefined : BigInt(step);
  const steps = stride === undefined ? 1n : (last * unit - start) / stride + 1n;
  return (builder, index, draws, row) => {
    const value = stride === undefined ? draws.between(first, last < first ? first : last) * unit : start + (BigInt(row) % steps) * stride;
    builder.appendBigint(index, stored(type, value));
    return 8;
  };
}

function floor(value: bigint, unit: bigint): bigint {
  return (value - (((value % unit) + unit) % unit)) / unit;
}

function ceiling(value: bigint, unit: bigint): bigint {
  return -floor(-value, unit);
}

function stored(type: Type, value: bigint): bigint {
  return type.kind === "timestamp with time zone" ? zonedMoment(value, utcKey) : value;
}
