import { ageSince, timeAround } from '@kubechain/apiserver/resources';
import type { TableCell } from '@kubechain/apiserver/resources';
import type { Condition } from '@kubechain/apimachinery';
import { ageOf, nameOf } from '../table/printer.ts';
import { isTold } from './lifecycle-types.ts';
import type { Eviction, EvictionRequest, EvictionTarget, ResponderStatus, TargetResponder } from './lifecycle-types.ts';

const unset = '<unset>';
const processed: ReadonlySet<string> = new Set(['Canceled', 'Interrupted', 'Completed']);

/** The columns of evictionrequests (printEvictionRequest of pkg/printers/internalversion, 1.37). */
export function printEvictionRequest(request: EvictionRequest): readonly TableCell[] {
  const { spec = {}, status = {} } = request;
  return [
    nameOf(request),
    ...targetOf(spec.target),
    stateOf(status),
    spec.requester ?? '',
    spec.intent ?? '',
    ageOf(request),
  ];
}

/** The columns of evictions. */
export function printEviction(eviction: Eviction): readonly TableCell[] {
  const { spec = {}, status = {} } = eviction;
  const { requesters = [], responders = [], targetResponders = [] } = status;
  const shown =
    targetResponders.findLast(({ state }) => state === 'Active') ??
    targetResponders.findLast(({ state = '' }) => processed.has(state));
  const begun = targetResponders.filter(({ state = '' }) => state === 'Active' || processed.has(state)).length;
  const told = shown === undefined ? undefined : responders.find(({ name }) => name === shown.name);
  const wishing = requesters
    .filter(({ intent }) => intent !== 'Withdrawn')
    .map(({ name = '' }) => name)
    .sort();
  const [first] = wishing;
  const others = wishing.length > 1 ? ` + ${wishing.length - 1} more...` : '';
  return [
    nameOf(eviction),
    ...targetOf(spec.target),
    stateOf(status),
    `${shown?.name ?? unset} (${begun}/${targetResponders.length})`,
    ...progressOf(shown, told),
    first === undefined ? (requesters.length > 0 ? '<withdrawn>' : '<none>') : `${first}${others}`,
    ageOf(eviction),
    !isTold(told?.heartbeatTime) ? unset : ageSince(told.heartbeatTime, { after: ' ago' }),
    told?.message === undefined || told.message.trim() === '' ? unset : told.message.trim(),
  ];
}

/** How far a responder is, and when it will be done. */
function progressOf(
  shown: TargetResponder | undefined,
  told: ResponderStatus | undefined,
): readonly [TableCell, TableCell] {
  if (shown === undefined || told === undefined) return [unset, '<unknown>'];
  const { state = '' } = shown;
  if (state !== 'Active')
    return [
      state === 'Completed' && isTold(told.completionTime)
        ? ageSince(told.completionTime, { before: `${state} (`, after: ' ago)' })
        : state,
      '-',
    ];
  if (!isTold(told.startTime)) return [state, '<unknown>'];
  return [
    ageSince(told.startTime, { before: 'Started (', after: ' ago)' }),
    !isTold(told.expectedCompletionTime) ? '<unknown>' : timeAround(told.expectedCompletionTime),
  ];
}

function targetOf({ pod }: EvictionTarget = {}): readonly [string, string] {
  return pod === undefined ? [unset, unset] : [pod.name ?? '', 'Pod'];
}

function stateOf({
  conditions = [],
  observedGeneration = 0,
}: {
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
}): string {
  for (const wanted of ['TargetEvicted', 'Failed']) {
    const found = conditions.find(({ type }) => type === wanted);
    if (found?.status === 'True') return `${wanted} (${found.reason ?? ''})`;
  }
  return observedGeneration > 0 ? 'Progressing' : 'Pending';
}
