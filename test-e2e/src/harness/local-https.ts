import { createCertificate } from '@kubechain/apiserver/certificates';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';

/** What a server shows as `localhost`, as options of node:https: a certificate that signs itself, for an hour. */
export function localhostCertificate(): { readonly cert: string; readonly key: string } {
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

/** Listens on a free port of this machine, and resolves to it. */
export async function listenLocally(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Writes the kubeconfig of a webhook that shows `certificate`; returns its file. */
export function writeWebhookKubeconfig(
  file: string,
  { certificate, url }: { readonly certificate: string; readonly url: string },
): string {
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(certificate).toString('base64') };
  writeFileSync(
    file,
    JSON.stringify({
      'current-context': 'w',
      contexts: [{ name: 'w', context: { cluster: 'w', user: 'w' } }],
      clusters: [{ name: 'w', cluster }],
      users: [{ name: 'w', user: {} }],
    }),
  );
  return file;
}
