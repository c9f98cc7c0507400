/**
 * Names and values of a configuration in its errors. A secret may stand in the wrong line, so a long value is never shown whole, unless
 * it is a path; and what is no property's name may be a value whose name was forgotten.
 */
const shownCharsMax = 20;
const beginningChars = 6;
const pathCharsMax = 300;
const path = /^(?:\/|\.{1,2}\/)/;
const propertyName = /^[a-z][a-z0-9]{0,19}(?:[._-][a-z0-9]{1,20})*$/;
const nameCharsMax = 100;

/** In one line: control characters and line separators are shown as `?`. */
export function shownValue(value: string): string {
  const isWhole = value.length <= (path.test(value) ? pathCharsMax : shownCharsMax);
  const shown = isWhole ? value : `${value.slice(0, beginningChars)}...`;
  return shown.replaceAll(/[\p{Cc}\u2028\u2029]/gu, "?");
}

export function shownName(name: string): string {
  return propertyName.test(name) && name.length <= nameCharsMax ? name : shownValue(name);
}
