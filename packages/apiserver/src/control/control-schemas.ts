import { peerEffects, peerKinds, type PeerKind } from '../peers/peer-call.ts';
import { chaosKinds, faultCodes, matchLists, watchChaosKinds } from './fault-rule.ts';

/** A schema of OpenAPI 3.0, as far as the control API needs one. */
export interface ControlSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ControlSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly items?: ControlSchema;
  readonly enum?: readonly (string | number)[];
  readonly oneOf?: readonly ControlSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly $ref?: string;
}

const text: ControlSchema = { type: 'string' };
const whole: ControlSchema = { type: 'integer', minimum: 0 };
const number: ControlSchema = { type: 'number' };
const milliseconds: ControlSchema = { type: 'number', minimum: 0, description: 'Milliseconds.' };
const flag: ControlSchema = { type: 'boolean' };
const texts = listOf(text);

export function listOf(items: ControlSchema): ControlSchema {
  return { type: 'array', items };
}

export function refTo(name: string): ControlSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function oneOf(...values: readonly (string | number)[]): ControlSchema {
  return { type: typeof values[0] === 'number' ? 'integer' : 'string', enum: values };
}

/** All members that there are; those whose names end in `?` may be absent. */
export function objectOf(members: Readonly<Record<string, ControlSchema>>): ControlSchema {
  const names = Object.keys(members);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
    required: names.filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  };
}

const bounds = {
  'count?': { ...whole, description: 'How often it happens; absent: always.' },
  'probability?': { type: 'number', minimum: 0, maximum: 1 },
  'seed?': { ...whole, description: 'Of what is left to chance.' },
  'afterMs?': { ...milliseconds, description: "It begins so much later by the chain's clock, in milliseconds." },
  'durationMs?': { ...milliseconds, description: 'Absent: until it is removed.' },
} as const satisfies Readonly<Record<string, ControlSchema>>;

const requestMatch = objectOf(Object.fromEntries(matchLists.map((name) => [`${name}?`, texts])));

const delay = objectOf({ kind: oneOf('delay'), milliseconds });

function chaos(kinds: readonly string[]): ControlSchema {
  return objectOf({ kind: oneOf('chaos'), 'among?': listOf(oneOf(...kinds)) });
}

const requestEffect: ControlSchema = {
  oneOf: [
    objectOf({
      kind: oneOf('status'),
      code: oneOf(...faultCodes),
      'message?': text,
      'retryAfterSeconds?': number,
    }),
    delay,
    objectOf({ kind: oneOf('cut'), when: oneOf('before', 'within', 'after') }),
    objectOf({ kind: oneOf('timeout'), when: oneOf('before', 'after') }),
    objectOf({ kind: oneOf('stale', 'conflict') }),
    chaos(chaosKinds),
  ],
};

const watchEffect: ControlSchema = {
  oneOf: [objectOf({ kind: oneOf('cut', 'expired', 'withoutBookmarks') }), delay, chaos(watchChaosKinds)],
};

function peerRule(target: PeerKind): ControlSchema {
  const bare = peerEffects[target].filter((kind) => kind !== 'delay' && kind !== 'status');
  const status = objectOf({ kind: oneOf('status'), code: { type: 'integer', minimum: 400, maximum: 599 } });
  return objectOf({
    target: oneOf(target),
    'match?': objectOf({ 'names?': texts, 'verbs?': listOf(oneOf('read', 'write', 'watch', 'call')) }),
    effect: {
      oneOf: [
        delay,
        objectOf({ kind: oneOf(...bare) }),
        ...(peerEffects[target].includes('status') ? [status] : []),
        chaos(peerEffects[target]),
      ],
    },
    ...bounds,
  });
}

const webhookCall = {
  configuration: text,
  webhook: text,
  type: oneOf('mutating', 'validating'),
  durationMs: number,
  outcome: oneOf('allowed', 'denied', 'failed', 'error'),
  'reason?': text,
  'patch?': { ...text, description: 'JSON patch.' },
} as const satisfies Readonly<Record<string, ControlSchema>>;

