import { freePort } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client, type Answer } from '../harness/client.ts';
import { startEmbeddedStore } from '../harness/embedded-store.ts';
import { startProgram, type Program } from '../harness/program.ts';
import { registerExtension } from '../harness/register-extension.ts';
import { WebSocketClient } from '../harness/web-socket.ts';

const main = join(import.meta.dirname, '../../sample-extension-server/main.ts');
const recipes = '/apis/kitchen.example.com/v1/namespaces/default/recipes';
const soup = {
  apiVersion: 'kitchen.example.com/v1',
  kind: 'Recipe',
  metadata: { name: 'soup' },
  spec: { ingredients: [{ name: 'water', grams: 100 }] },
};

describe('the sample extension server', () => {
  let folder: string;
  let store: Awaited<ReturnType<typeof startEmbeddedStore>>;
  let chain: Chain;
  let server: Program;
  let port: number;
  let admin: Client;
  let direct: Client;
  const alice = { kind: 'token', token: 'alicetoken' } as const;
  const start = (): Promise<Program> =>
    startProgram(
      process.execPath,
      [
        main,
        '--secure-port',
        String(port),
        '--bind-address',
        '127.0.0.1',
        '--kubeconfig',
        chain.kubeconfig,
        '--etcd-servers',
        store.url,
        '--cert-dir',
        join(folder, 'certs'),
      ],
      { ready: /serving on/ },
    );

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-extension-'));
    writeFileSync(join(folder, 'tokens.csv'), 'alicetoken,alice,alice-uid,"devs"\n');
    store = await startEmbeddedStore(join(folder, 'etcd.db'));
    chain = await startChain({ flags: ['--etcd-servers', store.url, '--token-auth-file', join(folder, 'tokens.csv')] });
    port = await freePort();
    admin = Client.fromKubeconfig(chain.kubeconfig);
    direct = new Client(`https://127.0.0.1:${port}`, alice);
    server = await start();
    await registerExtension(admin, { group: 'kitchen.example.com', versions: ['v1', 'v1beta1'], port });
  });
  after(async () => {
    admin?.close();
    direct?.close();
    expect(await server?.stop()).to.equal(0);
    await chain?.stop();
    await store?.stop();
    rmSync(folder, { recursive: true });
  });

  it('is discovered, in both forms, and described', async () => {
    const { body: list } = await admin.get('/apis/kitchen.example.com/v1');
    expect(list.resources.map((resource: { name: string }) => resource.name)).to.deep.equal([
      'recipes',
      'recipes/status',
    ]);
    const aggregated = await admin.until('/apis', ({ body }) => body !== undefined);
    expect(aggregated.body.groups.map((group: { name: string }) => group.name)).to.include('kitchen.example.com');
    await admin.until(
      '/openapi/v3',
      ({ body, text }) => (body?.paths ?? JSON.parse(text).paths)['apis/kitchen.example.com/v1'] !== undefined,
    );
    const { body: document } = await admin.get('/openapi/v3/apis/kitchen.example.com/v1');
    expect(
      document.components.schemas['com.example.kitchen.v1.Recipe'].properties.spec.properties.servings.description,
    ).to.equal('How many people it is for.');
  });

  it('creates, defaults, validates, applies, lists, watches and deletes through the aggregator', async () => {
    const created = await admin.post(recipes, { ...soup, status: { cooked: 9 } });
    expect(created.status, created.text).to.equal(201);
    expect([created.body.spec.servings, created.body.status, created.body.metadata.generation]).to.deep.equal([
      2,
      undefined,
      1,
    ]);
    const watch = await admin.watch(`${recipes}?watch=true&resourceVersion=${created.body.metadata.resourceVersion}`);

    const bad = await admin.patch(`${recipes}/soup`, 'merge-patch', { spec: { servings: 0 } });
    expect([bad.status, bad.body.message]).to.deep.equal([
      422,
      'Recipe.kitchen.example.com "soup" is invalid: spec.servings: Invalid value: 0: nobody would eat',
    ]);
    const applied = await admin.patch(`${recipes}/soup?fieldManager=spicer`, 'apply-patch', {
      ...soup,
      spec: { ingredients: [{ name: 'salt', grams: 1 }] },
    });
    expect(applied.body.spec.ingredients).to.deep.equal([
      { name: 'water', grams: 100 },
      { name: 'salt', grams: 1 },
    ]);
    const cooked = await admin.patch(`${recipes}/soup/status`, 'merge-patch', {
      spec: { servings: 7 },
      status: { cooked: 1 },
    });
    expect([cooked.body.spec.servings, cooked.body.status, cooked.body.metadata.generation]).to.deep.equal([
      2,
      { cooked: 1 },
      2,
    ]);

    expect((await admin.get(`${recipes}?fieldSelector=spec.servings%3D2`)).body.items).to.have.length(1);
    expect((await admin.get(`${recipes}?fieldSelector=spec.servings%3D3`)).body.items).to.have.length(0);
    const table = await admin.get(recipes, { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } });
    expect(table.body.rows[0].cells).to.deep.equal(['soup', 2]);

    expect((await admin.delete(`${recipes}/soup`)).status).to.equal(200);
    await watch.atLeast(3);
    expect(watch.events.map(({ type }) => type)).to.deep.equal(['MODIFIED', 'MODIFIED', 'DELETED']);
    watch.close();
  });

  describe('in another version', () => {
    const older = recipes.replace('/v1/', '/v1beta1/');
    const stew = {
      apiVersion: 'kitchen.example.com/v1beta1',
      kind: 'Recipe',
      metadata: { name: 'stew' },
      spec: { people: 4, ingredients: [{ name: 'beef', grams: 500 }] },
    };

    before(async () => {
      // Its server may just have been started again, and each version is found to be there for itself.
      await admin.until('/apis/kitchen.example.com/v1beta1', ({ status }) => status === 200);
    });

    it('is discovered after the preferred one, and described by its own schema', async () => {
      const { body: group } = await admin.get('/apis/kitchen.example.com');
      expect([
        group.preferredVersion.version,
        group.versions.map(({ version }: { version: string }) => version),
      ]).to.deep.equal(['v1', ['v1', 'v1beta1']]);
      const { body: list } = await admin.get('/apis/kitchen.example.com/v1beta1');
      expect(list.resources.map((resource: { name: string }) => resource.name)).to.deep.equal([
        'recipes',
        'recipes/status',
      ]);
      await admin.until(
        '/openapi/v3',
        ({ body, text }) => (body?.paths ?? JSON.parse(text).paths)['apis/kitchen.example.com/v1beta1'] !== undefined,
      );
      const { body: document } = await admin.get('/openapi/v3/apis/kitchen.example.com/v1beta1');
      expect(
        Object.keys(document.components.schemas['com.example.kitchen.v1beta1.Recipe'].properties.spec.properties),
      ).to.have.members(['people', 'ingredients']);
    });

    it('writes one object that all versions read, watch and list', async () => {
      const created = await admin.post(older, stew);
      expect([
        created.status,
        created.body.apiVersion,
        created.body.spec.people,
        created.headers['warning'],
      ]).to.deep.equal([
        201,
        'kitchen.example.com/v1beta1',
        4,
        '299 - "kitchen.example.com/v1beta1 Recipe is deprecated"',
      ]);
      const hub = await admin.get(`${recipes}/stew`);
      expect([hub.body.apiVersion, hub.body.spec, hub.body.metadata.uid]).to.deep.equal([
        'kitchen.example.com/v1',
        { servings: 4, ingredients: [{ name: 'beef', grams: 500 }] },
        created.body.metadata.uid,
      ]);
      const watches = await Promise.all(
        [recipes, older].map((path) =>
          admin.watch(`${path}?watch=true&resourceVersion=${created.body.metadata.resourceVersion}`),
        ),
      );
      expect((await admin.patch(`${recipes}/stew`, 'merge-patch', { spec: { servings: 6 } })).status).to.equal(200);
      for (const [i, watch] of watches.entries()) {
        await watch.atLeast(1);
        const { object } = watch.events[0] as { object: { apiVersion: string; spec: Record<string, unknown> } };
        expect([object.apiVersion, object.spec['servings'], object.spec['people']]).to.deep.equal(
          i === 0 ? ['kitchen.example.com/v1', 6, undefined] : ['kitchen.example.com/v1beta1', undefined, 6],
        );
        watch.close();
      }
      const { body: list } = await admin.get(`${older}?fieldSelector=spec.servings%3D6`);
      expect([
        list.apiVersion,
        list.items.map((item: typeof stew) => [item.apiVersion, item.spec.people]),
      ]).to.deep.equal(['kitchen.example.com/v1beta1', [['kitchen.example.com/v1beta1', 6]]]);
      const table = await admin.get(`${older}/stew`, {
        headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
      });
      expect([table.body.rows[0].cells, table.body.rows[0].object.metadata.name]).to.deep.equal([['stew', 6], 'stew']);
    });

    it('defaults, validates, drops unknown fields and applies in it', async () => {
      const { body: plain } = await admin.post(older, { ...stew, metadata: { name: 'plain' }, spec: { servings: 9 } });
      expect(plain.spec).to.deep.equal({ people: 2 });
      const bad = await admin.patch(`${older}/stew`, 'merge-patch', { spec: { people: 0 } });
      expect([bad.status, bad.body.message]).to.deep.equal([
        422,
        'Recipe.kitchen.example.com "stew" is invalid: spec.servings: Invalid value: 0: nobody would eat',
      ]);
      const mixed = await admin.post(older, {
        ...stew,
        apiVersion: 'kitchen.example.com/v1',
        metadata: { name: 'mixed' },
      });
      expect([mixed.status, mixed.body.message]).to.deep.equal([
        400,
        'the API version in the data (kitchen.example.com/v1) does not match the expected API version ' +
          '(kitchen.example.com/v1beta1)',
      ]);
      const applied = await admin.patch(`${older}/stew?fieldManager=chef&force=true`, 'apply-patch', {
        ...stew,
        spec: { people: 8, ingredients: [{ name: 'salt', grams: 1 }] },
      });
      expect([applied.status, applied.body.spec]).to.deep.equal([
        200,
        {
          people: 8,
          ingredients: [
            { name: 'beef', grams: 500 },
            { name: 'salt', grams: 1 },
          ],
        },
      ]);
      // Taken back in the other version: what this manager owned in v1beta1 is known in v1.
      const released = await admin.patch(`${recipes}/stew?fieldManager=chef&force=true`, 'apply-patch', {
        ...stew,
        apiVersion: 'kitchen.example.com/v1',
        spec: { servings: 8 },
      });
      expect(released.body.spec).to.deep.equal({ servings: 8, ingredients: [{ name: 'beef', grams: 500 }] });
      const cooked = await admin.patch(`${older}/stew/status`, 'merge-patch', {
        spec: { people: 1 },
        status: { cooked: 3 },
      });
      expect([cooked.body.spec.people, cooked.body.status.cooked]).to.deep.equal([8, 3]);
      for (const name of ['stew', 'plain']) expect((await admin.delete(`${older}/${name}`)).status).to.equal(200);
    });
  });

  it('watches over WebSocket through the aggregator', async () => {
    const socket = await admin.webSocket(`${recipes}?watch=true&timeoutSeconds=20`);
    if (!(socket instanceof WebSocketClient)) throw new TypeError(`${socket.status} ${socket.text}`);
    const created = await admin.post(recipes, { ...soup, metadata: { name: 'streamed' } });
    expect(created.status, created.text).to.equal(201);
    await socket.atLeast(1);
    expect([socket.events[0]?.type, socket.events[0]?.object.metadata.uid]).to.deep.equal([
      'ADDED',
      created.body.metadata.uid,
    ]);
    socket.destroy();
    expect((await admin.delete(`${recipes}/streamed`)).status).to.equal(200);
  });

  it('speaks no protobuf', async () => {
    const protobuf = 'application/vnd.kubernetes.protobuf';
    const refused = await admin.get(recipes, { headers: { accept: protobuf } });
    // The Status itself has such a form.
    expect([refused.status, refused.headers['content-type']]).to.deep.equal([406, protobuf]);
    expect(refused.text).to.include('only the following media types are accepted: application/json, application/yaml');
    const either = await admin.get(recipes, { headers: { accept: `${protobuf},application/json` } });
    expect([either.status, either.headers['content-type']]).to.deep.equal([200, 'application/json']);
    const watched = await admin.get(`${recipes}?watch=true&timeoutSeconds=1`, {
      headers: { accept: `${protobuf};stream=watch` },
    });
    expect(watched.status).to.equal(406);
    const sent = await admin.post(recipes, soup, { headers: { 'content-type': protobuf } });
    expect([sent.status, sent.body.reason]).to.deep.equal([400, 'BadRequest']);
  });

  it('refuses what its namespace does not allow', async () => {
    const { body } = await admin.post('/apis/kitchen.example.com/v1/namespaces/nowhere/recipes', soup);
    expect([body.code, body.message]).to.deep.equal([404, 'namespaces "nowhere" not found']);
  });

  describe('asks the main server', () => {
    const forbidden = (user: string): string =>
      `recipes.kitchen.example.com is forbidden: User "${user}" cannot list resource "recipes" in API group ` +
      '"kitchen.example.com" in the namespace "default"';

    it('who a token belongs to, and what its owner may do', async () => {
      const refused = await direct.get(recipes);
      expect([refused.status, refused.body.message]).to.deep.equal([403, forbidden('alice')]);
      const rbac = '/apis/rbac.authorization.k8s.io/v1';
      await admin.post(`${rbac}/clusterroles`, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'cook' },
        rules: [{ apiGroups: ['kitchen.example.com'], resources: ['recipes'], verbs: ['list'] }],
      });
      await admin.post(`${rbac}/clusterrolebindings`, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'cook' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cook' },
        subjects: [{ kind: 'Group', name: 'devs', apiGroup: 'rbac.authorization.k8s.io' }],
      });
      // The refusal is believed for ten seconds.
      await direct.until(recipes, ({ status }) => status === 200, 60_000);
      expect((await admin.get(recipes, { as: alice })).status).to.equal(200);
    }).timeout(120_000);

    it('and believes identity headers only from the front proxy', async () => {
      const headers = { 'X-Remote-User': 'root', 'X-Remote-Group': 'system:masters' };
      const forged = await direct.get(recipes, { as: { kind: 'anonymous' }, headers });
      expect([forged.status, forged.body.message]).to.deep.equal([403, forbidden('system:anonymous')]);
      expect((await direct.get(recipes, { as: { kind: 'token', token: 'unknown' } })).status).to.equal(401);
    });
  });

  it('slows nobody down when it is gone, and comes back with its objects', async () => {
    const created = await admin.post(recipes, soup);
    expect(created.status, created.text).to.equal(201);
    expect(await server.stop()).to.equal(0);
    const startedAt = performance.now();
    const answers: Answer[] = [];
    for (const path of ['/apis', '/api/v1/namespaces', '/apis/apps/v1', '/openapi/v2'])
      answers.push(await admin.get(path));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    expect(performance.now() - startedAt).to.be.lessThan(5_000);
    expect((await admin.get(recipes)).status).to.equal(503);
    await admin.until(
      '/apis/apiregistration.k8s.io/v1/apiservices/v1.kitchen.example.com',
      ({ body }) => body.status.conditions[0].status === 'False',
      90_000,
    );
    server = await start();
    const found = await admin.until(`${recipes}/soup`, ({ status }) => status === 200, 90_000);
    expect(found.body.metadata.uid).to.equal(created.body.metadata.uid);
  }).timeout(120_000);
});
