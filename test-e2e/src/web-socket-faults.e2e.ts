import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestEnvironment, type FaultRule, type TestEnvironment } from 'kubechain/testing';
import { Client } from './harness/client.ts';
import { opcodes, WebSocketClient } from './harness/web-socket.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const match = { resources: ['configmaps'] };

for (const topology of ['all-in-one', 'processes'] as const)
  describe(`faults of watches over WebSocket: ${topology}`, function () {
    this.timeout(120_000);
    let env: TestEnvironment;
    let admin: Client;
    let made = 0;
    const open: WebSocketClient[] = [];

    before(async () => {
      env = await startTestEnvironment({ topology, control: true });
      admin = Client.fromKubeconfig(env.kubeconfig);
    });
    after(async () => {
      admin?.close();
      await env?.stop();
    });
    afterEach(async () => {
      for (const socket of open.splice(0)) socket.destroy();
      await env.faults.clear();
    });

    const watch = async (query = '', headers: Record<string, string> = {}, root = ''): Promise<WebSocketClient> => {
      const answer = await admin.webSocket(`${root}${maps}?watch=1${query}`, { headers });
      if (!(answer instanceof WebSocketClient)) throw new Error(`${answer.status} ${answer.text}`);
      open.push(answer);
      return answer;
    };
    /** Opens one from now on. */
    const watchFromNow = async (query = '', headers?: Record<string, string>): Promise<WebSocketClient> => {
      const list = await admin.get(`${maps}?limit=1`);
      return watch(`&resourceVersion=${list.body.metadata.resourceVersion}${query}`, headers);
    };
    const create = async (labels: Record<string, string> = {}): Promise<string> => {
      const name = `made-${++made}`;
      await admin.post(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });
      return name;
    };
    const names = ({ events }: WebSocketClient): string[] => events.map(({ object }) => object.metadata.name as string);
    const types = ({ events }: WebSocketClient): string[] => events.map(({ type }) => type);
    const until = async (what: string, condition: () => boolean): Promise<void> => {
      for (let tries = 0; !condition(); tries++) {
        if (tries === 3_000) throw new Error(`it has not come to this: ${what}`);
        await delay(20);
      }
    };
    const watchFault = (effect: object, more: object = {}): FaultRule =>
      ({ target: 'watch', match, effect, ...more }) as FaultRule;

    it('break those that are open, and those that are opened later in place of an event', async () => {
      const first = await watchFromNow();
      const fault = await env.faults.add(watchFault({ kind: 'cut' }, { count: 2 }));
      await first.ended;
      const second = await watchFromNow();
      await create();
      await second.ended;
      expect([first.frames, second.frames, await fault.happened()]).to.deep.equal([[], [], 2]);
      const third = await watchFromNow();
      const name = await create();
      await until('the third is served', () => names(third).includes(name));
    });

    it('end them with 410, and then the WebSocket', async () => {
      const first = await watchFromNow();
      await env.faults.add(watchFault({ kind: 'expired' }, { count: 2 }));
      await first.ended;
      const second = await watchFromNow();
      await create();
      await second.ended;
      for (const { events, frames } of [first, second]) {
        expect(events.map(({ object, type }) => [type, object.code, object.reason])).to.deep.equal([
          ['ERROR', 410, 'Expired'],
        ]);
        expect(frames.at(-1)?.opcode).to.equal(opcodes.close);
      }
    });

    it('end those in protobuf with 410 in protobuf', async () => {
      const socket = await watchFromNow('', { accept: 'application/vnd.kubernetes.protobuf;stream=watch' });
      await env.faults.add(watchFault({ kind: 'expired' }));
      await socket.ended;
      expect(socket.frames.map(({ opcode }) => opcode)).to.deep.equal([opcodes.binary, opcodes.close]);
      expect(socket.frames[0]?.payload.includes('Expired')).to.equal(true);
    });

    it('delay events, in their order', async () => {
      const socket = await watchFromNow();
      await env.faults.add(watchFault({ kind: 'delay', milliseconds: 500 }));
      const startedAt = performance.now();
      const wanted = [await create(), await create(), await create()];
      await socket.atLeast(3);
      expect(names(socket)).to.deep.equal(wanted);
      expect(performance.now() - startedAt).to.be.at.least(490);
    });

    it('keep bookmarks back, but for the one that ends the initial events', async () => {
      const labelSelectors = ['app=web'];
      await env.faults.add(watchFault({ kind: 'withoutBookmarks' }, { match: { ...match, labelSelectors } }));
      const query = '&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
      const [kept, served] = [await watch(`${query}&labelSelector=app%3Dweb`), await watch(query)];
      const bookmarks = (socket: WebSocketClient): number => types(socket).filter((type) => type === 'BOOKMARK').length;
      await until('the initial events are there', () => bookmarks(kept) === 1 && bookmarks(served) === 1);
      try {
        await create();
        await env.clock.advance('2m');
        await until('the other gets more of them', () => bookmarks(served) > 1);
      } finally {
        await env.clock.reset();
      }
      const name = await create({ app: 'web' });
      await until('both are served', () => names(kept).includes(name) && names(served).includes(name));
      expect(bookmarks(kept)).to.equal(1);
    });

    it('are told with all others that they have expired, also by a restored snapshot', async () => {
      const first = await watchFromNow();
      await env.faults.expireWatches();
      await first.ended;
      await env.snapshots.save('now');
      const second = await watchFromNow();
      await env.snapshots.restore('now');
      await second.ended;
      for (const socket of [first, second]) expect(types(socket)).to.deep.equal(['ERROR']);
    });

    it('are those of a tenant alone', async () => {
      await using tenant = await env.tenant('a');
      const socket = await watch('', { authorization: `Bearer ${tenant.token}` }, '/tenants/a');
      await env.faults.add(watchFault({ kind: 'cut' }));
      await tenant.install('{ apiVersion: v1, kind: ConfigMap, metadata: { name: mine, namespace: default } }');
      await socket.atLeast(1);
      await tenant.faults.add(watchFault({ kind: 'expired' }));
      await socket.ended;
      expect(types(socket).at(-1)).to.equal('ERROR');
    });
  });
