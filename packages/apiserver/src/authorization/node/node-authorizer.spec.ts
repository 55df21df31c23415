import { expect } from 'chai';
import type { KubeObject } from '@kubechain/apimachinery';
import type { AuthorizationAttributes, AuthorizationResult } from '../authorizer.ts';
import { nodeRules } from '../rbac/bootstrap/node-rules.ts';
import { NodeAuthorizer } from './node-authorizer.ts';
import { NodeGraph } from './node-graph.ts';
import { podReferences } from './pod-references.ts';
import { volumeReferences } from './volume-references.ts';

const node = (name: string) => ({ name: `system:node:${name}`, groups: ['system:nodes', 'system:authenticated'] });

const pod: KubeObject = {
  metadata: { name: 'web', namespace: 'ns' },
  spec: {
    nodeName: 'n1',
    serviceAccountName: 'robot',
    imagePullSecrets: [{ name: 'pull' }],
    initContainers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'init-env' } } }] }],
    containers: [
      {
        envFrom: [{ secretRef: { name: 'env-from' } }, { configMapRef: { name: 'settings' } }],
        env: [{ value: 'x' }, { valueFrom: { configMapKeyRef: { name: 'key' } } }],
      },
    ],
    volumes: [
      { name: 'a', secret: { secretName: 'mounted' } },
      {
        name: 'b',
        projected: { sources: [{ secret: { name: 'projected' } }, { configMap: { name: 'projected-map' } }] },
      },
      { name: 'c', persistentVolumeClaim: { claimName: 'claim' } },
      { name: 'scratch', ephemeral: {} },
      { name: 'd', csi: { nodePublishSecretRef: { name: 'csi' } } },
    ],
    resourceClaims: [
      { name: 'gpu', resourceClaimName: 'direct' },
      { name: 'tpl', resourceClaimTemplateName: 't' },
    ],
  },
  status: { resourceClaimStatuses: [{ name: 'tpl', resourceClaimName: 'made' }] },
};
const volume: KubeObject = {
  metadata: { name: 'pv' },
  spec: {
    claimRef: { namespace: 'ns', name: 'claim' },
    csi: {
      nodeStageSecretRef: { namespace: 'store', name: 'stage' },
      controllerPublishSecretRef: { namespace: 'store', name: 'controller' },
    },
  },
};

