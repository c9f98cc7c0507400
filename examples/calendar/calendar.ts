/**
 * A connector with a table of days, to join facts with: `calendar.default.days` has a row for each day from `calendar.from` to
 * `calendar.to`. Each year is a split. A condition on the day skips the years in which no day meets it.
 */
import {
  BIGINT,
  BOOLEAN,
  type ColumnMetadata,
  type ConnectorFactory,
  type Constraint,
  DATE,
  INTEGER,
  invalidProperty,
  PageBuilder,
  type PageSource,
  type PageSourceRequest,
  type Split,
  type TableMetadata,
  VARCHAR,
} from "orrery/connector";

const millisPerDay = 86_400_000;
const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Days since 1970-01-01, as DATE has them. */
function dayOf(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / millisPerDay;
}

/** Week of the year as ISO 8601 counts it: the first one has the year's first Thursday. */
function weekOf(day: number): number {
  // 1970-01-01 was a Thursday.
  const thursday = day - ((((day + 3) % 7) + 7) % 7) + 3;
  const year = new Date(thursday * millisPerDay).getUTCFullYear();
  return Math.floor((thursday - dayOf(year, 1, 1)) / 7) + 1;
}

interface Day {
  readonly day: number;
  readonly date: Date;
}

interface CalendarColumn extends ColumnMetadata {
  /** Writes the value of a day. */
  readonly append: (builder: PageBuilder, column: number, day: Day) => void;
}

const columns: readonly CalendarColumn[] = [
  { name: "day", type: DATE, append: (builder, column, { day }) => builder.appendInt(column, day) },
  { name: "year", type: INTEGER, append: (builder, column, { date }) => builder.appendInt(column, date.getUTCFullYear()) },
  {
    name: "quarter",
    type: INTEGER,
    append: (builder, column, { date }) => builder.appendInt(column, Math.floor(date.getUTCMonth() / 3) + 1),
  },
  { name: "month", type: INTEGER, append: (builder, column, { date }) => builder.appendInt(column, date.getUTCMonth() + 1) },
  { name: "week", type: INTEGER, append: (builder, column, { day }) => builder.appendInt(column, weekOf(day)) },
  { name: "weekday", type: VARCHAR, append: (builder, column, { date }) => builder.appendString(column, weekdays[date.getUTCDay()] ?? "") },
  {
    name: "is_workday",
    type: BOOLEAN,
    append: (builder, column, { date }) => builder.appendBoolean(column, date.getUTCDay() % 6 !== 0),
  },
  { name: "unix_seconds", type: BIGINT, append: (builder, column, { day }) => builder.appendBigint(column, BigInt(day) * 86_400n) },
];

/** Days of a year, both ends included. It travels as JSON. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Pages of the days of a span. */
class DaySource implements PageSource {
  readonly #columns: readonly CalendarColumn[];
  readonly #builder: PageBuilder;
  readonly #to: number;
  #next: number;
  completedBytes = 0;

  constructor({ columns: asked, memory, split }: PageSourceRequest) {
    const { from, to } = split as unknown as Span;
    this.#columns = asked.map(({ name }) => columns.find((column) => column.name === name) as CalendarColumn);
    this.#builder = new PageBuilder(
      asked.map(({ type }) => type),
      memory,
    );
    this.#next = from;
    this.#to = to;
  }

  get finished(): boolean {
    return this.#next > this.#to;
  }

  blocked(): undefined {
    return undefined;
  }

  nextPage(): ReturnType<PageSource["nextPage"]> {
    if (this.finished) {
      return undefined;
    }
    // The page that was given before is no longer in use.
    this.#builder.reset();
    while (!this.finished && !this.#builder.isFull) {
      const day = { day: this.#next, date: new Date(this.#next * millisPerDay) };
      this.#columns.forEach((column, index) => column.append(this.#builder, index, day));
      if (this.#columns.length === 0) {
        this.#builder.appendRows(1);
      }
      this.#next += 1;
      this.completedBytes += 4;
    }
    return this.#builder.build();
  }

  close(): void {
    this.#next = this.#to + 1;
    this.#builder.close();
  }
}

/** A date of the properties, in days since 1970-01-01. */
function dateProperty(properties: Readonly<Record<string, string>>, name: string, absent: string): number {
  const text = properties[name] ?? absent;
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  // A day that the month does not have, as 2025-02-30, becomes one of the next month.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text)) {
    throw invalidProperty(name, text);
  }
  return date.getTime() / millisPerDay;
}

function spansOf({ from, to }: Span): readonly Span[] {
  const spans: Span[] = [];
  for (let start = from; start <= to; ) {
    const end = dayOf(new Date(start * millisPerDay).getUTCFullYear() + 1, 1, 1) - 1;
    spans.push({ from: start, to: Math.min(end, to) });
    start = end + 1;
  }
  return spans;
}

/** Whether a day of the span may meet the condition on the column `day`. */
function mayMeet({ from, to }: Span, constraint?: Constraint): boolean {
  const domain = constraint?.summary.domainOf("day");
  return (
    domain === undefined ||
    domain.values.ranges.some(
      ({ high, low }) => (low === undefined || (low.value as number) <= to) && (high === undefined || (high.value as number) >= from),
    )
  );
}

export const calendar: ConnectorFactory = {
  name: "calendar",
  properties: ["calendar.from", "calendar.to"],
  create(properties) {
    const all = {
      from: dateProperty(properties, "calendar.from", "2000-01-01"),
      to: dateProperty(properties, "calendar.to", "2039-12-31"),
    };
    const spans = spansOf(all);
    const table: TableMetadata = {
      name: { schema: "default", table: "days" },
      columns: columns.map(({ name, type }) => ({ name, type })),
      handle: null,
      uniqueKeys: [["day"], ["unix_seconds"]],
    };
    return {
      metadata: {
        changesOnlyHere: true,
        listSchemas: async () => ["default"],
        listTables: async (schema) => (schema === "default" ? ["days"] : []),
        getTable: async (name) => (name.schema === "default" && name.table === "days" ? table : undefined),
        getStatistics: async () => ({
          rowCount: Math.max(0, all.to - all.from + 1),
          columns: { day: { low: all.from, high: all.to, nullsFraction: 0 } },
        }),
      },
      getSplits: async (_, __, constraint) =>
        spans
          .filter((span) => mayMeet(span, constraint))
          .map((span): Split => ({ payload: { from: span.from, to: span.to }, rows: span.to - span.from + 1 })),
      createPageSource: (request) => new DaySource(request),
    };
  },
};
