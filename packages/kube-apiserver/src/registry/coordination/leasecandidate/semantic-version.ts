/** A semantic version without what comes after `+`, which does not count in comparisons. */
export interface SemanticVersion {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly prerelease: readonly string[];
}

export const zeroVersion: SemanticVersion = { numbers: [0n, 0n, 0n], prerelease: [] };

const number = String.raw`(0|[1-9]\d*)`;
const identifier = String.raw`(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const pattern = new RegExp(
  String.raw`^${number}\.${number}\.${number}(?:-(${identifier}(?:\.${identifier})*))?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$`,
);
const maxNumber = 2n ** 64n - 1n;

/** As github.com/blang/semver/v4 Parse; undefined where that fails. */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const [whole, major = '', minor = '', patch = '', prerelease] = pattern.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const numbers = [BigInt(major), BigInt(minor), BigInt(patch)] as const;
  const parts = prerelease?.split('.') ?? [];
  if ([...numbers, ...parts.filter(isNumber).map(BigInt)].some((value) => value > maxNumber)) return undefined;
  return { numbers, prerelease: parts };
}

/** Below 0 when `a` comes before `b`, 0 when neither does. */
export function compareSemanticVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [i, value] of a.numbers.entries()) {
    const other = b.numbers[i] ?? 0n;
    if (value !== other) return value < other ? -1 : 1;
  }
  // A version comes after all of its prereleases.
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return Math.sign(b.prerelease.length - a.prerelease.length);
  for (const [i, part] of a.prerelease.entries()) {
    const other = b.prerelease[i];
    if (other === undefined) return 1;
    const order = compareParts(part, other);
    if (order !== 0) return order;
  }
  return a.prerelease.length - b.prerelease.length;
}

/** Numbers come before words. */
function compareParts(a: string, b: string): number {
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1;
  const [x, y] = isNumber(a) ? [BigInt(a), BigInt(b)] : [a, b];
  return x === y ? 0 : x < y ? -1 : 1;
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}
