/**
 * Three-valued IN for values that may contain a NULL: arrays, maps and rows. Equal values are found by hash, as in every semi-join. A value
 * that is not found is compared with the members of the set that contain a NULL. If the value itself contains a NULL, it is compared with
 * all members. The comparisons continue over several calls, so that slices stay short. It replaces HashSemiJoinOperator over the same set.
 */
import { type InputLayout, type InputReader, layoutOf, openInput } from "../../expressions/columns.ts";
import { emitEquals, emitThreeValuedEquals, nestedUnknown } from "../../../functions/runtime/operations.ts";
import type { Value } from "../../../functions/runtime/value.ts";
import { buildKernel, type CodeBuilder, i32, i64 } from "../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../codegen/ir.ts";
import type { Address } from "../../../memory/memory.ts";
import { type Page, pageRowsMax } from "../../../page/page.ts";
import { emitLookUp, type JoinBridge, type JoinTable } from "../../hash-table/join-table.ts";
import { KernelByLayout } from "../kernel-cache.ts";
import { SemiJoinOperator } from "./semi-join.ts";
import type { OperatorContext } from "../operator.ts";
import { selectColumns } from "../pages.ts";

/** Facts about the set, complete once all members were inspected. */
interface Members {
  readonly layout: InputLayout;
  /** A member is itself NULL. */
  hasNull: boolean;
  /** u32 numbers of the members that contain a NULL. */
  readonly open: Address;
  openCount: number;
  /** First member not yet inspected. */
  next: number;
}

export class NestedSemiJoinOperator extends SemiJoinOperator {
  /** One u32 per value to compare: twice its position, plus 1 if it is compared with all members. */
  readonly #asked: Address;
  /** Two u32: the value being compared, and the next member to compare it with. */
  readonly #cursor: Address;
  readonly #memberKernels: KernelByLayout;
  /** Maximum number of members that one call inspects or compares with a value. */
  readonly #stepRows: number;
  #members: Members | undefined;
  #probes: KernelByLayout | undefined;
  #comparisons: KernelByLayout | undefined;
  #key: Page | undefined;
  #askedCount = 0;
  /** Comparisons not yet reported as work. */
  #workUnits = 0;

  constructor(context: OperatorContext, bridge: JoinBridge, keyChannel: number) {
    super(context, bridge, keyChannel);
    this.#memberKernels = new KernelByLayout(context.services.runtime, "nested semi-join members", membersKernel);
    this.#asked = context.memory.allocate(4 * pageRowsMax);
    this.#cursor = context.memory.allocate(8);
    this.#stepRows = context.memory.knobs.value("nested-semi-join-step-rows");
  }

  addInput(page: Page): void {
    this.marker.reserve(page);
    this.#key = this.keyOf(page);
    this.pending = page;
  }

  override getOutput(): Page | undefined {
    if (this.pending === undefined) {
      return undefined;
    }
    const table = this.bridge.probe();
    this.#members ??= this.#open(table);
    if (this.#members.next < table.rowCount) {
      this.#look(table, this.#members);
      return undefined;
    }
    if (this.#key !== undefined) {
      this.#probe(table, this.#members, this.#key);
      this.#key = undefined;
    }
    if (this.#askedCount > 0) {
      this.#compare(table, this.#members, this.pending);
      return undefined;
    }
    const output = this.marker.addTo(this.pending, true);
    this.pending = undefined;
    return output;
  }

  takeWorkUnits(): number {
    const units = this.#workUnits;
    this.#workUnits = 0;
    return units;
  }

