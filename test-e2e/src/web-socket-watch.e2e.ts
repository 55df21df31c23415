import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from './harness/chain.ts';
import { Client, type Answer, type CallOptions } from './harness/client.ts';
import { opcodes, WebSocketClient } from './harness/web-socket.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gears.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gears', singular: 'gear', kind: 'Gear' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

describe('watches over WebSocket', () => {
  let chain: Chain;
  let admin: Client;
  let folder: string;
  const open: WebSocketClient[] = [];

  const watch = async (path: string, options?: CallOptions): Promise<WebSocketClient> => {
    const answer = await admin.webSocket(path, options);
    if (!(answer instanceof WebSocketClient)) throw new Error(`${answer.status} ${answer.text}`);
    open.push(answer);
    return answer;
  };
  const refused = async (path: string, options?: CallOptions): Promise<Answer> => {
    const answer = await admin.webSocket(path, options);
    if (!(answer instanceof WebSocketClient)) return answer;
    answer.destroy();
    throw new Error('the WebSocket was opened');
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-tokens-'));
    writeFileSync(join(folder, 'tokens.csv'), 'alicetoken,alice,alice-uid,"system:masters"\nbobtoken,bob,bob-uid\n');
    chain = await startChain({ flags: ['--token-auth-file', join(folder, 'tokens.csv')] });
    admin = Client.fromKubeconfig(chain.kubeconfig);
    await admin.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    await admin.until('/apis/example.com/v1/namespaces/default/gears', (answer) => answer.status === 200);
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
  });
  after(async () => {
    admin?.close();
    await chain?.stop();
    rmSync(folder, { recursive: true });
  });

  it('send one text message per event, as the stream would have it, through all hops', async () => {
    const rows = [
      [maps, { apiVersion: 'v1', kind: 'ConfigMap', data: { k: 'é'.repeat(50_000) } }],
      ['/apis/example.com/v1/namespaces/default/gears', { apiVersion: 'example.com/v1', kind: 'Gear', teeth: 3 }],
      [
        '/apis/apiregistration.k8s.io/v1/apiservices',
        {
          apiVersion: 'apiregistration.k8s.io/v1',
          kind: 'APIService',
          spec: {
            group: 'far.example.com',
            version: 'v1',
            groupPriorityMinimum: 1,
            versionPriority: 1,
            service: { name: 'x', namespace: 'y' },
          },
        },
      ],
    ] as const;
    for (const [path, object] of rows) {
      const list = await admin.get(path);
      const target =
        `${path}?watch=true&resourceVersion=${list.body.metadata.resourceVersion}&` +
        'fieldSelector=metadata.name=v1.far.example.com';
      const socket = await watch(target);
      const stream = await admin.watch(target);
      expect(socket.headers).to.have.keys('upgrade', 'connection', 'sec-websocket-accept');
      await admin.post(path, { ...object, metadata: { name: 'v1.far.example.com' } });
      await admin.delete(`${path}/v1.far.example.com`);
      await socket.atLeast(2);
      await stream.atLeast(2);
      expect(
        socket.events.slice(0, 2).map(({ type }) => type),
        path,
      ).to.deep.equal(stream.events.slice(0, 2).map(({ type }) => type));
      expect(socket.events[0], path).to.deep.equal(stream.events[0]);
      expect(socket.frames[0]?.payload.at(-1)).to.equal(0x0a);
      stream.close();
    }
  });

  it('send binary messages without a length of their own for protobuf', async () => {
    const socket = await watch(`${maps}?watch=true&fieldSelector=metadata.name=kube-root-ca.crt,metadata.name=none`, {
      headers: { accept: 'application/vnd.kubernetes.protobuf;stream=watch' },
    });
    socket.send(opcodes.ping, Buffer.from('?'));
    await socket.atLeast(1);
    expect(socket.frames[0]).to.deep.equal({ opcode: opcodes.pong, payload: Buffer.from('?') });
    const named = await watch(`${maps}?watch=true&fieldSelector=metadata.name=p`, {
      headers: { accept: 'application/vnd.kubernetes.protobuf' },
    });
    await admin.post(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'p' } });
    await named.atLeast(1);
    expect(named.frames[0]?.opcode).to.equal(opcodes.binary);
    // metav1.WatchEvent: field 1 is the type.
    expect(named.frames[0]?.payload.subarray(0, 7).toString('latin1')).to.equal('\n\x05ADDED');
  });

  it('end with a close frame: after their time, and when the client closes', async () => {
    const timed = await watch(
      `${maps}?watch=true&timeoutSeconds=1&resourceVersion=${(await admin.get(maps)).body.metadata.resourceVersion}`,
    );
    await timed.ended;
    expect(timed.frames).to.deep.equal([{ opcode: opcodes.close, payload: Buffer.of(3, 232) }]);
    const closed = await watch(`${maps}?watch=true&fieldSelector=metadata.name=none`);
    closed.send(opcodes.close, Buffer.of(3, 232));
    await closed.ended;
    expect(closed.frames.at(-1)).to.deep.equal({ opcode: opcodes.close, payload: Buffer.of(3, 232) });
  });

  it('take a token as subprotocol, which goes no further than the first process', async () => {
    const token = `base64url.bearer.authorization.k8s.io.${Buffer.from('alicetoken').toString('base64url')}`;
    const socket = await watch(`${maps}?watch=true`, {
      as: { kind: 'anonymous' },
      headers: { 'sec-websocket-protocol': `${token}, events` },
    });
    expect(socket.headers['sec-websocket-protocol']).to.equal('events');
  });

  it('are refused like any request, and for a bad handshake', async () => {
    const bob = await refused(`${maps}?watch=true`, { as: { kind: 'token', token: 'bobtoken' } });
    expect([bob.status, bob.body.reason]).to.deep.equal([403, 'Forbidden']);
    expect((await refused(`${maps}?watch=true&labelSelector=%21%21`)).status).to.equal(400);
    expect((await refused(`${maps}?watch=true`, { headers: { origin: '' } })).status).to.equal(403);
    expect((await refused(`${maps}?watch=true`, { headers: { accept: 'application/yaml' } })).status).to.equal(406);
  });

  it('are for watches only: other requests that offer an upgrade are answered as they are', async () => {
    expect((await refused(maps)).body.kind).to.equal('ConfigMapList');
    expect((await refused('/version')).body.major).to.equal('1');
    expect((await refused('/apis/example.com/v1/namespaces/default/gears')).body.kind).to.equal('GearList');
    expect((await refused('/nowhere')).status).to.equal(404);
    const streamed = await refused(`${maps}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name=p`, {
      headers: { upgrade: 'h2c' },
    });
    expect(streamed.headers['content-type']).to.equal('application/json');
  });
});
