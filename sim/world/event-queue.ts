/**
 * The event queue of the simulated world: a binary heap ordered by (time, sequence). It knows nothing of the purpose of events.
 */

export interface QueuedEvent {
  /** Simulated time in nanoseconds. */
  readonly atNanos: number;
  readonly sequence: number;
  /** For traces: `deliver w1->c GET`, `timer task-status-poll`. */
  readonly label: string;
  /** Name of the node on which the event happens; empty for the world itself. */
  readonly place: string;
  /** Number of the event that queued this one; 0 before the first event. */
  readonly parent: number;
  readonly run: () => void;
  cancelled: boolean;
}

export class EventQueue {
  readonly #heap: QueuedEvent[] = [];
  #sequence = 0;

  get size(): number {
    return this.#heap.length;
  }

  add(event: {
    readonly atNanos: number;
    readonly label: string;
    readonly place: string;
    readonly parent: number;
    readonly run: () => void;
  }): QueuedEvent {
    // Copies each member, because this runs for every event and a spread takes several times as long.
    const queued: QueuedEvent = {
      atNanos: event.atNanos,
      sequence: this.#sequence++,
      label: event.label,
      place: event.place,
      parent: event.parent,
      run: event.run,
      cancelled: false,
    };
    const heap = this.#heap;
    heap.push(queued);
    let index = heap.length - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!before(queued, heap[parent] as QueuedEvent)) {
        break;
      }
      heap[index] = heap[parent] as QueuedEvent;
      index = parent;
    }
    heap[index] = queued;
    return queued;
  }

  /** Removes and returns the earliest event that was not cancelled. */
  take(): QueuedEvent | undefined {
    for (;;) {
      const top = this.#takeTop();
      if (top === undefined || !top.cancelled) {
        return top;
      }
    }
  }

  peekNanos(): number | undefined {
    while (this.#heap[0]?.cancelled === true) {
      this.#takeTop();
    }
    return this.#heap[0]?.atNanos;
  }

  #takeTop(): QueuedEvent | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined || heap.length === 0) {
      return top;
    }
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) {
        break;
      }
      if (child + 1 < heap.length && before(heap[child + 1] as QueuedEvent, heap[child] as QueuedEvent)) {
        child++;
      }
      if (!before(heap[child] as QueuedEvent, last)) {
        break;
      }
      heap[index] = heap[child] as QueuedEvent;
      index = child;
    }
    heap[index] = last;
    return top;
  }
}

function before(a: QueuedEvent, b: QueuedEvent): boolean {
  return a.atNanos < b.atNanos || (a.atNanos === b.atNanos && a.sequence < b.sequence);
}
