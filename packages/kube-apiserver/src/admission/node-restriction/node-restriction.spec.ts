import { StatusError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { Reinvocation, plainObjects } from '@kubechain/apiserver/resources';
import type { AdmissionAttributes } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import type { ObjectLookup } from '../object-lookup.ts';
import { NodeRestriction } from './node-restriction.ts';
import type { NodeRestrictionOptions } from './node-write.ts';

const lookup = (...objects: KubeObject[]): ObjectLookup => ({
  get: (name, namespace) =>
    Promise.resolve(
      objects.find(
        ({ metadata }) => metadata?.name === name && (namespace === undefined || metadata.namespace === namespace),
      ),
    ),
  list: () => Promise.resolve(objects),
});
const podOn = (nodeName: string, more: object = {}): KubeObject => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: `on-${nodeName}`, namespace: 'ns', uid: `uid-${nodeName}` },
  spec: { nodeName, ...more },
});
const volumes = [
  { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token', audience: 'vault' } }] } },
  { name: 'claim', persistentVolumeClaim: { claimName: 'data' } },
];
const lostPod: KubeObject = {
  ...podOn('mine', { volumes: [{ name: 'claim', persistentVolumeClaim: { claimName: 'lost' } }] }),
  metadata: { name: 'on-lost', namespace: 'ns', uid: 'uid-lost' },
};
let askedFor = '';
const options: NodeRestrictionOptions = {
  pods: lookup(podOn('mine', { volumes }), podOn('other'), lostPod),
  nodes: lookup({ metadata: { name: 'mine', uid: 'node-uid' } }),
  claims: lookup({ metadata: { name: 'data', namespace: 'ns' }, spec: { volumeName: 'pv' } }),
  volumes: lookup({ metadata: { name: 'pv' }, spec: { gcePersistentDisk: { pdName: 'd' } } }),
  drivers: lookup({ metadata: { name: 'pd.csi.storage.gke.io' }, spec: { tokenRequests: [{ audience: 'disk' }] } }),
  serviceAccounts: lookup(),
  certifiesPods: false,
  checksAudiences: true,
  authorizer: {
    authorize: ({ resource, verb }) => {
      askedFor = `${verb} ${resource}`;
      return { decision: resource === 'allowed' ? 'Allow' : 'NoOpinion', reason: '' };
    },
  },
};
const nodeRestriction = new NodeRestriction(options);

type Write = Partial<Omit<AdmissionAttributes, 'resource'>>;
async function outcome(
  resource: string,
  write: Write,
  user = { name: 'system:node:mine', groups: ['system:nodes'] },
  plugin = nodeRestriction,
): Promise<string> {
  const [plural = '', ...group] = resource.split('.');
  try {
    await plugin.admit({
      operation: 'CREATE',
      kind: { group: group.join('.'), version: 'v1', kind: 'Any' },
      resource: { group: group.join('.'), version: 'v1', resource: plural },
      subresource: '',
      namespace: 'ns',
      name: write.object?.metadata?.name ?? '',
      object: undefined,
      oldObject: undefined,
      options: undefined,
      dryRun: false,
      auditID: '',
      user,
      objects: plainObjects,
      reinvocation: new Reinvocation(),
      addWarning: () => undefined,
      addAuditAnnotation: () => undefined,
      signal: new AbortController().signal,
      ...write,
    });
    return 'allowed';
  } catch (error) {
    if (error instanceof StatusError)
      return `${error.status.code ?? 0} ${error.message.replace(/^.* is forbidden: /, '')}`;
    throw error;
  }
}

const owner = { apiVersion: 'v1', kind: 'Node', name: 'mine', uid: 'node-uid', controller: true };
const mirror = (metadata: object = {}, spec: object = {}): KubeObject => ({
  kind: 'Pod',
  metadata: { name: 'm', annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [owner], ...metadata },
  spec: { nodeName: 'mine', containers: [], ...spec },
});
const node = (labels: Readonly<Record<string, string>>, spec: object = {}, metadata: object = {}): KubeObject => ({
  kind: 'Node',
  metadata: { name: 'mine', labels, ...metadata },
  spec,
});
const update = (object: KubeObject, oldObject: KubeObject, subresource = ''): Write => ({
  operation: 'UPDATE',
  object,
  oldObject,
  subresource,
});
const token = (ref: object, audiences: readonly string[] = []): Write => ({
  subresource: 'token',
  name: 'default',
  object: { kind: 'TokenRequest', spec: { audiences, boundObjectRef: { apiVersion: 'v1', kind: 'Pod', ...ref } } },
});
const bound = { name: 'on-mine', uid: 'uid-mine' };
const claim = (status: object, labels: Readonly<Record<string, string>> = {}): KubeObject => ({
  metadata: { name: 'data', labels, resourceVersion: String(Math.random()) },
  spec: { volumeName: 'pv' },
  status,
});
const slice = (nodeName?: string): KubeObject => ({
  metadata: { name: 's' },
  spec: { driver: 'd', ...(nodeName === undefined ? {} : { nodeName }) },
});

/** PKCS #10 in base64 of PEM, for CN=system:node:other and CN=system:node:mine. */
const othersRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIdk1JR1ZBZ0VBTURNeEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmx' +
  'jekVhTUJnR0ExVUVBd3dSYzNsegpkR1Z0T201dlpHVTZiM1JvWlhJd1dUQVRCZ2NxaGtqT1BRSUJCZ2dxaGtqT1BRTUJCd05DQUFTVXIzYk' +
  'p0T2lzCjNtRkh0S2pvK0VWcXJ0SjlMcXdVNGtRNUYzTmo1cnJYSkhlaFJOMTIvNTJUaUZoSncwd0p4WUEzeS9ZaGpHQkkKTlFndUNhTmRSV' +
  'HNRb0FBd0NnWUlLb1pJemowRUF3SURTUUF3UmdJaEFMNTFOY3REV1NBNTg5bDZVaHp2VDM3TApkMTFlQWwzbDFRS2lSWGJ6cmFOS0FpRUFy' +
  'SmYzWU52U25nYmVGUUhoVTA3OGkzVVJiNDBvdCtRS01EZWtoOEVLCnh6Zz0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==';
const ownRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIc01JR1VBZ0VBTURJeEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmx' +
  'jekVaTUJjR0ExVUVBd3dRYzNsegpkR1Z0T201dlpHVTZiV2x1WlRCWk1CTUdCeXFHU000OUFnRUdDQ3FHU000OUF3RUhBMElBQkV4VmxhYn' +
  'RoR0djCmJjMmN2cldsbGw5UDRkdXZFL1hlSUlKU2gzVWl5Y3FCZU51QlBOdnVuV01jTUhqeHdQSkxDbTVZT2hCeEJobmQKSTNHTFFZb1QxU' +
  'HFnQURBS0JnZ3Foa2pPUFFRREFnTkhBREJFQWlCdnhtRkE5aUdTejIwYS9xck5OWnpuUFIwZQo4YzZaL0RYU2NHQjdqbm56OGdJZ0NYNHZo' +
  'eTFnQm5VbGJPL1VZcjJrS1JOakVqNjk5RjVRNUNiM2JzR2pNRVU9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

describe('NodeRestriction', () => {
  const rows: readonly (readonly [what: string, resource: string, write: Write, expected: string])[] = [
    [
      'lets a node create itself',
      'nodes',
      {
        object: node({
          'kubernetes.io/hostname': 'mine',
          'node.kubernetes.io/x': 'y',
          mine: 'too',
          'x.kubelet.kubernetes.io/a': 'b',
        }),
      },
      'allowed',
    ],
    [
      'keeps it from creating another',
      'nodes',
      { object: { metadata: { name: 'foo' } } },
      '403 node "mine" is not allowed to modify node "foo"',
    ],
    [
      'keeps it from deleting another',
      'nodes',
      { operation: 'DELETE', name: 'foo' },
      '403 node "mine" is not allowed to modify node "foo"',
    ],
    [
      'keeps labels that steer pods from it',
      'nodes',
      { object: node({ 'node-role.kubernetes.io/x': '', 'a.node-restriction.kubernetes.io/b': '', 'k8s.io/c': '' }) },
      '403 node "mine" is not allowed to set the following labels: a.node-restriction.kubernetes.io/b, ' +
        'k8s.io/c, node-role.kubernetes.io/x',
    ],
    [
      'keeps such labels as they are',
      'nodes',
      update(node({ a: 'b' }), node({ 'node-role.kubernetes.io/x': '' }), 'status'),
      '403 is not allowed to modify labels: node-role.kubernetes.io/x',
    ],
    [
      'allows a status',
      'nodes',
      update(node({ 'node-role.kubernetes.io/x': '' }), node({ 'node-role.kubernetes.io/x': '' }), 'status'),
      'allowed',
    ],
    [
      'keeps taints as they are',
      'nodes',
      update(node({}), node({}, { taints: [{ key: 'a', effect: 'NoSchedule' }] })),
      '403 node "mine" is not allowed to modify taints',
    ],
    [
      'keeps owners as they are',
      'nodes',
      update(node({}, {}, { ownerReferences: [owner] }), node({})),
      '403 node "mine" is not allowed to modify ownerReferences',
    ],
    [
      'lets nobody set a config source',
      'nodes',
      { object: node({}, { configSource: {} }) },
      '403 node "mine" is not allowed to create pods with a non-nil configSource',
    ],
    ['lets a node create mirror pods', 'pods', { object: mirror() }, 'allowed'],
    [
      'and no others',
      'pods',
      { object: mirror({ annotations: {} }) },
      '403 pod does not have "kubernetes.io/config.mirror" annotation, node "mine" can only create mirror pods',
    ],
    [
      'on itself',
      'pods',
      { object: mirror({}, { nodeName: 'other' }) },
      '403 node "mine" can only create pods with spec.nodeName set to itself',
    ],
    [
      'which it owns',
      'pods',
      { object: mirror({ ownerReferences: [] }) },
      '403 node "mine" can only create pods with an owner reference set to itself',
    ],
    [
      'alone',
      'pods',
      { object: mirror({ ownerReferences: [owner, owner] }) },
      '403 node "mine" can only create pods with a single owner reference set to itself',
    ],
    [
      'and controls',
      'pods',
      { object: mirror({ ownerReferences: [{ ...owner, controller: false }] }) },
      '403 node "mine" can only create pods with a controller owner reference set to itself',
    ],
    [
      'without holding itself',
      'pods',
      { object: mirror({ ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }) },
      '403 node "mine" must not set blockOwnerDeletion on an owner reference',
    ],
    [
      'as the node that it is',
      'pods',
      { object: mirror({ ownerReferences: [{ ...owner, uid: 'old' }] }) },
      '403 node mine UID mismatch: expected old got node-uid',
    ],
    [
      'without accounts',
      'pods',
      { object: mirror({}, { serviceAccountName: 'a' }) },
      '403 node "mine" can not create pods that reference serviceaccounts',
    ],
    [
      'without secrets',
      'pods',
      { object: mirror({}, { imagePullSecrets: [{ name: 's' }] }) },
      '403 node "mine" can not create pods that reference secrets',
    ],
    [
      'without config maps',
      'pods',
      { object: mirror({}, { containers: [{ name: 'c', envFrom: [{ configMapRef: { name: 'm' } }] }] }) },
      '403 node "mine" can not create pods that reference configmaps',
    ],
    [
      'without claims',
      'pods',
      {
        object: mirror(
          {},
          {
            volumes: [
              { name: 'h', hostPath: { path: '/' } },
              { name: 'v', persistentVolumeClaim: { claimName: 'c' } },
            ],
          },
        ),
      },
      '403 node "mine" can not create pods that reference persistentvolumeclaims',
    ],
    [
      'without tokens',
      'pods',
      {
        object: mirror(
          {},
          {
            volumes: [
              { name: 'v', projected: { sources: [{ downwardAPI: {} }, { serviceAccountToken: { path: 'p' } }] } },
            ],
          },
        ),
      },
      '403 node "mine" can not create pods that reference serviceaccounts (via projected volumes)',
    ],
    [
      'or volumes that nobody knows',
      'pods',
      { object: mirror({}, { volumes: [{ name: 'v' }] }) },
      '403 error checking mirror pod for API references: unknown volume type for volume  "v"',
    ],
    ['lets a node delete its pods', 'pods', { operation: 'DELETE', name: 'on-mine' }, 'allowed'],
    [
      'and not those of others',
      'pods',
      { operation: 'DELETE', name: 'on-other' },
      '403 node "mine" can only delete pods with spec.nodeName set to itself',
    ],
    ['says that there is no such pod', 'pods', { operation: 'DELETE', name: 'x' }, '404 pod "x" not found'],
    [
      'lets no node update pods',
      'pods',
      update(podOn('mine'), podOn('mine')),
      '403 unexpected operation "UPDATE", node "mine" can only create and delete mirror pods',
    ],
    [
      'lets a node tell how its pods are',
      'pods',
      update({ ...podOn('mine'), status: { phase: 'Running' } }, podOn('mine'), 'status'),
      'allowed',
    ],
    [
      'and not those of others, either',
      'pods',
      update(podOn('other'), podOn('other'), 'status'),
      '403 node "mine" can only update pod status for pods with spec.nodeName set to itself',
    ],
    [
      'without labels',
      'pods',
      update({ ...podOn('mine'), metadata: { labels: { a: 'b' } } }, podOn('mine'), 'status'),
      '403 node "mine" cannot update labels through pod status',
    ],
    [
      'without claims of devices',
      'pods',
      update({ ...podOn('mine'), status: { resourceClaimStatuses: [{ name: 'c' }] } }, podOn('mine'), 'status'),
      '403 node "mine" cannot update resource claim statues',
    ],
    [
      'lets a node evict its pods',
      'pods',
      { subresource: 'eviction', name: 'on-mine', object: { metadata: { name: 'on-mine' } } },
      'allowed',
    ],
    [
      'and not evict those of others',
      'pods',
      { subresource: 'eviction', object: { metadata: { name: 'on-other' } } },
      '403 node mine can only evict pods with spec.nodeName set to itself',
    ],
    [
      'lets no node bind pods',
      'pods',
      { subresource: 'binding' },
      "403 unexpected pod subresource \"binding\", only 'status' and 'eviction' are allowed",
    ],
    [
      'lets a node tell the size of claims',
      'persistentvolumeclaims',
      update(
        claim({ capacity: { storage: '2Gi' }, conditions: [] }),
        claim({ capacity: { storage: '1Gi' } }),
        'status',
      ),
      'allowed',
    ],
    [
      'and nothing else',
      'persistentvolumeclaims',
      update(claim({ phase: 'Lost' }, { a: 'b' }), claim({}), 'status'),
      '403 node "mine" is not allowed to update fields other than status.quantity and status.conditions: ' +
        'metadata, status',
    ],
    ['nor claims themselves', 'persistentvolumeclaims', update(claim({}), claim({})), '403 may only update PVC status'],
    [
      'gives no tokens without a pod',
      'serviceaccounts',
      token({ kind: 'Secret', name: 's', uid: 'u' }),
      '403 node requested token not bound to a pod',
    ],
    [
      'nor without its uid',
      'serviceaccounts',
      token({ name: 'on-mine' }),
      '403 node requested token with a pod binding without a uid',
    ],
    [
      'nor for an earlier pod',
      'serviceaccounts',
      token({ ...bound, uid: 'old' }),
      '403 the UID in the bound object reference (old) does not match the UID in record. The object might ' +
        'have been deleted and then recreated',
    ],
    [
      'nor for a pod elsewhere',
      'serviceaccounts',
      token({ name: 'on-other', uid: 'uid-other' }),
      '403 node requested token bound to a pod scheduled on a different node',
    ],
    ['gives tokens for audiences that the pod names', 'serviceaccounts', token(bound, ['vault']), 'allowed'],
    ['and that a driver of its volumes asks for', 'serviceaccounts', token(bound, ['disk']), 'allowed'],
    ['and that the node may ask for', 'serviceaccounts', token(bound, ['allowed']), 'allowed'],
    [
      'and no others',
      'serviceaccounts',
      token(bound, ['x']),
      '403 audience "x" not found in pod spec volume, system:node:mine is not authorized to request tokens ' +
        'for this audience',
    ],
    [
      'nor for a claim that is not there, in the words of a lister',
      'serviceaccounts',
      token({ name: 'on-lost', uid: 'uid-lost' }, ['x']),
      '403 error validating audience "x": persistentvolumeclaim "lost" not found',
    ],
    ['one at a time', 'serviceaccounts', token(bound, ['vault', 'disk']), '403 node may only request 0 or 1 audiences'],
    [
      'lets a node keep its lease',
      'leases.coordination.k8s.io',
      { namespace: 'kube-node-lease', object: { metadata: { name: 'mine' } } },
      'allowed',
    ],
    [
      'only there',
      'leases.coordination.k8s.io',
      { object: { metadata: { name: 'mine' } } },
      '403 can only access leases in the "kube-node-lease" system namespace',
    ],
    [
      'and only its own',
      'leases.coordination.k8s.io',
      { operation: 'DELETE', namespace: 'kube-node-lease', name: 'other' },
      '403 can only access node lease with the same name as the requesting node',
    ],
    [
      'lets a node keep its CSINode',
      'csinodes.storage.k8s.io',
      { operation: 'UPDATE', name: 'other' },
      '403 can only access CSINode with the same name as the requesting node',
    ],
    ['lets a node publish its devices', 'resourceslices.resource.k8s.io', { object: slice('mine') }, 'allowed'],
    [
      'and not those of the network',
      'resourceslices.resource.k8s.io',
      { object: slice() },
      '403 can only create ResourceSlice with the same NodeName as the requesting node',
    ],
    [
      'nor take those of others away',
      'resourceslices.resource.k8s.io',
      { operation: 'DELETE', oldObject: slice('other') },
      '403 can only delete ResourceSlice with the same NodeName as the requesting node',
    ],
    [
      'takes certificates of pods for off',
      'podcertificaterequests.certificates.k8s.io',
      {},
      '403 PodCertificateRequest feature gate is disabled',
    ],
    ['leaves all else alone', 'configmaps', {}, 'allowed'],
  ];
  for (const [what, resource, write, expected] of rows)
    it(what, async () => {
      expect(await outcome(resource, write)).to.equal(expected);
    });

  it('asks whether the node may request tokens for the audience', async () => {
    await outcome('serviceaccounts', token(bound, ['x']));
    expect(askedFor).to.equal('request-serviceaccounts-token-audience x');
  });

  it('gives tokens for any audience without ServiceAccountNodeAudienceRestriction', async () => {
    const lax = new NodeRestriction({ ...options, checksAudiences: false });
    for (const audiences of [['x'], ['x', 'y']])
      // oxlint-disable-next-line no-await-in-loop -- two of them
      expect(await outcome('serviceaccounts', token(bound, audiences), undefined, lax)).to.equal('allowed');
  });

  it('lets others do what they may, and refuses nodes without a name', async () => {
    const foreign: Write = { object: { metadata: { name: 'foo' } } };
    expect(await outcome('nodes', foreign, { name: 'admin', groups: ['system:masters'] })).to.equal('allowed');
    expect(await outcome('nodes', foreign, { name: 'system:node:', groups: ['system:nodes'] })).to.equal(
      '403 could not determine node from user "system:node:"',
    );
  });

  it('gives certificates in the name of the node only', async () => {
    const ask = (signerName: string, request: string): Promise<string> =>
      outcome('certificatesigningrequests.certificates.k8s.io', {
        object: { spec: { signerName, request, usages: [] } },
      });
    expect(await ask('kubernetes.io/kubelet-serving', othersRequest)).to.equal(
      '403 can only create a node CSR with CN=system:node:mine',
    );
    expect(await ask('example.com/signer', othersRequest)).to.equal('allowed');
    expect(await ask('kubernetes.io/kube-apiserver-client-kubelet', ownRequest)).to.equal('allowed');
    expect(await ask('kubernetes.io/kubelet-serving', 'eA==')).to.equal(
      '403 unable to parse csr: PEM block type must be CERTIFICATE REQUEST',
    );
  });
});
