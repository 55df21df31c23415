import { isDecodeError, parseJSON, systemClock } from '@kubechain/apimachinery';
import { yamlValue } from '@kubechain/apimachinery/yaml';
import { readSnapshot, snapshotText } from '@kubechain/shared-storage/snapshots';
import { peerKinds, type PeerCall, type PeerKind } from '../peers/peer-call.ts';
import type { WebhookCall } from '../peers/webhook-calls.ts';
import { parseBodyRecording } from './body-recorder.ts';
import { ClockCallError, clockState, parseClockChange } from './clock-call.ts';
import { created, ok, refusal, type ControlAnswer, type ControlCall } from './control-call.ts';
import type { ControlRoute, PathParameters } from './control-route.ts';
import { listOf, objectOf, refTo, type ControlSchema } from './control-schemas.ts';
import type { Control } from './control.ts';
import { FaultRuleError, parseFaultRule } from './fault-rule.ts';
import { parseScenario, parseSeed, type FaultScenario } from './fault-scenario.ts';
import type { JournalQuery } from './journal.ts';
import { tenantRoutes } from './tenant-routes.ts';

const longestWaitMs = 60_000;
const snapshotFile = 'A file of snapshots: a line of JSON for each key.';
const whole: ControlSchema = { type: 'integer', minimum: 0 };
const text: ControlSchema = { type: 'string' };
const nothing = refTo('None');
const peerVerbs: readonly string[] = ['read', 'write', 'watch', 'call'] satisfies readonly PeerCall['verb'][];