/** Schemas of what the control API takes and answers, by name. */
export const controlSchemas: Readonly<Record<string, ControlSchema>> = {
  Error: objectOf({ error: text }),
  None: objectOf({}),
  FaultRule: {
    oneOf: [
      objectOf({ 'target?': oneOf('request'), 'match?': requestMatch, effect: requestEffect, ...bounds }),
      objectOf({ target: oneOf('watch'), 'match?': requestMatch, effect: watchEffect, ...bounds }),
      objectOf({
        target: oneOf('certificate'),
        'match?': objectOf({}),
        effect: objectOf({ kind: oneOf('expired', 'chaos') }),
        'probability?': bounds['probability?'],
        'seed?': bounds['seed?'],
        'afterMs?': bounds['afterMs?'],
        'durationMs?': bounds['durationMs?'],
      }),
      ...peerKinds.map(peerRule),
    ],
  },
  ActiveFault: objectOf({ id: text, rule: refTo('FaultRule'), happened: whole }),
  AppliedScenario: objectOf({ id: text, seed: whole, faults: texts }),
  SavedSnapshot: objectOf({ name: text, revision: whole, keys: whole }),
  Tenant: objectOf({ name: text, url: text, token: text }),
  RestoreResult: objectOf({ written: whole, deleted: whole, revision: whole }),
  ClockState: objectOf({ now: { type: 'string', format: 'date-time' }, offsetMs: number, frozen: flag }),
  ClockChange: {
    oneOf: [
      objectOf({ advance: { oneOf: [{ ...text, description: 'A duration like 1h30m.' }, milliseconds] } }),
      objectOf({ set: { type: 'string', format: 'date-time' } }),
      objectOf({ freeze: flag }),
      objectOf({ reset: flag }),
    ],
  },
  BodyRecording: objectOf({ record: flag, secrets: flag }),
  BodyRecordingChange: objectOf({ record: flag, 'secrets?': flag }),
  JournalBody: objectOf({
    contentType: text,
    bytes: whole,
    'text?': text,
    'base64?': text,
    'omitted?': oneOf('large', 'secret'),
  }),
  WebhookCall: objectOf({ auditID: text, ...webhookCall }),
  JournalWebhook: objectOf(webhookCall),
  JournalEntry: objectOf({
    id: whole,
    receivedAt: { type: 'string', format: 'date-time' },
    durationMs: number,
    user: text,
    'impersonator?': text,
    userAgent: text,
    method: text,
    verb: text,
    group: text,
    version: text,
    resource: { ...text, description: 'With its subresource: deployments/status.' },
    namespace: text,
    name: text,
    uri: text,
    code: { ...whole, description: '0: no answer was begun.' },
    complete: flag,
    server: { ...text, description: 'That it was handed to; empty: the first answered itself.' },
    auditID: text,
    queuedMs: number,
    'decision?': objectOf({ decision: oneOf('Allow', 'Deny', 'NoOpinion'), reason: text }),
    flowSchema: text,
    priorityLevel: text,
    'fault?': text,
    'webhooks?': listOf(refTo('JournalWebhook')),
    'requestBody?': refTo('JournalBody'),
    'answerBody?': refTo('JournalBody'),
  }),
  WatchState: objectOf({
    auditID: text,
    user: text,
    userAgent: text,
    uri: text,
    group: text,
    resource: text,
    namespace: text,
    server: text,
    openMs: number,
    sent: whole,
    bytes: whole,
    unreadBytes: whole,
    quietMs: number,
  }),
  StoredKey: objectOf({ key: text, createRevision: whole, modRevision: whole, version: whole }),
  StoredVersion: objectOf({
    key: text,
    createRevision: whole,
    modRevision: whole,
    version: whole,
    bytes: whole,
    'text?': text,
  }),
};
