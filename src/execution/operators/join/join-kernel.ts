/**
 * The probe of a join as one kernel. For each probe row it visits the candidates of the build side in build order and writes the pairs of
 * row numbers that pass the filter.
 *
 * The kernel stops when the arrays of pairs are full or when it has filtered `candidatesPerCall` candidates, and later resumes at that
 * place. One page of probe rows may have a billion candidates without a match, which would block the node. Pairs accumulate over such
 * stops, so the stops do not show in the output pages.
 */
import { type InputLayout, type InputReader, openInput } from "../../expressions/columns.ts";
import { emitEquals } from "../../../functions/runtime/operations.ts";
import { buildKernel, type CodeBuilder, i32, i64, type Local } from "../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../codegen/ir.ts";
import { emitLookUp, type JoinTableKind } from "../../hash-table/join-table.ts";

/**
 * Control block, all u32: the table; addresses of the pairs and their capacity. Then the resume state: position, candidate + 1, whether the
 * position's candidates were looked up, whether one matched, number of pairs. Last the number of candidates that the call may still filter.
 */
export const joinControl = Object.freeze({
  slots: 0,
  mask: 4,
  next: 8,
  visited: 12,
  buildRows: 16,
  probeOut: 20,
  buildOut: 24,
  capacity: 28,
  position: 32,
  candidate: 36,
  begun: 40,
  matched: 44,
  /** As an i64. */
  keyMin: 48,
  pairs: 56,
  candidatesLeft: 60,
  bytes: 64,
});

export interface JoinKernelOptions {
  readonly name: string;
  readonly probe: InputLayout;
  readonly build: InputLayout;
  /** Empty: every build row is a candidate. */
  readonly keys: readonly { readonly probeChannel: number; readonly buildChannel: number }[];
  /** Outputs probe rows without a match, paired with the null row (number buildRows). */
  readonly keepsProbe: boolean;
  /** How the table is addressed (join-table.ts). */
  readonly table: JoinTableKind;
  readonly tracksVisited: boolean;
  readonly filter?: JoinFilterCode;
  /** Number of further parameters of the kernel, for the filter. */
  readonly extraParams: number;
}

export interface JoinPair {
  readonly probe: InputReader;
  readonly probeRow: Expr;
  readonly build: InputReader;
  readonly buildRow: Expr;
}

export interface JoinFilterCode {
  /** Called once, at the start of the kernel. */
  open(
    b: CodeBuilder,
    params: readonly Expr[],
  ): {
    /** A failed evaluation jumps out of `body`. */
    guarded(body: () => void): void;
    /** i32 0 or 1 for a pair. */
    emit(pair: JoinPair): Expr;
  };
}

/**
 * Parameters: probe page arguments, build page arguments, control block (and extra). Returns the number of pairs since they were last
 * taken. The caller takes them when the arrays are full or when the page is done, that is when position equals its count.
 */
export function joinProbeKernel(options: JoinKernelOptions): Kernel {
  return buildKernel(options.name, (kernel) => {
    const params = ["i32", "i32", "i32", ...Array.from({ length: options.extraParams }, () => "i32" as const)] as const;
    kernel.entry({ params, result: "i32" }, (b, entryParams) => {
      const [probeArguments, buildArguments, control] = entryParams;
      const filter = options.filter?.open(b, entryParams.slice(3));
      const emitter = new ProbeEmitter(b, options, { probeArguments, buildArguments, control }, filter?.emit);
      if (filter === undefined) {
        emitter.emit();
      } else {
        filter.guarded(() => emitter.emit());
        b.return_(i32.const(0));
      }
    });
  });
}

class ProbeEmitter {
  readonly #b: CodeBuilder;
  readonly #options: JoinKernelOptions;
  readonly #control: Local;
  readonly #probe: InputReader;
  readonly #build: InputReader;
  readonly #fields: Readonly<
    Record<
      | "slots"
      | "mask"
      | "next"
      | "visited"
      | "buildRows"
      | "probeOut"
      | "buildOut"
      | "capacity"
      | "position"
      | "candidate"
      | "begun"
      | "matched",
      Local
    >
  >;
  readonly #pairs: Local;
  readonly #candidatesLeft: Local;
  readonly #keyMin: Local;

