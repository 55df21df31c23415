import { builtinRelease, messageOf } from '@kubechain/apimachinery';
import type { Release } from '@kubechain/apimachinery';
import { parseRequestPattern } from '../request/request-pattern.ts';
import type { OriginPattern } from '../filters/cors.ts';
import { compilePattern } from '@kubechain/cel/patterns';
import { checkTLSMaterial } from '../certificates/check-tls-material.ts';
import { FileContent } from '../files/file-content.ts';
import type { FlagValues } from '../options/flag-set.ts';
import type { featureFlags, genericFlags } from '../options/generic-flags.ts';
import { featureGatesOf } from '../options/feature-gates.ts';
import { unusableFlag } from '../options/options-error.ts';
import type { delegateFlags, delegateListenFlags } from '../options/process-flags.ts';
import { effectiveVersions } from '../options/component-versions.ts';
import { curves, type servingFlags } from '../options/serving-flags.ts';
import { reportedVersion } from '../options/version-flag.ts';
import { serverVersion, type VersionInfo } from '../options/version.ts';
import type { authenticationFlags } from '../options/authentication-flags.ts';
import { opensslCiphers } from './serving/cipher-suites.ts';
import type { Config } from './completed-config.ts';
import { parseDelegateAddress, type DelegateAddress } from './delegation/delegate-address.ts';
import type { DelegateListenerOptions } from './delegation/delegate-listener.ts';
import type { DelegationTarget } from './delegation-target.ts';
import type { SecureServingOptions } from './serving/secure-serving.ts';
import { selfSignedCertificate } from '../certificates/self-signed-certificate.ts';
import type { AuthorityFile, CertificateFiles } from './serving/serving-certificates.ts';
import { readFlagFile } from '../options/read-flag-file.ts';

const tlsVersions = {
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
} as const;

type Serving = FlagValues<typeof servingFlags>;

/**
 * The secure port of --secure-port and its companions; undefined for port 0. Makes a self-signed certificate when none
 * is given.
 * @throws OptionsError
 */
export async function secureServingFromFlags(flags: Serving): Promise<SecureServingOptions | undefined> {
  const port = flags['secure-port'];
  if (port === 0) return undefined;
  const host = flags['bind-address'] === '' ? '0.0.0.0' : flags['bind-address'];
  const ciphers = flags['tls-cipher-suites'];
  const streams = flags['http2-max-streams-per-connection'];
  return {
    host,
    port,
    certificate: await certificateFiles(flags, host),
    sniCertificates: flags['tls-sni-cert-key'].map(parseSNI),
    minVersion: tlsVersions[flags['tls-min-version']],
    disableHTTP2: flags['disable-http2-serving'],
    reusePort: flags['permit-port-sharing'],
    maxConnectionsPerClient: flags['max-connections-per-client'],
    ...(streams === 0 ? {} : { maxStreamsPerConnection: streams }),
    ...(flags['tls-curve-preferences'].length === 0
      ? {}
      : { curves: flags['tls-curve-preferences'].map((curve) => curves.get(curve)).join(':') }),
    ...(ciphers.length === 0 ? {} : { ciphers: opensslCiphers(ciphers) }),
  };
}

/**
 * Whose certificates clients may show, in the order in which the reference names them (apiserver/pkg/server
 * ApplyClientCert).
 */
export function clientAuthoritiesFromFlags(flags: FlagValues<typeof authenticationFlags>): AuthorityFile[] {
  return (['client-ca-file', 'requestheader-client-ca-file'] as const)
    .map((flag) => ({ flag, file: flags[flag] }))
    .filter(({ file }) => file !== '');
}

async function certificateFiles(flags: Serving, host: string): Promise<CertificateFiles> {
  const certFile = flags['tls-cert-file'];
  const keyFile = flags['tls-private-key-file'];
  if (certFile === '' && keyFile === '') return selfSignedCertificate({ directory: flags['cert-dir'], address: host });
  if (certFile === '') throw unusableFlag('tls-cert-file', 'must be given with --tls-private-key-file');
  if (keyFile === '') throw unusableFlag('tls-private-key-file', 'must be given with --tls-cert-file');
  return { certFile, keyFile };
}

/** `cert,key` or `cert,key:name,name`; the flag has checked the form. */
function parseSNI(value: string): CertificateFiles {
  const colon = value.indexOf(':', value.indexOf(','));
  const [certFile = '', keyFile = ''] = (colon < 0 ? value : value.slice(0, colon)).split(',');
  return colon < 0
    ? { certFile, keyFile }
    : {
        certFile,
        keyFile,
        names: value
          .slice(colon + 1)
          .toLowerCase()
          .split(','),
      };
}

