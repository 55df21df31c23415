import { seededRandom } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { hpackHeaders, http2Flags, http2Frame, http2FrameTypes, http2Preface } from '@kubechain/apiserver/testing';
import { once } from 'node:events';
import { constants, connect } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import { readFileSync } from 'node:fs';
import { connect as connectTCP } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTLS } from 'node:tls';
import { startChain, type Chain } from './harness/chain.ts';
import { Client } from './harness/client.ts';

const stressMs = 15_000;
/** What is left may take to be noticed; the deadline of a short request is 60 s. */
const leftMs = 45_000;
const maps = '/api/v1/namespaces/default/configmaps';
const paths = [
  maps,
  `${maps}?watch=1`,
  '/api/v1/pods?watch=1',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis',
  '/openapi/v2',
  '/nonsense',
];
const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;
const half = `{"metadata":{"generateName":"half-"},"data":{"a":"${'x'.repeat(20_000)}`;
/** As much as the server wants to send, on each stream and on the connection. */
const wideWindows = Buffer.concat([
  http2Frame(http2FrameTypes.settings, { payload: Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff]) }),
  http2Frame(http2FrameTypes.window, { payload: Buffer.from([0x7f, 0xff, 0, 0]) }),
]);
const ignore = (): void => undefined;

describe('clients that vanish in the middle of their requests', () => {
  let chain: Chain;
  let admin: Client;

  before(async () => {
    chain = await startChain();
    admin = Client.fromKubeconfig(chain.kubeconfig);
  });
  after(async () => {
    admin?.close();
    await chain?.stop();
  });

  const requestFrame = (stream: number, method: string, path: string): Buffer =>
    http2Frame(http2FrameTypes.headers, {
      flags: method === 'GET' ? http2Flags.endHeaders | http2Flags.endStream : http2Flags.endHeaders,
      stream,
      payload: hpackHeaders({
        ':method': method,
        ':scheme': 'https',
        ':authority': 'localhost',
        ':path': path,
        'content-type': 'application/json',
      }),
    });

  /**
   * Requests and watches that any process of the chain still counts; those of the chain itself are left out. What the
   * last second saw at most is counted: a request right before this one too.
   */
  async function counted(): Promise<string[]> {
    await delay(4_000);
    const { text } = await admin.get('/metrics');
    const kinds = /^apiserver_(current_inflight_requests|longrunning_requests)\{.*\} [1-9]/;
    return text.split('\n').filter((line) => kinds.test(line) && !line.includes('/.kubechain/'));
  }

  it('leave no request and no watch behind, over HTTP/1.1 and HTTP/2', async () => {
    const before = await counted();
    const below = seededRandom(11);
    const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
    const read = (file: string): Buffer => readFileSync(join(chain.dataDir, 'pki', file));
    const tls = { ca: read('ca.crt'), cert: read('admin.crt'), key: read('admin.key') };
    const end = Date.now() + stressMs;

    async function overHTTP2(): Promise<void> {
      while (Date.now() < end) {
        const session = connect(chain.url, tls).on('error', ignore);
        for (let i = 0; i < 40; i++) {
          const post = below(3) === 0;
          const stream = session.request(
            post
              ? { ':method': 'POST', ':path': maps, 'content-type': 'application/json' }
              : { ':method': pick(['GET', 'GET', 'HEAD']), ':path': pick(paths) },
          );
          stream.on('error', ignore);
          if (below(2) === 0) stream.resume();
          if (post) stream.write(half.slice(0, 60 + below(half.length)));
          if (post && below(2) === 0) stream.end('"}}');
          const leaving = below(10);
          setTimeout(() => {
            if (leaving < 3) stream.close(pick([NGHTTP2_NO_ERROR, NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM]));
            else if (leaving < 5) stream.destroy();
          }, below(30));
          if (below(5) === 0) await delay(10);
        }
        await delay(below(50));
        if (below(2) === 0) session.destroy();
        else session.close();
        setTimeout(() => {
          session.destroy();
        }, 500);
      }
    }

    /** Answers that nobody reads, behind them requests that are half sent, and the connection is cut. */
    async function cut(): Promise<void> {
      while (Date.now() < end) {
        const tcp = connectTCP(chain.port, '127.0.0.1').on('error', ignore);
        const socket = connectTLS({ ...tls, socket: tcp, host: '127.0.0.1', ALPNProtocols: ['h2'] }).on(
          'error',
          ignore,
        );
        await once(socket, 'secureConnect');
        socket.pause();
        const unread = [1, 3, 5, 7].map((stream) =>
          requestFrame(stream, 'GET', pick(['/openapi/v2', `${maps}?watch=1`])),
        );
        socket.write(Buffer.concat([Buffer.from(http2Preface), wideWindows, ...unread]));
        await delay(50 + below(50));
        const posts = Array.from({ length: 20 }, (_, i) => 2 * i + 9).flatMap((stream) => [
          requestFrame(stream, 'POST', maps),
          http2Frame(http2FrameTypes.data, { stream, payload: Buffer.from(half.slice(0, 10_000)) }),
        ]);
        socket.write(Buffer.concat(posts));
        await delay(below(50));
        tcp.resetAndDestroy();
      }
    }

    async function overHTTP1(): Promise<void> {
      const agent = new Agent({ ...tls, keepAlive: true, maxSockets: 20 });
      while (Date.now() < end) {
        const post = below(4) === 0;
        const request = httpsRequest(`${chain.url}${post ? maps : pick(paths)}`, {
          agent,
          method: post ? 'POST' : 'GET',
          headers: post ? { 'content-type': 'application/json', 'content-length': half.length } : {},
        });
        request.on('error', ignore).on('response', (response) => {
          response.on('error', ignore);
          if (below(2) === 0) response.resume();
        });
        if (post) request.write(half.slice(0, 60 + below(half.length - 60)));
        else request.end();
        setTimeout(() => request.destroy(), below(40) + 5);
        await delay(3);
      }
      agent.destroy();
    }

    await Promise.all([overHTTP2(), overHTTP2(), overHTTP1(), overHTTP1(), cut()]);
    let left = ['not counted yet'];
    for (const until = Date.now() + leftMs; left.join() !== before.join() && Date.now() < until;)
      left = await counted();
    expect(left).to.deep.equal(before);
    expect((await admin.get(maps)).status).to.equal(200);
  }).timeout(120_000);
});
