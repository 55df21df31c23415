import { dataFrame, pingFrame } from '@kubechain/apiserver/testing';
import type { FuzzRandom } from '../fuzz-random.ts';
import { FuzzFailure, type FuzzTarget } from '../fuzz-target.ts';
import { FuzzedChain } from '../fuzzed-chain.ts';
import { anyRequest, type FuzzedRequest } from '../request-parts.ts';

/** How long nothing may come from a request that waits for a body which never comes. */
const quietMs = 150;
/** What is sound is answered to its end. */
const answeredMs = 10_000;
const upgrades = [
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ' +
    'AAAAAAAAAAAAAAAAAAAAAA==\r\n',
  'Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n',
  'Connection: Upgrade\r\nUpgrade: kubechain-link/1\r\n',
];
const last = 'GET /version HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** Bytes of HTTP/1.1 against a running chain: ten requests on a connection, right or nearly so. */
export const http1: FuzzTarget = {
  name: 'http1',
  about: 'requests of HTTP/1.1 to a running chain: no 500, nothing of others, nobody waits, no process ends',
  shareOfCI: 300,
  open: async () => {
    const chain = await FuzzedChain.start();
    return {
      attempt: async (random, input) => {
        const sound = !random.chance(3);
        const upgrade = random.chance(6);
        const requests = random.list(9, () => written(anyRequest(random), random, sound));
        const bytes = Buffer.concat([...requests, ...(upgrade ? [upgraded(random)] : [Buffer.from(last)])]);
        const sent = sound ? bytes : Buffer.from(random.mutate(bytes));
        input(sent);
        const wait = sound && !upgrade ? answeredMs : quietMs;
        const received = await chain.send(sent, { protocol: 'http/1.1', quietMs: wait });
        await chain.judgeAnswers(received.bytes, sent);
        if (sound && !upgrade && !received.ended)
          throw new FuzzFailure(`is not answered to its end: ${received.bytes.toString('latin1').slice(-2_000)}`);
        await chain.expectWell();
      },
      close: () => chain.close(),
    };
  },
};

function written({ body, headers, method, target }: FuzzedRequest, random: FuzzRandom, sound: boolean): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: a', ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (body === undefined) return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const payload = Buffer.from(body, 'latin1');
  if (random.chance(3)) {
    const half = random.below(payload.length + 1);
    const chunks = [payload.subarray(0, half), payload.subarray(half)]
      .filter(({ length }) => length > 0)
      .map(
        (chunk) => `${chunk.length.toString(16)}${random.chance(5) ? ';a=b' : ''}\r\n${chunk.toString('latin1')}\r\n`,
      );
    const trailer = random.chance(5) ? 'X-Remote-User: admin\r\n' : '';
    return Buffer.from(
      `${lines.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n${trailer}\r\n`,
      'latin1',
    );
  }
  const length = sound || !random.chance(4) ? payload.length : random.integer();
  return Buffer.from(
    `${lines.join('\r\n')}\r\nContent-Length: ${length}\r\n\r\n${payload.toString('latin1')}`,
    'latin1',
  );
}

/** A request for another protocol, and frames of it. */
function upgraded(random: FuzzRandom): Buffer {
  const { headers, target } = anyRequest(random);
  const path = random.chance(2) ? '/api/v1/namespaces/own/configmaps?watch=true&timeoutSeconds=1' : target;
  const head = ['GET ', path, ' HTTP/1.1\r\nHost: a\r\n', ...headers.map(([name, value]) => `${name}: ${value}\r\n`)];
  return Buffer.concat([
    Buffer.from(`${head.join('')}${random.pick(upgrades)}\r\n`, 'latin1'),
    ...random.list(5, () =>
      random.pick([
        () => pingFrame(random.below(5)),
        () => dataFrame(random.below(5), random.bytes(50)),
        () => Buffer.from([0x80 | random.below(16), 0x80 | random.below(128), ...random.bytes(140)]),
        () => Buffer.from(random.bytes(50)),
      ])(),
    ),
  ]);
}
