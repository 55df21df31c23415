import { isDecodeError, messageOf, parseJSON, systemClock } from '@kubechain/apimachinery';
import { yamlValue } from '@kubechain/apimachinery/yaml';
import { readSnapshot, SnapshotFileError, snapshotText } from '@kubechain/shared-storage/snapshots';
import { BodyRecordingError, parseBodyRecording } from './body-recorder.ts';
import { UnknownSnapshotError, type Control } from './control.ts';
import { ClockCallError, clockState, parseClockChange } from './clock-call.ts';
import { FaultRuleError, parseFaultRule } from './fault-rule.ts';
import { parseScenario, parseSeed, type FaultScenario } from './fault-scenario.ts';
import { peerKinds, type PeerCall, type PeerKind } from '../peers/peer-call.ts';
import type { JournalQuery } from './journal.ts';

/** A call of the control API. */
export interface ControlCall {
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
}

/** Its answer: JSON, or text. */
export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

const longestWaitMs = 60_000;
const peerVerbs: readonly string[] = ['read', 'write', 'watch', 'call'] satisfies readonly PeerCall['verb'][];

/** Answers the calls of docs/control-api.md. Never throws. */
export async function answerControlCall(control: Control, call: ControlCall): Promise<ControlAnswer> {
  try {
    return await answer(control, call);
  } catch (error) {
    if (error instanceof UnknownSnapshotError) return refusal(404, error.message);
    if (
      error instanceof BodyRecordingError ||
      error instanceof ClockCallError ||
      error instanceof FaultRuleError ||
      error instanceof SnapshotFileError ||
      error instanceof SyntaxError
    )
      return refusal(400, error.message);
    return refusal(500, messageOf(error));
  }
}

async function answer(control: Control, call: ControlCall): Promise<ControlAnswer> {
  const [version, what, name, action, ...rest] = call.path.slice(1).split('/').map(decodeURIComponent);
  if (version !== 'v1' || rest.length > 0) return notFound(call);
  switch (what) {
    case 'faults':
      return action === undefined ? faults(control, call, name) : notFound(call);
    case 'scenarios':
      return action === undefined ? scenarios(control, call, name) : notFound(call);
    case 'journal':
      if (name === 'bodies' && action === undefined) return bodies(control, call);
      return name === undefined && call.method === 'GET' ? journal(control, call) : notFound(call);
    case 'snapshots':
      return snapshots(control, call, { name, action });
    case 'clock':
      return name === undefined ? clock(control, call) : notFound(call);
    case 'restore':
      if (name !== undefined || call.method !== 'POST') return notFound(call);
      return ok(await control.restore(readSnapshot(call.body)));
    case 'store':
      return action === undefined && call.method === 'GET' ? store(control, call, name) : notFound(call);
    case 'watches':
      if (name === undefined && call.method === 'GET') return ok({ watches: control.openWatches() });
      if (name !== 'expire' || action !== undefined || call.method !== 'POST') return notFound(call);
      return ok({ expired: control.expireWatches() });
    default:
      return notFound(call);
  }
}

/** Keys below a prefix; one of them at a revision; or its versions. */
async function store(control: Control, call: ControlCall, what: string | undefined): Promise<ControlAnswer> {
  const { query } = call;
  const revision = Number(query.get('revision') ?? 0) || 0;
  const key = query.get('key') ?? '';
  switch (what) {
    case undefined:
      return ok(
        await control.storedKeys({ prefix: query.get('prefix') ?? '/', after: query.get('after') ?? '', revision }),
      );
    case 'key': {
      const found = await control.storedVersion(key, revision);
      return found === undefined ? refusal(404, `there is no key ${JSON.stringify(key)}`) : ok(found);
    }
    case 'history':
      return ok(await control.storedHistory(key));
    default:
      return notFound(call);
  }
}

async function clock({ clock: mover }: Control, call: ControlCall): Promise<ControlAnswer> {
  if (mover === undefined) throw new ClockCallError('the clock can be moved where kubechain runs all processes');
  switch (call.method) {
    case 'GET':
      return ok(clockState(await mover.move(), systemClock.now()));
    case 'POST':
      return ok(clockState(await mover.move(parseClockChange(parseJSON(call.body))), systemClock.now()));
    default:
      return notFound(call);
  }
}

