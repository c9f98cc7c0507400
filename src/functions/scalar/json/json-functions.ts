/**
 * JSON functions: json_parse, paths, arrays. Invalid JSON text is an error in json_parse only; the other functions return NULL, as in
 * Presto.
 */
import { QueryError } from "../../../protocol/errors.ts";
import { JSON_TYPE, VARCHAR } from "../../../types/type.ts";
import type { HostSteps, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { someInSteps } from "../../runtime/large/loops.ts";
import { allSteps, type InSteps } from "../../runtime/steps.ts";
import {
  follow,
  formatJsonInSteps,
  isJsonArray,
  isJsonObject,
  JsonNumber,
  type JsonValue,
  parseJsonInSteps,
  parseJsonPath,
  scalarText,
} from "./json-values.ts";
import { invalid } from "../string/implementations.ts";

const shownMax = 100;

/** The canonical text of a document. */
export function canonicalJson(text: string): string {
  return allSteps(canonicalJsonInSteps(text));
}

function* canonicalJsonInSteps(text: string): InSteps<string> {
  const value = yield* parseJsonInSteps(text);
  if (value === undefined) {
    const shown = text.length > shownMax ? `${text.slice(0, shownMax)}...(truncated)` : text;
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", `Cannot convert value to JSON: '${shown}'`);
  }
  return yield* formatJsonInSteps(value);
}

function pathOf(path: HostValue): readonly string[] {
  return parseJsonPath(path as string) ?? invalid(`Invalid JSON path: '${path as string}'`);
}

interface ReadPath {
  readonly path: HostValue;
  readonly steps: readonly string[];
}

function atOnce(implementation: (found: JsonValue) => HostValue): (found: JsonValue) => InSteps<HostValue> {
  // oxlint-disable-next-line require-yield
  return function* (found) {
    return implementation(found);
  };
}

/** Makes an implementation per node that caches the path it parsed last. */
function withPath(implementation: (found: JsonValue) => InSteps<HostValue>): () => HostSteps {
  return () => {
    let known: ReadPath | undefined;
    return function* ([text, path]) {
      const read: ReadPath =
        known !== undefined && known.path === path ? known : { path: path as HostValue, steps: pathOf(path as HostValue) };
      known = read;
      const document = yield* parseJsonInSteps(text as string);
      const found = document === undefined ? undefined : follow(document, read.steps);
      return found === undefined ? null : yield* implementation(found);
    };
  };
}

function* arrayOf(text: HostValue | undefined): InSteps<readonly JsonValue[] | undefined> {
  const value = yield* parseJsonInSteps(text as string);
  return value !== undefined && isJsonArray(value) ? value : undefined;
}

function containsIn(wanted: HostValue, element: JsonValue): boolean {
  switch (typeof wanted) {
    case "bigint":
      return element instanceof JsonNumber && element.isInteger && BigInt(element.text) === wanted;
    case "number":
      return element instanceof JsonNumber && !element.isInteger && Number(element.text) === wanted;
    default:
      return element === wanted;
  }
}

const texts = ["json", "varchar"] as const;

/** Presto accepts both json and varchar that contains JSON. */
function ofBoth(make: (pattern: (typeof texts)[number]) => readonly ScalarDefinition[]): readonly ScalarDefinition[] {
  return texts.flatMap(make);
}

function literal(pattern: string, text: string): string {
  return pattern === "json" ? `json_parse('${text}')` : `'${text}'`;
}

const searched: readonly (readonly [type: string, example: string])[] = [
  ["boolean", "CAST('true' AS boolean)"],
  ["bigint", "3"],
  ["double", "2e0"],
  ["varchar", "'a'"],
];

export const jsonDefinitions: readonly ScalarDefinition[] = [
  {
    name: "json_parse",
    args: ["varchar"],
    returns: "json",
    description: "JSON parsed from the string",
    *steps([text]) {
      return yield* canonicalJsonInSteps(text as string);
    },
    example: { sql: `json_format(json_parse('{"b": 1.50, "a": [true, null]}'))`, result: '{"a":[true,null],"b":1.5}' },
  },
  {
    name: "json_format",
    args: ["json"],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "String of the JSON value",
    host: ([json]) => json as HostValue,
    example: { sql: `json_format(json_parse('[1, 2]'))`, result: "[1,2]" },
  },
  {
    name: "is_json_scalar",
    args: ["json"],
    returns: "boolean",
    description: "Whether the JSON is a scalar",
    host: ([json]) => !/^[[{]/.test(json as string),
    example: { sql: `is_json_scalar(json_parse('[1]'))`, result: "false" },
  },
  ...ofBoth((pattern) => [
    ...(pattern === "json"
      ? []
      : ([
          {
            name: "is_json_scalar",
            args: ["varchar"],
            returns: "boolean",
            description: "Whether the JSON is a scalar",
            *steps([text]) {
              const value = (yield* parseJsonInSteps(text as string)) ?? (text === "null" ? null : undefined);
              return value === undefined ? invalid(`Invalid JSON value: ${text as string}`) : !isJsonArray(value) && !isJsonObject(value);
            },
          },
        ] satisfies readonly ScalarDefinition[])),
    {
      name: "json_extract",
      args: [pattern, "varchar"],
      returns: "json",
      returnType: () => JSON_TYPE,
      givesNull: true,
      description: "JSON at the path",
      makeSteps: withPath((found) => formatJsonInSteps(found, "given")),
      example: { sql: `json_format(json_extract(${literal(pattern, '{"a": {"b": [1, 2]}}')}, '$.a.b'))`, result: "[1,2]" },
    },
    {
      name: "json_extract_scalar",
      args: [pattern, "varchar"],
      returns: "varchar",
      returnType: ([json]) => (json?.kind === "varchar" ? json : VARCHAR),
      givesNull: true,
      description: "Scalar at the JSON path as a string",
      makeSteps: withPath(atOnce((found) => scalarText(found) ?? null)),
      example: { sql: `json_extract_scalar(${literal(pattern, '{"a": ["x", "y"]}')}, '$["a"][1]')`, result: "y" },
    },
    {
      name: "json_size",
      args: [pattern, "varchar"],
      returns: "bigint",
      givesNull: true,
      description: "Size of the JSON object or array at the path, or 0 for a scalar",
      makeSteps: withPath(atOnce((found) => BigInt(isJsonArray(found) ? found.length : isJsonObject(found) ? found.size : 0))),
      example: { sql: `json_size(${literal(pattern, '{"x": {"a": 1, "b": 2}}')}, '$.x')`, result: "2" },
    },
    {
      name: "json_array_length",
      args: [pattern],
      returns: "bigint",
      givesNull: true,
      description: "Number of elements in the JSON array",
      *steps([text]) {
        const array = yield* arrayOf(text);
        return array === undefined ? null : BigInt(array.length);
      },
      example: { sql: `json_array_length(${literal(pattern, "[1, 2, 3]")})`, result: "3" },
    },
    {
      name: "json_array_get",
      args: [pattern, "bigint"],
      returns: "json",
      returnType: () => JSON_TYPE,
      givesNull: true,
      description: "Element of the JSON array at the index, from 0, from the end if negative",
      *steps([text, index]) {
        const array = yield* arrayOf(text);
        const element = array?.[Number((index as bigint) < 0n ? BigInt(array.length) + (index as bigint) : index)];
        return element === undefined || element === null ? null : (scalarText(element) ?? (yield* formatJsonInSteps(element, "given")));
      },
      example: { sql: `json_format(json_array_get(${literal(pattern, "[1, [3, 9]]")}, -1))`, result: "[3,9]" },
    },
    ...searched.map(
      ([type, example]): ScalarDefinition => ({
        name: "json_array_contains",
        args: [pattern, type],
        returns: "boolean",
        givesNull: true,
        description: "Whether the JSON array contains the value",
        *steps([text, wanted]) {
          const array = yield* arrayOf(text);
          return array === undefined ? null : yield* someInSteps(array, (element) => containsIn(wanted as HostValue, element));
        },
        example: {
          sql: `json_array_contains(${literal(pattern, '[1, 2.0, true, "a"]')}, ${example})`,
          result: type === "bigint" ? "false" : "true",
        },
      }),
    ),
  ]),
];
