/**
 * Notices names from outside that index plain objects: while it is set, a read or a write of the trapped name that reaches
 * `Object.prototype` from code of the engine is noted with its place.
 */
export interface Trap {
  /** `src/planner/analyzer/expression/calls.ts:31`, each once, in order. */
  readonly places: () => readonly string[];
  /** Forgets what was noted and lets go of the prototype. */
  readonly release: () => void;
}

export function setTrap(names: readonly string[]): Trap {
  const places = new Set<string>();
  const note = (): void => {
    const [, , , frame = ""] = (new Error().stack ?? "").split("\n");
    const place = /\/(src\/[^)]*?):\d+\)?$/.exec(frame)?.[1];
    if (place !== undefined) {
      places.add(place);
    }
  };
  for (const name of names) {
    Object.defineProperty(Object.prototype, name, {
      configurable: true,
      get: () => {
        note();
        return undefined;
      },
      set(this: object, value: unknown) {
        note();
        Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
      },
    });
  }
  return {
    places: () => [...places],
    release: () => names.forEach((name) => Reflect.deleteProperty(Object.prototype, name)),
  };
}
