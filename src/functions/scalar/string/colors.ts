/**
 * Terminal colors and colored text: bar, color, render, rgb. A color is 0xrrggbb; a named color is -1 minus its number.
 */
import { VARCHAR, varcharType } from "../../../types/type.ts";
import type { ScalarDefinition } from "../../registry/definition.ts";
import { formatDouble } from "../../runtime/formats.ts";
import { invalid } from "./implementations.ts";

const colorNames = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const reset = "\u001b[0m";
/** Number of characters that escape sequences add to a text. */
const escapeCharacters = 15;
/** Maximum width of a bar in columns, wider than any terminal. */
const widthMax = 100_000n;

type Triple = readonly [number, number, number];

function channels(color: number): Triple {
  return color < 0 ? invalid("color is not a valid rgb value") : [(color >> 16) & 0xff, (color >> 8) & 0xff, color & 0xff];
}

/** Text of a color for clients: its name, or `#rrggbb`. */
export function formatColor(color: number): string {
  return color < 0 ? (colorNames[-color - 1] as string) : `#${color.toString(16).padStart(6, "0")}`;
}

function parseColor(text: string): number {
  if (/^#[0-9a-fA-F]{3}$/.test(text)) {
    return Number(`0x${Array.from(text.slice(1), (digit) => digit + digit).join("")}`);
  }
  const index = colorNames.indexOf(text.toLowerCase());
  return index < 0 ? invalid(`Invalid color: '${text}'`) : -(index + 1);
}

function rgb(...given: readonly bigint[]): number {
  return given.reduce((color, value, index) => {
    if (value < 0n || value > 255n) {
      invalid(`${["red", "green", "blue"][index]} must be between 0 and 255`);
    }
    return color * 256 + Number(value);
  }, 0);
}

/** Hue, saturation and brightness, each from 0 to 1 in the precision of real. */
function hsbOf(color: number): Triple {
  const [red, green, blue] = channels(color);
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const f = Math.fround;
  if (most === least) {
    return [0, 0, f(most / 255)];
  }
  const distance = (channel: number) => f(f(most - channel) / f(most - least));
  const sixth =
    red === most
      ? distance(blue) - distance(green)
      : green === most
        ? 2 + distance(red) - distance(blue)
        : 4 + distance(green) - distance(red);
  const hue = f(f(sixth) / 6);
  return [hue < 0 ? f(hue + 1) : hue, f((most - least) / most), f(most / 255)];
}

function rgbOf([hue, saturation, brightness]: Triple): number {
  const f = Math.fround;
  const channel = (value: number) => Math.floor(f(f(value * 255) + 0.5));
  const part = f(f(hue - Math.floor(hue)) * 6);
  const sector = Math.floor(part);
  const fraction = f(part - sector);
  const low = f(brightness * f(1 - saturation));
  const falling = f(brightness * f(1 - f(saturation * fraction)));
  const rising = f(brightness * f(1 - f(saturation * f(1 - fraction))));
  const sectors: readonly Triple[] = [
    [brightness, rising, low],
    [falling, brightness, low],
    [low, brightness, rising],
    [low, falling, brightness],
    [rising, low, brightness],
    [brightness, low, falling],
  ];
  const [red, green, blue] = saturation === 0 ? [brightness, brightness, brightness] : (sectors[sector] as Triple);
  return channel(red) * 65536 + channel(green) * 256 + channel(blue);
}

function interpolate(fraction: number, low: number, high: number): number {
  const [from, to] = [hsbOf(low), hsbOf(high)];
  const share = Math.fround(fraction);
  const at = (index: 0 | 1 | 2) => Math.fround(Math.fround(share * Math.fround(to[index] - from[index])) + from[index]);
  return rgbOf([at(0), at(1), at(2)]);
}

/** Interpolates between two colors; the fraction is clamped to 0..1. */
function mix(fraction: number, low: number, high: number): number {
  if (low < 0) {
    invalid("lowColor not a valid RGB color");
  }
  if (high < 0) {
    invalid("highColor not a valid RGB color");
  }
  return interpolate(Number.isNaN(fraction) ? 0 : Math.max(0, Math.min(1, fraction)), low, high);
}

/** Unnamed colors map to the terminal's 6 x 6 x 6 color cube. */
function escape(color: number): string {
  const index = color < 0 ? -color - 1 : channels(color).reduce((sum, channel) => sum * 6 + Math.floor((channel * 6) / 256), 0) + 16;
  return `\u001b[38;5;${index}m`;
}

function render(text: string, color: number): string {
  return `${escape(color)}${text}${reset}`;
}

