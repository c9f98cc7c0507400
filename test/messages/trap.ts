/**
 * Detects names from users that index plain objects: while it is active, engine code that reads or writes the trapped name on
 * `Object.prototype` is recorded with its place.
 */
export interface Trap {
  /** `src/planner/analyzer/expression/calls.ts:31`, each once, in order. */
  readonly places: () => readonly string[];
  /** Clears the records and restores the prototype. */
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
