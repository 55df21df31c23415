/**
 * Sends the same changed objects to a kube-apiserver and to a chain, and tells where they answer otherwise:
 *
 *   node test-e2e/src/mutations/main.ts --reference URL [--count N] [--seed N] [--only REGEX]
 *                                       [--subresource status|scale] [--custom] [--out FILE] [--all-in-one]
 *                                       [--seconds N] [--again FILE] [--encoding json|yaml|protobuf|cbor|any]
 *                                       [--own URL] [--damage] [--ask] [--area NAME]
 *
 * A chain that runs already (--own) has been started as the reference, which is described below.
 * With --custom the objects are of kinds that samples define. With --again the requests are those of an earlier run's
 * FILE, whose seed and choice of objects are given again, since objects are named by them.
 * With --damage, bodies have one thing or two that hardly any encoder writes: numbers, texts and keys at the edges of
 * JSON, wire types, lengths and groups of protobuf that are none. With --ask, objects and collections are read, watched
 * and deleted (as a dry run) with options and headers that clients send or not (--encoding any reads whatever comes).
 * With --area, requests are about one thing: the levels of pod security (`security`), limits and quotas (`limits`),
 * what users may grant (`rights`), reviews and who speaks for whom (`reviews`), or what is beside objects
 * (`subresources`).
 * With --encoding, objects are sent and answers asked for in another form than JSON (patches stay what they are); with
 * `cbor` the feature gate CBORServingAndStorage is on, and has to be in the reference.
 *
 * The reference is fresh, with --token-auth-file test-e2e/transcripts/tokens.csv, RBAC, --allow-privileged,
 * --service-cluster-ip-range=10.0.0.0/16 and --enable-priority-and-fairness=false, and without the admission plugin
 * ServiceAccount. Each difference is a line of JSON in FILE (default: one for temporary files). How far it is goes to
 * standard error twice a minute. It ends after --count requests, after --seconds, or at SIGINT or SIGTERM, and tells
 * what was compared until then. Exit status: 0 when nothing differs, 1 otherwise, 2 on a usage error.
 */
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { append } from '@kubechain/apimachinery';
import { seededRandom } from '@kubechain/shared-storage/testing';
import { startAllInOne } from 'kubechain/all-in-one';
import { startChain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { areas } from './areas/areas.ts';
import { askOf } from './asks.ts';
import { damageJSON } from './damage-json.ts';
import { damageProtobuf } from './damage-protobuf.ts';
import { compareAll, inWords } from './compare.ts';
import { settled } from './settled.ts';
import { defineKinds } from './define-kinds.ts';
import { encodings, type Encoding } from './encodings.ts';
import { collectionOf, trialOf, type Base, type TrialRequest } from './requests.ts';
import { readSamples, type Samples } from './samples.ts';
import { readResources, Schemas } from './schemas.ts';
import { Values } from './values.ts';
import { helpFrom } from '../harness/help.ts';

const NAMESPACE = 'trials';
/** Samples of one kind that both servers are given. */
const MAX_SAMPLES = 8;
/** Until the servers' controllers have written what they have to say of new objects. */
const SETTLED_WITHIN_MS = 60_000;
/** Longest wait for one answer, however busy the machine. */
const ANSWER_WITHIN_MS = 120_000;
const CUSTOM_RESOURCE_DEFINITION = 'apiextensions.k8s.io/v1/CustomResourceDefinition';
/** Names that say what the objects are. */
const NAMED = /\/(?:APIService|CustomResourceDefinition)$/;
/** Made by other means, or in other words on each server. */
const SKIPPED = /\/Binding$|\/Event$/;

helpFrom(import.meta.filename);
const { values: flags } = parseArgs({
  options: {
    reference: { type: 'string' },
    own: { type: 'string', default: '' },
    count: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    subresource: { type: 'string', default: '' },
    custom: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '' },
    'all-in-one': { type: 'boolean', default: false },
    again: { type: 'string', default: '' },
    encoding: { type: 'string', default: 'json' },
    damage: { type: 'boolean', default: false },
    ask: { type: 'boolean', default: false },
    area: { type: 'string', default: '' },
    out: { type: 'string', default: join(tmpdir(), 'kubechain-differences.jsonl') },
  },
});

/** The servers, each in a process of its own or, with --all-in-one, in this one; or, with --own, those that run. */
async function start(serverFlags: readonly string[]): Promise<{ readonly url: string; stop(): Promise<unknown> }> {
  if (flags.own !== '') return { url: flags.own, stop: () => Promise.resolve() };
  if (!flags['all-in-one']) return startChain({ flags: serverFlags });
  const cluster = await startAllInOne({ flags: serverFlags });
  return { url: cluster.url, stop: () => cluster.close() };
}

interface Trial {
  readonly kind: string;
  readonly request: TrialRequest;
}

/** The same request with a body that hardly any encoder writes. */
function damaged(request: TrialRequest, encoding: Encoding, values: Values): TrialRequest {
  const { body, contentType } = encoding.encode(request);
  const bytes = typeof body === 'string' ? damageJSON(body, values) : damageProtobuf(body, values);
  return { ...request, contentType, base64: Buffer.from(bytes).toString('base64') };
}

/** What an earlier run wrote down; objects that are read only are nothing to try. */
function readRequests(file: string): Trial[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const trials = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Trial);
  return trials.filter(({ request }) => request.method !== 'GET' || request.headers !== undefined);
}

