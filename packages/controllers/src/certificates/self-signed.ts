import { generateKeyPairSync } from 'node:crypto';
import { hostname } from 'node:os';
import { createCertificate } from '@kubechain/apiserver/certificates';

const DAY_MS = 24 * 3_600_000;

/** A certificate for this process alone, as kube-controller-manager makes when it is given none. PEM. */
export function selfSigned(nowMs: number): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = createCertificate({
    commonName: `${hostname()}@${Math.floor(nowMs / 1000)}`,
    isCA: false,
    extendedUsages: ['serverAuth'],
    names: [hostname(), 'localhost', '127.0.0.1'],
    notBefore: new Date(nowMs - 3_600_000),
    notAfter: new Date(nowMs + 365 * DAY_MS),
    publicKey,
    signingKey: privateKey,
  });
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
