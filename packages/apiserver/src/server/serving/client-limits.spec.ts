import { limits } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { once } from 'node:events';
import { connect as connectHTTP2, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { connect, type TLSSocket } from 'node:tls';
import { ask, fixtureAuthority, runTestServer, servingPEM, type RunningTestServer } from '../testing/test-server.ts';
import type { Config } from '../completed-config.ts';

const serving = { host: '127.0.0.1', port: 0, certificate: { certFile: servingPEM, keyFile: servingPEM } };

describe('limits of what a client holds', () => {
  let running: RunningTestServer | undefined;
  let session: ClientHttp2Session | undefined;
  afterEach(async () => {
    session?.destroy();
    await running?.stop();
    running = undefined;
  });

  async function serve(config: Config): Promise<number> {
    running = await runTestServer(
      { authorizer: { authorize: () => ({ decision: 'Allow', reason: '' }) }, ...config },
      {
        prepare(server) {
          server.routes.set(
            { group: '', version: 'v1', resource: 'things', subresource: '' },
            {
              namespaced: false,
              handlers: new Map([
                [
                  'watch',
                  (_request, response) => {
                    response.writeHead(200);
                    response.write('begun');
                  },
                ],
              ]),
            },
          );
        },
      },
    );
    return running.info.securePort ?? 0;
  }

  it('close further connections of an address, until others have closed (connectionsPerClient)', async () => {
    const port = await serve({ serving: { ...serving, maxConnectionsPerClient: 2 } });
    const open = async (): Promise<TLSSocket | undefined> => {
      const socket = connect({ host: '127.0.0.1', port, ca: fixtureAuthority(), rejectUnauthorized: false });
      const begun = await Promise.race([
        once(socket, 'secureConnect').then(() => true),
        once(socket, 'close').then(() => false),
      ]).catch(() => false);
      return begun ? socket : undefined;
    };
    const first = await open();
    const second = await open();
    expect(first).to.not.equal(undefined);
    expect(second).to.not.equal(undefined);
    expect(await open()).to.equal(undefined);
    first?.destroy();
    let third: TLSSocket | undefined;
    while (third === undefined) third = await open();
    expect(await open()).to.equal(undefined);
    second?.destroy();
    third.destroy();
  });

  it('refuse further watches of a user, until others have ended, and nothing else (watchesPerUser)', async () => {
    const port = await serve({ maxWatchesPerUser: 2 });
    session = connectHTTP2(`https://127.0.0.1:${port}`, { ca: fixtureAuthority(), rejectUnauthorized: false });
    const watch = async (user: string): Promise<{ readonly status: unknown; readonly stream: ClientHttp2Stream }> => {
      const stream = session!.request({ ':path': '/api/v1/things?watch=1', authorization: `Bearer ${user}` });
      stream.on('error', () => undefined);
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
      return { status: headers[':status'], stream };
    };
    const first = await watch('alice');
    expect([first.status, (await watch('alice')).status, (await watch('alice')).status]).to.deep.equal([200, 200, 429]);
    expect((await watch('bob')).status).to.equal(200);
    for (let i = 0; i < 4; i++) expect((await watch('admin')).status, 'of system:masters').to.equal(200);
    for (const [account, statuses] of [
      ['ns:a', [200, 200]],
      ['ns:b', [429]],
      ['kube-system:a', [200, 200, 429]],
      ['kube-system:b', [200]],
    ] as const)
      for (const status of statuses)
        expect((await watch(`system:serviceaccount:${account}`)).status, account).to.equal(status);
    expect((await ask(port, '/version', { token: 'alice' })).status).to.equal(200);
    first.stream.close();
    let again = await watch('alice');
    while (again.status === 429) again = await watch('alice');
    expect((await watch('alice')).status).to.equal(429);
  });

  it('tell HTTP/2 clients how many requests may be open (streamsPerConnection)', async () => {
    session = connectHTTP2(`https://127.0.0.1:${await serve({})}`, {
      ca: fixtureAuthority(),
      rejectUnauthorized: false,
    });
    const [settings] = (await once(session, 'remoteSettings')) as [{ readonly maxConcurrentStreams: number }];
    expect(settings.maxConcurrentStreams).to.equal(limits.streamsPerConnection.value);
  });
});