async function faults(control: Control, call: ControlCall, id: string | undefined): Promise<ControlAnswer> {
  const { faults: set, followers, scenarios } = control;
  if (id === 'peers' && call.method === 'GET') return peers(control, call);
  if (id === 'take' && call.method === 'POST') return ok({ effect: set.takePeer(peerCall(call.query)) });
  if (id !== undefined) {
    if (call.method !== 'DELETE') return notFound(call);
    if (!set.remove(id)) return refusal(404, `there is no fault ${JSON.stringify(id)}`);
    await followers.settled();
    return ok({});
  }
  switch (call.method) {
    case 'GET':
      return ok({ faults: set.list() });
    case 'POST': {
      const added = set.add(parseFaultRule(parseJSON(call.body)));
      await followers.settled();
      return { status: 201, body: added };
    }
    case 'DELETE':
      scenarios.clear();
      set.clear();
      await followers.settled();
      return ok({});
    default:
      return notFound(call);
  }
}

/** For processes of the chain: which kinds of their calls could meet a fault, when that is not what they know. */
async function peers({ followers }: Control, { query, signal }: ControlCall): Promise<ControlAnswer> {
  const waitMs = Math.min(Number(query.get('wait') ?? 0) || 0, longestWaitMs);
  const over = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  return ok(await followers.news(query.get('follower') ?? '', query.get('known') ?? '', over));
}

function peerCall(query: URLSearchParams): PeerCall {
  const peer = query.get('peer') ?? '';
  const verb = query.get('verb') ?? '';
  if (!peerKinds.includes(peer as PeerKind)) throw new FaultRuleError(`peer must be one of ${peerKinds.join(', ')}`);
  if (!peerVerbs.includes(verb)) throw new FaultRuleError(`verb must be one of ${peerVerbs.join(', ')}`);
  return { peer: peer as PeerKind, name: query.get('name') ?? '', verb: verb as PeerCall['verb'] };
}

/** A scenario is YAML, and so JSON too; `seed` of the query counts before the file's. */
async function scenarios(control: Control, call: ControlCall, id: string | undefined): Promise<ControlAnswer> {
  const { body, method, query } = call;
  if (id !== undefined) {
    if (method !== 'DELETE') return notFound(call);
    if (!control.scenarios.remove(id)) return refusal(404, `there is no scenario ${JSON.stringify(id)}`);
    await control.followers.settled();
    return ok({});
  }
  switch (method) {
    case 'GET':
      return ok({ scenarios: control.scenarios.list() });
    case 'POST': {
      const seed = query.has('seed') ? { seed: parseSeed(query.get('seed') ?? '') } : {};
      const applied = control.applyScenario({ ...readScenario(body), ...seed });
      await control.followers.settled();
      return { status: 201, body: applied };
    }
    default:
      return notFound(call);
  }
}

function readScenario(text: string): FaultScenario {
  try {
    const { duplicates, value } = yamlValue(text);
    if (duplicates !== undefined) throw new FaultRuleError(`the scenario is no YAML: ${duplicates}`);
    return parseScenario(value);
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw new FaultRuleError(`the scenario is no YAML: ${error.message}`, { cause: error });
  }
}

/** Whether bodies are recorded. */
function bodies({ journal: { bodies: recorder } }: Control, call: ControlCall): ControlAnswer {
  switch (call.method) {
    case 'GET':
      return ok(recorder.recording);
    case 'PUT':
      recorder.set(parseBodyRecording(parseJSON(call.body)));
      return ok(recorder.recording);
    default:
      return notFound(call);
  }
}

/** With `wait`, in ms, it answers when something fits, or when that time is over. */
async function journal({ journal: entries }: Control, { query, signal }: ControlCall): Promise<ControlAnswer> {
  const wanted = journalQuery(query);
  const waitMs = Math.min(Number(query.get('wait') ?? 0) || 0, longestWaitMs);
  const over = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
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
    since: Number(query.get('since') ?? 0) || 0,
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

async function snapshots(
  control: Control,
  call: ControlCall,
  { action, name }: { readonly name: string | undefined; readonly action: string | undefined },
): Promise<ControlAnswer> {
  if (name === undefined) return call.method === 'GET' ? ok({ snapshots: control.snapshotNames() }) : notFound(call);
  if (action === 'restore')
    return call.method === 'POST' ? ok(await control.restore(control.snapshot(name))) : notFound(call);
  if (action !== undefined) return notFound(call);
  switch (call.method) {
    case 'GET':
      return ok(snapshotText(control.snapshot(name)));
    case 'PUT':
    case 'POST': {
      const { keys, revision } = await control.save(name);
      return { status: 201, body: { name, revision, keys: keys.length } };
    }
    case 'DELETE':
      return control.remove(name) ? ok({}) : refusal(404, `there is no snapshot ${JSON.stringify(name)}`);
    default:
      return notFound(call);
  }
}

function ok(body: unknown): ControlAnswer {
  return { status: 200, body };
}

function refusal(status: number, message: string): ControlAnswer {
  return { status, body: { error: message } };
}

function notFound({ method, path }: ControlCall): ControlAnswer {
  return refusal(404, `there is nothing at ${method} ${path}`);
}
