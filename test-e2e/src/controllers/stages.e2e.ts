import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { KubeObject } from '@kubechain/apimachinery';
import { resources, type ResourceType } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';

const patient = { withinMs: 60_000 };
const namespace = 'default';

/** Holds pods with a label back until they are told to go on; then they fail in a way of their own. */
const own = `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: held }
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector:
    matchLabels: { held: 'true' }
    matchExpressions:
    - { key: .status.phase, operator: In, values: [Running] }
    - { key: '.metadata.annotations.step', operator: In, values: [fail] }
  weight: 1000
  next:
    event: { type: Warning, reason: Held, message: as it was told }
    finalizers: { add: [{ value: example.com/held }] }
    statusTemplate: |
      phase: Failed
      reason: {{ printf "On%s" .spec.nodeName | Quote }}
      message: '{{ range .spec.containers }}{{ .name }};{{ end }}'
`;

/** Two stages of a custom resource, the second of which waits for the first; its kind is not there at the start. */
const ofBoats = `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: boat-launched }
spec:
  resourceRef: { apiGroup: sea.example.com/v1, kind: Boat }
  selector:
    matchExpressions: [{ key: .status.phase, operator: DoesNotExist }]
  next:
    finalizers: { add: [{ value: sea.example.com/anchor }] }
    event: { type: Normal, reason: Launched, message: away }
    statusTemplate: |
      phase: Afloat
      crew: {{ .spec.crew }}
      launched: {{ Now | Quote }}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: boat-sunk }
spec:
  resourceRef: { apiGroup: sea.example.com/v1, kind: Boat }
  selector:
    matchExpressions:
    - { key: .metadata.deletionTimestamp, operator: Exists }
  weight: 1000
  next:
    finalizers: { empty: true }
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: deployment-done }
spec:
  resourceRef: { apiGroup: apps/v1, kind: StatefulSet }
  selector:
    matchLabels: { played: 'true' }
  next:
    statusTemplate: |
      replicas: {{ .spec.replicas }}
      readyReplicas: {{ .spec.replicas }}
      observedGeneration: {{ .metadata.generation }}
`;

/** A stage that makes another object and changes it, and two that write as somebody else. */
const ofMaps = `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: map-copied }
spec:
  resourceRef: { apiGroup: v1, kind: ConfigMap }
  selector:
    matchLabels: { copied: 'true' }
  steps:
  - apply:
      template: |
        apiVersion: v1
        kind: Secret
        metadata:
          name: copy-of-{{ .metadata.name }}
        stringData:
          text: {{ .data.text | Quote }}
  - apply:
      type: merge
      template: |
        apiVersion: v1
        kind: Secret
        metadata:
          name: copy-of-{{ .metadata.name }}
          annotations: { merged: 'yes' }
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: map-painted }
spec:
  resourceRef: { apiGroup: v1, kind: ConfigMap }
  selector:
    matchLabels: { painter: known }
    matchExpressions: [{ key: .data.colour, operator: DoesNotExist }]
  steps:
  - patch:
      impersonation: { username: painter }
      template: 'data: { colour: red }'
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: map-not-painted }
spec:
  resourceRef: { apiGroup: v1, kind: ConfigMap }
  selector:
    matchLabels: { painter: stranger }
    matchExpressions: [{ key: .data.colour, operator: DoesNotExist }]
  steps:
  - patch:
      impersonation: { username: stranger }
      template: 'data: { colour: red }'
`;

