/**
 * The hashes of a password file: bcrypt (`$2y$`), and PBKDF2 as `iterations:salt:hash` with salt and hash in hexadecimal. Trino's formats,
 * with its least costs.
 */
import { pbkdf2Sync, timingSafeEqual } from "node:crypto";
import { compareSync } from "bcryptjs";

const bcryptCostMin = 8;
const pbkdf2IterationsMin = 1000;
/** Above these, one wrong password would take minutes. */
const bcryptCostMax = 16;
const pbkdf2IterationsMax = 10_000_000;

const bcryptPattern = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const pbkdf2Pattern = /^(\d{1,9}):((?:[0-9a-fA-F]{2})+):((?:[0-9a-fA-F]{2}){16,64})$/;

/** Why a hash is not accepted; undefined if it is. */
export function hashComplaint(hash: string): string | undefined {
  if (hash.startsWith("$2")) {
    const cost = Number(bcryptPattern.exec(hash)?.[1] ?? Number.NaN);
    return Number.isNaN(cost)
      ? "Invalid BCrypt password"
      : cost < bcryptCostMin
        ? `Minimum cost of BCrypt password must be ${bcryptCostMin}`
        : cost > bcryptCostMax
          ? `Maximum cost of BCrypt password is ${bcryptCostMax}`
          : undefined;
  }
  const iterations = Number(pbkdf2Pattern.exec(hash)?.[1] ?? Number.NaN);
  return Number.isNaN(iterations)
    ? "Password hashing algorithm cannot be determined"
    : iterations < pbkdf2IterationsMin
      ? `Minimum iterations of PBKDF2 password must be ${pbkdf2IterationsMin}`
      : iterations > pbkdf2IterationsMax
        ? `Maximum iterations of PBKDF2 password are ${pbkdf2IterationsMax}`
        : undefined;
}

/** Takes milliseconds to seconds of CPU time. `hash` has no complaint. */
export function isPasswordOf(hash: string, password: string): boolean {
  if (hash.startsWith("$2")) {
    return compareSync(password, hash);
  }
  const [, iterations = "", salt = "", expected = ""] = pbkdf2Pattern.exec(hash) ?? [];
  const wanted = Buffer.from(expected, "hex");
  const derived = (digest: string): Buffer => pbkdf2Sync(password, Buffer.from(salt, "hex"), Number(iterations), wanted.length, digest);
  // Older files have SHA-1. Both are computed, so that the time does not tell which one it was.
  const matches = ["sha256", "sha1"].map((digest) => timingSafeEqual(derived(digest), wanted));
  return matches.includes(true);
}