/** Limits, timeouts and features. */
export function genericConfigFromFlags(
  generic: FlagValues<typeof genericFlags>,
  features: FlagValues<typeof featureFlags>,
  release: Release = builtinRelease,
): Config & Required<Pick<Config, 'featureGates' | 'version'>> {
  const versions = effectiveVersions(generic);
  const featureGates = featureGatesOf({ features, generic });
  const watchGraceMs = generic['shutdown-watch-termination-grace-period'];
  return {
    maxInFlight: { readOnly: generic['max-requests-inflight'], mutating: generic['max-mutating-requests-inflight'] },
    maxWatchesPerUser: generic['max-watches-per-user'],
    requestTimeoutMs: generic['request-timeout'],
    minRequestTimeoutMs: generic['min-request-timeout'] * 1_000,
    corsAllowedOrigins: generic['cors-allowed-origins'].map(originPattern),
    hstsDirectives: generic['strict-transport-security-directives'],
    goawayChance: generic['goaway-chance'],
    livezGraceMs: generic['livez-grace-period'],
    shutdownDelayMs: generic['shutdown-delay-duration'],
    shutdownGraceMs: Math.max(generic['request-timeout'], watchGraceMs),
    enableProfiling: features.profiling,
    ...breakOn(features['debug-break-on']),
    servedByHeader: features['debug-served-by-header'],
    shutdownSendRetryAfter: generic['shutdown-send-retry-after'],
    featureGates,
    release,
    version: withReported(serverVersion(release, versions), generic.version, release.gitVersion),
    unsafeDeletion: featureGates.enabled('AllowUnsafeMalformedObjectDeletion'),
    sharding: featureGates.enabled('ShardedListAndWatch'),
    cbor: featureGates.enabled('CBORServingAndStorage'),
    ...(generic['external-hostname'] === '' ? {} : { externalAddress: generic['external-hostname'] }),
  };
}

function withReported(version: VersionInfo, reported: string, gitVersion: string): VersionInfo {
  return { ...version, gitVersion: reportedVersion(reported, gitVersion, version.gitVersion) };
}

function breakOn(text: string): Pick<Config, 'breakOn'> {
  if (text === '') return {};
  try {
    return { breakOn: parseRequestPattern(text) };
  } catch (error) {
    throw unusableFlag('debug-break-on', messageOf(error), error);
  }
}

/**
 * The next process of the chain by --delegate; undefined without the flag. `name` is what it is called in logs and
 * errors; a `patient` one waits for it as long as a debugger may hold it.
 * @throws OptionsError
 */
export async function delegateFromFlags(
  flags: FlagValues<typeof delegateFlags>,
  {
    meetsFaults = false,
    name,
    patient,
  }: { readonly name: string; readonly patient: boolean; readonly meetsFaults?: boolean },
): Promise<DelegationTarget | undefined> {
  if (flags.delegate === '') return undefined;
  const address = addressOf(flags.delegate, 'delegate');
  // The last process of the chain need not load the way to a next one.
  const { httpDelegate } = await import('./delegation/http-delegate.ts');
  const reached = { name, address, meetsFaults, ...(patient ? { debugged: () => true } : {}) };
  if (address.kind === 'unix') return httpDelegate(reached);
  const certFile = flags['proxy-client-cert-file'];
  const keyFile = flags['proxy-client-key-file'];
  if (certFile === '' || keyFile === '')
    throw unusableFlag('delegate', 'an https delegate needs --proxy-client-cert-file and --proxy-client-key-file');
  const caFile = flags['delegate-ca-file'];
  const tls = new FileContent({
    paths: [certFile, keyFile, ...(caFile === '' ? [] : [caFile])],
    read: () => {
      const cert = readFlagFile(certFile, 'proxy-client-cert-file');
      const key = readFlagFile(keyFile, 'proxy-client-key-file');
      const ca = caFile === '' ? {} : { ca: readFlagFile(caFile, 'delegate-ca-file') };
      checkTLSMaterial({ cert, key, ...ca, flags: { cert: 'proxy-client-cert-file', ca: 'delegate-ca-file' } });
      return {
        cert,
        key,
        ...ca,
        ...(flags['delegate-server-name'] === '' ? {} : { servername: flags['delegate-server-name'] }),
      };
    },
  });
  return httpDelegate({ ...reached, tls: () => tls.current });
}

/** Flags that a delegate listener is made of. */
export interface DelegateListenerFlags {
  readonly listen: FlagValues<typeof delegateListenFlags>;
  readonly serving: Serving;
  readonly authentication: FlagValues<typeof authenticationFlags>;
}

/** The listener for the process in front by --delegate-listen; undefined without the flag. @throws OptionsError */
export function delegateListenerFromFlags({
  listen,
  serving,
  authentication,
}: DelegateListenerFlags): DelegateListenerOptions | undefined {
  const text = listen['delegate-listen'];
  if (text === '') return undefined;
  const address = addressOf(text, 'delegate-listen');
  if (address.kind === 'unix') return { address };
  const clientCAFile = authentication['requestheader-client-ca-file'];
  const certFile = serving['tls-cert-file'];
  const keyFile = serving['tls-private-key-file'];
  if (clientCAFile === '' || certFile === '' || keyFile === '')
    throw unusableFlag(
      'delegate-listen',
      'an https listener needs --tls-cert-file, --tls-private-key-file and --requestheader-client-ca-file',
    );
  return {
    address,
    tls: { certFile, keyFile, clientCAFile, allowedNames: authentication['requestheader-allowed-names'] },
  };
}

function addressOf(text: string, flag: string): DelegateAddress {
  const address = parseDelegateAddress(text);
  if (address === undefined)
    throw unusableFlag(flag, `${JSON.stringify(text)} is neither unix:PATH nor https://host:port`);
  return address;
}

/** RE2, as the reference: browsers' users choose origins. */
function originPattern(text: string): OriginPattern {
  const pattern = compilePattern(text);
  // The flag was checked when it was read.
  return { test: (origin) => typeof pattern !== 'string' && pattern.matcher(origin).find() };
}
