/**
 * Tells the same stories to a kube-apiserver and to a chain: sequences of requests about related objects, each made of
 * what was answered before; the first that is answered otherwise ends a story and is told, with all that came before.
 *
 *   node test-e2e/src/mutations/stories/main.ts --reference URL [--own URL] [--count N] [--seed N] [--story N]
 *                                               [--only REGEX] [--steps N] [--workers N] [--out FILE] [--seconds N]
 *                                               [--about kinds|definitions|policies|webhooks] [--tag TEXT]
 *
 * The reference, and a chain that runs already (--own), are started as for the changed objects ({@link ../main.ts}),
 * with --enable-admission-plugins=NodeRestriction. Names of namespaces begin with --tag (default `s`) and the seed.
 * Exit status: 0 when nothing differs.
 */
import { appendFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '@kubechain/apimachinery';
import { seededRandom } from '@kubechain/shared-storage/testing';
import { startChain } from '../../harness/chain.ts';
import { Client } from '../../harness/client.ts';
import { readSamples } from '../samples.ts';
import { Schemas } from '../schemas.ts';
import { type ObjectMap, Values } from '../values.ts';
import { definitionOf, DEFINITION_CHANGES } from './definitions.ts';
import { KINDS } from './kinds.ts';
import { put } from './paths.ts';
import { policiesOf } from './policies.ts';
import { kindsOfStory, Steps } from './steps.ts';
import { Story, StoryEnded, type StoryDifference, type StoryRequest } from './story.ts';
import { localhostCertificate } from '../../harness/local-https.ts';
import { WebhookListener } from './webhook-listener.ts';
import { webhooksOf } from './webhooks.ts';
import { helpFrom } from '../../harness/help.ts';

helpFrom(import.meta.filename);
const { values: flags } = parseArgs({
  options: {
    reference: { type: 'string' },
    own: { type: 'string' },
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    story: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    tag: { type: 'string', default: 's' },
    about: { type: 'string', default: '' },
    steps: { type: 'string', default: '30' },
    workers: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '' },
    out: { type: 'string', default: join(tmpdir(), 'kubechain-stories.jsonl') },
  },
});

const CERTIFICATE_SIGNING_REQUEST = 'certificates.k8s.io/v1/CertificateSigningRequest';

/** What policies and webhooks of stories are about. */
const ADMITTED: ReadonlySet<string> = new Set(
  'ConfigMap Secret Pod Deployment ServiceAccount HorizontalPodAutoscaler Event'.split(' '),
);

/** A difference, and the requests of its story. */
interface Told extends StoryDifference {
  readonly before: readonly StoryRequest[];
}

async function main(reference: string): Promise<number> {
  const chain =
    flags.own === undefined
      ? await startChain({
          flags: [
            '--disable-admission-plugins=ServiceAccount',
            '--enable-admission-plugins=NodeRestriction',
            '--service-cluster-ip-range=10.0.0.0/16',
            '--enable-priority-and-fairness=false',
            `--token-auth-file=${join(import.meta.dirname, '../../../transcripts/tokens.csv')}`,
          ],
        })
      : undefined;
  const administrator = { kind: 'token', token: 'admintoken' } as const;
  const both = [reference, flags.own ?? chain?.url ?? ''].map((url) => new Client(url, administrator));
  const [, own] = both;
  if (own === undefined) return 2;
  const request = readSamples().get(CERTIFICATE_SIGNING_REQUEST)?.[0]?.['spec'] as { request?: string } | undefined;
  const schemas = await Schemas.read(own);
  const credentials = localhostCertificate();
  const listeners = await Promise.all(both.map(() => WebhookListener.start(credentials)));
  rmSync(flags.out, { force: true });
  await keepParams(both);
  const first = flags.story === '' ? 0 : Number(flags.story);
  const last = flags.story === '' ? Number(flags.count) : first + 1;
  const deadline = flags.seconds === '' ? Infinity : Date.now() + Number(flags.seconds) * 1000;
  const statuses = new Map<number, number>();
  let next = first;
  let told = 0;
  let steps = 0;
  let differences = 0;
  let unsure = 0;

  /** What is answered otherwise in a story. */
  const tell = async (index: number, again: string): Promise<Told | undefined> => {
    const values = new Values(schemas, seededRandom(Number(flags.seed) * 100_003 + index));
    const namespace = `${flags.tag}${flags.seed}-${index}${again}`;
    const story = new Story(both, { namespace, values, listeners });
    const kinds = kindsOfStory(values, new RegExp(flags.only));
    const texts = { CSR: request?.request ?? '', IDX: String(index % 250) };
    try {
      await story.send({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } });
      const about =
        flags.about === ''
          ? values.chance(0.2)
            ? 'definitions'
            : values.pick(['policies', 'webhooks', ...Array.from({ length: 14 }, () => 'kinds')])
          : flags.about;
      const length = 5 + values.below(Number(flags.steps));
      if (about === 'definitions') await tellOfDefinition(story, length, texts);
      else {
        if (about === 'webhooks') {
          const { caBundle } = listeners[0] as WebhookListener;
          const webhooks = webhooksOf(namespace, { url: '<name:1>', caBundle, values });
          for (const { path, body } of webhooks) await story.send({ method: 'POST', path, body });
          await wait(2_500);
        }
        if (about === 'policies') {
          for (const { path, body } of policiesOf(namespace, values)) await story.send({ method: 'POST', path, body });
          await wait(2_500);
        }
        const policied = KINDS.filter(({ kind }) => ADMITTED.has(kind));
        const all = new Steps(story, { kinds: about === 'kinds' ? kinds : policied, texts });
        for (let left = length; left > 0; left--) await all.step();
      }
      await story.settle();
    } catch (error) {
      if (error instanceof StoryEnded) return { ...error.difference, before: story.steps };
      throw new Error(`story ${index}: ${messageOf(error)}`, { cause: error });
    } finally {
      story.close();
      steps += story.steps.length;
      for (const [status, count] of story.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
      await tidy(namespace);
    }
    return undefined;
  };

  /** Takes away what would be in the way of others. */
  const tidy = async (namespace: string): Promise<void> => {
    const none = { metadata: { finalizers: null } };
    for (const root of CLUSTER_ROOTS)
      for (const client of both) {
        const path = `${root}?labelSelector=story=${namespace}`;
        const { body } = await client.get(path);
        for (const { metadata } of (body as { items?: { metadata: { name: string } }[] }).items ?? []) {
          await client.patch(`${root}/${metadata.name}`, 'merge-patch', none);
          await client.delete(`${root}/${metadata.name}`);
        }
      }
    for (const client of both) await client.delete(`/api/v1/namespaces/${namespace}/services`);
    for (const client of both) await client.delete(`${DEFINITIONS}/things.${namespace}.example.com`);
  };

  const work = async (): Promise<void> => {
    while (next < last && Date.now() < deadline) {
      const index = next++;
      let ended = await tell(index, '');
      if (ended !== undefined) {
        const again = await tell(index, 'r');
        const isSure = again?.step === ended.step;
        if (!isSure) unsure++;
        if (again !== undefined) ended = again;
        differences++;
        appendFileSync(flags.out, `${JSON.stringify({ story: index, sure: isSure, ...ended })}\n`);
        console.error(`story ${index}: ${ended.request.method} ${ended.request.path}`);
      }
      told++;
    }
  };
  try {
    await Promise.all(Array.from({ length: Number(flags.workers) }, work));
  } finally {
    for (const client of both) client.close();
    for (const listener of listeners) listener.close();
    await chain?.stop();
  }
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  console.log(`${told} stories, ${steps} requests (${counts.join(', ')}), ${differences} differ (${unsure} not again)`);
  return differences === 0 ? 0 : 1;
}