  #open(table: JoinTable): Members {
    const set = selectColumns(table.page(), table.keyChannels);
    this.setArguments.write(set);
    const layout = layoutOf(set);
    const name = layout.columns[0]?.nullable === true ? "?" : "";
    const { runtime } = this.context.services;
    this.#probes = new KernelByLayout(runtime, `nested semi-join ${name}`, (kernelName, input, variant) =>
      probeKernel(kernelName, { input, set: layout, variant }),
    );
    this.#comparisons = new KernelByLayout(runtime, `nested semi-join compare ${name}`, (kernelName, input) =>
      compareKernel(kernelName, input, layout),
    );
    return { layout, hasNull: false, open: this.context.memory.allocate(4 * Math.max(1, table.rowCount)), openCount: 0, next: 0 };
  }

  #look(table: JoinTable, members: Members): void {
    const set = selectColumns(table.page(), table.keyChannels);
    const kernel = this.#memberKernels.for(set);
    const end = Math.min(table.rowCount, members.next + this.#stepRows);
    const found = kernel(this.setArguments.address, members.next, end, members.open + 4 * members.openCount, this.#cursor) as number;
    members.openCount += found;
    members.hasNull ||= this.context.memory.linear.u8[this.#cursor] === 1;
    members.next = end;
  }

  #probe(table: JoinTable, members: Members, key: Page): void {
    const variant = table.rowCount === 0 ? "empty" : members.hasNull ? "null" : members.openCount > 0 ? "open" : "";
    const kernel = (this.#probes as KernelByLayout).for(key, variant);
    const { values, nulls } = this.marker;
    const pageArguments = this.arguments.write(key);
    this.#askedCount = kernel(pageArguments, this.setArguments.address, table.slots, table.mask, values, nulls, this.#asked) as number;
    this.context.memory.linear.u8.fill(0, this.#cursor, this.#cursor + 8);
  }

  #compare(table: JoinTable, members: Members, page: Page): void {
    const key = this.keyOf(page);
    const kernel = (this.#comparisons as KernelByLayout).for(key);
    const isDone = kernel(
      this.arguments.write(key),
      this.setArguments.address,
      this.#asked,
      this.#askedCount,
      members.open,
      members.openCount,
      table.rowCount,
      this.#cursor,
      this.#stepRows,
      this.marker.nulls,
    ) as number;
    if (isDone === 1) {
      this.#askedCount = 0;
    } else {
      this.#workUnits += this.#stepRows;
    }
  }
}

/**
 * Whether a comparison with the value may be unknown: the value contains a NULL. A value that contains a NaN equals nothing; it is compared
 * only if it contains a NULL too.
 */
function emitIsOpen(b: CodeBuilder, value: Value): Expr {
  return i32.eq(emitThreeValuedEquals(b, value, value), i32.const(nestedUnknown));
}

function present(input: InputReader, row: Expr): Value {
  return { ...input.column(0, row), isNull: undefined };
}

/**
 * Parameters: set arguments, first member, end member (exclusive), address for numbers, address for u8 1 if a member is NULL. Returns the
 * count of numbers.
 */
function membersKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
      const [setArguments, first, end, open, sawNull] = params;
      const set = openInput(b, setArguments, layout);
      const count = b.local("i32", i32.const(0));
      const nulls = b.local("i32", i32.const(0));
      b.forRange(first, end, (row, next) => {
        const value = set.column(0, row);
        if (value.isNull !== undefined) {
          b.if_(value.isNull, () => {
            b.set(nulls, i32.const(1));
            b.break_(next);
          });
        }
        b.if_(emitIsOpen(b, { ...value, isNull: undefined }), () => {
          b.store("i32.store", i32.add(open, i32.shl(count, i32.const(2))), row);
          b.set(count, i32.add(count, i32.const(1)));
        });
      });
      b.store("i32.store8", sawNull, nulls);
      b.return_(count);
    });
  });
}

interface ProbeLayouts {
  readonly input: InputLayout;
  readonly set: InputLayout;
  /** empty: no member; null: a member is NULL; open: a member contains a NULL. */
  readonly variant: string;
}

/**
 * Parameters: page arguments of the key and of the set; slots, mask; addresses for values and nulls of the marker and for the values to
 * compare. Returns the number of values to compare.
 */
