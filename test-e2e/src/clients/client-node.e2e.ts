import {
  ApiException,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
  Watch,
  type KubernetesObject,
  type V1ObjectMeta,
} from '@kubernetes/client-node';
import { expect } from 'chai';
import { startChain, type Chain } from '../harness/chain.ts';

const namespace = 'client-node';

/**
 * The official JavaScript client beyond its informers: objects of any kind, server-side apply, watch, custom objects,
 * errors.
 */
describe('@kubernetes/client-node', () => {
  let chain: Chain;
  let config: KubeConfig;
  let core: CoreV1Api;
  let objects: KubernetesObjectApi;

  before(async () => {
    chain = await startChain();
    config = new KubeConfig();
    config.loadFromFile(chain.kubeconfig);
    core = config.makeApiClient(CoreV1Api);
    objects = KubernetesObjectApi.makeApiClient(config);
    await core.createNamespace({ body: { metadata: { name: namespace } } });
  });
  after(() => chain?.stop());

  it('creates, reads, patches, lists and deletes', async () => {
    const made = await core.createNamespacedConfigMap({
      namespace,
      body: {
        metadata: { name: 'a', labels: { x: 'y' } },
        data: { k: 'v' },
        binaryData: { b: Buffer.from([0, 255]).toString('base64') },
      },
    });
    expect(made.metadata?.creationTimestamp).to.be.instanceOf(Date);
    await objects.patch(
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace }, data: { p: 'q' } } as KubernetesObject,
      undefined,
      undefined,
      undefined,
      undefined,
      PatchStrategy.MergePatch,
    );
    expect((await core.readNamespacedConfigMap({ namespace, name: 'a' })).data).to.deep.equal({ k: 'v', p: 'q' });
    const listed = await core.listNamespacedConfigMap({ namespace, labelSelector: 'x=y' });
    expect(listed.items.map((item) => item.metadata?.name)).to.deep.equal(['a']);
    expect((await core.deleteNamespacedConfigMap({ namespace, name: 'a' })).status).to.equal('Success');
  });

  it('applies on the server, and learns of conflicts', async () => {
    const deployment = (replicas: number) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace } as V1ObjectMeta,
      spec: {
        replicas,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
      },
    });
    const apply = (manager: string, replicas: number, force?: boolean) =>
      objects.patch(deployment(replicas), undefined, undefined, manager, force, PatchStrategy.ServerSideApply);
    const first = await apply('one', 2);
    expect((await apply('one', 2)).metadata.resourceVersion).to.equal(first.metadata.resourceVersion);
    const conflict = await apply('two', 3).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(conflict).to.be.instanceOf(ApiException);
    expect((conflict as ApiException<unknown>).code).to.equal(409);
    expect((await apply('two', 3, true)).spec.replicas).to.equal(3);
  });

  it('watches', async () => {
    const seen: string[] = [];
    const done = new Promise<void>((resolve, reject) => {
      const watching = new Watch(config).watch(
        `/api/v1/namespaces/${namespace}/secrets`,
        { allowWatchBookmarks: true },
        (type: string, object: KubernetesObject) => {
          if (type === 'BOOKMARK') return;
          seen.push(`${type} ${object.metadata?.name}`);
          if (type === 'DELETED')
            void watching.then((controller) => {
              controller.abort();
              resolve();
            });
        },
        (error: unknown) => {
          if (error instanceof Error && error.name !== 'AbortError') reject(error);
        },
      );
    });
    await core.createNamespacedSecret({ namespace, body: { metadata: { name: 's' }, stringData: { a: 'b' } } });
    await core.replaceNamespacedSecret({
      namespace,
      name: 's',
      body: { metadata: { name: 's' }, stringData: { a: 'c' } },
    });
    await core.deleteNamespacedSecret({ namespace, name: 's' });
    await done;
    expect(seen.slice(-3)).to.deep.equal(['ADDED s', 'MODIFIED s', 'DELETED s']);
  });

  it('serves custom objects', async () => {
    await objects.create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'nodes.js.example.com' },
      spec: {
        group: 'js.example.com',
        scope: 'Namespaced',
        names: { plural: 'nodes', kind: 'JSNode' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', properties: { v: { type: 'integer' } } } },
              },
            },
          },
        ],
      },
    } as KubernetesObject);
    const custom = config.makeApiClient(CustomObjectsApi);
    const at = { group: 'js.example.com', version: 'v1', namespace, plural: 'nodes' };
    await custom.createNamespacedCustomObject({
      ...at,
      body: {
        apiVersion: 'js.example.com/v1',
        kind: 'JSNode',
        metadata: { name: 'n' },
        spec: { v: 24, unknown: true },
      },
    });
    const { items } = (await custom.listNamespacedCustomObject(at)) as { items: { spec: object }[] };
    expect(items.map((item) => item.spec)).to.deep.equal([{ v: 24 }]);
  });

  it('tells errors apart', async () => {
    const codeOf = (call: Promise<unknown>): Promise<number> =>
      call.then(
        () => 200,
        (error: unknown) => (error as ApiException<unknown>).code,
      );
    expect(await codeOf(core.readNamespacedConfigMap({ namespace, name: 'none' }))).to.equal(404);
    expect(
      await codeOf(core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'Not Valid' } } })),
    ).to.equal(422);
    expect(await codeOf(core.createNamespace({ body: { metadata: { name: namespace } } }))).to.equal(409);
  });
});
