import type { Check, CheckPod } from '../check.ts';

const check: CheckPod = ({ spec }) => {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name] === true);
  return shared.length === 0
    ? undefined
    : { reason: 'host namespaces', detail: shared.map((name) => `${name}=true`).join(', ') };
};

/** Pods share no namespaces with their node. */
export const hostNamespaces: Check = { id: 'hostNamespaces', level: 'baseline', revisions: [{ since: 0, check }] };