function probeKernel(name: string, layouts: ProbeLayouts): Kernel {
  const { variant } = layouts;
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
      const [pageArguments, setArguments, slots, mask, values, nulls, asked] = params;
      const input = openInput(b, pageArguments, layouts.input);
      const set = openInput(b, setArguments, layouts.set);
      const count = b.local("i32", i32.const(0));
      b.forRange(i32.const(0), input.positionCount, (position) => {
        const row = input.row(position);
        const found = b.local("i32", i32.const(0));
        const unknown = b.local("i32", i32.const(0));
        const ask = (withAll: Expr): void => {
          b.store("i32.store", i32.add(asked, i32.shl(count, i32.const(2))), i32.add(i32.shl(position, i32.const(1)), withAll));
          b.set(count, i32.add(count, i32.const(1)));
        };
        const value = input.column(0, row);
        const known = { ...value, isNull: undefined };
        const missing = (): void => {
          if (variant === "null") {
            return b.set(unknown, i32.const(1));
          }
          const isOpen = b.temp(emitIsOpen(b, known));
          if (variant === "open") {
            return ask(isOpen);
          }
          return b.if_(isOpen, () => ask(i32.const(1)));
        };
        const lookUp = (): void =>
          emitLookUp(b, {
            table: { kind: "hash", slots, mask, keyMin: i64.const(0n) },
            keys: [known],
            isSame: (other) => emitEquals(b, known, present(set, other)),
            found: () => b.set(found, i32.const(1)),
            missing,
          });
        if (variant !== "empty") {
          if (value.isNull === undefined) {
            lookUp();
          } else {
            b.if_(value.isNull, () => b.set(unknown, i32.const(1)), lookUp);
          }
        }
        b.store("i32.store8", i32.add(values, row), found);
        b.store("i32.store8", i32.add(nulls, row), unknown);
      });
      b.return_(count);
    });
  });
}

/**
 * Parameters: page arguments of the key and of the set; the values to compare and their number; the members that contain a NULL and their
 * number; number of members; the cursor; members in this call; nulls of the marker. Returns 1 when the last value was compared. A value is
 * unknown as soon as one comparison is.
 */
function compareKernel(name: string, inputLayout: InputLayout, setLayout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry(
      { params: ["i32", "i32", "i32", "i32", "i32", "i32", "i32", "i32", "i32", "i32"], result: "i32" },
      (b, [pageArguments, setArguments, asked, askedCount, open, openCount, rowCount, cursor, steps, nulls]) => {
        const input = openInput(b, pageArguments, inputLayout);
        const set = openInput(b, setArguments, setLayout);
        const index = b.local("i32", i32.load(cursor));
        const member = b.local("i32", i32.load(cursor, 4));
        const left = b.local("i32", steps);
        b.block((done) => {
          b.loop((nextValue) => {
            b.break_(done, i32.geU(index, askedCount));
            const entry = b.temp(i32.load(i32.add(asked, i32.shl(index, i32.const(2)))));
            const row = b.temp(input.row(i32.shrU(entry, i32.const(1))));
            const value = present(input, row);
            const withAll = b.temp(i32.and(entry, i32.const(1)));
            const end = b.local("i32", openCount);
            b.if_(withAll, () => b.set(end, rowCount));
            b.block((decided) => {
              b.loop((nextMember) => {
                b.break_(decided, i32.geU(member, end));
                b.break_(done, i32.eqz(left));
                b.set(left, i32.sub(left, i32.const(1)));
                const place = b.local("i32", member);
                b.if_(i32.eqz(withAll), () => b.set(place, i32.load(i32.add(open, i32.shl(member, i32.const(2))))));
                b.set(member, i32.add(member, i32.const(1)));
                const answer = emitThreeValuedEquals(b, value, present(set, place));
                b.if_(i32.eq(answer, i32.const(nestedUnknown)), () => {
                  b.store("i32.store8", i32.add(nulls, row), i32.const(1));
                  b.break_(decided);
                });
                b.continue_(nextMember);
              });
            });
            b.set(index, i32.add(index, i32.const(1)));
            b.set(member, i32.const(0));
            b.continue_(nextValue);
          });
        });
        b.store("i32.store", cursor, index);
        b.store("i32.store", cursor, member, 4);
        b.return_(i32.geU(index, askedCount));
      },
    );
  });
}
