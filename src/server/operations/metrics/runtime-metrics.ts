/**
 * Metrics of the JavaScript runtime and of the process. The event loop and the garbage collector are those of the calling thread. The names
 * are the ones of prom-client's default metrics, so that dashboards for Node fit.
 */
import { readdirSync } from "node:fs";
import { constants, type IntervalHistogram, monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { type Collection, LabelledHistogram } from "./series.ts";

const resolutionMs = 20;

const collectorKinds: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, "major"],
  [constants.NODE_PERFORMANCE_GC_MINOR, "minor"],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, "incremental"],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, "weakcb"],
]);

export class RuntimeMetrics {
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: resolutionMs });
  readonly #pauses = new LabelledHistogram("kind", [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]);
  readonly #observer: PerformanceObserver;

  constructor() {
    this.#delay.enable();
    this.#observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { detail } = entry as PerformanceEntry & { readonly detail?: { readonly kind?: number } };
        this.#pauses.observe(collectorKinds.get(detail?.kind ?? -1) ?? "other", entry.duration / 1000);
      }
    });
    this.#observer.observe({ entryTypes: ["gc"] });
  }

  collect(into: Collection): void {
    this.#collectDelay(into);
    into.addAll("nodejs_gc_duration_seconds", this.#pauses.valuesOf("nodejs_gc_duration_seconds"));
    const heap = getHeapStatistics();
    into.set("nodejs_heap_size_total_bytes", heap.total_heap_size);
    into.set("nodejs_heap_size_used_bytes", heap.used_heap_size);
    const { arrayBuffers, external } = process.memoryUsage();
    into.set("nodejs_external_memory_bytes", external);
    into.set("nodejs_array_buffers_bytes", arrayBuffers);
  }

  close(): void {
    this.#delay.disable();
    this.#observer.disconnect();
  }

  /** The histogram measures the time between two ticks of a timer, which is its resolution if nothing is late. */
  #collectDelay(into: Collection): void {
    const delay = this.#delay;
    const seconds = (nanos: number): number => Math.max(0, nanos / 1e9 - resolutionMs / 1000);
    if (delay.count > 0) {
      into.set("nodejs_eventloop_lag_mean_seconds", seconds(delay.mean));
      into.set("nodejs_eventloop_lag_p50_seconds", seconds(delay.percentile(50)));
      into.set("nodejs_eventloop_lag_p99_seconds", seconds(delay.percentile(99)));
      into.set("nodejs_eventloop_lag_max_seconds", seconds(delay.max));
      delay.reset();
    }
  }
}

/** Once for each process. */
export function collectProcess(into: Collection): void {
  const cpu = process.cpuUsage();
  into.set("nodejs_version_info", 1, { version: process.version });
  into.set("process_cpu_user_seconds_total", cpu.user / 1e6);
  into.set("process_cpu_system_seconds_total", cpu.system / 1e6);
  into.set("process_start_time_seconds", Math.floor(performance.timeOrigin / 1000));
  into.set("process_resident_memory_bytes", process.memoryUsage.rss());
  const descriptors = openDescriptors();
  if (descriptors !== undefined) {
    into.set("process_open_fds", descriptors);
  }
}

/** Undefined on systems without /proc, or if the process has no descriptor left to read it. */
function openDescriptors(): number | undefined {
  try {
    // One of them is that of the directory.
    return readdirSync("/proc/self/fd").length - 1;
  } catch {
    return undefined;
  }
}
