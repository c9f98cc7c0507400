/** Counters in documents: the schemas of their members, the members themselves, and back to numbers. */
import type { z } from "zod";
import {
  entriesOf,
  type Level,
  type OmittedMember,
  omittedMembers,
  type OmittedStatusMember,
  omittedStatusMembers,
  type OperatorCounter,
  operatorCounters,
  type OperatorCounters,
  type OptionalOperatorCounter,
  type PipelineCounters,
  pipelineLevel,
  queryLevel,
  stageLevel,
  statementLevel,
  statusLevel,
  type TaskCounter,
  type TaskCounterName,
  taskCounters,
  type TaskCounterValues,
  taskLevel,
  type Unit,
  type Values,
} from "../counters.ts";
import type { CounterSums } from "../counter-sums.ts";
import { count, dataSize, duration, int64 } from "./fields.ts";
import { formatDataSize, formatDuration, parseDataSize, parseDuration } from "../units.ts";

interface UnitSchemas {
  readonly count: typeof count;
  readonly bytes: typeof dataSize;
  readonly nanos: typeof duration;
}
const unitSchemas: UnitSchemas = { count, bytes: dataSize, nanos: duration };

type UnitOf<N> = N extends TaskCounterName ? (typeof taskCounters)[N]["unit"] : never;
type MaybeOptional<Schema extends z.ZodType, Member, Omitted> = Member extends Omitted ? z.ZodOptional<Schema> : Schema;
type TextShape<L extends Level, Omitted> = {
  [N in keyof L as L[N] & string]: MaybeOptional<UnitSchemas[UnitOf<N>], L[N], Omitted>;
};
type TextMembers<L extends Level> = {
  [N in keyof L as L[N] & string]: UnitOf<N> extends "count" ? number : string;
};

function textShape<L extends Level, Omitted = never>(level: L, omitted: ReadonlySet<string> = new Set()): TextShape<L, Omitted> {
  const fields = entriesOf(level as Readonly<Record<TaskCounterName, string>>).map(([name, member]) => {
    const schema: z.ZodType = unitSchemas[taskCounters[name].unit];
    return [member, omitted.has(member) ? schema.optional() : schema];
  });
  return Object.fromEntries(fields) as TextShape<L, Omitted>;
}

/** Most counters of a short task are 0. */
function text(unit: Unit, value: number): number | string {
  switch (unit) {
    case "count":
      return value;
    case "bytes":
      return value === 0 ? "0B" : formatDataSize(value);
    case "nanos":
      return value === 0 ? "0.00ns" : formatDuration(value);
  }
}

/** The counters of a level in the order of its members. */
interface LevelEntry {
  readonly name: TaskCounterName;
  readonly member: string;
  readonly unit: Unit;
}

function levelEntries(level: Level): readonly LevelEntry[] {
  return entriesOf(level as Readonly<Record<TaskCounterName, string>>).map(([name, member]) => {
    return { name, member, unit: taskCounters[name].unit };
  });
}

/** Members are assigned one by one: there are documents for each task of each statement, and Object.fromEntries is several times slower. */
function textMembers<L extends Level>(entries: readonly LevelEntry[], values: Values<keyof L & TaskCounterName>): TextMembers<L> {
  const members: Record<string, number | string> = {};
  for (const { name, member, unit } of entries) {
    members[member] = text(unit, (values as Values<TaskCounterName>)[name]);
  }
  return members as TextMembers<L>;
}

const pipelineEntries = levelEntries(pipelineLevel);
const taskEntries = levelEntries(taskLevel);
const stageEntries = levelEntries(stageLevel);
const queryEntries = levelEntries(queryLevel);

export const pipelineShape: TextShape<typeof pipelineLevel, OmittedMember> = textShape(pipelineLevel, omittedMembers);
export const taskShape: TextShape<typeof taskLevel, OmittedMember> = textShape(taskLevel, omittedMembers);
export const stageShape: TextShape<typeof stageLevel, never> = textShape(stageLevel);

export function pipelineMembers(values: PipelineCounters): TextMembers<typeof pipelineLevel> {
  return textMembers<typeof pipelineLevel>(pipelineEntries, values);
}

export function taskMembers(values: TaskCounterValues): TextMembers<typeof taskLevel> {
  return textMembers<typeof taskLevel>(taskEntries, values);
}

export function stageMembers(values: CounterSums): TextMembers<typeof stageLevel> {
  return textMembers<typeof stageLevel>(stageEntries, values);
}

export function queryMembers(values: CounterSums): TextMembers<typeof queryLevel> {
  return textMembers<typeof queryLevel>(queryEntries, values);
}

type StatusShape = {
  [N in keyof typeof statusLevel as (typeof statusLevel)[N]]: MaybeOptional<typeof count, (typeof statusLevel)[N], OmittedStatusMember>;
};
type StatusMembers = { [N in keyof typeof statusLevel as (typeof statusLevel)[N]]: number };
const statusEntries = entriesOf(statusLevel);