function bar(share: number, width: bigint, low: number, high: number): string {
  if (width > widthMax) {
    invalid(`width must be at most ${widthMax}`);
  }
  const columns = Math.max(0, Number(width));
  const wanted = Number.isNaN(share) ? 0 : Math.trunc(Math.max(-2147483648, Math.min(2147483647, share * Number(width))));
  const count = Math.max(0, Math.min(columns, wanted));
  const blocks = Array.from({ length: count }, (_, index) => {
    const fraction = columns === 1 ? 0 : index / (columns - 1);
    return `${escape(interpolate(fraction, low, high))}\u2588`;
  });
  return blocks.join("") + reset + " ".repeat(columns - count);
}

const [pureRed, pureGreen] = [0xff0000, 0x00ff00];

export const colorDefinitions: readonly ScalarDefinition[] = [
  {
    name: "color",
    args: ["varchar"],
    returns: "color",
    description: "Color of a name or of #rgb",
    host: ([text]) => parseColor(text as string),
    example: { sql: "to_hex(to_utf8(render('x', color('red'))))", result: "1B5B33383B353B316D781B5B306D" },
  },
  {
    name: "color",
    args: ["double", "color", "color"],
    returns: "color",
    description: "Color interpolated between two colors by a fraction",
    host: ([fraction, low, high]) => mix(fraction as number, low as number, high as number),
    example: { sql: "substr(render('x', color(0, rgb(255, 0, 0), rgb(0, 255, 0))), 2, 9)", result: "[38;5;196" },
  },
  {
    name: "color",
    args: ["double", "double", "double", "color", "color"],
    returns: "color",
    description: "Color interpolated between two colors by a value in a range",
    host: ([value, low, high, lowColor, highColor]) => {
      const share = ((value as number) - (low as number)) / ((high as number) - (low as number));
      return mix(share, lowColor as number, highColor as number);
    },
    example: { sql: "substr(render('x', color(9, 1, 9, color('#f00'), color('#0f0'))), 2, 8)", result: "[38;5;46" },
  },
  {
    name: "rgb",
    args: ["bigint", "bigint", "bigint"],
    returns: "color",
    description: "Color of red, green and blue components from 0 to 255",
    host: ([red, green, blue]) => rgb(red as bigint, green as bigint, blue as bigint),
    example: { sql: "substr(render('x', rgb(255, 255, 255)), 2, 9)", result: "[38;5;231" },
  },
  {
    name: "render",
    args: ["varchar(x)", "color"],
    returns: "varchar",
    returnType: ([text]) => (text?.kind === "varchar" && text.length !== undefined ? varcharType(text.length + escapeCharacters) : VARCHAR),
    description: "String rendered in the color",
    host: ([text, color]) => render(text as string, color as number),
    example: { sql: "substr(render('x', color('blue')), 2)", result: "[38;5;4mx\u001b[0m" },
  },
  {
    name: "render",
    args: ["bigint", "color"],
    returns: "varchar",
    returnType: () => varcharType(35),
    description: "Number rendered in the color",
    host: ([value, color]) => render(String(value), color as number),
    example: { sql: "substr(render(12, color('black')), 10, 2)", result: "12" },
  },
  {
    name: "render",
    args: ["double", "color"],
    returns: "varchar",
    returnType: () => varcharType(41),
    description: "Number rendered in the color",
    host: ([value, color]) => render(formatDouble(value as number), color as number),
    example: { sql: "substr(render(1.5e0, color('white')), 9, 4)", result: "m1.5" },
  },
  {
    name: "render",
    args: ["boolean"],
    returns: "varchar",
    returnType: () => varcharType(16),
    description: "Boolean rendered as a green check mark or a red cross",
    host: ([value]) => (value === true ? render("\u2713", parseColor("green")) : render("\u2717", parseColor("red"))),
    example: { sql: "substr(render(true), 2, 9)", result: "[38;5;2m\u2713" },
  },
  {
    name: "bar",
    args: ["double", "bigint"],
    returns: "varchar",
    description: "Bar of a fraction of a width, from red to green",
    host: ([share, width]) => bar(share as number, width as bigint, pureRed, pureGreen),
    example: { sql: "length(bar(0.5, 10))", result: "69" },
  },
  {
    name: "bar",
    args: ["double", "bigint", "color", "color"],
    returns: "varchar",
    description: "Bar of a fraction of a width, from one color to another",
    host: ([share, width, low, high]) => bar(share as number, width as bigint, low as number, high as number),
    example: { sql: "replace(bar(1, 2, rgb(0, 0, 0), rgb(255, 255, 255)), chr(27), '')", result: "[38;5;16m\u2588[38;5;231m\u2588[0m" },
  },
];
