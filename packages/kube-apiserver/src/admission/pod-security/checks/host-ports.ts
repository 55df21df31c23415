import { containersOf, namesWhere } from '../check.ts';
import type { AnyContainer, Check, CheckPod } from '../check.ts';
import { containersText, plural, sortedOnce } from '../wording.ts';

const hostPortsOf = ({ ports = [] }: AnyContainer): readonly string[] =>
  ports.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)]));

const check: CheckPod = (pod) => {
  const bad = namesWhere(pod, (container) => hostPortsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = sortedOnce(containersOf(pod.spec).flatMap(hostPortsOf));
  return {
    reason: 'hostPort',
    detail:
      `${containersText(bad)} ${plural(bad.length, 'uses', 'use')} ${plural(ports.length, 'hostPort')} ` +
      `${ports.join(', ')}`,
  };
};

/** Containers take no ports of their node. */
export const hostPorts: Check = { id: 'hostPorts', level: 'baseline', revisions: [{ since: 0, check }] };
