import { builtinScheme, decodeProtobuf } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client, type Answer } from '../harness/client.ts';

const template = (app: string): object => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'c', image: 'nginx' }] },
});
const backend = { serviceName: 's', servicePort: 'http' };

const deployment = (apiVersion: string, name: string): object => ({
  apiVersion,
  kind: 'Deployment',
  metadata: { name },
  spec: { template: template(name) },
});

interface Row {
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  /** The group version that has the same objects today. */
  readonly today: string;
  readonly given: object;
  /** What today's version says of it, as far as it is told here. */
  readonly stored: object;
  /** What the removed version says of it. */
  readonly read: object;
}

/** Defaults and conversions of pkg/apis/GROUP/VERSION of 1.36, which has them still. */
const rows: readonly Row[] = [
  {
    version: 'extensions/v1beta1',
    plural: 'deployments',
    kind: 'Deployment',
    today: 'apps/v1',
    given: { spec: { template: template('a'), rollbackTo: { revision: 3 } } },
    stored: {
      metadata: { labels: { app: 'a' }, annotations: { 'deprecated.deployment.rollback.to': '3' } },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'a' } },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
        revisionHistoryLimit: 2_147_483_647,
        progressDeadlineSeconds: 2_147_483_647,
      },
    },
    read: { spec: { rollbackTo: { revision: 3 } } },
  },
  {
    version: 'extensions/v1beta1',
    plural: 'daemonsets',
    kind: 'DaemonSet',
    today: 'apps/v1',
    given: { spec: { template: template('b') } },
    stored: {
      metadata: { annotations: { 'deprecated.daemonset.template.generation': '1' } },
      spec: { selector: { matchLabels: { app: 'b' } }, updateStrategy: { type: 'OnDelete' }, revisionHistoryLimit: 10 },
    },
    read: { spec: { templateGeneration: 1 } },
  },
  {
    version: 'extensions/v1beta1',
    plural: 'replicasets',
    kind: 'ReplicaSet',
    today: 'apps/v1',
    given: { spec: { template: template('c') } },
    stored: { metadata: { labels: { app: 'c' } }, spec: { replicas: 1, selector: { matchLabels: { app: 'c' } } } },
    read: { spec: { replicas: 1 } },
  },
  {
    version: 'extensions/v1beta1',
    plural: 'ingresses',
    kind: 'Ingress',
    today: 'networking.k8s.io/v1',
    given: { spec: { backend: { serviceName: 's', servicePort: 80 }, rules: [{ http: { paths: [{ backend }] } }] } },
    stored: {
      spec: {
        defaultBackend: { service: { name: 's', port: { number: 80 } } },
        rules: [
          {
            http: {
              paths: [
                { pathType: 'ImplementationSpecific', backend: { service: { name: 's', port: { name: 'http' } } } },
              ],
            },
          },
        ],
      },
    },
    read: { spec: { backend: { serviceName: 's', servicePort: 80 } } },
  },
  {
    version: 'extensions/v1beta1',
    plural: 'networkpolicies',
    kind: 'NetworkPolicy',
    today: 'networking.k8s.io/v1',
    given: { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] } },
    stored: { spec: { policyTypes: ['Ingress'], ingress: [{ ports: [{ port: 80, protocol: 'TCP' }] }] } },
    read: { spec: { policyTypes: ['Ingress'] } },
  },
  {
    version: 'apps/v1beta1',
    plural: 'deployments',
    kind: 'Deployment',
    today: 'apps/v1',
    given: { spec: { template: template('d') } },
    stored: {
      spec: {
        selector: { matchLabels: { app: 'd' } },
        strategy: { rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 2,
        progressDeadlineSeconds: 600,
      },
    },
    read: { spec: { revisionHistoryLimit: 2 } },
  },
  {
    version: 'apps/v1beta1',
    plural: 'statefulsets',
    kind: 'StatefulSet',
    today: 'apps/v1',
    given: { spec: { serviceName: 's', template: template('e') } },
    stored: {
      spec: { selector: { matchLabels: { app: 'e' } }, updateStrategy: { type: 'OnDelete' }, revisionHistoryLimit: 10 },
    },
    read: { spec: { podManagementPolicy: 'OrderedReady' } },
  },
  {
    version: 'apps/v1beta2',
    plural: 'deployments',
    kind: 'Deployment',
    today: 'apps/v1',
    given: { spec: { selector: { matchLabels: { app: 'f' } }, template: template('f') } },
    stored: { spec: { revisionHistoryLimit: 10, strategy: { rollingUpdate: { maxSurge: '25%' } } } },
    read: { spec: { revisionHistoryLimit: 10 } },
  },
  {
    version: 'policy/v1beta1',
    plural: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    today: 'policy/v1',
    given: { spec: { minAvailable: 1, selector: {} } },
    stored: {
      spec: {
        selector: {
          matchExpressions: [{ key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', operator: 'Exists' }],
        },
      },
    },
    read: { spec: { selector: {} } },
  },
  {
    version: 'batch/v1beta1',
    plural: 'cronjobs',
    kind: 'CronJob',
    today: 'batch/v1',
    given: {
      spec: {
        schedule: '* * * * *',
        jobTemplate: {
          spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
        },
      },
    },
    stored: { spec: { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3 } },
    read: { spec: { failedJobsHistoryLimit: 1 } },
  },
  {
    version: 'networking.k8s.io/v1beta1',
    plural: 'ingresses',
    kind: 'Ingress',
    today: 'networking.k8s.io/v1',
    given: { spec: { backend: { resource: { apiGroup: 'g', kind: 'Bucket', name: 'b' } } } },
    stored: { spec: { defaultBackend: { resource: { apiGroup: 'g', kind: 'Bucket', name: 'b' } } } },
    read: { spec: { backend: { servicePort: 0, resource: { apiGroup: 'g', kind: 'Bucket', name: 'b' } } } },
  },
  {
    version: 'rbac.authorization.k8s.io/v1beta1',
    plural: 'rolebindings',
    kind: 'RoleBinding',
    today: 'rbac.authorization.k8s.io/v1',
    given: { roleRef: { kind: 'ClusterRole', name: 'view' }, subjects: [{ kind: 'User', name: 'x' }] },
    stored: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'User', name: 'x', apiGroup: 'rbac.authorization.k8s.io' }],
    },
    read: { roleRef: { name: 'view' } },
  },
];

