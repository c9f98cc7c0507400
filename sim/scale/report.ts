/**
 * Measurements as a table, with the growth of each cost by the number of workers.
 */
import { growthExponent, type Measurement, speedup } from "./measure.ts";
import { type Workload, workloads } from "./plans.ts";

interface Column {
  readonly title: string;
  readonly cell: (measured: Measurement) => string;
}

const columns: readonly Column[] = [
  { title: "workers", cell: ({ nodes }) => grouped(nodes) },
  { title: "real", cell: ({ realMs }) => `${(realMs / 1000).toFixed(2)} s` },
  { title: "CPU", cell: ({ cpuMs }) => `${(cpuMs / 1000).toFixed(2)} s` },
  { title: "simulated", cell: ({ simulatedNanos }) => `${(simulatedNanos / 1e9).toFixed(1)} s` },
  { title: "sim/real", cell: (measured) => `${speedup(measured).toFixed(speedup(measured) < 10 ? 1 : 0)}x` },
  { title: "events", cell: ({ events }) => grouped(events) },
  { title: "events/s", cell: ({ events, realMs }) => grouped((events / realMs) * 1000) },
  { title: "messages", cell: ({ messages }) => grouped(messages) },
  { title: "idle", cell: ({ messages, idleMessages }) => `${Math.round((idleMessages / Math.max(1, messages)) * 100)} %` },
  { title: "tasks", cell: ({ tasks }) => grouped(tasks) },
  { title: "queries", cell: ({ statements, finished }) => `${finished}/${statements}` },
  { title: "queries/s", cell: ({ statements, realMs }) => ((statements / realMs) * 1000).toFixed(1) },
  { title: "memory", cell: ({ peakBytes }) => `${grouped(peakBytes / 2 ** 20)} MB` },
  { title: "CPU/worker", cell: ({ cpuMs, nodes }) => `${(cpuMs / nodes).toFixed(1)} ms` },
];

const titles: Readonly<Record<Workload, string>> = {
  idle: "idle: a cluster that starts and runs half a minute without statements",
  fixed: "fixed: twelve statements at every size; workers crash and restart",
  growing: "growing: a statement for every ten workers, at least twelve; workers crash and restart",
  wide: "wide: four statements with up to 64 tasks a stage; workers crash and restart",
};

export function describeScale(measured: readonly Measurement[]): string {
  return workloads
    .map((workload) => ({ workload, rows: measured.filter((one) => one.workload === workload) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ workload, rows }) => [titles[workload], ...tableLines(rows), ...growthLines(rows)].join("\n"))
    .join("\n\n");
}

function tableLines(rows: readonly Measurement[]): readonly string[] {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ cell }) => cell(row)))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => (line[index] as string).length)));
  return cells.map((line) => `  ${line.map((cell, index) => cell.padStart(widths[index] as number)).join("  ")}`);
}

/** Growth over all sizes, and over the last step only, because constant costs hide the growth of the rest. */
function growthLines(rows: readonly Measurement[]): readonly string[] {
  const costs: readonly { readonly name: string; readonly of: (one: Measurement) => number }[] = [
    { name: "CPU time", of: ({ cpuMs }) => cpuMs },
    { name: "events", of: ({ events }) => events },
    { name: "messages", of: ({ messages }) => messages },
    { name: "bytes", of: ({ bytes }) => bytes },
    { name: "memory", of: ({ peakBytes }) => peakBytes },
  ];
  const grown = costs.flatMap(({ name, of }) => {
    const points = rows.map((row) => ({ nodes: row.nodes, cost: of(row) }));
    const whole = growthExponent(points);
    const last = growthExponent(points.slice(-2));
    return whole === undefined || last === undefined ? [] : [`${name} ${whole.toFixed(2)} (last step ${last.toFixed(2)})`];
  });
  return grown.length === 0 ? [] : [`  grows with workers^x, x: ${grown.join(", ")}`];
}

function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}
