/**
 * Parsing of numeric options of `npm run fuzz`.
 */
import { InvalidArgumentError } from "commander";

const jobsMax = 64;

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    throw new InvalidArgumentError("Not a whole number.");
  }
  return Number(text);
}

export function jobsNumber(text: string): number {
  const jobs = wholeNumber(text);
  if (jobs < 1 || jobs > jobsMax) {
    throw new InvalidArgumentError(`Not from 1 to ${jobsMax}.`);
  }
  return jobs;
}

export function jobsOf(processors: number): number {
  return Math.min(jobsMax, processors);
}

export function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0)) {
    throw new InvalidArgumentError("Not a number above 0.");
  }
  return number;
}