describe('Node authorizer', () => {
  let graph: NodeGraph;
  let authorizer: NodeAuthorizer;
  beforeEach(() => {
    graph = new NodeGraph();
    graph.setPod('ns/web', podReferences(pod)!);
    graph.setVolume('pv', volumeReferences(volume)!);
    graph.setDirect('volumeattachment', 'va', 'n1');
    graph.setDirect('resourceslice', 'slice', 'n1');
    authorizer = new NodeAuthorizer(graph, nodeRules());
  });
  const asked = (changes: Partial<AuthorizationAttributes>): AuthorizationAttributes => ({
    user: node('n1'),
    verb: 'get',
    resourceRequest: true,
    path: '',
    namespace: '',
    apiGroup: '',
    apiVersion: 'v1',
    resource: '',
    subresource: '',
    name: '',
    ...changes,
  });
  function decide(changes: Partial<AuthorizationAttributes>): string {
    const { decision, reason } = authorizer.authorize(asked(changes)) as AuthorizationResult;
    return decision === 'Allow' ? 'Allow' : reason;
  }

  it('waits for what ties objects to nodes, and begins to follow it when a node asks', async () => {
    const told = Promise.withResolvers<void>();
    let known = false;
    let questions = 0;
    const waiting = new NodeAuthorizer(graph, nodeRules(), () => {
      questions++;
      return known ? undefined : told.promise;
    });
    void waiting.authorize(asked({ user: { ...node('n1'), groups: [] }, resource: 'secrets' }));
    void waiting.authorize(asked({ resourceRequest: false, path: '/healthz' }));
    const lease = { apiGroup: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-node-lease', name: 'n1' };
    void waiting.authorize(asked({ ...lease, verb: 'update' }));
    expect(questions).to.equal(0);
    const answer = waiting.authorize(asked({ resource: 'secrets', namespace: 'late', name: 'told' }));
    expect(answer).to.be.instanceOf(Promise);
    graph.setPod('late/pod', { ...podReferences(pod)!, secrets: ['late/told'] });
    known = true;
    told.resolve();
    expect((await answer).decision).to.equal('Allow');
    expect(waiting.authorize(asked({ resource: 'secrets', namespace: 'late', name: 'other' }))).not.to.be.instanceOf(
      Promise,
    );
  });
  const unrelated = "no relationship found between node 'n1' and this object";

  for (const [kind, names] of Object.entries({
    secrets: ['pull', 'init-env', 'env-from', 'mounted', 'projected', 'csi'],
    configmaps: ['settings', 'key', 'projected-map'],
    persistentvolumeclaims: ['claim', 'web-scratch'],
    serviceaccounts: ['robot'],
    pods: ['web'],
  })) {
    it(`lets the pod's node read its ${kind}`, () => {
      for (const name of names) {
        expect(decide({ resource: kind, namespace: 'ns', name }), name).to.equal('Allow');
        expect(decide({ resource: kind, namespace: 'other', name }), name).to.equal(unrelated);
        expect(decide({ user: node('n2'), resource: kind, namespace: 'ns', name }), name).to.equal(
          unrelated.replace('n1', 'n2'),
        );
      }
    });
  }
  it('follows claims to volumes and their secrets', () => {
    expect(decide({ resource: 'persistentvolumes', name: 'pv' })).to.equal('Allow');
    expect(decide({ resource: 'secrets', namespace: 'store', name: 'stage' })).to.equal('Allow');
    expect(decide({ resource: 'secrets', namespace: 'store', name: 'controller' })).to.equal(unrelated);
    graph.deletePod('ns/web');
    expect(decide({ resource: 'secrets', namespace: 'store', name: 'stage' })).to.equal(unrelated);
  });
  it('knows resource claims, by name and by template', () => {
    for (const name of ['direct', 'made'])
      expect(decide({ apiGroup: 'resource.k8s.io', resource: 'resourceclaims', namespace: 'ns', name })).to.equal(
        'Allow',
      );
  });
  it('keeps what another pod still needs', () => {
    graph.setPod(
      'ns/second',
      podReferences({
        metadata: { name: 'second', namespace: 'ns' },
        spec: { nodeName: 'n1', volumes: [{ name: 'a', secret: { secretName: 'mounted' } }] },
      })!,
    );
    graph.deletePod('ns/web');
    expect(decide({ resource: 'secrets', namespace: 'ns', name: 'mounted' })).to.equal('Allow');
    expect(decide({ resource: 'secrets', namespace: 'ns', name: 'pull' })).to.equal(unrelated);
  });
  it('gives mirror pods nothing', () => {
    const mirror = podReferences({
      ...pod,
      metadata: { ...pod.metadata, annotations: { 'kubernetes.io/config.mirror': '' } },
    })!;
    expect([...mirror.secrets, ...mirror.configMaps, ...mirror.serviceAccounts, ...mirror.claims]).to.deep.equal([]);
  });

  const rows: readonly [title: string, request: Partial<AuthorizationAttributes>, expected: string][] = [
    ['list secrets', { verb: 'list', resource: 'secrets', namespace: 'ns' }, 'No Object name found'],
    [
      'write secrets',
      { verb: 'update', resource: 'secrets', namespace: 'ns', name: 'pull' },
      'can only read resources of this type',
    ],
    ['watch one secret', { verb: 'watch', resource: 'secrets', namespace: 'ns', name: 'pull' }, 'Allow'],
    ['list volumes', { verb: 'list', resource: 'persistentvolumes' }, 'can only get individual resources of this type'],
    [
      'claim status',
      { verb: 'patch', resource: 'persistentvolumeclaims', subresource: 'status', namespace: 'ns', name: 'claim' },
      'Allow',
    ],
    [
      "token of its pod's account",
      { verb: 'create', resource: 'serviceaccounts', subresource: 'token', namespace: 'ns', name: 'robot' },
      'Allow',
    ],
    [
      'token of another account',
      { verb: 'create', resource: 'serviceaccounts', subresource: 'token', namespace: 'ns', name: 'x' },
      unrelated,
    ],
    ['own Node', { resource: 'nodes', name: 'n1' }, 'Allow'],
    ['own Node among all', { verb: 'list', resource: 'nodes', name: 'n1' }, 'Allow'],
    ['all Nodes', { verb: 'list', resource: 'nodes' }, "node 'n1' cannot read all nodes, only its own Node object"],
    ['another Node', { resource: 'nodes', name: 'n2' }, "node 'n1' cannot read 'n2', only its own Node object"],
    [
      'any Node status (admission looks at it)',
      { verb: 'patch', resource: 'nodes', subresource: 'status', name: 'n2' },
      'Allow',
    ],
    ['delete its Node', { verb: 'delete', resource: 'nodes', name: 'n1' }, ''],
    ['all pods', { verb: 'list', resource: 'pods' }, 'can only list/watch pods with spec.nodeName field selector'],
    ['its pods', { verb: 'list', resource: 'pods', fieldSelector: 'spec.nodeName=n1' }, 'Allow'],
    [
      'pods of another',
      { verb: 'watch', resource: 'pods', fieldSelector: 'spec.nodeName=n2' },
      'can only list/watch pods with spec.nodeName field selector',
    ],
    [
      'pods not of another',
      { verb: 'watch', resource: 'pods', fieldSelector: 'spec.nodeName!=n1' },
      'can only list/watch pods with spec.nodeName field selector',
    ],
    [
      'a selector that cannot be parsed',
      { verb: 'watch', resource: 'pods', fieldSelector: 'spec.nodeName' },
      'can only list/watch pods with spec.nodeName field selector',
    ],
    ['evict', { verb: 'create', resource: 'pods', subresource: 'eviction', namespace: 'ns', name: 'web' }, 'Allow'],
    ['exec', { verb: 'create', resource: 'pods', subresource: 'exec', namespace: 'ns', name: 'web' }, ''],
    [
      'its lease',
      { apiGroup: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-node-lease', name: 'n1' },
      'Allow',
    ],
    [
      'another lease',
      { apiGroup: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-node-lease', name: 'n2' },
      'can only access node lease with the same name as the requesting node',
    ],
    [
      'leases elsewhere',
      { apiGroup: 'coordination.k8s.io', resource: 'leases', namespace: 'default', name: 'n1' },
      'can only access leases in the "kube-node-lease" system namespace',
    ],
    [
      'list leases',
      { verb: 'list', apiGroup: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-node-lease' },
      'can only get, create, update, patch, or delete a node lease',
    ],
    [
      'another CSINode',
      { apiGroup: 'storage.k8s.io', resource: 'csinodes', name: 'n2' },
      'can only access CSINode with the same name as the requesting node',
    ],
    ['its attachment', { apiGroup: 'storage.k8s.io', resource: 'volumeattachments', name: 'va' }, 'Allow'],
    ['its slice', { verb: 'delete', apiGroup: 'resource.k8s.io', resource: 'resourceslices', name: 'slice' }, 'Allow'],
    [
      'all slices',
      { verb: 'list', apiGroup: 'resource.k8s.io', resource: 'resourceslices' },
      'can only list/watch/deletecollection resourceslices with nodeName field selector',
    ],
    ['services, by the static rules', { verb: 'list', resource: 'services' }, 'Allow'],
    ['deployments', { verb: 'list', apiGroup: 'apps', resource: 'deployments' }, ''],
    [
      'a node without name',
      { user: node(''), resource: 'services', verb: 'list' },
      'unknown node for user "system:node:"',
    ],
    [
      'somebody called so outside the group',
      { user: { name: 'system:node:n1', groups: [] }, verb: 'list', resource: 'services' },
      '',
    ],
  ];
  for (const [title, request, expected] of rows) it(title, () => expect(decide(request)).to.equal(expected));
});
