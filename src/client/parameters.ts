/** Parameters of a statement: values of JavaScript as literals of SQL, for the `?` of a prepared statement. */

/** A moment, such as a Date. */
interface Moment {
  toISOString(): string;
}

/** A number with a fraction is a double, another one an integer. A Date is a timestamp in UTC. */
export type Parameter = null | boolean | number | bigint | string | Uint8Array | Moment | readonly Parameter[];

/** `EXECUTE IMMEDIATE '...' USING ...`. Nothing of a text can end its literal. */
export function immediate(sql: string, parameters: readonly Parameter[]): string {
  return `EXECUTE IMMEDIATE ${textLiteral(sql)}${using(parameters)}`;
}

/** For servers without EXECUTE IMMEDIATE: the statement has been prepared under this name. */
export function executed(name: string, parameters: readonly Parameter[]): string {
  return `EXECUTE ${name}${using(parameters)}`;
}

function using(parameters: readonly Parameter[]): string {
  return parameters.length === 0 ? "" : ` USING ${parameters.map(literal).join(", ")}`;
}

function literal(value: Parameter): string {
  switch (typeof value) {
    case "boolean":
      return value ? "TRUE" : "FALSE";
    case "number":
      return numberLiteral(value);
    case "bigint":
      return value >= -(2n ** 63n) && value < 2n ** 63n ? bigintLiteral(value) : `DECIMAL '${value}'`;
    case "string":
      return textLiteral(value);
    case "object":
      return objectLiteral(value);
    default:
      throw new TypeError(`A parameter cannot be a ${typeof value}`);
  }
}

/** The smallest bigint has no literal: its digits alone are out of range. */
function bigintLiteral(value: bigint): string {
  return `BIGINT '${value}'`;
}

function numberLiteral(value: number): string {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    return String(value);
  }
  if (!Number.isFinite(value)) {
    return Number.isNaN(value) ? "nan()" : `${value < 0 ? "-" : ""}infinity()`;
  }
  return `DOUBLE '${Object.is(value, -0) ? "-0" : String(value)}'`;
}

function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function objectLiteral(value: object | null): string {
  if (value === null) {
    return "NULL";
  }
  if (Array.isArray(value)) {
    return `ARRAY[${value.map((one: Parameter) => literal(one)).join(", ")}]`;
  }
  if (value instanceof Uint8Array) {
    return `X'${Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("")}'`;
  }
  if ("toISOString" in value && typeof value.toISOString === "function") {
    return momentLiteral((value as Moment).toISOString());
  }
  throw new TypeError("A parameter cannot be an object; give its fields, or an array");
}

/** `2026-01-31T12:00:00.123Z`. Years beyond four digits have no literal. */
function momentLiteral(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d\.\d{3})Z$/.exec(text);
  if (match === null) {
    throw new TypeError(`A parameter cannot be the date ${text}`);
  }
  return `TIMESTAMP '${match[1]} ${match[2]} UTC'`;
}