export const statusShape = Object.fromEntries(
  statusEntries.map(([, member]) => [member, omittedStatusMembers.has(member) ? count.optional() : count]),
) as StatusShape;

export function statusMembers(values: TaskCounterValues): StatusMembers {
  const members: Record<string, number> = {};
  for (const [name, member] of statusEntries) {
    members[member] = taskCounters[name].unit === "nanos" ? Math.round(values[name]) : values[name];
  }
  return members as StatusMembers;
}

/** The counters that a status has. It does not tell the peak of the memory, which is at least what the task holds. */
export function readStatus(status: z.infer<z.ZodObject<StatusShape>>): Partial<CounterSums> {
  const told = status as Readonly<Record<string, number | undefined>>;
  const { blockedDrivers = 0, ...values } = Object.fromEntries(statusEntries.map(([name, member]) => [name, told[member] ?? 0]));
  return { ...values, runningDrivers: status.runningDrivers + blockedDrivers, peakMemoryBytes: status.memoryReservationBytes };
}

/** The counters of a task document. Older builds do not say how many drivers are blocked, nor the peak of the memory. */
export function readTask(stats: z.infer<z.ZodObject<typeof taskShape>>): CounterSums {
  const told = stats as Readonly<Record<string, number | string | undefined>>;
  const sums: Record<string, number> = {};
  for (const { name, member, unit } of taskEntries) {
    if (name !== "blockedDrivers") {
      sums[name] = numberOf(unit, member === "peakMemoryReservation" ? (told[member] ?? told["memoryReservation"]) : told[member]);
    }
  }
  sums["runningDrivers"] = stats.totalDrivers - stats.queuedDrivers - stats.completedDrivers;
  return sums as unknown as CounterSums;
}

function numberOf(unit: Unit, told: number | string | undefined): number {
  if (told === undefined || typeof told === "number") {
    return told ?? 0;
  }
  if (told === "0B" || told === "0.00ns") {
    return 0;
  }
  return (unit === "bytes" ? parseDataSize(told) : parseDuration(told)) ?? 0;
}

type StatementName = (typeof statementLevel)[keyof typeof statementLevel];
type StatementField<Name> = Name extends `${string}Splits` ? typeof count : typeof int64;
type StatementShape = { [Name in StatementName]: StatementField<Name> };
export type StatementCounters = { readonly [Name in StatementName]: z.infer<StatementField<Name>> };
const statementEntries = entriesOf(statementLevel);

export const statementShape = Object.fromEntries(
  statementEntries.map(([, member]) => [member, member.endsWith("Splits") ? count : int64]),
) as StatementShape;

export function statementMembers(values: CounterSums): StatementCounters {
  const members: Record<string, number> = {};
  for (const [name, member] of statementEntries) {
    members[member] = taskCounters[name].unit === "nanos" ? Math.floor(values[name] / 1e6) : values[name];
  }
  return members as StatementCounters;
}

/** Back to counters. */
export function statementCounters(members: StatementCounters): Values<StatementName> {
  const values: Record<string, number> = {};
  for (const [name, member] of statementEntries) {
    values[name] = Number(members[member]) * (taskCounters[name].unit === "nanos" ? 1e6 : 1);
  }
  return values as Values<StatementName>;
}

type OperatorTable = typeof operatorCounters;
type MembersOf<N extends keyof OperatorTable> = OperatorTable[N]["members"][number];

type OperatorShape = {
  [N in keyof OperatorTable as MembersOf<N>]: N extends OptionalOperatorCounter
    ? z.ZodOptional<UnitSchemas[OperatorTable[N]["unit"]]>
    : UnitSchemas[OperatorTable[N]["unit"]];
};
const operatorEntries: readonly [keyof OperatorTable, OperatorCounter][] = entriesOf<keyof OperatorTable, OperatorCounter>(
  operatorCounters,
);

export const operatorShape = Object.fromEntries(
  operatorEntries.flatMap(([, { unit, members, optional }]) => {
    const schema: z.ZodType = unitSchemas[unit];
    return members.map((member) => [member, optional === true ? schema.optional() : schema] as const);
  }),
) as OperatorShape;

export function operatorMembers(values: OperatorCounters): z.infer<z.ZodObject<OperatorShape>> {
  const members: Record<string, number | string> = {};
  for (const [name, { unit, members: names }] of operatorEntries) {
    const value = values[name];
    if (value !== undefined) {
      const told = text(unit, value);
      for (const member of names) {
        members[member] = told;
      }
    }
  }
  return members as z.infer<z.ZodObject<OperatorShape>>;
}

/** Names of the members that never fall. */
function growingOf<Member extends string>(level: Readonly<Partial<Record<TaskCounterName, Member>>>): readonly Member[] {
  return entriesOf(level).flatMap(([name, member]) => ((taskCounters[name] as TaskCounter).grows === true ? [member] : []));
}

export const growingStatusMembers: readonly (keyof StatusMembers)[] = growingOf(statusLevel);
export const growingStatementMembers: readonly StatementName[] = growingOf(statementLevel);
