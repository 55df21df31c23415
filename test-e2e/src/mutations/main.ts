/**
 * Sends the same changed objects to a kube-apiserver and to a chain, and tells where they answer otherwise:
 *
 *   node test-e2e/src/mutations/main.ts --reference URL [--count N] [--seed N] [--only REGEX]
 *                                       [--subresource status|scale] [--out FILE] [--all-in-one]
 *
 * The reference is fresh, with --token-auth-file test-e2e/transcripts/tokens.csv, RBAC, --allow-privileged,
 * --service-cluster-ip-range=10.0.0.0/16 and --enable-priority-and-fairness=false, and without the admission plugin
 * ServiceAccount. Each difference is a line of JSON in FILE (default: one for temporary files). Exit status: 0 when
 * there is none, 1 otherwise, 2 on a usage error.
 */
import { appendFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { append } from '@kubechain/apimachinery';
import { seededRandom } from '@kubechain/shared-storage/testing';
import { startAllInOne } from 'kubechain/all-in-one';
import { startChain } from '../harness/chain.ts';
import { Client, type Answer } from '../harness/client.ts';
import { collectionOf, trialOf, type Base } from './requests.ts';
import { readSamples } from './samples.ts';
import { readResources, Schemas } from './schemas.ts';
import { told } from './told.ts';
import { Values } from './values.ts';

const NAMESPACE = 'trials';
/** Samples of one kind that both servers are given. */
const MAX_SAMPLES = 8;
const WORKERS = 6;
/** Made by other means, or in other words on each server. */
/** Names that say what the objects are. */
const NAMED = /\/(?:APIService|CustomResourceDefinition)$/;
const SKIPPED = /\/Binding$|\/Event$/;

const { values: flags } = parseArgs({
  options: {
    reference: { type: 'string' },
    count: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    subresource: { type: 'string', default: '' },
    'all-in-one': { type: 'boolean', default: false },
    out: { type: 'string', default: join(tmpdir(), 'kubechain-differences.jsonl') },
  },
});

/** The servers, each in a process of its own or, with --all-in-one, in this one. */
async function start(serverFlags: readonly string[]): Promise<{ readonly url: string; stop(): Promise<unknown> }> {
  if (!flags['all-in-one']) return startChain({ flags: serverFlags });
  const cluster = await startAllInOne({ flags: serverFlags });
  return { url: cluster.url, stop: () => cluster.close() };
}

async function main(referenceURL: string): Promise<number> {
  const chain = await start([
    '--disable-admission-plugins=ServiceAccount',
    '--service-cluster-ip-range=10.0.0.0/16',
    '--enable-priority-and-fairness=false',
    `--token-auth-file=${join(import.meta.dirname, '../../transcripts/tokens.csv')}`,
  ]);
  try {
    const administrator = { kind: 'token', token: 'admintoken' } as const;
    const ours = new Client(chain.url, administrator);
    const both = [new Client(referenceURL, administrator), ours] as const;
    const schemas = await Schemas.read(ours);
    const values = new Values(schemas, seededRandom(Number(flags.seed)));
    const bases = await prepare(both, values);
    const subresource = flags.subresource === '' ? '' : `/${flags.subresource}`;
    rmSync(flags.out, { force: true });
    const answered = new Map<string, number>();
    let [sent, differences] = [0, 0];
    const work = async (): Promise<void> => {
      while (sent < Number(flags.count)) {
        sent++;
        const base = values.pick(bases);
        const schema = schemas.of(base.resource);
        const fixed = subresource === '' ? 'status' : 'spec';
        const request = trialOf(base, { namespace: NAMESPACE, schema, subresource, values, schemas, fixed });
        const options = { body: request.body, headers: { 'content-type': request.contentType } };
        const [reference, own] = await Promise.all(
          both.map((client) => answerOf(() => client.call(request.method, request.path, options))),
        );
        const status = reference?.slice(0, 3) ?? 'no answer';
        answered.set(status, (answered.get(status) ?? 0) + 1);
        if (reference === undefined || reference === own) continue;
        differences++;
        appendFileSync(flags.out, `${JSON.stringify({ kind: base.resource.name, request, reference, own })}\n`);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    const statuses = [...answered].map(([status, count]) => `${count} × ${status}`);
    const place = differences === 0 ? '' : `: ${flags.out}`;
    console.log(`${sent} requests (${statuses.join(', ')}), ${differences} answered otherwise${place}`);
    return differences === 0 ? 0 : 1;
  } finally {
    await chain.stop();
  }
}

/**
 * What a server answers. It may hang up between two requests; nothing that is sent changes anything, so that it is sent
 * again. undefined where it always hangs up, as the reference does where a handler of its panics.
 */
async function answerOf(call: () => Promise<Answer>): Promise<string | undefined> {
  for (let left = 3; left > 0; left--) {
    try {
      return told(await call());
    } catch {
      // Once more.
    }
  }
  return undefined;
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
async function prepare(both: readonly Client[], values: Values): Promise<readonly Base[]> {
  for (const client of both) await client.post('/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  const samples = readSamples();
  const bases: Base[] = [];
  const resources = await readResources(both.at(-1) as Client);
  for (const resource of resources) {
    if (SKIPPED.test(resource.name) || !new RegExp(flags.only).test(resource.name)) continue;
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
    if (made.length === 0 || values.chance(0.3)) bases.push({ resource, object: undefined });
  }
  return bases;
}

const { reference } = flags;
if (reference === undefined) {
  console.error('usage: main.ts --reference URL');
  process.exitCode = 2;
} else {
  process.exitCode = await main(reference);
}
