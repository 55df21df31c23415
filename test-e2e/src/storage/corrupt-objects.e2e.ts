import { expect } from 'chai';
import { join } from 'node:path';
import { createEtcdClient } from '@kubechain/shared-storage/etcd';
import type { EtcdClient } from '@kubechain/shared-storage/etcd';
import { startChain } from '../harness/chain.ts';
import type { Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

describe('objects in etcd that cannot be read', () => {
  let chain: Chain;
  let client: Client;
  let etcd: EtcdClient;
  const collection = '/api/v1/namespaces/default/secrets';
  before(async () => {
    chain = await startChain({ flags: ['--feature-gates=AllowUnsafeMalformedObjectDeletion=true'] });
    client = Client.fromKubeconfig(chain.kubeconfig);
    etcd = createEtcdClient({ endpoints: [`unix:${join(chain.dataDir, 'run/etcd.sock')}`] });
  });
  after(async () => {
    await etcd.close();
    client.close();
    await chain.stop();
  });

  it('are deleted among custom resources too, and not among namespaces', async () => {
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'notes.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'notes', singular: 'note', kind: 'Note' },
        versions: ['v1', 'v2'].map((name) => ({
          name,
          served: true,
          storage: name === 'v1',
          schema: { openAPIV3Schema: { type: 'object' } },
        })),
      },
    };
    expect((await client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd)).status).to.equal(201);
    const notes = '/apis/example.com/v2/namespaces/default/notes';
    await client.until(notes, ({ status }) => status === 200);
    await etcd.put({ key: '/registry/example.com/notes/default/broken', value: Buffer.from('{"kind":') });
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', ignoreStoreReadErrorWithClusterBreakingPotential: true };
    await client.until(`${notes}/broken`, ({ status }) => status === 500);
    expect((await client.delete(`${notes}/broken`, { body })).body).to.deep.include({
      status: 'Success',
      details: { name: 'broken', kind: 'Note' },
    });
    await client.until(`${notes}/broken`, ({ status }) => status === 404);
    expect((await client.delete('/api/v1/namespaces/default', { body })).body.message).to.equal(
      'Internal error occurred: no unsafe deleter provided, can not honor ' +
        'ignoreStoreReadErrorWithClusterBreakingPotential',
    );
  });

  it('are named by lists, deleted only by those who say so, and gone then', async () => {
    const key = '/registry/secrets/default/broken';
    expect((await client.post(collection, { metadata: { name: 'good' } })).status).to.equal(201);
    await client.until(`${collection}?resourceVersion=0`, ({ body }) => body.items.length === 1);
    await etcd.put({ key, value: Buffer.from('k8s:enc:aescbc:v1:lost:garbage') });

    const list = await client.until(`${collection}?limit=500`, ({ status }) => status === 500);
    expect(list.body).to.deep.include({
      reason: 'StorageReadError',
      message: 'failed to read one or more secrets from the storage',
    });
    expect(list.body.details).to.deep.include({ name: 'list', kind: 'secrets' });
    expect(list.body.details.causes).to.have.lengthOf(1);
    expect(list.body.details.causes[0]).to.include({ reason: 'UnexpectedServerResponse', field: key });

    // For half a minute the cache has what it had before: what it cannot know comes from the store.
    const names = ({ body }: typeof list): string[] =>
      (body.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
    expect(names(await client.get(`${collection}?resourceVersion=0`))).to.deep.equal(['good']);
    expect((await client.get(collection)).body.reason).to.equal('StorageReadError');
    await client.until(
      `${collection}?resourceVersion=0`,
      ({ status, text }) => status === 429 && text.includes('list'),
    );

    // The cache cannot be filled: what only it could answer has to come again later.
    for (const query of ['', '?watch=true&resourceVersion=1', '?limit=500&labelSelector=a%3Db']) {
      const refused = await client.get(collection + query);
      expect({ status: refused.status, reason: refused.body.reason }, query).to.deep.equal({
        status: 429,
        reason: 'TooManyRequests',
      });
      expect(refused.body.message).to.match(
        /^storage is \(re\)initializing: failed to list \*core\.Secret: unable to transform or decode 1 objects: /,
      );
      expect(Number(refused.headers['retry-after']))
        .to.be.within(1, 30)
        .and.equal(refused.body.details.retryAfterSeconds);
    }
    expect((await client.get(`${collection}/good`)).status).to.equal(200);

    const plain = await client.delete(`${collection}/broken`);
    expect(plain.status).to.equal(500);
    expect(plain.body.message).to.match(
      /^Internal error occurred: StorageError: corrupt object, Code: 7, Key: \/secrets\/default\/broken, ResourceVersion: 0, AdditionalErrorMsg: /,
    );

    const unsafe = await client.delete(`${collection}/broken`, {
      body: { kind: 'DeleteOptions', apiVersion: 'v1', ignoreStoreReadErrorWithClusterBreakingPotential: true },
    });
    expect(unsafe.body).to.deep.equal({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'broken', kind: 'Secret' },
      code: 200,
    });
    expect((await client.get(`${collection}/broken`)).status).to.equal(404);
    expect(names(await client.until(collection, ({ status }) => status === 200))).to.deep.equal(['good']);
  });

  it('are read as kube-apiserver does where today’s rules would refuse them', async () => {
    const put = (key: string, object: object): Promise<unknown> =>
      etcd.put({ key: `/registry/${key}`, value: Buffer.from(JSON.stringify(object)) });
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const workload = (name: string, selector: unknown): Promise<unknown> =>
      put(`statefulsets/default/${name}`, {
        kind: 'StatefulSet',
        apiVersion: 'apps/v1',
        metadata: { name, namespace: 'default', uid: 'u' },
        spec: { replicas: 2, selector, template },
      });
    await workload('null', null);
    await workload('absent', undefined);
    await workload('odd', { matchLabels: { a: '!' } });
    const sets = '/apis/apps/v1/namespaces/default/statefulsets';
    for (const name of ['null', 'absent']) {
      const { body, status } = await client.get(`${sets}/${name}/scale`);
      expect({ status, spec: body.spec, scaled: body.status }, name).to.deep.equal({
        status: 200,
        spec: { replicas: 2 },
        scaled: { replicas: 0 },
      });
    }
    expect((await client.get(`${sets}/odd/scale`)).status).to.equal(400);
    const scaled = await client.patch(`${sets}/null/scale`, 'merge-patch', { spec: { replicas: 3 } });
    expect(scaled.status).to.equal(422);

    await put('clusterrolebindings/none', {
      kind: 'ClusterRoleBinding',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name: 'none', labels: null },
      subjects: [null],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    });
    const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    expect((await client.get(`${bindings}/none`, { headers: { accept } })).status).to.equal(200);
    expect((await client.get(`${bindings}/none`)).body.subjects).to.deep.equal([{ kind: '', name: '' }]);

    await put('certificatesigningrequests/empty', {
      kind: 'CertificateSigningRequest',
      apiVersion: 'certificates.k8s.io/v1',
      metadata: { name: 'empty', uid: 'u' },
    });
    const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const changed = await client.patch(`${requests}/empty`, 'merge-patch', { metadata: { labels: { a: 'b' } } });
    expect(changed.status).to.equal(422);
  });

  it('have the defaults, and the members that are always written, that others left out', async () => {
    const put = (key: string, object: object): Promise<unknown> =>
      etcd.put({ key: `/registry/${key}`, value: Buffer.from(JSON.stringify(object)) });
    const metadata = { name: 'bare', namespace: 'default', uid: 'u' };
    const containers = [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }];
    await put('pods/default/bare', { kind: 'Pod', apiVersion: 'v1', metadata, spec: { containers } });
    await put('ingress/default/bare', { kind: 'Ingress', apiVersion: 'networking.k8s.io/v1', metadata, spec: {} });
    const pods = '/api/v1/namespaces/default/pods';
    const isThere = ({ body }: { readonly body: unknown }): boolean =>
      (body as { readonly items: readonly unknown[] }).items.length === 1;
    const cached = (await client.until(`${pods}?resourceVersion=0`, isThere)).body.items[0];
    const [container] = cached.spec.containers;
    expect(container).to.deep.equal({
      ...containers[0],
      ports: [{ containerPort: 80, protocol: 'TCP' }],
      resources: {},
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      imagePullPolicy: 'Always',
    });
    const { containers: _containers, ...spec } = cached.spec;
    expect(spec).to.deep.equal({
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
      enableServiceLinks: true,
    });
    expect((await client.get(`${pods}/bare`)).body.spec).to.deep.equal(cached.spec);
    const ingress = await client.get('/apis/networking.k8s.io/v1/namespaces/default/ingresses/bare');
    expect(ingress.body.status).to.deep.equal({ loadBalancer: {} });

    // An update that changes nothing writes what was missing, as in kube-apiserver.
    const before = cached.metadata.resourceVersion;
    const { body } = await client.patch(`${pods}/bare`, 'merge-patch', {});
    expect(Number(body.metadata.resourceVersion)).to.be.above(Number(before));
    const again = await client.patch(`${pods}/bare`, 'merge-patch', {});
    expect(again.body.metadata.resourceVersion).to.equal(body.metadata.resourceVersion);
  });
});
