import type { KubeObject } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { resources, type Client, type ResourceType } from '@kubechain/controllers';
import { eventually } from '../live-cluster.ts';
import type { Scenario, Stage } from './scenarios.ts';

const patient = { withinMs: 60_000 };
const finalizers = ['example.com/stays'];

/** A request for a certificate of `CN=someone`, by a key that nobody has any more. */
const certificateRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHMMHQCAQAwEjEQMA4GA1UEAwwHc29tZW9uZTBZMBMGByqGSM49AgEGCCqGSM49
AwEHA0IABFYacAsj9vNVvFQBHMUkYXLDWaI8e6BP22fVW291jxC97QLWfpUftK5+
QkCzUAGGA0joqAK5hQgkG1q+BarTuf+gADAKBggqhkjOPQQDAgNIADBFAiBBThZj
CElVVfDKX1LxciSLd2wQ9vQKo9gSqtBoNg8vOwIhAOW064KtcCxVlwDneT9MCBzU
LT6qIYibSIgjpMGIJlnm
-----END CERTIFICATE REQUEST-----
`;

function make<T extends object>({ client, namespace }: Stage, type: ResourceType<T>, object: object): Promise<T> {
  const { metadata, ...rest } = object as KubeObject;
  return client.resource(type).create({ metadata: { namespace, ...metadata }, ...rest } as T);
}

function makePod(stage: Stage, name: string, more: { metadata?: object; spec?: object } = {}): Promise<Pod> {
  return make(stage, resources.pods, {
    metadata: { name, ...more.metadata },
    spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'web:1' }], ...more.spec },
  });
}

async function until<T extends object>(
  client: Client,
  type: ResourceType<T>,
  at: { readonly name: string; readonly namespace?: string },
  holds: (object: T & KubeObject & { readonly status?: Readonly<Record<string, unknown>> }) => boolean,
): Promise<void> {
  await eventually(async () => holds((await client.resource(type).get(at)) as never), patient);
}

async function gone<T extends object>(
  client: Client,
  type: ResourceType<T>,
  at: { readonly name: string; readonly namespace?: string },
): Promise<void> {
  await eventually(
    () =>
      client
        .resource(type)
        .get(at)
        .then(
          () => false,
          () => true,
        ),
    patient,
  );
}

const running = (stage: Stage, name: string): Promise<void> =>
  until(
    stage.client,
    resources.pods,
    { name, namespace: stage.namespace },
    ({ status }) => status?.phase === 'Running',
  );

/** An owner, what it owns, and what that owns. */
async function makeFamily(stage: Stage): Promise<void> {
  let owner: KubeObject | undefined;
  for (const name of ['owner', 'child', 'grandchild']) {
    const { metadata }: KubeObject = await make(stage, resources.configmaps, {
      metadata: {
        name,
        ...(owner === undefined
          ? {}
          : {
              ownerReferences: [
                {
                  apiVersion: 'v1',
                  kind: 'ConfigMap',
                  name: owner.metadata?.name,
                  uid: owner.metadata?.uid,
                  blockOwnerDeletion: true,
                  controller: true,
                },
              ],
            }),
        ...(name === 'grandchild' ? { finalizers } : {}),
      },
    });
    owner = { metadata: metadata ?? {} };
  }
}

const cascading = (propagationPolicy: 'Background' | 'Foreground' | 'Orphan', left: readonly string[]): Scenario => ({
  name: `garbage: a family, deleted by ${propagationPolicy}`,
  play: async (stage) => {
    const { client, namespace } = stage;
    await makeFamily(stage);
    // Collectors know whom they have seen.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await client.resource(resources.configmaps).delete({ name: 'owner', namespace }, { propagationPolicy });
    for (const name of ['owner', 'child', 'grandchild'])
      if (!left.includes(name)) await gone(client, resources.configmaps, { name, namespace });
  },
});

const claim = (more: object = {}): object => ({
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
});
const volume = (name: string, more: object = {}): object => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' }, hostPath: { path: `/tmp/${name}` }, ...more },
});
const bound = ({ client, namespace }: Stage, name: string): Promise<void> =>
  until(client, resources.persistentvolumeclaims, { name, namespace }, ({ status }) => status?.phase === 'Bound');

const isReady =
  (wanted: string) =>
  ({ status }: { readonly status?: Readonly<Record<string, unknown>> }): boolean =>
    ((status?.['conditions'] ?? []) as readonly { readonly type: string; readonly status: string }[]).some(
      ({ status: is, type }) => type === 'Ready' && is === wanted,
    );

async function requestCertificate(
  { client, namespace }: Stage,
  name: string,
  spec: { readonly signerName: string; readonly usages: readonly string[] },
): Promise<string> {
  const full = `${name}--${namespace}`;
  const request = Buffer.from(certificateRequest).toString('base64');
  await client
    .resource(resources.certificatesigningrequests)
    .create({ metadata: { name: full }, spec: { ...spec, request } } as never);
  return full;
}

async function judge({ client }: Stage, name: string, type: 'Approved' | 'Denied'): Promise<void> {
  const requests = client.resource(resources.certificatesigningrequests);
  const conditions = [{ type, status: 'True', reason: 'Test', message: 'said so' }];
  await requests.update({ ...(await requests.get({ name })), status: { conditions } } as never, 'approval');
}

/** What a cluster does by itself: names end with the namespace where objects belong to none. */
export const lifecycleScenarios: readonly Scenario[] = [
  {
    name: 'namespace: deleted, held by a finalizer',
    play: async (stage) => {
      const { client } = stage;
      const name = `held--${stage.namespace}`;
      await client.resource(resources.namespaces).create({ metadata: { name } });
      for (const [i, kept] of [[], finalizers].entries())
        await make(stage, resources.configmaps, { metadata: { name: `m${i}`, namespace: name, finalizers: kept } });
      await client.resource(resources.namespaces).delete({ name });
      await until(client, resources.namespaces, { name }, ({ status }) =>
        JSON.stringify(status).includes('SomeFinalizersRemain'),
      );
    },
  },
  {
    name: 'namespace: deleted with all it has',
    play: async (stage) => {
      const { client } = stage;
      const name = `full--${stage.namespace}`;
      await client.resource(resources.namespaces).create({ metadata: { name } });
      await make(stage, resources.configmaps, { metadata: { name: 'm', namespace: name } });
      await client.resource(resources.namespaces).delete({ name });
      await gone(client, resources.namespaces, { name });
    },
  },
  cascading('Background', ['grandchild']),
  cascading('Foreground', ['owner', 'child', 'grandchild']),
  cascading('Orphan', ['child', 'grandchild']),
  {
    name: 'garbage: owners that never were',
    play: async (stage) => {
      const { client, namespace } = stage;
      const uid = '00000000-0000-4000-8000-000000000000';
      const of = (kind: string, apiVersion = 'v1'): object => ({ apiVersion, kind, name: 'nobody', uid });
      await make(stage, resources.configmaps, { metadata: { name: 'orphan', ownerReferences: [of('Secret')] } });
      await make(stage, resources.configmaps, {
        metadata: { name: 'of-no-kind', ownerReferences: [of('Nothing', 'example.com/v1')] },
      });
      await gone(client, resources.configmaps, { name: 'orphan', namespace });
    },
  },
  {
    name: 'garbage: an owner in another namespace',
    play: async (stage) => {
      const { client, namespace } = stage;
      const name = `other--${namespace}`;
      await client.resource(resources.namespaces).create({ metadata: { name } });
      const owner = await make(stage, resources.secrets, { metadata: { name: 'owner', namespace: name } });
      await make(stage, resources.configmaps, {
        metadata: {
          name: 'astray',
          ownerReferences: [{ apiVersion: 'v1', kind: 'Secret', name: 'owner', uid: owner.metadata?.uid }],
        },
      });
      await gone(client, resources.configmaps, { name: 'astray', namespace });
    },
  },
  {
    name: 'service account: the default one comes back',
    play: async (stage) => {
      const { client, namespace } = stage;
      const accounts = client.resource(resources.serviceaccounts);
      const { metadata } = await accounts.get({ name: 'default', namespace });
      await accounts.delete({ name: 'default', namespace });
      await until(client, resources.serviceaccounts, { name: 'default', namespace }, (account) =>
        metadata?.uid === undefined ? false : account.metadata?.uid !== metadata.uid,
      );
    },
  },
  {
    name: 'service account: a token in a secret, that goes with it',
    play: async (stage) => {
      const { client, namespace } = stage;
      const type = 'kubernetes.io/service-account-token';
      for (const name of ['robot', 'human']) {
        await make(stage, resources.serviceaccounts, { metadata: { name } });
        const annotations = { 'kubernetes.io/service-account.name': name };
        await make(stage, resources.secrets, { metadata: { name: `${name}-token`, annotations }, type });
        await until(client, resources.secrets, { name: `${name}-token`, namespace }, ({ data }) =>
          Object.hasOwn((data ?? {}) as object, 'token'),
        );
      }
      await client.resource(resources.serviceaccounts).delete({ name: 'human', namespace });
      await gone(client, resources.secrets, { name: 'human-token', namespace });
    },
  },
  {
    name: 'root certificate: put back when changed',
    play: async ({ client, namespace }) => {
      const at = { name: 'kube-root-ca.crt', namespace };
      await client.resource(resources.configmaps).patch(at, { data: { 'ca.crt': 'none', more: 'x' } });
      await until(client, resources.configmaps, at, ({ data }) =>
        String((data as Readonly<Record<string, string>> | undefined)?.['ca.crt']).startsWith('-----BEGIN'),
      );
    },
  },
  {
    name: 'endpoints: pods that are ready, and one that never is',
    play: async (stage) => {
      const { client, namespace } = stage;
      await make(stage, resources.services, {
        metadata: { name: 'web', labels: { tier: 'front' } },
        spec: {
          selector: { app: 'web' },
          ports: [
            { name: 'http', port: 80, targetPort: 'web' },
            { name: 'dns', port: 53, protocol: 'UDP', appProtocol: 'kubernetes.io/h2c' },
          ],
        },
      });
      const containers = [{ name: 'c', image: 'web:1', ports: [{ name: 'web', containerPort: 8080 }] }];
      const labels = { app: 'web' };
      await makePod(stage, 'good', { metadata: { labels }, spec: { containers } });
      await running(stage, 'good');
      const annotations = { 'simulation.kubechain.dev/failure': 'crash-loop' };
      await makePod(stage, 'bad', { metadata: { labels, annotations }, spec: { containers } });
      await until(client, resources.endpoints, { name: 'web', namespace }, ({ subsets }) =>
        JSON.stringify(subsets).includes('notReadyAddresses'),
      );
    },
  },
  {
    name: 'endpoints: without a head, of a host name, and unready ones too',
    play: async (stage) => {
      const { client, namespace } = stage;
      await make(stage, resources.services, {
        metadata: { name: 'db' },
        spec: { clusterIP: 'None', selector: { app: 'db' }, publishNotReadyAddresses: true },
      });
      await makePod(stage, 'db-0', {
        metadata: { labels: { app: 'db' } },
        spec: { hostname: 'db-0', subdomain: 'db' },
      });
      await running(stage, 'db-0');
      await until(client, resources.endpoints, { name: 'db', namespace }, ({ subsets }) =>
        JSON.stringify(subsets).includes('addresses'),
      );
    },
  },
  {
    name: 'endpoints: written by hand, mirrored, changed',
    play: async (stage) => {
      const { client, namespace } = stage;
      await make(stage, resources.services, { metadata: { name: 'outside' }, spec: { ports: [{ port: 80 }] } });
      await make(stage, resources.endpoints, {
        metadata: { name: 'outside', labels: { hand: 'made' }, annotations: { note: 'x' } },
        subsets: [
          {
            addresses: [{ ip: '192.0.2.1', hostname: 'a' }],
            notReadyAddresses: [{ ip: '192.0.2.2' }],
            ports: [{ port: 80, name: 'http' }],
          },
        ],
      });
      const slices = async (): Promise<string> =>
        JSON.stringify((await client.resource(resources.endpointslices).list({ namespace })).items);
      await eventually(async () => (await slices()).includes('192.0.2.2'), patient);
      await client
        .resource(resources.endpoints)
        .patch(
          { name: 'outside', namespace },
          { subsets: [{ addresses: [{ ip: '192.0.2.3' }], ports: [{ port: 81 }] }] },
        );
      await eventually(async () => (await slices()).includes('192.0.2.3'), patient);
    },
  },
  {
    name: 'quota: counts what there is, also after deletions',
    play: async (stage) => {
      const { client, namespace } = stage;
      for (const name of ['a', 'b']) await make(stage, resources.configmaps, { metadata: { name } });
      const requests = { cpu: '250m', memory: '64Mi' };
      const containers = [{ name: 'c', image: 'web:1', resources: { requests } }];
      await makePod(stage, 'counted', { spec: { containers } });
      await make(stage, resources.resourcequotas, {
        metadata: { name: 'all' },
        spec: { hard: { configmaps: '9', pods: '5', 'requests.cpu': '1', 'requests.memory': '1Gi', secrets: '0' } },
      });
      const at = { name: 'all', namespace };
      const used = (count: string) => (quota: { readonly status?: Readonly<Record<string, unknown>> }) =>
        (quota.status?.['used'] as Readonly<Record<string, string>> | undefined)?.['configmaps'] === count;
      await until(client, resources.resourcequotas, at, used('3'));
      await client.resource(resources.configmaps).delete({ name: 'a', namespace });
      await until(client, resources.resourcequotas, at, used('2'));
    },
  },
  {
    name: 'certificates: approved, denied, and of an unknown signer',
    play: async (stage) => {
      const usages = ['client auth'];
      const signerName = 'kubernetes.io/kube-apiserver-client';
      const good = await requestCertificate(stage, 'good', { signerName, usages });
      await judge(stage, good, 'Approved');
      const bad = await requestCertificate(stage, 'bad', { signerName, usages });
      await judge(stage, bad, 'Denied');
      const wrong = await requestCertificate(stage, 'wrong', { signerName, usages: ['server auth'] });
      await judge(stage, wrong, 'Approved');
      const other = await requestCertificate(stage, 'other', { signerName: 'example.com/any', usages });
      await judge(stage, other, 'Approved');
      const kubelet = await requestCertificate(stage, 'kubelet', {
        signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
        usages,
      });
      await judge(stage, kubelet, 'Approved');
      await until(stage.client, resources.certificatesigningrequests, { name: good }, ({ status }) =>
        Object.hasOwn(status ?? {}, 'certificate'),
      );
      await until(stage.client, resources.certificatesigningrequests, { name: wrong }, ({ status }) =>
        JSON.stringify(status).includes('Failed'),
      );
    },
  },
  {
    name: 'roles: aggregated by labels',
    play: async ({ client, namespace }) => {
      const rule = (resource: string): object => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
      const labels = { [`aggregate--${namespace}`]: 'yes' };
      const roles = client.resource(resources.clusterroles);
      await roles.create({
        metadata: { name: `all--${namespace}` },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
        rules: [],
      });
      for (const [i, resource] of ['pods', 'services', 'pods'].entries())
        await roles.create({ metadata: { name: `part${i}--${namespace}`, labels }, rules: [rule(resource)] } as never);
      await until(client, resources.clusterroles, { name: `all--${namespace}` }, ({ rules }) =>
        JSON.stringify(rules).includes('services'),
      );
    },
  },
  {
    name: 'volumes: bound by size and class, released, kept',
    play: async (stage) => {
      const { client, namespace } = stage;
      const name = `kept--${namespace}`;
      const storageClassName = `manual--${namespace}`;
      const more = { storageClassName, persistentVolumeReclaimPolicy: 'Retain' };
      await client.resource(resources.persistentvolumes).create(volume(name, more));
      await until(client, resources.persistentvolumes, { name }, ({ status }) => status?.phase === 'Available');
      await make(stage, resources.persistentvolumeclaims, {
        metadata: { name: 'first' },
        ...claim({ storageClassName }),
      });
      await bound(stage, 'first');
      await make(stage, resources.persistentvolumeclaims, {
        metadata: { name: 'late' },
        ...claim({ storageClassName }),
      });
      await client.resource(resources.persistentvolumeclaims).delete({ name: 'first', namespace });
      await until(client, resources.persistentvolumes, { name }, ({ status }) => status?.phase === 'Released');
    },
  },
  {
    name: 'volumes: named by their claims, and lost',
    play: async (stage) => {
      const { client, namespace } = stage;
      const name = `named--${namespace}`;
      const storageClassName = '';
      await make(stage, resources.persistentvolumeclaims, {
        metadata: { name: 'data' },
        ...claim({ storageClassName, volumeName: name }),
      });
      await client
        .resource(resources.persistentvolumes)
        .create(volume(name, { persistentVolumeReclaimPolicy: 'Retain' }));
      await bound(stage, 'data');
      await client.resource(resources.persistentvolumes).delete({ name });
      await client.resource(resources.persistentvolumes).patch({ name }, { metadata: { finalizers: null } });
      await until(
        client,
        resources.persistentvolumeclaims,
        { name: 'data', namespace },
        ({ status }) => status?.phase === 'Lost',
      );
    },
  },
  {
    name: 'volumes: claims that wait, for a consumer, a class and a provisioner',
    play: async (stage) => {
      const { client, namespace } = stage;
      const classes = client.resource(resources.storageclasses);
      await classes.create({
        metadata: { name: `lazy--${namespace}` },
        provisioner: 'volumes.simulation.kubechain.dev',
        volumeBindingMode: 'WaitForFirstConsumer',
      });
      await classes.create({ metadata: { name: `nobody--${namespace}` }, provisioner: 'example.com/nobody' });
      for (const name of ['lazy', 'nobody', 'missing'])
        await make(stage, resources.persistentvolumeclaims, {
          metadata: { name },
          ...claim({ storageClassName: `${name}--${namespace}` }),
        });
      const reasons = async (): Promise<number> =>
        new Set((await client.resource(resources.events).list({ namespace })).items.map(({ reason }) => reason)).size;
      await eventually(async () => (await reasons()) >= 3, patient);
      await makePod(stage, 'consumer', {
        spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'lazy' } }] },
      });
      await bound(stage, 'lazy');
    },
  },
  {
    name: 'volumes: a claim that a pod uses stays',
    play: async (stage) => {
      const { client, namespace } = stage;
      await make(stage, resources.persistentvolumeclaims, { metadata: { name: 'used' }, ...claim() });
      await makePod(stage, 'user', {
        spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'used' } }] },
      });
      await bound(stage, 'used');
      await running(stage, 'user');
      await client.resource(resources.persistentvolumeclaims).delete({ name: 'used', namespace });
    },
  },
  {
    name: 'volumes: a claim of a pod of its own',
    play: async (stage) => {
      const volumeClaimTemplate = { metadata: { labels: { of: 'pod' } }, ...claim() };
      await makePod(stage, 'owner', { spec: { volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate } }] } });
      await bound(stage, 'owner-scratch');
    },
  },
  {
    name: 'budget: evictions until it says no',
    play: async (stage) => {
      const { client, namespace } = stage;
      const labels = { app: 'web' };
      for (const name of ['one', 'two']) {
        await makePod(stage, name, { metadata: { labels } });
        await running(stage, name);
      }
      await make(stage, resources.poddisruptionbudgets, {
        metadata: { name: 'web' },
        spec: { minAvailable: 1, selector: { matchLabels: labels } },
      });
      await until(
        client,
        resources.poddisruptionbudgets,
        { name: 'web', namespace },
        ({ status }) => status?.disruptionsAllowed === 1,
      );
      const evict = (name: string): Promise<unknown> =>
        client.json({
          method: 'POST',
          path: `/api/v1/namespaces/${namespace}/pods/${name}/eviction`,
          body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } },
        });
      await evict('one');
      await gone(client, resources.pods, { name: 'one', namespace });
      await evict('two').catch(() => undefined);
    },
  },
  {
    name: 'admission policy: expressions that do not fit',
    play: async ({ client, namespace }) => {
      const name = `policy--${namespace}`;
      await client.resource(resources.validatingadmissionpolicies).create({
        metadata: { name },
        spec: {
          matchConstraints: {
            resourceRules: [
              { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] },
            ],
          },
          validations: [{ expression: 'object.spec.replicas > "x"' }, { expression: 'object.spec.nothing == 1' }],
        },
      } as never);
      await until(client, resources.validatingadmissionpolicies, { name }, ({ status }) =>
        Object.hasOwn(status ?? {}, 'observedGeneration'),
      );
    },
  },
  {
    name: 'service range: ready, and kept by an address of a Service',
    play: async (stage) => {
      const { client, namespace } = stage;
      const at = { name: `range--${namespace}` };
      await client
        .resource(resources.servicecidrs)
        .create({ metadata: at, spec: { cidrs: ['10.211.0.0/28'] } } as never);
      await until(client, resources.servicecidrs, at, isReady('True'));
      await make(stage, resources.services, {
        metadata: { name: 'web' },
        spec: { clusterIP: '10.211.0.5', ports: [{ port: 80 }] },
      });
      await client.resource(resources.servicecidrs).delete(at);
      await until(client, resources.servicecidrs, at, isReady('False'));
    },
  },
  {
    name: 'service range: goes when nobody needs it',
    play: async ({ client, namespace }) => {
      const at = { name: `range--${namespace}` };
      await client
        .resource(resources.servicecidrs)
        .create({ metadata: at, spec: { cidrs: ['10.212.0.0/28'] } } as never);
      await until(client, resources.servicecidrs, at, isReady('True'));
      await client.resource(resources.servicecidrs).delete(at);
      await gone(client, resources.servicecidrs, at);
    },
  },
  {
    name: 'class of attributes: kept as long as a claim has it',
    play: async (stage) => {
      const { client, namespace } = stage;
      const at = { name: `gold--${namespace}` };
      const classes = client.resource(resources.volumeattributesclasses);
      for (const metadata of [at, { name: `used--${namespace}` }])
        await classes.create({ metadata, driverName: 'example.com/disks', parameters: { speed: 'high' } } as never);
      const isProtected = (object: KubeObject): boolean => (object.metadata?.finalizers ?? []).length > 0;
      await until(client, resources.volumeattributesclasses, at, isProtected);
      await until(client, resources.volumeattributesclasses, { name: `used--${namespace}` }, isProtected);
      for (const name of ['gold', 'used'])
        await make(stage, resources.persistentvolumeclaims, {
          metadata: { name },
          ...claim({ storageClassName: '', volumeAttributesClassName: `${name}--${namespace}` }),
        });
      for (const name of ['gold', 'used']) await classes.delete({ name: `${name}--${namespace}` });
      // Events about the claim that goes come before it does, or never.
      await eventually(async () => {
        const { items } = await client.resource(resources.events).list({ namespace });
        return items.some(({ involvedObject, reason }) => involvedObject.name === 'gold' && reason === 'FailedBinding');
      }, patient);
      await client.resource(resources.persistentvolumeclaims).delete({ name: 'gold', namespace });
      await gone(client, resources.volumeattributesclasses, at);
    },
  },
  {
    name: 'volumes: claims that ask for more',
    play: async (stage) => {
      const { client, namespace } = stage;
      const sources = {
        ebs: { awsElasticBlockStore: { volumeID: 'vol-1' } },
        csi: { csi: { driver: 'disks.example.com', volumeHandle: 'one' } },
      };
      const storageClassName = `grow--${namespace}`;
      await client.resource(resources.storageclasses).create({
        metadata: { name: storageClassName },
        provisioner: 'example.com/nobody',
        allowVolumeExpansion: true,
      });
      for (const [name, source] of Object.entries(sources)) {
        await client.resource(resources.persistentvolumes).create({
          metadata: { name: `${name}--${namespace}` },
          spec: {
            ...source,
            accessModes: ['ReadWriteOnce'],
            capacity: { storage: '1Gi' },
            storageClassName,
            persistentVolumeReclaimPolicy: 'Retain',
          },
        } as never);
        await make(stage, resources.persistentvolumeclaims, {
          metadata: { name },
          ...claim({ storageClassName, volumeName: `${name}--${namespace}` }),
        });
        await bound(stage, name);
        await client
          .resource(resources.persistentvolumeclaims)
          .patch({ name, namespace }, { spec: { resources: { requests: { storage: '2Gi' } } } });
      }
    },
  },
];
