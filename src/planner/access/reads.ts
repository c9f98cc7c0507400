/**
 * The reads of a statement and the check of their rights. Each read of a table or a view is a project node that names the columns. The
 * check removes from the plan what nothing above uses; the columns that are left are those that the statement reads, wherever it names
 * them.
 */
import { type AccessControl, canSelect, hasTablePrivilege, qualifiedText, type QualifiedRelation } from "../../security/access-control.ts";
import { accessDenied } from "../../security/privileges.ts";
import type { PlanSession } from "../context.ts";
import type { PlanIds } from "../plan/ids.ts";
import type { PlanNode } from "../plan/node.ts";
import { rewritePlan, visitPlan } from "../plan/plan-tree.ts";
import { pruned } from "../optimizer/rules/prune-columns.ts";
import { seesWhole } from "./described.ts";
import { isPassedOn, readerOf } from "./reader.ts";

/** Columns of its table that a row filter or a mask reads, as the user that it belongs to. */
export interface SecuredUse {
  readonly session: PlanSession;
  readonly columns: readonly string[];
}

interface Read {
  readonly table: QualifiedRelation;
  /** The table that it is about, whose rights count. */
  readonly described?: QualifiedRelation | undefined;
  readonly session: PlanSession;
  /** All visible columns. */
  readonly columns: readonly string[];
  /** The reader sees other rows or values than those of the table. */
  readonly isSecured: boolean;
  readonly filter?: SecuredUse | undefined;
  /** By the name of the masked column. */
  readonly masks: ReadonlyMap<string, SecuredUse>;
}

export class Reads {
  readonly access: AccessControl;
  /** The table that the statement changes: its rows need no right to be read, only its columns do. */
  readonly #targets = new Set<number>();
  /** Not checked yet, by number. */
  readonly #reads = new Map<number, Read>();
  #count = 0;
  #hasSecured = false;

  constructor(access: AccessControl) {
    this.access = access;
  }

  /** Whether some read has a row filter or a mask. */
  get hasSecured(): boolean {
    return this.#hasSecured;
  }

  /** Returns the number for the project node of the read. */
  add(read: Read): number {
    const number = this.#count++;
    this.#reads.set(number, read);
    this.#hasSecured ||= read.isSecured;
    return number;
  }

  /** `node`: what has been planned for the table that the statement changes. */
  addTarget(node: PlanNode): void {
    if (node.kind === "Project" && node.read !== undefined) {
      this.#targets.add(node.read);
    }
  }

  /** Throws PERMISSION_DENIED, or returns the plan without the marks of its reads. */
  checked(plan: PlanNode, ids: PlanIds): PlanNode {
    const used = new Map<number, Set<string>>();
    visitPlan(pruned(plan, ids), (node) => {
      if (node.kind === "Project" && node.read !== undefined) {
        const columns = used.get(node.read) ?? new Set<string>();
        used.set(node.read, columns);
        node.assignments.forEach(({ column }) => column !== undefined && columns.add(column));
      }
    });
    const found = new Set([...used.keys()].map((number) => keyOf(this.#reads.get(number))));
    for (const [number, read] of this.#reads) {
      // A read that is nowhere in the plan is one of a WITH query that nothing uses, unless the same table is read elsewhere.
      const columns = used.get(number) ?? (found.has(keyOf(read)) ? undefined : read.columns);
      const isWrittenOnly = this.#targets.has(number) && used.get(number)?.size === 0;
      if (columns !== undefined && !isWrittenOnly) {
        this.#require(read, [...columns]);
      }
    }
    this.#reads.clear();
    return rewritePlan(plan, withoutMark);
  }

  #require(read: Read, columns: readonly string[]): void {
    if (read.described === undefined) {
      this.#requireColumns(read, columns);
      this.#requireUses(read, columns);
    } else {
      this.#requireWhole(read, read.described);
    }
  }

  #requireWhole({ session, table }: Read, described: QualifiedRelation): void {
    const reader = readerOf(session);
    const holds =
      canSelect(this.access, reader, described, []) &&
      (!isPassedOn(session) || hasTablePrivilege(this.access, reader, described, "GRANT_SELECT"));
    if (!holds || !seesWhole(this.access, reader, described)) {
      throw accessDenied(`Cannot select from table ${qualifiedText(table)}`);
    }
  }

  #requireColumns({ session, table }: Read, columns: readonly string[]): void {
    const reader = readerOf(session);
    if (!canSelect(this.access, reader, table, columns)) {
      const what = this.#denied(reader, table, columns);
      throw accessDenied(isPassedOn(session) ? `View owner does not have sufficient privileges: ${what}` : what);
    }
    if (isPassedOn(session) && !hasTablePrivilege(this.access, reader, table, "GRANT_SELECT")) {
      const what = `View owner '${reader}' cannot create view that selects from ${qualifiedText(table)}`;
      throw accessDenied(`View owner does not have sufficient privileges: ${what}`);
    }
  }

  /** The row filter counts always, a mask if its column is read. */
  #requireUses({ filter, masks, table }: Read, columns: readonly string[]): void {
    for (const use of [filter, ...columns.map((column) => masks.get(column))]) {
      if (use !== undefined && !canSelect(this.access, readerOf(use.session), table, use.columns)) {
        throw accessDenied(this.#denied(readerOf(use.session), table, use.columns));
      }
    }
  }

  #denied(reader: string, table: QualifiedRelation, columns: readonly string[]): string {
    const { hiddenColumns } = this.access.tableRights(reader, table);
    const hidden = columns.filter((column) => hiddenColumns.has(column));
    const denied = hidden.length === 0 ? columns : hidden;
    return denied.length === 0
      ? `Cannot select from table ${qualifiedText(table)}`
      : `Cannot select from columns [${denied.join(", ")}] in table or view ${qualifiedText(table)}`;
  }
}

function keyOf(read: Read | undefined): string {
  return read === undefined ? "" : JSON.stringify([readerOf(read.session), read.table.catalog, read.table.schema, read.table.table]);
}

function withoutMark(node: PlanNode): PlanNode {
  if (node.kind !== "Project" || node.read === undefined) {
    return node;
  }
  const { read: _read, ...rest } = node;
  return { ...rest, assignments: node.assignments.map(({ expression, output }) => ({ output, expression })) };
}
