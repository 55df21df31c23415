import { limits, messageOf } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IssuerClient } from '../authentication/oidc/issuer-client.ts';
import { createCertificate } from '../certificates/create-certificate.ts';
import { ClientTimeout } from './client-timeout.ts';
import { KubeClient } from './kube-client.ts';

const timeoutMs = 400;

function localhost(): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = createCertificate({
    commonName: 'localhost',
    isCA: false,
    extendedUsages: ['serverAuth'],
    names: ['localhost'],
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    publicKey,
    signingKey: privateKey,
  });
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** What a client makes of an answer. */
interface Outcome {
  readonly error: Error | undefined;
  readonly elapsedMs: number;
}

describe('answers of those who are asked', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'odd-answers-'));
  const shown = localhost();
  let server: Server;
  let url: string;
  let answer: (response: ServerResponse) => void;
  let kube: KubeClient;
  let issuer: IssuerClient;

  before(async () => {
    server = createServer(shown, (request, response) => {
      request.resume();
      response.on('error', () => undefined);
      answer(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        'current-context': 'c',
        contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
        clusters: [
          {
            name: 'k',
            cluster: { server: url, 'certificate-authority-data': Buffer.from(shown.cert).toString('base64') },
          },
        ],
        users: [{ name: 'u', user: {} }],
      }),
    );
    kube = KubeClient.fromKubeconfig(kubeconfig, { timeoutMs });
    issuer = new IssuerClient(shown.cert, undefined, timeoutMs);
  });
  after(async () => {
    kube.close();
    issuer.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    rmSync(folder, { recursive: true });
  });

  /** Asks with each of the clients. */
  async function outcomes(): Promise<readonly Outcome[]> {
    const found: Outcome[] = [];
    for (const ask of [() => kube.get('/'), () => issuer.get(`${url}/`)]) {
      const startedMs = performance.now();
      let error: Error | undefined;
      await ask().catch((cause: Error) => {
        error = cause;
      });
      found.push({ error, elapsedMs: performance.now() - startedMs });
    }
    return found;
  }

  it('are read no further than the limit', async () => {
    let bytes = 0;
    answer = (response) => {
      const piece = Buffer.alloc(1 << 20, ' ');
      const more = (): void => {
        while (!response.destroyed && bytes < 1 << 28) {
          bytes += piece.length;
          if (!response.write(piece)) return void response.once('drain', more);
        }
      };
      more();
    };
    const patient = new IssuerClient(shown.cert, undefined, 30_000);
    const told = await patient.get(`${url}/`).catch(messageOf);
    patient.close();
    expect(told).to.contain('the answer is larger than 1048576 bytes');
    bytes = 0;
    const large = KubeClient.fromKubeconfig(join(folder, 'kubeconfig'), { timeoutMs: 30_000 });
    const refused = await large.get('/').catch(messageOf);
    large.close();
    expect(refused).to.contain('http: response body too large');
    expect(bytes).to.be.lessThan(2 * limits.webhookAnswer.value);
  });

  it('are none where they say too often that they go on', async () => {
    answer = (response) => {
      const { socket } = response;
      socket?.on('error', () => undefined);
      socket?.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100_000));
      socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    };
    for (const { error } of await outcomes())
      expect(error?.message).to.contain('net/http: too many 1xx informational responses');
  });

  it('are none where they come letter by letter', async () => {
    answer = (response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.once('close', () => {
        clearInterval(timer);
      });
    };
    const [ofServer, ofIssuer] = await outcomes();
    expect(ofServer?.error).to.be.instanceOf(ClientTimeout);
    expect(ofIssuer?.error?.message).to.contain('the issuer does not answer');
    for (const { elapsedMs } of await outcomes()) expect(elapsedMs).to.be.lessThan(20 * timeoutMs);
  });

  it('let others have their turns where they are chunks of a byte', async () => {
    const chunks = Buffer.from('1\r\nx\r\n'.repeat(20_000));
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
      response.flushHeaders();
      // Beside node:http, which would write chunks of its own.
      const { socket } = response;
      if (socket === null) return;
      const more = (): void => {
        while (!socket.destroyed) if (!socket.write(chunks)) return void socket.once('drain', more);
      };
      socket.on('error', () => undefined);
      more();
    };
    let longestMs = 0;
    let last = performance.now();
    const turns = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last);
      last = performance.now();
    }, 1);
    await outcomes();
    clearInterval(turns);
    expect(longestMs).to.be.lessThan(5 * timeoutMs);
  });
});
