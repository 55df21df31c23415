import { fileFlag } from './file-flag.ts';
import { limits } from '@kubechain/apimachinery';
import { arrayFlag, booleanFlag, enumFlag, idleFlag, intFlag, listFlag, stringFlag, type Check } from './flag.ts';
import { flagSet } from './flag-set.ts';

const port: Check<number> = (value) => (value < 0 || value > 65_535 ? 'must be between 0 and 65535' : undefined);
const address: Check<string> = (value) =>
  /^[0-9a-fA-F.:]*$/.test(value) || value === 'localhost' ? undefined : 'must be an IP address';

/** Go's tls.CurveID → OpenSSL's name. */
export const curves: ReadonlyMap<string, string> = new Map([
  ['23', 'P-256'],
  ['24', 'P-384'],
  ['25', 'P-521'],
  ['29', 'X25519'],
  ['4588', 'X25519MLKEM768'],
]);

/** The secure port. Turned into SecureServingOptions by `secureServingFromFlags`. */
export const servingFlags = flagSet('Secure serving', {
  'bind-address': stringFlag('IP address on which --secure-port listens; 0.0.0.0 or :: for all.', '0.0.0.0', address),
  'secure-port': intFlag('Port that serves HTTPS with authentication and authorization; 0 serves none.', 6443, port),
  'cert-dir': stringFlag(
    'Directory for a self-signed serving certificate, which is made when --tls-cert-file and ' +
      '--tls-private-key-file are not given.',
    '/var/run/kubernetes',
  ),
  'tls-cert-file': fileFlag(
    'PEM file with the serving certificate, followed by its intermediates. Read again when it changes.',
  ),
  'tls-private-key-file': fileFlag('PEM file with the key of --tls-cert-file.'),
  'tls-sni-cert-key': arrayFlag(
    'Certificate and key for some host names: `cert.pem,key.pem` or ' +
      '`cert.pem,key.pem:*.example.com,example.com`. May be given several times; the first match wins.',
    [],
    sniSyntax,
  ),
  'tls-cipher-suites': listFlag("Cipher suites by their IANA or OpenSSL names; default Node's."),
  'tls-min-version': enumFlag('Lowest TLS version.', 'VersionTLS12', [
    'VersionTLS10',
    'VersionTLS11',
    'VersionTLS12',
    'VersionTLS13',
  ]),
  'disable-http2-serving': booleanFlag('Serve HTTP/1.1 only.'),
  'http2-max-streams-per-connection': intFlag(
    'Requests that one HTTP/2 connection may have open.',
    limits.streamsPerConnection.value,
    (value) => (value < 0 ? 'must not be negative' : undefined),
  ),
  'max-connections-per-client': intFlag(
    'Connections that one address may have open; 0 is no limit. Others are closed before their TLS handshake.',
    limits.connectionsPerClient.value,
    (value) => (value < 0 ? 'must not be negative' : undefined),
  ),
  'permit-port-sharing': booleanFlag('Let several processes listen on the same port (SO_REUSEPORT).'),
  'permit-address-sharing': idleFlag(booleanFlag('Accepted for compatibility: Node always sets SO_REUSEADDR.')),
  'tls-curve-preferences': listFlag(
    'Key exchange mechanisms by their numbers: 23 (P-256), 24 (P-384), 25 (P-521), 29 (X25519), 4588 ' +
      "(X25519MLKEM768); default Node's.",
    [],
    (values) => {
      const bad = values.find((value) => !curves.has(value));
      return bad === undefined ? undefined : `${bad} is no known curve: ${[...curves.keys()].join(', ')}`;
    },
  ),
});

function sniSyntax(values: readonly string[]): string | undefined {
  const bad = values.find((value) => !/^[^,]+,[^,:]+(?::.+)?$/.test(value));
  return bad === undefined ? undefined : 'expected comma separated certificate and key file paths';
}
