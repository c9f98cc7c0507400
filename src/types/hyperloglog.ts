/**
 * HyperLogLog registers: how many different hashes were seen. A register has the greatest rank of the hashes whose first bits choose it;
 * the rank of a hash is the place of the first one behind those bits, or one more than the bits that are left when all of them are zeros.
 * Estimates are by Ertl's improved estimator (arXiv:1702.01284), which needs no correction for small or large numbers. The standard error
 * is 1.04 / sqrt(registers).
 */

export function raiseRegister(registers: Uint8Array, index: number, rank: number): void {
  if (rank > (registers[index] as number)) {
    registers[index] = rank;
  }
}

/** The registers of all hashes that either has seen. Both have the same number. */
export function mergedRegisters(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((rank, index) => Math.max(rank, other[index] as number));
}

/** About how many different hashes were seen. `rankMax`: of a hash of zeros. */
export function estimateDistinct(registers: Uint8Array, rankMax: number): number {
  const counts = Array.from({ length: rankMax + 1 }, () => 0);
  for (const rank of registers) {
    const place = Math.min(rank, rankMax);
    counts[place] = (counts[place] as number) + 1;
  }
  const m = registers.length;
  let z = m * tau(1 - (counts[rankMax] as number) / m);
  for (let rank = rankMax - 1; rank > 0; rank--) {
    z = 0.5 * (z + (counts[rank] as number));
  }
  z += m * sigma((counts[0] as number) / m);
  return z === 0 || !Number.isFinite(z) ? 0 : Math.round(((m / 2 / Math.LN2) * m) / z);
}

/** x + x^2 + 2 x^4 + 4 x^8 + ..., until nothing changes. Of 1, which is the share of zeros where nothing was seen, it has no end. */
function sigma(x: number): number {
  if (x === 1) {
    return Infinity;
  }
  let [power, factor, sum, before] = [x, 1, x, -1];
  while (sum !== before) {
    power *= power;
    before = sum;
    sum += power * factor;
    factor += factor;
  }
  return sum;
}

/** A third of 1 - x - (1 - x^(1/2))^2 / 2 - (1 - x^(1/4))^2 / 4 - ..., until nothing changes. */
function tau(x: number): number {
  if (x === 0 || x === 1) {
    return 0;
  }
  let [root, factor, sum, before] = [x, 1, 1 - x, -1];
  while (sum !== before) {
    root = Math.sqrt(root);
    before = sum;
    factor *= 0.5;
    sum -= (1 - root) ** 2 * factor;
  }
  return sum / 3;
}
