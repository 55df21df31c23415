import { containersOf, exceptWindows, namesWhere } from '../check.ts';
import type { Check, CheckPod, CheckedPod } from '../check.ts';
import { containersText, quoted, sortedOnce } from '../wording.ts';

/** What container runtimes give anyway, without NET_RAW. */
const usual: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);
const bindOnly: ReadonlySet<string> = new Set(['NET_BIND_SERVICE']);

/** What is said of containers that add other capabilities than these; undefined: none does. */
function additions(pod: CheckedPod, allowed: ReadonlySet<string>): string | undefined {
  const bad = namesWhere(
    pod,
    ({ securityContext }) => securityContext?.capabilities?.add?.some((name) => !allowed.has(name)) === true,
  );
  if (bad.length === 0) return undefined;
  const names = containersOf(pod.spec)
    .flatMap(({ securityContext }) => securityContext?.capabilities?.add ?? [])
    .filter((name) => !allowed.has(name));
  return `${containersText(bad)} must not include ${quoted(sortedOnce(names))} in securityContext.capabilities.add`;
}

const onlyUsual: CheckPod = (pod) => {
  const detail = additions(pod, usual);
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
};

const dropAll: CheckPod = (pod) => {
  const keeping = namesWhere(
    pod,
    ({ securityContext }) => securityContext?.capabilities?.drop?.includes('ALL') !== true,
  );
  const added = additions(pod, bindOnly);
  const details = [
    ...(keeping.length > 0 ? [`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(added === undefined ? [] : [added]),
  ];
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

/** No capabilities beyond those that are usual. */
export const capabilitiesBaseline: Check = {
  id: 'capabilities_baseline',
  level: 'baseline',
  revisions: [{ since: 0, check: onlyUsual }],
};

const overrides = [capabilitiesBaseline.id];

/** All capabilities are dropped, and at most NET_BIND_SERVICE is added. */
export const capabilitiesRestricted: Check = {
  id: 'capabilities_restricted',
  level: 'restricted',
  revisions: [
    { since: 22, check: dropAll, overrides },
    { since: 25, check: exceptWindows(dropAll), overrides },
  ],
};