async function main(referenceURL: string, encoding: Encoding): Promise<number> {
  const chain = await start([
    '--disable-admission-plugins=ServiceAccount',
    '--service-cluster-ip-range=10.0.0.0/16',
    '--enable-priority-and-fairness=false',
    `--token-auth-file=${join(import.meta.dirname, '../../transcripts/tokens.csv')}`,
    `--feature-gates=CBORServingAndStorage=${flags.encoding === 'cbor'}`,
  ]);
  try {
    const administrator = { kind: 'token', token: 'admintoken' } as const;
    const ours = new Client(chain.url, administrator);
    const both = [new Client(referenceURL, administrator), ours] as const;
    const samples = readSamples();
    const custom = flags.custom ? await defineKinds(both, samples.get(CUSTOM_RESOURCE_DEFINITION) ?? []) : undefined;
    const schemas = await Schemas.read(ours);
    const values = new Values(schemas, seededRandom(Number(flags.seed)));
    const area = areas.get(flags.area);
    await area?.prepare(both);
    const made = area === undefined ? await prepare(both, samples, { values, custom }) : [];
    const subresource = flags.subresource === '' ? '' : `/${flags.subresource}`;
    const again = flags.again === '' ? undefined : readRequests(flags.again);
    rmSync(flags.out, { force: true });
    const write = (difference: object): void => appendFileSync(flags.out, `${JSON.stringify(difference)}\n`);
    const { alike: bases, unlike } = await settled(both, made, { namespace: NAMESPACE, withinMs: SETTLED_WITHIN_MS });
    for (const difference of unlike) write(difference);
    console.error(`${bases.length} objects and kinds to begin with, ${unlike.length} objects unlike on both servers`);
    const stopping = new AbortController();
    const timer = flags.seconds === '' ? undefined : setTimeout(() => stopping.abort(), Number(flags.seconds) * 1000);
    const stop = (): void => stopping.abort();
    process.once('SIGINT', stop).once('SIGTERM', stop);
    const next = (): Trial => {
      const earlier = again?.shift();
      if (earlier !== undefined) return earlier;
      if (area !== undefined) return { kind: flags.area, request: area.request({ values, schemas }) };
      const base = values.pick(bases);
      const schema = schemas.of(base.resource);
      const fixed = subresource === '' ? 'status' : 'spec';
      const kind = base.resource.name;
      if (flags.ask) return { kind, request: askOf(base, { namespace: NAMESPACE, values }) };
      const request = trialOf(base, { namespace: NAMESPACE, schema, subresource, values, schemas, fixed });
      return { kind, request: flags.damage ? damaged(request, encoding, values) : request };
    };
    const totals = await compareAll(both, next, {
      count: again?.length ?? Number(flags.count),
      encoding,
      signal: stopping.signal,
      answerWithinMs: ANSWER_WITHIN_MS,
      onDifference: write,
      onProgress: (so) => console.error(inWords(so)),
    });
    clearTimeout(timer);
    for (const client of both) client.close();
    const differs = totals.differences + unlike.length > 0;
    console.log(`${inWords(totals)}${differs ? `: ${flags.out}` : ''}`);
    return differs ? 1 : 0;
  } finally {
    await chain.stop();
  }
}

/** Classes that objects get without asking; with several of a kind it is chance which one. */
const DEFAULT_CLASS = /\.kubernetes\.io\/is-default-class$/;

/** A class that is nobody's default, where another one of its kind is. */
function withoutDefault(metadata: object, isFirst: boolean): object {
  const { annotations, ...rest } = metadata as { readonly annotations?: Readonly<Record<string, string>> };
  if (annotations === undefined || isFirst) return metadata;
  const kept = Object.entries(annotations).filter(([name]) => !DEFAULT_CLASS.test(name));
  return { ...rest, annotations: Object.fromEntries(kept) };
}

/** Gives both servers the samples; those that both have, and each resource without any, are what trials begin with. */
async function prepare(
  both: readonly Client[],
  samples: Samples,
  { custom, values }: { readonly custom: ReadonlySet<string> | undefined; readonly values: Values },
): Promise<readonly Base[]> {
  for (const client of both) await client.post('/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  const bases: Base[] = [];
  const resources = await readResources(both.at(-1) as Client);
  for (const resource of resources) {
    if (SKIPPED.test(resource.name) || !new RegExp(flags.only).test(resource.name)) continue;
    if (custom !== undefined && !custom.has(resource.apiVersion)) continue;
    if (flags.subresource !== '' && !resource.subresources.includes(flags.subresource)) continue;
    const made: Base[] = [];
    for (const sample of (samples.get(resource.name) ?? []).slice(0, MAX_SAMPLES)) {
      const object = structuredClone(sample);
      object['metadata'] = {
        ...withoutDefault((object['metadata'] ?? {}) as object, made.length === 0),
        ...(NAMED.test(resource.name) ? {} : { name: `sample-${bases.length + made.length}` }),
        ...(resource.namespaced ? { namespace: NAMESPACE } : {}),
      };
      const answers = await Promise.all(both.map((client) => client.post(collectionOf(resource, NAMESPACE), object)));
      if (answers.every(({ status }) => status === 201)) made.push({ resource, object });
    }
    append(bases, made);
    if (flags.subresource === '' && (made.length === 0 || values.chance(0.3)))
      bases.push({ resource, object: undefined });
  }
  return bases;
}

const { reference } = flags;
const encoding = encodings.get(flags.encoding);
if (reference === undefined || encoding === undefined || (flags.area !== '' && !areas.has(flags.area))) {
  console.error(`usage: main.ts --reference URL [--encoding ${[...encodings.keys()].join('|')}] [--area NAME]`);
  process.exitCode = 2;
} else {
  process.exitCode = await main(reference, encoding);
}
