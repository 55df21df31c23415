import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { listenLocally, localhostCertificate } from '../harness/local-https.ts';

const pods = '/api/v1/namespaces/q/pods';
const configMaps = '/api/v1/namespaces/q/configmaps';

function pod(name: string, more: { readonly resources?: object; readonly spec?: object } = {}): object {
  const { resources = {}, spec } = more;
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i', resources }], ...spec } };
}

/** What kube-apiserver 1.36.2 with the same configuration answered, before and after there was a quota. */
const withoutQuota: readonly (readonly [path: string, body: object, answer: string])[] = [
  [pods, pod('a'), '201'],
  [
    pods,
    pod('b', { resources: { requests: { cpu: '1' } } }),
    '403 pods "b" is forbidden: insufficient quota to consume: cpu,requests.cpu',
  ],
  [
    pods,
    pod('b', { resources: { limits: { cpu: '1' } } }),
    '403 pods "b" is forbidden: insufficient quota to consume: cpu,limits.cpu,requests.cpu',
  ],
  [
    pods,
    pod('c', { spec: { priorityClassName: 'system-cluster-critical' } }),
    '500 insufficient quota to match these scopes: [{PriorityClass In [system-cluster-critical x]}]',
  ],
  [
    configMaps,
    { metadata: { name: 'm' } },
    '403 configmaps "m" is forbidden: insufficient quota to consume: count/configmaps',
  ],
  ['/api/v1/namespaces/q/secrets', { metadata: { name: 'm' } }, '201'],
];
const withQuota: typeof withoutQuota = [
  [
    pods,
    pod('b', { resources: { requests: { cpu: '1' } } }),
    '403 pods "b" is forbidden: insufficient quota to consume: cpu',
  ],
  [configMaps, { metadata: { name: 'm' } }, '201'],
  [pods, pod('d'), '403 pods "d" is forbidden: failed quota: rq: must specify requests.cpu for: c'],
];

describe('--admission-control-config-file for quotas and webhooks', () => {
  let chain: Chain;
  let client: Client;
  let folder: string;
  let hook: Server;
  let bundle: string;
  const seen: (string | undefined)[] = [];

  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(join(tmpdir(), 'kubechain-admission-configuration-'));
    const credentials = localhostCertificate();
    bundle = Buffer.from(credentials.cert).toString('base64');
    hook = createServer(credentials, (request, response) => {
      void text(request).then((body) => {
        const { request: review } = JSON.parse(body) as { request: { uid: string } };
        seen.push(request.headers.authorization);
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            apiVersion: 'admission.k8s.io/v1',
            kind: 'AdmissionReview',
            response: { uid: review.uid, allowed: true },
          }),
        );
      });
    });
    const port = await listenLocally(hook);
    const users = [{ name: `localhost:${port}`, user: { token: 'of-the-server' } }];
    writeFileSync(join(folder, 'webhooks.kubeconfig'), JSON.stringify({ users }));
    writeFileSync(
      join(folder, 'admission.json'),
      JSON.stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AdmissionConfiguration',
        plugins: [
          {
            name: 'ResourceQuota',
            configuration: {
              apiVersion: 'apiserver.config.k8s.io/v1',
              kind: 'ResourceQuotaConfiguration',
              limitedResources: [
                { resource: 'pods', matchContains: ['cpu'] },
                {
                  resource: 'pods',
                  matchScopes: [
                    { scopeName: 'PriorityClass', operator: 'In', values: ['system-cluster-critical', 'x'] },
                  ],
                },
                { resource: 'configmaps', matchContains: ['count/'] },
              ],
            },
          },
          {
            name: 'ValidatingAdmissionWebhook',
            configuration: {
              apiVersion: 'apiserver.config.k8s.io/v1',
              kind: 'WebhookAdmissionConfiguration',
              kubeConfigFile: join(folder, 'webhooks.kubeconfig'),
            },
          },
        ],
      }),
    );
    chain = await startChain({
      flags: [
        '--disable-admission-plugins=ServiceAccount',
        '--enable-admission-plugins=NamespaceAutoProvision',
        `--admission-control-config-file=${join(folder, 'admission.json')}`,
      ],
    });
    client = Client.fromKubeconfig(chain.kubeconfig);
  });
  after(async () => {
    await chain.stop();
    hook.closeAllConnections();
    hook.close();
    rmSync(folder, { recursive: true });
  });

  const told = async (path: string, body: object): Promise<string> => {
    const { body: answer, status } = await client.call('POST', path, { body });
    return status < 300 ? String(status) : `${status} ${String((answer as { message: string }).message)}`;
  };

  for (const [path, body, answer] of withoutQuota)
    it(`answers ${answer} without a quota`, async () => {
      expect(await told(path, body)).to.equal(answer);
    });

  it('goes by quotas', async () => {
    const hard = { 'requests.cpu': '2', 'count/configmaps': '5' };
    const quotas = '/api/v1/namespaces/q/resourcequotas';
    await client.call('POST', quotas, { body: { metadata: { name: 'rq' }, spec: { hard } } });
    await client.call('PATCH', `${quotas}/rq/status`, {
      body: { status: { hard, used: { 'requests.cpu': '0', 'count/configmaps': '1' } } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    // The servers follow quotas.
    await client.until(`${quotas}/rq`, ({ text: quota }) => quota.includes('"used"'));
    let last = '';
    for (let i = 0; i < 100 && last !== '201'; i++)
      last = await told(`${configMaps}?dryRun=All`, { metadata: { name: 'm' } });
    for (const [path, body, answer] of withQuota) expect(await told(path, body)).to.equal(answer);
  });

  it('makes the namespaces of custom resources', async () => {
    await client.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      body: {
        metadata: { name: 'widgets.auto.example.com' },
        spec: {
          group: 'auto.example.com',
          names: { plural: 'widgets', kind: 'Widget' },
          scope: 'Namespaced',
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
      },
    });
    await client.until('/apis/auto.example.com/v1', ({ status }) => status === 200);
    const widget = { apiVersion: 'auto.example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
    expect(await told('/apis/auto.example.com/v1/namespaces/auto/widgets', widget)).to.equal('201');
    const { body } = await client.call('GET', '/api/v1/namespaces/auto');
    const { metadata, spec, status } = body as { metadata: { labels: object }; spec: object; status: object };
    expect([metadata.labels, spec, status]).to.deep.equal([
      { 'kubernetes.io/metadata.name': 'auto' },
      { finalizers: ['kubernetes'] },
      { phase: 'Active' },
    ]);
  });

  it('calls webhooks as the kubeconfig says', async () => {
    const { port } = hook.address() as AddressInfo;
    await client.call('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      body: {
        metadata: { name: 'w' },
        webhooks: [
          {
            name: 'w.example.com',
            clientConfig: { url: `https://localhost:${port}/`, caBundle: bundle },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['CREATE'] }],
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
    });
    for (let i = 0; i < 100 && seen.length === 0; i++)
      await told('/api/v1/namespaces/q/secrets?dryRun=All', { metadata: { name: `s${i}` } });
    expect(seen[0]).to.equal('Bearer of-the-server');
  });
});
