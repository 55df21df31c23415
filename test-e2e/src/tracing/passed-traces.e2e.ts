import { expect } from 'chai';
import type { IncomingHttpHeaders } from 'node:http';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { registerExtension } from '../harness/register-extension.ts';
import { registerPatchingWebhook, startPatchingWebhook, type PatchingWebhook } from '../page/webhook-server.ts';
import { startExtension } from './extension.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const traceOf = (digit: string): string => `00-${digit.repeat(32)}-00f067aa0ba902b7-01`;

describe('traces of callers, where the chain itself traces nothing', function () {
  this.timeout(180_000);
  let chain: Chain;
  let admin: Client;
  let webhook: PatchingWebhook;
  let extension: Server;
  const far: IncomingHttpHeaders[] = [];

  before(async () => {
    chain = await startChain();
    admin = Client.fromKubeconfig(chain.kubeconfig);
    webhook = await startPatchingWebhook(chain, [{ op: 'add', path: '/data', value: { seen: 'yes' } }]);
    await registerPatchingWebhook(admin, webhook, { name: 'harbour', group: '', resource: 'configmaps' });
    extension = await startExtension(far);
    await registerExtension(admin, {
      group: 'far.example.com',
      versions: ['v1'],
      port: (extension.address() as AddressInfo).port,
    });
    // The webhook may not be known at once.
    for (let seen = false; !seen;) {
      const { body } = await admin.post(configMaps, { metadata: { generateName: 'tried-' } });
      seen = body.data?.seen === 'yes';
    }
  });
  after(async () => {
    extension?.close();
    extension?.closeAllConnections();
    webhook?.close();
    await chain?.stop();
  });

  const create = async (name: string, headers: Record<string, string>): Promise<string | undefined> => {
    const before = webhook.asked.length;
    const { status, text } = await admin.post(configMaps, { metadata: { name } }, { headers });
    expect(status, text).to.equal(201);
    return webhook.asked[before]?.['traceparent'] as string | undefined;
  };

  it('go on to webhooks as they came', async () => {
    expect(await create('traced', { traceparent: traceOf('a') })).to.equal(traceOf('a'));
  });

  it('go on with what vendors and applications have to say of them', async () => {
    const said = { traceparent: traceOf('c'), tracestate: 'vendor=1', baggage: 'user=jane' };
    await create('said', said);
    expect(webhook.asked.at(-1)).to.include(said);
  });

  it('go on to extension servers as they came', async () => {
    const { status } = await admin.get('/apis/far.example.com/v1/boats', { headers: { traceparent: traceOf('b') } });
    expect(status).to.equal(200);
    expect(far.map((headers) => headers['traceparent'])).to.include(traceOf('b'));
  });

  it('are none that is made up, or cannot be read', async () => {
    expect(await create('untraced', {})).to.equal(undefined);
    expect(await create('unreadable', { traceparent: traceOf('0') })).to.equal(undefined);
  });
});