  readonly #filter: ((pair: JoinPair) => Expr) | undefined;

  constructor(
    b: CodeBuilder,
    options: JoinKernelOptions,
    args: { readonly probeArguments: Local; readonly buildArguments: Local; readonly control: Local },
    filter: ((pair: JoinPair) => Expr) | undefined,
  ) {
    this.#b = b;
    this.#filter = filter;
    this.#options = options;
    this.#control = args.control;
    this.#probe = openInput(b, args.probeArguments, options.probe);
    this.#build = openInput(b, args.buildArguments, options.build);
    const field = (offset: number): Local => b.local("i32", i32.load(args.control, offset));
    this.#fields = {
      slots: field(joinControl.slots),
      mask: field(joinControl.mask),
      next: field(joinControl.next),
      visited: field(joinControl.visited),
      buildRows: field(joinControl.buildRows),
      probeOut: field(joinControl.probeOut),
      buildOut: field(joinControl.buildOut),
      capacity: field(joinControl.capacity),
      position: field(joinControl.position),
      candidate: field(joinControl.candidate),
      begun: field(joinControl.begun),
      matched: field(joinControl.matched),
    };
    this.#pairs = field(joinControl.pairs);
    this.#candidatesLeft = field(joinControl.candidatesLeft);
    this.#keyMin = b.local("i64", i64.load(args.control, joinControl.keyMin));
  }

  emit(): void {
    const b = this.#b;
    const { position, candidate, begun, matched } = this.#fields;
    b.while_(
      () => i32.ltU(position, this.#probe.positionCount),
      () => {
        const row = b.temp(this.#probe.row(position));
        b.if_(i32.eqz(begun), () => {
          this.#lookUp(row);
          b.set(begun, i32.const(1));
          b.set(matched, i32.const(0));
        });
        b.while_(
          () => candidate,
          () => this.#candidate(row),
        );
        if (this.#options.keepsProbe) {
          b.if_(i32.eqz(matched), () => {
            this.#returnWhenFull();
            this.#emitPair(row, this.#fields.buildRows);
          });
        }
        b.set(begun, i32.const(0));
        b.set(position, i32.add(position, i32.const(1)));
      },
    );
    this.#save();
    b.return_(this.#pairs);
  }

  /** Sets `candidate` to the first candidate + 1, or 0. */
  #lookUp(row: Expr): void {
    const b = this.#b;
    const { candidate, slots, mask, buildRows } = this.#fields;
    const { keys } = this.#options;
    if (keys.length === 0) {
      b.set(candidate, i32.ne(buildRows, i32.const(0)));
      return;
    }
    b.set(candidate, i32.const(0));
    b.block((none) => {
      const values = keys.map(({ probeChannel }) => this.#probe.column(probeChannel, row));
      for (const value of values) {
        if (value.isNull !== undefined) {
          b.break_(none, value.isNull);
        }
      }
      const known = values.map((value) => ({ ...value, isNull: undefined }));
      emitLookUp(b, {
        table: { kind: this.#options.table, slots, mask, keyMin: this.#keyMin },
        keys: known,
        isSame: (buildRow) => {
          const same = b.local("i32", i32.const(1));
          for (const [index, value] of known.entries()) {
            const { buildChannel } = keys[index] as (typeof keys)[number];
            b.if_(same, () => b.set(same, emitEquals(b, value, { ...this.#build.column(buildChannel, buildRow), isNull: undefined })));
          }
          return same;
        },
        found: (row) => b.set(candidate, row),
        missing: () => undefined,
      });
    });
  }

  #candidate(row: Expr): void {
    const b = this.#b;
    const { candidate, matched, visited } = this.#fields;
    const { tracksVisited } = this.#options;
    this.#returnWhenFull();
    if (this.#filter !== undefined) {
      this.#returnWhenShareIsDone();
    }
    const buildRow = b.temp(i32.sub(candidate, i32.const(1)));
    const take = (): void => {
      this.#emitPair(row, buildRow);
      b.set(matched, i32.const(1));
      if (tracksVisited) {
        b.store("i32.store8", i32.add(visited, buildRow), i32.const(1));
      }
    };
    if (this.#filter === undefined) {
      take();
    } else {
      b.if_(this.#filter({ probe: this.#probe, probeRow: row, build: this.#build, buildRow }), take);
    }
    this.#advance(buildRow);
  }

  #advance(buildRow: Expr): void {
    const b = this.#b;
    const { candidate, next, buildRows } = this.#fields;
    if (this.#options.keys.length > 0) {
      b.set(candidate, i32.load(i32.add(next, i32.shl(buildRow, i32.const(2)))));
    } else {
      b.if_(
        i32.ltU(candidate, buildRows),
        () => b.set(candidate, i32.add(candidate, i32.const(1))),
        () => b.set(candidate, i32.const(0)),
      );
    }
  }

  #emitPair(probeRow: Expr, buildRow: Expr): void {
    const b = this.#b;
    const { probeOut, buildOut } = this.#fields;
    const offset = b.temp(i32.shl(this.#pairs, i32.const(2)));
    b.store("i32.store", i32.add(probeOut, offset), probeRow);
    b.store("i32.store", i32.add(buildOut, offset), buildRow);
    b.set(this.#pairs, i32.add(this.#pairs, i32.const(1)));
  }

  #returnWhenFull(): void {
    this.#b.if_(i32.geU(this.#pairs, this.#fields.capacity), () => {
      this.#save();
      this.#b.return_(this.#pairs);
    });
  }

  /** Without a filter each candidate is a pair, so the capacity for pairs is the bound. */
  #returnWhenShareIsDone(): void {
    const b = this.#b;
    b.if_(i32.eqz(this.#candidatesLeft), () => {
      this.#save();
      b.return_(this.#pairs);
    });
    b.set(this.#candidatesLeft, i32.sub(this.#candidatesLeft, i32.const(1)));
  }

  #save(): void {
    const b = this.#b;
    const { position, candidate, begun, matched } = this.#fields;
    b.store("i32.store", this.#control, position, joinControl.position);
    b.store("i32.store", this.#control, candidate, joinControl.candidate);
    b.store("i32.store", this.#control, begun, joinControl.begun);
    b.store("i32.store", this.#control, matched, joinControl.matched);
    b.store("i32.store", this.#control, this.#pairs, joinControl.pairs);
    b.store("i32.store", this.#control, this.#candidatesLeft, joinControl.candidatesLeft);
  }
}

/** Parameters: ids, row numbers, count, target. Writes the ids at those rows. */
export function composeIdsKernel(): Kernel {
  return buildKernel("compose-ids", (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32"] }, (b, params) => {
      const [ids, rows, count, target] = params;
      b.forRange(i32.const(0), count, (position) => {
        const offset = b.temp(i32.shl(position, i32.const(2)));
        const row = i32.load(i32.add(rows, offset));
        b.store("i32.store", i32.add(target, offset), i32.load(i32.add(ids, i32.shl(row, i32.const(2)))));
      });
    });
  });
}

/** Parameters: visited, first row, end row (exclusive), target. Returns the number of rows without a match. */
export function unvisitedKernel(): Kernel {
  return buildKernel("unvisited", (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
      const [visited, first, end, target] = params;
      const count = b.local("i32", i32.const(0));
      b.forRange(first, end, (row) => {
        b.store("i32.store", i32.add(target, i32.shl(count, i32.const(2))), row);
        b.set(count, i32.add(count, i32.eqz(i32.load8u(i32.add(visited, row)))));
      });
      b.return_(count);
    });
  });
}
