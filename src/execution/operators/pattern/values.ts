/**
 * Inputs of pattern expressions as columns of a page. Each access is a column of the store, of label names or of match numbers. It is read
 * through row numbers that the caller writes for each of its rows.
 */
import { PageBuilder } from "../../../page/builder.ts";
import type { Address, MemoryContext } from "../../../memory/memory.ts";
import type { Column } from "../../../page/page.ts";
import type { PatternRecognitionNode } from "../../../planner/plan/node.ts";
import type { PatternAccess } from "../../../planner/plan/pattern-nodes.ts";
import { BIGINT, VARCHAR } from "../../../types/type.ts";
import type { Variable } from "../../../planner/plan/typed-expression.ts";
import type { PositionedRows } from "../sort/sorted-rows.ts";
import type { MatchPath, RowRange } from "./match-path.ts";

/** Names of the labels in one column, followed by a NULL. */
export class LabelNames {
  readonly #builder: PageBuilder;
  readonly #column: Column;
  readonly nullRow: number;

  constructor(memory: MemoryContext, labels: readonly string[]) {
    this.#builder = new PageBuilder([VARCHAR], memory, labels.length + 1);
    for (const label of labels) {
      this.#builder.appendString(0, label);
    }
    this.#builder.appendNull(0);
    this.#column = this.#builder.build().columns[0] as Column;
    this.nullRow = labels.length;
  }

  column(ids: Address): Column {
    return { ...this.#column, ids };
  }

  close(): void {
    this.#builder.close();
  }
}

export interface PatternRows {
  readonly node: PatternRecognitionNode;
  readonly rows: PositionedRows;
  /** A row of NULLs in the store. */
  readonly nullRow: number;
  readonly names: LabelNames;
  readonly path: MatchPath;
  /** Channel of a column of the source. */
  channel(variable: Variable): number;
}

/** The columns of some accesses for up to `capacity` rows. */
export class AccessColumns {
  readonly #memory: MemoryContext;
  readonly #source: PatternRows;
  readonly #accesses: readonly PatternAccess[];
  readonly #words: readonly Address[];
  readonly #capacity: number;

  constructor(memory: MemoryContext, source: PatternRows, accesses: readonly PatternAccess[], capacity: number) {
    this.#memory = memory;
    this.#source = source;
    this.#accesses = accesses;
    this.#capacity = capacity;
    this.#words = accesses.map(({ value }) => memory.allocate((value.kind === "MATCH_NUMBER" ? 8 : 4) * capacity));
  }

  columns(): readonly Column[] {
    const { names, rows } = this.#source;
    return this.#accesses.map(({ value }, index): Column => {
      const words = this.#words[index] as Address;
      switch (value.kind) {
        case "COLUMN":
          return { ...rows.store.column(this.#source.channel(value.column)), ids: words };
        case "CLASSIFIER":
          return names.column(words);
        case "MATCH_NUMBER":
          return { type: BIGINT, values: words, nulls: 0, ids: 0, length: this.#capacity };
      }
    });
  }

  /** Sets row `index` of the page to what the accesses find from the row of the match at `place`. */
  writeFrom(index: number, place: number, range: RowRange, matchNumber: number): void {
    const { path } = this.#source;
    for (const [access, { navigation }] of this.#accesses.entries()) {
      const position = navigation === undefined ? -1 : path.resolve(navigation, place, range);
      this.#write(access, index, position, position < 0 ? undefined : path.labelOfPosition(position), matchNumber);
    }
  }

  /** Sets row `index` of the page to the row at a position, with a label. */
  writeRow(index: number, position: number, label: number, matchNumber: number): void {
    for (const access of this.#accesses.keys()) {
      this.#write(access, index, position, label, matchNumber);
    }
  }

  /** Sets it to the row at `physicalOffset` from a position, for accesses that read nothing else. */
  writeNear(index: number, position: number, label: number, range: RowRange): void {
    for (const [access, { navigation }] of this.#accesses.entries()) {
      const near = position + (navigation?.physicalOffset ?? 0);
      this.#write(access, index, near < range.first || near >= range.end ? -1 : near, label, 0);
    }
  }

  #write(access: number, index: number, position: number, label: number | undefined, matchNumber: number): void {
    const { names, nullRow, rows } = this.#source;
    const { u32 } = this.#memory.linear;
    const words = (this.#words[access] as Address) >>> 2;
    switch ((this.#accesses[access] as PatternAccess).value.kind) {
      case "COLUMN":
        u32[words + index] = position < 0 ? nullRow : rows.rowAt(position);
        return;
      case "CLASSIFIER":
        u32[words + index] = label ?? names.nullRow;
        return;
      case "MATCH_NUMBER":
        u32[words + 2 * index] = matchNumber;
        u32[words + 2 * index + 1] = Math.floor(matchNumber / 2 ** 32);
    }
  }
}
