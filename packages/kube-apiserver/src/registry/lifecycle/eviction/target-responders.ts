import { forbiddenValue, goQuote, invalidValue } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import { isTold } from '../lifecycle-types.ts';
import type { EvictionStatus, ResponderStatus, TargetResponder } from '../lifecycle-types.ts';
import { inOrder } from './responder-order.ts';

/** As many as a pod may name, and Kubernetes' own. */
export const maxResponders = 11;
/** A responder that has said nothing for so long may lose its turn; clocks may differ by half a minute. */
const heartbeatDeadlineMs = 20 * 60_000;
export const allowedSkewMs = 30_000;
const finalStates = ['Canceled', 'Completed', 'Interrupted'];
const ownPriorities: ReadonlyMap<string, number> = new Map([['imperative-eviction.k8s.io/evictor', 100]]);
const reservedPriorities = 1_000;

export interface TargetResponderOptions {
  readonly path: FieldPath;
  readonly nowMs: number;
  /** The eviction has succeeded or failed. */
  readonly ended: boolean;
}

/** Turns of responders: none is skipped, taken back or begun before the one before it has ended. */
export function validateTargetResponders(
  { responders: statuses = [], targetResponders: list = [] }: EvictionStatus,
  { targetResponders: before = [] }: EvictionStatus,
  options: TargetResponderOptions,
): FieldError[] {
  const { path } = options;
  const names = new Set(list.map(({ name = '' }) => name));
  if (before.length > 0) {
    if (list.length !== before.length)
      return [invalidValue(path, list.map(internalForm), 'must preserve the same length and the same keys')];
    if (!before.every(({ name = '' }) => names.has(name)))
      return [invalidValue(path, list.map(internalForm), 'must preserve the same keys')];
  }
  // What is too long, or has somebody twice, is refused by what the types declare.
  if (list.length === 0 || list.length > maxResponders || names.size < list.length) return [];
  const told = new Map(statuses.map((status) => [status.name ?? '', status]));
  const sorted = inOrder(list);
  const turns = new Turns(sorted, inOrder(before), options.ended);
  return sorted.flatMap((responder, i) =>
    validateTurn(responder, {
      ...options,
      path: path.index(list.indexOf(responder)),
      told: told.get(responder.name ?? ''),
      expected: turns.expected(i),
    }),
  );
}

interface ExpectedStates {
  readonly states: readonly string[];
  readonly reason: string;
}

/** Which states responders may have, by the ones that they had. Both lists are in the order of turns. */
class Turns {
  readonly #before: readonly TargetResponder[];
  readonly #active: number;
  readonly #activeChanged: boolean;
  readonly #allProcessed: boolean;
  readonly #ended: boolean;

  constructor(list: readonly TargetResponder[], before: readonly TargetResponder[], ended: boolean) {
    this.#before = before;
    this.#ended = ended;
    this.#active = before.findIndex(({ state }) => state === 'Active');
    this.#activeChanged = this.#active !== -1 && list[this.#active]?.state !== 'Active';
    this.#allProcessed = ended || finalStates.includes(before.at(-1)?.state ?? '');
  }

  expected(i: number): ExpectedStates {
    if (i < this.#active || (this.#before.length > 0 && this.#active === -1 && this.#allProcessed))
      return { states: [this.#before[i]?.state ?? ''], reason: 'final state is immutable' };
    if (i === this.#active) {
      if (this.#activeChanged) return { states: finalStates, reason: 'this responder must reach a final state' };
      return this.#ended
        ? { states: finalStates, reason: 'the eviction request has finished processing' }
        : { states: ['Active'], reason: 'the eviction request stays active' };
    }
    const isNext = (i === 0 && this.#before.length === 0) || (i === this.#active + 1 && this.#activeChanged);
    if (!isNext) return { states: ['Inactive'], reason: 'the previously active has not finished processing' };
    return this.#ended
      ? { states: ['Inactive'], reason: 'the eviction request has finished processing' }
      : { states: ['Active'], reason: 'this responder is next in line' };
  }
}

function validateTurn(
  responder: TargetResponder,
  options: TargetResponderOptions & {
    readonly told: ResponderStatus | undefined;
    readonly expected: ExpectedStates;
  },
): FieldError[] {
  const { ended, expected, nowMs, path, told } = options;
  const { name = '', state = '' } = responder;
  if (told === undefined)
    return [
      invalidValue(path, internalForm(responder), `${goQuote(name)} has to be tracked in status.responders first`),
    ];
  const errors = priorityMistakes(responder, path);
  const statePath = path.child('state');
  if (!expected.states.includes(state))
    return [
      ...errors,
      invalidValue(statePath, state, `must be one of: ${expected.states.join(', ')}, because ${expected.reason}`),
    ];
  const { completionTime, heartbeatTime, startTime } = told;
  const lastHeard = Date.parse(heartbeatTime ?? startTime ?? '');
  if (
    state !== 'Active' &&
    isTold(startTime) &&
    !isTold(completionTime) &&
    !ended &&
    nowMs < lastHeard + heartbeatDeadlineMs - allowedSkewMs
  )
    errors.push(
      forbiddenValue(
        statePath,
        'must stay Active because the responder is in progress and it should report status.responders.heartbeatTime ' +
          'or status.responders.completionTime',
      ),
    );
  if (state === 'Completed' && !isTold(completionTime))
    errors.push(
      invalidValue(
        statePath,
        state,
        "cannot become Completed because the responder didn't report status.responders.completionTime",
      ),
    );
  return errors;
}

/** Kubernetes' own responders have the priorities that they have, and others none of those. */
function priorityMistakes({ name = '', priority }: TargetResponder, path: FieldPath): FieldError[] {
  if (priority === undefined || priority < 0) return [];
  const own = ownPriorities.get(name);
  if (own !== undefined)
    return priority === own
      ? []
      : [invalidValue(path.child('priority'), priority, `core k8s responder is expected to have priority: ${own}`)];
  return priority < reservedPriorities
    ? [
        invalidValue(
          path.child('priority'),
          priority,
          'priorities 0-999 are reserved for responders with *.k8s.io suffix',
        ),
      ]
    : [];
}

/** As the reference prints it: its own type, by Go's names. */
function internalForm({
  name = '',
  priority = null,
  state = '',
}: {
  name?: string;
  priority?: number | null;
  state?: string;
}): object {
  return { Name: name, Priority: priority, State: state };
}