/** Every call of the control API, in the order of docs/control-api.md. */
export const controlRoutes: readonly ControlRoute[] = [
  {
    method: 'PUT',
    path: '/v1/snapshots/{name}',
    summary: 'Keeps what the store holds now, under a name.',
    answers: refTo('SavedSnapshot'),
    status: 201,
    handle: save,
  },
  {
    method: 'POST',
    path: '/v1/snapshots/{name}',
    summary: 'The same.',
    answers: refTo('SavedSnapshot'),
    status: 201,
    handle: save,
  },
  {
    method: 'GET',
    path: '/v1/snapshots',
    summary: 'The names of those that were saved.',
    answers: objectOf({ snapshots: listOf(text) }),
    handle: (control) => ok({ snapshots: control.snapshotNames() }),
  },
  {
    method: 'GET',
    path: '/v1/snapshots/{name}',
    summary: 'A snapshot as a file.',
    query: { serviceAccountKey: 'true: with the key that tokens are signed with, for a chain that is to know them.' },
    answers: snapshotFile,
    handle: (control, { query }, { name = '' }) => {
      const key = query.get('serviceAccountKey') === 'true' ? control.serviceAccountKey() : undefined;
      return ok(snapshotText(control.snapshot(name), key));
    },
  },
  {
    method: 'POST',
    path: '/v1/snapshots/{name}/restore',
    summary: 'Makes the store hold what a snapshot says; all watches end with 410.',
    answers: refTo('RestoreResult'),
    handle: async (control, _call, { name = '' }) => ok(await control.restore(control.snapshot(name))),
  },
  {
    method: 'POST',
    path: '/v1/restore',
    summary: 'Makes the store hold what a file says; all watches end with 410.',
    takes: snapshotFile,
    answers: refTo('RestoreResult'),
    handle: async (control, { body }) => ok(await control.restore(readSnapshot(body))),
  },
  {
    method: 'POST',
    path: '/v1/settle',
    summary: 'For who has started a chain with a seed: waits until nobody writes, then writes all keys anew in order.',
    answers: objectOf({ revision: whole }),
    handle: async (control) => ok({ revision: await control.settle() }),
  },
  {
    method: 'DELETE',
    path: '/v1/snapshots/{name}',
    summary: 'Forgets a snapshot.',
    answers: nothing,
    handle: (control, _call, { name = '' }) =>
      control.remove(name) ? ok({}) : refusal(404, `there is no snapshot ${JSON.stringify(name)}`),
  },
  {
    method: 'POST',
    path: '/v1/faults',
    summary: 'Sets a fault; answered when every process knows it.',
    takes: refTo('FaultRule'),
    answers: refTo('ActiveFault'),
    status: 201,
    handle: async (control, { body }) => {
      const { faults, followers } = control;
      const rule = parseFaultRule(parseJSON(body));
      control.checkFault(rule);
      const added = faults.add(rule);
      await Promise.all([followers.settled(), faults.begun()]);
      return created(added);
    },
  },
  {
    method: 'GET',
    path: '/v1/faults',
    summary: 'Faults that were set and not removed, and how often each has happened.',
    answers: objectOf({ faults: listOf(refTo('ActiveFault')) }),
    handle: ({ faults }) => ok({ faults: faults.list() }),
  },
  {
    method: 'DELETE',
    path: '/v1/faults',
    summary: 'Removes all faults, and ends all scenarios.',
    answers: nothing,
    handle: async ({ faults, followers, scenarios }) => {
      scenarios.clear();
      faults.clear();
      await followers.settled();
      return ok({});
    },
  },
  {
    method: 'GET',
    path: '/v1/faults/peers',
    summary:
      'For servers behind the first: which kinds of their calls could meet a fault, when that is not what they know.',
    query: {
      follower: 'The process that asks.',
      known: 'The version that it knows.',
      wait: 'Milliseconds that it waits for another one, 60,000 at most.',
    },
    answers: objectOf({ version: text, peers: listOf({ type: 'string', enum: peerKinds }) }),
    handle: async ({ followers }, call) =>
      ok(
        await followers.news(call.query.get('follower') ?? '', call.query.get('known') ?? '', overAfterWait(call).over),
      ),
  },
  {
    method: 'POST',
    path: '/v1/faults/take',
    summary: 'For servers behind the first: what happens to one of their calls; counts it.',
    query: { peer: peerKinds.join(', '), name: 'Who or what is called.', verb: peerVerbs.join(', ') },
    answers: objectOf({ 'effect?': { type: 'object', description: 'As in rules; absent: nothing.' } }),
    handle: ({ faults }, { query }) => ok({ effect: faults.takePeer(peerCall(query)) }),
  },
  {
    method: 'DELETE',
    path: '/v1/faults/{id}',
    summary: 'Removes a fault.',
    answers: nothing,
    handle: async ({ faults, followers }, _call, { id = '' }) => {
      if (!faults.remove(id)) return refusal(404, `there is no fault ${JSON.stringify(id)}`);
      await followers.settled();
      return ok({});
    },
  },
  {
    method: 'POST',
    path: '/v1/scenarios',
    summary: 'Begins a scenario.',
    query: { seed: 'Of what is left to chance; counts before that of the file.' },
    takes: 'A scenario in YAML or JSON.',
    answers: refTo('AppliedScenario'),
    status: 201,
    handle: async (control, { body, query }) => {
      const seed = query.has('seed') ? { seed: parseSeed(query.get('seed') ?? '') } : {};
      const applied = control.applyScenario({ ...readScenario(body), ...seed });
      await Promise.all([control.followers.settled(), control.faults.begun()]);
      return created(applied);
    },
  },
  {
    method: 'GET',
    path: '/v1/scenarios',
    summary: 'Scenarios that were begun and not removed.',
    answers: objectOf({ scenarios: listOf(refTo('AppliedScenario')) }),
    handle: ({ scenarios }) => ok({ scenarios: scenarios.list() }),
  },
  {
    method: 'DELETE',
    path: '/v1/scenarios/{id}',
    summary: 'Ends a scenario: its faults are removed.',
    answers: nothing,
    handle: async ({ followers, scenarios }, _call, { id = '' }) => {
      if (!scenarios.remove(id)) return refusal(404, `there is no scenario ${JSON.stringify(id)}`);
      await followers.settled();
      return ok({});
    },
  },
  {
    method: 'GET',
    path: '/v1/watches',
    summary: 'Every watch that is open: who watches what, what was sent and has not been taken.',
    answers: objectOf({ watches: listOf(refTo('WatchState')) }),
    handle: (control) => ok({ watches: control.openWatches() }),
  },
  {
    method: 'POST',
    path: '/v1/watches/expire',
    summary: 'Ends all watches with 410.',
    answers: objectOf({ expired: whole }),
    handle: (control) => ok({ expired: control.expireWatches() }),
  },
  {
    method: 'GET',
    path: '/v1/store',
    summary: 'Keys of the store, 500 at most.',
    query: { prefix: 'Of the keys.', after: 'The last key of the page before.', revision: 'Of the store; 0: now.' },
    answers: objectOf({ revision: whole, count: whole, keys: listOf(refTo('StoredKey')) }),
    handle: async (control, { query }) =>
      ok(
        await control.storedKeys({
          prefix: query.get('prefix') ?? '/',
          after: query.get('after') ?? '',
          revision: numberIn(query, 'revision'),
        }),
      ),
  },
  {
    method: 'GET',
    path: '/v1/store/key',
    summary: 'One key and its value.',
    query: { key: 'Of the store.', revision: 'Of the store; 0: now.' },
    answers: refTo('StoredVersion'),
    handle: async (control, { query }) => {
      const key = query.get('key') ?? '';
      const found = await control.storedVersion(key, numberIn(query, 'revision'));
      return found === undefined ? refusal(404, `there is no key ${JSON.stringify(key)}`) : ok(found);
    },
  },
  {
    method: 'GET',
    path: '/v1/store/history',
    summary: 'The versions of one key, newest first, 30 at most.',
    query: { key: 'Of the store.' },
    answers: objectOf({ versions: listOf(refTo('StoredVersion')), compacted: { type: 'boolean' } }),
    handle: async (control, { query }) => ok(await control.storedHistory(query.get('key') ?? '')),
  },
  {
    method: 'GET',
    path: '/v1/clock',
    summary: "Where the chain's clock stands.",
    answers: refTo('ClockState'),
    handle: async ({ clock }) => ok(clockState(await movable(clock).move(), systemClock.now())),
  },
  {
    method: 'POST',
    path: '/v1/clock',
    summary: 'Moves it in all processes; answered when what has become due was begun.',
    takes: refTo('ClockChange'),
    answers: refTo('ClockState'),
    handle: async ({ clock }, { body }) =>
      ok(clockState(await movable(clock).move(parseClockChange(parseJSON(body))), systemClock.now())),
  },
  ...tenantRoutes,
  {
    method: 'GET',
    path: '/v1/journal',
    summary: 'Requests that have ended, oldest first, of the last 20,000.',
    query: {
      since: 'The mark after which they have ended.',
      'verb*': 'Of which one has to fit, as of all that can be given several times.',
      'resource*': 'deployments, deployments/status, deployments.apps/status.',
      'user*': 'Who asked.',
      'namespace*': 'Of the object.',
      'name*': 'Of the object.',
      'userAgent*': 'How it begins.',
      'code*': 'Of the answer.',
      bodies: 'true: with those that were recorded.',
      wait: 'Milliseconds that it waits for one that fits, 60,000 at most.',
    },
    answers: objectOf({ mark: whole, entries: listOf(refTo('JournalEntry')) }),
    handle: journal,
  },
  {
    method: 'POST',
    path: '/v1/journal/webhooks',
    summary: 'For servers behind the first: one of their webhooks was called for a request that has not ended.',
    takes: refTo('WebhookCall'),
    answers: nothing,
    handle: (control, { body }) => {
      control.journal.noteWebhook(parseWebhookCall(parseJSON(body)));
      return ok({});
    },
  },
  {
    method: 'GET',
    path: '/v1/journal/bodies',
    summary: 'Whether bodies are recorded.',
    answers: refTo('BodyRecording'),
    handle: (control) => ok(control.journal.bodies.recording),
  },
  {
    method: 'PUT',
    path: '/v1/journal/bodies',
    summary: 'Begins or ends to record bodies.',
    takes: refTo('BodyRecordingChange'),
    answers: refTo('BodyRecording'),
    handle: ({ journal: { bodies } }, { body }) => {
      bodies.set(parseBodyRecording(parseJSON(body)));
      return ok(bodies.recording);
    },
  },
];

