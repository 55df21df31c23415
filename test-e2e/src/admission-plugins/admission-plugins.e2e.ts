import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client, type Identity } from '../harness/client.ts';

/** A request, and what kube-apiserver 1.36 with the same flags and configurations answered it. */
interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** Default: the administrator's. */
  readonly token?: string;
  readonly contentType?: string;
  readonly answer: { readonly code: number; readonly warning?: string; readonly body: unknown };
}

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8')) as readonly Recorded[];

/** All that are off by default and refuse or change single objects. */
const plugins = [
  'AlwaysAdmit',
  'AlwaysPullImages',
  'DenyServiceExternalIPs',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'LimitPodHardAntiAffinityTopology',
  'NamespaceAutoProvision',
  'NamespaceExists',
  'NodeDeclaredFeatureValidator',
  'OwnerReferencesPermissionEnforcement',
  'PodNodeSelector',
  'PodTolerationRestriction',
];

const configuration = {
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AdmissionConfiguration',
  plugins: [
    {
      name: 'EventRateLimit',
      configuration: {
        apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
        kind: 'Configuration',
        limits: [{ type: 'Namespace', qps: 1, burst: 1 }],
      },
    },
    { name: 'PodNodeSelector', path: 'selectors.yaml' },
    {
      name: 'PodTolerationRestriction',
      configuration: {
        apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
        kind: 'Configuration',
        default: [{ key: 'd', operator: 'Exists' }],
        whitelist: [],
      },
    },
    {
      name: 'PodSecurity',
      configuration: {
        apiVersion: 'pod-security.admission.config.k8s.io/v1',
        kind: 'PodSecurityConfiguration',
        defaults: { enforce: 'baseline' },
        exemptions: { namespaces: ['free'] },
      },
    },
  ],
};
const selectors = 'podNodeSelectorPluginConfig: {clusterDefaultNodeSelector: "env=dev", only: "env=dev,a=b"}\n';

/** What each run has its own of. */
const varying: ReadonlySet<string> = new Set(['uid', 'creationTimestamp', 'resourceVersion', 'managedFields', 'time']);

function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (varying.has(key) ? undefined : inner)));
}

describe('admission plugins that flags enable', () => {
  let chain: Chain;
  let client: Client;
  let folder: string;

  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(join(tmpdir(), 'kubechain-admission-'));
    writeFileSync(join(folder, 'admission.json'), JSON.stringify(configuration));
    writeFileSync(join(folder, 'selectors.yaml'), selectors);
    writeFileSync(join(folder, 'tokens.csv'), 'alicetoken,alice,alice-uid,"devs"\n');
    chain = await startChain({
      flags: [
        '--token-auth-file',
        join(folder, 'tokens.csv'),
        '--disable-admission-plugins=ServiceAccount',
        `--enable-admission-plugins=${plugins.join(',')}`,
        '--admission-control-config-file',
        join(folder, 'admission.json'),
      ],
    });
    client = Client.fromKubeconfig(chain.kubeconfig);
  });
  after(async () => {
    await chain.stop();
    rmSync(folder, { recursive: true });
  });

  for (const [i, { answer, body, contentType = 'application/json', method, path, token }] of recorded.entries())
    it(`${i + 1}: ${method} ${path} as kube-apiserver answers it`, async () => {
      const identity: { readonly as?: Identity } = token === undefined ? {} : { as: { kind: 'token', token } };
      const got = await client.call(method, path, {
        ...(body === undefined ? {} : { body }),
        headers: { 'content-type': contentType },
        ...identity,
      });
      expect({
        code: got.status,
        ...(got.headers.warning === undefined ? {} : { warning: got.headers.warning }),
        body: comparable(got.body),
      }).to.deep.equal(answer);
    });
});
