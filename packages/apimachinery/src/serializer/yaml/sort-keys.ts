/**
 * The order in which yaml.v2 writes keys: letters after everything else, runs of digits by their value, so
 * that `a2` comes before `a10` (keyList.Less).
 */
export function compareKeys(a: string, b: string): number {
  const left = Array.from(a),
    right = Array.from(b);
  for (let i = 0; i < left.length && i < right.length; i++) {
    const x = left[i] ?? '',
      y = right[i] ?? '';
    if (x === y) continue;
    const xLetter = isLetter(x),
      yLetter = isLetter(y);
    if (xLetter && yLetter) return codeOf(x) - codeOf(y);
    if (xLetter || yLetter) return yLetter ? -1 : 1;
    // Digits differ: leading zeros only count when a non-zero digit stands before them.
    let base = 0;
    if (x === '0' || y === '0') {
      for (let j = i - 1; j >= 0 && isDigit(left[j] ?? ''); j--)
        if (left[j] !== '0') {
          base = 1;
          break;
        }
    }
    const xRun = digitRun(left, i, base),
      yRun = digitRun(right, i, base);
    if (xRun.value !== yRun.value) return xRun.value < yRun.value ? -1 : 1;
    if (xRun.end !== yRun.end) return xRun.end - yRun.end;
    return codeOf(x) - codeOf(y);
  }
  return left.length - right.length;
}

function digitRun(characters: readonly string[], start: number, base: number): { value: bigint; end: number } {
  let value = BigInt(base),
    end = start;
  // An int64, which long runs of digits overflow.
  while (end < characters.length && isDigit(characters[end] ?? ''))
    value = BigInt.asIntN(64, value * 10n + BigInt(characters[end++] ?? '0'));
  return { value, end };
}

function isLetter(c: string): boolean {
  return /^\p{L}$/u.test(c);
}

function isDigit(c: string): boolean {
  return c >= '0' && c <= '9';
}

function codeOf(c: string): number {
  return c.codePointAt(0) ?? 0;
}
