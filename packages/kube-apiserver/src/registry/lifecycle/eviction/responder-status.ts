import { invalidValue, required } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import { semanticEqual } from '../../semantic-equal.ts';
import { isTold } from '../lifecycle-types.ts';
import type { EvictionStatus, ResponderStatus } from '../lifecycle-types.ts';
import { allowedSkewMs, maxResponders } from './target-responders.ts';

const longestMs = 10 * 365 * 24 * 3_600_000;
const present = 'must be set to the present time';

interface ResponderOptions {
  readonly path: FieldPath;
  readonly nowMs: number;
}

/** What responders tell of their parts: only the one whose turn it is may, times are of now, and stay. */
export function validateResponders(
  { responders: list = [], targetResponders: targets = [] }: EvictionStatus,
  { responders: before = [] }: EvictionStatus,
  { nowMs, path }: ResponderOptions,
): FieldError[] {
  if (targets.length !== list.length)
    return [
      invalidValue(
        path,
        list.length === 0 ? null : list.map(internalForm),
        'must be the same length as status.targetResponders and contain the same keys',
      ),
    ];
  const names = new Set(list.map(({ name = '' }) => name));
  if (!targets.every(({ name = '' }) => names.has(name)))
    return [invalidValue(path, list.map(internalForm), 'must contain the same keys as status.targetResponders')];
  // What is too long, or has somebody twice, is refused by what the types declare.
  if (list.length > maxResponders || names.size < list.length) return [];
  const states = new Map(targets.map(({ name = '', state = '' }) => [name, state]));
  const was = new Map(before.map((status) => [status.name ?? '', status]));
  return list.flatMap((status, i) =>
    validateResponder(status, was.get(status.name ?? ''), {
      path: path.index(i),
      nowMs,
      isActive: states.get(status.name ?? '') === 'Active',
    }),
  );
}

function validateResponder(
  status: ResponderStatus,
  old: ResponderStatus | undefined,
  options: ResponderOptions & { readonly isActive: boolean },
): FieldError[] {
  const { isActive, path } = options;
  if (old !== undefined && !isActive && !semanticEqual(status, old))
    return [invalidValue(path, internalForm(status), 'field is immutable')];
  const before = old ?? {};
  return [
    ...startMistakes(status, before, options),
    ...heartbeatMistakes(status, before, options),
    ...expectationMistakes(status, before, options),
    ...completionMistakes(status, before, options),
  ];
}

function startMistakes(
  { startTime }: ResponderStatus,
  { startTime: before }: ResponderStatus,
  { isActive, nowMs, path }: ResponderOptions & { readonly isActive: boolean },
): FieldError[] {
  const at = path.child('startTime');
  if (isTold(before) && !isSame(before, startTime)) return [];
  if (!isTold(startTime)) return isActive ? [required(at, 'is required for an active responder')] : [];
  return isSame(before, startTime) || isNear(startTime, nowMs) ? [] : [invalidValue(at, startTime, present)];
}

function heartbeatMistakes(
  { heartbeatTime, startTime }: ResponderStatus,
  { heartbeatTime: before }: ResponderStatus,
  { nowMs, path }: ResponderOptions,
): FieldError[] {
  const at = path.child('heartbeatTime');
  if (!isTold(heartbeatTime)) return !isTold(before) ? [] : [required(at, 'is required once set')];
  if (isSame(before, heartbeatTime)) return [];
  const refuse = (detail: string): FieldError[] => [invalidValue(at, heartbeatTime, detail)];
  if (!isTold(startTime)) return refuse(`cannot be set before ${String(path.child('startTime'))} is set`);
  if (isTold(before) && isBefore(heartbeatTime, before)) return refuse('cannot be decreased');
  if (isBefore(heartbeatTime, startTime)) return refuse(`must occur after ${String(path.child('startTime'))}`);
  return isNear(heartbeatTime, nowMs) ? [] : refuse(present);
}

function expectationMistakes(
  { expectedCompletionTime: expected, startTime }: ResponderStatus,
  { expectedCompletionTime: before }: ResponderStatus,
  { nowMs, path }: ResponderOptions,
): FieldError[] {
  if (!isTold(expected) || isSame(before, expected)) return [];
  const refuse = (detail: string): FieldError[] => [
    invalidValue(path.child('expectedCompletionTime'), expected, detail),
  ];
  if (!isTold(startTime)) return refuse(`cannot be set before ${String(path.child('startTime'))} is set`);
  if (isBefore(expected, startTime)) return refuse(`must occur after ${String(path.child('startTime'))}`);
  const expectedMs = Date.parse(expected);
  if (expectedMs < nowMs - allowedSkewMs) return refuse('cannot be set to the past time');
  return expectedMs > nowMs + longestMs ? refuse('must complete within 10 years') : [];
}

function completionMistakes(
  { completionTime, startTime }: ResponderStatus,
  { completionTime: before }: ResponderStatus,
  { nowMs, path }: ResponderOptions,
): FieldError[] {
  if (!isTold(completionTime) || (isTold(before) && !isSame(before, completionTime))) return [];
  const refuse = (detail: string): FieldError[] => [invalidValue(path.child('completionTime'), completionTime, detail)];
  if (!isTold(startTime)) return refuse(`cannot be set before ${String(path.child('startTime'))} is set`);
  if (isBefore(completionTime, startTime)) return refuse(`must occur after ${String(path.child('startTime'))}`);
  return isSame(before, completionTime) || isNear(completionTime, nowMs) ? [] : refuse(present);
}

function isSame(a: string | null | undefined, b: string | null | undefined): boolean {
  return !isTold(a) || !isTold(b) ? !isTold(a) && !isTold(b) : Date.parse(a) === Date.parse(b);
}

function isBefore(a: string, b: string): boolean {
  return Date.parse(a) < Date.parse(b);
}

function isNear(time: string, nowMs: number): boolean {
  return Math.abs(Date.parse(time) - nowMs) < allowedSkewMs;
}

/** As the reference prints it: its own type, by Go's names. */
function internalForm(status: ResponderStatus): object {
  return {
    Name: status.name ?? '',
    StartTime: status.startTime ?? null,
    HeartbeatTime: status.heartbeatTime ?? null,
    ExpectedCompletionTime: status.expectedCompletionTime ?? null,
    CompletionTime: status.completionTime ?? null,
    Message: status.message ?? null,
  };
}
