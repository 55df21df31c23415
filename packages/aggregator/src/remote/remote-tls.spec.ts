import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { limits } from '@kubechain/apimachinery';
import { createCertificate } from '@kubechain/apiserver/certificates';
import { remoteAgent } from './remote-tls.ts';

describe('connections to an extension API server', () => {
  let server: Server;
  let field = '';

  before(async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const cert = createCertificate({
      commonName: 'extension',
      isCA: false,
      extendedUsages: ['serverAuth'],
      names: ['127.0.0.1'],
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 3_600_000),
      publicKey,
      signingKey: privateKey,
    });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    server = createServer({ cert, key }, (_, response) => response.setHeader('x-long', field).end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(() => {
    server.close();
  });

  /** How many letters of the field arrive, or the code of what went wrong. */
  function lettersOf(letters: number): Promise<number | string | undefined> {
    field = 'a'.repeat(letters);
    const agent = remoteAgent({ rejectUnauthorized: false });
    return new Promise<number | string | undefined>((resolve) => {
      const { port } = server.address() as AddressInfo;
      request({ host: '127.0.0.1', port, agent }, (response) => {
        resolve(response.headers['x-long']?.length);
        response.resume();
      })
        .on('error', (error: NodeJS.ErrnoException) => {
          resolve(error.code);
        })
        .end();
    }).finally(() => {
      agent.destroy();
    });
  }

  it('read heads that Node would not by itself', async () => {
    expect(await lettersOf(limits.answerHead.value >> 1)).to.equal(limits.answerHead.value >> 1);
  });
  it('read no longer ones than the limit', async () => {
    expect(await lettersOf(limits.answerHead.value + 1)).to.equal('HPE_HEADER_OVERFLOW');
  });
});
