import { allChecks } from './all-checks.ts';
import type { Check, CheckPod, CheckRevision, CheckedPod, Violation } from './check.ts';
import { minorOf } from './level-version.ts';
import type { LevelVersion } from './level-version.ts';

/** The newest revision of any check: later versions of the policy are as this one. */
const newestMinor = Math.max(...allChecks.flatMap(({ revisions }) => revisions.map(({ since }) => since)));

/** Checks of each level, by minor version. */
const baselineChecks: readonly (readonly CheckPod[])[] = Array.from({ length: newestMinor + 1 }, (_, minor) =>
  checksOf('baseline', minor),
);
const restrictedChecks: readonly (readonly CheckPod[])[] = Array.from({ length: newestMinor + 1 }, (_, minor) =>
  checksOf('restricted', minor),
);

/**
 * What the pod violates of a level, in the order of the checks (pod-security-admission/policy/registry.go, 1.36).
 * @param serverMinor the minor version of the server, which knows no later checks
 */
export function evaluatePod(
  { level, version }: LevelVersion,
  pod: CheckedPod,
  serverMinor = Infinity,
): readonly Violation[] {
  if (level === 'privileged') return [];
  const checks =
    (level === 'baseline' ? baselineChecks : restrictedChecks)[Math.min(minorOf(version), serverMinor, newestMinor)] ??
    [];
  return checks.flatMap((check) => check(pod) ?? []);
}

/** `privileged, host namespaces` */
export function reasonsText(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(', ');
}

/** `privileged (container "c" …), host namespaces (hostPID=true)` */
export function detailsText(violations: readonly Violation[]): string {
  return violations.map(({ detail, reason }) => `${reason} (${detail})`).join(', ');
}

function checksOf(level: 'baseline' | 'restricted', minor: number): readonly CheckPod[] {
  const active = allChecks
    .filter((check) => level === 'restricted' || check.level === 'baseline')
    .flatMap(({ id, revisions }) => {
      const revision = revisionAt(revisions, minor);
      return revision === undefined ? [] : [{ id, revision }];
    });
  const overridden = new Set(active.flatMap(({ revision }) => revision.overrides ?? []));
  return active.filter(({ id }) => !overridden.has(id)).map(({ revision }) => revision.check);
}

function revisionAt(revisions: Check['revisions'], minor: number): CheckRevision | undefined {
  return revisions.findLast(({ since }) => since <= minor);
}
