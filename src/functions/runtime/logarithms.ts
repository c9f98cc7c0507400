/**
 * Natural logarithm and exponential in kernel code, for aggregate states, which cannot call host functions. Series on a reduced range,
 * accurate to the last digit or two.
 */
import { f64, type FunctionRef, i64, type KernelBuilder, select } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";

const mantissaMask = (1n << 52n) - 1n;
const exponentOfOne = 1023n << 52n;
const logTerms = 12;
const exponentialTerms = 16;

/** (f64) -> f64 natural logarithm: -Infinity for 0, NaN for negative numbers. */
export function logarithm(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("logarithm", { params: ["f64"], result: "f64" }, (b, params) => {
    const [x] = params as readonly [Expr];
    b.if_(f64.ne(x, x), () => b.return_(x));
    b.if_(f64.lt(x, f64.const(0)), () => b.return_(f64.const(Number.NaN)));
    b.if_(f64.eq(x, f64.const(0)), () => b.return_(f64.const(Number.NEGATIVE_INFINITY)));
    b.if_(f64.eq(x, f64.const(Number.POSITIVE_INFINITY)), () => b.return_(x));
    // Subnormal numbers are scaled up first.
    const isSmall = b.temp(f64.lt(x, f64.const(2 ** -1000)));
    const bits = b.temp(i64.reinterpretF64(f64.mul(x, select(isSmall, f64.const(2 ** 60), f64.const(1)))));
    const exponent = b.local("i64", i64.sub(i64.shrU(bits, i64.const(52n)), i64.const(1023n)));
    b.if_(isSmall, () => b.set(exponent, i64.sub(exponent, i64.const(60n))));
    const mantissa = b.local("f64", f64.reinterpretI64(i64.or(i64.and(bits, i64.const(mantissaMask)), i64.const(exponentOfOne))));
    b.if_(f64.gt(mantissa, f64.const(Math.SQRT2)), () => {
      b.set(mantissa, f64.mul(mantissa, f64.const(0.5)));
      b.set(exponent, i64.add(exponent, i64.const(1n)));
    });
    // ln m = 2 (s + s^3/3 + s^5/5 + ...), s = (m - 1) / (m + 1).
    const s = b.temp(f64.div(f64.sub(mantissa, f64.const(1)), f64.add(mantissa, f64.const(1))));
    const square = b.temp(f64.mul(s, s));
    const sum = b.local("f64", f64.const(0));
    for (let term = logTerms; term > 0; term--) {
      b.set(sum, f64.mul(square, f64.add(sum, f64.const(1 / (2 * term + 1)))));
    }
    const fraction = f64.mul(f64.mul(f64.const(2), s), f64.add(f64.const(1), sum));
    b.return_(f64.add(fraction, f64.mul(f64.convertI64S(exponent), f64.const(Math.LN2))));
  });
}

/** (f64) -> f64 e raised to the power. */
export function exponential(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("exponential", { params: ["f64"], result: "f64" }, (b, params) => {
    const [x] = params as readonly [Expr];
    b.if_(f64.ne(x, x), () => b.return_(x));
    b.if_(f64.gt(x, f64.const(709.79)), () => b.return_(f64.const(Number.POSITIVE_INFINITY)));
    b.if_(f64.lt(x, f64.const(-745.2)), () => b.return_(f64.const(0)));
    const power = b.temp(f64.nearest(f64.div(x, f64.const(Math.LN2))));
    // ln 2 is split into two parts, so that the remainder keeps its precision.
    const rest = b.temp(
      f64.sub(f64.sub(x, f64.mul(power, f64.const(0.69314718036912381649))), f64.mul(power, f64.const(1.90821492927058770002e-10))),
    );
    const sum = b.local("f64", f64.const(1));
    for (let term = exponentialTerms; term > 0; term--) {
      b.set(sum, f64.add(f64.const(1), f64.div(f64.mul(rest, sum), f64.const(term))));
    }
    // Scaled in two steps, because the power of two alone may be out of range.
    const whole = b.temp(i64.truncSatF64S(power));
    const half = b.temp(i64.shrS(whole, i64.const(1n)));
    const scale = (exponent: Expr) => f64.reinterpretI64(i64.shl(i64.add(exponent, i64.const(1023n)), i64.const(52n)));
    b.return_(f64.mul(f64.mul(sum, scale(half)), scale(i64.sub(whole, half))));
  });
}
