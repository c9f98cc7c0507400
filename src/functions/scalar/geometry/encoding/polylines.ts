/**
 * Google's encoded polylines: differences between positions in units of 10^-5 degree, latitude first, zigzag encoded, five bits per
 * character.
 */
import { invalidArgument } from "../../../runtime/nested-values.ts";
import type { Position } from "../geometry.ts";

const precision = 1e5;
const [offset, moreBit, lowBits] = [63, 0x20, 0x1f];

function encodeNumber(value: number): string {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  let text = "";
  while (rest >= moreBit) {
    text += String.fromCharCode(((rest % moreBit) | moreBit) + offset);
    rest = Math.floor(rest / moreBit);
  }
  return text + String.fromCharCode(rest + offset);
}

export function encodePolyline(positions: readonly Position[]): string {
  let [lastX, lastY, text] = [0, 0, ""];
  for (const position of positions) {
    const [x, y] = position.map((degrees) => Math.round(degrees * precision)) as [number, number];
    text += encodeNumber(y - lastY) + encodeNumber(x - lastX);
    [lastX, lastY] = [x, y];
  }
  return text;
}

/** Throws INVALID_FUNCTION_ARGUMENT. */
export function decodePolyline(text: string): readonly Position[] {
  const numbers: number[] = [];
  let [value, scale] = [0, 1];
  for (const character of text) {
    const code = character.charCodeAt(0) - offset;
    if (code < 0 || code > 63 || scale > 2 ** 40) {
      return invalidArgument("Input is not an encoded polyline");
    }
    value += (code & lowBits) * scale;
    scale *= moreBit;
    if ((code & moreBit) === 0) {
      numbers.push(value % 2 === 0 ? value / 2 : -(value + 1) / 2);
      [value, scale] = [0, 1];
    }
  }
  if (scale !== 1 || numbers.length % 2 !== 0) {
    return invalidArgument("Input is not an encoded polyline");
  }
  let [x, y] = [0, 0];
  return Array.from({ length: numbers.length / 2 }, (_, index): Position => {
    y += numbers[2 * index] as number;
    x += numbers[2 * index + 1] as number;
    return [x / precision, y / precision];
  });
}
