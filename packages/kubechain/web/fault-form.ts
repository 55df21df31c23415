/** What a fault happens to: requests of clients, watches, and what the servers call themselves. */
export const faultTargets = ['requests', 'watches', 'webhook', 'apiservice', 'delegate', 'store'] as const;
export type FaultTarget = (typeof faultTargets)[number];

const calls = ['delay 2000', 'refuse', 'silence', 'status 500', 'garble', 'chaos'];

/** What may happen to each, as words: kind and argument. */
export const faultEffects: Readonly<Record<FaultTarget, readonly string[]>> = {
  requests: [
    'status 409',
    'conflict',
    'status 429',
    'status 500',
    'status 503',
    'delay 2000',
    'cut before',
    'cut within',
    'cut after',
    'timeout before',
    'timeout after',
    'chaos',
  ],
  watches: ['cut', 'expired', 'delay 2000', 'withoutBookmarks', 'chaos'],
  webhook: calls,
  apiservice: calls,
  delegate: calls,
  store: ['delay 500', 'refuse', 'silence', 'readOnly', 'loseAnswer', 'chaos'],
};

/** The form as it is filled in; lists are words between blanks and commas. */
export interface FaultForm {
  readonly target: FaultTarget;
  readonly verbs: string;
  readonly resources: string;
  /** Of what servers call: webhooks, APIServices, servers, keys. */
  readonly names: string;
  readonly effect: string;
  /** '' is always. */
  readonly count: string;
}

/** Whether a fault is chosen by verbs and resources; otherwise by names. */
export function isOfClients(target: FaultTarget): boolean {
  return target === 'requests' || target === 'watches';
}

/** The rule that the control API is given (docs/control-api.md). */
export function faultRuleOf({ count, effect, names, resources, target, verbs }: FaultForm): object {
  const match = {
    ...(target === 'requests' ? listed('verbs', verbs) : {}),
    ...(isOfClients(target) ? listed('resources', resources) : listed('names', names)),
  };
  return {
    ...(target === 'requests' ? {} : { target: target === 'watches' ? 'watch' : target }),
    match,
    effect: effectOf(effect),
    ...(count === '' ? {} : { count: Number(count) }),
  };
}

function listed(name: string, text: string): Readonly<Record<string, readonly string[]>> {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  return words.length === 0 ? {} : { [name]: words };
}

function effectOf(text: string): object {
  const [kind = '', argument = ''] = text.split(' ');
  switch (kind) {
    case 'status':
      return { kind, code: Number(argument) };
    case 'delay':
      return { kind, milliseconds: Number(argument) };
    default:
      return argument === '' ? { kind } : { kind, when: argument };
  }
}
