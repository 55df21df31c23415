import { isIPv6 } from 'node:net';
import type { PKI } from '../pki/pki.ts';
import { lastValue, type GivenFlag } from './route-flags.ts';

/** How clients of this machine reach the servers: what kubeconfigs say. */
export interface ClientAddress {
  /** `https://HOST:PORT` */
  readonly server: string;
  /** The name to ask for, where another certificate than the chain's own is shown to those who ask for none. */
  readonly serverName?: string;
}

/** Names of the chain's own certificate that pods use, whose authority for that is the chain's. */
const OWN_NAMES = [
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  'kubernetes.default',
  'kubernetes',
];

/** `secure-port` is a number by now. */
export function clientAddress(given: readonly GivenFlag[], securePort: number): ClientAddress {
  const server = `https://${hostOf(lastValue(given, 'bind-address') ?? '')}:${securePort}`;
  return showsAnotherCertificate(given) ? { server, serverName: OWN_NAMES[0]! } : { server };
}

/**
 * Beside a certificate of the user's, the chain's own is still shown to who asks for a name of it: the administrator
 * and the controllers know no other authority.
 */
export function ownCertificateBeside(
  { serving }: Pick<PKI, 'serving'>,
  given: readonly GivenFlag[],
): readonly GivenFlag[] {
  if (!showsAnotherCertificate(given)) return [];
  const value = `${serving.certFile},${serving.keyFile}:${OWN_NAMES.join(',')}`;
  return [{ name: 'tls-sni-cert-key', arguments: [`--tls-sni-cert-key=${value}`] }];
}

function showsAnotherCertificate(given: readonly GivenFlag[]): boolean {
  return given.some(({ name }) => name === 'tls-cert-file' || name === 'cert-dir');
}

/** All interfaces have the loopback among them. */
function hostOf(bindAddress: string): string {
  if (bindAddress === '' || bindAddress === '0.0.0.0' || bindAddress === '::') return '127.0.0.1';
  return isIPv6(bindAddress) ? `[${bindAddress}]` : bindAddress;
}