describe('Stages of kwok', () => {
  let cluster: LiveCluster;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-stages-'));
    writeFileSync(join(folder, 'held.yaml'), own);
    writeFileSync(join(folder, 'boats.yaml'), ofBoats);
    writeFileSync(join(folder, 'maps.yaml'), ofMaps);
    cluster = await startLiveCluster({
      controllers: ['deployment', 'job', 'nodes', 'object-simulator', 'serviceaccount', 'garbagecollector'],
      controllerFlags: (defaults) => ({
        ...defaults,
        simulation: { ...defaults.simulation, nodes: 2, stages: ['pod-fast', 'node-fast', folder] },
      }),
    });
    await eventually(
      () => cluster.client.resource(resources.serviceaccounts).get({ namespace, name: 'default' }),
      patient,
    );
  });
  after(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true });
  });

  const pods = () => cluster.client.resource(resources.pods);
  const podWith = (name: string, check: (pod: Pod) => boolean): Promise<Pod> =>
    eventually(async () => {
      const pod = await pods().get({ namespace, name });
      return check(pod) ? pod : undefined;
    }, patient);

  it('make nodes ready', async () => {
    const node = await eventually(async () => {
      const found = await cluster.client.resource(resources.nodes).get({ name: 'node-1' });
      return (found.spec?.taints ?? []).length === 0 &&
        found.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')
        ? found
        : undefined;
    }, patient);
    expect(node.status).to.deep.include({ allocatable: { cpu: '1k', memory: '1Ti', pods: '1M' }, phase: 'Running' });
    expect(node.status?.nodeInfo?.kubeletVersion).to.match(/^kwok-/);
  });

  it('bring pods through their lives, by presets and manifests of their own', async () => {
    await pods().create({
      metadata: { namespace, name: 'one', labels: { held: 'true' } },
      spec: { containers: [{ name: 'c', image: 'web:1' }], initContainers: [{ name: 'i', image: 'web:1' }] },
    });
    const { status, spec } = await podWith('one', (pod) => pod.status?.phase === 'Running');
    expect(status?.containerStatuses?.[0]).to.deep.include({ name: 'c', image: 'web:1', ready: true });
    expect(status?.initContainerStatuses?.[0]?.state?.terminated?.exitCode).to.equal(0);
    expect(status?.conditions?.map(({ type, status: is }) => `${type}=${is}`)).to.include.members([
      'Initialized=True',
      'Ready=True',
      'ContainersReady=True',
      'PodScheduled=True',
    ]);
    expect(status?.podIP).to.match(/^10\.128\./);
    expect(status?.hostIP).to.match(/^172\.16\./);
    await pods().patch({ namespace, name: 'one' }, { metadata: { annotations: { step: 'fail' } } });
    const failed = await podWith('one', (pod) => pod.status?.phase === 'Failed');
    expect(failed.status).to.deep.include({ reason: `On${spec?.nodeName ?? ''}`, message: 'c;' });
    expect(failed.metadata?.finalizers).to.deep.equal(['example.com/held']);
    const events = await eventually(async () => {
      const { items } = await cluster.client
        .resource(resources.events)
        .list({ namespace, fieldSelector: 'involvedObject.name=one,reason=Held' });
      return items.length > 0 ? items : undefined;
    }, patient);
    expect(events[0]).to.deep.include({ type: 'Warning', message: 'as it was told' });
  });

  it('bring objects of any kind through their lives, also where their kind comes later', async () => {
    const { client } = cluster;
    await client.resource(resources.statefulsets).create({
      metadata: { namespace, name: 'played', labels: { played: 'true' } },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'played' } },
        template: {
          metadata: { labels: { app: 'played' } },
          spec: { containers: [{ name: 'c', image: 'web:1' }] },
        },
      },
    });
    await eventually(
      async () =>
        (await client.resource(resources.statefulsets).get({ namespace, name: 'played' })).status?.readyReplicas === 3,
      patient,
    );
    await client.json({
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'boats.sea.example.com' },
        spec: {
          group: 'sea.example.com',
          scope: 'Namespaced',
          names: { plural: 'boats', kind: 'Boat' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              subresources: { status: {} },
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          ],
        },
      },
    });
    const type: ResourceType = {
      group: 'sea.example.com',
      version: 'v1',
      resource: 'boats',
      kind: 'Boat',
      namespaced: true,
    };
    const boats = client.resource(type);
    await eventually(
      () => boats.create({ metadata: { namespace, name: 'ark' }, spec: { crew: 7 } } as KubeObject),
      patient,
    );
    const afloat = await eventually(async () => {
      const boat = (await boats.get({ namespace, name: 'ark' })) as KubeObject & { readonly status?: object };
      return boat.status === undefined ? undefined : boat;
    }, patient);
    expect(afloat.status).to.deep.include({ phase: 'Afloat', crew: 7 }).and.to.have.property('launched');
    expect(afloat.metadata?.finalizers).to.deep.equal(['sea.example.com/anchor']);
    await eventually(async () => {
      const { items } = await client
        .resource(resources.events)
        .list({ namespace, fieldSelector: 'involvedObject.name=ark,reason=Launched' });
      return items.length > 0;
    }, patient);
    await boats.delete({ namespace, name: 'ark' });
    await eventually(async () => (await boats.list({ namespace })).items.length === 0, patient);
  });

  const maps = () => cluster.client.resource(resources.configmaps);

  it('make objects, and change them where they are there', async () => {
    await maps().create({ metadata: { namespace, name: 'map', labels: { copied: 'true' } }, data: { text: 'one' } });
    const copyWith = (text: string) =>
      eventually(async () => {
        const copy = await cluster.client.resource(resources.secrets).get({ namespace, name: 'copy-of-map' });
        const isSo = Buffer.from(copy.data?.['text'] ?? '', 'base64').toString() === text;
        return isSo && copy.metadata?.annotations?.['merged'] === 'yes' ? copy : undefined;
      }, patient);
    const { metadata } = await copyWith('one');
    await maps().patch({ namespace, name: 'map' }, { data: { text: 'two' } });
    expect((await copyWith('two')).metadata?.uid).to.equal(metadata?.uid);
  });

  it('write as whom they name, with the rights of that user', async () => {
    const { client } = cluster;
    const apiGroup = 'rbac.authorization.k8s.io';
    await client.resource(resources.roles).create({
      metadata: { namespace, name: 'painter' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] }],
    });
    await client.resource(resources.rolebindings).create({
      metadata: { namespace, name: 'painter' },
      roleRef: { apiGroup, kind: 'Role', name: 'painter' },
      subjects: [{ apiGroup, kind: 'User', name: 'painter' }],
    });
    await maps().create({ metadata: { namespace, name: 'unknown', labels: { painter: 'stranger' } } });
    await maps().create({ metadata: { namespace, name: 'known', labels: { painter: 'known' } } });
    await eventually(async () => (await maps().get({ namespace, name: 'known' })).data?.['colour'] === 'red', patient);
    expect((await maps().get({ namespace, name: 'unknown' })).data).to.equal(undefined);
  });

  it('end the pods of jobs, and delete what is deleted', async () => {
    await cluster.client.resource(resources.jobs).create({
      metadata: { namespace, name: 'job' },
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'web:1' }] } } },
    } as never);
    await eventually(
      async () =>
        (await cluster.client.resource(resources.jobs).get({ namespace, name: 'job' })).status?.succeeded === 1,
      patient,
    );
    await pods().create({
      metadata: { namespace, name: 'two' },
      spec: { containers: [{ name: 'c', image: 'web:1' }] },
    });
    await podWith('two', (pod) => pod.status?.phase === 'Running');
    await pods().delete({ namespace, name: 'two' });
    await eventually(
      async () => !(await pods().list({ namespace })).items.some(({ metadata }) => metadata?.name === 'two'),
      patient,
    );
  });
});
