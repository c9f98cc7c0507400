/**
 * CPU time of the calling thread, if the system reports it.
 */
import { closeSync, openSync, readSync } from "node:fs";

export interface CpuTime {
  /** In nanoseconds; undefined if the system does not report it. */
  read(): number | undefined;
  close(): void;
}

/** Reads the first number of `/proc/thread-self/schedstat`, which refers to the thread that opened the file. */
class SchedulerFile implements CpuTime {
  readonly #bytes = new Uint8Array(64);
  readonly #file: number;
  #isOpen = true;

  constructor(path: string) {
    this.#file = openSync(path, "r");
  }

  read(): number | undefined {
    try {
      return this.#isOpen ? firstNumber(this.#bytes, readSync(this.#file, this.#bytes, 0, this.#bytes.length, 0)) : undefined;
    } catch {
      return undefined;
    }
  }

  close(): void {
    if (this.#isOpen) {
      this.#isOpen = false;
      closeSync(this.#file);
    }
  }
}

function firstNumber(bytes: Uint8Array, length: number): number | undefined {
  let value = 0;
  let at = 0;
  for (; at < length; at++) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0 || digit > 9) {
      break;
    }
    value = value * 10 + digit;
  }
  return at === 0 ? undefined : value;
}

const unknown: CpuTime = { read: () => undefined, close: () => undefined };

/** Newer versions of Node have an API for it. */
type ThreadUsage = () => { readonly user: number; readonly system: number };

/** Must be called and read on the measured thread. */
export function threadCpuTime(path: string = "/proc/thread-self/schedstat"): CpuTime {
  const { threadCpuUsage } = process as { readonly threadCpuUsage?: ThreadUsage };
  if (threadCpuUsage !== undefined) {
    const read = (): number => {
      const { user, system } = threadCpuUsage.call(process);
      return (user + system) * 1000;
    };
    return { read, close: () => undefined };
  }
  try {
    return new SchedulerFile(path);
  } catch {
    return unknown;
  }
}
