import { compareText, controllerOf, goQuote } from '@kubechain/apimachinery';
import type { Clock } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { evaluatePod, reasonsText } from './evaluate.ts';
import { levelVersionText } from './level-version.ts';
import type { LevelVersion } from './level-version.ts';

/** Pods that are looked at; more are left out, and the warnings say so. */
const maxPods = 3000;
/** How long pods are looked at. */
const timeoutMs = 1000;

export interface ExistingPodsOptions {
  readonly namespace: string;
  readonly enforce: LevelVersion;
  readonly clock: Clock;
  /** As of `evaluatePod`. */
  readonly serverMinor?: number | undefined;
}

/**
 * Warnings about pods that a namespace's new level would refuse, grouped by what they violate (EvaluatePodsInNamespace,
 * 1.36).
 */
export function warningsOfExistingPods(
  pods: readonly Pod[],
  { clock, enforce, namespace, serverMinor }: ExistingPodsOptions,
): readonly string[] {
  const deadline = clock.now() + timeoutMs;
  const namesByReasons = new Map<string, string[]>();
  const looked = oneOfEachControllerFirst(pods).slice(0, maxPods);
  let checked = 0;
  for (const { metadata, spec } of looked) {
    checked++;
    const violations =
      spec === undefined
        ? []
        : evaluatePod(enforce, { ...(metadata === undefined ? {} : { metadata }), spec }, serverMinor);
    if (violations.length > 0) {
      const reasons = reasonsText(violations);
      const names = namesByReasons.get(reasons) ?? [];
      names.push(metadata?.name ?? '');
      namesByReasons.set(reasons, names);
    }
    if (clock.now() >= deadline) break;
  }
  return [
    ...(checked < pods.length
      ? [`new PodSecurity enforce level only checked against the first ${checked} of ${pods.length} existing pods`]
      : []),
    ...(namesByReasons.size > 0
      ? [
          `existing pods in namespace ${goQuote(namespace)} violate the new PodSecurity enforce level ` +
            `${goQuote(levelVersionText(enforce))}`,
        ]
      : []),
    ...[...namesByReasons].map(([reasons, names]) => `${namesText(names)}: ${reasons}`).sort(compareText),
  ];
}

/** The first by name, and how many others. */
function namesText(names: readonly string[]): string {
  const [first = ''] = names.toSorted(compareText);
  const others = names.length - 1;
  return others === 0 ? first : `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}

/** Pods of one controller are much alike: all but the first come last. */
function oneOfEachControllerFirst(pods: readonly Pod[]): readonly Pod[] {
  const seen = new Set<string>();
  const first: Pod[] = [];
  const others: Pod[] = [];
  for (const pod of pods) {
    const uid = controllerOf(pod.metadata)?.uid;
    (uid !== undefined && seen.has(uid) ? others : first).push(pod);
    if (uid !== undefined) seen.add(uid);
  }
  return [...first, ...others];
}
