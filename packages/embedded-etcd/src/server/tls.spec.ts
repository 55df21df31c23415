import { credentials } from '@grpc/grpc-js';
import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { RawClient } from '../testing/raw-client.ts';
import type { SelfSigned } from '../testing/self-signed.ts';
import { selfSigned } from '../testing/self-signed.ts';
import { SpawnedStore } from '../testing/spawned-store.ts';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';
import { startEmbeddedEtcd } from './start.ts';

const GET = { key: Buffer.from('a') };

/** Calls over TLS, with a client certificate if given; answers the revision or the failure's code. */
async function revision(endpoint: string, ca: SelfSigned, client?: SelfSigned): Promise<number> {
  const raw = new RawClient(endpoint, credentials.createSsl(ca.cert, client?.key ?? null, client?.cert ?? null));
  try {
    const reply = await raw.call('KV.Range', GET);
    return (reply['header'] as { revision: number }).revision;
  } finally {
    raw.close();
  }
}

function get(url: string, ca: SelfSigned): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(url, { ca: ca.cert, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve(body));
    });
    call.on('error', reject);
    call.end();
  });
}

describe('TLS', () => {
  let serving: SelfSigned;
  let client: SelfSigned;
  before(async () => {
    serving = await selfSigned('server');
    client = await selfSigned('client');
  });

  it('serves gRPC and plain HTTP', async () => {
    using directory = new TemporaryDirectory();
    const server = await startEmbeddedEtcd({ dataFile: directory.file('data.db'), tls: serving });
    expect(server.endpoint).to.match(/^https:/);
    expect(await revision(server.endpoint, serving)).to.equal(1);
    expect(await get(`${server.endpoint}/health`, serving)).to.equal('{"health":"true","reason":""}');
    await server.close();
  });

  it('carries streams', async () => {
    using directory = new TemporaryDirectory();
    const server = await startEmbeddedEtcd({ dataFile: directory.file('data.db'), tls: serving });
    const raw = new RawClient(server.endpoint, credentials.createSsl(serving.cert));
    const watch = raw.stream('Watch.Watch');
    watch.on('error', () => undefined);
    const created = new Promise((resolve) => watch.once('data', resolve));
    watch.write({ create_request: { key: Buffer.from('a') } });
    expect(await created).to.include({ created: true });
    watch.cancel();
    raw.close();
    await server.close();
  });

  it('uses new certificates and authorities when their files change', async () => {
    using directory = new TemporaryDirectory();
    const paths = {
      certFile: directory.file('tls.crt'),
      keyFile: directory.file('tls.key'),
      trustedCaFile: directory.file('ca.crt'),
    };
    const write = (pair: SelfSigned, ca: SelfSigned): void => {
      writeFileSync(paths.certFile, pair.cert);
      writeFileSync(paths.keyFile, pair.key);
      writeFileSync(paths.trustedCaFile, ca.cert);
    };
    write(serving, client);
    const server = await startEmbeddedEtcd({
      dataFile: directory.file('data.db'),
      tls: { ...serving, trustedCa: client.cert, clientCertAuth: true, files: paths },
    });
    expect(await revision(server.endpoint, serving, client)).to.equal(1);
    const [newServing, newClient] = await Promise.all([selfSigned('server'), selfSigned('client')]);
    write(newServing, newClient);
    const deadline = Date.now() + 60_000;
    const renewed = (): Promise<boolean> =>
      revision(server.endpoint, newServing, newClient).then(
        () => true,
        () => false,
      );
    while (!(await renewed()) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await renewed()).to.equal(true);
    expect(
      await revision(server.endpoint, newServing, client).then(
        () => 'let in',
        () => 'refused',
      ),
    ).to.equal('refused');
    await server.close();
  }).timeout(120_000);

  it('refuses clients without a certificate of the authority when told to', async () => {
    using directory = new TemporaryDirectory();
    const paths = { cert: directory.file('tls.crt'), key: directory.file('tls.key'), ca: directory.file('ca.crt') };
    writeFileSync(paths.cert, serving.cert);
    writeFileSync(paths.key, serving.key);
    writeFileSync(paths.ca, client.cert);
    await using store = new SpawnedStore([
      '--data-file',
      directory.file('data.db'),
      '--listen',
      '127.0.0.1:0',
      '--cert-file',
      paths.cert,
      '--key-file',
      paths.key,
      '--trusted-ca-file',
      paths.ca,
      '--client-cert-auth',
    ]);
    const endpoint = await store.endpoint();
    expect(await revision(endpoint, serving, client)).to.equal(1);
    for (const stranger of [undefined, serving]) {
      const refused = await revision(endpoint, serving, stranger).then(
        () => undefined,
        (error: { code: number }) => error.code,
      );
      expect(refused).to.equal(14);
    }
  });
});