async function save(control: Control, _call: ControlCall, { name = '' }: PathParameters): Promise<ControlAnswer> {
  const { keys, revision } = await control.save(name);
  return created({ name, revision, keys: keys.length });
}

function movable(clock: Control['clock']): NonNullable<Control['clock']> {
  if (clock === undefined) throw new ClockCallError('the clock can be moved where kubechain runs all processes');
  return clock;
}

/** Comes from this chain's own processes. */
function parseWebhookCall(value: unknown): WebhookCall {
  if (typeof (value as Partial<WebhookCall> | null)?.auditID !== 'string')
    throw new FaultRuleError('auditID must be a text');
  return value as WebhookCall;
}

function readScenario(source: string): FaultScenario {
  try {
    const { duplicates, value } = yamlValue(source);
    if (duplicates !== undefined) throw new FaultRuleError(`the scenario is no YAML: ${duplicates}`);
    return parseScenario(value);
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw new FaultRuleError(`the scenario is no YAML: ${error.message}`, { cause: error });
  }
}

/** With `wait`, in ms, it answers when something fits, or when that time is over. */
async function journal({ journal: entries }: Control, call: ControlCall): Promise<ControlAnswer> {
  const wanted = journalQuery(call.query);
  const { over, waitMs } = overAfterWait(call);
  let found = entries.find(wanted);
  while (found.length === 0 && waitMs > 0 && !over.aborted) {
    await entries.next(over);
    found = entries.find(wanted);
  }
  return ok({ mark: entries.mark, entries: found });
}

function journalQuery(query: URLSearchParams): JournalQuery {
  const all = (name: string): Partial<Record<string, string[]>> =>
    query.has(name) ? { [`${name}s`]: query.getAll(name) } : {};
  return {
    since: numberIn(query, 'since'),
    ...all('verb'),
    ...all('resource'),
    ...all('user'),
    ...all('namespace'),
    ...all('name'),
    ...all('userAgent'),
    bodies: query.get('bodies') === 'true',
    ...(query.has('code') ? { codes: query.getAll('code').map(Number) } : {}),
  };
}

function peerCall(query: URLSearchParams): PeerCall {
  const peer = query.get('peer') ?? '';
  const verb = query.get('verb') ?? '';
  if (!peerKinds.includes(peer as PeerKind)) throw new FaultRuleError(`peer must be one of ${peerKinds.join(', ')}`);
  if (!peerVerbs.includes(verb)) throw new FaultRuleError(`verb must be one of ${peerVerbs.join(', ')}`);
  return { peer: peer as PeerKind, name: query.get('name') ?? '', verb: verb as PeerCall['verb'] };
}

/** Aborts when the caller has gone, or has waited as long as it said. */
function overAfterWait({ query, signal }: ControlCall): { readonly waitMs: number; readonly over: AbortSignal } {
  const waitMs = Math.min(numberIn(query, 'wait'), longestWaitMs);
  return { waitMs, over: AbortSignal.any([signal, AbortSignal.timeout(waitMs)]) };
}

function numberIn(query: URLSearchParams, name: string): number {
  return Number(query.get(name) ?? 0) || 0;
}
