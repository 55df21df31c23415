import type { LifecycleHandler, Probe } from '@kubechain/apimachinery/types/core/v1';
import { containersOf, namesWhere } from '../check.ts';
import type { AnyContainer, Check, CheckPod } from '../check.ts';
import { containersText, plural, quoted, sortedOnce } from '../wording.ts';

function hostsOf({ lifecycle, livenessProbe, readinessProbe, startupProbe }: AnyContainer): readonly string[] {
  const handlers: readonly (LifecycleHandler | Probe | undefined)[] = [
    livenessProbe,
    readinessProbe,
    startupProbe,
    lifecycle?.postStart,
    lifecycle?.preStop,
  ];
  return handlers
    .flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host])
    .filter((host) => host !== undefined && host !== '') as string[];
}

const check: CheckPod = (pod) => {
  const bad = sortedOnce(namesWhere(pod, (container) => hostsOf(container).length > 0));
  if (bad.length === 0) return undefined;
  const hosts = sortedOnce(containersOf(pod.spec).flatMap(hostsOf));
  return {
    reason: 'probe or lifecycle host',
    detail:
      `${containersText(bad)} ${plural(bad.length, 'uses', 'use')} ` +
      `${plural(hosts.length, 'probe or lifecycle host')} ${quoted(hosts)}`,
  };
};

/** Probes and lifecycle handlers ask the pod itself, not another host. */
export const hostProbesAndHostLifecycle: Check = {
  id: 'hostProbesAndHostLifecycle',
  level: 'baseline',
  revisions: [{ since: 34, check }],
};
