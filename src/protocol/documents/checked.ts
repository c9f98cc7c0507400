/**
 * Whether a document is as its schema says, decided without building results or issues: ten times faster than the schema's own parser, which is asked only
 * when the answer is no. Knows the kinds of schema that documents are made of; any other kind falls back to the schema itself.
 */
import type { z } from "zod";
import type { Schema } from "../http/http.ts";

export type Accepts = (value: unknown) => boolean;

/**
 * Reads documents by the schema, and gives a right one back as it came: members that the schema does not name stay. For schemas that only check; one that changes
 * what it reads, or is of a kind that is not known here, is used itself.
 */
export function checked<T>(schema: z.ZodType<T>): Schema<T> {
  const checks = new SchemaChecks();
  const accepts = checks.of(schema);
  if (!checks.isComplete) {
    return schema;
  }
  return { safeParse: (value) => (accepts(value) ? { success: true, data: value as T } : schema.safeParse(value)) };
}

/** The definition inside a schema, as zod's own tools read it. */
interface Definition {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: CheckDefinition } }[];
  readonly format?: string;
  readonly check?: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
  readonly element?: z.ZodType;
  readonly keyType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
  readonly getter?: () => z.ZodType;
}

interface CheckDefinition {
  readonly check: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly value?: number | bigint;
  readonly inclusive?: boolean;
}

/** Makes checks and keeps them by their schema. */
export class SchemaChecks {
  readonly #known = new Map<z.ZodType, Accepts>();
  #fallbacks = 0;

  /** No schema so far had to be asked itself. */
  get isComplete(): boolean {
    return this.#fallbacks === 0;
  }

  of(schema: z.ZodType): Accepts {
    const known = this.#known.get(schema);
    if (known !== undefined) {
      return known;
    }
    // A schema may contain itself: what is met on the way refers to the check that is being made.
    this.#known.set(schema, (value) => made(value));
    const made: Accepts = this.#make(schema);
    this.#known.set(schema, made);
    return made;
  }

  #make(schema: z.ZodType): Accepts {
    const definition = schema._zod.def as unknown as Definition;
    const bare = this.#bare(definition);
    const checks = (definition.checks ?? []).map(({ _zod }) => checkOf(_zod.def));
    if (bare === undefined || checks.includes(undefined)) {
      this.#fallbacks++;
      return (value) => schema.safeParse(value).success;
    }
    const [first, second, ...more] = checks as readonly Accepts[];
    if (first === undefined) {
      return bare;
    }
    if (second === undefined) {
      return (value) => bare(value) && first(value);
    }
    return (value) => bare(value) && first(value) && second(value) && more.every((check) => check(value));
  }

  /** Without the checks on top of the type; undefined for a kind that is not known here. */
  #bare(definition: Definition): Accepts | undefined {
    switch (definition.type) {
      case "string":
        return definition.format === undefined ? (value) => typeof value === "string" : undefined;
      case "number":
        return numberOf(definition);
      case "bigint":
        return definition.format === undefined ? (value) => typeof value === "bigint" : undefined;
      case "boolean":
        return (value) => typeof value === "boolean";
      case "null":
        return (value) => value === null;
      case "unknown":
      case "any":
        return () => true;
      case "never":
        return () => false;
      case "enum":
        return memberOf(Object.values(definition.entries ?? {}));
      case "literal":
        return memberOf(definition.values ?? []);
      case "optional":
        return orElse(undefined, this.of(definition.innerType as z.ZodType));
      case "nullable":
        return orElse(null, this.of(definition.innerType as z.ZodType));
      case "array":
        return arrayOf(this.of(definition.element as z.ZodType));
      case "union":
        return anyOf((definition.options ?? []).map((option) => this.of(option)));
      case "lazy":
        return this.of((definition.getter as () => z.ZodType)());
      case "record":
        return recordOf(this.of(definition.keyType as z.ZodType), this.of(definition.valueType as z.ZodType));
      case "object":
        return this.#object(definition.shape ?? {}, definition.catchall);
      default:
        return undefined;
    }
  }

  #object(shape: Readonly<Record<string, z.ZodType>>, catchall: z.ZodType | undefined): Accepts {
    const members = Object.entries(shape).map(([key, schema]) => ({
      key,
      accepts: this.of(schema),
      optional: schema._zod.optin === "optional",
    }));
    const others = catchall === undefined ? undefined : this.of(catchall);
    return (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return false;
      }
      const object = value as Readonly<Record<string, unknown>>;
      for (const { key, accepts, optional } of members) {
        const member = object[key];
        // What is absent must be optional, even where the schema would take an undefined.
        if (member === undefined && !(key in object) ? !optional : !accepts(member)) {
          return false;
        }
      }
      return others === undefined || Object.keys(object).every((key) => Object.hasOwn(shape, key) || others(object[key]));
    };
  }
}

function numberOf({ check, format }: Definition): Accepts | undefined {
  if (check === undefined) {
    return (value) => typeof value === "number" && Number.isFinite(value);
  }
  return check === "number_format" && format === "safeint" ? (value) => Number.isSafeInteger(value) : undefined;
}

function memberOf(values: readonly unknown[]): Accepts {
  const members = new Set(values);
  return (value) => members.has(value);
}

function orElse(alternative: null | undefined, inner: Accepts): Accepts {
  return (value) => value === alternative || inner(value);
}

function anyOf(options: readonly Accepts[]): Accepts {
  return (value) => options.some((accepts) => accepts(value));
}

function arrayOf(element: Accepts): Accepts {
  return (value) => Array.isArray(value) && value.every(element);
}

function recordOf(key: Accepts, member: Accepts): Accepts {
  return (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([name, content]) => key(name) && member(content));
}

/** undefined for a check that is not known here. */
function checkOf({ check, format, pattern, value: bound, inclusive }: CheckDefinition): Accepts | undefined {
  if (check === "string_format" && format === "regex" && pattern !== undefined && !pattern.global && !pattern.sticky) {
    return (value) => pattern.test(value as string);
  }
  if (bound !== undefined && check === "greater_than") {
    return (value) => (value as number) > bound || (inclusive === true && value === bound);
  }
  if (bound !== undefined && check === "less_than") {
    return (value) => (value as number) < bound || (inclusive === true && value === bound);
  }
  return undefined;
}
