/**
 * Base64 as used in HTTP Basic credentials.
 */

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const group = ((bytes[at] as number) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += alphabet.charAt(group >> 18) + alphabet.charAt((group >> 12) & 63);
    text += (left > 1 ? alphabet.charAt((group >> 6) & 63) : "=") + (left > 2 ? alphabet.charAt(group & 63) : "=");
  }
  return text;
}

/** Undefined if the text is not base64; padding is optional. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const digits = text.replace(/={1,2}$/, "");
  if (digits.length % 4 === 1 || !/^[A-Za-z0-9+/]*$/.test(digits)) {
    return undefined;
  }
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let index = 0; index < digits.length; index++) {
    bits = ((bits << 6) | digitOf(digits.charCodeAt(index))) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[at++] = (bits >> held) & 0xff;
    }
  }
  return bytes;
}

/** Value of a digit by its character code. */
function digitOf(code: number): number {
  if (code >= 97) {
    return code - 71;
  }
  if (code >= 65) {
    return code - 65;
  }
  return code >= 48 ? code + 4 : code === 43 ? 62 : 63;
}
