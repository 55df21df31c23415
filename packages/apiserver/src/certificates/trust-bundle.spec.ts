import { expect } from 'chai';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { createCertificate } from './create-certificate.ts';
import { trustBundle } from './trust-bundle.ts';

interface Pair {
  readonly certificate: string;
  readonly key: KeyObject;
}

function issue(commonName: string, isCA: boolean, issuer?: Pair): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = createCertificate({
    commonName,
    isCA,
    ...(isCA ? {} : { names: ['localhost'], extendedUsages: ['serverAuth' as const] }),
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    publicKey,
    signingKey: issuer?.key ?? privateKey,
    ...(issuer === undefined ? {} : { issuer: issuer.certificate }),
  });
  return { certificate, key: privateKey };
}

/** Whether a client with this bundle speaks with the server. */
async function speaks(bundle: string, shown: string, key: KeyObject): Promise<string> {
  const server = createServer({ cert: shown, key: key.export({ type: 'pkcs8', format: 'pem' }) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', ...trustBundle(bundle) });
  try {
    await once(socket, 'secureConnect');
    return 'yes';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    socket.destroy();
    server.close();
  }
}

describe('a trust bundle', () => {
  const root = issue('root', true);
  const intermediate = issue('intermediate', true, root);
  const leaf = issue('server', false, intermediate);
  const chain = `${leaf.certificate}\n${intermediate.certificate}`;

  it('may hold the root', async () => {
    expect(await speaks(root.certificate, chain, leaf.key)).to.equal('yes');
  });
  it('may hold an intermediate authority alone', async () => {
    expect(await speaks(intermediate.certificate, leaf.certificate, leaf.key)).to.equal('yes');
  });
  it("may hold the server's own certificate alone, as envtest gives it", async () => {
    expect(await speaks(leaf.certificate, leaf.certificate, leaf.key)).to.equal('yes');
  });
  it('trusts nobody else', async () => {
    const other = issue('server', false, root);
    expect(await speaks(leaf.certificate, other.certificate, other.key)).to.match(/UNABLE_TO/);
    expect(await speaks(issue('root', true).certificate, chain, leaf.key)).to.match(/UNABLE_TO|SELF_SIGNED/);
  });
});
