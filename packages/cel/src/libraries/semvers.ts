import { goQuote } from '@kubechain/apimachinery';
import { define } from '../functions.ts';
import type { CelFunction } from '../functions.ts';
import { CelError, CelOpaque } from '../values/values.ts';
import { succeeds } from './succeeds.ts';

const maxNumber = 2n ** 64n - 1n;

/** A semantic version; what comes after + does not count in comparisons. */
class Semver extends CelOpaque {
  readonly typeName = 'kubernetes.Semver';
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly prerelease: readonly (string | bigint)[];
  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly (string | bigint)[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }
  override equals(other: CelOpaque): boolean {
    return other instanceof Semver && compare(this, other) === 0;
  }
}

function compare(a: Semver, b: Semver): number {
  for (const [i, number] of a.numbers.entries())
    if (number !== b.numbers[i]) return number > (b.numbers[i] ?? 0n) ? 1 : -1;
  const x = a.prerelease,
    y = b.prerelease;
  // A version without a prerelease comes after all of its prereleases.
  if (x.length === 0 || y.length === 0) return Math.sign(y.length - x.length);
  for (let i = 0; i < x.length && i < y.length; i++) {
    const order = compareParts(x[i] as string | bigint, y[i] as string | bigint);
    if (order !== 0) return order;
  }
  return Math.sign(x.length - y.length);
}

/** Numbers come before words. */
function compareParts(a: string | bigint, b: string | bigint): number {
  if (typeof a !== typeof b) return typeof a === 'bigint' ? -1 : 1;
  return a === b ? 0 : a > b ? 1 : -1;
}

function number(text: string, name: string): bigint {
  if (!/^\d*$/.test(text)) throw new CelError(`Invalid character(s) found in ${name} number ${goQuote(text)}`);
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  if (/^0./.test(text)) throw new CelError(`${title} number must not contain leading zeroes ${goQuote(text)}`);
  if (text === '') throw new CelError('strconv.ParseUint: parsing "": invalid syntax');
  if (BigInt(text) > maxNumber) throw new CelError(`strconv.ParseUint: parsing ${goQuote(text)}: value out of range`);
  return BigInt(text);
}

/** A semantic version as expressions see it. @throws CelError */
export function celSemver(text: string): CelOpaque {
  return parse(text);
}

/** As github.com/blang/semver/v4 Parse. @throws CelError */
function parse(text: string): Semver {
  if (text === '') throw new CelError('Version string empty');
  const [, major, minor, rest] = /^([^.]*)\.([^.]*)\.([^]*)$/.exec(text) ?? [];
  if (major === undefined || minor === undefined || rest === undefined)
    throw new CelError('No Major.Minor.Patch elements found');
  const numbers = [number(major, 'major'), number(minor, 'minor')] as const;
  const plus = rest.indexOf('+');
  const build = plus < 0 ? [] : rest.slice(plus + 1).split('.');
  const versioned = plus < 0 ? rest : rest.slice(0, plus);
  const dash = versioned.indexOf('-');
  const prerelease = dash < 0 ? [] : versioned.slice(dash + 1).split('.');
  const patch = number(dash < 0 ? versioned : versioned.slice(0, dash), 'patch');
  const parts = prerelease.map(prereleasePart);
  for (const part of build) {
    if (part === '') throw new CelError('Build meta data is empty');
    if (!/^[0-9A-Za-z-]+$/.test(part))
      throw new CelError(`Invalid character(s) found in build meta data ${goQuote(part)}`);
  }
  return new Semver([...numbers, patch], parts);
}

function prereleasePart(part: string): string | bigint {
  if (part === '') throw new CelError('Prerelease is empty');
  if (/^\d+$/.test(part)) {
    if (/^0./.test(part))
      throw new CelError(`Numeric PreRelease version must not contain leading zeroes ${goQuote(part)}`);
    return number(part, 'prerelease');
  }
  if (!/^[0-9A-Za-z-]+$/.test(part)) throw new CelError(`Invalid character(s) found in prerelease ${goQuote(part)}`);
  return part;
}

/** Takes a leading v, missing minor and patch numbers, and leading zeros. */
function parseNormalized(text: string): Semver {
  const split = /^([^.]*)(?:\.([^.]*)(?:\.([^]*))?)?$/.exec(text.replace(/^v/, '')) ?? [];
  const parts = split
    .slice(1)
    .filter((part): part is string => part !== undefined)
    .map((part) => (part.length > 1 ? part.replace(/^0+/, '').replace(/^(?!\d)/, '0') : part));
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? ''))
    throw new CelError('short version cannot contain PreRelease/Build meta data');
  while (parts.length < 3) parts.push('0');
  return parse(parts.join('.'));
}

const read = (text: string, normalize: boolean): Semver => (normalize ? parseNormalized(text) : parse(text));

/** Semantic versions (apiserver/cel/library/semverlib.go, 1.36). */
export const semverFunctions: readonly CelFunction[] = [
  define('semver(string): kubernetes.Semver', parse),
  define('semver(string, bool): kubernetes.Semver', read),
  define('isSemver(string): bool', (text: string) => succeeds(parse, text)),
  define('isSemver(string, bool): bool', (text: string, normalize: boolean) =>
    succeeds((one) => read(one, normalize), text),
  ),
  define('kubernetes.Semver.isGreaterThan(kubernetes.Semver): bool', (a: Semver, b: Semver) => compare(a, b) > 0),
  define('kubernetes.Semver.isLessThan(kubernetes.Semver): bool', (a: Semver, b: Semver) => compare(a, b) < 0),
  define('kubernetes.Semver.compareTo(kubernetes.Semver): int', (a: Semver, b: Semver) => BigInt(compare(a, b))),
  ...['major', 'minor', 'patch'].map((name, i) =>
    define(`kubernetes.Semver.${name}(): int`, ({ numbers }: Semver) => BigInt.asIntN(64, numbers[i] ?? 0n)),
  ),
];
