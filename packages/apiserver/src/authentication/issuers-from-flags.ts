import type { EgressSelector } from '../egress/egress-selector.ts';
import type { TimerClock } from '@kubechain/apimachinery';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { readFlagFile } from '../options/read-flag-file.ts';
import type { authenticationFlags } from '../options/authentication-flags.ts';
import type { FlagValues } from '../options/flag-set.ts';
import { unusableFlag } from '../options/options-error.ts';
import type { TokenAuthenticator } from './authenticator.ts';
import { followAuthentication, type AuthenticationFile } from './follow-authentication.ts';
import { isAuthenticationConfigurationError } from './oidc/authentication-configuration-error.ts';
import { checkIssuerEgress } from './oidc/check-issuer-egress.ts';
import { decodeAuthenticationConfiguration, type WrittenAuthentication } from './oidc/authentication-configuration.ts';
import { IssuerAuthenticators } from './oidc/issuer-authenticators.ts';
import { JWTMetrics } from './oidc/jwt-metrics.ts';
import { readAuthentication, type ConfiguredAuthentication } from './oidc/read-authentication.ts';

type Flags = FlagValues<typeof authenticationFlags>;

/** What a server that has issuers adds to its authentication. */
export interface OpenedIssuers {
  readonly authenticator: TokenAuthenticator;
  /** As the file says; absent: as the flags do. */
  readonly anonymous?: ConfiguredAuthentication['anonymous'];
  close(): void;
}

export interface IssuerDependencies {
  readonly clock: TimerClock;
  /** Default: what is counted is not shown. */
  readonly registry?: MetricRegistry;
  /** Through which proxies issuers may be reached. Default: none. */
  readonly egress?: EgressSelector | undefined;
}

const fileFlag = 'authentication-config';
/** Of signatures; a file allows all of them, since what counts is whether a key fits. */
const algorithms = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'];

/**
 * Issuers of the file of --authentication-config, or the one of --oidc-*; undefined where there is neither.
 * @throws OptionsError naming the flag
 */
export function issuersFromFlags(
  flags: Flags,
  { clock, egress, registry = new MetricRegistry() }: IssuerDependencies,
): OpenedIssuers | undefined {
  const byFlags = issuerByFlags(flags);
  const path = flags[fileFlag];
  if (path === '') {
    if (byFlags === undefined) return undefined;
    const { issuers } = readByFlags(byFlags, flags['service-account-issuer']);
    const authenticators = new IssuerAuthenticators(issuers, {
      clock,
      metrics: new JWTMetrics(registry, () => clock.now()),
      algorithms: flags['oidc-signing-algs'],
    });
    return {
      authenticator: authenticators,
      close: () => {
        authenticators.close();
      },
    };
  }
  if (byFlags !== undefined)
    throw unusableFlag(fileFlag, 'authentication-config file and oidc-* flags are mutually exclusive');
  const file = readFile(path, flags['service-account-issuer'], egress);
  const { anonymous, issuers } = file.configured;
  if (anonymous !== undefined && !flags['anonymous-auth'])
    throw unusableFlag(
      fileFlag,
      'anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in ' +
        'authentication configuration file',
    );
  const authenticators = new IssuerAuthenticators(issuers, {
    clock,
    egress,
    algorithms,
    metrics: new JWTMetrics(registry, () => clock.now()),
  });
  const disallowed = flags['service-account-issuer'];
  const stop = followAuthentication(file, { issuers: authenticators, disallowed, clock, egress, registry });
  return {
    authenticator: authenticators,
    ...(anonymous === undefined ? {} : { anonymous }),
    close: () => {
      stop();
      authenticators.close();
    },
  };
}

function readFile(path: string, disallowed: readonly string[], egress: EgressSelector | undefined): AuthenticationFile {
  const text = readFlagFile(path, fileFlag).toString('utf8');
  const told = <T>(prefix: string, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw isAuthenticationConfigurationError(error)
        ? unusableFlag(fileFlag, prefix === '' ? error.message : `${prefix}: ${error.message}`, error)
        : error;
    }
  };
  const written = told(`failed to load authentication configuration from file ${JSON.stringify(path)}`, () =>
    decodeAuthenticationConfiguration(text),
  );
  const configured = told('invalid authentication configuration', () => readAuthentication(written, disallowed));
  told('', () => {
    checkIssuerEgress(configured.issuers, egress);
  });
  return { path, text, configured };
}

function readByFlags(written: WrittenAuthentication, disallowed: readonly string[]): ConfiguredAuthentication {
  try {
    return readAuthentication(written, disallowed);
  } catch (error) {
    throw isAuthenticationConfigurationError(error)
      ? unusableFlag('oidc-issuer-url', `invalid authentication configuration: ${error.message}`, error)
      : error;
  }
}

/** What --oidc-* say as a file would; undefined where none of them is given. @throws OptionsError */
function issuerByFlags(flags: Flags): WrittenAuthentication | undefined {
  const { 'oidc-client-id': clientID, 'oidc-issuer-url': url, 'oidc-username-claim': claim } = flags;
  const { 'oidc-groups-claim': groups, 'oidc-required-claim': required, 'oidc-signing-algs': signing } = flags;
  const texts = [
    url,
    clientID,
    groups,
    flags['oidc-ca-file'],
    flags['oidc-groups-prefix'],
    flags['oidc-username-prefix'],
  ];
  const given = texts.some((text) => text !== '') || claim !== 'sub' || required.size > 0 || signing.join() !== 'RS256';
  if (!given) return undefined;
  if (url === '' || clientID === '')
    throw unusableFlag(
      'oidc-issuer-url',
      'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
    );
  const unsupported = signing.find((name) => !algorithms.includes(name));
  if (unsupported !== undefined)
    throw unusableFlag('oidc-signing-algs', `oidc: unsupported signing alg: ${JSON.stringify(unsupported)}`);
  const caFile = flags['oidc-ca-file'];
  const certificateAuthority = caFile === '' ? '' : readFlagFile(caFile, 'oidc-ca-file').toString('utf8');
  return {
    jwt: [
      {
        issuer: { url, audiences: [clientID], certificateAuthority },
        claimMappings: {
          username: { claim, prefix: usernamePrefix(flags) },
          ...(groups === '' ? {} : { groups: { claim: groups, prefix: flags['oidc-groups-prefix'] } }),
        },
        claimValidationRules: [...required].map(([name, requiredValue]) => ({ claim: name, requiredValue })),
      },
    ],
  };
}

/** `-` is none; without one, names of all claims but emails are told apart by their issuer. */
function usernamePrefix(flags: Flags): string {
  const prefix = flags['oidc-username-prefix'];
  if (prefix === '-') return '';
  return prefix === '' && flags['oidc-username-claim'] !== 'email' ? `${flags['oidc-issuer-url']}#` : prefix;
}
