/**
 * Traps on every route to real time, entropy and host (trap-routes.ts). A run installs them once. They are armed only while the code of an
 * event may run: from the event until the promises that it resolved have settled. Between events the host is not disturbed, for example its
 * progress line or a test's own timers.
 *
 * Taking a route throws, and also notifies the listener that armed the traps. The use is therefore found even if the engine swallows the
 * error.
 */
import { replacements, type Route, trappedObjects } from "./trap-routes.ts";

export class TrapError extends Error {
  readonly route: Route;

  /** `where` begins a sentence: `event 12 (serve on w2 at 1.500000 s)`. */
  constructor(route: Route, where: string) {
    super(`${where} used ${route.name}: ${replacements[route.replacement]}`);
    this.name = "TrapError";
    this.route = route;
  }
}

/** Receives the route that an event took; returns the error to throw there. */
export type TrapListener = (route: Route) => Error;

/**
 * State of the traps, shared by the whole realm because patches apply to the realm: the listener of the running event, and the number of
 * runs that use the traps.
 */
interface Hub {
  listener: TrapListener | undefined;
  users: number;
  undo: (() => void)[];
  readonly routes: Route[];
}

const hubKey = Symbol.for("orrery.traps");

function hubOfRealm(): Hub {
  const realm = globalThis as unknown as Record<symbol, Hub | undefined>;
  const hub = realm[hubKey] ?? { listener: undefined, users: 0, undo: [], routes: [] };
  realm[hubKey] = hub;
  return hub;
}

/** One run's reference to the traps. */
export class Traps {
  readonly #hub = hubOfRealm();
  #held = true;