const path = (version: string, plural: string): string => `/apis/${version}/namespaces/default/${plural}`;

/** `whole` as far as `part` speaks of it. */
function like(whole: unknown, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((item, i) => like((whole as unknown[] | undefined)?.[i], item));
  if (typeof part !== 'object' || part === null) return whole;
  const of = (whole ?? {}) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, like(of[key], value)]));
}

describe('--legacy-apis', () => {
  let chain: Chain;
  let client: Client;
  before(async () => {
    chain = await startChain({
      flags: [
        '--legacy-apis',
        '--enable-admission-plugins=PodPreset',
        '--disable-admission-plugins=ServiceAccount',
        '--topology=all-in-one',
      ],
    });
    client = Client.fromKubeconfig(chain.kubeconfig);
    await client.until('/apis/extensions/v1beta1', ({ status }) => status === 200);
  });
  after(() => chain.stop());

  rows.forEach((row, i) => {
    const { given, kind, plural, read, stored, today, version } = row;
    const name = `o${i}`;
    describe(`${version} ${plural}`, () => {
      it('are created with the defaults that the version had', async () => {
        const body = { apiVersion: version, kind, metadata: { name }, ...given };
        const created = await client.post(path(version, plural), body);
        expect(created.status, created.text).to.equal(201);
        expect(created.body).to.include({ apiVersion: version, kind });
        expect(created.headers['warning']).to.contain(`${version} ${kind} is deprecated in v1.`);
        const { body: now } = await client.get(`${path(today, plural)}/${name}`);
        expect(now).to.include({ apiVersion: today, kind });
        expect(like(now, stored)).to.deep.equal(stored);
      });

      it('are read in both versions', async () => {
        const { body: old } = await client.get(`${path(version, plural)}/${name}`);
        expect(like(old, read)).to.deep.equal(read);
        const { body: list } = await client.get(`${path(version, plural)}?fieldSelector=metadata.name%3D${name}`);
        expect(list).to.include({ apiVersion: version, kind: `${kind}List` });
        expect(like(list.items[0], read)).to.deep.equal(read);
      });

      it('survive an update by what was read', async () => {
        const at = `${path(version, plural)}/${name}`;
        const { body: old } = await client.get(at);
        const { body: before } = await client.get(`${path(today, plural)}/${name}`);
        const put = await client.put(at, { ...old, metadata: { ...old.metadata, labels: { put: 'yes' } } });
        expect(put.status, put.text).to.equal(200);
        const { body: now } = await client.get(`${path(today, plural)}/${name}`);
        expect(now.spec ?? now.roleRef).to.deep.equal(before.spec ?? before.roleRef);
        expect(now.metadata.labels).to.deep.equal({ put: 'yes' });
      });

      it('are the same in protobuf', async () => {
        const at = `${path(version, plural)}/${name}`;
        const { body: json } = await client.get(at);
        const { bytes } = await client.get(at, { headers: { accept: 'application/vnd.kubernetes.protobuf' } });
        const { object } = decodeProtobuf(bytes, undefined, { scheme: builtinScheme() });
        expect(like(object, { spec: json.spec, roleRef: json.roleRef })).to.deep.equal({
          spec: json.spec,
          roleRef: json.roleRef,
        });
      });
    });
  });

  it('lists the versions in discovery, today’s first', async () => {
    const { body } = await client.get('/apis');
    const versions = (name: string): unknown =>
      body.groups
        .find((group: { name: string }) => group.name === name)
        ?.versions.map(({ version }: { version: string }) => version);
    expect(versions('apps')).to.deep.equal(['v1', 'v1beta2', 'v1beta1']);
    expect(versions('extensions')).to.deep.equal(['v1beta1']);
    expect(versions('settings.k8s.io')).to.deep.equal(['v1alpha1']);
    const { body: resources } = await client.get('/apis/extensions/v1beta1');
    expect(resources.resources.map(({ name }: { name: string }) => name)).to.deep.equal([
      'daemonsets',
      'daemonsets/status',
      'deployments',
      'deployments/rollback',
      'deployments/scale',
      'deployments/status',
      'ingresses',
      'ingresses/status',
      'networkpolicies',
      'replicasets',
      'replicasets/scale',
      'replicasets/status',
    ]);
  });

  it('shows watches what is written in the version of today, in the old form', async () => {
    const watch = await client.watch(`${path('networking.k8s.io/v1beta1', 'ingresses')}?watch=1&resourceVersion=0`);
    const spec = { defaultBackend: { service: { name: 'w', port: { number: 1 } } } };
    await client.post(path('networking.k8s.io/v1', 'ingresses'), { metadata: { name: 'watched' }, spec });
    const seen = (): Answer['body'] => watch.events.find(({ object }) => object.metadata.name === 'watched')?.object;
    for (let count = 1; seen() === undefined; count++) await watch.atLeast(count);
    watch.close();
    expect(seen().apiVersion).to.equal('networking.k8s.io/v1beta1');
    expect(seen().spec).to.deep.equal({ backend: { serviceName: 'w', servicePort: 1 } });
  });

  it('scales by a Scale of the old group', async () => {
    await client.post(path('extensions/v1beta1', 'deployments'), deployment('extensions/v1beta1', 'scaled'));
    const at = `${path('extensions/v1beta1', 'deployments')}/scaled/scale`;
    const { body: scale } = await client.get(at);
    expect(scale).to.deep.include({ apiVersion: 'extensions/v1beta1', kind: 'Scale', spec: { replicas: 1 } });
    expect(scale.status).to.deep.equal({ replicas: 0, selector: { app: 'scaled' }, targetSelector: 'app=scaled' });
    const put = await client.put(at, { ...scale, spec: { replicas: 4 } });
    expect(put.status, put.text).to.equal(200);
    const { body: now } = await client.get(`${path('apps/v1', 'deployments')}/scaled`);
    expect(now.spec.replicas).to.equal(4);
  });

  it('asks for an old revision', async () => {
    await client.post(path('apps/v1beta1', 'deployments'), deployment('apps/v1beta1', 'rolled'));
    const at = `${path('apps/v1beta1', 'deployments')}/rolled/rollback`;
    const body = {
      apiVersion: 'apps/v1beta1',
      kind: 'DeploymentRollback',
      name: 'rolled',
      rollbackTo: { revision: 2 },
    };
    const answer = await client.post(at, { ...body, updatedAnnotations: { why: 'test' } });
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.body.message).to.equal('rollback request for deployment "rolled" succeeded');
    const { body: now } = await client.get(`${path('apps/v1', 'deployments')}/rolled`);
    expect(now.metadata.annotations).to.include({ 'deprecated.deployment.rollback.to': '2', why: 'test' });
    const other = await client.post(at, { ...body, name: 'x' });
    expect([other.status, other.body.message]).to.deep.equal([
      400,
      'name in URL does not match name in DeploymentRollback object',
    ]);
  });

  it('knows the fields of the old version only', async () => {
    const answer = await client.post(`${path('extensions/v1beta1', 'ingresses')}?fieldValidation=Strict`, {
      apiVersion: 'extensions/v1beta1',
      kind: 'Ingress',
      metadata: { name: 'strict' },
      spec: { defaultBackend: { service: { name: 's', port: { number: 1 } } } },
    });
    expect(answer.status).to.equal(400);
    expect(answer.body.message).to.contain('unknown field "spec.defaultBackend"');
  });

  it('keeps owners of fields over both versions', async () => {
    const apply = (version: string, spec: object, manager: string): ReturnType<Client['patch']> =>
      client.patch(`${path(version, 'ingresses')}/applied?fieldManager=${manager}`, 'apply-patch', {
        apiVersion: version,
        kind: 'Ingress',
        metadata: { name: 'applied' },
        spec,
      });
    const first = await apply('extensions/v1beta1', { backend: { serviceName: 's', servicePort: 1 } }, 'one');
    expect(first.status, first.text).to.equal(201);
    const second = await apply(
      'networking.k8s.io/v1',
      { defaultBackend: { service: { name: 't', port: { number: 1 } } } },
      'two',
    );
    expect(second.status).to.equal(409);
    expect(second.body.message).to.contain('conflict with "one"');
  });

  it('shows policies for the version of today what is written in an old one', async () => {
    const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] };
    await client.post('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', {
      metadata: { name: 'legacy' },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression: 'object.apiVersion != "apps/v1" || object.metadata.name != "refused"' }],
      },
    });
    await client.post('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings', {
      metadata: { name: 'legacy' },
      spec: { policyName: 'legacy', validationActions: ['Deny'] },
    });
    const body = deployment('extensions/v1beta1', 'refused');
    let answer = await client.post(`${path('extensions/v1beta1', 'deployments')}?dryRun=All`, body);
    for (let i = 0; i < 600 && answer.status === 201; i++)
      answer = await client.post(`${path('extensions/v1beta1', 'deployments')}?dryRun=All`, body);
    expect(answer.status).to.equal(422);
    expect(answer.body.message).to.contain("ValidatingAdmissionPolicy 'legacy' with binding 'legacy' denied request");
  });

  it('tells in metrics which removed versions were asked for', async () => {
    await client.get(path('extensions/v1beta1', 'deployments'));
    const { text } = await client.get('/metrics');
    expect(text).to.contain(
      'apiserver_requested_deprecated_apis{group="extensions",removed_release="1.16",resource="deployments",' +
        'subresource="",version="v1beta1"} 1',
    );
  });

  it('describes the versions in OpenAPI', async () => {
    const { body } = await client.get('/openapi/v3/apis/extensions/v1beta1');
    expect(Object.keys(body.paths)).to.include(
      '/apis/extensions/v1beta1/namespaces/{namespace}/deployments/{name}/rollback',
    );
    expect(body.components.schemas['io.k8s.api.extensions.v1beta1.DeploymentSpec'].properties).to.include.keys([
      'rollbackTo',
      'template',
    ]);
  });

  it('gives pods what their presets say', async () => {
    const preset = (name: string, spec: object): Promise<unknown> =>
      client.post(path('settings.k8s.io/v1alpha1', 'podpresets'), {
        apiVersion: 'settings.k8s.io/v1alpha1',
        kind: 'PodPreset',
        metadata: { name },
        spec: { selector: { matchLabels: { app: name } }, ...spec },
      });
    await preset('cache', {
      env: [{ name: 'A', value: 'b' }],
      volumes: [{ name: 'v' }],
      volumeMounts: [{ name: 'v', mountPath: '/v' }],
    });
    const create = async (app: string, env: object): Promise<Answer['body']> => {
      const { body } = await client.post('/api/v1/namespaces/default/pods?dryRun=All', {
        metadata: { name: 'p', labels: { app } },
        spec: { containers: [{ name: 'c', image: 'i', env }] },
      });
      return body;
    };
    await client.until(`${path('settings.k8s.io/v1alpha1', 'podpresets')}/cache`, ({ status }) => status === 200);
    let pod = await create('cache', []);
    for (let i = 0; i < 600 && pod.metadata.annotations === undefined; i++) pod = await create('cache', []);
    expect(pod.spec.containers[0].env).to.deep.equal([{ name: 'A', value: 'b' }]);
    expect(pod.spec.containers[0].volumeMounts).to.deep.equal([{ name: 'v', mountPath: '/v' }]);
    expect(pod.spec.volumes).to.deep.equal([{ name: 'v', emptyDir: {} }]);
    expect(Object.keys(pod.metadata.annotations)).to.deep.equal(['podpreset.admission.kubernetes.io/podpreset-cache']);
    const other = await create('cache', [{ name: 'A', value: 'mine' }]);
    expect(other.metadata.annotations).to.equal(undefined);
    expect(other.spec.containers[0].env).to.deep.equal([{ name: 'A', value: 'mine' }]);
  });

  it('refuses presets that say nothing', async () => {
    const answer = await client.post(path('settings.k8s.io/v1alpha1', 'podpresets'), {
      apiVersion: 'settings.k8s.io/v1alpha1',
      kind: 'PodPreset',
      metadata: { name: 'empty' },
    });
    expect([answer.status, answer.body.message]).to.deep.equal([
      422,
      'PodPreset.settings.k8s.io "empty" is invalid: spec.volumes.env.envFrom.volumeMounts: Required value: ' +
        'must specify at least one',
    ]);
  });
});