/**
 * The reference reads no ConfigMaps as params any more once the last policy with such params is gone: one stays.
 */
async function keepParams(both: readonly Client[]): Promise<void> {
  const root = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic';
  const never = { matchLabels: { stories: 'never' } };
  const metadata = { name: 'stories-keep-params' };
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
  for (const client of both) {
    await client.post(`${root}ies`, {
      metadata,
      spec: {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: { objectSelector: never, resourceRules },
        validations: [{ expression: 'true' }],
      },
    });
    await client.post(`${root}ybindings`, {
      metadata,
      spec: {
        policyName: metadata.name,
        validationActions: ['Deny'],
        paramRef: { name: 'none', parameterNotFoundAction: 'Allow' },
      },
    });
  }
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function isEstablished(definition: unknown): boolean {
  const { status } = definition as { readonly status?: { readonly conditions?: readonly Record<string, string>[] } };
  return (status?.conditions ?? []).some(({ status: is, type }) => type === 'Established' && is === 'True');
}

async function tellOfDefinition(story: Story, length: number, texts: Readonly<Record<string, string>>): Promise<void> {
  const { values } = story;
  const { definition, kind } = definitionOf(story.namespace, values);
  const { name } = definition['metadata'] as { readonly name: string };
  const path = `${DEFINITIONS}/${name}`;
  const { status } = await story.send({ method: 'POST', path: DEFINITIONS, body: definition });
  if (status !== 201) return;
  await story.until({ method: 'GET', path }, ({ body }) => isEstablished(body));
  for (const version of [kind.apiVersion, ...(kind.versions ?? [])])
    await story.until(
      { method: 'GET', path: `/apis/${version}/namespaces/${story.namespace}/things` },
      (answer) => answer.status === 200,
    );
  await wait(300);
  const all = new Steps(story, { kinds: [kind], texts });
  const isChanged = values.chance(0.5);
  for (let left = length; left > 0; left--) {
    if (!isChanged || !values.chance(0.12)) {
      await all.step();
      continue;
    }
    await story.settle();
    const { body } = await story.send({ method: 'GET', path });
    const changed = structuredClone(body) as ObjectMap;
    for (let some = 1 + values.below(2); some > 0; some--) {
      const where = values.pick(Object.keys(DEFINITION_CHANGES));
      put(changed, where, values.pick(DEFINITION_CHANGES[where] ?? []));
    }
    put(changed, 'metadata.resourceVersion', undefined);
    const method = values.chance(0.5) ? 'PUT' : 'PATCH';
    if (method === 'PUT')
      put(
        changed,
        'metadata.resourceVersion',
        (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion,
      );
    await story.send({
      method,
      path,
      body: changed,
      ...(method === 'PATCH' ? { contentType: 'application/merge-patch+json' } : {}),
    });
    await wait(700);
  }
}

const CLUSTER_ROOTS: readonly string[] = [
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
  '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies',
  '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
  '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
  '/apis/networking.k8s.io/v1/servicecidrs',
  '/apis/networking.k8s.io/v1/ipaddresses',
  '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
  '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
];

if (flags.reference === undefined) {
  console.error('usage: main.ts --reference URL');
  process.exitCode = 2;
} else {
  process.exitCode = await main(flags.reference);
}