  /** Installs the traps unless another run already has. They have no effect until they are armed. */
  constructor() {
    if (this.#hub.users++ === 0) {
      patchAll(this.#hub);
    }
  }

  /**
   * Arms the traps until the microtasks of the current macrotask have run. Must be called from a microtask, because only then do ticks come
   * after all microtasks.
   */
  arm(listener: TrapListener): void {
    const hub = this.#hub;
    process.nextTick(() => {
      hub.listener = undefined;
    });
    hub.listener = listener;
  }

  /** Arms the traps for code that has settled its promises when it returns. */
  armUntilDisarmed(listener: TrapListener): void {
    this.#hub.listener = listener;
  }

  disarm(): void {
    this.#hub.listener = undefined;
  }

  /** Runs code of the host, as opposed to code of the event that caused it. */
  unarmed<T>(work: () => T): T {
    const hub = this.#hub;
    const { listener } = hub;
    hub.listener = undefined;
    try {
      return work();
    } finally {
      hub.listener = listener;
    }
  }

  /** Removes the traps when the last run releases them. */
  release(): void {
    if (!this.#held) {
      return;
    }
    this.#held = false;
    this.#hub.listener = undefined;
    if (--this.#hub.users === 0) {
      for (const undo of this.#hub.undo.splice(0).reverse()) {
        undo();
      }
      this.#hub.routes.length = 0;
      syncModules();
    }
  }

  /** Every route that is trapped in this version of Node. */
  get routes(): readonly Route[] {
    return this.#hub.routes;
  }
}

type Callable = (...args: unknown[]) => unknown;

function patchAll(hub: Hub): void {
  for (const { name, find, replacement, keys, except, onRead } of trappedObjects()) {
    const object = find();
    if (object === undefined) {
      continue;
    }
    for (const key of keys ?? Object.getOwnPropertyNames(object)) {
      if (except?.includes(key) !== true) {
        patchProperty(hub, object, key, {
          route: { name: name === "globalThis" ? key : `${name}.${key}`, replacement },
          onRead: onRead === true,
        });
      }
    }
  }
  patchDate(hub);
  patchHostCalls(hub);
  syncModules();
}

/** Propagates the patches to named imports of built-in modules. */
function syncModules(): void {
  if (typeof process === "object") {
    const { syncBuiltinESMExports } = process.getBuiltinModule("node:module");
    syncBuiltinESMExports();
  }
}

/** Throws if an event is running. */
function check(hub: Hub, route: Route): void {
  const { listener } = hub;
  if (listener === undefined) {
    return;
  }
  // The listener may use trapped functions, and so may the code that formats the stack.
  hub.listener = undefined;
  let error: Error;
  try {
    error = listener(route);
    void error.stack;
  } finally {
    hub.listener = listener;
  }
  throw error;
}

function define(hub: Hub, object: object, key: string, descriptor: PropertyDescriptor): void {
  const before = Object.getOwnPropertyDescriptor(object, key);
  Object.defineProperty(object, key, descriptor);
  hub.undo.push(() => {
    if (before !== undefined) {
      Object.defineProperty(object, key, before);
    }
  });
}

function patchProperty(hub: Hub, object: object, key: string, trap: { readonly route: Route; readonly onRead: boolean }): void {
  const { route, onRead } = trap;
  const before = Object.getOwnPropertyDescriptor(object, key);
  if (before === undefined || before.configurable !== true) {
    return;
  }
  const { value, get } = before as { readonly value?: unknown; readonly get?: () => unknown };
  if (onRead) {
    if (get === undefined && typeof value === "function") {
      return;
    }
    hub.routes.push(route);
    define(hub, object, key, {
      configurable: true,
      enumerable: before.enumerable === true,
      get(this: unknown) {
        check(hub, route);
        return get === undefined ? value : get.call(this);
      },
      set(this: unknown, next: unknown) {
        setOriginal(this, key, before, next);
      },
    });
    return;
  }
  if (typeof value === "function") {
    hub.routes.push(route);
    define(hub, object, key, { ...before, value: trapped(hub, value as Callable, route) });
  } else if (get !== undefined && object === globalThis) {
    // The host loads this class on first access, so the patch keeps the getter.
    hub.routes.push(route);
    define(hub, object, key, {
      ...before,
      get(this: unknown) {
        const found = get.call(this);
        return typeof found === "function" ? trapped(hub, found as Callable, route) : found;
      },
    });
  }
}

/** Performs the assignment as the property did before it was patched. */
function setOriginal(self: unknown, key: string, before: PropertyDescriptor, next: unknown): void {
  if (before.set !== undefined) {
    before.set.call(self, next);
  } else if (before.writable === true) {
    Object.defineProperty(self as object, key, { ...before, value: next });
  }
}

/** Wraps a function and keeps its properties; a call throws while an event runs. */
function trapped(hub: Hub, original: Callable, route: Route): Callable {
  return new Proxy(original, {
    apply(target, self, args) {
      check(hub, route);
      return Reflect.apply(target, self, args);
    },
    construct(target, args, newTarget) {
      check(hub, route);
      return Reflect.construct(target, args, newTarget) as object;
    },
  });
}

/**
 * `Date(...)` and `new Date()` read the time. A date from several numbers, or from a text without a zone, depends on the time zone. A date
 * from one number is a plain value.
 */
function patchDate(hub: Hub): void {
  const original = globalThis.Date;
  const now: Route = { name: "new Date()", replacement: "clock" };
  const called: Route = { name: "Date()", replacement: "clock" };
  const local: Route = { name: "new Date(year, month, ...)", replacement: "locale" };
  const text: Route = { name: "new Date(text)", replacement: "locale" };
  hub.routes.push(now, called, local, text);
  const patched = new Proxy(original, {
    apply(target, self, args) {
      check(hub, called);
      return Reflect.apply(target, self, args) as unknown;
    },
    construct(target, args, newTarget) {
      if (args.length === 0) {
        check(hub, now);
      } else if (args.length > 1) {
        check(hub, local);
      } else if (typeof args[0] === "string" && !/(Z|[+-]\d\d:?\d\d|GMT)$/i.test(args[0])) {
        check(hub, text);
      }
      return Reflect.construct(target, args, newTarget) as object;
    },
  });
  define(hub, globalThis, "Date", { configurable: true, enumerable: false, writable: true, value: patched });
  // A date instance leads to its constructor.
  define(hub, original.prototype, "constructor", { configurable: true, enumerable: false, writable: true, value: patched });
}

/** Writing to the console is output; the host may use trapped functions to do it. */
function patchHostCalls(hub: Hub): void {
  for (const key of ["log", "info", "warn", "error", "debug", "trace"] as const) {
    const original = console[key] as Callable;
    define(hub, console, key, {
      configurable: true,
      enumerable: true,
      writable: true,
      value: new Proxy(original, {
        apply(target, self, args) {
          const { listener } = hub;
          hub.listener = undefined;
          try {
            return Reflect.apply(target, self, args);
          } finally {
            hub.listener = listener;
          }
        },
      }),
    });
  }
}
