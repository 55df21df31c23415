import type { GeneralNames, NameConstraints } from './extensions.ts';

/**
 * Why an authority may not speak for these names; undefined when it may. Names of kinds that the constraints do not
 * speak of are free. Source: crypto/x509 checkConstraints (Go 1.26).
 */
export function constraintProblem(
  { permitted, excluded }: NameConstraints,
  { dns, email, uri, ip }: GeneralNames,
): string | undefined {
  return (
    problemOf('DNS name', dns, { permitted: permitted.dns, excluded: excluded.dns, matches: matchesDomain }) ??
    problemOf('email address', email, {
      permitted: permitted.email,
      excluded: excluded.email,
      matches: matchesEmail,
    }) ??
    problemOf('URI', uri, { permitted: permitted.uri, excluded: excluded.uri, matches: matchesURI }) ??
    problemOf('IP address', ip, { permitted: permitted.ip, excluded: excluded.ip, matches: matchesIP })
  );
}

/** `invalid`: the name is none that constraints can be held against, which no constraint allows. */
type Match = boolean | 'invalid';

interface Rule<T> {
  readonly permitted: readonly T[];
  readonly excluded: readonly T[];
  readonly matches: (name: T, constraint: T, excluding: boolean) => Match;
}

function problemOf<T>(
  kind: string,
  names: readonly T[],
  { permitted, excluded, matches }: Rule<T>,
): string | undefined {
  if (permitted.length === 0 && excluded.length === 0) return undefined;
  for (const name of names) {
    const shown =
      typeof name === 'string' ? JSON.stringify(name) : JSON.stringify(Buffer.from(name as never).toString('hex'));
    for (const constraint of excluded) {
      const match = matches(name, constraint, true);
      if (match === 'invalid') return `cannot parse ${kind} ${shown}`;
      if (match) return `${kind} ${shown} is excluded by constraint`;
    }
    let allowed = permitted.length === 0;
    for (const constraint of permitted) {
      const match = matches(name, constraint, false);
      if (match === 'invalid') return `cannot parse ${kind} ${shown}`;
      if (match) {
        allowed = true;
        break;
      }
    }
    if (!allowed) return `${kind} ${shown} is not permitted by any constraint`;
  }
  return undefined;
}

/** `.example.com` matches what is below it alone, `example.com` itself as well, the empty constraint everything. */
function matchesDomain(name: string, constraint: string, excluding: boolean): Match {
  if (name === '' || name.endsWith('.')) return 'invalid';
  if (isBelow(name, constraint)) return true;
  // A wildcard stands for what an exclusion names, too.
  const parent = constraint.slice(constraint.indexOf('.') + 1);
  return (
    excluding &&
    name.startsWith('*.') &&
    constraint.includes('.') &&
    name.slice(2).toLowerCase() === parent.toLowerCase()
  );
}

function isBelow(name: string, constraint: string): boolean {
  if (constraint === '') return true;
  const [lower, suffix] = [name.toLowerCase(), constraint.toLowerCase()];
  if (!lower.endsWith(suffix)) return false;
  return lower.length === suffix.length || suffix.startsWith('.') || lower[lower.length - suffix.length - 1] === '.';
}

function matchesEmail(name: string, constraint: string): Match {
  const at = name.lastIndexOf('@');
  if (at <= 0 || at === name.length - 1) return 'invalid';
  if (!constraint.includes('@')) return isBelow(name.slice(at + 1), constraint);
  const constraintAt = constraint.lastIndexOf('@');
  return (
    name.slice(0, at) === constraint.slice(0, constraintAt) &&
    name.slice(at + 1).toLowerCase() === constraint.slice(constraintAt + 1).toLowerCase()
  );
}

/** Constraints speak of hosts; a URI without one, or with an address, cannot be held against them. */
function matchesURI(name: string, constraint: string): Match {
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(name)?.[1] ?? '';
  if (host === '' || host.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(host)) return 'invalid';
  return matchesDomain(host, constraint, false);
}

function matchesIP(address: Buffer, constraint: Buffer): Match {
  if (constraint.length !== address.length * 2) return false;
  return address.every((byte, i) => {
    const mask = constraint[address.length + i]!;
    return (byte & mask) === (constraint[i]! & mask);
  });
}
